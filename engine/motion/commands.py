"""Motion commands and the classes that their bits tell (motion 1.2)."""

from __future__ import annotations

from typing import Final

STYLE: Final = 0x80000000
SUBSTATE: Final = 0x40000000
MODIFIER: Final = 0x20000000
ACTION: Final = 0x10000000

NON_COMBAT: Final = 0x8000003D
READY: Final = 0x41000003
WALK_FORWARD: Final = 0x45000005
RUN_FORWARD: Final = 0x44000007
TURN_RIGHT: Final = 0x6500000D
SIDE_STEP_RIGHT: Final = 0x6500000F
FALLING: Final = 0x40000015

NAMES: Final = {
    READY: "Ready",
    WALK_FORWARD: "WalkForward",
    RUN_FORWARD: "RunForward",
    TURN_RIGHT: "TurnRight",
    SIDE_STEP_RIGHT: "SideStepRight",
    FALLING: "Falling",
}
"""What to call the commands that move a body."""


def is_same_way(one: float, other: float) -> bool:
    """Whether two speeds both lead forwards, which 0 does, or both backwards."""
    return (one < 0.0) is (other < 0.0)
