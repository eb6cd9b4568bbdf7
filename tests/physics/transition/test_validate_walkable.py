"""Sweep 12.8: the foot sphere against terrain."""

import math

import pytest

from engine.physics.enums import ADJUSTED, COLLIDED, OI_CONTACT, OI_IS_VIEWER, OK, Response
from engine.physics.transition.validate_walkable import validate_walkable
from engine.world.frame import Frame, Position
from tests.physics.scenes import UP, cells, origin, transition, triangle

CELL, INDOORS = 0xA9B40001, 0xA9B40100
FLAT = triangle(0, (0, 0, 0), (24, 0, 0), (24, 24, 0))
SLOPE = triangle(0, (0, 0, 0), (24, 0, 0), (24, 24, 24 * math.tan(math.radians(55))))


def test_plane(*, z, grounded, poly=FLAT, depth=0.0, prepare=None, x=12.0, y=1.0):
    t = transition(cells(), (x, y, z), cell_id=CELL, contact=None, grounded=grounded)
    if prepare is not None:
        prepare(t)
    foot = t.sphere_path.global_sphere[0]
    return t, validate_walkable(t, foot.center, foot.r, poly, is_water=False, depth=depth, cell_id=CELL)


test_plane.__test__ = False  # type: ignore[attr-defined]


def check(t, z, *, contact, normal, env):
    info = t.collision_info
    assert origin(t)[2] == pytest.approx(z)
    assert (info.contact is not None) is contact
    if contact:
        assert info.contact.cell_id == CELL
    assert (info.collision_normal is not None) is normal
    assert info.collided_with_environment is env


@pytest.mark.parametrize("grounded", [True, False])
def test_VW1_above_the_plane(grounded):
    t, ts = test_plane(z=0.006, grounded=grounded)
    assert ts == OK
    check(t, 0.006, contact=False, normal=False, env=False)


def test_VW2_touching_in_the_air():
    t, ts = test_plane(z=0.005, grounded=False)
    assert ts == OK
    check(t, 0.005, contact=True, normal=True, env=True)
    assert t.collision_info.collision_normal == UP


def test_VW3_touching_on_the_ground():
    t, ts = test_plane(z=0.005, grounded=True)
    assert ts == OK
    check(t, 0.005, contact=True, normal=False, env=False)


@pytest.mark.parametrize("z", [0.0, -0.2])
def test_VW4_below_on_the_ground(z):
    t, ts = test_plane(z=z, grounded=True)
    assert ts == ADJUSTED
    check(t, 0.005, contact=True, normal=False, env=False)


def test_VW5_below_in_the_air():
    t, ts = test_plane(z=-0.2, grounded=False)
    assert ts == ADJUSTED
    check(t, 0.005, contact=True, normal=True, env=True)


@pytest.mark.parametrize(("z", "interp"), [(-0.1, 0.86), (-0.7, 0.06), (-0.81, -0.0867), (-0.83, None)])
def test_VW6_VW7_step_down_reaches_a_tenth_further_than_its_height(z, interp):
    def probe(t):
        t.sphere_path.step_down = True
        t.sphere_path.step_down_amt = 0.75

    t, ts = test_plane(z=z, grounded=True, prepare=probe)
    if interp is None:
        assert ts == COLLIDED
    else:
        assert ts == ADJUSTED
        assert t.sphere_path.walk_interp == pytest.approx(interp, abs=1e-4)


def test_VW8_a_steep_slope_under_a_grounded_mover_is_left_to_the_edge_rules():
    t, ts = test_plane(z=-0.2, grounded=True, poly=SLOPE, y=0.1)
    assert ts == OK
    check(t, -0.2, contact=False, normal=False, env=False)


def test_VW9_a_steep_slope_under_a_falling_mover():
    t, ts = test_plane(z=-0.2, grounded=False, poly=SLOPE, y=0.1)
    assert ts == ADJUSTED
    assert t.collision_info.contact is not None
    assert t.collision_info.collision_normal is not None


def test_VW10_walkers_sink_into_deep_water():
    assert test_plane(z=-0.8, grounded=True, depth=0.9)[1] == OK
    t, ts = test_plane(z=-0.95, grounded=True, depth=0.9)
    assert ts == ADJUSTED
    assert origin(t)[2] == pytest.approx(-0.895)


def test_VW11_a_support_probe_that_dips_into_the_ground_hits():
    def probe(t):
        t.sphere_path.check_walkable = True

    assert test_plane(z=-0.1, grounded=True, prepare=probe)[1] == COLLIDED


def test_contact_alone_keeps_the_collision_normal_away():
    def contact(t):
        t.object_info.state |= OI_CONTACT

    t, _ = test_plane(z=0.005, grounded=False, prepare=contact)
    assert t.collision_info.collision_normal is None


LEANING = triangle(0, (0, 0, 3), (24, 0, 9), (24, 24, 18))


def viewer(height, move, *, begin=CELL, poly=LEANING):
    """The view's sphere, tried at a place so high over a slope after a move that led there."""
    nx, ny, nz = poly.normal
    z = -(nx * 12.0 + ny * 8.0 + poly.d) / nz + height / nz - 0.475  # so far from the plane is its centre
    start = (12.0 - move[0], 8.0 - move[1], z - move[2])
    t = transition(cells(), start, move, cell_id=CELL, contact=None, grounded=False)
    t.object_info.state = OI_IS_VIEWER
    t.sphere_path.begin_pos = None if begin is None else Position(begin, Frame(start))
    foot = t.sphere_path.global_sphere[0]
    ts = validate_walkable(t, foot.center, foot.r, poly, is_water=False, depth=0.0, cell_id=CELL)
    return t, ts


def off(t, poly=LEANING):
    """How far the foot sphere's surface is from a plane."""
    foot = t.sphere_path.global_sphere[0]
    return sum(n * c for n, c in zip(poly.normal, foot.center, strict=True)) + poly.d - foot.r


@pytest.mark.parametrize("move", [(0.3, 0.2, -0.1), (-0.2, 0.4, -0.6), (0.0, 0.0, -1.0)])
@pytest.mark.parametrize("begin", [CELL, INDOORS])
def test_the_view_stops_on_its_way_where_it_touches_the_ground(move, begin):
    t, ts = viewer(0.4, move, begin=begin)
    assert ts == ADJUSTED
    assert off(t) == pytest.approx(0.0, abs=1e-9)
    back = [a - b for a, b in zip(t.sphere_path.displacement(), move, strict=True)]
    share = [b / m for b, m in zip(back, move, strict=True) if m]
    assert share == pytest.approx([share[0]] * len(share))
    assert -1.0 < share[0] < 0.0
    assert t.collision_info.collision_normal == pytest.approx(LEANING.normal)
    assert t.collision_info.contact is None
    assert t.collision_info.collided_with_environment
    assert [hit.response for hit in t.hits] == [Response.STOPPED_VIEW]


@pytest.mark.parametrize("height", [0.48, 0.481, 0.47985, 5.0])
def test_the_view_above_the_ground_is_let_through(height):
    t, ts = viewer(height, (0.3, 0.2, -0.1))
    assert ts == OK
    assert t.sphere_path.displacement() == pytest.approx((0.3, 0.2, -0.1))
    assert t.hits == []


@pytest.mark.parametrize(
    "move", [(-0.3, -0.2, 0.1), (0.0, 0.0, -0.01)], ids=["comes out of it", "was deep in it before"]
)
def test_a_view_from_indoors_minds_only_ground_that_it_meets_on_its_way(move):
    """A cellar lies under the ground: its view would be pushed out of the house."""
    t, ts = viewer(0.4, move, begin=INDOORS)
    assert ts == OK
    assert t.sphere_path.displacement() == pytest.approx(move)
    for begin in (CELL, None):  # outdoors, and put down from nowhere
        t, ts = viewer(0.4, move, begin=begin)
        assert ts == ADJUSTED
        assert off(t) == pytest.approx(0.0, abs=1e-9)


def on_slope(under, *, grounded=True, prepare=None):
    """A human whose foot's lowest point is so far under a slope, straight down (metres)."""
    nx, ny, nz = LEANING.normal
    ground = -(nx * 12.0 + ny * 8.0 + LEANING.d) / nz
    return test_plane(
        x=12.0, y=8.0, z=ground - under + 0.005, grounded=grounded, poly=LEANING, prepare=prepare
    )


def probing(amount, interp):
    def prepare(t):
        path = t.sphere_path
        path.step_down, path.step_down_amt, path.walk_interp = True, amount, interp

    return prepare


@pytest.mark.parametrize(("grounded", "told"), [(True, []), (False, [Response.LANDED])])
def test_on_a_slope_the_foot_is_lifted_straight_up_until_its_lowest_point_is_on_it(grounded, told):
    t, ts = on_slope(0.2, grounded=grounded)
    assert ts == ADJUSTED
    assert t.sphere_path.displacement() == pytest.approx((0.0, 0.0, 0.2))
    assert t.collision_info.contact.normal == LEANING.normal
    assert t.collision_info.contact.d == LEANING.d
    assert t.ground.poly == LEANING.id
    assert [hit.response for hit in t.hits] == told


@pytest.mark.parametrize("under", [-0.001, 0.0, 0.0001])
def test_a_slope_that_is_touched_lifts_nobody(under):
    t, ts = on_slope(under)
    assert ts == OK
    assert t.sphere_path.displacement() == (0.0, 0.0, 0.0)
    assert (t.collision_info.contact is None) is (under < 0.0)


@pytest.mark.parametrize(
    ("amount", "interp", "left"), [(1.0, 1.0, 0.8), (1.0, 0.5, 0.3), (0.5, 1.0, 0.6), (0.5, 0.5, 0.1)]
)
def test_a_probe_down_notes_the_share_of_its_way_that_is_left(amount, interp, left):
    t, ts = on_slope(0.2, prepare=probing(amount, interp))
    assert ts == ADJUSTED
    assert t.sphere_path.walk_interp == pytest.approx(left)


def test_a_probe_down_in_the_air_finds_ground_and_hits_nothing():
    t, ts = on_slope(0.2, grounded=False, prepare=probing(1.0, 1.0))
    assert ts == ADJUSTED
    assert t.collision_info.contact is not None
    assert t.collision_info.collision_normal is None
    assert t.hits == []


@pytest.mark.parametrize(("under", "ts"), [(0.0, OK), (0.0001, OK), (0.001, COLLIDED)])
def test_only_ground_that_reaches_above_the_foots_lowest_point_carries_it(under, ts):
    def prepare(t):
        t.sphere_path.check_walkable = True

    assert on_slope(under, prepare=prepare)[1] == ts


def test_a_probe_down_takes_steep_ground_for_ground_under_a_grounded_mover_too():
    nx, ny, nz = SLOPE.normal
    z = -(nx * 12.0 + ny * 1.0 + SLOPE.d) / nz + 0.005
    t, ts = test_plane(z=z, grounded=True, poly=SLOPE, prepare=probing(1.0, 1.0))
    assert (ts, t.collision_info.contact.normal) == (OK, SLOPE.normal)
    t, ts = test_plane(z=z, grounded=True, poly=SLOPE)
    assert (ts, t.collision_info.contact) == (OK, None)
