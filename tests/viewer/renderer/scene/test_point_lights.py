"""Static lights indoors: how far openings are from a lamp, and what many lamps give at once (light 6.5)."""

import math

import numpy as np
import pytest

from engine.world.polygon import Polygon
from viewer.renderer.scene import point_lights
from viewer.renderer.scene.point_lights import Lights, PointLight, distance_to, vertex_light

SQUARE = Polygon(0, [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 2.0, 0.0), (0.0, 2.0, 0.0)])


@pytest.mark.parametrize(
    ("place", "far"),
    [
        ((1.0, 1.0, 3.0), 3.0),
        ((1.0, 1.0, -3.0), 3.0),
        ((2.0, 1.0, 0.0), 0.0),
        ((5.0, 1.0, 4.0), 5.0),
        ((1.0, -3.0, 4.0), 5.0),
        ((-3.0, -4.0, 0.0), 5.0),
        ((4.0, 3.0, 2.0), 3.0),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_an_opening_is_as_far_as_its_inside_an_edge_or_a_corner(place, far, turned):
    opening = Polygon(0, SQUARE.vertices[::-1]) if turned else SQUARE
    assert distance_to(opening, place) == pytest.approx(far)


def test_an_opening_without_three_corners_is_endlessly_far():
    assert distance_to(Polygon(0, SQUARE.vertices[:2]), (0.0, 0.0, 0.0)) == math.inf


def test_many_lights_give_what_each_gives_one_after_another(monkeypatch):
    rng = np.random.default_rng(4)
    places, colors = rng.uniform(-4, 4, (40, 3)), rng.uniform(0, 0.1, (40, 3))
    lamps = [PointLight(tuple(p), tuple(c), 0.5, 6.0) for p, c in zip(places, colors, strict=True)]
    points = rng.uniform(-3, 3, (30, 3))
    normals = rng.normal(size=(30, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    together = vertex_light(points, normals, Lights(lamps))
    assert 0.0 < together.mean() < 1.0
    alone = np.clip(sum(vertex_light(points, normals, Lights([lamp])) for lamp in lamps), 0.0, 1.0)
    assert together == pytest.approx(alone)
    monkeypatch.setattr(point_lights, "_MOST_AT_ONCE", 100)  # three lights at a time
    assert vertex_light(points, normals, Lights(lamps)) == pytest.approx(together)
