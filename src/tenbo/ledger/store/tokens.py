"""Capability tokens: whoever has one may do what its role says. Kept only as hashes."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final, Literal

Role = Literal["score", "watch"]
ROLES: Final[tuple[Role, Role]] = ("score", "watch")
LENGTH: Final = 22
"""Characters of a token: 128 random bits."""

_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
_ID_LENGTH: Final = 10


def make_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(16)


def make_id() -> str:
    """A table's identity; it opens nothing."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))


def token_hash(token: str) -> str:
    """What is kept of a token. A token is random enough to need no salt and no slow hash."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def is_id(text: str) -> bool:
    """Whether a text looks like a table's identity, which no token does."""
    return len(text) == _ID_LENGTH and all(letter in _LETTERS for letter in text)
