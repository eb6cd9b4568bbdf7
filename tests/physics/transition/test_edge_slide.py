"""Where the ground ends (sweep 3.14): each row with the place, the contact and the floor it leaves."""

from __future__ import annotations

import math

import pytest

from engine.collision.moving_sphere import MovingSphere
from engine.dat.values import Plane
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    ADJUSTED,
    COLLIDED,
    FLOOR_Z,
    OI_EDGE_SLIDE,
    OI_ON_WALKABLE,
    OK,
    SLID,
    HitKind,
    Response,
)
from engine.physics.transition import found
from engine.physics.transition.edges import cliff_slide, edge_slide, precipice_slide
from engine.world.frame import Frame, Position, quat_of_heading
from tests.physics.scenes import FLAT, cells, flat_floor, origin, transition
from tests.physics.scripted_rules import OnlyRules

STEEP = Plane((-0.8, 0.0, 0.6), 0.0)
MOVE = (0.2, 0.3, 0.0)
TRIED = (0.2, 0.3, -0.75)  # where the probe for ground has left the place
HOME = Frame((0.0, 0.0, 0.0))


class Probe(OnlyRules):
    """A step down that notes where it begins and finds what it is given; nothing else may be asked."""

    def __init__(self, finds=None):
        super().__init__(step_down=self._probe)
        self.finds = finds
        self.begun = []

    def _probe(self, t, height, z):
        self.begun.append((origin(t), height, z))
        t.collision_info.contact = Contact.on(FLAT, 0)
        t.sphere_path.walkable = self.finds
        return False


def slab(*, frame=HOME, at=(0.05, 0.0, 0.475), x1=0.0):
    """A floor that ends at ``x1``, with the foot sphere over its edge."""
    return found.Walkable(
        polygon=flat_floor(-5.0, x1, 0.0),
        sphere=MovingSphere(at[0], at[1], at[2], 0.48),
        up=(0.0, 0.0, 1.0),
        pos=Position(0, frame),
        scale=1.0,
        tested=found.Tested((HitKind.CELL, 0, 0, -1), 0, 7),
    )


def at_an_edge(contact=None, walkable=None, *, state=OI_ON_WALKABLE | OI_EDGE_SLIDE, finds=None, move=MOVE):
    """A mover whose probe found nothing to step on: the place tried is remembered, the probe is deeper."""
    t = transition(cells(), displacement=move, contact=None, last_known=False)
    t.collision_info.remember(Contact.on(FLAT, 0))
    t.object_info.state = state
    t.sphere_path.save_check_pos()
    t.sphere_path.add_offset_to_check_pos(0.0, 0.0, -0.75)
    t.collision_info.contact = None if contact is None else Contact.on(contact, 0)
    t.sphere_path.walkable = walkable
    t.rules = Probe(finds)
    return t


def left(t):
    """What an edge leaves of the contact and of the floor: nothing, in every row."""
    return t.collision_info.contact, t.sphere_path.walkable


@pytest.mark.parametrize("state", [0, OI_EDGE_SLIDE, OI_ON_WALKABLE])
@pytest.mark.parametrize("contact", [None, FLAT, STEEP])
def test_who_stands_on_no_floor_or_minds_no_edge_walks_off(state, contact):
    t = at_an_edge(contact, slab(), state=state)
    assert edge_slide(t, 0.75, FLOOR_Z) == (True, OK)
    assert origin(t) == MOVE
    assert left(t) == (None, None)


def test_ground_too_steep_is_slid_along_from_the_place_that_was_tried():
    t = at_an_edge(STEEP, slab())
    assert edge_slide(t, 0.75, FLOOR_Z) == (False, ADJUSTED)
    assert origin(t) == pytest.approx((0.4, 0.3, 0.0))  # the slide is not lost with the probe's place
    assert left(t) == (None, None)


@pytest.mark.parametrize("contact", [None, FLAT])
def test_a_floors_edge_is_slid_along_from_the_place_that_was_tried(contact):
    t = at_an_edge(contact, slab())
    assert edge_slide(t, 0.75, FLOOR_Z) == (False, SLID)
    assert origin(t) == pytest.approx((0.0, 0.3, 0.0))
    assert left(t) == (None, None)


def test_straight_over_a_floors_edge_there_is_no_slide():
    t = at_an_edge(None, slab(), move=(0.2, 0.0, 0.0))
    assert edge_slide(t, 0.75, FLOOR_Z) == (True, COLLIDED)
    assert origin(t) == (0.2, 0.0, 0.0)
    assert left(t) == (None, None)


def test_ground_flat_enough_that_is_no_floor_is_walked_on():
    t = at_an_edge(FLAT)
    assert edge_slide(t, 0.75, FLOOR_Z) == (True, OK)
    assert origin(t) == MOVE
    assert left(t) == (None, None)


def test_with_nothing_found_the_floor_under_the_last_place_is_asked():
    """Its foot sphere is that of the place tried: there the edge has been crossed."""
    floor = slab(at=(0.0, 0.0, 0.475))
    t = at_an_edge(finds=floor)
    assert edge_slide(t, 0.75, FLOOR_Z) == (False, SLID)
    assert t.rules.begun == [(pytest.approx((0.0, 0.0, 0.0)), 0.75, FLOOR_Z)]
    assert (floor.sphere.x, floor.sphere.y) == pytest.approx((0.2, 0.3))
    assert origin(t) == pytest.approx((0.0, 0.3, 0.0))
    assert left(t) == (None, None)


def test_with_no_floor_there_either_one_is_held():
    t = at_an_edge()
    assert edge_slide(t, 0.75, FLOOR_Z) == (True, COLLIDED)
    assert len(t.rules.begun) == 1
    assert origin(t) == MOVE
    assert left(t) == (None, None)


def crossing(t):
    """Where a mover tries to be whose probe has given the place back."""
    t.sphere_path.restore_check_pos()
    return t


@pytest.mark.parametrize("degrees", [0.0, 40.0, 90.0, 200.0])
def test_the_edge_of_a_turned_floor_is_slid_along(degrees):
    """However the floor is turned, what leads over the edge is taken away, what runs along it stays."""
    a = math.radians(degrees)
    out, along = (math.cos(a), -math.sin(a)), (math.sin(a), math.cos(a))  # of the edge, seen from above
    move = (0.2 * out[0] + 0.3 * along[0], 0.2 * out[1] + 0.3 * along[1], 0.0)
    frame = Frame((0.0, 0.0, 0.0), quat_of_heading(degrees))
    t = crossing(at_an_edge(None, slab(frame=frame), move=move))
    t.sphere_path.step_up = True
    assert precipice_slide(t) == SLID
    assert origin(t) == pytest.approx((0.3 * along[0], 0.3 * along[1], 0.0))
    assert (t.sphere_path.walkable, t.sphere_path.step_up) == (None, False)
    (hit,) = t.hits
    assert (hit.poly, hit.response) == (7, Response.EDGE)
    assert hit.normal == pytest.approx((-out[0], -out[1], 0.0))


@pytest.mark.parametrize("degrees", [0.0, 40.0, 200.0])
def test_who_comes_back_over_the_edge_hits_it_from_without(degrees):
    a = math.radians(degrees)
    out, along = (math.cos(a), -math.sin(a)), (math.sin(a), math.cos(a))
    move = (-0.2 * out[0] + 0.3 * along[0], -0.2 * out[1] + 0.3 * along[1], 0.0)
    frame = Frame((0.0, 0.0, 0.0), quat_of_heading(degrees))
    t = crossing(at_an_edge(None, slab(frame=frame), move=move))
    assert precipice_slide(t) == SLID
    assert t.collision_info.collision_normal == pytest.approx((out[0], out[1], 0.0))


@pytest.mark.parametrize("floor", [None, slab(at=(-1.0, 0.0, 0.475))], ids=["no floor", "well on it"])
def test_without_an_edge_crossed_there_is_nothing_to_slide_along(floor):
    t = crossing(at_an_edge(None, floor))
    assert precipice_slide(t) == COLLIDED
    assert origin(t) == MOVE
    assert left(t) == (None, None)
    assert t.hits == []


@pytest.mark.parametrize("degrees", [0.0, 40.0, 130.0, 200.0, 290.0])
@pytest.mark.parametrize("uphill", [True, False])
@pytest.mark.parametrize("lean", [0.0, 0.3])
def test_a_cliffs_foot_is_slid_along(degrees, uphill, lean):
    """The line where the two grounds meet: into the slope the motion is doubled, away from it taken away.

    The last ground may rise along that line: the line is the same seen from above.
    """
    a = math.radians(degrees)
    up, along = (math.cos(a), math.sin(a)), (-math.sin(a), math.cos(a))
    steep = Plane((-0.8 * up[0], -0.8 * up[1], 0.6), 0.0)
    k = 0.2 if uphill else -0.2
    move = (k * up[0] + 0.3 * along[0], k * up[1] + 0.3 * along[1], 0.0)
    t = transition(cells(), displacement=move)
    last = (lean * up[0], lean * up[1], math.sqrt(1.0 - lean * lean))
    t.collision_info.remember(Contact(last, 0.0, 0))
    t.ground = found.Tested((HitKind.TERRAIN, 5, 0, -1), 0, 3)
    assert cliff_slide(t, steep.normal) == ADJUSTED
    doubled = 2.0 * k if uphill else 0.0
    assert origin(t) == pytest.approx(
        (doubled * up[0] + 0.3 * along[0], doubled * up[1] + 0.3 * along[1], 0.0)
    )
    sign = -1.0 if uphill else 1.0
    assert t.collision_info.collision_normal == pytest.approx((sign * up[0], sign * up[1], 0.0))
    assert [(h.kind, h.poly, h.response) for h in t.hits] == [(HitKind.TERRAIN, 3, Response.CLIFF)]
    assert t.hits[0].normal == steep.normal
