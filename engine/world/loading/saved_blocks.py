"""Which landblocks were loaded at some time."""

from __future__ import annotations

from typing import Final

from engine.named_tuple import NamedTuple


class SavedBlocks(NamedTuple):
    """Ids of the landblocks that were loaded, in their order, and the one that the body was in.

    ``alone`` tells of a dungeon that stood for itself. Nothing is named where the keeper does not depend on
    what was there before.
    """

    center: int
    alone: bool
    blocks: tuple[int, ...]


NO_BLOCKS: Final = SavedBlocks(0, alone=False, blocks=())
