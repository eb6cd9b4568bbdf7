"""Scripts of a simulated movement: read, checked, as plain steps (promises 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import Final

from engine.dat.values import Sphere, Vec3
from engine.files.format_version import KEY, SIM_SCRIPT
from engine.files.shown import shown
from engine.physics.body.body import HUMAN_SPHERES, HUMAN_STEP_DOWN, HUMAN_STEP_UP
from engine.physics.enums import TICKS_PER_SECOND
from engine.physics.simulation.inputs import TICKS, Input
from engine.replay.begin import Begin, read_begin
from engine.replay.told import KINDS, MOST_TICKS, exact_numbers, read_ticks, read_told
from engine.world.location import parse_location
from engine.world.sources.json_node import JsonError, Node, read_json

RUN_SKILL = 200.0
JUMP_SKILL = 300.0


@dataclass(frozen=True, slots=True)
class Mover:
    """Who moves: spheres above the feet, step heights in metres, skills."""

    spheres: tuple[Sphere, ...] = HUMAN_SPHERES
    step_up: float = HUMAN_STEP_UP
    step_down: float = HUMAN_STEP_DOWN
    run_skill: float = RUN_SKILL
    jump_skill: float = JUMP_SKILL
    burden: float = 0.0


@dataclass(frozen=True, slots=True)
class MoveStep:
    """Ticks that move: bare sweeps, or full ticks of 1/30 s where ``walk``.

    ``runs`` are displacements, each with the number of ticks that it is made in.
    """

    runs: tuple[tuple[Vec3, int], ...]
    walk: bool

    @property
    def ticks(self) -> int:
        """How many ticks the step has."""
        return sum(count for _, count in self.runs)

    def moves(self) -> Iterator[Vec3]:
        """The displacement of each tick."""
        return chain.from_iterable(repeat(move, count) for move, count in self.runs)


@dataclass(frozen=True, slots=True)
class JumpStep:
    """A standing jump of an extent (0..1) before the next tick."""

    extent: float


@dataclass(frozen=True, slots=True)
class LaunchStep:
    """Leaving the ground with a velocity (m/s, world axes) before the next tick."""

    velocity: Vec3


@dataclass(frozen=True, slots=True)
class UseStep:
    """Using an entity before the next tick."""

    entity: int


@dataclass(frozen=True, slots=True)
class SetStateStep:
    """Assigning an entity's PhysicsState before the next tick."""

    entity: int
    state: int


@dataclass(frozen=True, slots=True)
class TeleportStep:
    """Being put somewhere before the next tick."""

    location: str


@dataclass(frozen=True, slots=True)
class ToldStep:
    """What a simulation was told in a walk: keys, turns, doors, objects that come and go."""

    told: tuple[Input, ...]


Step = ToldStep | MoveStep | JumpStep | LaunchStep | UseStep | SetStateStep | TeleportStep


@dataclass(frozen=True, slots=True)
class SimScript:
    """A start location, a mover and its steps; ``begin`` is where it begins in the middle of a walk."""

    start: str
    mover: Mover
    steps: tuple[Step, ...]
    begin: Begin | None = None

    @property
    def ticks(self) -> int:
        """How many ticks the script has."""
        return sum(map(ticks_of, self.steps))

    @property
    def first_tick(self) -> int:
        """The number of its first tick."""
        return 0 if self.begin is None else self.begin.tick + 1


def ticks_of(step: Step) -> int:
    """How many ticks a step has."""
    if isinstance(step, ToldStep):
        return sum(isinstance(told, TICKS) for told in step.told)
    return step.ticks if isinstance(step, MoveStep) else 0


def read_script(path: Path, *, pipes: bool = True) -> SimScript:
    """The script in a file, or in a pipe where ``pipes``. Raises JsonError: one line with the place."""
    return parse_script(read_json(path, pipes=pipes), str(path))


def parse_script(document: object, name: str = "script") -> SimScript:
    """A script from a decoded JSON document; errors as ``read_script``."""
    root = Node(document, name)
    root.of_form(SIM_SCRIPT)
    root.only("start", "mover", "begin", "steps", "comment", KEY)
    start = _place(root.get("start"))
    mover = _mover(root.get("mover")) if root.has("mover") else Mover()
    steps: list[Step] = []
    ticks = 0
    for node in root.get("steps").members():
        step = _step(node)
        steps.append(step)
        ticks += ticks_of(step)
        if ticks > MOST_TICKS:
            node.fail(f"with this step there are {ticks} ticks, more than {MOST_TICKS}")
    begin = read_begin(root.get("begin")) if root.has("begin") else None
    return SimScript(start, mover, tuple(steps), begin)


def _mover(node: Node) -> Mover:
    node.only("spheres", "step_up", "step_down", "run_skill", "jump_skill", "burden")
    spheres: tuple[Sphere, ...] = HUMAN_SPHERES
    if node.has("spheres"):
        members = node.get("spheres").members()
        if not 1 <= len(members) <= 2:
            node.get("spheres").fail("a mover has one or two spheres")
        spheres = tuple(_sphere(member) for member in members)

    def number(key: str, default: float) -> float:
        value = node.get(key).number() if node.has(key) else default
        if value < 0.0:
            node.get(key).fail("must not be negative")
        return value

    return Mover(
        spheres=spheres,
        step_up=number("step_up", HUMAN_STEP_UP),
        step_down=number("step_down", HUMAN_STEP_DOWN),
        run_skill=number("run_skill", RUN_SKILL),
        jump_skill=number("jump_skill", JUMP_SKILL),
        burden=number("burden", 0.0),
    )


def _sphere(node: Node) -> Sphere:
    x, y, z, r = node.numbers(4)
    if r <= 0.0:
        node.fail("the radius must be positive")
    return Sphere((x, y, z), r)


def _step(node: Node) -> Step:
    told = read_told(node)
    if told is not None:
        return ToldStep(told)
    keys = frozenset(node.mapping()) - {"comment"}
    if keys not in _STEPS:
        names = shown(", ".join(sorted(keys)), 80) or "nothing"
        node.fail(
            "a step is one of ticks+move, ticks+walk, moves, walks, wait, jump, launch, use, set_state, "
            f"teleport, {', '.join(KINDS)}, not {names}"
        )
    return _STEPS[keys](node)


def _ticks_step(node: Node, name: str, *, walk: bool) -> MoveStep:
    return MoveStep(((node.get(name).vec3(), read_ticks(node.get("ticks"))),), walk=walk)


def _moves_step(node: Node, name: str, *, walk: bool) -> MoveStep:
    return MoveStep(tuple((member.vec3(), 1) for member in node.items(name)), walk=walk)


def _wait_step(node: Node) -> MoveStep:
    seconds = node.get("wait").number()
    if not 0.0 <= seconds * TICKS_PER_SECOND <= MOST_TICKS:
        node.get("wait").fail(f"can't wait {seconds} seconds")
    return MoveStep((((0.0, 0.0, 0.0), round(seconds * TICKS_PER_SECOND)),), walk=True)


def _jump_step(node: Node) -> JumpStep:
    extent = node.get("jump").number()
    if not 0.0 <= extent <= 1.0:
        node.get("jump").fail("an extent lies between 0 and 1")
    return JumpStep(extent)


def _launch_step(node: Node) -> LaunchStep:
    x, y, z = exact_numbers(node.get("launch"), 3)
    return LaunchStep((x, y, z))


def _state_step(node: Node) -> SetStateStep:
    members = node.get("set_state").members()
    if len(members) != 2:
        node.get("set_state").fail("expected [entity, state]")
    return SetStateStep(members[0].unsigned(), members[1].unsigned())


_STEPS: Final[Mapping[frozenset[str], Callable[[Node], Step]]] = {
    frozenset({"ticks", "move"}): lambda node: _ticks_step(node, "move", walk=False),
    frozenset({"ticks", "walk"}): lambda node: _ticks_step(node, "walk", walk=True),
    frozenset({"moves"}): lambda node: _moves_step(node, "moves", walk=False),
    frozenset({"walks"}): lambda node: _moves_step(node, "walks", walk=True),
    frozenset({"wait"}): _wait_step,
    frozenset({"jump"}): _jump_step,
    frozenset({"launch"}): _launch_step,
    frozenset({"use"}): lambda node: UseStep(node.get("use").unsigned()),
    frozenset({"set_state"}): _state_step,
    frozenset({"teleport"}): lambda node: TeleportStep(_place(node.get("teleport"))),
}
"""The reader of a step by the keys that it has."""


def _place(node: Node) -> str:
    text = node.text()
    try:
        parse_location(text)
    except ValueError as error:
        node.fail(str(error))
    return text


__all__ = [
    "JsonError", "JumpStep", "LaunchStep", "MoveStep", "Mover", "SetStateStep", "SimScript", "Step",
    "TeleportStep", "ToldStep", "UseStep", "parse_script", "read_script", "ticks_of",
]  # fmt: skip
