"""Scenarios of doors: what blocks, what lets through, and when (objects 9)."""

from __future__ import annotations

from engine.dat.hex_id import hex_id
from engine.dat.records.gfx_obj import GfxObj
from engine.physics.enums import TICKS_PER_SECOND
from engine.physics.objects.door_phase import DoorPhase
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport
from engine.replay.doorways import Doorway
from engine.replay.scenarios.scenario import Outcome, Scenario, StagingError
from engine.replay.scenarios.stage import Stage, open_door, put_at_door, rounded, walk, walk_in
from engine.world.physics_state import ETHEREAL

START = 1.6
CLEARANCE = 0.2
BODY_RADIUS = 0.48
HAS_PHYSICS = 1


def closed_centre(stage: Stage) -> Outcome:
    """A closed door stops a walker who comes down the middle."""
    return _blocked_at(stage, (0.0,), START)


def closed_off_centre(stage: Stage) -> Outcome:
    """A closed door blocks half a metre to either side of its middle as well."""
    return _blocked_at(stage, (-0.5, 0.5), START)


def closed_from_inside(stage: Stage) -> Outcome:
    """A closed door stops a walker who comes from inside."""
    return _blocked_at(stage, (0.0,), -START)


def ethereal_passes(stage: Stage) -> Outcome:
    """An ethereal door lets the walker through and reports the touch; closed again, it blocks."""
    simulation = stage.simulation()
    doorway, door = stage.front_door(simulation)
    put_at_door(simulation, doorway, START)
    open_door(simulation, door)
    ticks = walk_in(simulation, doorway, 2 * START)
    inside = doorway.offset_out(simulation.position.frame.origin)
    collisions = sum(tick.collided for tick in ticks)
    touched = sum(door in tick.touched for tick in ticks)
    target = simulation.registry.get(door)
    assert target is not None
    simulation.set_state(door, target.state & ~ETHEREAL)
    walk_in(simulation, doorway, -2 * START)
    back = doorway.offset_out(simulation.position.frame.origin)
    ok = (
        inside < -1.0
        and collisions == 0
        and touched > 0
        and back < _door_out(simulation, doorway) - CLEARANCE
    )
    return Outcome(
        ok,
        {"ended_inside_m": rounded(-inside), "collisions": collisions, "ticks_touching": touched,
         "blocked_again_inside_m": rounded(-back)},
        f"walked {-inside:.2f} m past the sill, {collisions} collisions, {touched} touches reported",
    )  # fmt: skip


def use_opens(stage: Stage) -> Outcome:
    """A use makes the door passable in the same instant, while its leaves begin to swing."""
    simulation = stage.simulation()
    doorway, door = stage.swinging_door(simulation)
    controller = simulation.doors[door]
    put_at_door(simulation, doorway, START)
    walk_in(simulation, doorway, START)
    closed_pose = controller.pose(simulation.time)
    accepted = simulation.use(door)
    at_once = {row.state for row in simulation.registry.rows(door)}
    again = simulation.use(door)
    # A straight push stays refused while a stale sliding normal is kept (sweep 3.8): one step back.
    walk(simulation, doorway.inward(-0.05), 1)
    ticks = walk_in(simulation, doorway, START + 1.0)
    inside = doorway.offset_out(simulation.position.frame.origin)
    half = simulation.doors[door].motion.opening.length / 2
    moved = controller.pose(controller.phase_start + half) != closed_pose
    walk(simulation, (0.0, 0.0, 0.0), TICKS_PER_SECOND * 3)
    rests_open = controller.pose(simulation.time) != closed_pose
    collisions = sum(tick.collided for tick in ticks)
    passable = all(state & ETHEREAL for state in at_once)
    ok = accepted and passable and not again and inside < -0.5 and collisions == 0 and moved and rests_open
    return Outcome(
        ok,
        {"states_after_use": [f"0x{s:X}" for s in sorted(at_once)], "second_use_in_clip": again,
         "ended_inside_m": rounded(-inside), "collisions": collisions, "clip_s": rounded(2 * half),
         "leaves_moved": moved},
        f"state {', '.join(f'0x{s:X}' for s in sorted(at_once))} at once, walked in during the swing",
    )  # fmt: skip


def autoclose(stage: Stage) -> Outcome:
    """A used door is solid again 30 s and one clip after the use, and blocks from both sides."""
    simulation = stage.simulation()
    doorway, door = stage.closing_door(simulation)
    controller = simulation.doors[door]
    put_at_door(simulation, doorway, START + 0.6)
    used_at = simulation.time
    simulation.use(door)
    expected = 30.0 + controller.motion.closing.length
    passable_until = used_at
    solid_at = None
    for _ in range(int((expected + 5.0) * TICKS_PER_SECOND)):
        simulation.walk_tick()
        if controller.target.state & ETHEREAL:
            passable_until = simulation.time
        elif solid_at is None:
            solid_at = simulation.time
    if solid_at is None:
        return Outcome(ok=False, figures={"solid_after_s": None}, detail="the door never became solid again")
    outside = _stops(simulation, doorway, 0.0, START)
    inside = _stops(simulation, doorway, 0.0, -START)
    off = solid_at - used_at - expected
    ok = abs(off) <= 1.5 / TICKS_PER_SECOND and outside.blocked and inside.blocked
    return Outcome(
        ok,
        {"solid_after_s": rounded(solid_at - used_at), "expected_s": rounded(expected),
         "passable_until_s": rounded(passable_until - used_at), "blocks_from_outside": outside.blocked,
         "blocks_from_inside": inside.blocked},
        f"solid {solid_at - used_at:.3f} s after the use (30 s + clip = {expected:.3f} s)",
    )  # fmt: skip


def held_while_occupied(stage: Stage) -> Outcome:
    """A door whose time has come stays passable while somebody stands in it, and closes behind him."""
    simulation = stage.simulation()
    doorway, door = stage.closing_door(simulation)
    controller = simulation.doors[door]
    put_at_door(simulation, doorway, START)
    simulation.use(door)
    used_at = simulation.time
    walk_in(simulation, doorway, START - _door_out(simulation, doorway))
    stood = simulation.position.frame.origin
    due = used_at + 30.0 + controller.motion.closing.length
    solid_while_occupied = 0
    while simulation.time < due + 3.5:
        simulation.walk_tick()
        solid_while_occupied += not controller.target.state & ETHEREAL
    kept_place = simulation.position.frame.origin == stood
    held = simulation.time - due
    phase = controller.phase
    walk_in(simulation, doorway, -START)
    left_at = simulation.time
    closed_after = None
    for _ in range(3 * TICKS_PER_SECOND):
        if not controller.target.state & ETHEREAL:
            closed_after = simulation.time - left_at
            break
        simulation.walk_tick()
    ok = (
        solid_while_occupied == 0 and kept_place and phase is DoorPhase.HELD and closed_after is not None
        and closed_after <= 1.0 + 1.5 / TICKS_PER_SECOND
    )  # fmt: skip
    return Outcome(
        ok,
        {"held_s": rounded(held), "ticks_solid_while_occupied": solid_while_occupied, "phase": phase.value,
         "closed_after_leaving_s": None if closed_after is None else rounded(closed_after)},
        f"held open {held:.2f} s past its time, {solid_while_occupied} ticks solid with somebody in it",
    )  # fmt: skip


def four_shapes_one_entity(stage: Stage) -> Outcome:
    """A door's shapes are its Setup's sphere or cylinders and each part with a tree, under one entity.

    They are registered on both sides of the doorway that the door stands in.
    """
    simulation = stage.simulation()
    doorway, door = stage.front_door(simulation)
    target = simulation.registry.get(door)
    assert target is not None
    expected = _expected_shapes(simulation, target.model_id)
    shapes = simulation.registry.shapes_of(door)
    rows = simulation.registry.rows(door)
    cells = {row.cell_id for row in rows}
    entities = {row.entity_id for row in rows}
    kinds = [shape.kind.name for shape in shapes]
    ok = (
        len(shapes) == expected
        and entities == {door}
        and len(rows) == len(shapes) * len(cells)
        and expected > 0
        and cells >= {doorway.cell_id, doorway.outside_cell(BODY_RADIUS)}
    )
    return Outcome(
        ok,
        {"shapes": len(shapes), "kinds": kinds, "expected_from_setup": expected, "cells": len(cells),
         "rows": len(rows), "entities": len(entities)},
        f"{len(shapes)} shapes ({', '.join(kinds)}) in {len(cells)} cells under {hex_id(door)}",
    )  # fmt: skip


def state_reaches_all_shapes(stage: Stage) -> Outcome:
    """A flip of the state reaches every row of the entity in every cell, each time."""
    simulation = stage.simulation()
    _, door = stage.front_door(simulation)
    target = simulation.registry.get(door)
    assert target is not None
    closed = target.state & ~ETHEREAL
    rows = len(simulation.registry.rows(door))
    missed = 0
    flips = (closed | ETHEREAL, closed, closed | ETHEREAL, closed)
    for state in flips:
        simulation.set_state(door, state)
        missed += sum(row.state != state for row in simulation.registry.rows(door))
        for cell_id in simulation.registry.cells_of(door):
            here = [row for row in simulation.registry.rows_in(cell_id) if row.entity_id == door]
            missed += sum(row.state != state for row in here) + (len(here) != len(target.shapes))
    cells = len(simulation.registry.cells_of(door))
    ok = missed == 0 and rows > 0 and cells > 1
    return Outcome(
        ok,
        {"rows": rows, "cells": cells, "flips": len(flips), "rows_missed": missed},
        f"{len(flips)} flips over {rows} rows in {cells} cells, {missed} missed",
    )


class Stop:
    """How a walk at a door ended: metres outside the sill, whether and by what it was blocked."""

    def __init__(
        self, *, ticks: list[TickReport], doorway: Doorway, door: int, door_out: float, sign: float
    ) -> None:
        self.end = doorway.offset_out(ticks[-1].position)
        offsets = [sign * (doorway.offset_out(tick.position) - door_out) for tick in ticks]
        self.nearest = min(offsets)
        self.by_door = sum(any(hit.owner == door for hit in tick.hits) for tick in ticks)
        self.cells = {tick.cell for tick in ticks}
        normals = [tick.normal for tick in ticks if tick.normal is not None]
        ox, oy = doorway.outward
        self.facing = max((sign * (n[0] * ox + n[1] * oy) for n in normals), default=0.0)

    @property
    def blocked(self) -> bool:
        """Whether the door itself stopped the walker on his side of it."""
        return self.nearest > CLEARANCE and self.by_door > 0 and self.facing > 0.7


def _stops(simulation: Simulation, doorway: Doorway, side: float, start: float) -> Stop:
    assert doorway.door is not None
    put_at_door(simulation, doorway, start, side)
    sign = 1.0 if start > 0 else -1.0
    ticks = walk_in(simulation, doorway, 2.2 * start)
    return Stop(
        ticks=ticks, doorway=doorway, door=doorway.door, door_out=_door_out(simulation, doorway), sign=sign
    )


def _blocked_at(stage: Stage, sides: tuple[float, ...], start: float) -> Outcome:
    """Walk at every closed door of the landblock; where it fits, the same walk passes an open one."""
    simulation = stage.simulation()
    figures: dict[str, object] = {}
    ok = True
    doors = stage.doors(simulation)
    for doorway in doors.things:
        assert doorway.door is not None
        for side in sides:
            stop = _stops(simulation, doorway, side, start)
            open_door(simulation, doorway.door)
            put_at_door(simulation, doorway, start, side)
            walk_in(simulation, doorway, 2.2 * start)
            passed = doorway.offset_out(simulation.position.frame.origin)
            # Half a metre off the middle a walker may not fit between the jambs even with the door open.
            fits = abs(side) + BODY_RADIUS < doorway.width / 2
            went_through = not fits or (passed * start < 0 and abs(passed) > 0.5)
            target = simulation.registry.get(doorway.door)
            assert target is not None
            simulation.set_state(doorway.door, target.state & ~ETHEREAL)
            ok = ok and stop.blocked and went_through
            figures[f"{hex_id(doorway.door)}@{side:+.1f}m"] = {
                "stopped_m_from_sill": rounded(stop.end), "nearest_m_to_door": rounded(stop.nearest),
                "ticks_hitting_door": stop.by_door, "normal_outward": rounded(stop.facing),
                "open_ended_m_from_sill": rounded(passed), "fits_between_jambs": fits,
            }  # fmt: skip
    count = len(doors.things)
    return Outcome(ok, figures, f"{count} doors, {count * len(sides)} walks, all blocked: {ok}{doors.note}")


def _door_out(simulation: Simulation, doorway: Doorway) -> float:
    """How far outside the sill the door stands, metres."""
    assert doorway.door is not None
    target = simulation.registry.get(doorway.door)
    assert target is not None
    return doorway.offset_out(target.position.frame.origin)


def _expected_shapes(simulation: Simulation, model_id: int) -> int:
    """The count that the records themselves give: cylinders, else spheres, and parts with a tree."""
    source = simulation.world.source
    setup = source.setup(model_id)
    if setup is None:
        raise StagingError(f"Setup {hex_id(model_id)} is not there")
    cylinders = sum(c.radius > 0 for c in setup.cylspheres)
    rounds = cylinders or sum(s.radius > 0 for s in setup.spheres)
    parts: list[GfxObj | None] = [source.gfx_obj(part) for part in setup.parts]
    return rounds + sum(part is not None and part.flags & HAS_PHYSICS != 0 for part in parts)


DOOR_SCENARIOS: tuple[Scenario[Stage], ...] = (
    Scenario("door-closed-centre", "a closed door blocks dead centre", closed_centre),
    Scenario("door-closed-off-centre", "a closed door blocks 0.5 m to either side", closed_off_centre),
    Scenario("door-closed-from-inside", "a closed door blocks from inside", closed_from_inside),
    Scenario("door-ethereal-passes", "an ethereal door lets through and reports", ethereal_passes),
    Scenario("door-use-opens", "a use opens at once", use_opens),
    Scenario("door-autoclose-30s", "solid 30 s plus one clip after the use", autoclose),
    Scenario("door-held-while-occupied", "never solid while somebody stands in it", held_while_occupied),
    Scenario("door-four-shapes-one-entity", "all shapes belong to one entity", four_shapes_one_entity),
    Scenario("door-state-reaches-all-shapes", "a flip reaches every row", state_reaches_all_shapes),
)
