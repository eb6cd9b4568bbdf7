"""What thousands ask of one long record is worked out once (scripts, tables of scripts, motion tables)."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from random import Random
from typing import Any

from engine.dat.pieces.hooks import AnimationHook
from engine.dat.records.motion_table import MotionData, MotionTable
from engine.dat.records.physics_script import PhysicsScript, ScriptItem
from engine.dat.records.physics_script_table import PhysicsScriptTable, PlayType, ScriptChoice
from engine.made_once import MadeOnce
from engine.motion.idle import Idle
from engine.motion.ready_clip import Clip
from engine.motion.sequence import Node
from engine.particles.script_queue import ScriptQueue
from engine.physics.objects.motion_clip import is_door_table
from engine.world.frame import Frame
from engine.world.loading.model_store import ModelStore
from engine.world.source import Problems


class Long(tuple[Any, ...]):
    """A list that notes each time that it is gone through."""

    times = 0

    def __iter__(self) -> Iterator[Any]:
        Long.times += 1
        return super().__iter__()


def test_each_object_is_asked_for_once_and_no_more_are_kept_than_may_be() -> None:
    made: list[object] = []
    once = MadeOnce[tuple[int, ...], int](lambda record: made.append(record) or len(made), most=2)  # type: ignore[func-returns-value]
    a, b, c = (1, *[2]), (1, *[2]), (1, *[2])
    assert [once(x) for x in (a, b, a, b)] == [1, 2, 1, 2]
    assert [once(x) for x in (c, b, a)] == [3, 2, 4]


def test_a_script_is_put_in_order_once_for_all_who_play_it() -> None:
    """Of a thousand calls of a long script each sorted it, and kept a copy."""
    hook = AnimationHook(0x00, 0, ())
    script = PhysicsScript(1, Long(ScriptItem(float(n), hook) for n in (2, 0, 1)))
    Long.times = 0
    queues = [ScriptQueue() for _ in range(9)]
    for queue in queues:
        queue.add(script, 0.0)
        queue.add(script, 0.0)
    assert Long.times <= 2
    assert {id(playing.items) for queue in queues for playing in queue._queue} == {
        id(queues[0]._queue[0].items)
    }
    assert [item.start for item in queues[0]._queue[1].items] == [0.0, 1.0, 2.0]
    assert queues[0]._queue[1].start == 2.0


def test_a_table_chooses_as_by_going_through_it() -> None:
    """A thousand hooks of a tick may each ask a table of a hundred thousand rows."""
    dice = Random(2)
    levels = (-1.0, 0.0, 0.25, 0.5, 1.0, nan)
    for _ in range(50):
        plays = [
            PlayType(
                dice.randrange(3),
                tuple(ScriptChoice(dice.choice(levels), n) for n in range(dice.randrange(6))),
            )
            for _ in range(4)
        ]
        table = PhysicsScriptTable(1, Long(plays))
        table.choose(0, 0.0)
        Long.times = 0
        for kind in range(4):
            for intensity in (*levels, 0.3, 2.0):
                rows = next((play.choices for play in plays if play.type == kind), ())
                slow = next((row.script for row in rows if intensity <= row.threshold), None)
                assert table.choose(kind, intensity) == slow
        assert Long.times == 0


def test_whether_a_table_is_a_doors_is_looked_for_once() -> None:
    """Forty thousand cycles took two thousandths of a second for each entity."""
    table = MotionTable(
        1,
        0,
        (),
        Long(MotionData(key=n, bits=0, flags=0, anims=(), velocity=None, omega=None) for n in range(3)),
    )
    assert not is_door_table(table)
    Long.times = 0
    assert not is_door_table(table)
    assert Long.times == 0


def test_the_kinds_of_an_animations_hooks_are_looked_for_once() -> None:
    hooks = Long(AnimationHook(kind, 0, ()) for kind in (0x00, 0x04))
    pose = (Frame((0.0, 0.0, 0.0)),)
    idle = Idle((Node(Clip(1, (pose, pose), None, {0: hooks}), 0, -1, 30.0),))
    assert not idle.has_effects
    Long.times = 0
    assert idle.has_hooks({0x04})
    assert not idle.has_hooks((0x05, 0x06))
    assert not idle.has_effects
    assert Long.times == 0


def test_whether_a_script_changes_looks_is_looked_for_once() -> None:
    asked: list[int] = []
    store = ModelStore(None, Problems())  # type: ignore[arg-type]
    store._script = asked.append  # type: ignore[method-assign, assignment, return-value]
    assert not any(store._changes_looks(script) for script in (7, 7, 0, 7))
    assert asked == [7]
