"""LandBlockInfo, ``XXYYFFFE``: what stands outdoors in a landblock (dat-format 3.2)."""

from __future__ import annotations

from typing import Final

from engine.dat.primitives import Reader, Writer
from engine.dat.values import StoredFrame
from engine.named_tuple import NamedTuple

RESTRICTIONS = 1  # bit of the pack mask


class Stab(NamedTuple):
    """A static object: a GfxObj (0x01…) or Setup (0x02…) placed in landblock space."""

    id: int
    frame: StoredFrame


class BldPortal(NamedTuple):
    """An opening of a building; its own index is what the model's PORT nodes name.

    ``other_cell`` and ``stabs`` are low words, ``other_portal`` indexes that cell's portals (−1 none).
    """

    flags: int
    other_cell: int
    other_portal: int
    stabs: tuple[int, ...] = ()


class BuildingInfo(NamedTuple):
    """A building's model placed in landblock space, and its openings; nothing reads ``leaves``."""

    model: int
    frame: StoredFrame
    leaves: int
    portals: tuple[BldPortal, ...] = ()


class Restriction(NamedTuple):
    """An entry of the housing table."""

    key: int
    value: int


class RestrictionTable(NamedTuple):
    """Who may enter; bucket count and order are kept for an identical rewrite."""

    buckets: int
    items: tuple[Restriction, ...]


LAND_BLOCK_INFO_FIELDS: Final = (
    "id", "num_cells", "objects", "num_buildings", "mask", "buildings", "restrictions",
)  # fmt: skip


class LandBlockInfo(NamedTuple):
    """Objects and buildings of a landblock, and the number of its EnvCells (from 0x0100 on)."""

    id: int
    num_cells: int
    objects: tuple[Stab, ...] = ()
    mask: int = 0
    buildings: tuple[BuildingInfo, ...] = ()
    restrictions: RestrictionTable | None = None

    @property
    def num_buildings(self) -> int:
        """The stored count of buildings."""
        return len(self.buildings)


def read_stab(reader: Reader) -> Stab:
    """An id and a frame."""
    return Stab(reader.u32(), reader.frame())


def write_stab(writer: Writer, stab: Stab) -> None:
    """An id and a frame."""
    writer.u32(stab.id)
    writer.frame(stab.frame)


def read_land_block_info(reader: Reader) -> LandBlockInfo:
    """A LandBlockInfo record."""
    info_id, num_cells = reader.header_id(), reader.u32()
    objects = reader.many(reader.u32(), 32, read_stab)
    num_buildings, mask = reader.u16(), reader.u16()
    buildings = reader.many(num_buildings, 40, _read_building)
    restrictions = _read_restrictions(reader) if mask & RESTRICTIONS else None
    return LandBlockInfo(
        id=info_id,
        num_cells=num_cells,
        objects=objects,
        mask=mask,
        buildings=buildings,
        restrictions=restrictions,
    )


def write_land_block_info(writer: Writer, info: LandBlockInfo) -> None:
    """A LandBlockInfo record."""
    writer.u32(info.id)
    writer.u32(info.num_cells)
    writer.u32(len(info.objects))
    writer.many(info.objects, write_stab)
    writer.u16(len(info.buildings))
    writer.u16(info.mask)
    writer.many(info.buildings, _write_building)
    table = info.restrictions
    writer.require((table is not None) == bool(info.mask & RESTRICTIONS), "mask and restrictions disagree")
    if table is not None:
        writer.u16(len(table.items))
        writer.u16(table.buckets)
        writer.array("I", [value for item in table.items for value in (item.key, item.value)])


def _read_building(reader: Reader) -> BuildingInfo:
    model, frame, leaves = reader.u32(), reader.frame(), reader.u32()
    return BuildingInfo(model, frame, leaves, reader.many(reader.u32(), 8, _read_bld_portal))


def _write_building(writer: Writer, building: BuildingInfo) -> None:
    writer.u32(building.model)
    writer.frame(building.frame)
    writer.u32(building.leaves)
    writer.u32(len(building.portals))
    writer.many(building.portals, _write_bld_portal)


def _read_bld_portal(reader: Reader) -> BldPortal:
    flags, other_cell, other_portal = reader.u16(), reader.u16(), reader.i16()
    stabs = reader.array("H", reader.u16())
    reader.align4()
    return BldPortal(flags, other_cell, other_portal, stabs)


def _write_bld_portal(writer: Writer, portal: BldPortal) -> None:
    writer.u16(portal.flags)
    writer.u16(portal.other_cell)
    writer.i16(portal.other_portal)
    writer.u16(len(portal.stabs))
    writer.array("H", portal.stabs)
    writer.align4()


def _read_restrictions(reader: Reader) -> RestrictionTable:
    count, buckets = reader.u16(), reader.u16()
    return RestrictionTable(buckets, reader.many(count, 8, lambda r: Restriction(r.u32(), r.u32())))
