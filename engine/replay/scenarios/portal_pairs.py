"""Portals as scenarios need them: upright pairs, thresholds on a path, and which ones a walk crossed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from engine.dat.values import Vec3
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport
from engine.replay.doorways import Doorway
from engine.replay.scenarios.chosen import Chosen, evenly
from engine.replay.scenarios.scenario import StagingError
from engine.replay.scenarios.stage import Stage, interior_cells
from engine.world.cells import EnvCell, Portal
from engine.world.ids import is_outdoor, rebase
from engine.world.tolerance import EPS

FOOT_CENTER = 0.475
PASSABLE_HEIGHT = 1.9
THRESHOLDS_AT_MOST = 12  # of a vestibule
FARTHEST = 30.0  # metres from the sill to a threshold; damaged corners lie anywhere


def upright_pairs(stage: Stage, simulation: Simulation) -> Iterator[tuple[EnvCell, Portal, EnvCell]]:
    """Interior cells that share an upright opening which a walker can pass."""
    found = False
    for cell in interior_cells(stage.block(simulation)):
        for portal in cell.portals:
            other = None if portal.is_exit else simulation.world.env_cell(portal.other_cell_id)
            if other is None or not has_way_through(cell, portal):
                continue
            normal = cell.frame.to_global_vec(portal.polygon.normal)
            heights = [cell.frame.to_global(v)[2] for v in portal.polygon.vertices]
            if abs(normal[2]) < 0.1 and max(heights) - min(heights) >= PASSABLE_HEIGHT:
                found = True
                yield cell, portal, other
    if not found:
        raise StagingError("no two cells share an upright opening here")


def has_way_through(cell: EnvCell, portal: Portal) -> bool:
    """Whether ``way_through`` can be told: of no hatch that lies level, of no polygon that is missing."""
    return (
        bool(portal.polygon.vertices)
        and math.hypot(*cell.frame.to_global_vec(portal.polygon.normal)[:2]) > EPS
    )


def way_through(cell: EnvCell, portal: Portal) -> tuple[tuple[float, float], Vec3]:
    """The horizontal unit vector out of a cell through a portal that has one, and its sill's middle."""
    points = [cell.frame.to_global(v) for v in portal.polygon.vertices]
    normal = cell.frame.to_global_vec(portal.polygon.normal)
    flat = math.hypot(normal[0], normal[1])
    sign = 1.0 if portal.portal_side == 1 else -1.0
    n = len(points)
    middle = (sum(p[0] for p in points) / n, sum(p[1] for p in points) / n, min(p[2] for p in points))
    return (sign * normal[0] / flat, sign * normal[1] / flat), middle


def thresholds(simulation: Simulation, doorway: Doorway) -> Chosen[float]:
    """Metres outside the sill of the exit portal and of the cell's other portals in line with it."""
    cell = simulation.world.env_cell(doorway.cell_id)
    if cell is None:
        return Chosen([], "")
    found = [0.0]
    for portal in cell.portals:
        if portal.index == doorway.portal_index or not has_way_through(cell, portal):
            continue
        out, sill = way_through(cell, portal)
        if out[0] * doorway.outward[0] + out[1] * doorway.outward[1] < -0.99:
            found.append(doorway.offset_out(sill))
    near = [out for out in found if abs(out) <= FARTHEST]
    chosen = evenly(near, THRESHOLDS_AT_MOST, "thresholds")
    if len(near) == len(found):
        return chosen
    far = f"; passed over {len(found) - len(near)} of {len(found)} thresholds: over {FARTHEST:.0f} m off"
    return Chosen(chosen.things, chosen.note + far)


def portals_crossed(simulation: Simulation, ticks: Sequence[TickReport]) -> int:
    """How many openings the foot sphere's centre passed, counted by geometry alone: each polygon once."""
    world = simulation.world
    crossed = 0
    for a, b in itertools.pairwise(ticks):
        home = b.cell
        start, end = rebase(a.position, a.cell, home), b.position
        p = (start[0], start[1], start[2] + FOOT_CENTER)
        q = (end[0], end[1], end[2] + FOOT_CENTER)
        seen: set[tuple[int, ...]] = set()
        for block in world.blocks.values():
            for cell in block.env_cells.values():
                if cell.id >> 16 != home >> 16:
                    continue
                for portal in cell.portals:
                    key = tuple(sorted((cell.id, portal.other_cell_id)))
                    if key not in seen and segment_passes(cell, portal, p, q):
                        seen.add(key)
        crossed += len(seen)
    return crossed


def segment_passes(cell: EnvCell, portal: Portal, p: Vec3, q: Vec3) -> bool:
    """Whether a segment of the block frame passes through a portal's polygon."""
    a, b = cell.frame.to_local(p), cell.frame.to_local(q)
    polygon = portal.polygon
    da, db = polygon.distance(a), polygon.distance(b)
    if (da > 0.0) == (db > 0.0):
        return False
    t = da / (da - db)
    x, y, z = (a[i] + t * (b[i] - a[i]) for i in range(3))
    return all((x - e.px) * e.mx + (y - e.py) * e.my + (z - e.pz) * e.mz >= -1e-6 for e in polygon.edges)


def joined_by_portals(simulation: Simulation, path: Sequence[int]) -> bool:
    """Whether every two cells that follow each other share a portal, or one is outdoors."""
    for a, b in itertools.pairwise(path):
        if is_outdoor(a) and is_outdoor(b):
            continue
        inner, other = (b, a) if is_outdoor(a) else (a, b)
        cell = simulation.world.env_cell(inner)
        if cell is None:
            return False
        if is_outdoor(other):
            if not any(portal.is_exit for portal in cell.portals):
                return False
        elif not any(portal.other_cell_id == other for portal in cell.portals):
            return False
    return True
