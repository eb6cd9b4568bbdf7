"""Facing and levels of detail (particles 6.3, 7.2, 7.3, 10.6, 10.7)."""

import math

import numpy as np
import pytest

from engine.dat.records.gfx_obj_degrade_info import DegradeLevel
from engine.particles.looks import Look, faced, level_numbers, rotations

CUBE = (3 / 13, 4 / 13, 12 / 13)
COLUMNS = {
    "F1": (2, 0, (0, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "F2": (2, 0, (1, 0, 0), (0, -1, 0), (1, 0, 0), (0, 0, 1)),
    "F3": (2, 0, CUBE, (0.8, -0.6, 0), (0.2308, 0.3077, 0.9231), (-0.5538, -0.7385, 0.3846)),
    "F4": (2, 0, (0, 0, 1), (0, -1, 0), (0, 0, 1), (-1, 0, 0)),
    "F5": (5, 0, CUBE, (0.8, -0.6, 0), (0.6, 0.8, 0), (0, 0, 1)),
    "F6": (3, 0, CUBE, (1, 0, 0), (0, 0.9487, -0.3162), (0, 0.3162, 0.9487)),
    "F7": (4, 0, CUBE, (0.2425, 0, 0.9701), (0, 1, 0), (-0.9701, 0, 0.2425)),
    "F8": (5, 30, (0, 1, 0), (1, 0, 0), (0, 0.8660, 0.5), (0, -0.5, 0.8660)),
    "F9": (5, 0, (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)),
}


def about_x(degrees):
    half = math.radians(degrees) / 2.0
    return np.array([[math.cos(half), math.sin(half), 0.0, 0.0]])


@pytest.mark.parametrize("case", COLUMNS)
@pytest.mark.parametrize("length", [1.0, 7.5])
def test_facing(case, length):
    mode, degrees, away, *columns = COLUMNS[case]
    found = faced(about_x(degrees), np.array([mode]), np.array([away]) * length)[0]
    assert found == pytest.approx(np.array(columns, float).T, abs=1e-4)


@pytest.mark.parametrize("mode", [2, 5])
def test_F10_a_card_shows_its_front(mode):
    front = faced(about_x(0), np.array([mode]), np.array([(0.0, 1.0, 0.0)]))[0] @ (0.0, -1.0, 0.0)
    assert front == pytest.approx([0.0, -1.0, 0.0])


def test_many_modes_at_once_and_every_turn_is_a_turn():
    dice = np.random.default_rng(5)
    quats = dice.normal(size=(200, 4))
    quats /= np.linalg.norm(quats, axis=1)[:, None]
    modes = dice.integers(0, 7, 200)
    away = dice.normal(size=(200, 3)) * 20
    out = faced(quats, modes, away)
    assert np.matmul(out, out.transpose(0, 2, 1)) == pytest.approx(np.tile(np.eye(3), (200, 1, 1)), abs=1e-9)
    assert np.linalg.det(out) == pytest.approx(np.ones(200))
    for index in range(200):
        alone = faced(quats[index : index + 1], modes[index : index + 1], away[index : index + 1])
        assert out[index] == pytest.approx(alone[0])
    same = ~np.isin(modes, (2, 3, 4, 5))
    assert (out[same] == rotations(quats)[same]).all()


def levels(*maxima, ideals=None):
    ideals = ideals or maxima
    pairs = zip(maxima, ideals, strict=True)
    return tuple(
        DegradeLevel(gfxobj=0x01000001, mode=1, min=0.0, ideal=float(i), max=float(m)) for m, i in pairs
    )


@pytest.mark.parametrize(
    ("case", "maxima", "reach"),
    [
        ("G4-none", (), 100),
        ("G4-one", (11,), 11),
        ("G4-two", (21, 22), 21),
        ("G4-four", (31, 32, 33, 34), 33),
    ],
)
def test_how_far_particles_count(case, maxima, reach):
    assert Look.of(0x01000001, levels(*maxima)).reach == reach


def test_G6_levels_by_distance():
    look = Look.of(0x01000001, levels(10, 30, 60))
    distances = np.array([0.0, 55.0, 60.0, 65.0, 79.9, 80.0, 120.0])
    assert level_numbers(look, distances, np.ones(7)).tolist() == [0, 0, 1, 1, 1, 2, 2]
    assert level_numbers(look, np.array([120.0]), np.array([2.0])).tolist() == [1]
