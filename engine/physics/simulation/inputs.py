"""What a simulation is told from outside, as things that can be kept and told again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from engine.dat.values import Vec3
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.tick_report import TickReport
from engine.world.cells import PlacedObject
from engine.world.frame import Position

R_co = TypeVar("R_co", covariant=True)


class Told(Generic[R_co]):
    """Something that a simulation is told; doing it comes to an ``R_co``."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class KeysTick(Told[TickReport]):
    """A full tick of what the keys ask for."""

    keys: MovementInput


@dataclass(frozen=True, slots=True)
class WalkTick(Told[TickReport]):
    """A full tick whose feet move by a displacement, metres in block axes."""

    displacement: Vec3


@dataclass(frozen=True, slots=True)
class MoveTick(Told[TickReport]):
    """A tick that is one pure sweep."""

    displacement: Vec3


@dataclass(frozen=True, slots=True)
class Face(Told[None]):
    """Turning the body to a heading, degrees clockwise from north."""

    heading: float


@dataclass(frozen=True, slots=True)
class Jump(Told[bool]):
    """A standing jump of an extent (0..1)."""

    extent: float


@dataclass(frozen=True, slots=True)
class Launch(Told[None]):
    """Leaving the ground with a velocity in block axes, m/s."""

    velocity: Vec3


@dataclass(frozen=True, slots=True)
class Use(Told[bool]):
    """Using a door, as if so many seconds ago."""

    entity: int
    ago: float = 0.0


@dataclass(frozen=True, slots=True)
class SetState(Told[None]):
    """Assigning an entity's PhysicsState word."""

    entity: int
    state: int


@dataclass(frozen=True, slots=True)
class StageDoor(Told[None]):
    """Putting a door into a state word and a phase of its own, whether they agree or not."""

    entity: int
    state: int
    phase: str
    since: float
    locked: bool


@dataclass(frozen=True, slots=True)
class Put(Told[TickReport]):
    """Putting the body somewhere: by a teleport, which settles it, or exactly there."""

    position: Position
    exactly: bool = False


@dataclass(frozen=True, slots=True)
class Spawn(Told[bool]):
    """An object that comes into the world."""

    placed: PlacedObject


@dataclass(frozen=True, slots=True)
class Despawn(Told[None]):
    """An object that leaves the world."""

    entity: int


Input = (
    KeysTick | WalkTick | MoveTick | Face | Jump | Launch | Use | SetState | StageDoor | Put | Spawn | Despawn
)
TICKS: Final = (KeysTick, WalkTick, MoveTick)
