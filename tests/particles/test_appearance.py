"""What hooks do to how an object looks: ramps, parts, scale, turning, scrolling (motion 8.1)."""

import math
import random

import pytest

from engine.dat.pieces.hooks import PAYLOADS, AnimationHook
from engine.particles.appearance import AS_IT_IS, Changing
from engine.particles.hook_player import MOST_PLAYED, STRETCH, HookPlayer
from engine.particles.script_queue import MOST_HOOKS, MOST_PAUSES
from engine.world.frame import Frame, quat_about_z
from engine.world.loading.script_looks import changes_looks
from tests.calls import calls_of
from tests.particles.bench_parts import Shelf
from tests.particles.built_scripts import call, create, script

TRANSPARENT_PART, LUMINOUS, LUMINOUS_PART, DIFFUSE, DIFFUSE_PART = 0x07, 0x08, 0x09, 0x0A, 0x0B
SCALE, NO_DRAW, TRANSPARENT, OMEGA, SCROLL, SCROLL_PART = 0x0C, 0x10, 0x14, 0x16, 0x17, 0x18
RAMPS = {TRANSPARENT: "translucency", LUMINOUS: "luminosity", DIFFUSE: "diffuse"}
PART_RAMPS = {TRANSPARENT_PART: "translucency", LUMINOUS_PART: "luminosity", DIFFUSE_PART: "diffuse"}
NAN = float("nan")


def hook(kind, *values):
    assert len(values) == len(PAYLOADS[kind])
    return AnimationHook(kind, 0, values)


def changing(*hooks, parts=3, scale=1.0):
    """One that took hooks, (time, hook)."""
    out = Changing(parts, scale)
    for at, fired in hooks:
        out.run(fired, at)
    return out


@pytest.mark.parametrize(("kind", "name"), RAMPS.items())
def test_a_ramp_goes_from_start_to_end_and_stays_there(kind, name):
    found = changing((10.0, hook(kind, 0.2, 0.8, 2.0)))
    values = [getattr(found.at(t).whole, name) for t in (10.0, 10.5, 11.0, 12.0, 50.0)]
    assert values == pytest.approx([0.2, 0.35, 0.5, 0.8, 0.8])
    assert found.at(11.0).part(2) == found.at(11.0).whole


@pytest.mark.parametrize("time", [0.0, 0.0001, -1.0])
def test_a_ramp_that_takes_no_time_is_at_its_end_at_once(time):
    assert changing((1.0, hook(TRANSPARENT, 0.2, 0.8, time))).at(1.0).whole.translucency == 0.8


@pytest.mark.parametrize(("kind", "name"), PART_RAMPS.items())
def test_a_parts_ramp_is_that_parts_alone(kind, name):
    found = changing((0.0, hook(kind, 1, 0.0, 1.0, 4.0))).at(1.0)
    assert getattr(found.part(1), name) == 0.25
    assert found.part(0) == found.part(2) == AS_IT_IS


def test_of_two_ramps_on_one_target_the_newer_stands():
    found = changing((0.0, hook(TRANSPARENT, 0.0, 1.0, 10.0)), (1.0, hook(TRANSPARENT, 0.5, 0.7, 2.0)))
    assert found.at(2.0).whole.translucency == pytest.approx(0.6)


def test_a_ramp_of_the_whole_object_takes_over_in_every_part():
    found = changing((0.0, hook(TRANSPARENT_PART, 1, 1.0, 1.0, 0.0)), (1.0, hook(TRANSPARENT, 0.0, 0.0, 0.0)))
    assert found.at(1.0).part(1).translucency == 0.0


def test_a_ramp_of_the_whole_object_leaves_a_part_what_else_is_its_own():
    found = changing(
        (0.0, hook(LUMINOUS_PART, 1, 0.5, 0.5, 0.0)), (1.0, hook(TRANSPARENT, 0.25, 0.25, 0.0))
    ).at(1.0)
    assert (found.part(1).luminosity, found.part(1).translucency) == (0.5, 0.25)


def test_a_part_that_is_given_something_of_its_own_keeps_the_rest():
    found = changing((0.0, hook(LUMINOUS, 0.0, 1.0, 2.0)), (1.0, hook(TRANSPARENT_PART, 1, 1.0, 1.0, 0.0)))
    assert (found.at(1.5).part(1).luminosity, found.at(1.5).part(1).translucency) == (0.75, 1.0)
    assert (found.at(1.5).part(0).luminosity, found.at(1.5).part(0).translucency) == (0.75, 0.0)


def test_hooks_of_parts_that_there_are_not_do_nothing():
    for part in (3, 0xFFFFFFFF):
        for fired in (hook(TRANSPARENT_PART, part, 1.0, 1.0, 0.0), hook(SCROLL_PART, part, 1.0, 0.0)):
            assert changing((0.0, fired)).at(1.0).parts == {}


def test_translucency_is_between_opaque_and_invisible():
    assert changing((0.0, hook(TRANSPARENT, -1.0, 3.0, 4.0))).at(0.5).whole.translucency == 0.0
    assert changing((0.0, hook(TRANSPARENT, -1.0, 3.0, 4.0))).at(4.0).whole.translucency == 1.0


def test_surfaces_keep_their_own_light_until_a_hook_comes():
    found = changing((0.0, hook(TRANSPARENT, 0.0, 0.5, 1.0))).at(1.0)
    assert found.whole.luminosity is None and found.whole.diffuse is None
    assert found.scale is None and not found.hidden


def test_scale_goes_on_from_where_it_is():
    found = changing((0.0, hook(SCALE, 4.0, 2.0)), (1.0, hook(SCALE, 1.0, 4.0)), scale=2.0)
    assert found.at(1.0).scale == 3.0
    assert found.at(3.0).scale == 2.0
    assert changing((0.0, hook(SCALE, 4.0, 2.0)), scale=2.0).at(1.0).scale == 3.0


def test_all_parts_are_switched_off_and_on():
    found = changing((0.0, hook(NO_DRAW, 1)))
    assert found.at(0.0).hidden
    found.run(hook(NO_DRAW, 0), 1.0)
    assert not found.at(1.0).hidden


def test_omega_is_set_and_turns_the_object_in_its_own_axes():
    found = changing((1.0, hook(OMEGA, (0.0, 0.0, 2.0))), (2.0, hook(OMEGA, (0.0, 0.0, -0.5))))
    assert found.at(3.0).turn == pytest.approx(quat_about_z(2.0 - 0.5))
    stands = Frame((1.0, 2.0, 3.0), quat_about_z(0.25))
    assert found.at(3.0).standing(stands).quat == pytest.approx(quat_about_z(0.25 + 1.5))
    assert found.at(3.0).standing(stands).origin == stands.origin
    assert changing((0.0, hook(NO_DRAW, 0))).at(9.0).standing(stands) is stands


def test_texture_coordinates_are_moved_by_a_velocity_and_come_round():
    found = changing((1.0, hook(SCROLL, 1.25, -0.5)), (2.0, hook(SCROLL_PART, 1, 0.0, 1.75)))
    assert found.at(1.5).whole.shift == (0.625, 0.75)
    assert found.at(3.0).part(0).shift == (0.5, 0.0)
    assert found.at(3.0).part(1).shift == (0.25, 0.25)  # from 0.25, 0.5 on


def test_a_hook_of_the_whole_object_is_no_work_for_each_part():
    """Two thousand parts and as many hooks took ten seconds."""

    def work(count):
        hooks = [(0.0, hook(TRANSPARENT_PART, k, 0.0, 1.0, 1.0)) for k in range(count)]
        hooks += [(0.0, hook(SCROLL_PART, k, 0.5, 0.0)) for k in range(count)]
        hooks += [(1.0, hook(kind, *values)) for kind, values in WHOLE for _ in range(count // 2)]
        return calls_of(lambda: changing(*hooks, parts=count).at(2.0))

    assert work(80) < 2.5 * work(40)


WHOLE = ((TRANSPARENT, (0.0, 0.5, 1.0)), (SCROLL, (0.25, 0.0)))


def test_parts_look_as_each_hook_given_to_each_part_makes_them():
    """To the bit: what a part shows is what going through all hooks for it alone gives."""
    dice = random.Random(11)
    kinds = [*RAMPS, *PART_RAMPS, SCROLL, SCROLL_PART]
    hooks, now = [], 0.0
    for _ in range(60):
        kind = dice.choice(kinds)
        own = (dice.randrange(3),) if kind in PART_RAMPS or kind == SCROLL_PART else ()
        count = 2 if kind in (SCROLL, SCROLL_PART) else 3
        hooks.append((now, hook(kind, *own, *(dice.uniform(-3.0, 3.0) for _ in range(count)))))
        now += dice.choice((0.0, 0.01, 0.7))
    found = changing(*hooks).at(now + 0.3)
    assert sorted(found.parts) == [0, 1, 2]
    for part in range(3):
        whole = {**dict(zip(PART_RAMPS, RAMPS, strict=True)), SCROLL_PART: SCROLL}
        for_it = [
            (at, hook(whole[h.type], *h.values[1:]) if h.type in whole else h)
            for at, h in hooks
            if h.type not in whole or h.values[0] == part
        ]
        assert found.part(part) == changing(*for_it).at(now + 0.3).whole


@pytest.mark.parametrize(
    "fired",
    [
        hook(TRANSPARENT, NAN, 1.0, 1.0),
        hook(LUMINOUS_PART, 0, 0.0, 1.0, math.inf),
        hook(SCALE, NAN, 1.0),
        hook(OMEGA, (0.0, NAN, 0.0)),
        hook(SCROLL, math.inf, 0.0),
    ],
)
def test_hooks_whose_numbers_are_none_do_nothing(fired):
    found = changing((0.0, fired))
    assert not found.is_changed
    assert found.at(1.0) == changing().at(1.0)


@pytest.mark.parametrize("kind", sorted(set(PAYLOADS) - {*RAMPS, *PART_RAMPS, 0x0C, 0x10, 0x16, 0x17, 0x18}))
def test_sounds_attacks_and_the_rest_change_nothing_that_is_seen(kind):
    """Sounds, attack cones, ethereal, replaced parts, effects, lights (motion 8.2)."""
    values = tuple(0 if encoding != "vec3" else (0.0, 0.0, 0.0) for _, encoding in PAYLOADS[kind])
    assert not changing((0.0, AnimationHook(kind, 0, values))).is_changed


# -- played by scripts and animations

BLINK = script(
    0x33000010,
    (0.0, hook(TRANSPARENT, 0.0, 1.0, 1.0)),
    (1.0, hook(TRANSPARENT, 1.0, 0.0, 1.0)),
    (2.0, call(0x33000010)),
)


def player(*scripts, first=0x33000010, animation=None):
    return HookPlayer(Shelf(*scripts), "it", script=first, parts=3, scale=1.0, animation=animation)


def seen(playing, *times):
    return [playing.at(t).whole.translucency for t in times]


def test_a_script_that_calls_itself_goes_on_without_drifting():
    assert seen(player(BLINK), 0.25, 1.0, 1.5, 2.25, 400.25, 401.5) == pytest.approx(
        [0.25, 1.0, 0.5, 0.25, 0.25, 0.5]
    )


def test_what_is_seen_follows_from_the_time_alone():
    times = (3.3, 700.2, 0.1, 5.0, STRETCH * 3 + 0.7)
    alone = [seen(player(BLINK), t)[0] for t in times]
    assert seen(player(BLINK), *times) == alone
    after_steps = player(BLINK)
    for k in range(100):
        after_steps.at(k / 30)
    assert seen(after_steps, 3.3) == alone[:1]


def test_scripts_begin_anew_every_stretch_a_stretch_before_it_is_seen():
    """A loop of 7 s: from 1,200 s on it has begun at 600 s, before that at 0, whoever looked when."""
    ramp = script(0x33000010, (0.0, hook(TRANSPARENT, 0.0, 1.0, 7.0)), (7.0, call(0x33000010)))
    then, before = 1200.1, 1199.9
    expected = [(before % 7) / 7, ((then - 600) % 7) / 7]
    assert seen(player(ramp), before, then) == pytest.approx(expected)
    assert seen(player(ramp), then) == pytest.approx(expected[1:])


def test_a_script_that_is_called_after_a_pause_comes_within_it_and_the_same_every_time():
    fade = script(0x33000011, (0.0, hook(TRANSPARENT, 1.0, 1.0, 0.0)))
    later = script(0x33000010, (0.0, call(fade.id, 4.0)))
    at = next(k / 100 for k in range(401) if player(later, fade).at(k / 100) is not None)
    assert 0.0 < at < 4.0
    assert player(later, fade).at(at - 0.01) is None


def test_hooks_of_an_animation_and_of_a_script_come_in_the_order_of_their_times():
    class Animation:
        def timed_hooks(self, start, end):
            return [
                (t, hook(TRANSPARENT, v, v, 0.0)) for t, v in ((0.5, 0.1), (1.5, 0.2)) if start < t <= end
            ]

    one = script(0x33000010, (1.0, hook(TRANSPARENT, 0.9, 0.9, 0.0)))
    assert seen(player(one, animation=Animation()), 0.6, 1.1, 1.6) == [0.1, 0.9, 0.2]
    assert seen(player(one, animation=Animation()), 1.6) == [0.2]


def test_nothing_is_changed_without_a_hook_that_changes_it():
    assert player(script(0x33000010, (0.0, create()))).at(5.0) is None
    assert player(first=0).at(5.0) is None
    assert player(first=0x33000099).at(5.0) is None


@pytest.mark.parametrize("length", [0.0, 1e-5])
def test_a_script_that_never_ends_is_left(length):
    mad = script(0x33000010, (0.0, hook(TRANSPARENT, 0.5, 0.5, 0.0)), (length, call(0x33000010)))
    playing = player(mad)
    assert seen(playing, 500.0) == [0.5]
    assert playing._queue.due == math.inf


def test_scripts_that_call_one_another_after_pauses_are_so_many_at_most():
    """One that calls itself twice would double what waits every twentieth of a second."""
    playing = player(script(0x33000010, *[(0.0, call(0x33000010, 0.1))] * 2))
    playing.at(0.75)
    assert len(playing._pauses) == MOST_PAUSES


def test_one_look_goes_through_so_many_hooks_at_most_and_then_nothing_is_left():
    many = [(0.0, hook(TRANSPARENT, 0.5, 0.5, 0.0)), (0.0, call(0x33000010, 0.5))] * 400
    playing = player(script(0x33000010, *many, (1e-5, call(0x33000010))))
    assert seen(playing, 0.01) == [0.5]
    assert MOST_PLAYED <= playing.played < MOST_PLAYED + MOST_HOOKS
    assert playing._queue.due == playing._pauses.due == math.inf


def test_a_model_looks_different_by_its_script_or_one_that_it_calls():
    plain = script(0x33000001, (0.0, create()), (1.0, call(0x33000002)))
    loop = script(0x33000002, (0.0, call(0x33000001)))
    fades = script(0x33000003, (0.0, hook(TRANSPARENT, 0.0, 1.0, 1.0)))
    calls = script(0x33000004, (0.0, call(0x33000002)), (1.0, call(0x33000003, 5.0)))
    shelf = Shelf(plain, loop, fades, calls)
    found = [changes_looks(shelf.script, number) for number in (1, 2, 3, 4, 5)]
    assert found == [False] * 5
    found = [changes_looks(shelf.script, 0x33000000 + number) for number in (1, 2, 3, 4, 5)]
    assert found == [False, False, True, True, False]
