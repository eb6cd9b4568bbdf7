"""Inputs of a simulation as steps of a script, and back: what was told can be told by somebody else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from engine.dat.hex_id import hex_id
from engine.files.json_form import Json
from engine.physics.objects.door_phase import DoorPhase
from engine.physics.simulation import inputs
from engine.physics.simulation.movement import MovementInput
from engine.world.cells import PlacedObject
from engine.world.frame import Frame, Position
from engine.world.sources.json_node import Node
from engine.world.sources.scene_file import read_door_facts, read_hours

KEYS: Final = "keys"
KINDS: Final = ("face", KEYS, "put", "stage_door", "spawn", "despawn")
"""The steps that are told here; those of plain scripts are read elsewhere."""
MOST_TICKS: Final = 1_000_000
LARGEST_SCALE: Final = 1_000.0
"""Of a script, and so of a step: a larger number is refused before anything is made of it."""
_AXES: Final = ("forward", "side", "turn")


def steps_of(told: Iterable[inputs.Input]) -> list[Json]:
    """The steps that tell the same; ticks by the same keys in a row are one step."""
    steps: list[Json] = []
    for one in told:
        step = STEPS[type(one)](one)
        last = steps[-1] if steps else {}
        if isinstance(one, inputs.KeysTick) and one.keys.jump is None and last.get(KEYS) == step[KEYS]:
            ticks = last["ticks"]
            assert isinstance(ticks, int)
            last["ticks"] = ticks + 1
        elif not (isinstance(one, inputs.Face) and _faces_so(steps, one)):
            steps.append(step)
    return steps


def _faces_so(steps: list[Json], face: inputs.Face) -> bool:
    """Whether the body was turned to that heading before, and not turned since."""
    for step in reversed(steps):
        if "face" in step:
            return bool(step["face"] == face.heading)
        keys = step.get(KEYS)
        if not isinstance(keys, dict) or "turn" in keys:
            return False
    return False


def _keys_step(told: inputs.KeysTick) -> Json:
    keys = {name: value for name, value in told.keys._asdict().items() if value not in (0, False, None)}
    return {KEYS: keys, "ticks": 1}


def _staged(told: inputs.StageDoor) -> Json:
    return {
        "entity": hex_id(told.entity), "state": f"0x{told.state:X}", "phase": told.phase,
        "since": told.since, "locked": told.locked,
    }  # fmt: skip


STEPS: Final[Mapping[type[inputs.Told[Any]], Callable[[Any], Json]]] = {
    inputs.KeysTick: _keys_step,
    inputs.WalkTick: lambda told: {"ticks": 1, "walk": list(told.displacement)},
    inputs.MoveTick: lambda told: {"ticks": 1, "move": list(told.displacement)},
    inputs.Put: lambda told: {"put": {**position_document(told.position), "exactly": told.exactly}},
    inputs.Face: lambda told: {"face": told.heading},
    inputs.Jump: lambda told: {"jump": told.extent},
    inputs.Launch: lambda told: {"launch": list(told.velocity)},
    inputs.Use: lambda told: {"use": hex_id(told.entity)},
    inputs.SetState: lambda told: {"set_state": [hex_id(told.entity), f"0x{told.state:X}"]},
    inputs.StageDoor: lambda told: {"stage_door": _staged(told)},
    inputs.Spawn: lambda told: {"spawn": placed_document(told.placed)},
    inputs.Despawn: lambda told: {"despawn": hex_id(told.entity)},
}
"""The step of a script that tells each kind of input."""


def read_told(node: Node) -> tuple[inputs.Input, ...] | None:
    """The inputs of a step of one of the ``KINDS``; None for another. Raises JsonError."""
    kind = next((kind for kind in KINDS if node.has(kind)), None)
    if kind is None:
        return None
    node.only(kind, "comment", *(["ticks"] if kind == KEYS else []))
    value = node.get(kind)
    if kind == "face":
        return (inputs.Face(value.exact()),)
    if kind == KEYS:
        return (inputs.KeysTick(_keys(value)),) * (read_ticks(node.get("ticks")) if node.has("ticks") else 1)
    if kind == "stage_door":
        value.only("entity", "state", "phase", "since", "locked")
        return (
            inputs.StageDoor(
                entity=value.get("entity").unsigned(),
                state=value.get("state").unsigned(),
                phase=read_phase(value.get("phase")).value,
                since=value.get("since").exact(),
                locked=value.get("locked").flag(),
            ),
        )
    if kind == "spawn":
        return (inputs.Spawn(read_placed(value)),)
    if kind == "despawn":
        return (inputs.Despawn(value.unsigned()),)
    position = read_position(value)
    return (inputs.Put(position, exactly=value.has("exactly") and value.get("exactly").flag()),)


def read_ticks(node: Node) -> int:
    """How many ticks a step has."""
    count = node.whole()
    if not 0 <= count <= MOST_TICKS:
        node.fail(f"expected a number of ticks between 0 and {MOST_TICKS}")
    return count


def _keys(node: Node) -> MovementInput:
    node.only(*_AXES, "run", "jump")
    axes = {name: node.get(name).whole() if node.has(name) else 0 for name in _AXES}
    for name, value in axes.items():
        if value not in (-1, 0, 1):
            node.get(name).fail("must be -1, 0 or 1")
    jump = node.get("jump").exact() if node.has("jump") else None
    if jump is not None and not 0.0 <= jump <= 1.0:
        node.get("jump").fail("an extent lies between 0 and 1")
    run = node.get("run").flag() if node.has("run") else False
    return MovementInput(forward=axes["forward"], side=axes["side"], turn=axes["turn"], run=run, jump=jump)


def read_phase(node: Node) -> DoorPhase:
    """A door's phase by its name."""
    names = [phase.value for phase in DoorPhase]
    if node.text() not in names:
        node.fail(f"expected one of {', '.join(names)}")
    return DoorPhase(node.text())


def position_document(position: Position) -> Json:
    """A position to the bit."""
    frame = position.frame
    return {"cell": hex_id(position.cell_id), "origin": list(frame.origin), "orientation": list(frame.quat)}


def read_position(node: Node) -> Position:
    """A position that was written so."""
    x, y, z = exact_numbers(node.get("origin"), 3)
    return Position(node.get("cell").unsigned(), Frame((x, y, z), node.get("orientation").turn()))


def exact_numbers(node: Node, count: int) -> list[float]:
    """So many numbers at full precision."""
    members = node.members()
    if len(members) != count:
        node.fail(f"expected {count} numbers, not {len(members)}")
    return [member.exact() for member in members]


def placed_document(placed: PlacedObject) -> Json:
    """An object that was placed."""
    document: Json = {
        "id": hex_id(placed.object_id),
        "model": hex_id(placed.model_id),
        **position_document(Position(placed.cell_id, placed.frame)),
        "scale": placed.scale,
        "state": None if placed.state is None else f"0x{placed.state:X}",
        "entity": placed.is_entity,
        "name": placed.name,
        "motion_table": hex_id(placed.motion_table),
        "weenie_type": placed.weenie_type,
    }
    if placed.hours is not None:
        document["hours"] = list(placed.hours)
    return document if placed.door is None else {**document, "door": placed.door._asdict()}


def read_placed(node: Node) -> PlacedObject:
    """An object that was written so."""
    position = read_position(node)
    node.get("origin").vec3()  # within the bounds of records'
    node.get("orientation").turn()
    if not 0.0 < node.get("scale").exact() <= LARGEST_SCALE:
        node.get("scale").fail(f"is not above 0 and up to {LARGEST_SCALE:g}")
    return PlacedObject(
        object_id=node.get("id").unsigned(),
        model_id=node.get("model").unsigned(),
        cell_id=position.cell_id,
        frame=position.frame,
        scale=node.get("scale").exact(),
        state=node.get("state").unsigned() if node.has("state") else None,
        is_entity=node.get("entity").flag(),
        name=node.get("name").text() if node.has("name") else "",
        motion_table=node.get("motion_table").unsigned(),
        weenie_type=node.get("weenie_type").whole(),
        door=read_door_facts(node.get("door")) if node.has("door") else None,
        hours=read_hours(node.get("hours")) if node.has("hours") else None,
    )  # fmt: skip
