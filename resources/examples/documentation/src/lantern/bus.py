"""The bus that lamps hang on."""


class BusError(Exception):
    """The bus did not answer in time."""


def open_bus(path, timeout=2.0):
    """Opens the bus at a device path; raises BusError when nothing answers within the timeout."""
    if timeout <= 0:
        raise ValueError("timeout must be positive")
    return {"path": path, "timeout": timeout}


def list_lamps(bus):
    """Returns the addresses of all lamps that answer, lowest first."""
    return sorted(bus.get("lamps", []))
