"""Places of a walk before the front door of the demo."""

from __future__ import annotations

from engine.physics.simulation.movement import MovementInput

BEFORE_THE_DOOR = "0xA9B40031 [155.4 18.2 94.0] 0 0 0 1"
VESTIBULE = "0xA9B40170 [155.4 15.2 94.0] 0 0 0 1"
DOOR = 0x7A9B4015
SIZE = (320, 180)
FORWARD = MovementInput(forward=1, run=True)
