"""Small cell graphs by hand: the set-up of visibility 11.1 and what the tests share."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from engine.visibility.flood import Flood
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.pview import PView
from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon
from engine.world.cell_graph import CellGraph, cells_of
from engine.world.cells import (
    BldPortal,
    Building,
    CellStructure,
    EnvCell,
    Landblock,
    LandCell,
    Portal,
)
from engine.world.frame import Frame, Position
from engine.world.ids import EXIT_CELL
from engine.world.polygon import Polygon

BLOCK = 0x12340000
EXIT = -1
NO_STRUCTURE = CellStructure(
    environment_id=0, structure=0, polygons={}, physics_polygons={}, physics_root=None, cell_tree=None
)


def cid(n: int) -> int:
    """The EnvCell id of a case's short cell number."""
    return BLOCK | (0x100 + n)


def short(cell_id: int) -> int:
    return (cell_id & 0xFFFF) - 0x100


def quad(y, x0, x1, *, z0, z1):
    """Q of visibility 11.1: normal (0, -1, 0), so that an eye at smaller y is on the positive side."""
    return [(x0, y, z0), (x1, y, z0), (x1, y, z1), (x0, y, z1)]


def slits(y, x0, number):
    """Openings 2 cm wide, 4 cm from one to the next."""
    return [quad(y, x0 + 0.04 * i, x0 + 0.04 * i + 0.02, z0=-0.5, z1=0.5) for i in range(number)]


def square(y, half):
    return quad(y, -half, half, z0=-half, z1=half)


DOOR = square(2.0, 0.5)
LEFT = quad(2.0, -1.5, -0.5, z0=-0.5, z1=0.5)
RIGHT = quad(2.0, 0.5, 1.5, z0=-0.5, z1=0.5)


@dataclass
class P:
    """A portal to be: world vertices, portal_side, neighbour's short number, its portal, exact match."""

    vertices: list
    ps: int
    to: int
    k: int = -1
    exact: bool = False


def graph(cells: dict[int, list[P]], frames=None, stab=None, block=BLOCK) -> CellGraph:
    """Cells by short number; polygons are given in the block frame and stored in the cell's frame."""
    out = Landblock(block)
    for n, portals in cells.items():
        frame = (frames or {}).get(n, Frame((0.0, 0.0, 0.0)))
        made = []
        for i, p in enumerate(portals):
            polygon = Polygon(i, [frame.to_local(v) for v in p.vertices])
            flags = (1 if p.exact else 0) | (0 if p.ps else 2)
            other = EXIT_CELL if p.to == EXIT else block | (0x100 + p.to)
            made.append(Portal(i, flags, polygon, other_cell_id=other, other_portal_id=p.k))
        cell_id = block | (0x100 + n)
        lists = tuple(block | (0x100 + s) for s in (stab or {}).get(n, ()))
        out.env_cells[cell_id] = EnvCell(
            cell_id, frame, NO_STRUCTURE, made, stab_list=lists, seen_outside=False
        )
    return cells_of(out)


def add_outdoors(g: CellGraph, block=BLOCK, height=0.0) -> Landblock:
    """Flat landcells for a landblock."""
    land = g.blocks.setdefault(block, Landblock(block))
    for cx in range(8):
        for cy in range(8):
            x, y = cx * 24.0, cy * 24.0
            a, b = (x, y, height), (x + 24.0, y, height)
            c, d = (x + 24.0, y + 24.0, height), (x, y + 24.0, height)
            polygons = (Polygon(0, [a, b, c]), Polygon(1, [a, c, d]))
            land.land_cells.append(LandCell(block | (cx * 8 + cy + 1), polygons, 0))
    return land


def add_building(g: CellGraph, portals: list[P], frame=None, stab=(), *, block=BLOCK) -> Building:
    """A building whose openings are given in the block frame."""
    land = g.blocks[block]
    frame = frame or Frame((0.0, 0.0, 0.0))
    made = []
    for i, p in enumerate(portals):
        polygon = Polygon(i, [frame.to_local(v) for v in p.vertices])
        flags = 0 if p.ps else 2
        lists = tuple(block | (0x100 + s) for s in stab)
        made.append(
            BldPortal(
                i, flags, polygon, other_cell_id=block | (0x100 + p.to), other_portal_id=p.k, stab_list=lists
            )
        )
    building = Building(
        len(land.buildings), 0, Position(block | 1, frame), shell_frame=frame, shell_root=None, portals=made
    )
    land.buildings.append(building)
    return building


def c0(eye=(0.0, 0.0, 0.0), size=200.0) -> View:
    """Camera C0: forward +y, up +z, 90 x 90 degrees, 200 x 200 pixels."""
    return View(
        eye,
        right=(1.0, 0.0, 0.0),
        up=(0.0, 0.0, 1.0),
        forward=(0.0, 1.0, 0.0),
        tan_x=1.0,
        tan_y=1.0,
        width=size,
        height=size,
    )


def looking(eye, right, up, forward) -> View:
    return View(eye, right=right, up=up, forward=forward, tan_x=1.0, tan_y=1.0, width=200.0, height=200.0)


def flood(
    g: CellGraph, root=100, view=None, *, landscape=True, allowed=None, rules=None, views=None, entry=-1
):
    return PView(
        g,
        view or c0(),
        draw_landscape=landscape,
        allowed=None if allowed is None else {cid(n) for n in allowed},
        rules=rules or FloodRules(working_set=WorkingSet.ALL),
    ).construct(cid(root), views, entry)


def order(f: Flood) -> list[int]:
    return [short(c) for c in f.order]


def pixels(polygon: ViewPolygon, view: View | None = None) -> float:
    view = view or c0()
    return polygon.area * view.width * view.height / 4.0


def areas(f: Flood, n: int) -> list[float]:
    return [pixels(v, f.view) for v in f.cells[cid(n)].views]


def outside(f: Flood) -> list[float]:
    return [pixels(v, f.view) for v in f.outside]


def snapshot(f: Flood):
    """Everything that two runs must have in common."""
    cells = {c: [v.points for v in f.cells[c].views] for c in f.order}
    return f.order, cells, [v.points for v in f.outside], f.draw_order()


def turned(vertices, degrees, shift):
    """World points turned about z (clockwise seen from above, as a yaw) and moved."""
    a = math.radians(degrees)
    s, c = math.sin(a), math.cos(a)
    return [(x * c + y * s + shift[0], -x * s + y * c + shift[1], z + shift[2]) for x, y, z in vertices]


def approx(value):
    """An area or a place within half a percent: the cases give three digits."""
    return pytest.approx(value, rel=0.005)


def v29() -> dict[int, list[P]]:
    """Case V29: four cells in a row, two of them behind each other's portals."""
    return {
        1: [P(DOOR, 0, 2)],
        2: [P(square(4, 0.5), 0, 3)],
        3: [P(square(6, 0.5), 0, 2), P(square(6, 0.5), 0, 4)],
        4: [P(square(8, 0.5), 0, 3)],
    }
