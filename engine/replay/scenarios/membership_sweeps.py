"""Scenarios of membership inside a sweep: reset, pick, what is asked (sweep 3.9, membership 7.1, 7.6)."""

from __future__ import annotations

import math
from contextlib import suppress
from itertools import islice

from engine.collision.cell_tree import point_inside_cell_bsp
from engine.collision.moving_sphere import MovingSphere
from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.enums import COLLIDED
from engine.physics.membership.cell_array import CellArray
from engine.physics.membership.cell_list import build_cell_list, pick_current_cell, point_in_cell
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import static_lookup
from engine.physics.simulation.sweep import make_sweep
from engine.physics.simulation.tick_report import TickReport
from engine.physics.transition.driver import validate_transition
from engine.physics.transition.insertion import (
    find_visible_child_cell,
    keeps_portalless_cell,
    transitional_insert,
)
from engine.physics.transition.placement import adjust_position
from engine.physics.transition.trace import SubStep
from engine.replay.scenarios.call_count import countable, counting_calls
from engine.replay.scenarios.overlap import walk_through_overlap
from engine.replay.scenarios.portal_pairs import upright_pairs, way_through
from engine.replay.scenarios.props import slab_model
from engine.replay.scenarios.scenario import MissingMeansError, Outcome, Scenario, StagingError
from engine.replay.scenarios.stage import WALK, Stage, open_door, put, put_at_door
from engine.world.cells import EnvCell, Portal
from engine.world.frame import Frame, Position, quat_of_heading
from engine.world.ids import adjust_to_outside, is_outdoor
from engine.world.terrain import find_terrain_poly

START = 1.6
FEET = 0.005
SLAB = 0x7FFF0001
STRIDE = 0.13
PAIRS_AT_MOST = 2000  # that are tried


def pushed_back(stage: Stage) -> Outcome:
    """Pushed back from 8 cm inside the next cell, the body keeps its cell and its place (membership 7.6)."""
    simulation = stage.simulation()
    a, portal, b = _free_pair(stage, simulation)
    into, at = way_through(a, portal)
    put(simulation, a.id, _before_sill(a, portal))
    body = simulation.body
    before = body.position
    beyond = (at[0] + into[0] * 0.08, at[1] + into[1] * 0.08, before.frame.origin[2])
    # (a) the candidate is 8 cm inside B when the sub-step turns out blocked.
    t = make_sweep(simulation.world, body, Position(before.cell_id, before.frame.with_origin(beyond)))
    t.sphere_path.set_check_pos(Position(b.id, before.frame.with_origin(beyond)), b)
    validate_transition(t, COLLIDED)
    path = t.sphere_path
    kept = path.curr_cell is a and path.check_cell is a
    restored = path.check_pos.frame.origin == before.frame.origin
    # (b) a slab inside B that the foot sphere meets on its way there.
    heading = math.degrees(math.atan2(into[0], into[1]))
    radius = body.spheres[0].radius
    gap = 0.08 + radius - 0.01
    stand = Frame((at[0] + into[0] * gap, at[1] + into[1] * gap, at[2]), quat_of_heading(heading))
    simulation.registry.register(PhysicsObject(SLAB, slab_model(), Position(b.id, stand), state=0x10008))
    simulation.trace = True
    tick = simulation.walk_tick((into[0] * STRIDE, into[1] * STRIDE, 0.0))
    listed = {c.cell_id for s in _steps(tick) for p in s.picks for c in p.candidates}
    hit = any(h.owner == SLAB for h in tick.hits)
    stayed = tick.position == before.frame.origin and tick.cell == a.id
    ok = kept and restored and stayed and hit and b.id in listed
    return Outcome(
        ok,
        {"from": hex_id(a.id), "into": hex_id(b.id), "validate_keeps_cell": kept,
         "validate_restores_position": restored, "slab_keeps_place": stayed, "slab_hit": hit,
         "neighbour_listed_as_candidate": b.id in listed},
        f"blocked 8 cm inside {hex_id(b.id)}, still in {hex_id(tick.cell)} where it stood",
    )  # fmt: skip


def _free_pair(stage: Stage, simulation: Simulation) -> tuple[EnvCell, Portal, EnvCell]:
    """Two cells between which a body can step over the sill: nothing else is in its way there."""
    for a, portal, b in islice(upright_pairs(stage, simulation), PAIRS_AT_MOST):
        into, _ = way_through(a, portal)
        start = _before_sill(a, portal)
        with suppress(StagingError):
            first = put(simulation, a.id, start)
            if first.cell != a.id or math.dist(first.position[:2], start[:2]) > 0.001:
                continue
            tick = simulation.walk_tick((into[0] * STRIDE, into[1] * STRIDE, 0.0))
            if tick.cell == b.id and not tick.hits:
                return a, portal, b
    raise StagingError("every upright opening between two cells is obstructed here")


def _before_sill(cell: EnvCell, portal: Portal) -> Vec3:
    """5 cm before the middle of an opening's sill, seen from a cell."""
    into, at = way_through(cell, portal)
    return (at[0] - into[0] * 0.05, at[1] - into[1] * 0.05, at[2] + FEET)


def interior_wins(stage: Stage) -> Outcome:
    """Where a landcell and an interior cell both hold the centre, the interior one is picked."""
    simulation = stage.simulation()
    world = simulation.world
    checked = wrong = unflagged = 0
    doors = stage.doors(simulation)
    for doorway in doors.things:
        put_at_door(simulation, doorway, START)
        for out in (-0.3, -0.5, -0.7):
            feet = doorway.point(out)
            land_id, feet = adjust_to_outside(doorway.cell_id, feet)
            spheres = _spheres_at(simulation, feet)
            center = (spheres[0].x, spheres[0].y, spheres[0].z)
            array = CellArray()
            picked = build_cell_list(world, land_id, spheres, array, want_current=True)
            land = world.land_cell(land_id)
            vestibule = world.env_cell(doorway.cell_id)
            if land is None or vestibule is None or vestibule.id not in array.ids:
                continue
            if not (point_in_cell(land, *center) and point_in_cell(vestibule, *center)):
                continue
            checked += 1
            wrong += picked is not vestibule
            unflagged += not array.hits_interior_cell
    ok = checked > 0 and wrong == 0 and unflagged == 0
    return Outcome(
        ok,
        {"places_in_both": checked, "landcell_picked": wrong, "hits_interior_cell_missing": unflagged},
        f"{checked} places lie in a landcell and an interior cell, {wrong} times the landcell won"
        f"{doors.note}",
    )


def no_static_lookup(stage: Stage) -> Outcome:
    """No tick looks a cell up by position; every indoor sweep asks the current cell's own tree.

    Only a sub-step, while it tries a place, asks which of the cells around holds it. What is asked beside
    that is a look-up, whoever asks; and one that asks nothing known can't know, where two cells overlap,
    which of them a body came from.
    """
    never = (static_lookup, adjust_position, find_visible_child_cell)
    in_a_sub_step = (
        pick_current_cell, point_in_cell, point_inside_cell_bsp, keeps_portalless_cell, adjust_to_outside,
        find_terrain_poly,
    )  # fmt: skip
    asked = (*never, *in_a_sub_step)
    if not countable([*asked, transitional_insert]):
        raise MissingMeansError("the physics is compiled: calls can't be counted")
    simulation = stage.simulation()
    doorway, door = stage.front_door(simulation)
    open_door(simulation, door)
    put_at_door(simulation, doorway, START)
    simulation.trace = True
    indoor = unasked = lookups = ticks = 0
    for start in (START, -START):
        for _ in range(math.ceil(2 * START / WALK)):
            before = simulation.report().cell
            with counting_calls(*asked, within=transitional_insert) as count:
                tick = simulation.walk_tick(doorway.inward(math.copysign(WALK, start)))
            ticks += 1
            lookups += sum(count.of(f) for f in never)
            lookups += sum(count.outside.get(f.__qualname__, 0) for f in in_a_sub_step)
            if not is_outdoor(before) and tick.trace is not None:
                indoor += 1
                own = simulation.world.env_cell(before)
                assert own is not None
                trees = count.arguments_of(point_inside_cell_bsp)
                unasked += not any(tree is own.block_planes for tree in trees)
    overlap = walk_through_overlap(stage)
    in_both = overlap.going + overlap.returning
    ok = lookups == 0 and unasked == 0 and indoor > 10 and overlap.wrong == 0
    return Outcome(
        ok,
        {"ticks": ticks, "static_lookups": lookups, "indoor_sweeps": indoor, "own_tree_not_asked": unasked,
         "overlapping": [hex_id(overlap.first), hex_id(overlap.second)], "ticks_in_both": in_both,
         "wrong_in_both": overlap.wrong},
        f"{ticks} ticks, {lookups} look-ups by position; own tree asked in {indoor - unasked} of {indoor}; "
        f"{in_both} ticks ended in two cells at once, {overlap.wrong} of them in the one not come from",
    )  # fmt: skip


def _spheres_at(simulation: Simulation, feet: Vec3) -> list[MovingSphere]:
    x, y, z = feet
    return [
        MovingSphere(x + s.center[0], y + s.center[1], z + s.center[2], s.radius)
        for s in simulation.body.movement_spheres
    ]


def _steps(tick: TickReport) -> list[SubStep]:
    return [] if tick.trace is None else tick.trace.steps


SWEEP_SCENARIOS: tuple[Scenario[Stage], ...] = (
    Scenario("membership-pushed-back-8cm", "pushed back, the cell stays", pushed_back),
    Scenario("membership-interior-wins", "interior before landcell", interior_wins),
    Scenario("membership-no-static-lookup", "no look-up by position in a tick", no_static_lookup),
)
