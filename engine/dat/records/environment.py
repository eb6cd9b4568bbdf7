"""Environment, 0x0D: cell structures with their three trees (dat-format 3.5, 3.6)."""

from __future__ import annotations

from typing import Final

from engine.dat.pieces.bsp_record import BspNode, TreeKind, read_bsp, write_bsp
from engine.dat.pieces.geometry import (
    Polygon,
    VertexArray,
    read_polygons,
    read_vertex_array,
    write_polygons,
    write_vertex_array,
)
from engine.dat.primitives import Reader, Writer
from engine.made_once import MadeOnce
from engine.named_tuple import NamedTuple

CELL_STRUCT_FIELDS: Final = (
    "key", "num_polygons", "num_physics", "num_portals", "vertex_array", "polygons", "portals",
    "cell_bsp", "physics_polygons", "physics_bsp", "has_drawing", "drawing_bsp",
)  # fmt: skip


class CellStruct(NamedTuple):
    """The geometry that cells share, cell-local: ``portals`` are keys of ``polygons`` that are openings.

    Physics polygons are numbered on their own. ``drawing_bsp`` is None in collision-only structures.
    """

    key: int
    vertex_array: VertexArray
    polygons: tuple[Polygon, ...]
    portals: tuple[int, ...]
    cell_bsp: BspNode
    physics_polygons: tuple[Polygon, ...]
    physics_bsp: BspNode
    drawing_bsp: BspNode | None = None

    @property
    def num_polygons(self) -> int:
        """The stored count of drawing polygons."""
        return len(self.polygons)

    @property
    def num_physics(self) -> int:
        """The stored count of physics polygons."""
        return len(self.physics_polygons)

    @property
    def num_portals(self) -> int:
        """The stored count of portals."""
        return len(self.portals)

    @property
    def has_drawing(self) -> int:
        """1 where a drawing tree is stored."""
        return int(self.drawing_bsp is not None)


class Environment(NamedTuple):
    """A list of cell structures; an EnvCell names one by its key."""

    id: int
    cells: tuple[CellStruct, ...]

    def cell(self, key: int) -> CellStruct | None:
        """The structure of that key, None where there is none."""
        if 0 <= key < len(self.cells) and self.cells[key].key == key:  # keys count from 0 in all real files
            return self.cells[key]
        return _by_key(self).get(key)


_by_key: Final = MadeOnce[Environment, dict[int, CellStruct]](
    lambda environment: {cell.key: cell for cell in reversed(environment.cells)}, most=4
)
"""The first structure of each key, for records whose keys are none of those."""


def read_environment(reader: Reader) -> Environment:
    """An Environment record."""
    environment_id = reader.header_id()
    return Environment(environment_id, reader.many(reader.u32(), 64, _read_cell_struct))


def write_environment(writer: Writer, environment: Environment) -> None:
    """An Environment record."""
    writer.u32(environment.id)
    writer.u32(len(environment.cells))
    writer.many(environment.cells, _write_cell_struct)


def _read_cell_struct(reader: Reader) -> CellStruct:
    key, num_polygons, num_physics, num_portals = (reader.u32() for _ in range(4))
    vertex_array = read_vertex_array(reader)
    polygons = read_polygons(reader, num_polygons)
    portals = reader.array("H", num_portals)
    reader.align4()
    cell_bsp = read_bsp(reader, TreeKind.CELL)
    physics_polygons = read_polygons(reader, num_physics)
    physics_bsp = read_bsp(reader, TreeKind.PHYSICS)
    drawing_bsp = read_bsp(reader, TreeKind.DRAWING) if reader.u32() else None
    reader.align4()
    return CellStruct(
        key=key,
        vertex_array=vertex_array,
        polygons=polygons,
        portals=portals,
        cell_bsp=cell_bsp,
        physics_polygons=physics_polygons,
        physics_bsp=physics_bsp,
        drawing_bsp=drawing_bsp,
    )


def _write_cell_struct(writer: Writer, cell: CellStruct) -> None:
    writer.u32(cell.key)
    writer.u32(cell.num_polygons)
    writer.u32(cell.num_physics)
    writer.u32(cell.num_portals)
    write_vertex_array(writer, cell.vertex_array)
    write_polygons(writer, cell.polygons)
    writer.array("H", cell.portals)
    writer.align4()
    write_bsp(writer, cell.cell_bsp, TreeKind.CELL)
    write_polygons(writer, cell.physics_polygons)
    write_bsp(writer, cell.physics_bsp, TreeKind.PHYSICS)
    writer.u32(cell.has_drawing)
    if cell.drawing_bsp is not None:
        write_bsp(writer, cell.drawing_bsp, TreeKind.DRAWING)
    writer.align4()
