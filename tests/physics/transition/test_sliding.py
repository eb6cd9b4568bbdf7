"""Sweep 12.7: slides along walls and cliffs."""

import math

import pytest

from engine.physics.enums import ADJUSTED, COLLIDED, OK, SLID
from engine.physics.transition.edges import cliff_slide
from engine.physics.transition.sliding import slide_sphere
from tests.physics.scenes import FLAT, cells, origin, transition

DIAGONAL = (-math.sqrt(0.5), -math.sqrt(0.5), 0.0)


@pytest.mark.parametrize(
    ("name", "n", "move", "state", "end"),
    [
        ("SL1", (-1, 0, 0), (0.2, 0.2, 0), SLID, (0, 0.2, 0)),
        ("SL2", (-1, 0, 0), (0.2, 0, 0), COLLIDED, None),
        ("SL3", (-1, 0, 0), (0.2, 0.01, 0), COLLIDED, None),
        ("SL3b", (-1, 0, 0), (0.2, 0.015, 0), SLID, (0, 0.015, 0)),
        ("SL4", (0, 0, 1), (0.2, 0.2, -0.1), SLID, (0.2, 0.2, 0)),
        ("SL5", (0, 0, -1), (0.2, 0, 0.1), COLLIDED, None),
        ("SL6", DIAGONAL, (0.2, 0, 0), SLID, (0.1, -0.1, 0)),
        ("SL7", (DIAGONAL[0], 0, -DIAGONAL[0]), (0.2, 0.1, 0), SLID, (0, 0.1, 0)),
        ("SL8", (0, 0, 0), (0.2, 0.1, 0), ADJUSTED, (0.1, 0.05, 0)),
    ],
)
def test_slide_sphere(*, name, n, move, state, end):
    t = transition(cells(), displacement=move)
    assert slide_sphere(t, 0, n) == state
    assert origin(t) == pytest.approx(move if end is None else end, abs=1e-4)
    if name == "SL5":
        assert t.collision_info.collision_normal == pytest.approx((-0.894427, 0, -0.447214), abs=1e-4)


def test_SL9_without_any_plane_it_is_a_plain_projection():
    t = transition(cells(), displacement=(0.2, 0.2, 0.0), contact=None)
    assert slide_sphere(t, 0, (-1, 0, 0)) == SLID
    assert origin(t) == pytest.approx((0, 0.2, 0))


@pytest.mark.parametrize(
    ("name", "move", "end", "normal"),
    [
        ("CS1", (0.3, 0.2, 0), (0.6, 0.2, 0), (-1, 0, 0)),
        ("CS2", (-0.3, 0.2, 0), (0, 0.2, 0), (1, 0, 0)),
    ],
)
def test_cliff_slide(name, move, end, normal):
    t = transition(cells(), displacement=move)
    assert cliff_slide(t, (-0.819152, 0.0, 0.573576)) == ADJUSTED
    assert origin(t) == pytest.approx(end, abs=1e-4)
    assert t.collision_info.collision_normal == pytest.approx(normal, abs=1e-6)


def test_CS3_on_level_ground_there_is_no_cliff():
    t = transition(cells(), displacement=(0.3, 0.0, 0.0))
    assert cliff_slide(t, FLAT.normal) == OK
    assert origin(t) == (0.3, 0.0, 0.0)


def test_a_slide_over_a_landblock_border_counts_the_offset_of_the_blocks():
    t = transition(cells(), curr=(191.9, 10.0, 0.0), cell_id=0xA9B40039)
    t.sphere_path.add_offset_to_check_pos(0.2, 0.2, 0.0)
    t.sphere_path.adjust_check_pos(0xAAB40001)
    assert origin(t) == pytest.approx((0.1, 10.2, 0.0))
    assert slide_sphere(t, 0, (-1, 0, 0)) == SLID
    assert origin(t) == pytest.approx((-0.1, 10.2, 0.0))
