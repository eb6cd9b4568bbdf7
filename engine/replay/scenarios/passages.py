"""Going fast through every opening of a landblock: running, jumping and falling, tick by tick."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

from engine.dat.values import Vec3
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.replay.scenarios.chosen import evenly
from engine.replay.scenarios.portal_pairs import has_way_through
from engine.replay.scenarios.scenario import StagingError
from engine.replay.scenarios.stage import open_door, put
from engine.world.cells import EnvCell, Landblock, Portal
from engine.world.frame import Frame, Position
from engine.world.ids import adjust_to_outside

RUN_SKILLS = (200.0, 800.0)
RUN_UPS = (1.3, 0.9, 0.55)  # metres before the opening; the longest for which there is room
SLOPES = (0.0, 0.7)  # of the floor before it: level, or a stair that one comes down
OPENINGS_AT_MOST = 200  # of a landblock
STRAIGHT = 0.05  # metres from where one was to be put: before thin cells that is in the cell before
PUSHED = 0.5  # metres that a step may push aside who is put down
LEVEL = 0.7  # of a normal's z: openings that lie flatter are fallen through
FALL = 14.0  # m/s, what a fall of ten metres comes to
TICKS = 14
RUN = MovementInput(forward=1, run=True)
JUMP = MovementInput(forward=1, run=True, jump=0.3)


@dataclass(frozen=True, slots=True)
class Passage:
    """A tick whose way led from cell to cell: how it was gone, the opening, the heading in degrees."""

    how: str
    cell_id: int
    portal: int
    heading: float


def passages(simulation: Simulation, block: Landblock) -> Iterator[Passage]:
    """Go through every opening of a landblock, doors open; yields after the tick that passed it.

    Openings are gone through out of their cell, and through exits into it as well. Those that can't be
    passed, windows and the like, yield nothing.
    """
    for door in simulation.doors:
        open_door(simulation, door)
    settings = simulation.mover
    openings = [(c, p) for c in block.env_cells.values() for p in c.portals if p.polygon.vertices]
    for cell, portal in evenly(openings, OPENINGS_AT_MOST, "openings").things:
        _, out = _opening(cell, portal)
        if abs(out[2]) > LEVEL:
            yield from _throw(simulation, cell, portal, "falling" if out[2] < 0.0 else "thrown up")
            continue
        if not has_way_through(cell, portal):
            continue  # its corners lie in one line
        for inward in (False, True) if portal.is_exit else (False,):
            for skill in RUN_SKILLS:
                simulation.mover = settings._replace(run_skill=skill)
                for how, first in ((f"running {skill:.0f}", RUN), (f"jumping {skill:.0f}", JUMP)):
                    yield from _run(simulation, cell, portal, inward=inward, how=how, first=first)
    simulation.mover = settings


def _run(
    simulation: Simulation, cell: EnvCell, portal: Portal, *, inward: bool, how: str, first: MovementInput
) -> Iterator[Passage]:
    (x, y, z), (nx, ny, _) = _opening(cell, portal)
    flat = math.hypot(nx, ny) * (-1.0 if inward else 1.0)
    ax, ay = nx / flat, ny / flat
    heading = math.degrees(math.atan2(ax, ay)) % 360.0
    for back, steep in itertools.product(RUN_UPS, SLOPES):
        start = (x - ax * back, y - ay * back, z + 0.02 + steep * back)
        where = adjust_to_outside(cell.id, start)[0] if inward else cell.id
        try:
            there = put(simulation, where, start, heading)
        except StagingError:
            continue
        aside = math.dist(there.position[:2], start[:2])
        if aside < STRAIGHT or (there.cell == where and aside < PUSHED):
            break
    else:
        return
    keys = first
    for _ in range(TICKS):
        simulation.input_tick(keys)
        if _changes_cell(simulation):
            yield Passage(how, cell.id, portal.index, heading)
            return
        keys = RUN


def _throw(simulation: Simulation, cell: EnvCell, portal: Portal, how: str) -> Iterator[Passage]:
    """Down through the middle of a level opening at the speed of a long fall, or up."""
    (x, y, z), (nx, ny, nz) = _opening(cell, portal)
    z -= simulation.body.spheres[0].center[2]
    for back in RUN_UPS:
        start = (x - nx * back, y - ny * back, z - nz * back)
        try:
            simulation.hover(Position(cell.id, Frame(start)))
        except SimulationError:
            continue
        simulation.launch((nx * FALL, ny * FALL, nz * FALL))
        for _ in range(TICKS):
            simulation.walk_tick()
            if _changes_cell(simulation):
                yield Passage(how, cell.id, portal.index, 0.0)
                return


def _changes_cell(simulation: Simulation) -> bool:
    """Whether the last tick's way led from one cell into another."""
    way = simulation.way
    return not way.at_rest and len({cell for cell, _ in way.knots}) > 1


def _opening(cell: EnvCell, portal: Portal) -> tuple[Vec3, Vec3]:
    """The middle of an opening's lower edge (of all of it where it lies level) and the way out."""
    points = [cell.frame.to_global(v) for v in portal.polygon.vertices]
    n = len(points)
    sign = 1.0 if portal.portal_side == 1 else -1.0
    x, y, z = cell.frame.to_global_vec(portal.polygon.normal)
    out = (x * sign, y * sign, z * sign)
    heights = [p[2] for p in points]
    height = sum(heights) / n if abs(out[2]) > LEVEL else min(heights)
    return (sum(p[0] for p in points) / n, sum(p[1] for p in points) / n, height), out
