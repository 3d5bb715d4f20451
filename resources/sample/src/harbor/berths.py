"""Berths and the boats in them."""


def assign(boat: str, length_m: float, berths: dict[str, float]) -> str:
    """Find the shortest free berth that a boat fits into."""
    fitting = sorted((size, name) for name, size in berths.items() if size >= length_m)
    if not fitting:
        raise LookupError(f"no berth for {boat}: {length_m} m")
    return fitting[0][1]


def release(berth: str, berths: dict[str, float], size: float) -> None:
    berths[berth] = size
