"""Sessions of people who work in the harbor."""

from dataclasses import dataclass


@dataclass
class Session:
    """A person's permission to work, until it ends."""

    user: str
    minutes_left: int


def login(user: str, secret: str) -> Session:
    """Open a session for a person who knows their secret."""
    if not _is_known(user, secret):
        raise PermissionError(user)
    return Session(user, 60)


def refresh(session: Session) -> Session:
    """Give a session another hour."""
    return Session(session.user, 60)


def _is_known(user: str, secret: str) -> bool:
    return bool(user) and bool(secret)
