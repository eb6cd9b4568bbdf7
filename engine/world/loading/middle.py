"""The middle of a cell or landblock, on its floor: where somebody goes who names no more than an id."""

from __future__ import annotations

import math

from engine.dat.values import Vec3
from engine.world.cells import EnvCell, Landblock
from engine.world.frame import Frame, Position
from engine.world.ids import MIDDLE_LAND_CELL, adjust_to_outside, block_of, is_outdoor, middle_of_land_cell
from engine.world.polygon import Polygon
from engine.world.terrain import height_on, point_in_poly2d, terrain_height

LEVEL = 0.7  # the z of a normal: what one stands on without doubt


def middle_of(cell_id: int, block: Landblock | None) -> Position:
    """The place, facing north, for a cell's id, or a landblock's (low word 0), in the block that was loaded.

    Of a landblock it is the middle of its middle landcell: in the very middle four of them meet, and a static
    look-up would name another one than a sweep. Of a dungeon's landblock it is the first room. A cell that is
    not there gives its landblock's corner.
    """
    low = cell_id & 0xFFFF
    corner = Position(cell_id, Frame((0.0, 0.0, 0.0)))
    if block is None:
        return corner
    if low == 0 and block.env_cells and (block.is_dungeon or not block.land_cells):
        cell_id = min(block.env_cells)
    if not is_outdoor(cell_id):
        cell = block.env_cells.get(cell_id)
        return corner if cell is None else Position(cell_id, Frame(middle_of_room(cell)))
    x, y = middle_of_land_cell(low or MIDDLE_LAND_CELL)
    cell_id, _ = adjust_to_outside(block_of(cell_id) | 0xFFFF, (x, y, 0.0))
    return Position(cell_id, Frame((x, y, terrain_height(block, x, y) or 0.0)))


def middle_of_room(cell: EnvCell) -> Vec3:
    """The lowest floor under the middle of a room's box; without one, the middle of the nearest floor.

    In the cell's block frame. A room without any floor gives the middle of its box.
    """
    structure, to_block = cell.structure, cell.frame.to_global
    tables = (structure.polygons, structure.physics_polygons)
    corners = [to_block(v) for table in tables for polygon in table.values() for v in polygon.vertices]
    if not corners:
        return cell.frame.origin
    middle = _middle(corners)
    faces = [Polygon(p.id, [to_block(v) for v in p.vertices]) for p in structure.physics_polygons.values()]
    floors = [face for face in faces if face.normal[2] >= LEVEL]
    below = [f for f in floors if point_in_poly2d(f, middle[0], middle[1])]
    if below:
        return middle[0], middle[1], min(height_on(f, middle[0], middle[1]) for f in below)
    if not floors:
        return middle
    return min((_center(f) for f in floors), key=lambda p: math.dist(p[:2], middle[:2]))


def _middle(points: list[Vec3]) -> Vec3:
    x, y, z = (0.5 * (min(axis) + max(axis)) for axis in zip(*points, strict=True))
    return x, y, z


def _center(polygon: Polygon) -> Vec3:
    count = len(polygon.vertices)
    x, y, z = (sum(axis) / count for axis in zip(*polygon.vertices, strict=True))
    return x, y, z
