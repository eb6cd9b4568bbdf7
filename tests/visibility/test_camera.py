"""The camera's rules (visibility 1.5) and K4's bit-identical rest."""

from __future__ import annotations

import math

import pytest

from engine.visibility.camera import (
    DEFAULT_DISTANCE,
    DEFAULT_PITCH,
    Camera,
    approach,
    clamp_offset,
    first_person_eye,
    pivot_of,
    player_alpha,
)
from engine.visibility.view import basis


def test_the_default_third_person_offset():
    assert pytest.approx(2.61, abs=0.001) == DEFAULT_DISTANCE
    assert math.radians(-DEFAULT_PITCH) == pytest.approx(0.2915, abs=1e-3)
    pivot = pivot_of((1.0, 2.0, 3.0))
    assert pivot == (1.0, 2.0, 4.5)
    assert Camera(0.0, third_person=True).desired_eye(pivot) == pytest.approx((1.0, -0.5, 5.25))
    assert Camera(90.0, third_person=True).desired_eye(pivot) == pytest.approx((-1.5, 2.0, 5.25))
    assert first_person_eye(pivot, 90.0) == pytest.approx((1.18, 2.0, 4.5))


def test_a_turned_camera_stands_behind_the_pivot_along_its_look():
    pivot = (1.0, 2.0, 4.5)
    camera = Camera(30.0, third_person=True)
    camera.turn(10.0, -20.0)
    camera.settle()
    forward = basis(40.0, DEFAULT_PITCH - 20.0)[2]
    behind = tuple(p - DEFAULT_DISTANCE * f for p, f in zip(pivot, forward, strict=True))
    assert camera.desired_eye(pivot) == pytest.approx(behind)
    assert Camera(30.0).desired_eye(pivot) == pytest.approx(first_person_eye(pivot, 30.0))


def test_K4_a_parked_camera_is_bit_identical():
    camera = Camera(0.0, third_person=True)
    camera.turn(77.0, -13.0)
    camera.zoom(-2)
    states = []
    for _ in range(300):
        camera.update(1.0 / 60.0)
        states.append((camera.yaw, camera.pitch, camera.offset))
    assert states[0] != states[1]
    assert states[-1] == states[-60]
    assert camera.offset == camera.target_offset()


def test_smoothing_closes_45_percent_in_a_tenth_of_a_second():
    assert approach(0.0, 1.0, 0.1, 1e-4) == pytest.approx(0.45)
    assert approach(0.0, 1.0, 10.0, 1e-4) == 1.0
    assert approach(0.99995, 1.0, 0.001, 1e-4) == 1.0


def test_zoom_and_its_limits():
    camera = Camera(0.0, third_person=True)
    camera.zoom(1)
    assert camera.distance == pytest.approx(DEFAULT_DISTANCE / 1.2)
    camera.zoom(-40)
    assert -camera.target_offset()[0] == pytest.approx(10.0)
    camera.zoom(40)
    assert not camera.third_person
    camera.zoom(1)
    assert not camera.third_person
    camera.zoom(-1)
    assert camera.third_person
    assert camera.target_offset() == pytest.approx((-0.6, 0.5))
    assert clamp_offset(-0.1, 0.0) == pytest.approx((-0.5, 0.0))
    assert clamp_offset(-3.0, -5.0)[1] == -1.8


def test_the_player_fades_near_the_eye():
    assert [player_alpha(d) for d in (0.1, 0.2, 0.45, 2.0)] == [0.0, 0.0, 1.0, 1.0]
    assert player_alpha(0.325) == pytest.approx(0.5)


def test_pitch_stops_short_of_the_pole():
    camera = Camera()
    camera.turn(0.0, 500.0)
    assert camera.target_pitch == 89.0
