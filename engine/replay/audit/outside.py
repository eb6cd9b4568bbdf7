"""Buildings: walls, openings and doors within the landcell of the origin (dat-format 5.5)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.objects.world_objects import WorldObjects
from engine.replay.audit.box_tree import BoxTree
from engine.replay.audit.finding import BEYOND_LANDCELL, Finding, place
from engine.replay.audit.shape import Shells, mean
from engine.world.cells import Building, Landblock
from engine.world.ids import CELL_SIDE, rebase
from engine.world.loading.world import World

TOLERANCE = 0.01
DOOR_REACH = 2.0


def building_findings(world: World, block: Landblock) -> Iterator[Finding]:
    """What of a landblock's buildings stands beyond their landcells, where nobody meets it."""
    shells = Shells()
    for building in block.buildings:
        what = f"building {building.index} of {hex_id(building.pos.cell_id)}"
        out = farthest_out(building, shells.corners(building))
        if out is not None:  # else all that is in the box is within, too
            to_block, polygons = building.shell_frame.to_global, shells.polygons(building)
            out = farthest_out(building, [to_block(v) for p in polygons for v in p.vertices])
        if out is not None:
            yield Finding(BEYOND_LANDCELL, f"{what}: its shell reaches {place(out)}")
        for portal in building.portals:
            corners = () if portal.polygon is None else portal.polygon.vertices
            out = farthest_out(building, [building.pos.frame.to_global(v) for v in corners])
            if out is not None:
                yield Finding(BEYOND_LANDCELL, f"{what}: its opening {portal.index} reaches {place(out)}")
    if block.buildings and block.entities:
        yield from _door_findings(world, block)


def farthest_out(building: Building, points: Iterable[Vec3]) -> Vec3 | None:
    """The point farthest beyond the landcell of a building's origin, None where all lie within (1 cm)."""
    x, y, _ = building.pos.frame.origin
    cx, cy = (math.floor(c / CELL_SIDE) * CELL_SIDE + CELL_SIDE / 2 for c in (x, y))
    worst, point = CELL_SIDE / 2 + TOLERANCE, None
    for p in points:
        off = max(abs(p[0] - cx), abs(p[1] - cy))
        if off > worst:
            worst, point = off, p
    return point


def _door_findings(world: World, block: Landblock) -> Iterator[Finding]:
    objects, openings = WorldObjects(world, lambda _: False), Openings(block.buildings)
    try:
        for door in objects.doors.values():
            target = door.target
            stands = rebase(target.position.frame.origin, target.position.cell_id, block.id)
            building = openings.building_at(stands)
            if building is None:
                continue
            corners = [
                rebase(corner, target.position.cell_id, block.id)
                for box in target.part_boxes()
                for corner in box.corners
            ]
            out = farthest_out(building, corners)
            if out is not None:
                yield Finding(
                    BEYOND_LANDCELL,
                    f"building {building.index} of {hex_id(building.pos.cell_id)}: its door "
                    f"{hex_id(door.entity_id)} reaches {place(out)}",
                )
    finally:
        objects.close()


class Openings:
    """The middles of a landblock's openings by where they are, in its frame: whose is nearest to a place."""

    def __init__(self, buildings: Iterable[Building]) -> None:
        self._of: list[tuple[Vec3, Building]] = []
        for building in buildings:
            for portal in building.portals:
                if portal.polygon is not None and portal.polygon.vertices:
                    middle = building.pos.frame.to_global(mean(portal.polygon.vertices))
                    self._of.append((middle, building))
        self._tree = BoxTree([(middle, middle) for middle, _ in self._of])

    def building_at(self, point: Vec3) -> Building | None:
        """The building in whose opening a door at this place stands: the nearest within two metres."""
        nearest, found = DOOR_REACH, None
        for index in self._tree.near((point, point), DOOR_REACH):
            middle, building = self._of[index]
            if math.dist(middle, point) < nearest:
                nearest, found = math.dist(middle, point), building
        return found
