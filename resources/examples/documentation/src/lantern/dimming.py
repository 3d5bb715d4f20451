"""Brightness of a lamp, from 0 to 100."""


def dim(bus, address, level, seconds=0):
    """Brings a lamp to a level from 0 to 100, over so many seconds; 0 seconds is at once."""
    if not 0 <= level <= 100:
        raise ValueError("level must be between 0 and 100")
    return {"address": address, "level": level, "seconds": seconds}


def restore(bus, address):
    """Brings a lamp back to the level it had before it was last switched off."""
    return {"address": address, "level": None}


def _steps(seconds):
    return max(1, int(seconds * 20))
