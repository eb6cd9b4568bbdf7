"""The demo world's builder: the committed files are its output, and its pieces do what they say."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat.values import Vec3
from scripts.demo_world import outdoors, solids, terrain
from scripts.demo_world.art import art_wonders
from scripts.demo_world.art.noise import cells, smooth_noise
from scripts.demo_world.art.paint import finished
from scripts.demo_world.geometry import (
    Points,
    area_normal,
    cut_hole,
    cuts,
    dot,
    fans,
    normal_of,
    share_corners,
)
from scripts.demo_world.solids import Face
from scripts.demo_world.things import furniture, landmarks, plants
from scripts.demo_world.world import files
from tests.places import DEMO


def test_a_rebuild_gives_the_committed_bytes():
    for name, data in files().items():
        assert (DEMO / name).read_bytes() == data, f"{name} differs: run scripts/build_demo_world.py"


def area(points: Points) -> float:
    n = area_normal(points)
    return math.sqrt(dot(n, n)) / 2


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.tuples(*[st.integers(0, 20)] * 4))
def test_a_wall_without_its_opening_is_what_is_left_of_it(numbers: tuple[int, int, int, int]):
    x0, x1 = sorted((0.25 * numbers[0], 0.25 * numbers[1] + 0.25))
    z0, z1 = sorted((0.1 * numbers[2], 0.1 * numbers[3] + 0.1))
    x0, x1 = max(0.0, x0), min(5.0, x1)
    z0, z1 = max(0.0, z0), min(2.0, z1)
    if x1 - x0 < 0.05 or z1 - z0 < 0.05:
        return
    wall = solids.upright_y(0.0, 5.0, 1.0, z0=0.0, z1=2.0)
    hole = solids.upright_y(x0, x1, 1.0, z0=z0, z1=z1)
    pieces = cut_hole(wall, hole)
    assert sum(map(area, pieces)) == pytest.approx(10.0 - (x1 - x0) * (z1 - z0), abs=1e-3)
    assert all(dot(normal_of(piece), normal_of(wall)) > 0.999 for piece in pieces)


def test_cuts_keep_out_of_openings_and_leave_no_part_too_long():
    assert cuts((0.0, 13.0), [(9.05, 10.95), (0.6, 2.8), (9.0, 9.5)], 2.2) == pytest.approx(
        [0.6, 2.8, 2.8 + 6.2 / 3, 9.0 - 6.2 / 3, 9.0, 10.95], abs=1e-5
    )
    assert cuts((0.0, 2.0), [(0.0, 2.0), (1.0, 1.0)], 2.2) == []
    assert cuts((-5.0, 5.0), [], 2.2) == pytest.approx([-3.0, -1.0, 1.0, 3.0])


def test_an_opening_elsewhere_leaves_a_wall_whole():
    wall = solids.upright_y(0.0, 2.0, 1.0, z0=0.0, z1=2.0)
    assert cut_hole(wall, solids.upright_y(2.0, 3.0, 1.0, z0=0.0, z1=2.0)) == [wall]
    assert cut_hole(wall, solids.upright_y(5.0, 6.0, 1.0, z0=0.5, z1=1.0)) == [wall]


def test_fans_have_no_flat_triangle_and_keep_every_corner():
    square = solids.level(0.0, 4.0, 0.0, 4.0, z=0.0)
    corners: list[Vec3] = [
        (1.0, 0.0, 0.0),
        (2.0, 0.0, 0.0),
        (4.0, 1.0, 0.0),
        (4.0, 3.0, 0.0),
        (3.0, 4.0, 0.0),
    ]
    corners += [(1.0, 4.0, 0.0), (0.0, 2.0, 0.0), (0.0, 1.0, 0.0)]
    (ring,) = share_corners([square], corners)
    assert len(ring) == 12
    parts = fans(ring)
    assert {p for part in parts for p in part} == set(ring)
    assert sum(map(area, parts)) == pytest.approx(16.0)
    for part in parts:
        for a, b in pairwise(part[1:]):
            assert area((part[0], a, b)) > 0.01


def volume(faces: list[Face]) -> float:
    total = 0.0
    for face in faces:
        total += dot(face.points[0], area_normal(face.points)) / 6
    return total


@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        (solids.box((0.0, 0.0, 0.0), (1.0, 2.0, 3.0), "trim"), 6.0),
        (
            solids.prism(((0.0, 0.0), (2.0, 0.0), (1.0, 1.0)), 0.0, 3.0, along="y", materials=["trim"] * 5),
            3.0,
        ),
        (
            solids.prism(((0.0, 0.0), (2.0, 0.0), (1.0, 1.0)), 0.0, 3.0, along="x", materials=["trim"] * 5),
            3.0,
        ),
        (solids.cylinder((1.0, 1.0, 0.0), 1.0, 2.0, side="trim", ends="trim"), 6.0),
        (landmarks.shard((0.0, 0.0, 1.0), 1.0, tall=3.0, waist=0.5, tip=(0.0, 0.0)), 1.5 * math.sqrt(3.0)),
        (furniture.croft_steps(), 1.9 * 0.28 * 0.24 * sum(range(1, 5))),
        (furniture.cottage_ramp(), 2.0 * 3.0 * 3.7 / 2),
        (furniture.cottage_stairs(), 1.2 * 0.28 * 3.1 / 13 * sum(range(1, 14))),
    ],
)
def test_solids_face_out(faces: list[Face], expected: float):
    assert volume(faces) == pytest.approx(expected, abs=1e-3)
    assert volume(solids.inside_out(faces)) == pytest.approx(-expected, abs=1e-3)


def test_noise_meets_itself_at_the_borders():
    field = smooth_noise(64, 64, across=4, down=4, seed=7)
    step = np.abs(np.diff(field, axis=1)).max()
    assert np.abs(field[:, 0] - field[:, -1]).max() <= step * 1.01
    near, _, gap = cells(64, 64, across=5, down=5, seed=7)
    assert np.abs(near[:, 0] - near[:, -1]).max() < 0.1
    assert (gap >= 0.0).all()


def test_landblocks_agree_on_their_borders():
    east, north = (
        terrain.land_block(0xA9B40000, has_objects=True),
        terrain.land_block(0xA9B50000, has_objects=False),
    )
    west = terrain.land_block(0xA8B40000, has_objects=False)
    for k in range(9):
        assert west.height[72 + k] == east.height[k]
        assert west.terrain[72 + k] == east.terrain[k]
        assert east.height[9 * k + 8] == north.height[9 * k]
        assert east.terrain[9 * k + 8] == north.terrain[9 * k]


def test_the_ground_under_the_houses_is_level():
    for i in range(4, 9):
        for j in range(3):
            assert terrain.metres(i, j) == 94.0


def test_the_country_rolls_and_has_roads_and_several_kinds_of_ground():
    block = [terrain.land_block(b, has_objects=False) for b in terrain.blocks()]
    heights = {h for b in block for h in b.height}
    kinds = {word >> 2 & 0x1F for b in block for word in b.terrain}
    assert max(heights) - min(heights) >= 10
    assert len(kinds) >= 5
    assert any(word & 3 for word in block[len(block) // 2].terrain)


def test_a_boulder_is_closed_and_faces_out():
    edges = Counter()
    for face in plants.rock():
        for a, b in zip(face.points, (*face.points[1:], face.points[0]), strict=True):
            edges[a, b] += 1
    foot = {(a, b) for a, b in edges if (b, a) not in edges}
    assert set(edges.values()) == {1}
    assert all(p[2] == -0.5 for edge in foot for p in edge) and len(foot) == 6
    assert all(normal_of(face.points)[2] > -0.1 for face in plants.rock())


def test_textures_keep_their_hue_from_level_to_level():
    shades = np.linspace(0.3, 1.0, 200)[None, :, None] * np.array((222.0, 212.0, 186.0))
    done = finished(shades).astype(np.float64)
    assert len(np.unique(done[..., 0])) < 48
    assert np.abs(done[..., 2] / done[..., 0] - 186.0 / 222.0).max() < 0.01


@pytest.mark.parametrize(
    "glow", [art_wonders.fire, art_wonders.halo, art_wonders.blue_halo, art_wonders.swirl]
)
def test_what_shines_fades_before_its_pictures_edge(glow):
    alpha = glow()[:, :, 3]
    assert alpha.max() > 200
    for edge in (alpha[0], alpha[:, 0], alpha[:, -1]):
        assert edge.max() <= 40
    assert alpha[-1].max() <= 80  # a fire's foot is hidden by what burns


def test_leaves_are_lit_from_outside_the_crown_on_both_sides():
    fronts = [face for face in plants.tree() if face.material == "foliage"]
    for front, back in zip(fronts[::2], fronts[1::2], strict=True):
        assert dot(normal_of(front.points), normal_of(back.points)) < -0.99
        assert front.normals is not None and back.normals is not None
        lit = dict(zip(front.points, front.normals, strict=True))
        assert lit == dict(zip(back.points, back.normals, strict=True))
        assert all(p[0] * n[0] + p[1] * n[1] > 0.0 for p, n in lit.items())


def test_nothing_stands_in_the_street():
    for model, x, y, _ in outdoors.THINGS:
        if 118.0 < x < 175.0:
            assert not 19.2 < y < 28.8, f"{model:08X} at {x}, {y}"
