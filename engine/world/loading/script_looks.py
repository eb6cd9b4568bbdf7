"""Whether a script changes how its object looks: such an object is not drawn with what never changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.dat.pieces.hooks import CALL_SCRIPT, LOOK_HOOKS
from engine.dat.records.physics_script import PhysicsScript

MOST_SCRIPTS: Final = 64
"""Scripts that are looked through at most: they may call one another for ever."""


def changes_looks(script_of: Callable[[int], PhysicsScript | None], script_id: int) -> bool:
    """Whether a script, or one that it calls, has a hook that changes how its object looks (motion 8.1).

    ``script_of`` gives None for a script that is missing or damaged.
    """
    seen, waiting = {script_id}, [script_id]
    while waiting and len(seen) <= MOST_SCRIPTS:
        script = script_of(waiting.pop())
        for item in script.items if script is not None else ():
            if item.hook.type in LOOK_HOOKS:
                return True
            if item.hook.type == CALL_SCRIPT:
                called = item.hook.values[0]
                if isinstance(called, int) and called not in seen:
                    seen.add(called)
                    waiting.append(called)
    return False
