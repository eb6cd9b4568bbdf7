"""Sky objects of a day group and their pictures (light 6.4), and fog that hides the landscape's end."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

import numpy as np
import pytest

from engine.dat.records.region_sky import DayGroup, SkyDesc, SkyObject, SkyObjectReplace
from tests.calls import calls_of
from tests.viewer.renderer.flat_shapes import quad
from tests.viewer.renderer.memory_source import LOW
from tests.viewer.renderer.reading import count
from tests.viewer.renderer.render_scenes import room_a
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.scene.lighting import (
    FALLBACK_SKY,
    Interval,
    day_group_of,
    keyframes_of,
    landscape_block,
    sky_light,
    within,
)
from viewer.renderer.sky.sky import turned
from viewer.renderer.sky.sky_things import SkyThing, sky_things

STILL = SkyObject(
    begin=0.0,
    end=0.0,
    begin_angle=0.0,
    end_angle=0.0,
    vel_x=0.0,
    vel_y=0.0,
    gfxobj=0x01000100,
    pes=0,
    properties=0,
)


def group(*objects: SkyObject, replaced: dict[int, tuple[SkyObjectReplace, ...]] | None = None) -> DayGroup:
    """A day with two keyframes, at 0 and 0.5."""
    times = tuple(
        FALLBACK_SKY[0]._replace(begin=begin, replace=(replaced or {}).get(k, ()))
        for k, begin in enumerate((0.0, 0.5))
    )
    return DayGroup(1.0, "Test", objects, times)


def test_W10_an_object_is_up_within_its_window_and_its_angle_runs_along():
    """Its limits are out of it (particles 8.7)."""
    sun = STILL._replace(begin=0.25, end=0.75, begin_angle=10.0, end_angle=170.0)
    day = group(sun)
    angles = {f: [t.angle for t in sky_things(day, f, 0.0)] for f in (0.2, 0.25, 0.5, 0.7, 0.75, 0.8)}
    assert angles[0.2] == angles[0.25] == angles[0.75] == angles[0.8] == []
    assert [angles[f][0] for f in (0.5, 0.7)] == pytest.approx([90.0, 154.0])


def test_W10_a_window_that_ends_before_it_begins_never_opens():
    moon = STILL._replace(begin=0.9, end=0.1, begin_angle=0.0, end_angle=180.0)
    assert [sky_things(group(moon), f, 0.0) for f in (0.95, 0.0, 0.05, 0.5)] == [[]] * 4


def test_a_model_of_the_moment_is_shown_whatever_the_window_says():
    moon = STILL._replace(begin=0.9, end=0.1)
    named = SkyObjectReplace(
        object_index=0, gfxobj=0x01000200, rotate=0.0, transparent=-1.0, luminosity=-1.0, max_bright=-1.0
    )
    found = sky_things(group(moon, replaced={0: (named,)}), 0.2, 0.0)
    assert [t.model_id for t in found] == [0x01000200]
    assert sky_things(group(moon, replaced={0: (named,)}), 0.7, 0.0) == []


def test_what_begins_when_it_ends_is_always_there():
    always = STILL._replace(begin=0.3, end=0.3, begin_angle=20.0, end_angle=40.0)
    assert [sky_things(group(always), f, 0.0)[0].angle for f in (0.0, 0.3, 0.9)] == [20.0, 20.0, 20.0]


def test_W5_W6_rain_is_left_out_where_it_is_switched_off_and_nothing_else():
    day = group(*(STILL._replace(gfxobj=0x01000100 + bits, properties=bits) for bits in (0, 2, 4, 5, 13)))

    def shown(*, weather: bool) -> list[list[int]]:
        found = sky_things(day, 0.5, 0.0, weather=weather)
        return [[t.model_id & 0xFF for t in found if t.foreground is fore] for fore in (False, True)]

    assert shown(weather=True) == [[0, 2, 4], [5, 13]]
    assert shown(weather=False) == [[0, 2], []]
    assert sky_things(group(STILL._replace(gfxobj=0)), 0.5, 0.0) == []


def test_W2_W3_a_sheet_of_rain_stands_at_its_height_and_what_keeps_the_viewers_is_at_the_eye():
    """The matrix puts the eye, here at z = 94, at the origin."""
    heights = {}
    for bits in (0, 1, 4, 5, 12, 13):
        (thing,) = sky_things(group(STILL._replace(properties=bits)), 0.5, 0.0)
        heights[bits] = thing.height
    assert heights == {0: None, 1: None, 4: -120.0, 5: -120.0, 12: None, 13: None}
    matrix = struct.unpack(
        "16f", turned(SkyThing(1, 0.0, 0.0, (0.0, 0.0), height=-120.0), 1.0, -120.0 - 94.0)
    )
    assert matrix[12:15] == (0.0, 0.0, -214.0)
    low, high = (94.0 + matrix[14] + z for z in (0.1, 814.9))
    assert (low, high) == pytest.approx((-119.9, 694.9))


def test_W4_rain_runs_down_by_its_velocity():
    rain = STILL._replace(vel_x=0.02, vel_y=-2.0, properties=4)
    scrolled = [sky_things(group(rain), 0.5, seconds)[0].scroll for seconds in (0.35, 1.0)]
    assert scrolled[0] == pytest.approx((0.007, 0.3))  # -0.7 modulo 1
    assert scrolled[1] == pytest.approx((0.02, 0.0))


def test_replacements_are_the_first_keyframes_and_run_to_the_second():
    first = SkyObjectReplace(
        object_index=1, gfxobj=0x01000777, rotate=30.0, transparent=20.0, luminosity=50.0, max_bright=90.0
    )
    second = SkyObjectReplace(
        object_index=1, gfxobj=0x01000888, rotate=60.0, transparent=60.0, luminosity=100.0, max_bright=10.0
    )
    day = group(STILL, STILL, replaced={0: (first,), 1: (second,)})
    plain, changed = sky_things(day, 0.25, 0.0)
    assert plain == SkyThing(0x01000100, 0.0, 0.0, (0.0, 0.0))
    assert changed.model_id == 0x01000777
    assert changed.heading == 30.0
    assert changed.opacity == pytest.approx(0.6)
    assert changed.luminosity == pytest.approx(0.75)
    assert changed.max_bright == pytest.approx(0.5)


class Stepped(tuple[SkyObjectReplace, ...]):
    """Records of which each that is looked at is a step of a generator."""

    __slots__ = ()

    def __iter__(self) -> Iterator[SkyObjectReplace]:
        yield from super().__iter__()


def test_of_two_replacements_the_first_counts_and_none_is_looked_for_from_the_beginning():
    """Sixteen thousand things in the sky took fourteen seconds, silent."""
    one = SkyObjectReplace(
        object_index=0, gfxobj=0, rotate=1.0, transparent=-1.0, luminosity=-1.0, max_bright=-1.0
    )

    def day(count: int) -> DayGroup:
        found = tuple(one._replace(object_index=k) for k in range(count))
        again = tuple(record._replace(rotate=2.0) for record in found)
        return group(*(STILL,) * count, replaced={0: Stepped(found + again), 1: Stepped(found)})

    def work(sky: DayGroup) -> int:
        return calls_of(lambda: sky_things(sky, 0.25, 0.0))

    assert [thing.heading for thing in sky_things(day(3), 0.25, 0.0)] == [1.0, 1.0, 1.0]
    assert work(day(120)) < 2.5 * work(day(60))


def test_a_replacement_keeps_what_is_minus_one_and_may_hide():
    kept = SkyObjectReplace(
        object_index=0, gfxobj=0, rotate=0.0, transparent=-1.0, luminosity=-1.0, max_bright=-1.0
    )
    assert sky_things(group(STILL, replaced={0: (kept,), 1: (kept,)}), 0.25, 0.0) == [
        SkyThing(0x01000100, 0.0, 0.0, (0.0, 0.0))
    ]
    alone = SkyObjectReplace(
        object_index=0, gfxobj=0, rotate=0.0, transparent=40.0, luminosity=-1.0, max_bright=-1.0
    )
    assert sky_things(group(STILL, replaced={0: (alone,)}), 0.4, 0.0)[0].opacity == pytest.approx(0.6)
    unlit = SkyObjectReplace(
        object_index=0, gfxobj=0, rotate=0.0, transparent=0.0, luminosity=0.0, max_bright=0.0
    )
    thing = sky_things(group(STILL, replaced={0: (unlit,), 1: (unlit,)}), 0.25, 0.0)[0]
    assert (thing.opacity, thing.luminosity, thing.max_bright) == (1.0, None, None)
    gone = SkyObjectReplace(
        object_index=0, gfxobj=0, rotate=0.0, transparent=100.0, luminosity=0.0, max_bright=0.0
    )
    assert sky_things(group(STILL, replaced={0: (gone,), 1: (gone,)}), 0.25, 0.0) == []


def test_textures_scroll_by_velocity_and_seconds():
    cloud = STILL._replace(vel_x=0.01, vel_y=-0.002)
    assert sky_things(group(cloud), 0.5, 130.0)[0].scroll == pytest.approx((0.3, 0.74))


def test_a_thing_is_turned_about_y_by_its_angle_then_about_z_by_its_heading():
    def image(point, heading, angle):
        m = np.array(struct.unpack("16f", turned(SkyThing(1, heading, angle, (0.0, 0.0)), 2.0)))
        return (m.reshape(4, 4).T @ (*point, 1.0))[:3]

    assert image((1, 0, 0), 0, 0) == pytest.approx((2, 0, 0), abs=1e-6)
    assert image((1, 0, 0), 0, 90) == pytest.approx((0, 0, 2), abs=1e-6)  # rises in the east to the zenith
    assert image((1, 0, 0), 0, 180) == pytest.approx((-2, 0, 0), abs=1e-6)
    assert image((0, 1, 0), 90, 0) == pytest.approx((2, 0, 0), abs=1e-6)  # headings run clockwise
    c = math.sqrt(0.5)
    assert image((1, 0, 0), 90, 45) == pytest.approx((0, -2 * c, 2 * c), abs=1e-6)


def test_keyframes_about_a_moment():
    keys = tuple(FALLBACK_SKY[0]._replace(begin=b) for b in (0.2, 0.6, 0.9))
    found = {f: Interval.at(keys, f) for f in (0.2, 0.4, 0.95, 0.0, 0.1)}
    assert [(i.first, i.second) for i in found.values()] == [(0, 1), (0, 1), (2, 0), (2, 0), (2, 0)]
    assert [i.u for i in found.values()] == pytest.approx([0.0, 0.5, 1 / 6, 1 / 3, 2 / 3])


@pytest.mark.parametrize("begin", [3e38, -3e38])
def test_keyframes_that_begin_far_out_of_the_day_have_a_light_all_the_same(begin):
    keys = (FALLBACK_SKY[0]._replace(begin=begin, dir_bright=0.25),) * 2
    assert Interval.at(keys, 0.3).u == 0.0
    assert sky_light(keys, 0.3).sun_bright == 0.25


def test_light_formulas_of_meshes_and_terrain():
    key = FALLBACK_SKY[0]._replace(
dir_bright=0.5, dir_heading=90.0, dir_pitch=30.0, dir_color=0xFFFF8000,
        amb_bright=0.1, amb_color=0xFF804020,
    )  # fmt: skip
    light = sky_light((key,), 0.3)
    assert light.sun_direction == pytest.approx((math.cos(math.radians(30)), 0.0, 0.5), abs=1e-9)
    assert light.mesh_ambient() == pytest.approx([c / 255 * (0.1 + 0.2 * 0.5) for c in (128, 64, 32)])
    rows = np.frombuffer(landscape_block(light), "<f4").reshape(7, 4)
    assert rows[1, :3] == pytest.approx([0.5, 128 / 255 * 0.5, 0.0])
    assert rows[3, :3] == pytest.approx([c / 255 * 0.2 for c in (128, 64, 32)])  # at least 0.2
    assert rows[4, :3] == pytest.approx(rows[1, :3])


def test_fog_ends_where_the_landscape_does():
    light = sky_light(FALLBACK_SKY, 0.5)
    assert (light.fog_start, light.fog_end) == (150.0, 2400.0)
    near = within(light, 200.0)
    assert (near.fog_start, near.fog_end) == (100.0, 200.0)
    assert within(light, 3000.0) is light
    assert within(light._replace(fog_on=False), 200.0).fog_end == 2400.0


def sky_scene(scene: SceneBuilder, distance: float = 12000.0, **changes: object) -> SceneBuilder:
    """A scene whose sky has one large thing in the north."""
    size = 0.4 * distance
    model = scene.gfx_obj([(quad(distance, -size, size, z0=0.1 * distance, z1=size), "leaf")])
    item = STILL._replace(gfxobj=model, **changes)  # type: ignore[arg-type]
    scene.source.sky = SkyDesc(1.0, 1.0, (group(item),))
    return scene


@pytest.mark.gl
def test_a_thing_beyond_the_far_plane_is_seen_and_hides_nothing(ctx):
    stage = Stage(ctx, sky_scene(SceneBuilder().ground(-2.0)))
    picture = stage.picture(LOW, plain=False, flat_sky=None)
    assert stage.renderer.stats.sentinel == 0
    ambient = np.array(sky_light(stage.world.source.region().sky.groups[0].times, 0.5).mesh_ambient())
    expected = np.array((250, 220, 20)) * ambient
    assert np.abs(picture[75, 100] - expected).max() <= 1.5
    assert (picture[150] != picture[75, 100]).any()  # the ground below it


@pytest.mark.gl
def test_the_sky_is_drawn_no_longer_than_a_picture_may_take(ctx, monkeypatch):
    """A cloud of 60,000 panes as large as the view took twenty minutes."""
    stage = Stage(ctx, sky_scene(SceneBuilder().ground(-2.0)), problems=True)
    before = stage.picture(LOW, plain=False, flat_sky=None)
    monkeypatch.setattr("viewer.renderer.gl.waiting.LONGEST", -1.0)
    assert (stage.picture(LOW, plain=False, flat_sky=None)[75, 100] != before[75, 100]).any()


@pytest.mark.gl
def test_the_sky_has_the_fogs_colour_as_high_as_mountains_that_have_gone_into_it_stand_before_it(ctx):
    scene = SceneBuilder().ground(-2.0)
    noon = FALLBACK_SKY[2]
    scene.source.sky = SkyDesc(1.0, 1.0, (DayGroup(1.0, "Test", (STILL._replace(gfxobj=0),), (noon,)),))
    stage = Stage(ctx, scene)
    column = stage.picture(LOW, plain=False, flat_sky=None)[:, 100].astype(float)
    fog = 255.0 * np.array(sky_light((noon,), 0.5).fog_color)
    elevations = np.degrees(np.arctan2(99.5 - np.arange(100), 100.0))
    off = np.abs(column[:100] - fog).max(axis=1)
    assert off[(elevations > 1.0) & (elevations < 11.0)].max() <= 1.0
    assert off[elevations < 17.0].max() < 12.0
    assert off[0] > 25.0


@pytest.mark.gl
def test_the_sky_is_seen_through_an_exit_only(ctx):
    stage = Stage(ctx, sky_scene(room_a()))
    picture = stage.checked(0x100, plain=False, flat_sky=None)
    bare = room_a()
    bare.source.sky = SkyDesc(1.0, 1.0, (group(STILL._replace(gfxobj=0)),))
    without = Stage(ctx, bare).checked(0x100, plain=False, flat_sky=None)
    different = (picture != without).any(axis=-1)
    assert different[75:100, 75:125].sum() > 100
    different[75:125, 75:125] = False
    assert not different.any()


@pytest.mark.gl
def test_foreground_things_come_after_the_landscape_and_keep_behind_it(ctx):
    scene = SceneBuilder().ground(-2.0)
    wall = scene.gfx_obj([(quad(20.0, -30, 0, z0=-30, z1=30), "roof")])
    stage = Stage(ctx, sky_scene(scene.outdoor_object(wall), 60.0, properties=1))
    picture = stage.picture(LOW, plain=False, flat_sky=None, textures=True)
    assert (picture[75, 60] != picture[75, 140]).any()
    hidden = stage.picture(LOW, plain=False, flat_sky=None, cell_ids=True)
    assert count(hidden, (0, 0, 0)) == 40_000


@pytest.mark.gl
def test_rain_lies_over_the_ground_and_under_who_stands_there(ctx):
    """Depth is off: what is nearer than the sheet is covered all the same, if it was drawn before."""
    scene = SceneBuilder().ground(-2.0)
    wall = scene.gfx_obj([(quad(20.0, -30, 0, z0=-30, z1=30), "roof")])
    stage = Stage(ctx, sky_scene(scene.outdoor_object(wall), 60.0, properties=13))
    with_rain, without = (
        stage.picture(LOW, plain=False, flat_sky=None, textures=True, weather=on) for on in (True, False)
    )
    changed = (with_rain != without).any(axis=-1)
    assert changed[75, 120] and not changed[:, :99].any()


@pytest.mark.gl
def test_W7_from_a_room_only_what_belongs_to_the_sky_is_seen(ctx):
    pictures = {}
    for bits in (12, 13):
        stage = Stage(ctx, sky_scene(room_a(), properties=bits))
        for on in (True, False):
            pictures[bits, on] = stage.checked(0x100, plain=False, flat_sky=None, weather=on)
    assert (pictures[12, True] != pictures[12, False]).any()
    assert (pictures[13, True] == pictures[13, False]).all()


def test_days_of_a_region_without_a_sky_are_the_fallback():
    assert day_group_of(None).objects == ()
    assert keyframes_of(None) is FALLBACK_SKY
    empty = SceneBuilder().source
    empty.sky = SkyDesc(1.0, 1.0, (DayGroup(1.0, "No times", (), ()),))
    assert keyframes_of(empty.region()) is FALLBACK_SKY
