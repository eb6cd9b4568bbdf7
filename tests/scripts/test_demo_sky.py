"""The demo's ground masks and sky: masks meet at the cells' borders, discs stand where light comes from."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from engine.dat.records.gfx_obj import GfxObj
from scripts.demo_world import ids, materials, region, sky
from viewer.renderer.scene.lighting import sky_light
from viewer.renderer.sky.sky_things import sky_things

DAYS = region.region().sky


@pytest.mark.parametrize(("masks", "reach"), [(materials.CORNER_MASKS, 0.5), (materials.SIDE_MASKS, 0.5)])
def test_masks_leave_the_cell_halfway_between_corners(masks, reach):
    for _, draw, seed in masks:
        top = draw(seed)[0].astype(int)
        middle = len(top) * reach
        assert top[: int(0.7 * middle)].max() < 8
        assert top[int(1.3 * middle) :].min() > 247
        assert (np.diff(top) >= -6).all()
        assert abs(top[int(middle)] + top[int(middle) - 1] - 255) <= 30


def test_road_masks_leave_the_cell_five_metres_from_the_corner():
    for _, draw, seed in materials.ROAD_MASKS:
        top = draw(seed)[0].astype(int)
        edge = 5.0 / 24.0 * len(top)
        assert top[: int(0.8 * edge)].max() < 8
        assert top[int(1.25 * edge) :].min() > 247


@pytest.mark.parametrize(("f", "model"), [(0.33, sky.SUN), (0.5, sky.SUN), (0.68, sky.SUN), (0.0, sky.MOON)])
def test_the_light_comes_from_the_disc(f, model):
    day = DAYS.groups[0]
    thing = next(t for t in sky_things(day, f, 0.0) if t.model_id == model)
    records = dict(sky.records())
    disc = records[model]
    assert isinstance(disc, GfxObj)
    x, y, z = (sum(v.pos[k] for v in disc.vertex_array.vertices) / 4.0 for k in range(3))
    a = math.radians(thing.angle)
    at = np.array((x * math.cos(a), y, x * math.sin(a))) / math.sqrt(x * x + y * y + z * z)
    assert float(at @ np.array(sky_light(day.times, f).sun_direction)) > math.cos(math.radians(6.0))


def test_stars_come_out_at_night_and_clouds_redden_at_dusk():
    day = DAYS.groups[0]
    shown = {f: {t.model_id: t.opacity for t in sky_things(day, f, 0.0)} for f in (0.0, 0.5, 0.75)}
    assert shown[0.0][sky.STARS] == 1.0
    assert sky.STARS not in shown[0.5]
    assert shown[0.5][sky.DAY_CLOUDS] == shown[0.75][sky.DUSK_CLOUDS] == 1.0
    assert sky.DUSK_CLOUDS not in shown[0.5]
    assert sky.DAY_CLOUDS not in shown[0.75]
    assert sky.SUN in shown[0.5] and sky.MOON in shown[0.0]


def test_every_model_of_the_sky_is_there_and_faces_the_eye():
    records = dict(sky.records())
    for group in DAYS.groups:
        for item in group.objects:
            if item.gfxobj == ids.RAIN:
                continue  # a Setup without parts, for its script
            model = records[item.gfxobj]
            assert isinstance(model, GfxObj)
            points = {v.key: np.array(v.pos) for v in model.vertex_array.vertices}
            for polygon in model.polygons or ():
                ring = [points[k] for k in polygon.vertex_ids]
                normal = np.cross(ring[1] - ring[0], ring[2] - ring[0])
                assert float(normal @ ring[0]) < 0.0
        assert [b.begin < a.begin for a, b in pairwise(group.times)] == [False] * (len(group.times) - 1)
