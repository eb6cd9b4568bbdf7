"""The carried root where openings lie in another landblock than the body, and where two sides disagree."""

from __future__ import annotations

import pytest

from engine.visibility.carry import carry
from engine.visibility.openings import OpeningIndex
from engine.world.cells import Landblock
from engine.world.ids import is_outdoor
from tests.visibility.view_scenes import BLOCK, EXIT, LEFT, P, add_building, add_outdoors, cid, graph, quad

NORTH = (BLOCK & 0xFF000000) | ((BLOCK & 0x00FF0000) + 0x10000)
STREET, INNER, GARDEN = (quad(y, -0.5, 0.5, z0=0.0, z1=2.6) for y in (4.0, 8.0, 12.0))
HALL, KITCHEN = NORTH | 0x1C8, NORTH | 0x1C9
YARD = BLOCK | 0x08  # the landcell before the border, y from 168 to 192


def house_beyond_the_border():
    """In the northern landblock: a hall behind the street door, a kitchen behind it, a garden door."""
    g = graph(
        {
            200: [P(STREET, 1, EXIT), P(INNER, 0, 201, 0)],
            201: [P(INNER, 1, 200, 1), P(GARDEN, 0, EXIT)],
        },
        block=NORTH,
    )
    add_outdoors(g)
    add_outdoors(g, NORTH)
    add_building(g, [P(STREET, 0, 200, 0), P(GARDEN, 1, 201, 1)], block=NORTH)
    return g


@pytest.mark.parametrize(
    ("y", "root", "carried"),
    [
        (195.0, YARD, []),
        (198.0, HALL, [(YARD, 0)]),
        (202.0, KITCHEN, [(YARD, 0), (HALL, 1)]),
        (206.0, NORTH | 1, [(YARD, 0), (HALL, 1), (KITCHEN, 1)]),
        (192.0 + 30.0, NORTH | 2, [(YARD, 0), (HALL, 1), (KITCHEN, 1)]),
    ],
)
def test_an_eye_goes_through_a_house_of_the_next_landblock(y, root, carried):
    """Doors, rooms and the ground behind stand 192 m off in the frame of the body's landblock.

    Without an opening crossed the root is the body's cell, wherever the eye is.
    """
    g = house_beyond_the_border()
    here = (0.2, 191.0, 0.5)
    found = carry(g, OpeningIndex(), YARD, here, pivot=(0.2, 191.0, 1.5), eye=(0.2, y, 1.5))
    assert list(found.carried) == carried
    assert found.root == root
    assert not found.blocked


def test_an_eye_comes_back_over_the_border_by_the_door_of_the_house():
    g = house_beyond_the_border()
    here, pivot = (0.2, 6.0, 0.5), (0.2, 6.0, 1.5)
    found = carry(g, OpeningIndex(), HALL, here, pivot=pivot, eye=(0.2, -3.0, 1.5))
    assert found.carried == ((HALL, 0),)
    assert found.root == YARD
    assert found.eye == (0.2, -3.0, 1.5)  # of the body's landblock still


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
