"""How an id is written, wherever one is: as the game does."""

from __future__ import annotations


def hex_id(number: int) -> str:
    """An id of an object, a cell or a file in words: ``0xA9B40170``."""
    return f"0x{number:08X}"
