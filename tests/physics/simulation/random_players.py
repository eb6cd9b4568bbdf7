"""Somebody who gives a simulation random inputs."""

from __future__ import annotations

from random import Random

from engine.physics.simulation.inputs import (
    Despawn,
    Face,
    Input,
    KeysTick,
    Launch,
    Put,
    SetState,
    Spawn,
    Use,
)
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Frame
from engine.world.physics_state import ETHEREAL

DOOR = 0x7A9B4015
BEFORE_THE_DOOR = "0xA9B40031 [155.4 18.2 94.0] 0 0 0 1"
AT_A_BORDER = "0xA9B40031 [190.0 18.2 94.0] 1 0 0 0"
PLACES = (BEFORE_THE_DOOR, "0xA9B40171 [155.4 12.6 94] 1 0 0 0", AT_A_BORDER)


class Script:
    """Random inputs as somebody gives them who tries everything at once."""

    def __init__(self, sim: Simulation, seed: int) -> None:
        self.sim = sim
        self.random = Random(seed)
        self.spawned = 0
        self.keys = MovementInput(forward=1, run=True)

    def next(self) -> list[Input]:
        random, told = self.random, []
        if random.random() < 0.05:
            self.keys = MovementInput(
                random.choice((-1, 0, 1, 1)), random.choice((-1, 0, 1)), random.choice((-1, 0, 1)),
                random.random() < 0.7,
            )  # fmt: skip
        if random.random() < 0.04:
            told.append(Face(random.uniform(0.0, 360.0)))
        if random.random() < 0.04:
            told.append(Use(DOOR))
        if random.random() < 0.02:
            door = self.sim.registry.objects[DOOR]
            told.append(SetState(DOOR, door.state ^ ETHEREAL))
        if random.random() < 0.02:
            told.append(Launch((random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(0, 8))))
        if random.random() < 0.02:
            told.append(Put(self.sim.world.locate(random.choice(PLACES))))
        if random.random() < 0.03:
            told.append(self.spawn())
        if random.random() < 0.02 and self.spawned:
            told.append(Despawn(0x7F000000 + random.randrange(self.spawned)))
        jump = random.random() if random.random() < 0.03 else None
        told.append(KeysTick(self.keys._replace(jump=jump)))
        return told  # type: ignore[return-value]

    def spawn(self) -> Spawn:
        """Another of the demo's doors, near the body."""
        placed, here = self.sim.objects.placed[DOOR], self.sim.position
        x, y, z = here.frame.origin
        frame = Frame((x + self.random.uniform(-2, 2), y + self.random.uniform(-2, 2), z), placed.frame.quat)
        self.spawned += 1
        return Spawn(
            placed._replace(object_id=0x7F000000 + self.spawned - 1, cell_id=here.cell_id, frame=frame)
        )
