"""Two cells that overlap: only the way there tells which of them a place in both belongs to."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from engine.dat.values import Vec3
from engine.physics.membership.cell_list import point_in_cell
from engine.physics.simulation.simulation import Simulation
from engine.replay.scenarios.portal_pairs import upright_pairs, way_through
from engine.replay.scenarios.scenario import StagingError
from engine.replay.scenarios.stage import WALK, Stage, put
from engine.world.cells import EnvCell, Portal

OVERLAP = 0.6  # metres that the second cell is pushed into the first
RUN_UP = 1.2
PLACES_AT_LEAST = 4
TRIES = 20


@dataclass(slots=True)
class OverlapWalk:
    """A walk through the overlap and back: ticks that ended in both cells, those in the wrong one."""

    first: int
    second: int
    going: int = 0
    returning: int = 0
    wrong: int = 0


def walk_through_overlap(stage: Stage) -> OverlapWalk:
    """Walk from a cell into one pushed over it, and back; each is kept for as long as it holds the centre.

    StagingError where no pair of cells gives room for that, in a world that has all that is needed; in any
    other a walk without a tick.
    """
    for number in range(TRIES):
        simulation = stage.simulation()
        pair = None
        with suppress(StagingError):
            pair = next(islice(upright_pairs(stage, simulation), number, None), None)
        if pair is None:
            break
        a, portal, b = pair
        into, _ = way_through(a, portal)
        pushed = _pushed(simulation, b, (-into[0] * OVERLAP, -into[1] * OVERLAP, 0.0))
        with suppress(StagingError):
            found = _walk(simulation, a, portal, pushed)
            if min(found.going, found.returning) >= PLACES_AT_LEAST:
                return found
    if stage.places:
        raise StagingError("no two cells can be made to overlap here so that one walks through both")
    return OverlapWalk(0, 0)


def _walk(simulation: Simulation, a: EnvCell, portal: Portal, b: EnvCell) -> OverlapWalk:
    into, (x, y, z) = way_through(a, portal)
    found = OverlapWalk(a.id, b.id)
    start = (x - into[0] * RUN_UP, y - into[1] * RUN_UP, z + 0.005)
    if put(simulation, a.id, start).cell != a.id:
        raise StagingError("there is no room before the opening")
    ticks = math.ceil((RUN_UP + 0.4) / WALK)
    for sign, kept in ((1.0, a), (-1.0, b)):
        for _ in range(ticks):
            simulation.walk_tick((sign * into[0] * WALK, sign * into[1] * WALK, 0.0))
            if _in_both(simulation, a, b):
                found.wrong += simulation.body.cell is not kept
                if kept is a:
                    found.going += 1
                else:
                    found.returning += 1
    return found


def _in_both(simulation: Simulation, a: EnvCell, b: EnvCell) -> bool:
    """Whether the foot sphere's centre is in two cells of its block, 1 cm from the planes of either."""
    x, y, z = simulation.position.frame.to_global(simulation.body.movement_spheres[0].center)
    around = ((x + dx, y + dy, z) for dx in (-0.01, 0.01) for dy in (-0.01, 0.01))
    return all(point_in_cell(cell, *p) for p in around for cell in (a, b))


def _pushed(simulation: Simulation, cell: EnvCell, by: Vec3) -> EnvCell:
    """Put a cell's like into its place, moved; what stands in it stays where it was."""
    x, y, z = cell.frame.origin
    frame = cell.frame.with_origin((x + by[0], y + by[1], z + by[2]))
    pushed = EnvCell(
        cell.id,
        frame,
        cell.structure,
        cell.portals,
        stab_list=cell.stab_list,
        seen_outside=cell.seen_outside,
        surfaces=cell.surfaces,
    )
    pushed.shadow_objects = cell.shadow_objects
    pushed.water_type = cell.water_type
    simulation.world.blocks[cell.id & 0xFFFF0000].env_cells[cell.id] = pushed
    return pushed
