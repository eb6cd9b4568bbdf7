"""Particles of things in the sky: about the eye, with their thing, by its pass (particles 8.6)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from pyglm import glm

from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.sources.open_source import demo_source
from scripts.demo_world import ids
from tests.places import DEMO
from viewer.picture.sky_effects import SkyEffects
from viewer.renderer.sky.sky import turned
from viewer.renderer.sky.sky_things import SkyThing, cell_of, rotation_of, sky_things

if TYPE_CHECKING:
    from engine.dat.values import Vec3

RAINY, NOW = 2, 4.5
EYE = (32500.0, 34600.0, 96.0)


@pytest.fixture(scope="module")
def world() -> World:
    return World(demo_source(DEMO))


def things(world: World, *, weather: bool = True) -> list[SkyThing]:
    sky = world.source.region().sky
    assert sky is not None
    return sky_things(sky.groups[RAINY], 0.5, 0.0, weather=weather)


@pytest.mark.parametrize("eye", [EYE, (1200.0, 40.0, 300.0)])
def test_drops_fall_about_the_eye_wherever_it_is(world: World, eye: Vec3) -> None:
    shown = SkyEffects(world).shown(NOW, eye, things(world))
    assert len(shown) > 20
    across = np.hypot(shown.places[:, 0], shown.places[:, 1])
    assert 2.0 < across.mean() < 9.0 and across.max() < 12.0
    assert -4.0 < shown.places[:, 2].min() < shown.places[:, 2].max() < 8.0
    rain = next(t for t in things(world) if t.model_id == ids.RAIN)
    assert set(shown.cells.tolist()) == {cell_of(rain)}
    assert cell_of(rain) < 0


def test_they_follow_from_the_time_alone_and_fall(world: World) -> None:
    first, again = (SkyEffects(world).shown(NOW, EYE, things(world)) for _ in range(2))
    assert np.array_equal(first.places, again.places)
    effects = SkyEffects(world)
    before, after = (effects.shown(NOW + dt, EYE, things(world)) for dt in (0.0, 0.01))
    assert len(before) == len(after)
    assert np.allclose((before.places - after.places)[:, 2], 0.09, atol=0.02)


def test_a_drop_stays_where_it_was_born_when_the_eye_goes_on(world: World) -> None:
    effects = SkyEffects(world)
    before = effects.shown(NOW, EYE, things(world))
    after = effects.shown(NOW, (EYE[0] + 2.0, EYE[1], EYE[2]), things(world))
    assert np.allclose(before.places[:, 0] - after.places[:, 0], 2.0, atol=1e-3)


def test_what_is_born_later_is_about_where_the_eye_has_gone(world: World) -> None:
    effects = SkyEffects(world)
    assert len(effects.shown(NOW, EYE, things(world))) > 20
    far = (EYE[0] + 60.0, EYE[1], EYE[2])
    for k in range(1, 60):
        shown = effects.shown(NOW + k / 30, far, things(world))
    assert len(shown) > 20
    assert abs(shown.places[:, 0]).max() < 12.0


def test_what_found_no_room_to_be_born_is_told(world: World) -> None:
    effects = SkyEffects(world)
    effects._effects.pool.room.particles = 5
    before = len(world.problems.lines)
    assert 0 < len(effects.shown(NOW, EYE, things(world))) <= 5
    (line,) = world.problems.lines[before:]
    assert line.startswith(f"{world.source.name}, object 0x32")
    assert "particles on all things together; the rest is not born" in line


def test_what_flies_about_a_turned_thing_is_born_turned(world: World) -> None:
    rain = next(t for t in things(world) if t.model_id == ids.RAIN)
    plain, turned_by = (
        SkyEffects(world).shown(NOW, EYE, [rain._replace(heading=rain.heading + degrees)])
        for degrees in (0.0, 90.0)
    )
    assert len(plain) == len(turned_by) > 20
    x, y, z = plain.places.T
    assert np.allclose(turned_by.places, np.stack((y, -x, z), axis=1), atol=1e-3)


def test_a_thing_that_goes_takes_its_particles_along_and_comes_again_with_its_script(world: World) -> None:
    effects = SkyEffects(world)
    up = things(world)
    assert len(effects.shown(NOW, EYE, up)) > 20
    assert len(effects.shown(NOW, EYE, things(world, weather=False))) == 0
    assert len(effects.shown(NOW, EYE, up)) > 20


def test_a_thing_without_a_setup_plays_nothing_whatever_its_own_column_says(world: World) -> None:
    rain = next(t for t in things(world) if t.model_id == ids.RAIN)
    assert len(SkyEffects(world).shown(NOW, EYE, [rain._replace(model_id=ids.TONGUE)])) == 0


def test_an_owner_is_turned_as_its_model_is() -> None:
    thing = SkyThing(1, 30.0, 70.0, (0.0, 0.0))
    matrix = glm.mat4(np.frombuffer(turned(thing, 1.0), np.float32).reshape(4, 4).T.tolist())
    frame = Frame((0.0, 0.0, 0.0), rotation_of(thing))
    for v in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.3, 0.4, 0.5)):
        m = np.array(matrix.to_tuple()).reshape(4, 4)
        expected = m @ np.array((*v, 1.0))
        assert math.dist(frame.to_global(v), expected[:3]) < 1e-5
