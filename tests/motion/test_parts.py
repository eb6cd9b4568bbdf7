"""The cases of motion 9.6: where parts stand, and what stands about and plays by itself (motion 5.4)."""

import math
import sys

import pytest

from engine.dat.records.motion_table import AnimData, MotionTable, StyleDefault
from engine.motion.commands import NON_COMBAT, READY
from engine.motion.idle import Idle, Idles
from engine.motion.lookup import MotionLookup, key_of
from engine.motion.pose import whole_pose
from engine.motion.sequence import MOST_EVENTS, Node, pose_at
from engine.world.frame import Frame, quat_about_z
from engine.world.models import Model, PartModel
from tests.motion.made import Made, clip, degrees, motion, moving

POSES = [
    (moving(0, 0, 1), moving(0, 0.5, 1)),
    (moving(0, 0, 1), moving(0.25, 0.5, 1, 45)),
    (moving(0, 0, 1.25), moving(0.5, 0.5, 1, 90)),
]
P = clip(3, poses=POSES)
NODE = Node(P, 0, -1, 10.0)
PART = PartModel(
    gfxobj_id=0x01000001,
    physics_root=None,
    physics_polygons={},
    sphere=None,
    box=((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
)


def frame_at(x, y, z, angle=0.0):
    return Frame((float(x), float(y), float(z)), quat_about_z(math.radians(angle)))


def places(fn, angle=0.0, scale=1.0, resting=(), *, blended=False):
    pose = pose_at([NODE], 0, fn, blended=blended)
    return placed(frame_at(10, 20, 30, angle), whole_pose(pose, tuple(resting)), scale)


def placed(frame, pose, scale):
    return [frame.combine(part.scaled(scale)) for part in pose]


def same(frames, *expected):
    assert len(frames) == len(expected)
    for frame, (origin, angle) in zip(frames, expected, strict=True):
        assert frame.origin == pytest.approx(origin, abs=5e-4)
        assert (degrees(frame) - angle + 180) % 360 - 180 == pytest.approx(0, abs=5e-3)


def test_P1_P2_parts_are_scaled_in_place_and_turned_with_the_object():
    same(places(0.0, 90, 2.0), ((10, 20, 32), 90), ((9, 20, 32), 90))
    same(places(1.5, 90, 2.0), ((10, 20, 32), 90), ((9, 20.5, 32), 135))


def test_P3_a_part_that_the_animation_lacks_stays():
    third = frame_at(1, 2, 3)
    found = places(1.5, resting=(frame_at(0, 0, 0), frame_at(0, 0, 0), third))
    same(found, ((10, 20, 31), 0), ((10.25, 20.5, 31), 45), ((11, 22, 33), 0))


def test_P4_the_last_frame():
    same(places(2.5), ((10, 20, 31.25), 0), ((10.5, 20.5, 31), 90))


def test_P5_without_animation_the_placement_frame():
    resting = (frame_at(0, 0, 0.915), frame_at(1, 0, 0, 180))
    found = placed(frame_at(10, 20, 30, 90), whole_pose(None, resting), 1.5)
    same(found, ((10, 20, 31.3725), 90), ((10, 21.5, 30), 270))


def test_P6_P7_blended_between_two_frames_and_back_to_the_first():
    same(places(1.5, blended=True), ((10, 20, 31.125), 0), ((10.375, 20.5, 31), 67.5))
    same(places(2.5, blended=True), ((10, 20, 31.125), 0), ((10.25, 20.5, 31), 45))


def test_P9_P10_a_part_stands_where_its_pose_says_and_what_it_holds_upon_it():
    # Default scales shape a part's mesh alone; what is held stands in the part's frame, unscaled.
    part = places(1.5, 90, 2.0)[1]
    same([part.combine(frame_at(0, 0, 0.1))], ((9, 20.5, 32.1), 135))


def test_a_part_that_leaps_is_not_drawn_on_its_way():
    far = clip(2, poses=[(moving(),), (moving(5.0),)])
    turned = clip(2, poses=[(moving(),), (moving(degrees=150),)])
    for leap in (far, turned):
        (frame,) = pose_at([Node(leap, 0, -1, 10.0)], 0, 0.5, blended=True)
        same([frame], ((0, 0, 0), 0))


# -- by themselves


def idle(fps, frames=3, hooks=None):
    return Idle((Node(clip(frames, hooks, poses=None), 0, -1, fps),))


def test_P8_a_default_animation_goes_by_thirty_frames_a_second():
    made = Made({"p": 3})
    model_ = model(animation=made.numbers["p"])
    found = Idles(made, TablesOf({})).of(model_, static=True)
    assert found.at(0.15) == (0, pytest.approx(1.5))


def model(animation=0, motion_table=0):
    nowhere = Frame((0.0, 0.0, 0.0))
    return Model(
        model_id=0x02000010,
        parts=(PART,),
        part_frames=(nowhere,),
        part_scales=((1.0, 1.0, 1.0),),
        cylspheres=(),
        spheres=(),
        height=1.0,
        radius=1.0,
        step_up=0.1,
        step_down=0.1,
        sorting_sphere=None,
        motion_table=motion_table,
        script=False,
        animation=animation,
    )


class TablesOf:
    def __init__(self, tables):
        self.tables = tables

    def lookup(self, number):
        return self.tables.get(number)


def ready_table(made, name):
    cycle = motion(key_of(NON_COMBAT, READY), made.play(name, 20.0))
    return MotionLookup(MotionTable(1, NON_COMBAT, (StyleDefault(NON_COMBAT, READY),), (cycle,)))


def test_a_table_goes_before_a_default_animation_but_a_static_shows_its_first_frame():
    made = Made({"p": 3, "idle": 5})
    idles = Idles(made, TablesOf({9: ready_table(made, "idle")}))
    both = model(animation=made.numbers["p"], motion_table=9)
    assert idles.of(both).nodes[0].clip.id == made.numbers["idle"]
    assert idles.of(both, static=True).nodes[0].clip.id == made.numbers["p"]
    still = Idles(made, TablesOf({9: ready_table(made, "idle")})).of(model(motion_table=9), static=True)
    assert still.nodes[0].fps == 0.0 and not still.moves


def test_what_has_neither_stands_in_its_placement_frame():
    assert Idles(Made({}), TablesOf({})).of(model()) is None


def test_a_table_that_a_spawn_names_goes_before_the_setups():
    made = Made({"own": 3, "named": 5})
    idles = Idles(made, TablesOf({9: ready_table(made, "own"), 10: ready_table(made, "named")}))
    assert idles.of(model(motion_table=9), 10).nodes[0].clip.id == made.numbers["named"]


def test_on_ticks_every_frame_is_shown_once():
    found = idle(30.0, 7)
    assert [math.floor(found.at(k / 30)[1]) for k in range(300)] == [k % 7 for k in range(300)]
    back = idle(-30.0, 7)
    assert [math.floor(back.at((k + 0.5) / 30)[1]) for k in range(7)] == [6, 5, 4, 3, 2, 1, 0]


def test_of_two_animations_the_first_plays_once():
    found = Idle((Node(clip(3), 0, -1, 10.0), Node(clip(5), 0, -1, 10.0)))
    assert [found.at(t)[0] for t in (0.0, 0.29, 0.3, 0.79, 0.81)] == [0, 0, 1, 1, 1]
    assert [math.floor(found.at(t)[1]) for t in (0.31, 0.79, 0.81)] == [0, 4, 0]


def fired(found, ticks, rate=30):
    out = []
    for k in range(ticks):
        out += [(k, h.values[0]) for h in found.hooks(k / rate, (k + 1) / rate)]
    return out


def test_hooks_fire_once_each_time_their_frame_is_left_and_never_on_the_last():
    hooks = {0: [(100, 0)], 2: [(102, 1)], 3: [(103, -1)], 4: [(104, 0)]}
    assert fired(idle(30.0, 5, hooks), 10) == [(0, 100), (2, 102), (5, 100), (7, 102)]
    assert fired(idle(-30.0, 5, hooks), 5) == [(0, 104), (1, 103)]
    # Another rate loses none and doubles none.
    assert [tag for _, tag in fired(idle(12.5, 5, hooks), 48)] == [100, 102] * 4


def test_hooks_of_what_plays_first_come_before_those_of_the_cycle():
    first, second = clip(3, {1: [(1, 0)]}), clip(4, {0: [(2, 0)]})
    found = Idle((Node(first, 0, -1, 30.0), Node(second, 0, -1, 30.0)))
    assert [tag for _, tag in fired(found, 8)] == [1, 2, 2]


def test_each_hook_comes_due_when_its_frame_is_left():
    first, second = clip(3, {1: [(1, 0)]}), clip(4, {0: [(2, 0)], 2: [(3, 0)]})
    found = Idle((Node(first, 0, -1, 10.0), Node(second, 0, -1, -10.0)))
    due = [(round(at, 9), hook.values[0]) for at, hook in found.timed_hooks(0.0, 1.0)]
    assert due == [(0.2, 1), (0.5, 3), (0.9, 3)]
    assert all(at <= 0.2 for at, _ in found.timed_hooks(0.0, 0.2))


def test_a_stretch_of_time_gives_so_many_hooks_at_most_and_makes_no_more_than_are_asked_for():
    found = idle(30.0, 5, {k: [(k, 0)] * 3000 for k in range(4)})
    assert len(found.hooks(0.0, 60.0)) == MOST_EVENTS
    assert next(iter(found.timed_hooks(0.0, 60.0)))[1].values[0] == 0
    assert sys.getsizeof(found.timed_hooks(0.0, 60.0)) < 1000


def test_frames_of_damaged_numbers_are_the_objects():
    broken = moving(float("nan"))
    assert clip(1, poses=[(broken,)]).poses[0][0].origin == (0.0, 0.0, 0.0)


def test_anim_data_of_a_rate_that_is_no_number_stands_still():
    node = Node(P, 0, -1, AnimData(1, 0, -1, float("nan")).fps)
    assert node.fps == 0.0
