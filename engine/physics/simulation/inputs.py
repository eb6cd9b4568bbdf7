"""What a simulation is told from outside, as things that can be kept and told again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.dat.values import Vec3
from engine.physics.simulation.movement import MovementInput
from engine.world.cells import PlacedObject
from engine.world.frame import Position


@dataclass(frozen=True, slots=True)
class KeysTick:
    """A full tick of what the keys ask for."""

    keys: MovementInput


@dataclass(frozen=True, slots=True)
class WalkTick:
    """A full tick whose feet move by a displacement, metres in block axes."""

    displacement: Vec3


@dataclass(frozen=True, slots=True)
class MoveTick:
    """A tick that is one pure sweep."""

    displacement: Vec3


@dataclass(frozen=True, slots=True)
class Face:
    """Turning the body to a heading, degrees clockwise from north."""

    heading: float


@dataclass(frozen=True, slots=True)
class Jump:
    """A standing jump of an extent (0..1)."""

    extent: float


@dataclass(frozen=True, slots=True)
class Launch:
    """Leaving the ground with a velocity in block axes, m/s."""

    velocity: Vec3


@dataclass(frozen=True, slots=True)
class Use:
    """Using a door, as if so many seconds ago."""

    entity: int
    ago: float = 0.0


@dataclass(frozen=True, slots=True)
class SetState:
    """Assigning an entity's PhysicsState word."""

    entity: int
    state: int


@dataclass(frozen=True, slots=True)
class StageDoor:
    """Putting a door into a state word and a phase of its own, whether they agree or not."""

    entity: int
    state: int
    phase: str
    since: float
    locked: bool


@dataclass(frozen=True, slots=True)
class Put:
    """Putting the body somewhere: by a teleport, which settles it, or exactly there."""

    position: Position
    exactly: bool = False


@dataclass(frozen=True, slots=True)
class Spawn:
    """An object that comes into the world."""

    placed: PlacedObject


@dataclass(frozen=True, slots=True)
class Despawn:
    """An object that leaves the world."""

    entity: int


Input = (
    KeysTick | WalkTick | MoveTick | Face | Jump | Launch | Use | SetState | StageDoor | Put | Spawn | Despawn
)
TICKS: Final = (KeysTick, WalkTick, MoveTick)
