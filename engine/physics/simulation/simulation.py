"""One body in a world, and all that it can be told: ticks, keys, jumps, doors, places (promises 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from engine.dat.values import Vec3
from engine.physics.enums import TICKS_PER_SECOND
from engine.physics.simulation import inputs
from engine.physics.simulation.input_deeds import DEEDS
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.mover import MoverSettings
from engine.physics.simulation.residency import BlockKeeper
from engine.physics.simulation.tick_report import TickReport
from engine.physics.simulation.ticking import NOTHING, Ticking
from engine.world.cells import PlacedObject
from engine.world.frame import Position
from engine.world.loading.world import World

InputListener = Callable[[inputs.Input], None]
R = TypeVar("R")


class Simulation(Ticking):
    """A body that ticks, told from outside; every method that changes something is one ``Input`` to ``tell``.

    The body is nowhere until ``spawn``. Listeners in ``on_input`` get everything that it is told before it
    does it: told again from the same state, it leads to the same.
    """

    def __init__(
        self, world: World, mover: MoverSettings | None = None, residency: BlockKeeper | None = None
    ) -> None:
        super().__init__(world, mover, residency)
        self.on_input: list[InputListener] = []

    def tell(self, told: inputs.Told[R]) -> R:
        """Do what an input says, after the listeners heard it. Raises SimulationError where it can't be."""
        for listener in self.on_input:
            listener(cast("inputs.Input", told))
        return cast("R", DEEDS[type(told)](self, told))

    # -- ticks

    def move_tick(self, displacement: Vec3) -> TickReport:
        """A tick that is one pure sweep: no gravity and no velocity; a zero length moves nothing."""
        return self.tell(inputs.MoveTick(displacement))

    def walk_tick(self, displacement: Vec3 = NOTHING) -> TickReport:
        """A full tick: the feet's motion while on walkable ground, velocity, gravity and friction."""
        return self.tell(inputs.WalkTick(displacement))

    def input_tick(self, keys: MovementInput) -> TickReport:
        """A full tick of what the keys ask for (movement 10)."""
        return self.tell(inputs.KeysTick(keys))

    def wait(self, seconds: float) -> list[TickReport]:
        """``round(30 * seconds)`` full ticks without any motion of the feet."""
        return [self.walk_tick() for _ in range(round(TICKS_PER_SECOND * seconds))]

    # -- the body

    def spawn(self, position: Position) -> TickReport:
        """Put the body down for the first time; as ``teleport``."""
        return self.teleport(position)

    def teleport(self, position: Position) -> TickReport:
        """Load the target's surroundings, put the body there and let it settle (SetPosition).

        Raises SimulationError, with the body where it was, when the cell is not there, the place lies in no
        cell or has no room (sweep 3.19).
        """
        return self.tell(inputs.Put(position))

    def hover(self, position: Position) -> TickReport:
        """Put the body exactly there whether it has room or not, to look around and not to walk on.

        Raises SimulationError when the cell is not there or the place lies in no cell.
        """
        return self.tell(inputs.Put(position, exactly=True))

    def face(self, heading: float) -> None:
        """Turn the body to a heading in degrees, clockwise from north."""
        self.tell(inputs.Face(heading))

    def jump(self, extent: float) -> bool:
        """A standing jump of an extent (0..1); False when the body is not on the ground (movement 10.4)."""
        return self.tell(inputs.Jump(extent))

    def launch(self, velocity: Vec3) -> None:
        """Leave the ground with a velocity in block axes, m/s.

        One that leads along the ground no faster than friction stops, and off it no faster than the tick's
        gravity takes back, leaves a body standing: in the air by name only, its contact would refuse every
        tick and it could never come down (sweep 3.3, 3.4, 3.6).
        """
        self.tell(inputs.Launch(velocity))

    # -- doors and objects

    def use(self, entity_id: int, ago: float = 0.0) -> bool:
        """Use a door, as if so many seconds ago; False when it is busy.

        Raises SimulationError for what is no door.
        """
        return self.tell(inputs.Use(entity_id, ago))

    def set_state(self, entity_id: int, state: int) -> None:
        """Assign an entity's state on every row at once; a door's clip and timer end with it."""
        self.tell(inputs.SetState(entity_id, state))

    def stage_door(self, entity_id: int, *, state: int, phase: str, since: float, locked: bool) -> None:
        """Put a door into a state word and a phase that began ``since`` seconds ago, which need not agree.

        ``phase`` is a DoorPhase by its name. Raises SimulationError for what is no door.
        """
        self.tell(inputs.StageDoor(entity=entity_id, state=state, phase=phase, since=since, locked=locked))

    def add(self, placed: PlacedObject) -> bool:
        """Let an object come into the world, a door where it is one; False where its model is not there."""
        return self.tell(inputs.Spawn(placed))

    def remove(self, entity_id: int) -> None:
        """Take an object out of the world."""
        self.tell(inputs.Despawn(entity_id))
