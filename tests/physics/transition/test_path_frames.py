"""A path whose tried place lies in another landblock than the accepted one: lengths stay what they are."""

import math

import pytest

from engine.dat.values import Plane
from engine.physics.body.outcome import Contact
from engine.physics.transition.bsp_collisions import contact_with
from engine.physics.transition.sliding import adjust_offset
from engine.world.frame import Frame, Position
from tests.physics.scenes import cells, transition, triangle

WEST, EAST = 0xA9B4003D, 0xAAB40005
ABOUT = 1e-9


def over_the_border():
    """Accepted 20 cm before a landblock's border, tried 10 cm beyond it and 5 cm to the north."""
    t = transition(cells(), (191.8, 100.0, 0.0), (0.3, 0.05, 0.0), cell_id=WEST)
    t.sphere_path.adjust_check_pos(EAST)
    assert t.sphere_path.check_pos.frame.origin == pytest.approx((0.1, 100.05, 0.0), abs=ABOUT)
    return t


def test_a_move_over_the_border_is_as_long_as_it_was_asked_for():
    path = over_the_border().sphere_path
    assert path.displacement() == pytest.approx((0.3, 0.05, 0.0), abs=ABOUT)
    assert path.displacement(1) == pytest.approx((0.3, 0.05, 0.0), abs=ABOUT)


@pytest.mark.parametrize(("cell_id", "x"), [(EAST, 2.0), (WEST, 194.0)], ids=["there", "here"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_tree_sees_the_same_move_from_either_landblock(cell_id, x, scale):
    """The tree stands 2 m beyond the border, told in the one frame or in the other."""
    path = over_the_border().sphere_path
    path.cache_localspace_sphere(Position(cell_id, Frame((x, 100.0, 0.0))), scale)
    foot = path.localspace_sphere[0]
    assert (foot.x * scale, foot.y * scale) == pytest.approx((-1.9, 0.05), abs=ABOUT)
    was = path.localspace_curr_center
    assert (was[0] * scale, was[1] * scale) == pytest.approx((-2.2, 0.0), abs=ABOUT)


@pytest.mark.parametrize("what", ["nothing", "the spheres", "the scale", "the landblock", "the frame"])
def test_in_the_frame_of_the_tree_before_spheres_are_put_anew_when_anything_else_is_another(what):
    """The cells of a building stand in one frame: there they need not be."""
    frame = Frame((2.0, 100.0, 0.5), (0.6, 0.0, 0.0, 0.8))
    path, fresh = over_the_border().sphere_path, over_the_border().sphere_path
    path.cache_localspace_sphere(Position(EAST, frame), 1.0)
    if what == "the spheres":
        for p in (path, fresh):
            p.add_offset_to_check_pos(0.0, 0.0, 1e-9)
    if what == "the frame":
        frame = Frame((2.0, 100.0, 0.25), (0.6, 0.0, 0.0, 0.8))
    pos = Position(WEST if what == "the landblock" else EAST + 1, frame)
    scale = 2.0 if what == "the scale" else 1.0
    before = [s.center for s in path.localspace_sphere]
    path.cache_localspace_sphere(pos, scale)
    fresh.cache_localspace_sphere(pos, scale)
    assert path.localspace_pos is pos
    after = [s.center for s in path.localspace_sphere]
    assert after == [s.center for s in fresh.localspace_sphere]
    assert [s.r for s in path.localspace_sphere] == [s.r for s in fresh.localspace_sphere]
    assert path.localspace_z == fresh.localspace_z
    assert (after == before) is (what == "nothing")


def test_a_probe_farther_than_the_foot_sphere_is_wide_takes_two():
    """Of 1.5 m with a sphere of 0.96 m: half at a time; a probe that the sphere spans is one."""
    path = over_the_border().sphere_path
    wide = 2.0 * path.global_sphere[0].r
    assert path.probe_height(1.5) == (0.75, True)
    assert path.probe_height(wide) == (wide, False)
    assert path.probe_height(0.6) == (0.6, False)


def test_a_foot_sunk_into_the_slope_behind_the_border_is_lifted_onto_it():
    """The slope's plane is still told in the landblock that was left, 192 m from where the foot is told."""
    t = over_the_border()
    nx, nz = -0.5, math.sqrt(0.75)  # rises to the east
    foot = t.sphere_path.global_sphere[0]
    sunk = Plane((nx, 0.0, nz), -(nx * (foot.x + 192.0) + nz * foot.z) + foot.r - 0.02)
    t.collision_info.contact = Contact.on(sunk, WEST)
    adjust_offset(t, (0.0, 0.0, 0.0))
    assert t.sphere_path.check_pos.frame.origin == pytest.approx((0.1, 100.05, 0.02 / nz), abs=ABOUT)


@pytest.mark.parametrize(("cell_id", "x"), [(EAST, 2.0), (WEST, 194.0)], ids=["there", "here"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_ground_of_a_tree_is_the_same_plane_from_either_landblock(cell_id, x, scale):
    """A slope of a tree 2 m beyond the border, as the block of the tried place tells it."""
    t = over_the_border()
    corners = (0.0, 0.0, 1.0), (1.0, 0.0, 1.5), (0.0, 1.0, 1.25)
    t.sphere_path.cache_localspace_sphere(Position(cell_id, Frame((x, 100.0, 3.0))), scale)
    plane = contact_with(t, triangle(1, *corners), scale)
    for lx, ly, lz in corners:
        there = (2.0 + lx * scale, 100.0 + ly * scale, 3.0 + lz * scale)
        off = sum(n * p for n, p in zip(plane.normal, there, strict=True)) + plane.d
        assert off == pytest.approx(0.0, abs=ABOUT)
