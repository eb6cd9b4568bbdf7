"""GfxObjDegradeInfo, 0x11: levels of detail (dat-format 3.12)."""

from __future__ import annotations

from struct import Struct

from engine.dat.primitives import Reader, Writer
from engine.named_tuple import NamedTuple

_LEVEL = Struct("<IIfff")


class DegradeLevel(NamedTuple):
    """A model (0 draws nothing), how it turns to the viewer (mode 1 not at all), distances in metres."""

    gfxobj: int
    mode: int
    min: float
    ideal: float
    max: float


class GfxObjDegradeInfo(NamedTuple):
    """The levels of a model, nearest first."""

    id: int
    levels: tuple[DegradeLevel, ...]


def read_gfx_obj_degrade_info(reader: Reader) -> GfxObjDegradeInfo:
    """A GfxObjDegradeInfo record."""
    info_id = reader.header_id()
    levels = reader.many(reader.u32(), _LEVEL.size, lambda r: DegradeLevel(*r.unpack(_LEVEL)))
    return GfxObjDegradeInfo(info_id, levels)


def write_gfx_obj_degrade_info(writer: Writer, info: GfxObjDegradeInfo) -> None:
    """A GfxObjDegradeInfo record."""
    writer.u32(info.id)
    writer.u32(len(info.levels))
    for level in info.levels:
        writer.pack(_LEVEL, level.gfxobj, level.mode, level.min, level.ideal, level.max)
