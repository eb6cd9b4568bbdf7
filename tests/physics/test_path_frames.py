"""A path whose tried place lies in another landblock than the accepted one: lengths stay what they are."""

import pytest

from engine.world.frame import Frame, Position
from tests.physics.scenes import cells, transition

WEST, EAST = 0xA9B4003D, 0xAAB40005
ABOUT = 1e-9


def over_the_border():
    """Accepted 20 cm before a landblock's border, tried 10 cm beyond it and 5 cm to the north."""
    t = transition(cells(), (191.8, 100.0, 0.0), (0.3, 0.05, 0.0), cell_id=WEST)
    t.sphere_path.adjust_check_pos(EAST)
    assert t.sphere_path.check_pos.frame.origin == pytest.approx((0.1, 100.05, 0.0), abs=ABOUT)
    return t.sphere_path


def test_a_move_over_the_border_is_as_long_as_it_was_asked_for():
    path = over_the_border()
    assert path.displacement() == pytest.approx((0.3, 0.05, 0.0), abs=ABOUT)
    assert path.displacement(1) == pytest.approx((0.3, 0.05, 0.0), abs=ABOUT)


@pytest.mark.parametrize(("cell_id", "x"), [(EAST, 2.0), (WEST, 194.0)], ids=["there", "here"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_tree_sees_the_same_move_from_either_landblock(cell_id, x, scale):
    """The tree stands 2 m beyond the border, told in the one frame or in the other."""
    path = over_the_border()
    path.cache_localspace_sphere(Position(cell_id, Frame((x, 100.0, 0.0))), scale)
    foot = path.localspace_sphere[0]
    assert (foot.x * scale, foot.y * scale) == pytest.approx((-1.9, 0.05), abs=ABOUT)
    was = path.localspace_curr_center
    assert (was[0] * scale, was[1] * scale) == pytest.approx((-2.2, 0.0), abs=ABOUT)


def test_a_probe_farther_than_the_foot_sphere_is_wide_takes_two():
    """Of 1.5 m with a sphere of 0.96 m: half at a time; a probe that the sphere spans is one."""
    path = over_the_border()
    wide = 2.0 * path.global_sphere[0].r
    assert path.probe_height(1.5) == (0.75, True)
    assert path.probe_height(wide) == (wide, False)
    assert path.probe_height(0.6) == (0.6, False)
