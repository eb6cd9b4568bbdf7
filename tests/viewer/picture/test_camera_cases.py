"""K2, K4, K6 and K8 of visibility 11.3 with the camera's sweep and pictures, on the demo world."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.visibility.camera import COLLISION_RADIUS, Camera, pivot_of
from engine.visibility.openings import OpeningIndex
from engine.world.bsp import InwardPlane
from engine.world.cells import EnvCell
from engine.world.location import parse_location
from engine.world.way import Way
from tests.viewer.demo_places import PLACES, standing
from viewer.picture.eye_line import eye_line
from viewer.renderer.render_options import RenderOptions
from viewer.verify.picture_stage import Onlooker, cell_pixels
from viewer.window.walking.walk import Walk


@pytest.mark.gl
@pytest.mark.parametrize(
    ("place", "cells"),
    [
        ("0xA9B40171 [155.4 14.42 94] 1 0 0 0", {0xA9B40170, 0xA9B40171}),
        ("cottage doorway", {0xA9B40171, 0xA9B40172, 0xA9B40173}),
        ("dungeon entrance", {0x01070100, 0x01070101}),
    ],
)
def test_K2_orbiting_on_a_threshold_leaves_no_hole_and_depends_on_the_pose(place, cells):
    simulation = standing(place)
    first: dict[float, tuple[int, bytes]] = {}
    with Onlooker(simulation, (96, 54)) as onlooker:
        for yaw in (*range(0, 360, 6), *range(354, -6, -18)):
            shot = onlooker.shoot(float(yaw), 0.0, third=True)
            assert shot.stats.sentinel == 0, yaw
            assert shot.picture.root in cells
            seen = (shot.picture.root, shot.rgb.tobytes())
            assert first.setdefault(float(yaw), seen) == seen


def test_K4_pressed_against_a_wall_eye_and_flood_come_to_rest():
    walk = Walk(standing("cottage side room"), third_person=True)
    walk.camera.turn(0.0, -5.0)
    states = []
    for _ in range(300):
        walk.advance(TICK, MovementInput(forward=1))
        picture = walk.look_out((160, 90), TICK)
        flood = [(c.cell, c.via, [r.points for r in c.regions]) for c in picture.cells]
        states.append((picture.view.eye, picture.view.forward, picture.root, flood))
    assert states[0] != states[-1]
    assert all(state == states[-1] for state in states[-60:])


def walls(cell: EnvCell) -> list[InwardPlane]:
    """The upright inward planes of a cell that no portal lies in, block frame."""
    planes = cell.block_planes or ()
    return [
        p
        for p in planes
        if abs(p.nz) < 1e-3
        and not any(
            abs(p.nx * q[0] + p.ny * q[1]) > 0.999 and abs(abs(p.d) - abs(q[3])) < 1e-2
            for q in cell.portal_planes
        )
    ]


@pytest.mark.parametrize("place", ["cottage cellar bottom", "dungeon lower room", "cottage loft"])
def test_K6_a_wall_behind_holds_the_camera_in(place):
    simulation = standing(place)
    cell = simulation.body.cell
    assert isinstance(cell, EnvCell)
    tried = 0
    for nx, ny, nz, d in walls(cell):
        x, y, z = parse_location(PLACES[place]).position.frame.origin
        off = nx * x + ny * y + nz * z + d - 1.0
        feet = (x - nx * off, y - ny * off, z)  # 1 m before the wall
        if min(a * feet[0] + b * feet[1] + c * feet[2] + e for a, b, c, e in cell.block_planes or ()) < -0.05:
            continue
        yaw = math.degrees(math.atan2(nx, ny))
        camera = Camera(yaw, third_person=True)
        camera.distance, camera.target_pitch = 5.0, 0.0
        camera.settle()
        line = eye_line(
            simulation.world,
            OpeningIndex(),
            simulation.body,
            drawn=Way.only(cell.id, feet).drawn(),
            camera=camera,
        )
        pivot = pivot_of(feet)
        assert math.dist(line.eye, pivot) <= 0.7 + 1e-3
        assert nx * line.eye[0] + ny * line.eye[1] + nz * line.eye[2] + d >= COLLISION_RADIUS - 1e-3
        tried += 1
    assert tried >= 1


@pytest.mark.gl
def test_K8_the_first_frame_after_a_teleport_shows_only_new_cells():
    """From one sealed place to another and back; the same renderer draws both."""
    simulation = standing("cottage cellar bottom")
    with Onlooker(simulation, (160, 90)) as onlooker:
        before = onlooker.shoot(0.0)
        for place in ("dungeon hall", "cottage cellar bottom", "dungeon lower room"):
            simulation.teleport(parse_location(PLACES[place]).position)
            picture, objects = onlooker.view(0.0)
            shot = onlooker.draw(picture, objects, RenderOptions(cell_ids=True))
            listed = {c.cell for c in picture.cells}
            everything = [c for block in simulation.world.blocks.values() for c in block.env_cells]
            shown = set(cell_pixels(shot.rgb, everything))
            assert shown
            assert shown <= listed
            assert {c & 0xFFFF0000 for c in shown} == {simulation.position.cell_id & 0xFFFF0000}
            assert shot.stats.sentinel == 0
        simulation.teleport(parse_location(PLACES["cottage cellar bottom"]).position)
        assert np.array_equal(onlooker.shoot(0.0).rgb, before.rgb)
