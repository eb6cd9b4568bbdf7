"""Interiors: convex cells, the openings between them, and the records that describe both.

Everything is authored in the building's own space; its frame puts it into the landblock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.dat.pieces.build_trees import build_cell_tree
from engine.dat.records.env_cell import CellPortal, EnvCell
from engine.dat.records.environment import CellStruct, Environment
from engine.dat.records.land_block_info import BldPortal, BuildingInfo, Stab
from engine.dat.values import Quat, StoredFrame, Vec3
from scripts.demo_world.geometry import (
    Points,
    cut_hole,
    diced,
    dot,
    f32,
    lies_in_plane,
    middle,
    minus,
    normal_of,
    point,
    share_corners,
)
from scripts.demo_world.mesh import Mesh
from scripts.demo_world.solids import Face, box, inside_out

EXIT = 0xFFFF
LIT_SPAN = 2.2
EXACT, SIDE, OUTDOORS = 0x1, 0x2, 0x4
SEEN_OUTSIDE, HAS_STATICS = 0x1, 0x2

# Quarter turns about +z as stored quaternions, with the turn of a vector.
QUARTERS: tuple[Quat, ...] = (
    (1.0, 0.0, 0.0, 0.0),
    (f32(0.7071068, 7), 0.0, 0.0, f32(0.7071068, 7)),
    (0.0, 0.0, 0.0, 1.0),
    (f32(0.7071068, 7), 0.0, 0.0, f32(-0.7071068, 7)),
)


@dataclass(frozen=True, slots=True)
class Place:
    """A frame whose axes are those of the world or quarter turns of them."""

    origin: Vec3
    turns: int = 0

    def put(self, p: Vec3) -> Vec3:
        """A point of this space in the landblock's."""
        x, y = turned(p, self.turns)
        return point((x + self.origin[0], y + self.origin[1], p[2] + self.origin[2]))

    def frame(self, p: Vec3 = (0.0, 0.0, 0.0), turns: int = 0) -> StoredFrame:
        """The stored frame of something at a point of this space, turned by quarters."""
        return StoredFrame(self.put(p), QUARTERS[(self.turns + turns) % 4])


def turned(p: Vec3, turns: int) -> tuple[float, float]:
    """East and north of a point turned counter-clockwise by quarters about the origin."""
    x, y = p[0], p[1]
    for _ in range(turns % 4):
        x, y = -y, x
    return x, y


@dataclass
class Cell:
    """One convex room: its hull, furniture, and whether one can see out of it."""

    low: int
    faces: list[Face]
    statics: list[tuple[int, Vec3, int]] = field(default_factory=list)
    openings: list[tuple[Points, int]] = field(default_factory=list)
    inner: list[Points] = field(default_factory=list)

    @property
    def heart(self) -> Vec3:
        """A point inside."""
        return middle([p for face in self.faces for p in face.points])


@dataclass
class Building:
    """Cells that share a frame, an Environment and a shell."""

    environment: int
    place: Place
    seen_outside: bool = True
    cells: dict[int, Cell] = field(default_factory=dict)

    def room(
        self, low: int, low_corner: Vec3, high_corner: Vec3, *, floor: str, wall: str, ceiling: str
    ) -> Cell:
        """A room between two corners."""
        return self.cell(low, inside_out(box(low_corner, high_corner, wall, top=ceiling, bottom=floor)))

    def cell(self, low: int, faces: Sequence[Face]) -> Cell:
        """A room of any convex shape, its faces seen from within."""
        self.cells[low] = Cell(low, list(faces))
        return self.cells[low]

    def opening(self, a: int, b: int, points: Sequence[Vec3], beyond: Sequence[Vec3] | None = None) -> None:
        """An opening between two cells (or a cell and EXIT) in a plane that both have a face in.

        ``beyond`` is the opening as the second cell has it, where that one reaches into the first.
        """
        self.cells[a].openings.append((tuple(point(p) for p in points), b))
        if b != EXIT:
            self.cells[b].openings.append((tuple(point(p) for p in beyond or points), a))

    def static(self, low: int, model: int, at: Vec3, turns: int = 0) -> None:
        """Furniture in a cell, at a point of the building's space, turned by quarters."""
        self.cells[low].statics.append((model, at, turns))

    def numbers(self) -> list[int]:
        """The cells' low words in order."""
        return sorted(self.cells)

    def structures(self) -> tuple[Environment, dict[int, tuple[int, Mesh]]]:
        """The Environment and, by low word, the structure's key and its mesh."""
        structs, by_cell = [], {}
        for key, low in enumerate(self.numbers()):
            struct, mesh = cell_struct(key, self.cells[low])
            structs.append(struct)
            by_cell[low] = (key, mesh)
        return Environment(self.environment, tuple(structs)), by_cell

    def records(self, block: int) -> tuple[Environment, list[EnvCell]]:
        """The building's Environment and its cells in the landblock ``block`` (low word zero)."""
        environment, by_cell = self.structures()
        everyone = self.numbers()
        cells = []
        for low in everyone:
            cell = self.cells[low]
            key, mesh = by_cell[low]
            statics = tuple(Stab(model, self.place.frame(at, turns)) for model, at, turns in cell.statics)
            flags = (SEEN_OUTSIDE if self.seen_outside else 0) | (HAS_STATICS if statics else 0)
            cells.append(
                EnvCell(
                    id=block | low,
                    flags=flags,
                    surfaces=tuple(s & 0xFFFF for s in mesh.surfaces),
                    environment=self.environment & 0xFFFF,
                    structure=key,
                    frame=self.place.frame(),
                    portals=self.portals(low, mesh),
                    visible=tuple(other for other in everyone if other != low),
                    statics=statics or None,
                )
            )
        return environment, cells

    def portals(self, low: int, mesh: Mesh) -> tuple[CellPortal, ...]:
        """The portals of a cell; its openings are the last of its mesh's polygons."""
        cell = self.cells[low]
        first = len(mesh.polygons) - len(cell.openings)
        out = []
        for i, (ring, other) in enumerate(cell.openings):
            # Where the polygons lie apart the flag holds all the same: an eye between them has the other's
            # behind it, and clipping by that one would take the whole opening away.
            flags = EXACT | (SIDE if faces_towards(ring, cell.heart) else 0)
            if other == EXIT:
                out.append(CellPortal(flags | OUTDOORS, first + i, EXIT, -1))
                continue
            # Both cells have the openings between them in the same order.
            rank = sum(o == other for _, o in cell.openings[:i])
            back = [k for k, (_, o) in enumerate(self.cells[other].openings) if o == low][rank]
            out.append(CellPortal(flags, first + i, other, back))
        return tuple(out)

    def exits(self) -> list[tuple[int, int, Points]]:
        """Cell, portal index and opening of every way out, in the order of the cells."""
        return [
            (low, index, ring)
            for low in self.numbers()
            for index, (ring, other) in enumerate(self.cells[low].openings)
            if other == EXIT
        ]

    def info(self, model: int) -> BuildingInfo:
        """The building's entry in its landblock; its model has its PORT nodes in the order of ``exits``."""
        portals = []
        for low, index, ring in self.exits():
            inside = faces_towards(ring, self.cells[low].heart)
            # The outdoors owns a building's portal, so its side is the other one.
            portals.append(BldPortal(EXACT | (0 if inside else SIDE), low, index, tuple(self.numbers())))
        return BuildingInfo(model, self.place.frame(), 1, tuple(portals))


def faces_towards(ring: Points, p: Vec3) -> bool:
    """Whether a point lies on the positive side of a polygon."""
    return dot(normal_of(ring), minus(p, ring[0])) > 0.0


def cell_struct(key: int, cell: Cell) -> tuple[CellStruct, Mesh]:
    """A cell's structure: walls with their openings cut out, every edge shared, openings last."""
    walls: list[tuple[Points, Face]] = []
    for face in cell.faces:
        pieces = [face.points]
        for ring, _ in cell.openings:
            if lies_in_plane(ring, face.points):
                pieces = [part for piece in pieces for part in cut_hole(piece, ring)]
        walls += [(piece, face) for piece in pieces]
    rings = [ring for ring, _ in cell.openings]
    # Light falls on corners, so large walls are drawn in parts.
    parts = diced([points for points, _ in walls], rings, LIT_SPAN)
    drawn = [(part, walls[i][1]) for i, all_parts in enumerate(parts) for part in all_parts]
    corners = [p for points, _ in drawn for p in points] + [p for ring in rings for p in ring]
    shared = share_corners([points for points, _ in drawn], corners)
    mesh = Mesh()
    mesh.draw(
        Face(points, face.material, grain=face.grain) for points, (_, face) in zip(shared, drawn, strict=True)
    )
    portals = tuple(mesh.open(ring) for ring in rings)
    mesh.block([points for points, _ in walls])
    mesh.block(cell.inner)
    tree = build_cell_tree(mesh.polygons, mesh.positions)
    if tree.root is None or tree.concave:
        raise ValueError(f"cell {cell.low:04X} is not convex: polygons {tree.concave}")
    struct = CellStruct(
        key=key,
        vertex_array=mesh.vertex_array,
        polygons=tuple(mesh.polygons),
        portals=portals,
        cell_bsp=tree.root,
        physics_polygons=tuple(mesh.physics),
        physics_bsp=mesh.physics_tree(solid=False),
        drawing_bsp=mesh.drawing_tree(),
    )
    return struct, mesh
