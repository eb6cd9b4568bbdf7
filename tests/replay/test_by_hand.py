"""What was put down or taken away by hand is told as just that, whatever landblocks came and went."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.physics.objects.world_objects import WorldObjects
from engine.physics.simulation.inputs import MoveTick
from engine.physics.simulation.saved import save
from engine.physics.simulation.simulation import Simulation
from engine.replay.begin import begin_of
from engine.replay.by_hand import ByHandWatch
from engine.replay.capture import read_capture
from engine.replay.recorder import CaptureRecorder
from engine.replay.replay import replay
from engine.replay.sim import start_script
from engine.replay.sim_script import parse_script
from engine.world.cells import PlacedObject
from engine.world.frame import Frame, Position
from tests.physics.models import placed
from tests.physics.rooms import ROOM, room
from tests.physics.stage import block_of_cells, put_block
from tests.replay.door_stage import DOOR, START, stage

if TYPE_CHECKING:
    import pytest

NONE: tuple[PlacedObject, ...] = ()


def started() -> Simulation:
    return start_script(stage(), parse_script({"start": START, "steps": []}))


def test_what_a_landblock_brings_once_more_was_not_put_down_by_hand() -> None:
    simulation = started()
    world, early = simulation.world, ByHandWatch(simulation)
    own = simulation.objects.placed[DOOR]
    assert early.now() == (NONE, ())
    world.unload_block(ROOM)
    late = ByHandWatch(simulation)  # the door's landblock is gone, the door is known
    assert early.now() == late.now() == (NONE, ())
    begin = begin_of(save(simulation), simulation)
    assert (begin.spawned, begin.removed) == (NONE, ())
    block = block_of_cells(room())
    block.entities.append(own._replace(frame=Frame(own.frame.origin, own.frame.quat)))
    put_block(world, block)
    assert early.now() == late.now() == (NONE, ())
    moved = own._replace(frame=own.frame.with_origin((1.0, 2.0, 0.0)))
    simulation.add(moved)
    assert early.now() == late.now() == ((moved,), ())
    assert begin_of(save(simulation), simulation).spawned == (moved,)
    simulation.remove(DOOR)
    assert early.now() == late.now() == (NONE, (DOOR,))


def test_a_beginning_before_a_landblock_came_does_not_take_away_what_it_brings() -> None:
    simulation = started()
    before = save(simulation)
    block = block_of_cells(room(cell_id=0xA9B50100))
    block.entities.append(placed(0x02000001, 0xA9B50100, object_id=0x7A9B5001))
    put_block(simulation.world, block)
    begin = begin_of(before, simulation)
    assert (begin.spawned, begin.removed) == (NONE, ())


def test_a_replay_makes_what_was_put_down_by_hand_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulation, path = started(), tmp_path / "capture.jsonl"
    with CaptureRecorder(simulation, path):
        simulation.add(simulation.objects.placed[DOOR]._replace(object_id=0x7F000001))
        for _ in range(5):
            simulation.tell(MoveTick((0.0, 0.1, 0.0)))
    made: list[int] = []
    add = WorldObjects.add
    monkeypatch.setattr(WorldObjects, "add", lambda s, p: (made.append(p.object_id), add(s, p))[1])
    assert all(not done.differences() for done in replay(stage(), read_capture(path)))
    assert made.count(0x7F000001) == 1


def test_places_are_equal_by_what_they_are_and_not_by_who_made_them() -> None:
    frame, like = (Frame((1.0, 2.0, 3.0), (0.6, 0.0, 0.0, 0.8)) for _ in range(2))
    assert {frame: 1, Position(5, frame): 2} == {like: 1, Position(5, like): 2}
    others = (frame.with_origin((1.0, 2.0, 4.0)), Frame(frame.origin), Position(5, frame), None)
    assert all(frame != other for other in others)
    assert Position(5, frame) != Position(6, frame)
