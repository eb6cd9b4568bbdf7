"""The third person camera's collision, rules 1 to 4 of visibility 1.5, in rooms made by hand."""

from __future__ import annotations

import math

import pytest

from engine.physics.enums import OI_FREE_ROTATE, OI_IS_VIEWER, OI_PATH_CLIPPED, OI_PERFECT_CLIP
from engine.visibility.camera import COLLISION_RADIUS, Camera, pivot_of
from engine.visibility.openings import OpeningIndex
from engine.world.cells import Portal
from engine.world.frame import Frame, Position
from engine.world.way import Way
from tests.physics.rooms import ROOM, floor, quad, room
from tests.physics.scenes import block_cells, terrain, wall
from tests.physics.stage import airborne_body, block_of_cells, empty_world, put_block
from viewer.picture.eye_line import eye_line, sweep_eye, viewer_sweep

CELLAR, SHAFT, UPPER = ROOM, ROOM + 1, ROOM + 2
LAND = 0xA9B40025


def hatch(index: int, z: float, other: int, other_portal: int, *, above: bool) -> Portal:
    """A square hole at a height; ``above`` tells whether its owner is above it."""
    corners = quad(100 + index, (-0.5, -0.5, z), (0.5, -0.5, z), (0.5, 0.5, z), (-0.5, 0.5, z))
    flags = 2 if above else 0
    return Portal(index, flags, corners, other_cell_id=other, other_portal_id=other_portal)


def two_storeys(wall_y: float = -20.0):
    """A cellar below z = 0, a shaft of 30 cm through its ceiling, and a room above.

    The upper room's south wall is at ``wall_y``; stab lists are empty.
    """
    back = quad(1, (20.0, wall_y, 0.3), (-20.0, wall_y, 0.3), (-20.0, wall_y, 9.0), (20.0, wall_y, 9.0))
    cellar = room(
        CELLAR, [floor(-20, 20, -3.0)], high=(50.0, 50.0, 0.0), portals=[hatch(0, 0.0, SHAFT, 0, above=False)]
    )
    shaft = room(
        SHAFT, [], (-0.5, -0.5, 0.0), (0.5, 0.5, 0.3),
        portals=[hatch(0, 0.0, CELLAR, 0, above=True), hatch(1, 0.3, UPPER, 0, above=False)],
    )  # fmt: skip
    upper = room(UPPER, [back], low=(-50.0, -50.0, 0.3), portals=[hatch(0, 0.3, SHAFT, 1, above=True)])
    world = empty_world()
    put_block(world, block_of_cells(cellar, shaft, upper))
    return world


def third_person(yaw: float = 0.0) -> Camera:
    camera = Camera(yaw, third_person=True)
    camera.settle()
    return camera


@pytest.mark.parametrize(("wall_y", "reached"), [(-20.0, -2.5), (-1.5, -1.2)])
def test_the_sweep_starts_in_the_pivots_cell_and_not_in_the_feets(wall_y, reached):
    """Head above a hatch, feet below: the camera goes back in the upper room, up to its wall.

    From the cellar the upper room is not to be found: no neighbour, and in no stab list.
    """
    world = two_storeys(wall_y)
    feet = (0.0, 0.0, -0.85)
    body = airborne_body(world, feet, CELLAR)
    camera = third_person()
    line = eye_line(world, OpeningIndex(), body, drawn=Way.only(CELLAR, feet).drawn(), camera=camera)
    assert body.cell.id == CELLAR
    assert line.pivot == pivot_of(feet)
    assert line.eye[1] == pytest.approx(reached, abs=0.05)
    assert line.eye[1] >= wall_y + COLLISION_RADIUS - 1e-3


def test_the_camera_is_one_sphere_of_30_cm_without_step_heights():
    """Visibility 1.5."""
    world = two_storeys()
    start = world.get_visible(UPPER)
    begin, end = (Position(UPPER, Frame((0.0, y, 2.0))) for y in (0.0, -1.0))
    sweep = viewer_sweep(world, start, COLLISION_RADIUS, begin=begin, end=end)
    info = sweep.object_info
    assert [s.radius for s in sweep.sphere_path.local_sphere] == [0.3]
    assert (info.step_up_height, info.step_down_height, info.step_down) == (0.0, 0.0, False)
    wanted = OI_IS_VIEWER | OI_PATH_CLIPPED | OI_FREE_ROTATE | OI_PERFECT_CLIP
    assert info.state & wanted == wanted


def test_the_camera_neither_climbs_a_low_step_nor_sinks_beyond_one():
    """A riser of 5 mm at the sphere's foot stops it where it touches; after a drop it keeps its height."""
    riser, tread = wall(2.0, -5.0, 0.005, sign=-1), floor(2.0, 20.0, 0.005, polygon_id=2)
    low = room(polygons=[floor(-20.0, 2.0, 0.0), riser, tread])
    world = empty_world()
    put_block(world, block_of_cells(low))
    start = (0.0, 0.0, 0.302)
    eye = sweep_eye(world, low, ROOM, pivot=start, eye=(4.0, 0.0, 0.302))
    touches = 2.0 - math.sqrt(0.3**2 - (0.302 - 0.005) ** 2)
    assert eye[0] == pytest.approx(touches, abs=0.02)
    assert eye[2] == pytest.approx(0.302, abs=1e-4)
    down = room(polygons=[floor(-20.0, 2.0, 0.0), floor(2.0, 20.0, -0.2, polygon_id=1)])
    put_block(world, block_of_cells(down))
    assert sweep_eye(world, down, ROOM, pivot=start, eye=(4.0, 0.0, 0.302)) == pytest.approx(
        (4.0, 0.0, 0.302)
    )


def test_an_eye_that_the_sweep_does_not_reach_is_tried_directly():
    """A camera zoomed out to 450 m is more sub-steps away than a sweep may take (sweep 3.5)."""
    world = block_cells(terrain())
    pivot, eye = (100.0, 100.0, 1.5), (100.0, 92.0, 440.0)
    assert sweep_eye(world, world.get_visible(LAND), LAND, pivot=pivot, eye=eye) == pytest.approx(eye)


def test_where_neither_sweep_nor_eye_is_valid_the_pivot_is_the_eye():
    high = room(polygons=[floor(-200.0, 200.0, 439.9)], high=(50.0, 50.0, 600.0))
    world = empty_world()
    put_block(world, block_of_cells(high))
    pivot = (0.0, 0.0, 1.5)
    assert sweep_eye(world, high, ROOM, pivot=pivot, eye=(0.0, 0.0, 700.0)) == pivot  # beyond the cell
    assert sweep_eye(world, high, ROOM, pivot=pivot, eye=(0.0, 0.0, 445.0)) == (0.0, 0.0, 445.0)
    clear = sweep_eye(world, high, ROOM, pivot=pivot, eye=(0.0, 0.0, 440.0))
    assert clear == pytest.approx((0.0, 0.0, 439.9 + COLLISION_RADIUS), abs=1e-3)
