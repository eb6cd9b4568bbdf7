"""How many blocks of a file all its records together may have: no more than the file, or they share them."""

from __future__ import annotations

from typing import Final

MOST_LENGTHS: Final = 2
"""Lengths of the file. Sound records have one together; a damaged size reads on in what was there before."""
BESIDES: Final = 1 << 20
"""Bytes more: a small file may be made of compressed images, which count by what they hold, too."""


class BlockBudget:
    """Counts what the chains of distinct records are long, so that entries that share one are not all read.

    24 bytes of the directory name a chain, however long that is or its record once it is decompressed.
    Nothing is remembered before as much was read as the file is long, so that most readers never do.
    """

    __slots__ = ("_distinct", "_lengths", "_size", "_total")

    def __init__(self, size: int) -> None:
        self._size = size
        self._total = self._distinct = 0
        self._lengths: dict[tuple[int, int], int] = {}

    def has_room(self, object_id: int, offset: int) -> bool:
        """Whether the chain of an object that begins at an offset may be read."""
        most = MOST_LENGTHS * self._size + BESIDES
        return self._distinct <= most or (object_id, offset) in self._lengths

    def add(self, object_id: int, offset: int, length: int) -> None:
        """So many bytes of blocks were read for an object."""
        self._total += length
        if self._total > self._size:
            known = self._lengths.get((object_id, offset), 0)
            if length > known:
                self._lengths[object_id, offset] = length
                self._distinct += length - known
