"""EnvCell, ``XXYY0100``–``XXYYFFFD``: an interior cell (dat-format 3.3, 3.4)."""

from __future__ import annotations

from struct import Struct
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.primitives import Reader, Writer
from engine.dat.records.land_block_info import Stab, read_stab, write_stab
from engine.dat.values import StoredFrame
from engine.named_tuple import NamedTuple

SEEN_OUTSIDE, HAS_STATICS, HAS_RESTRICTION = 0x1, 0x2, 0x8  # flags of a cell
EXACT_MATCH, OWNER_ON_POSITIVE_SIDE, LEADS_OUTSIDE = 0x1, 0x2, 0x4  # flags of a portal
OUTSIDE = 0xFFFF

_PORTAL = Struct("<HHHh")


class CellPortal(NamedTuple):
    """An opening: ``polygon`` is a key of the CellStruct's drawing polygons.

    ``other_cell`` is a low word, 0xFFFF outdoors; ``other_portal`` indexes that cell's portals, −1 none.
    """

    flags: int
    polygon: int
    other_cell: int
    other_portal: int


ENV_CELL_FIELDS: Final = (
    "id", "flags", "id_again", "num_surfaces", "num_portals", "num_visible", "surfaces", "environment",
    "structure", "frame", "portals", "visible", "statics", "restriction",
)  # fmt: skip


class EnvCell(NamedTuple):
    """A cell: its structure and surfaces, frame (landblock space), portals, stab list and statics.

    ``surfaces`` and ``environment`` are the stored 16-bit values, ``visible`` low words. Statics stand in
    landblock space. ``statics`` and ``restriction`` are None where the flags announce none.
    """

    id: int
    flags: int
    surfaces: tuple[int, ...]
    environment: int
    structure: int
    frame: StoredFrame
    portals: tuple[CellPortal, ...] = ()
    visible: tuple[int, ...] = ()
    statics: tuple[Stab, ...] | None = None
    restriction: int | None = None

    @property
    def id_again(self) -> int:
        """The id's second place in the record."""
        return self.id

    @property
    def num_surfaces(self) -> int:
        """The stored count of surfaces."""
        return len(self.surfaces)

    @property
    def num_portals(self) -> int:
        """The stored count of portals."""
        return len(self.portals)

    @property
    def num_visible(self) -> int:
        """The stored count of visible cells."""
        return len(self.visible)

    @property
    def surface_ids(self) -> tuple[int, ...]:
        """The full ids of the material slots."""
        return tuple(0x08000000 | surface for surface in self.surfaces)

    @property
    def environment_id(self) -> int:
        """The full id of the Environment."""
        return 0x0D000000 | self.environment


def read_env_cell(reader: Reader) -> EnvCell:
    """An EnvCell record; nothing in it is aligned."""
    cell_id, flags, again = reader.header_id(), reader.u32(), reader.u32()
    if again != cell_id:
        reader.fail(f"the id's second place says {hex_id(again)}", reader.pos - 4)
    num_surfaces, num_portals, num_visible = reader.u8(), reader.u8(), reader.u16()
    surfaces = reader.array("H", num_surfaces)
    environment, structure, frame = reader.u16(), reader.u16(), reader.frame()
    portals = reader.many(num_portals, _PORTAL.size, lambda r: CellPortal(*r.unpack(_PORTAL)))
    visible = reader.array("H", num_visible)
    statics = reader.many(reader.u32(), 32, read_stab) if flags & HAS_STATICS else None
    restriction = reader.u32() if flags & HAS_RESTRICTION else None
    return EnvCell(
        id=cell_id,
        flags=flags,
        surfaces=surfaces,
        environment=environment,
        structure=structure,
        frame=frame,
        portals=portals,
        visible=visible,
        statics=statics,
        restriction=restriction,
    )


def write_env_cell(writer: Writer, cell: EnvCell) -> None:
    """An EnvCell record; statics and restriction must be there exactly as the flags say."""
    writer.require((cell.statics is not None) == bool(cell.flags & HAS_STATICS), "flags and statics disagree")
    writer.require(
        (cell.restriction is not None) == bool(cell.flags & HAS_RESTRICTION), "flags and restriction disagree"
    )
    writer.u32(cell.id)
    writer.u32(cell.flags)
    writer.u32(cell.id)
    writer.u8(len(cell.surfaces))
    writer.u8(len(cell.portals))
    writer.u16(len(cell.visible))
    writer.array("H", cell.surfaces)
    writer.u16(cell.environment)
    writer.u16(cell.structure)
    writer.frame(cell.frame)
    for portal in cell.portals:
        writer.pack(_PORTAL, portal.flags, portal.polygon, portal.other_cell, portal.other_portal)
    writer.array("H", cell.visible)
    if cell.statics is not None:
        writer.u32(len(cell.statics))
        writer.many(cell.statics, write_stab)
    if cell.restriction is not None:
        writer.u32(cell.restriction)
