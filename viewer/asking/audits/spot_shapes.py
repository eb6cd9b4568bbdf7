"""A finding's spot in the picture: its portals' outlines, its cells, and the point."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.replay.audit.spot import Spot
from engine.visibility.region_shapes import CYAN, ORANGE
from engine.world.cells import EnvCell
from engine.world.debug_shapes import DebugShapes, Rgba, cell_outline_shapes
from engine.world.ids import block_of, rebase
from engine.world.loading.world import World

POINT: Final[Rgba] = (1.0, 0.2, 0.2, 1.0)
SIDES: Final = (CYAN, ORANGE)  # the first named and the second: where they part, both show
_ARM = 0.25  # metres
ROOM, FARTHEST, EYE = 0.6, 12.0, 1.0  # metres: kept from walls, gone at most, above the feet


def spot_shapes(world: World, spot: Spot, root: int) -> DebugShapes:
    """What a finding is about; what it names is outlined as far as it is loaded."""
    out = DebugShapes(root)
    for number, (corners, name) in enumerate(_outlines(world, spot)):
        color: Rgba = (*SIDES[number % 2], 1.0)
        placed = [rebase(p, block, root) for block, p in corners]
        out.outline(placed, color)
        out.fan(placed, (*color[:3], 0.12))
        if placed:
            out.label(placed[number % len(placed)], name, color)
    if not spot.portals and not spot.openings:
        for number, cell_id in enumerate(spot.cells[:2]):
            cell = world.get_visible(cell_id)
            if cell is not None:
                cell_outline_shapes(out, cell, (*SIDES[number % 2], 1.0))
    if spot.point is not None and spot.cells:
        x, y, z = rebase(spot.point, block_of(spot.cells[0]), root)
        for dx, dy, dz in ((_ARM, 0.0, 0.0), (0.0, _ARM, 0.0), (0.0, 0.0, _ARM)):
            out.line((x - dx, y - dy, z - dz), (x + dx, y + dy, z + dz), POINT)
    return out


def _outlines(world: World, spot: Spot) -> list[tuple[list[tuple[int, Vec3]], str]]:
    """The corners of the openings, each with a cell of its block, and what the opening is called."""
    out: list[tuple[list[tuple[int, Vec3]], str]] = []
    for cell_id, index in spot.portals:
        cell = world.get_visible(cell_id)
        if isinstance(cell, EnvCell) and index < len(cell.portals):
            polygon = cell.portals[index].polygon
            placed = [(cell_id, cell.frame.to_global(v)) for v in polygon.vertices]
            out.append((placed, f"{cell_id & 0xFFFF:04X}/{index}"))
    for land, number, index in spot.openings:
        block = world.blocks.get(block_of(land))
        for building in block.buildings if block is not None else ():
            if building.index == number and index < len(building.portals):
                opening = building.portals[index].polygon
                corners = () if opening is None else opening.vertices
                frame = building.pos.frame
                out.append(([(land, frame.to_global(v)) for v in corners], f"building {number}/{index}"))
    return out


def stand_for(world: World, spot: Spot) -> str:
    """Where to stand to see a spot, as the game prints it: in the first cell, as far from it as it goes.

    Empty for a spot in no cell; the bare id of one that is not loaded.
    """
    if not spot.cells:
        return ""
    cell_id = spot.cells[0]
    cell, target = world.get_visible(cell_id), look_at(world, spot)
    if not isinstance(cell, EnvCell) or cell.block_planes is None or target is None:
        return hex_id(cell_id)
    middle = world.locate(hex_id(cell_id)).frame.origin
    tx, ty, _ = rebase(target[1], target[0], cell_id)
    dx, dy = middle[0] - tx, middle[1] - ty
    length = math.hypot(dx, dy)
    if length < ROOM:
        return hex_id(cell_id)
    dx, dy = dx / length, dy / length
    way = FARTHEST
    for nx, ny, nz, d in cell.block_planes:
        closing = -(nx * dx + ny * dy)
        if closing > 1e-6:
            inside = nx * middle[0] + ny * middle[1] + nz * (middle[2] + EYE) + d
            way = min(way, (inside - ROOM) / closing)
    way = max(0.0, way)
    x, y, z = middle[0] + way * dx, middle[1] + way * dy, middle[2]
    return f"{hex_id(cell_id)} [{x:.3f} {y:.3f} {z:.3f}]"


def look_at(world: World, spot: Spot) -> tuple[int, Vec3] | None:
    """What to look at: the point, else the middle of the first opening; a cell of its block, and where."""
    if spot.point is not None and spot.cells:
        return spot.cells[0], spot.point
    for corners, _ in _outlines(world, spot):
        if corners:
            points = [p for _, p in corners]
            x, y, z = (sum(axis) / len(points) for axis in zip(*points, strict=True))
            return corners[0][0], (x, y, z)
    return None
