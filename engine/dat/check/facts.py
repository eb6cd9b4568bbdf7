"""What ``holtwalk dat check`` needs to know of records that others name: little, so that it can be kept.

A record that is too large for the cache would be decoded anew for each of a thousand that name it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.records.animation import Animation
from engine.dat.records.environment import CellStruct, Environment
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.setup import Setup
from engine.named_tuple import NamedTuple

GFX_OBJ, SETUP = 0x01, 0x02  # the first byte of their ids
MOST_KEPT: Final = 100_000  # numbers; beyond them all is worked out anew


class Structure(NamedTuple):
    """What a cell has to agree with."""

    portals: tuple[int, ...]
    highest_slot: int


class Facts:
    """Of some files. What is damaged or not there has none: it is reported by itself."""

    def __init__(self, files: DatFiles) -> None:
        self.files = files
        self._kept: dict[tuple[str, int], Any] = {}
        self._count = 0

    def frames(self, animation_id: int) -> int | None:
        """How many frames an Animation has."""

        def work_out() -> tuple[int | None, int]:
            record = self.files.get(animation_id, Animation)
            return None if record is None else record.num_frames, 1

        found: int | None = self._of("frames", animation_id, work_out)
        return found

    def structures(self, environment_id: int) -> dict[int, Structure] | None:
        """The structures of an Environment by key, as ``Environment.cell`` finds them."""

        def work_out() -> tuple[dict[int, Structure] | None, int]:
            record = self.files.get(environment_id, Environment)
            if record is None:
                return None, 1
            out: dict[int, Structure] = {}
            for number, cell in enumerate(record.cells):
                if cell.key == number or cell.key not in out:
                    out[cell.key] = _structure(cell)
            return out, sum(4 + len(one.portals) for one in out.values())

        found: dict[int, Structure] | None = self._of("structures", environment_id, work_out)
        return found

    def portals(self, gfx_obj_id: int) -> tuple[int, ...]:
        """The portal indices in a GfxObj's drawing tree. Raises DatError for a damaged one."""

        def work_out() -> tuple[tuple[int, ...], int]:
            record = self.files.get(gfx_obj_id, GfxObj)
            tree = None if record is None else record.drawing_bsp
            nodes = () if tree is None else tree.walk()
            out = tuple([ref.portal for node in nodes for ref in node.portals or ()])
            return out, 1 + len(out)

        found: tuple[int, ...] | None = self._of("portals", gfx_obj_id, work_out)
        if found is None:
            raise DatError("", gfx_obj_id, None, f"{hex_id(gfx_obj_id)} is damaged")
        return found

    def model_portals(self, model_id: int) -> tuple[int, ...]:
        """The portal indices in the drawing trees of a model's parts, each once; up to a damaged part."""

        def work_out() -> tuple[tuple[int, ...], int]:
            out: dict[int, None] = {}
            try:
                setup = self.files.get(model_id, Setup) if model_id >> 24 == SETUP else None
                for part in dict.fromkeys(setup.parts) if setup else (model_id,):
                    if part >> 24 == GFX_OBJ:
                        out.update(dict.fromkeys(self.portals(part)))
            except DatError:
                pass  # reported with the model itself
            return tuple(out), 1 + len(out)

        found: tuple[int, ...] = self._of("model portals", model_id, work_out)
        return found

    def _of(self, kind: str, object_id: int, work_out: Callable[[], tuple[Any, int]]) -> Any:
        """What is kept of a record; None where it is damaged."""
        key = (kind, object_id)
        if key not in self._kept:
            try:
                found, count = work_out()
            except DatError:
                found, count = None, 1
            if self._count + count > MOST_KEPT:
                self._kept.clear()
                self._count = 0
            self._kept[key] = found
            self._count += count
        return self._kept[key]


def _structure(cell: CellStruct) -> Structure:
    highest = max((polygon.pos_surface for polygon in cell.polygons), default=-1)
    return Structure(portals=cell.portals, highest_slot=highest)
