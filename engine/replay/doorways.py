"""Doorways as a walker meets them: where an exit portal stands, which way is out, what closes it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.dat.values import Vec3
from engine.world.cells import EnvCell, Landblock, PlacedObject, Portal
from engine.world.ids import adjust_to_outside

MIN_HEIGHT = 1.9
MIN_WIDTH = 1.0
DOOR_REACH = 1.6
ALIKE: Final = 1e-6  # metres: what numpy says of a distance is as exact


@dataclass(frozen=True, slots=True)
class Doorway:
    """An exit portal that a walker can pass, block frame of ``cell_id``, metres.

    ``sill`` is the middle of the opening's lower edge, ``outward`` the horizontal unit vector that points
    out of the cell, ``width`` and ``height`` those of the opening. ``door`` is the entity that stands in
    it, None for an open arch.
    """

    cell_id: int
    portal_index: int
    sill: Vec3
    outward: tuple[float, float]
    width: float
    height: float
    door: int | None

    def point(self, out: float, side: float = 0.0, up: float = 0.02) -> Vec3:
        """A point ``out`` metres outside the sill (negative: inside), ``side`` to the walker's right."""
        ox, oy = self.outward
        x, y, z = self.sill
        # Seen by somebody who walks in, right is the inward direction turned clockwise.
        return (x + ox * out - oy * side, y + oy * out + ox * side, z + up)

    def inward(self, length: float) -> Vec3:
        """A horizontal displacement into the building."""
        return (-self.outward[0] * length, -self.outward[1] * length, 0.0)

    def outside_cell(self, out: float = 1.5) -> int:
        """The landcell under a point outside, reached by division, for placing a body there."""
        return adjust_to_outside(self.cell_id, self.point(out))[0]

    def heading_in(self) -> float:
        """Degrees of the direction into the building, 0 north, clockwise."""
        return math.degrees(math.atan2(-self.outward[0], -self.outward[1])) % 360.0

    def offset_out(self, p: Vec3) -> float:
        """How far outside the opening's plane a point of the block frame is, metres along ``outward``."""
        return (p[0] - self.sill[0]) * self.outward[0] + (p[1] - self.sill[1]) * self.outward[1]


class Standing:
    """What stands in a landblock, by where it is: which of it stands in an opening."""

    def __init__(self, things: Iterable[PlacedObject]) -> None:
        # Of what stands in one place the first is as near as any other.
        first: dict[Vec3, PlacedObject] = {}
        for thing in things:
            first.setdefault(thing.frame.origin, thing)
        self._things = list(first.values())
        self._places = np.array(list(first), dtype=float).reshape(-1, 3)

    def in_opening(self, sill: Vec3) -> int | None:
        """The entity nearest to the middle of an opening's lower edge, in plan and in height; None for none.

        Exits and entities may both be thousands: numpy says which come into question.
        """
        if not self._things:
            return None
        aside, along, above = (self._places - np.array(sill)).T
        offs = np.hypot(aside, along) + np.abs(above)
        found, best = None, DOOR_REACH
        for number in np.flatnonzero(offs <= min(DOOR_REACH, float(offs.min())) + ALIKE).tolist():
            thing = self._things[number]
            off = math.dist(thing.frame.origin[:2], sill[:2]) + abs(thing.frame.origin[2] - sill[2])
            if off < best:
                best, found = off, thing.object_id
        return found


def doorway_of(cell: EnvCell, portal: Portal, standing: Standing) -> Doorway | None:
    """The doorway of an exit portal; None where the opening is too small or not upright."""
    points = [cell.frame.to_global(v) for v in portal.polygon.vertices]
    normal = cell.frame.to_global_vec(portal.polygon.normal)
    flat = math.hypot(normal[0], normal[1])
    if flat < 0.5:
        return None
    # portal_side 1: the cell lies on the negative side, so the normal points out.
    sign = 1.0 if portal.portal_side == 1 else -1.0
    outward = (sign * normal[0] / flat, sign * normal[1] / flat)
    along = (-outward[1], outward[0])
    reach = [p[0] * along[0] + p[1] * along[1] for p in points]
    low = min(p[2] for p in points)
    high = max(p[2] for p in points)
    width = max(reach) - min(reach)
    if high - low < MIN_HEIGHT or width < MIN_WIDTH:
        return None
    middle = (max(reach) + min(reach)) / 2.0
    sills = [p for p in points if p[2] - low < 0.05] or points
    depth = sum(p[0] * outward[0] + p[1] * outward[1] for p in sills) / len(sills)
    sill = (outward[0] * depth + along[0] * middle, outward[1] * depth + along[1] * middle, low)
    return Doorway(
        cell_id=cell.id,
        portal_index=portal.index,
        sill=sill,
        outward=outward,
        width=width,
        height=high - low,
        door=standing.in_opening(sill),
    )


def find_doorways(block: Landblock) -> list[Doorway]:
    """All passable exit doorways of a loaded landblock, those with a door first, then by cell id."""
    standing = Standing(placed for placed in block.entities if placed.cell_id >> 16 == block.id >> 16)
    found: list[Doorway] = []
    for cell in block.env_cells.values():
        for portal in cell.portals:
            if portal.is_exit:
                doorway = doorway_of(cell, portal, standing)
                if doorway is not None:
                    found.append(doorway)
    return sorted(found, key=lambda d: (d.door is None, d.cell_id, d.portal_index))
