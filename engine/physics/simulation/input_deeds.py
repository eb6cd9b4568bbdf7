"""What a simulation does with each thing that it is told: one function a kind, in one table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.body.body import PhysicsBody
from engine.physics.enums import GRAVITY_Z, SMALL_VELOCITY, SPE_NAMES, SPE_OK, TICK
from engine.physics.objects.door_phase import DoorPhase
from engine.physics.simulation import inputs
from engine.physics.simulation.arrival import SimulationError, load_place
from engine.physics.simulation.movement import get_state_velocity, run_rate, state_motion, turn_rate
from engine.physics.simulation.sweep import force, place
from engine.physics.simulation.tick_report import TickReport
from engine.physics.simulation.ticking import NOTHING, Ticking
from engine.world.frame import Frame, quat_of_heading
from engine.world.tolerance import EPS

# -- ticks


def _keys_tick(to: Ticking, told: inputs.KeysTick) -> TickReport:
    keys, mover, body = told.keys, to.mover, to.body
    rate = run_rate(mover.run_skill, mover.burden)
    motion = state_motion(keys, rate)
    to.state_velocity = get_state_velocity(motion, rate)
    if keys.jump is not None:
        to.jump_off(keys.jump)
    x, y, z = body.position.frame.to_global_vec(to.state_velocity)
    frame = body.position.frame
    turn = turn_rate(motion) * TICK
    if turn:
        frame = Frame(frame.origin, quat_of_heading(frame.heading() + turn))
    report = to.full_tick((x * TICK, y * TICK, z * TICK), frame)
    to.state_velocity = NOTHING
    return report


def _walk_tick(to: Ticking, told: inputs.WalkTick) -> TickReport:
    return to.full_tick(told.displacement, to.body.position.frame)


def _move_tick(to: Ticking, told: inputs.MoveTick) -> TickReport:
    return to.pure_tick(told.displacement)


# -- the body


def _put(to: Ticking, told: inputs.Put) -> TickReport:
    body, position = to.body, told.position
    where = load_place(to.world, to.residency, body, position)
    velocity = body.velocity
    body.velocity = NOTHING
    body.touching.forget()
    if told.exactly:
        return to.arrive(force(to.world, body, position))
    error, result = place(to.world, body, position, trace=to.new_trace())
    if error != SPE_OK:
        body.velocity = velocity
        raise SimulationError(f"{where}: no room for the body there ({SPE_NAMES[error]})")
    return to.arrive(result)


def _face(to: Ticking, told: inputs.Face) -> None:
    to.body.set_frame(Frame(to.body.position.frame.origin, quat_of_heading(told.heading)))


def _jump(to: Ticking, told: inputs.Jump) -> bool:
    return to.jump_off(told.extent)


def _launch(to: Ticking, told: inputs.Launch) -> None:
    if not _holds(to.body, told.velocity):
        to.body.set_on_walkable(value=False)
    to.body.set_velocity(told.velocity)


def _holds(body: PhysicsBody, velocity: Vec3) -> bool:
    """Whether the ground holds a body back that is given a velocity."""
    contact = body.contact
    if contact is None:
        return False
    nx, ny, nz = contact.normal
    x, y, z = velocity
    off = x * nx + y * ny + (z + GRAVITY_Z * TICK) * nz
    return off <= EPS and math.hypot(x, y) <= SMALL_VELOCITY


# -- doors and objects


def _use(to: Ticking, told: inputs.Use) -> bool:
    door = to.doors.get(told.entity)
    if door is None:
        _require(to, told.entity)
        raise SimulationError(f"entity {hex_id(told.entity)} is not a door: it can't be used")
    used = door.use(to.time - told.ago)
    door.advance(to.time)
    return used


def _set_state(to: Ticking, told: inputs.SetState) -> None:
    _require(to, told.entity)
    door = to.doors.get(told.entity)
    if door is not None:
        door.set_state(told.state, to.time)
    else:
        to.registry.update_physics_state(told.entity, told.state)


def _stage_door(to: Ticking, told: inputs.StageDoor) -> None:
    door = to.doors.get(told.entity)
    if door is None:
        raise SimulationError(f"entity {hex_id(told.entity)} is not a door")
    door.stage(told.state, DoorPhase(told.phase), to.time - told.since, locked=told.locked)


def _spawn(to: Ticking, told: inputs.Spawn) -> bool:
    return to.objects.add(told.placed)


def _despawn(to: Ticking, told: inputs.Despawn) -> None:
    to.objects.remove(told.entity)


def _require(to: Ticking, entity_id: int) -> None:
    if to.registry.get(entity_id) is None:
        raise SimulationError(f"there is no entity {hex_id(entity_id)} in this world")


DEEDS: Final[Mapping[type[inputs.Told[Any]], Callable[[Ticking, Any], Any]]] = {
    inputs.KeysTick: _keys_tick,
    inputs.WalkTick: _walk_tick,
    inputs.MoveTick: _move_tick,
    inputs.Put: _put,
    inputs.Face: _face,
    inputs.Jump: _jump,
    inputs.Launch: _launch,
    inputs.Use: _use,
    inputs.SetState: _set_state,
    inputs.StageDoor: _stage_door,
    inputs.Spawn: _spawn,
    inputs.Despawn: _despawn,
}
"""What is done with each kind of input: it comes to what the kind is told to come to."""
