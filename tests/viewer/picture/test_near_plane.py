"""However wide the view, its near plane cuts no wall beside the eye, and depth stays fine enough."""

from __future__ import annotations

import math

import pytest

from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import Camera
from engine.visibility.openings import OpeningIndex
from engine.visibility.view import NEAR_PLANE, View, vertical_fov
from tests.viewer.demo_places import standing
from viewer.picture.eye_line import eye_line, see
from viewer.picture.scene_objects import scene_objects
from viewer.tables.option_values import SIDES
from viewer.tables.settings import FIELDS_OF_VIEW
from viewer.verify.picture_stage import Onlooker

SIZE = (320, 180)
SHAPES = ((320, 180), (180, 320), (640, 60), (40, 400), SIDES, SIDES[::-1], (1280, 800))
IN_FIRST_PERSON = 0.48 - math.hypot(0.18, 0.15)  # from the eye to the outside of the upper sphere


def pressed(heading: float) -> Simulation:
    """A body that has run into a wall of the cottage's side room, or into a corner."""
    simulation = standing("cottage side room")
    simulation.face(heading)
    for _ in range(60):
        simulation.input_tick(MovementInput(forward=1))
    return simulation


def unpainted(simulation: Simulation, size: tuple[int, int], fov: float | None) -> dict[str, int]:
    """Pixels that nothing was drawn to, by the pose that left them."""
    found = {}
    with Onlooker(simulation, size) as onlooker:
        for third in (False, True):
            for yaw in range(0, 360, 45):
                for pitch in (-50.0, 0.0, 50.0):
                    body = simulation.body
                    camera = Camera(float(yaw), pitch, third_person=third)
                    line = eye_line(
                        simulation.world, OpeningIndex(), body, drawn=simulation.drawn(1.0), camera=camera
                    )
                    picture = see(
                        simulation.world, OpeningIndex(), body.position.cell_id, line,
                        look=(float(yaw), pitch), size=size, fov=fov,
                    )  # fmt: skip
                    objects = scene_objects(simulation, line, now=simulation.time, figure=third)
                    stats = onlooker.draw(picture, objects).stats
                    if stats.sentinel:
                        found[f"{yaw},{pitch} third {third}"] = stats.sentinel
    return found


@pytest.mark.gl
@pytest.mark.parametrize("heading", [0.0, 45.0, 250.0])
@pytest.mark.parametrize(
    ("size", "fov"),
    [(SIZE, 120.0), (SIZE, 145.0), (SIZE, 170.0), ((90, 320), 145.0), ((640, 40), None), ((16, 400), None)],
)
def test_a_wide_view_beside_a_wall_leaves_no_hole(heading, size, fov):
    assert unpainted(pressed(heading), size, fov) == {}


def views() -> list[View]:
    fields = [float(f) for f in (*range(*FIELDS_OF_VIEW, 5), FIELDS_OF_VIEW[1])]
    return [
        View.from_angles((0.0, 0.0, 0.0), 0.0, 0.0, fov_y=fov, width=size[0], height=size[1])
        for size in SHAPES
        for fov in (*fields, vertical_fov(size[0] / size[1]))
    ]


def test_the_corners_of_the_near_plane_stay_within_what_is_kept_clear():
    for view in views():
        corner = view.near * math.dist((0.0, 0.0, 0.0), view.ray(1.0, 1.0))
        assert 0.0 < corner < IN_FIRST_PERSON, (view.tan_x, view.tan_y)
    assert (
        View.from_angles(
            (0.0, 0.0, 0.0), 0.0, 0.0, fov_y=vertical_fov(16 / 9), width=SIZE[0], height=SIZE[1]
        ).near
        == NEAR_PLANE
    )


def test_depth_tells_apart_what_a_pixel_does():
    """A step of 24-bit depth at 20 m is under 3 mm, or a twentieth of a pixel where those are coarse."""
    for view in views():
        step = 20.0**2 / (view.near * 2**24)
        pixel = 2.0 * 20.0 * max(view.tan_x / view.width, view.tan_y / view.height)
        assert step < max(0.003, pixel / 20.0), (view.tan_x, view.tan_y, view.near)
