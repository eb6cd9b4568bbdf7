"""Where a script begins that does not begin at rest: body, doors and objects in the middle of a walk."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.number_rules import UNIT_SLACK
from engine.files.json_form import Json
from engine.files.shown import shown
from engine.physics.body.outcome import Contact
from engine.physics.objects.doors import SavedDoor
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.saved import (
    SavedBody,
    SavedSimulation,
    restore_body,
    restore_doors,
)
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.ticking import SavedTick
from engine.replay.by_hand import by_hand_in
from engine.replay.told import (
    exact_numbers,
    placed_document,
    position_document,
    read_phase,
    read_placed,
    read_position,
)
from engine.world.cells import PlacedObject
from engine.world.frame import Position
from engine.world.ids import block_of
from engine.world.loading.landblock import is_counted_id, scene_object_id
from engine.world.sources.json_node import Node
from engine.world.way import Way

MOST_TICKS: Final = 10**9
"""A year of ticks; as many seconds are told as times."""


@dataclass(frozen=True, slots=True)
class Begin:
    """The state before the first tick of a script, ``tick`` that of the one before it.

    ``states`` are entities' PhysicsState words that are not those they came with, ``moved`` those that
    stand elsewhere, ``spawned`` what the world does not bring itself, ``removed`` what it brings and is gone;
    ``order`` says in which order those that stand in a cell are asked.
    """

    tick: int
    body: SavedBody
    doors: tuple[tuple[int, SavedDoor], ...] = ()
    states: tuple[tuple[int, int], ...] = ()
    moved: tuple[tuple[int, Position], ...] = ()
    spawned: tuple[PlacedObject, ...] = ()
    removed: tuple[int, ...] = ()
    order: tuple[tuple[int, tuple[int, ...]], ...] = ()


def begin_of(saved: SavedSimulation, simulation: Simulation) -> Begin:
    """What of a save somebody else needs; doors that are as they came are left out with all that is far."""
    objects, home = saved.objects, block_of(saved.body.position.cell_id)
    by_hand = by_hand_in(objects, simulation.objects.brought)
    return Begin(
        tick=saved.tick.tick,
        body=saved.body,
        doors=saved.doors,
        states=tuple(objects.states.items()),
        moved=tuple(objects.moved.items()),
        spawned=by_hand.placed,
        removed=(*by_hand.gone, *sorted((objects.gone & _scene_ids(simulation)) - {*by_hand.gone})),
        order=tuple([(cell, ids) for cell, ids in objects.order.items() if block_of(cell) == home]),
    )


def go_to_begin(simulation: Simulation, begin: Begin) -> None:
    """Put a simulation there; its world brings the rest, and a line says what of it that has not.

    SimulationError for a cell that there is none of.
    """
    cell_id = begin.body.position.cell_id
    simulation.residency.load(cell_id)
    if begin.body.cell and simulation.world.get_visible(begin.body.cell) is None:
        raise SimulationError(
            f"begin: there is no cell {hex_id(begin.body.cell)} around the body in this world"
        )
    objects, registry = simulation.objects, simulation.registry
    for placed in begin.spawned:
        objects.add(placed)
    _tell_of_unknown(simulation, begin)
    objects.remove(*begin.removed)
    for entity, state in begin.states:
        if entity in registry.objects:
            registry.update_physics_state(entity, state)
    for entity, position in begin.moved:
        if entity in registry.objects:
            registry.update_position(entity, position)
    registry.put_in_order(dict(begin.order))
    restore_doors(simulation, begin.doors)
    restore_body(simulation, begin.body)
    position, nothing = begin.body.position, (0.0, 0.0, 0.0)
    way = Way.only(position.cell_id, position.frame.origin)
    simulation.restore_tick(
        SavedTick(
            tick=begin.tick,
            previous_position=position,
            way=way,
            state_velocity=nothing,
            requested=nothing,
            jump_vz=0.0,
            last=None,
            entered=False,
        )
    )
    simulation.residency.visit(cell_id)


def _tell_of_unknown(simulation: Simulation, begin: Begin) -> None:
    """Say which entities a beginning tells of that its world has nowhere, loaded or not."""
    told = {n for n, _ in (*begin.states, *begin.moved, *begin.doors)} | {*begin.removed}
    told -= simulation.objects.placed.keys()
    if not told:
        return
    told -= _scene_ids(simulation)
    unknown = [hex_id(n) for n in sorted(told) if not is_counted_id(n)]
    if unknown:
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        names = f"{', '.join(unknown[:3])}{more}"
        simulation.world.problems.report(f"the script's beginning tells of {names}, which this world has not")


def _scene_ids(simulation: Simulation) -> set[int]:
    """The ids of everything that the scene of a simulation's world places, met or not."""
    scene = simulation.world.source.scene().objects
    return {scene_object_id(number, item) for number, item in enumerate(scene)}


def begin_document(begin: Begin) -> Json:
    """The member ``begin`` of a script."""
    return {
        "tick": begin.tick,
        "body": _body_document(begin.body),
        "doors": {hex_id(entity): _door_document(door) for entity, door in begin.doors},
        "states": {hex_id(entity): f"0x{state:X}" for entity, state in begin.states},
        "moved": {hex_id(entity): position_document(position) for entity, position in begin.moved},
        "spawned": [placed_document(placed) for placed in begin.spawned],
        "removed": [hex_id(entity) for entity in begin.removed],
        "order": {hex_id(cell): [hex_id(entity) for entity in ids] for cell, ids in begin.order},
    }


def read_begin(node: Node) -> Begin:
    """A beginning that was written so. Raises JsonError with one line."""
    return Begin(
        tick=_read_tick(node.get("tick")),
        body=_read_body(node.get("body")),
        doors=tuple([(entity, _read_door(door)) for entity, door in node.get("doors").by_id().items()]),
        states=tuple([(entity, state.unsigned()) for entity, state in node.get("states").by_id().items()]),
        moved=tuple([(entity, read_position(place)) for entity, place in node.get("moved").by_id().items()]),
        spawned=tuple([read_placed(member) for member in node.items("spawned")]),
        removed=tuple([member.unsigned() for member in node.items("removed")]),
        order=tuple(
            [
                (cell, tuple([member.unsigned() for member in ids.members()]))
                for cell, ids in node.get("order").by_id().items()
            ]
        ),
    )


def _body_document(body: SavedBody) -> Json:
    contact = body.contact
    return {
        "in_cell": hex_id(body.cell),
        **position_document(body.position),
        "cells": [hex_id(cell) for cell in body.cell_ids],
        "velocity": list(body.velocity),
        "acceleration": list(body.acceleration),
        "omega": list(body.omega),
        "state": f"0x{body.state:X}",
        "transient_state": body.transient_state,
        "contact": None if contact is None else {
            "plane": [*contact.normal, contact.d],
            "cell": hex_id(contact.cell_id),
            "water": contact.is_water,
        },
        "sliding_normal": list(body.sliding_normal),
        "colliding_with_environment": body.colliding_with_environment,
        "met": [[hex_id(entity), since, ethereal] for entity, since, ethereal in body.known],
        "clock": body.clock,
        "friction": body.friction,
        "elasticity": body.elasticity,
    }  # fmt: skip


def _read_body(node: Node) -> SavedBody:
    def vector(key: str) -> tuple[float, float, float]:
        x, y, z = exact_numbers(node.get(key), 3)
        return (x, y, z)

    contact = None
    if node.has("contact"):
        stored = node.get("contact")
        a, b, c, d = exact_numbers(stored.get("plane"), 4)
        if abs(math.hypot(a, b, c) - 1.0) > UNIT_SLACK:
            stored.get("plane").fail(f"the normal's length is {math.hypot(a, b, c):.3f}, not 1")
        contact = Contact((a, b, c), d, stored.get("cell").unsigned(), is_water=stored.get("water").flag())
    met = [member.group(3) for member in node.items("met")]
    return SavedBody(
        cell=node.get("in_cell").unsigned(),
        position=read_position(node),
        cell_ids=tuple([member.unsigned() for member in node.items("cells")]),
        velocity=vector("velocity"),
        acceleration=vector("acceleration"),
        omega=vector("omega"),
        state=node.get("state").unsigned(),
        transient_state=node.get("transient_state").unsigned(),
        contact=contact,
        sliding_normal=vector("sliding_normal"),
        colliding_with_environment=node.get("colliding_with_environment").flag(),
        known=tuple([(entity.unsigned(), since.exact(), ethereal.flag()) for entity, since, ethereal in met]),
        clock=node.get("clock").exact(),
        friction=_read_friction(node.get("friction")),
        elasticity=node.get("elasticity").exact(),
    )


def _door_document(door: SavedDoor) -> Json:
    return {
        "phase": door.phase.value,
        "phase_start": door.phase_start,
        "reset_at": door.reset_at,
        "held_by": hex_id(door.held_by),
        "locked": door.locked,
        "default_open": door.default_open,
        "reset_interval": door.reset_interval,
    }


def _read_tick(node: Node) -> int:
    if abs(node.whole()) > MOST_TICKS:
        node.fail(f"{shown(node.value)} is no tick: there are {MOST_TICKS} at most")
    return node.whole()


def _read_time(node: Node) -> float:
    if abs(node.exact()) > MOST_TICKS:
        node.fail(f"{shown(node.value)} is no time in seconds")
    return node.exact()


def _read_friction(node: Node) -> float:
    if not 0.0 <= node.exact() <= 1.0:
        node.fail(f"{shown(node.value)} is not between 0 and 1")  # of more no power can be taken
    return node.exact()


def _read_door(node: Node) -> SavedDoor:
    return SavedDoor(
        phase=read_phase(node.get("phase")),
        phase_start=_read_time(node.get("phase_start")),
        reset_at=_read_time(node.get("reset_at")) if node.has("reset_at") else None,
        held_by=node.get("held_by").unsigned(),
        locked=node.get("locked").flag(),
        default_open=node.get("default_open").flag(),
        reset_interval=node.get("reset_interval").above_zero(),
    )
