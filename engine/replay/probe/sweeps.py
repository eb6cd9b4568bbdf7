"""The sweeps of a probe: a grid of them across a plane, from both sides, changing nothing in the world."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from engine.dat.hex_id import hex_id
from engine.dat.values import Sphere, Vec3
from engine.physics.body.body import PhysicsBody
from engine.physics.enums import OI_FREE_ROTATE, OI_PATH_CLIPPED, OI_PERFECT_CLIP, SPE_OK
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.simulation.mover import MoverSettings
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import search_order, static_lookup
from engine.physics.simulation.sweep import place, sweep
from engine.physics.transition.hit import Hit
from engine.physics.transition.insertion import keeps_portalless_cell
from engine.physics.transition.run import find_valid_position, new_transition
from engine.physics.transition.transition import Transition
from engine.replay.probe.plane import ProbePlane, probe_plane
from engine.replay.probe.probe_answer import Passage, Pin, Probe, ProbeAnswer, Side
from engine.world.frame import Frame, Position, quat_of_heading
from engine.world.ids import rebase
from engine.world.loading.world import World
from engine.world.physics_state import ETHEREAL

RADIUS = 0.1
SPACING = 0.2
STEP = 0.1
CLEARANCE = 0.1  # metres between a probe and what it is to meet, before and behind
MARGIN = 0.02  # metres that a probe keeps from the opening's edges: sill and jambs are none of its business
MOVED = 0.05  # metres: a body that was put down farther off had no room where it was to stand
STILL = 1e-3
MOST_STEPS = 500_000  # of all sweeps together, some ten seconds of work
FEW_SHAPES = 50  # in a cell: what they take is in a step's time
SHAPES_OF_A_STEP = 8  # so many more take a step's time again
PROBE_ID = 0x50FFFFFF
CLIPPED_FLAGS = OI_PATH_CLIPPED | OI_FREE_ROTATE | OI_PERFECT_CLIP


def probe(
    simulation: Simulation, entity: int, spacing: float = SPACING, radius: float = RADIUS
) -> ProbeAnswer:
    """Sweep the mover and a small sphere across the opening that an object stands in, or its own broad side.

    The object is met as it is now; nothing in the simulation changes. ``spacing`` and ``radius`` are metres.
    Raises ValueError with one line for an object that is not there, that nothing of collides, or that is so
    large, or among so many, that the sweeps would take longer than MOST_STEPS of them.
    """
    target = simulation.registry.get(entity)
    if target is None:
        raise ValueError(f"there is no entity {hex_id(entity)} in this world")
    plane = probe_plane(simulation.world, target)
    steps = _steps(plane, spacing=spacing, radius=radius, reach=_reach(simulation.mover))
    cells = {*target.cell_ids, plane.front, plane.back}
    shapes = max(len(simulation.registry.rows_in(cell_id)) for cell_id in cells)
    crowd = max(0, shapes - FEW_SHAPES) / SHAPES_OF_A_STEP
    if steps * (1.0 + crowd) > MOST_STEPS:
        raise ValueError(
            f"object {hex_id(entity)} is {plane.width:.1f} m wide, {plane.height:.1f} m high and "
            f"{plane.far - plane.near:.1f} m deep, among {shapes} shapes: sweeps every {spacing:g} m take "
            f"{steps:.0f} steps, too many; a wider spacing takes fewer"
        )
    pins = tuple(_pins(simulation, target, plane, spacing=spacing, radius=radius))
    return ProbeAnswer(
        entity=entity,
        model=target.model_id,
        state=target.state,
        ethereal=(target.state & ETHEREAL) != 0,
        plane=plane,
        radius=radius,
        pins=pins,
        doors=simulation.report().doors,
    )


def _pins(
    simulation: Simulation, target: PhysicsObject, plane: ProbePlane, *, spacing: float, radius: float
) -> Iterator[Pin]:
    world, mover = simulation.world, simulation.mover
    body = _reach(mover)
    edge = radius + MARGIN
    half = plane.width / 2.0
    for side in (Side.FRONT, Side.BACK):
        for up in spread(edge, plane.height - edge, spacing):
            for right in spread(edge - half, half - edge, spacing):
                yield _sphere_pin(world, target, plane, side=side, right=right, up=up, radius=radius)
        for right in spread(body + MARGIN - half, half - body - MARGIN, spacing):
            yield _mover_pin(world, target, plane, side=side, right=right, mover=mover, reach=body)


def _reach(mover: MoverSettings) -> float:
    """The radius of a mover's widest sphere."""
    return max(sphere.radius for sphere in mover.spheres)


def _steps(plane: ProbePlane, *, spacing: float, radius: float, reach: float) -> float:
    """About how many steps the sweeps of a probe take, each through the depth of what they are to meet."""

    def places(low: float, high: float) -> float:
        return _gaps(low, high, spacing) + 1.0

    edge, half = radius + MARGIN, plane.width / 2.0
    spheres = places(edge, plane.height - edge) * places(edge - half, half - edge)
    movers = places(reach + MARGIN - half, half - reach - MARGIN)
    depth = max(plane.far, 0.0) - min(plane.near, 0.0) + 2.0 * CLEARANCE
    return 2.0 * (spheres * (depth / radius + 2.0) + movers * ((depth + 2.0 * reach) / STEP + 1.0))


def _gaps(low: float, high: float, spacing: float) -> int:
    """How many gaps there are between places from ``low`` to ``high``; 0 where they cross."""
    return math.ceil((high - low) / spacing - 1e-9) if high > low else 0


def spread(low: float, high: float, spacing: float) -> list[float]:
    """Places from ``low`` to ``high``, both among them, no farther apart; the middle where they cross."""
    count = _gaps(low, high, spacing)
    if count == 0:
        return [(low + high) / 2.0]
    return [low + (high - low) * i / count for i in range(count + 1)]


def _ends(plane: ProbePlane, side: Side, reach: float) -> tuple[float, float]:
    """Where along ``out`` a probe of that reach begins and ends."""
    before = max(plane.far, 0.0) + reach + CLEARANCE
    behind = min(plane.near, 0.0) - reach - CLEARANCE
    return (before, behind) if side is Side.FRONT else (behind, before)


def _no_room(probe: Probe, side: Side, place: tuple[float, float], start: Vec3) -> Pin:
    """A sweep that could not begin; ``place`` is right and up in the plane, metres."""
    right, up = place
    return Pin(
        side=side,
        probe=probe,
        right=right,
        up=up,
        start=start,
        end=start,
        outcome=Passage.NO_ROOM,
    )


def _sphere_pin(
    world: World,
    target: PhysicsObject,
    plane: ProbePlane,
    *,
    side: Side,
    right: float,
    up: float,
    radius: float,
) -> Pin:
    a, b = _ends(plane, side, radius)
    start, end = plane.point(right, up, a), plane.point(right, up, b)
    begin = _position(world, plane, start)
    if begin is None or not _has_room(world, begin, radius):
        return _no_room(Probe.SPHERE, side, (right, up), start)
    t = _clipped(world, radius)
    cell = world.get_visible(begin.cell_id)
    t.init_path(cell, begin, Position(begin.cell_id, Frame(rebase(end, plane.cell_id, begin.cell_id))))
    find_valid_position(t)
    now = t.sphere_path.curr_pos
    reached = rebase(now.frame.origin, now.cell_id, plane.cell_id)
    touched = any(met.entity_id == target.entity_id for met in t.collision_info.touched)
    passed = math.dist(start, reached) >= math.dist(start, end) - STILL
    hit = None if passed else _stopper(t.hits, tuple(e - s for s, e in zip(start, end, strict=True)))
    return Pin(
        side=side,
        probe=Probe.SPHERE,
        right=right,
        up=up,
        start=start,
        end=reached,
        outcome=Passage.PASSED if passed else Passage.STOPPED,
        hit=hit,
        touched=touched,
    )


def _mover_pin(
    world: World,
    target: PhysicsObject,
    plane: ProbePlane,
    *,
    side: Side,
    right: float,
    mover: MoverSettings,
    reach: float,
) -> Pin:
    a, b = _ends(plane, side, reach)
    sign = math.copysign(1.0, b - a)
    start = plane.point(right, MARGIN, a)
    begin = _position(world, plane, start)
    body = PhysicsBody(
        PROBE_ID,
        mover.spheres,
        step_up_height=mover.step_up,
        step_down_height=mover.step_down,
        state=mover.state,
    )
    body.free_heading = mover.free_heading
    if begin is None or place(world, body, begin)[0] != SPE_OK:
        return _no_room(Probe.MOVER, side, (right, 0.0), start)
    here = rebase(body.position.frame.origin, body.position.cell_id, plane.cell_id)
    if math.dist(here[:2], start[:2]) > MOVED:
        return _no_room(Probe.MOVER, side, (right, 0.0), start)
    step = (plane.out[0] * sign * STEP, plane.out[1] * sign * STEP, 0.0)
    hits: Sequence[Hit] = ()
    touched, passed, at = False, False, here
    for _ in range(math.ceil(abs(b - a) / STEP) + 1):
        x, y, z = body.position.frame.origin
        goal = (x + step[0], y + step[1], z + step[2])
        result = sweep(world, body, Position(body.position.cell_id, body.position.frame.with_origin(goal)))
        touched = touched or target.entity_id in result.touched
        before, at = at, rebase(body.position.frame.origin, body.position.cell_id, plane.cell_id)
        hits = result.hits or hits
        passed = sign * (plane.out_of(at) - b) >= -STILL
        if passed or not result.ok or sign * (plane.out_of(at) - plane.out_of(before)) < STILL:
            break
    aside = abs(sum((p - s) * d for p, s, d in zip(at, here, plane.along, strict=True)))
    hit = None if passed else _stopper(hits, step)
    outcome = Passage.PASSED if passed else Passage.STOPPED
    return Pin(
        side=side,
        probe=Probe.MOVER,
        right=right,
        up=0.0,
        start=start,
        end=at,
        outcome=outcome,
        hit=hit,
        touched=touched,
        aside=aside,
    )


def _position(world: World, plane: ProbePlane, p: Vec3) -> Position | None:
    """A place with the cell that holds it, looked up as one that is put down is; None where none does.

    A cell without portals is in no search; the object's own is tried first.
    """
    own = world.get_visible(plane.cell_id)
    if keeps_portalless_cell(own, plane.cell_id, p):
        found = plane.cell_id
    else:
        found = static_lookup(world, plane.cell_id, p, search_order(world, plane.cell_id))
    if found == 0:
        return None
    heading = math.degrees(math.atan2(plane.out[0], plane.out[1]))
    return Position(found, Frame(rebase(p, plane.cell_id, found), quat_of_heading(heading)))


def _has_room(world: World, at: Position, radius: float) -> bool:
    """Whether a sphere can be put down exactly there."""
    t = _clipped(world, radius)
    t.init_path(world.get_visible(at.cell_id), None, at)
    t.sphere_path.placement_allows_sliding = False
    if not find_valid_position(t):
        return False
    now = t.sphere_path.curr_pos
    return math.dist(rebase(now.frame.origin, now.cell_id, at.cell_id), at.frame.origin) < STILL


def _clipped(world: World, radius: float) -> Transition:
    """A transition of one sphere that stops exactly where it touches; its mover is one of its own."""
    sphere = (Sphere((0.0, 0.0, 0.0), radius),)
    t = new_transition(
        world, PhysicsBody(PROBE_ID, sphere, step_up_height=0.0, step_down_height=0.0, state=0), sphere
    )
    info = t.object_info
    info.state = CLIPPED_FLAGS
    info.step_up_height = info.step_down_height = 0.0
    info.step_down = False
    return t


def _stopper(hits: Sequence[Hit], way: Sequence[float]) -> Hit | None:
    """Of several hits the one that stands most in the way."""
    return min(hits, key=lambda hit: sum(n * w for n, w in zip(hit.normal, way, strict=True)), default=None)
