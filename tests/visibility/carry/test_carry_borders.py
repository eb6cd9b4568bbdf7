"""The carried root over borders, where two sides of an opening disagree, and where it has to give up."""

from __future__ import annotations

import pytest

from engine.visibility.carry import carry
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import build_view
from engine.visibility.view import View
from engine.world.cells import Landblock
from engine.world.ids import is_outdoor
from tests.visibility.view_scenes import (
    BLOCK,
    EXIT,
    LEFT,
    P,
    add_building,
    add_outdoors,
    cid,
    graph,
    quad,
    turned,
)

STREET, INNER, GARDEN = (quad(y, -0.5, 0.5, z0=0.0, z1=2.6) for y in (4.0, 8.0, 12.0))


class Beyond:
    """The landblock next to BLOCK in a direction, and in it a house that one comes to straight ahead.

    Along the way ahead lie the border at 0 m, the street door at 4, a hall, a door at 8, a kitchen and the
    garden door at 12.
    """

    def __init__(self, degrees: float) -> None:
        self.degrees = degrees
        self.dx, self.dy = {0.0: (0, 1), 90.0: (1, 0), 180.0: (0, -1), 270.0: (-1, 0)}[degrees]
        self.id = BLOCK + (self.dx << 24) + (self.dy << 16)
        self.hall, self.kitchen = self.id | 0x1C8, self.id | 0x1C9
        middle = {0.0: (84.0, 0.0), 90.0: (0.0, 84.0), 180.0: (84.0, 192.0), 270.0: (192.0, 84.0)}[degrees]
        self.shift = (*middle, 0.0)
        street, inner, garden = (turned(q, degrees, self.shift) for q in (STREET, INNER, GARDEN))
        self.graph = graph(
            {
                200: [P(street, 1, EXIT), P(inner, 0, 201, 0)],
                201: [P(inner, 1, 200, 1), P(garden, 0, EXIT)],
            },
            block=self.id,
        )
        add_outdoors(self.graph)
        add_outdoors(self.graph, self.id)
        add_building(self.graph, [P(street, 0, 200, 0), P(garden, 1, 201, 1)], block=self.id)

    def at(self, ahead: float, z: float, *, of: int) -> tuple[float, float, float]:
        """A place on the way, 20 cm beside the middle of the doors, in the frame of a landblock."""
        ((x, y, _),) = turned([(0.2, ahead, z)], self.degrees, self.shift)
        if of == self.id:
            return (x, y, z)
        return (x + 192.0 * self.dx, y + 192.0 * self.dy, z)

    def landcell(self, ahead: float) -> int:
        """The landcell under a place on the way, by the division of its coordinates."""
        block = self.id if ahead > 0.0 else BLOCK
        x, y, _ = self.at(ahead, 0.0, of=block)
        return block | (int(x // 24.0) * 8 + int(y // 24.0) + 1)


@pytest.mark.parametrize("degrees", [0.0, 90.0, 180.0, 270.0])
@pytest.mark.parametrize(("ahead", "doors"), [(3.0, 0), (6.0, 1), (10.0, 2), (14.0, 3), (30.0, 3)])
def test_an_eye_goes_through_a_house_of_the_next_landblock(degrees, ahead, doors):
    """Doors, rooms and the ground behind stand 192 m off in the frame of the body's landblock.

    Without an opening crossed the root is the body's cell, wherever the eye is.
    """
    there = Beyond(degrees)
    yard = there.landcell(-1.0)
    foot, pivot, eye = (there.at(d, z, of=BLOCK) for d, z in ((-1.0, 0.5), (-1.0, 1.5), (ahead, 1.5)))
    found = carry(there.graph, OpeningIndex(), yard, foot, pivot=pivot, eye=eye)
    assert list(found.carried) == [(yard, 0), (there.hall, 1), (there.kitchen, 1)][:doors]
    assert found.root == (yard, there.hall, there.kitchen, there.landcell(ahead))[doors]
    assert not found.blocked


@pytest.mark.parametrize("degrees", [0.0, 90.0, 180.0, 270.0])
def test_an_eye_comes_back_over_the_border_by_the_door_of_the_house(degrees):
    there = Beyond(degrees)
    foot, pivot, eye = (there.at(d, z, of=there.id) for d, z in ((6.0, 0.5), (6.0, 1.5), (-3.0, 1.5)))
    found = carry(there.graph, OpeningIndex(), there.hall, foot, pivot=pivot, eye=eye)
    assert found.carried == ((there.hall, 0),)
    assert found.root == there.landcell(-3.0)
    assert found.eye == eye  # of the body's landblock still


NEAR = quad(2.0, 4.5, 5.5, z0=0.0, z1=2.6)
FAR = [(x, 2.0 + 0.01 * (x - 5.0), z) for x, _, z in NEAR]
GRAZING = (4.6, 1.999, 1.5), (5.4, 2.003, 1.5)


def test_a_grazing_way_is_not_taken_back_by_the_other_side_of_the_opening_just_crossed():
    """The two rooms' polygons of an opening stand at 0.6 degrees: a way along them lies behind both."""
    g = graph({100: [P(NEAR, 0, 101, 0)], 101: [P(FAR, 1, 100, 0)]})
    a, b = GRAZING
    found = carry(g, OpeningIndex(), cid(100), a, pivot=a, eye=b)
    assert (found.root, found.carried) == (cid(101), ((cid(100), 0),))


def test_a_grazing_way_out_is_not_taken_back_in_by_the_buildings_opening():
    g = graph({100: [P(NEAR, 0, EXIT)]})
    add_outdoors(g)
    add_building(g, [P(STREET, 1, 101, 0)])
    add_building(g, [P(LEFT, 1, 101, 0), P(LEFT, 1, 100, 5), P(FAR, 1, 100, 0)])
    a, b = GRAZING
    found = carry(g, OpeningIndex(), cid(100), a, pivot=a, eye=b)
    assert found.carried == ((cid(100), 0),)
    assert is_outdoor(found.root)


def test_the_openings_near_a_cell_are_those_of_its_landblock_and_the_eight_around_it():
    g = graph({})
    for bx in range(0x10, 0x15):
        for by in range(0x32, 0x37):
            block = (bx << 24) | (by << 16)
            g.blocks[block] = Landblock(block)
            add_building(g, [P(STREET, 0, 200, 0)], block=block)
    near = {b.block_id for b in OpeningIndex().near(g, BLOCK | 0x164)}
    assert near == {(bx << 24) | (by << 16) for bx in (0x11, 0x12, 0x13) for by in (0x33, 0x34, 0x35)}


@pytest.mark.parametrize("house", [0, 1, 2])
def test_of_several_houses_each_is_entered_by_its_own_door(house):
    doors = [quad(2.0, x - 0.5, x + 0.5, z0=0.0, z1=2.6) for x in (1.0, 3.0, 5.0)]
    g = graph({100 + i: [P(door, 1, EXIT)] for i, door in enumerate(doors)})
    add_outdoors(g)
    for i, door in enumerate(doors):
        add_building(g, [P(door, 0, 100 + i, 0)])
    x = 1.0 + 2.0 * house
    foot, pivot, eye = (x, 1.0, 0.5), (x, 1.0, 1.5), (x, 3.0, 1.5)
    found = carry(g, OpeningIndex(), BLOCK | 1, foot, pivot=pivot, eye=eye)
    assert (found.root, found.carried) == (cid(100 + house), ((BLOCK | 1, 0),))


def test_from_outdoors_no_opening_between_two_rooms_is_passed():
    """Not even one that was come through: back through the wall only what leads outdoors leads in."""
    inner, door = quad(2.0, -0.5, 0.5, z0=0.0, z1=2.6), quad(4.0, -0.5, 0.5, z0=0.0, z1=2.6)
    g = graph({100: [P(inner, 0, 101, 0)], 101: [P(inner, 1, 100, 0), P(door, 0, EXIT)]})
    add_outdoors(g)
    foot, pivot = (-0.2, 1.0, 0.5), (2 / 3, 5.0, 0.5)
    eye = (0.2, 1.0, 0.5)  # the way back misses the door by 4 cm, but not the inner opening
    found = carry(g, OpeningIndex(), cid(100), foot, pivot=pivot, eye=eye)
    assert found.carried == ((cid(100), 0), (cid(101), 1))
    assert is_outdoor(found.root)


def test_a_way_of_no_length_passes_nothing():
    """Not even an opening that it lies behind by less than a cell reaches behind its planes."""
    g = graph({100: [P(STREET, 0, 101, 0)], 101: [P(STREET, 1, 100, 0)], 102: [P(STREET, 0, 999, 0)]})
    for cell in (100, 102):
        here = (0.0, 4.0001, 0.5)
        found = carry(g, OpeningIndex(), cid(cell), here, pivot=here, eye=here)
        assert (found.root, found.carried, found.blocked) == (cid(cell), (), False)


def test_openings_that_lead_round_and_round_in_one_place_give_up():
    g = graph({100: [P(STREET, 0, 101)], 101: [P(STREET, 0, 100)]})
    foot, pivot, eye = (0.0, 3.0, 0.5), (0.0, 3.0, 1.5), (0.0, 5.0, 1.5)
    found = carry(g, OpeningIndex(), cid(100), foot, pivot=pivot, eye=eye)
    assert (found.root, found.eye, found.carried) == (cid(100), pivot, ())
    assert found.blocked
    assert found.blocked_by is None


def test_from_a_cell_that_is_not_there_nothing_leads_anywhere():
    foot, eye = (0.0, 3.0, 0.5), (0.0, 5.0, 1.5)
    found = carry(graph({}), OpeningIndex(), cid(100), foot, pivot=foot, eye=eye)
    assert (found.root, found.carried, found.eye) == (cid(100), (), eye)
    view = View.from_angles(eye, 0.0, 0.0, fov_y=53.64, width=320.0, height=180.0)
    with pytest.raises(LookupError, match="0x12340164 is not resident"):
        build_view(graph({}), cid(100), foot=foot, pivot=foot, eye=eye, view=view)
