"""Scenarios of what is solid: walls, furniture, the ways up and down (sweep 3, collision 5, 6)."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.enums import HitKind
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.objects.shadow_shape import ShapeType
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport
from engine.replay.doorways import Doorway
from engine.replay.scenarios.chosen import evenly
from engine.replay.scenarios.portal_pairs import has_way_through, joined_by_portals, way_through
from engine.replay.scenarios.scenario import Outcome, Scenario, StagingError
from engine.replay.scenarios.stage import (
    WALK,
    Stage,
    changes,
    far_from,
    hexed,
    put,
    rounded,
    walk,
    walk_to,
)
from engine.world.cells import EnvCell, Portal
from engine.world.ids import is_outdoor

CELLAR_WAY = ("cottage hatch lip", "cottage cellar")
STAIR_WAY = ("cottage stair foot", "cottage stair top")
LOW_TOP = 0.75
PORTALS_AT_MOST = 12  # of a vestibule
PIECES_AT_MOST = 500  # of furniture


@dataclass(slots=True)
class FurnitureCount:
    """What became of the walks at all pieces of one model."""

    family: str
    pieces: int = 0
    walks: int = 0
    stopped: int = 0
    ticks_inside: int = 0


def neighbour_wall(stage: Stage) -> Outcome:
    """Standing in a vestibule, the body is stopped by a wall that belongs to the cell behind its portal."""
    simulation = stage.simulation()
    found: dict[str, object] = {}
    crossed = 0
    left_out = ""
    doors = stage.doors(simulation)
    for doorway in doors.things:
        vestibule = simulation.world.env_cell(doorway.cell_id)
        assert vestibule is not None
        portals = evenly(vestibule.portals, PORTALS_AT_MOST, f"portals of {hex_id(vestibule.id)}")
        left_out = left_out or portals.note  # of the first: it tells that these are not all
        for portal in portals.things:
            other = None if portal.is_exit else simulation.world.env_cell(portal.other_cell_id)
            if other is None or not has_way_through(vestibule, portal):
                continue
            for side in (-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9):
                ticks = _push_at_portal(simulation, doorway, vestibule, portal, side=side)
                stopped = [t for t in ticks if _stopped_by(t, vestibule.id, other.id)]
                if not stopped:
                    continue
                hit = next(h for h in stopped[0].hits if h.owner == other.id)
                where = f"{hex_id(vestibule.id)} at {side:+.1f} m"
                found[where] = {"hit": hex_id(hit.owner), "poly": hit.poly, "normal": _short(hit.normal)}
                crossed += ticks[-1].cell != vestibule.id
    missing = "no wall of a neighbour can be reached from a vestibule here"
    ok = crossed == 0 and stage.enough(bool(found), missing)
    return Outcome(
        ok,
        {"stopped": found, "got_past": crossed},
        f"{len(found)} pushes in a vestibule were stopped by a polygon of the neighbour"
        f"{doors.note}{left_out}",
    )


def furniture_blocks(stage: Stage) -> Outcome:
    """Furniture stops a walker from every side that can be reached; the demo has boxes and cylinders."""
    simulation = stage.simulation()
    by_model: dict[int, FurnitureCount] = {}
    things = [thing for thing in simulation.registry.objects.values() if _is_furniture(simulation, thing)]
    chosen = evenly(things, PIECES_AT_MOST, "pieces")
    for thing in chosen.things:
        walks = [ticks for i in range(8) if (ticks := _approach(simulation, thing, 45.0 * i))]
        if not walks:
            continue
        count = by_model.setdefault(thing.model_id, FurnitureCount(thing.family[0].kind.name))
        count.pieces += 1
        count.walks += len(walks)
        count.stopped += sum(
            any(h.owner == thing.entity_id for t in ticks for h in t.hits) for ticks in walks
        )
        count.ticks_inside += sum(_stands_inside(simulation, thing, t) for ticks in walks for t in ticks)
    if not by_model:
        raise StagingError("no furniture stands where a body could walk at it")
    families = {count.family for count in by_model.values()}
    ok = all(c.stopped > 0 and c.ticks_inside == 0 for c in by_model.values())
    ok = ok and (not stage.places or {"BSP", "CYLINDER"} <= families)
    pieces = sum(count.pieces for count in by_model.values())
    return Outcome(
        ok,
        {hex_id(model): asdict(count) for model, count in by_model.items()},
        f"{pieces} pieces of {len(by_model)} kinds ({', '.join(sorted(families))}) walked at, all stop: {ok}"
        f"{chosen.note}",
    )


def cellar(stage: Stage) -> Outcome:
    """Down through the hatch over the steep ramp into the cellar, and up again, in contact all the way."""
    return _down_and_up(stage, *CELLAR_WAY)


def stair(stage: Stage) -> Outcome:
    """Up the stair whose flight crosses a cell border, and down again, in contact all the way."""
    return _down_and_up(stage, *STAIR_WAY)


def _push_at_portal(
    simulation: Simulation, doorway: Doorway, cell: EnvCell, portal: Portal, *, side: float
) -> list[TickReport]:
    """Walk from the vestibule's middle through a portal, ``side`` metres off its middle."""
    out, sill = way_through(cell, portal)
    x = sill[0] - out[0] * 0.5 + out[1] * side
    y = sill[1] - out[1] * 0.5 - out[0] * side
    try:
        put(simulation, cell.id, (x, y, doorway.sill[2] + 0.02))
    except StagingError:
        return []
    if simulation.report().cell != cell.id:
        return []
    return walk(simulation, (out[0] * WALK, out[1] * WALK, 0.0), 30)


def _stopped_by(tick: TickReport, cell_id: int, other: int) -> bool:
    return (
        tick.cell == cell_id
        and tick.collided
        and any(h.kind is HitKind.CELL and h.owner == other for h in tick.hits)
    )


def _is_furniture(simulation: Simulation, thing: PhysicsObject) -> bool:
    """A static of an interior cell that collides, stands on the floor and is too high to be climbed."""
    if not thing.is_static or is_outdoor(thing.position.cell_id) or not thing.family:
        return False
    cell = simulation.world.env_cell(thing.position.cell_id)
    low, high = _extent(thing)
    floor = thing.position.frame.origin[2]
    width = max(high[0] - low[0], high[1] - low[1])
    return cell is not None and low[2] < floor + 0.3 and high[2] - floor >= LOW_TOP and width < 2.2


def _extent(thing: PhysicsObject) -> tuple[Vec3, Vec3]:
    """The block-frame box around an object's colliding shapes, metres."""
    points: list[Vec3] = []
    for shape, pose in zip(thing.family, thing.poses, strict=True):
        if shape.kind is ShapeType.BSP and shape.part is not None:
            (x0, y0, z0), (x1, y1, z1) = shape.part.box
            corners = [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)]
            points += [
                pose.frame.to_global((x * shape.scale, y * shape.scale, z * shape.scale))
                for x, y, z in corners
            ]
        else:
            x, y, z = pose.frame.origin
            r = shape.radius
            points += [(x - r, y - r, z), (x + r, y + r, z + shape.cyl_height)]
    low = (min(p[0] for p in points), min(p[1] for p in points), min(p[2] for p in points))
    high = (max(p[0] for p in points), max(p[1] for p in points), max(p[2] for p in points))
    return low, high


def _approach(simulation: Simulation, thing: PhysicsObject, heading: float) -> list[TickReport]:
    """Walk at an object's middle from a place 0.7 m before its bounds, if a body fits there."""
    (x0, y0, _), (x1, y1, _) = _extent(thing)
    reach = math.hypot(x1 - x0, y1 - y0) / 2 + 0.7
    cx, cy, cz = (x0 + x1) / 2, (y0 + y1) / 2, thing.position.frame.origin[2]
    a = math.radians(heading)
    start = (cx - math.sin(a) * reach, cy - math.cos(a) * reach, cz + 0.02)
    try:
        first = put(simulation, thing.position.cell_id, start, heading)
    except StagingError:
        return []
    if math.dist(first.position[:2], start[:2]) > 0.01 or abs(first.position[2] - cz) > 0.05:
        return []
    return walk(simulation, (math.sin(a) * WALK, math.cos(a) * WALK, 0.0), math.ceil(2 * reach / WALK))


def _stands_inside(simulation: Simulation, thing: PhysicsObject, tick: TickReport) -> bool:
    """Whether the axis of the body is inside an object's shape at the height of the foot sphere."""
    x, y, z = tick.position
    z += simulation.body.spheres[0].center[2]
    for shape, pose in zip(thing.family, thing.poses, strict=True):
        px, py, pz = pose.frame.to_local((x, y, z))
        if shape.kind is ShapeType.BSP and shape.part is not None:
            low, high = shape.part.box
            if all(a < p / shape.scale < b for a, p, b in zip(low, (px, py, pz), high, strict=True)):
                return True
        elif math.hypot(px, py) < shape.radius and 0.0 < pz < shape.cyl_height:
            return True
    return False


def _down_and_up(stage: Stage, first: str, last: str) -> Outcome:
    """Walk from one place to another and back, watching every tick's contact, the cells and both ends."""
    simulation = stage.simulation()
    start, end = stage.place(first), stage.place(last)
    before = put(simulation, start.cell_id, start.frame.origin, start.frame.heading())
    there = walk_to(simulation, end)
    missed_end = far_from(simulation, end)
    middle = simulation.report()
    back = walk_to(simulation, start)
    missed_start = far_from(simulation, start)
    after = simulation.report()
    ticks = [*there, *back]
    path_there = changes(there, before.cell)
    path_back = changes(back, middle.cell)
    off_ground = sum(not t.on_ground for t in ticks)
    climbed = middle.position[2] - before.position[2]
    wanted = end.frame.origin[2] - start.frame.origin[2]
    ok = (
        missed_end < 0.2 and missed_start < 0.2 and off_ground == 0 and abs(climbed - wanted) < 0.05
        and abs(after.position[2] - before.position[2]) < 0.02 and middle.cell == end.cell_id
        and after.cell == before.cell and path_back == path_there[::-1] and len(path_there) >= 3
        and joined_by_portals(simulation, path_there)
    )  # fmt: skip
    return Outcome(
        ok,
        {"cells": hexed(path_there), "cells_back": hexed(path_back), "ticks": len(ticks),
         "ticks_off_ground": off_ground, "height_m": rounded(climbed), "expected_height_m": rounded(wanted),
         "height_left_m": rounded(after.position[2] - before.position[2])},
        f"{climbed:+.2f} m through {len(path_there)} cells and back, {off_ground} ticks off the ground",
    )  # fmt: skip


def _short(v: Vec3) -> list[float]:
    return [rounded(c) for c in v]


SOLID_SCENARIOS: tuple[Scenario[Stage], ...] = (
    Scenario("neighbour-wall-blocks-in-vestibule", "other cells' walls block too", neighbour_wall),
    Scenario("furniture-blocks", "furniture blocks", furniture_blocks),
    Scenario("cellar-down-and-up", "down the ramp and up again", cellar),
    Scenario("stair-up-and-down", "up the stair and down again", stair),
)
