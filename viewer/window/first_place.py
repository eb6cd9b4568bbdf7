"""The first minute: where a walk begins that has something to look at, and what is said of its world."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

from engine.dat.container.installation import CLIENT_NAMES
from engine.dat.object_types import DatKind
from engine.dat.values import Vec3
from engine.world.cells import EnvCell, Landblock
from engine.world.frame import Frame, Position, quat_of_heading
from engine.world.ids import adjust_to_outside, block_of
from engine.world.loading.world import World
from engine.world.location import format_location
from engine.world.sources.dats import DatsSource
from engine.world.sources.dump_inventory import inventory
from engine.world.sources.dumps import DumpsSource
from engine.world.terrain import terrain_height

DEMO: Final = "This is the demo world. For your own dats drop their folder here, or see the panel Settings."
LEAST: Final = 1e-6
AWAY: Final = (9.0, 6.0, 4.0, 2.5)  # metres before the door, the first that is on the ground


def front_of_house(world: World) -> str:
    """Where the house of a folder of dumps is seen best, as the game prints it.

    On the ground before the exit, where a building shows its inside from there; else in its first room,
    facing the next one where there is one. Empty for other worlds, which say themselves where they begin.
    """
    source = world.source
    if not isinstance(source, DumpsSource) or source.has_home:
        return ""
    middle = world.locate(source.home())
    cell = world.get_visible(middle.cell_id)
    if not isinstance(cell, EnvCell):
        return ""
    block = world.blocks[block_of(cell.id)]
    openings = [portal for building in block.buildings for portal in building.portals]
    shows_inside = any(opening.other_cell_id == cell.id for opening in openings)
    before = _before(cell, middle, block) if shows_inside else ""
    return before or _inside(cell, middle) or source.home()


def _before(cell: EnvCell, middle: Position, block: Landblock) -> str:
    """A place on the ground before one of a cell's exits; empty where there is no ground."""
    x, y, _ = middle.frame.origin
    for portal in cell.portals:
        px, py, _ = cell.frame.to_global(portal.center)
        way = math.hypot(px - x, py - y)
        if not portal.is_exit or way < LEAST:
            continue  # a hatch over the middle: nothing to stand before
        east, north = (px - x) / way, (py - y) / way
        for away in AWAY:
            fx, fy = px + away * east, py + away * north
            height = terrain_height(block, fx, fy)
            if height is not None:
                cell_id, origin = adjust_to_outside(cell.id | 0xFFFF, (fx, fy, height))
                return _looking(cell_id, origin, -east, -north)
    return ""


def _inside(cell: EnvCell, middle: Position) -> str:
    """The middle of a cell, facing the first opening to another one."""
    x, y, _ = middle.frame.origin
    for portal in cell.portals:
        px, py, _ = cell.frame.to_global(portal.center)
        if not portal.is_exit and math.hypot(px - x, py - y) >= LEAST:
            return _looking(cell.id, middle.frame.origin, px - x, py - y)
    return ""


def _looking(cell_id: int, origin: Vec3, east: float, north: float) -> str:
    heading = quat_of_heading(math.degrees(math.atan2(east, north)))
    return format_location(Position(cell_id, Frame(origin, heading)))


def told_of_world(world: World) -> tuple[str, ...]:
    """What the card of the first minute says of a world: what was found, what is missing, how to go on."""
    source = world.source
    if isinstance(source, DumpsSource):
        return inventory(source).lines
    if source.name == "demo":
        return (DEMO,)
    if isinstance(source, DatsSource):
        found = ", ".join(Path(file.name).name for file in source.files.files())
        missing = [] if source.files.highres else [f"{CLIENT_NAMES[DatKind.HIGHRES]} (finer textures)"]
        if not source.scene().objects:
            missing.append("doors, which no dat holds: --scene or --spawns brings them")
        return (f"found: {found}", f"missing: {'; '.join(missing) or 'nothing'}")
    return ()
