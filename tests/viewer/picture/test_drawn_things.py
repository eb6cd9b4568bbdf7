"""Doors' leaves and entities: drawn with the cells that hold them, clipped, moving (passes 3.10)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from engine.replay.scenarios.stage import put_at_door
from engine.visibility.picture_view import INTERIOR, OUTDOOR
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from viewer.picture.eye_line import EyeLine, see
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.entities import FIGURE, DrawnObject, SceneObjects
from viewer.verify.picture_stage import Onlooker, PictureStage, Shot, region_mask, same_pixels
from viewer.verify.verification import make_stage

SIZE = (240, 180)

pytestmark = pytest.mark.gl


@pytest.fixture
def at_door():
    """The front door of the demo's cottage: its doorway, its entity, someone who draws."""
    stage = PictureStage(make_stage(lambda: World(open_source(demo=DEMO)), DEMO), SIZE)
    simulation = stage.stage.simulation()
    doorway, door = stage.stage.front_door(simulation)
    with stage.onlooker(simulation) as onlooker:
        yield doorway, door, onlooker


def shoot(onlooker: Onlooker, yaw: float) -> Shot:
    """What the body sees."""
    return onlooker.draw(*onlooker.view(yaw))


@pytest.mark.parametrize("side", [3.0, -2.0])
def test_a_leaf_swings_through_the_picture(at_door, side):
    """Closed, half open and open look different from either side; the closed leaf hides the opening."""
    doorway, door, onlooker = at_door
    simulation = onlooker.simulation
    put_at_door(simulation, doorway, side)
    yaw = doorway.heading_in() if side > 0 else doorway.heading_in() + 180.0
    closed = shoot(onlooker, yaw)
    simulation.use(door)
    poses = []
    for seconds in (0.3, 0.45, 0.45, 0.8):
        simulation.wait(seconds)
        poses.append(shoot(onlooker, yaw))
    pictures = [closed.rgb, *(p.rgb for p in poses)]
    for a, b in pairwise(pictures):
        assert (~same_pixels(a, b)).sum() > 150
    assert {p.stats.sentinel for p in (closed, *poses)} == {0}
    empty = onlooker.draw(closed.picture, SceneObjects())
    regions = closed.picture.outside if side < 0 else closed.picture.regions_of(doorway.cell_id)
    opening = region_mask(regions, SIZE, 1.0)
    assert opening.sum() > 2000
    hidden = ~same_pixels(closed.rgb, empty.rgb) & opening
    assert hidden.sum() > 0.98 * opening.sum()


def test_a_door_is_drawn_once_in_each_of_its_cells_and_nowhere_else(at_door):
    doorway, door, onlooker = at_door
    put_at_door(onlooker.simulation, doorway, 3.0)
    picture, objects = onlooker.view(doorway.heading_in())
    (leaf,) = [x for x in objects.objects if x.object_id == door]
    assert set(leaf.cells) == set(onlooker.simulation.registry.cells_of(door))
    with_leaf = onlooker.draw(picture, objects)
    elsewhere = leaf._replace(cells=(0xA9B40174,))  # the cellar, which is not in view
    without = onlooker.draw(picture, SceneObjects([elsewhere]))
    assert np.array_equal(without.rgb, onlooker.draw(picture, SceneObjects()).rgb)
    assert not np.array_equal(with_leaf.rgb, without.rgb)


@pytest.mark.parametrize("out", [2.4, -2.4])
def test_I10_someone_in_the_demos_doorway_is_whole(at_door, out):
    """The silhouette in the doorway is that of the figure alone, from the street and from inside."""
    doorway, door, onlooker = at_door
    simulation = onlooker.simulation
    simulation.use(door)
    simulation.wait(2.0)
    put_at_door(simulation, doorway, 0.05)
    body = simulation.body
    assert len({c & 0xFFFF < 0x100 for c in body.cell_ids}) == 2  # outdoors and indoors
    figure = DrawnObject(
        object_id=1,
        model_id=FIGURE,
        cell_id=body.position.cell_id,
        frame=body.position.frame,
        cells=body.cell_ids,
    )
    x, y, z = doorway.point(out)
    eye = (x, y, z + 1.3)
    start = doorway.outside_cell(out) if out > 0 else doorway.cell_id
    yaw = doorway.heading_in() if out > 0 else doorway.heading_in() + 180.0
    line = EyeLine(eye, eye, eye)
    picture = see(simulation.world, onlooker.index, start, line, look=(yaw, -8.0), size=SIZE)
    assert picture.path == (OUTDOOR if out > 0 else INTERIOR)
    plain = RenderOptions(plain=True)

    def silhouette(of, options: RenderOptions) -> np.ndarray:
        there = onlooker.draw(of, SceneObjects([figure]), options).rgb
        return (there != onlooker.draw(of, SceneObjects(), options).rgb).any(axis=-1)

    whole = silhouette(picture, plain)
    land = doorway.outside_cell()
    alone = see(simulation.world, onlooker.index, land, line, look=(yaw, -8.0), size=SIZE)
    bare = plain._replace(terrain=False, shells=False, flat_sky=(0.0, 0.0, 0.0))
    alone_shape = silhouette(alone, bare)
    assert alone_shape.sum() > 1500
    assert (whole != alone_shape).sum() < 0.02 * alone_shape.sum()
