"""Saving a simulation and putting it back: body, doors, objects, landblocks, to the bit."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.values import Vec3
from engine.physics.body.body import PhysicsBody
from engine.physics.body.outcome import Contact, Outcome
from engine.physics.objects.doors import SavedDoor
from engine.physics.objects.world_objects import SavedObjects
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.ticking import SavedTick
from engine.world.frame import Position
from engine.world.loading.saved_blocks import SavedBlocks


@dataclass(frozen=True, slots=True)
class SavedBody:
    """Everything of a body that a tick can change; its fields are those of ``PhysicsBody``.

    ``cell`` is the id of its cell, 0 for none; ``known`` whom it has met lately.
    """

    cell: int
    position: Position
    cell_ids: tuple[int, ...]
    velocity: Vec3
    acceleration: Vec3
    omega: Vec3
    state: int
    transient_state: int
    contact: Contact | None
    sliding_normal: Vec3
    colliding_with_environment: bool
    known: tuple[tuple[int, float, bool], ...]
    clock: float
    friction: float
    elasticity: float


@dataclass(frozen=True, slots=True)
class SavedSimulation:
    """A simulation after a tick. What did not change since the save before is the same object as there."""

    tick: SavedTick
    body: SavedBody
    doors: tuple[tuple[int, SavedDoor], ...]
    objects: SavedObjects
    blocks: SavedBlocks


def save(simulation: Simulation, before: SavedSimulation | None = None) -> SavedSimulation:
    """The state of a simulation; what is as in ``before`` is shared with it."""
    doors = tuple([(entity, door.saved()) for entity, door in simulation.doors.items()])
    blocks = simulation.residency.saved()
    if before is not None:
        doors = before.doors if doors == before.doors else doors
        blocks = before.blocks if blocks == before.blocks else blocks
    objects = simulation.objects.saved(None if before is None else before.objects)
    return SavedSimulation(
        tick=simulation.save_tick(),
        body=save_body(simulation.body),
        doors=doors,
        objects=objects,
        blocks=blocks,
    )


def restore(simulation: Simulation, saved: SavedSimulation) -> None:
    """Put a simulation back; from there the same inputs lead to the same ticks, to the bit.

    Landblocks that are gone are loaded again. Where the world can't hold what it held, as with a source that
    has changed, what is missing is left out.
    """
    simulation.residency.restore(saved.blocks, saved.body.position.cell_id)
    simulation.objects.restore(saved.objects)
    restore_doors(simulation, saved.doors)
    restore_body(simulation, saved.body)
    simulation.restore_tick(saved.tick)


def restore_doors(simulation: Simulation, saved: tuple[tuple[int, SavedDoor], ...]) -> None:
    """Put doors back, in the order in which they came: they are told and reported in it."""
    doors = simulation.doors
    there = [(entity, door) for entity, door in saved if entity in doors]
    for entity, door in there:
        doors[entity].restore(door)
        doors[entity] = doors.pop(entity)
    for entity in list(doors)[: len(doors) - len(there)]:
        doors[entity] = doors.pop(entity)


def save_body(body: PhysicsBody) -> SavedBody:
    """Everything of a body that a tick can change."""
    return SavedBody(
        cell=0 if body.cell is None else body.cell.id,
        position=body.position,
        cell_ids=body.cell_ids,
        velocity=body.velocity,
        acceleration=body.acceleration,
        omega=body.omega,
        state=body.state,
        transient_state=body.transient_state,
        contact=body.contact,
        sliding_normal=body.sliding_normal,
        colliding_with_environment=body.colliding_with_environment,
        known=tuple([(entity, since, ethereal) for entity, (since, ethereal) in body.touching.known.items()]),
        clock=body.clock,
        friction=body.friction,
        elasticity=body.elasticity,
    )


def restore_body(simulation: Simulation, saved: SavedBody) -> None:
    """Put the body back: its cell is the commit's to write; what that makes of the rest is put right."""
    body = simulation.body
    cell = simulation.world.get_visible(saved.cell) if saved.cell else None
    body.set_position_internal(Outcome(position=saved.position, cell=cell, contact=saved.contact))
    body.position = saved.position
    body.cell_ids = saved.cell_ids
    body.velocity, body.acceleration, body.omega = saved.velocity, saved.acceleration, saved.omega
    body.state, body.transient_state = saved.state, saved.transient_state
    body.contact, body.sliding_normal = saved.contact, saved.sliding_normal
    body.colliding_with_environment = saved.colliding_with_environment
    body.touching.known = {entity: (since, ethereal) for entity, since, ethereal in saved.known}
    body.clock, body.friction, body.elasticity = saved.clock, saved.friction, saved.elasticity
