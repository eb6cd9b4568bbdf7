"""Collections of Python's garbage that no frame notices.

A full collection looks at every object there is, 20 to 100 ms with some landblocks loaded, in whatever frame
it falls, and keeps the interpreter to itself while another thread is at it. But a loaded world needs none:
landblocks hold no cycles, so what goes is freed at once. So what has come to stay is put out of the
collector's sight, and what it looks at stays small: it looks often, at little.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from engine.world.cells import Landblock
from engine.world.loading.world import World

_OFTEN = (700, 10, 10)  # objects more than before, and younger collections, between two


@contextmanager
def calm_collections(world: World) -> Iterator[None]:
    """Within: what is there, and every landblock that comes, is left out of collections."""

    def leave_out(_: Landblock) -> None:
        gc.freeze()

    before = gc.get_threshold()
    gc.set_threshold(*_OFTEN)
    gc.collect()
    gc.freeze()
    world.on_load.append(leave_out)
    try:
        yield
    finally:
        world.on_load.remove(leave_out)
        gc.unfreeze()
        gc.set_threshold(*before)
