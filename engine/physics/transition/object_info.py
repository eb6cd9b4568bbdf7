"""What a transition needs to know of its mover (sweep 2.8)."""

from __future__ import annotations

from engine.native import mypyc_attr


@mypyc_attr(acyclic=True, free_list_len=1)
class ObjectInfo:
    """OBJECTINFO: ``state`` are the OI_* bits, heights are metres and already scaled.

    ``step_down`` is false for missiles only.
    """

    __slots__ = ("ethereal", "state", "step_down", "step_down_height", "step_up_height")

    def __init__(self) -> None:
        self.state = 0
        self.step_up_height = 0.01
        self.step_down_height = 0.01
        self.ethereal = False
        self.step_down = True
