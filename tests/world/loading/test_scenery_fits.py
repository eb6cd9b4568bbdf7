"""Where scenery fits into its landblock, and where a road leaves no room for it."""

import pytest

from engine.dat.values import CylSphere, Sphere
from engine.world.frame import Frame, quat_of_heading
from engine.world.loading.roads import NE, NW, SE, SW, on_road
from engine.world.loading.scenery import fits
from engine.world.loading.world import World
from tests.world.meadows import OAK, Meadow, places, plant
from tests.world.world_records import MemorySource, box_model, setup

# -- fitting into the block --------------------------------------------------------------------------


def model_of(record, *parts):
    source = MemorySource(models=parts, setups=[record])
    return World(source).model(record.id)


def test_with_a_physics_tree_or_spheres_the_sorting_sphere_must_lie_inside():
    box = box_model(0x01000002)
    sorting = Sphere((1.0, 0.0, 0.0), 3.0)
    ball = Sphere((0.0, 0.0, 1.0), 0.2)
    for record in (
        setup(0x02000001, [0x01000002], sorting=sorting),
        setup(0x02000001, [], spheres=(ball,), sorting=sorting),
    ):
        model = model_of(record, box)
        assert fits(model, Frame((2.0, 3.0, 0.0)))
        assert not fits(model, Frame((1.9, 3.0, 0.0)))
        assert fits(model, Frame((187.9, 188.9, 0.0)))
        assert not fits(model, Frame((188.0, 188.9, 0.0)))
        turned = Frame((3.9, 3.0, 0.0), quat_of_heading(180.0))
        assert not fits(model, turned)


def test_with_cylinders_each_of_them_must_lie_inside():
    cylinders = (CylSphere((0.0, 0.0, 0.0), 0.5, 2.0), CylSphere((0.0, 2.0, 0.0), 1.0, 2.0))
    model = model_of(setup(0x02000001, [], cylspheres=cylinders, sorting=Sphere((0.0, 0.0, 0.0), 50.0)))
    assert fits(model, Frame((1.0, 0.5, 0.0)))
    assert not fits(model, Frame((0.9, 0.5, 0.0)))
    assert fits(model, Frame((1.0, 188.9, 0.0)))
    assert not fits(model, Frame((1.0, 189.1, 0.0)))


def test_without_any_of_them_only_the_origin_counts():
    model = model_of(setup(0x02000001, [], sorting=Sphere((0.0, 0.0, 0.0), 50.0)))
    assert fits(model, Frame((0.0, 191.99, 0.0)))
    assert fits(None, Frame((0.0, 0.0, 0.0)))
    assert not fits(None, Frame((0.0, 192.0, 0.0)))


def test_fitting_is_tested_before_scaling():
    big = plant(base=(0.0, 0.0, 0.0), min_scale=9.0, max_scale=9.0)
    source = Meadow(big, at=[(1, 1)], model=box_model(OAK, (-9, -9, 0), (9, 9, 9)))
    assert len(places(source)) == 1
    source = Meadow(big, at=[(1, 1)], model=box_model(OAK, (-20, -20, 0), (20, 20, 20)))
    assert places(source) == []


# -- roads -------------------------------------------------------------------------------------------

ROADS = {
    0: "never",
    SW | SE | NE | NW: "always",
    SW | NW | SE: "west south",
    SW | NW | NE: "west north",
    SW | NW: "west",
    SW | SE | NE: "east south",
    SW | SE: "south",
    SW | NE: "rising",
    SW: "sw",
    NW | SE | NE: "east north",
    NW | SE: "falling",
    NW | NE: "north",
    NW: "nw",
    SE | NE: "east",
    SE: "se",
    NE: "ne",
}


def bands(dx, dy):
    """The names of the strips of road that a point lies in."""
    tests = {
        "always": True,
        "west": dx < 5,
        "east": dx > 19,
        "south": dy < 5,
        "north": dy > 19,
        "rising": -5 < dx - dy < 5,
        "falling": 19 < dx + dy < 29,
        "sw": dx + dy < 5,
        "ne": (24 - dx) + (24 - dy) < 5,
        "nw": dx + (24 - dy) < 5,
        "se": (24 - dx) + dy < 5,
    }
    return {name for name, holds in tests.items() if holds}


@pytest.mark.parametrize("corners", range(16))
def test_on_road(corners):
    for i in range(49):
        for j in range(49):
            dx, dy = i / 2 + 0.01, j / 2 + 0.02
            assert on_road(corners, dx, dy) == bool(bands(dx, dy) & set(ROADS[corners].split())), (dx, dy)


def test_on_road_is_strict_at_the_edge():
    assert on_road(SW | SE, 12.0, 4.999)
    assert not on_road(SW | SE, 12.0, 5.0)
    assert not on_road(NW | NE, 12.0, 19.0)
