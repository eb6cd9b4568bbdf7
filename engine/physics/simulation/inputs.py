"""What a simulation is told from outside, as things that can be kept and told again."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from engine.dat.values import Vec3
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.tick_report import TickReport
from engine.world.cells import PlacedObject
from engine.world.frame import Position

R_co = TypeVar("R_co", covariant=True)


class Told(Generic[R_co]):
    """Something that a simulation is told; doing it comes to an ``R_co``. Never changed.

    Two are equal that are of one kind and have the same fields.
    """

    __slots__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Told) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), *self._fields()))

    def __repr__(self) -> str:
        fields = zip(self.__slots__, self._fields(), strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in fields)})"

    def _fields(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)


class KeysTick(Told[TickReport]):
    """A full tick of what the keys ask for."""

    __slots__ = ("keys",)

    def __init__(self, keys: MovementInput) -> None:
        self.keys: Final = keys


class WalkTick(Told[TickReport]):
    """A full tick whose feet move by a displacement, metres in block axes."""

    __slots__ = ("displacement",)

    def __init__(self, displacement: Vec3) -> None:
        self.displacement: Final = displacement


class MoveTick(Told[TickReport]):
    """A tick that is one pure sweep."""

    __slots__ = ("displacement",)

    def __init__(self, displacement: Vec3) -> None:
        self.displacement: Final = displacement


class Face(Told[None]):
    """Turning the body to a heading, degrees clockwise from north."""

    __slots__ = ("heading",)

    def __init__(self, heading: float) -> None:
        self.heading: Final = heading


class Jump(Told[bool]):
    """A standing jump of an extent (0..1)."""

    __slots__ = ("extent",)

    def __init__(self, extent: float) -> None:
        self.extent: Final = extent


class Launch(Told[None]):
    """Leaving the ground with a velocity in block axes, m/s."""

    __slots__ = ("velocity",)

    def __init__(self, velocity: Vec3) -> None:
        self.velocity: Final = velocity


class Use(Told[bool]):
    """Using a door, as if so many seconds ago."""

    __slots__ = ("ago", "entity")

    def __init__(self, entity: int, ago: float = 0.0) -> None:
        self.entity: Final = entity
        self.ago: Final = ago


class SetState(Told[None]):
    """Assigning an entity's PhysicsState word."""

    __slots__ = ("entity", "state")

    def __init__(self, entity: int, state: int) -> None:
        self.entity: Final = entity
        self.state: Final = state


class StageDoor(Told[None]):
    """Putting a door into a state word and a phase of its own, whether they agree or not."""

    __slots__ = ("entity", "locked", "phase", "since", "state")

    def __init__(self, *, entity: int, state: int, phase: str, since: float, locked: bool) -> None:
        self.entity: Final = entity
        self.state: Final = state
        self.phase: Final = phase
        self.since: Final = since
        self.locked: Final = locked


class Put(Told[TickReport]):
    """Putting the body somewhere: by a teleport, which settles it, or exactly there."""

    __slots__ = ("exactly", "position")

    def __init__(self, position: Position, *, exactly: bool = False) -> None:
        self.position: Final = position
        self.exactly: Final = exactly


class Spawn(Told[bool]):
    """An object that comes into the world."""

    __slots__ = ("placed",)

    def __init__(self, placed: PlacedObject) -> None:
        self.placed: Final = placed


class Despawn(Told[None]):
    """An object that leaves the world."""

    __slots__ = ("entity",)

    def __init__(self, entity: int) -> None:
        self.entity: Final = entity


Input = (
    KeysTick | WalkTick | MoveTick | Face | Jump | Launch | Use | SetState | StageDoor | Put | Spawn | Despawn
)
TICKS: Final = (KeysTick, WalkTick, MoveTick)
