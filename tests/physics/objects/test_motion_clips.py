"""Clips of a motion table as poses over time (dat-format 3.15-3.17)."""

import pytest

from engine.dat.errors import DatError
from engine.dat.pieces.hooks import AnimationHook, AnimFrame
from engine.dat.records.animation import Animation
from engine.dat.records.motion_table import AnimData, LinkTarget, MotionTable
from engine.dat.values import StoredFrame
from engine.physics.objects.motion_clip import EMPTY_CLIP, PoseRoom, door_motion, is_door_table, motion_clip
from tests.physics.models import DOOR_TABLE, add_door_motion, door_model
from tests.physics.stage import empty_world

ONE = (1.0, 0.0, 0.0, 0.0)


def numbered(count):
    """An animation whose first part stands at x = frame number."""
    return Animation(
        id=0x03000009, flags=0, num_parts=1, pos_frames=None,
        frames=tuple(AnimFrame((StoredFrame((float(i), 0.0, 0.0), ONE),), ()) for i in range(count)),
    )  # fmt: skip


def clip_of(*anims, count=5):
    world = empty_world()
    world.source.animations[0x03000009] = numbered(count)  # type: ignore[attr-defined]
    stretches = tuple(AnimData(0x03000009, low, high, fps) for low, high, fps in anims)
    return motion_clip(world, LinkTarget(1, 0, 0, stretches), door_model())


def shown(clip, *times):
    return [clip.pose_at(t)[0].origin[0] for t in times]


def test_forwards_from_low_to_past_high():
    clip = clip_of((0, -1, 10.0))
    assert clip.length == pytest.approx(0.5)
    assert shown(clip, 0.0, 0.09, 0.1, 0.45, 0.5, 9.0) == [0, 0, 1, 4, 4, 4]


def test_backwards_from_high_to_below_low():
    clip = clip_of((1, 3, -10.0))
    assert clip.length == pytest.approx(0.3)
    assert shown(clip, 0.0, 0.1, 0.25) == [3, 2, 1]


def test_stretches_follow_each_other():
    clip = clip_of((0, 1, 10.0), (4, 4, 5.0))
    assert clip.length == pytest.approx(0.4)
    assert shown(clip, 0.05, 0.15, 0.2, 0.39) == [0, 1, 4, 4]


def test_a_stretch_without_speed_shows_one_pose_and_takes_no_time():
    clip = clip_of((2, 4, 0.0))
    assert clip.length == 0.0
    assert shown(clip, 0.0, 1.0) == [2, 2]


def test_frame_numbers_beyond_the_animation_are_cut():
    assert clip_of((-3, 99, 10.0)).length == pytest.approx(0.5)
    assert clip_of((4, 1, 10.0)) == EMPTY_CLIP


def test_a_cycle_loops():
    clip = clip_of((0, -1, 10.0))
    assert clip.pose_in_loop(1.25)[0].origin[0] == 2
    assert EMPTY_CLIP.pose_in_loop(1.0) is None


def test_parts_beyond_the_animation_keep_their_placement():
    pose = clip_of((0, -1, 10.0)).pose_at(0.0)
    assert len(pose) == 3
    assert [f.origin for f in pose[1:]] == [f.origin for f in door_model().part_frames[1:]]


def test_hooks_come_due_when_their_frame_is_left_and_never_on_a_stretchs_last():
    def tag(number, direction=0):
        return AnimationHook(0x0E, direction, (number,))

    world = empty_world()
    still = (StoredFrame((0.0, 0.0, 0.0), ONE),)
    tags = ((tag(0),), (tag(1, 1), tag(2, -1)), (tag(3), tag(4, -2)), (tag(5),))
    world.source.animations[0x03000009] = Animation(  # type: ignore[attr-defined]
        id=0x03000009, flags=0, num_parts=1, pos_frames=None, frames=tuple(AnimFrame(still, t) for t in tags)
    )

    def due(*fps):
        anims = tuple(AnimData(0x03000009, 0, -1, rate) for rate in fps)
        clip = motion_clip(world, LinkTarget(1, 0, 0, anims), door_model())
        return [(round(at, 9), hook.values[0]) for at, hook in clip.hooks]

    assert due(10.0) == [(0.1, 0), (0.2, 1), (0.3, 3)]
    assert due(-10.0) == [(0.1, 5), (0.2, 3), (0.3, 2)]
    assert due(10.0, 20.0)[3:] == [(0.45, 0), (0.5, 1), (0.55, 3)]
    assert due(0.0) == []


def test_a_missing_or_damaged_animation_is_left_out():
    world = empty_world()
    motion = LinkTarget(1, 0, 0, (AnimData(0x03000077, 0, -1, 30.0),))
    assert motion_clip(world, motion, door_model()) == EMPTY_CLIP

    def broken(animation_id):
        raise DatError("portal.dat", animation_id, 4, "too short")

    world.source.animation = broken
    assert motion_clip(world, motion, door_model()) == EMPTY_CLIP
    assert len(world.problems.lines) == 1
    assert "0x03000077" in world.problems.lines[0]


@pytest.mark.parametrize("bad", [float("inf"), float("nan"), 1e38])
def test_a_part_that_is_nowhere_in_a_frame_stays_where_it_rests_and_is_told(bad):
    world = empty_world()
    sound = numbered(3)
    nowhere = AnimFrame((StoredFrame((bad, 0.0, 0.0), ONE),), ())
    frames = (sound.frames[0], nowhere, sound.frames[2])
    world.source.animations[0x03000009] = sound._replace(frames=frames)  # type: ignore[attr-defined]
    clip = motion_clip(world, LinkTarget(1, 0, 0, (AnimData(0x03000009, 0, -1, 10.0),)), door_model())
    resting = door_motion(world, None, door_model()).placement[0].origin[0]
    assert shown(clip, 0.0, 0.1, 0.2) == [0.0, resting, 2.0]
    (line,) = world.problems.lines
    assert "object 0x03000009: frames[1].frames[0]" in line
    assert clip_of((0, -1, bad)).length == 0.0


def test_a_door_of_45_frames_takes_a_second_and_a_half():
    world = empty_world()
    motion = door_motion(world, add_door_motion(world), door_model())
    assert motion.opening.length == pytest.approx(1.5)
    assert motion.closing.length == pytest.approx(1.5)
    assert motion.closed_pose[0].origin == pytest.approx((-0.01, 0.12, 1.28))
    first, last = motion.closing.pose_at(0.0), motion.closing.pose_at(1.5)
    assert first[0].quat == pytest.approx(motion.open_pose[0].quat)
    assert last[0].quat == pytest.approx(motion.closed_pose[0].quat)


def test_what_is_a_door_table():
    world = empty_world()
    assert is_door_table(add_door_motion(world))
    assert not is_door_table(MotionTable(DOOR_TABLE, 0x8000003D))


def test_without_a_table_there_are_no_clips():
    door = door_model()
    motion = door_motion(empty_world(), None, door)
    assert motion.opening.length == motion.closing.length == 0.0
    assert motion.closed_pose == motion.open_pose == door.part_frames


def test_the_clips_of_all_doors_have_so_many_frames(monkeypatch):
    """A thousand frames that each motion of a door plays a hundred times, 100 kB, took 600 MB."""
    monkeypatch.setattr("engine.physics.objects.motion_clip.MOST_POSED", 30)
    world = empty_world()
    world.source.animations[0x03000009] = numbered(5)  # type: ignore[attr-defined]
    room, again = PoseRoom(), LinkTarget(1, 0, 0, (AnimData(0x03000009, 0, -1, 10.0),) * 4)
    first = motion_clip(world, again, door_model(), room)
    assert shown(first, 0.0, 0.5, 9.0) == [0, 0, 1]
    assert len(first.poses) == len(first.starts) == 7
    assert first.length == pytest.approx(0.7)
    assert motion_clip(world, again, door_model(), room) == EMPTY_CLIP
    assert "the clips of doors have over 30 parts" in world.problems.lines[0]
