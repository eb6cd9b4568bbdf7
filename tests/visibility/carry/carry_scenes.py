"""Rooms, houses and eyes for the carried root."""

from __future__ import annotations

from engine.visibility.camera import PIVOT_HEIGHT
from engine.visibility.carry import carry
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import ViewOptions, build_view
from engine.visibility.view import View
from tests.visibility.view_scenes import BLOCK, EXIT, P, add_building, add_outdoors, cid, graph, quad

DOOR = quad(2.0, -0.5, 0.5, z0=0.0, z1=2.6)
HATCH = [(-0.5, -0.5, 0.0), (0.5, -0.5, 0.0), (0.5, 0.5, 0.0), (-0.5, 0.5, 0.0)]  # normal +z
ALL = FloodRules(working_set=WorkingSet.ALL)
FOOT = 0.475


def two_rooms(k=0):
    """Room A (100) at y < 2, room B (101) beyond, a door between."""
    return graph({100: [P(DOOR, 0, 101, k)], 101: [P(DOOR, 1, 100, k)]})


def walk(g, cell, feet, eye, *, pivot=None):
    x, y, z = feet
    foot = (x, y, z + FOOT)
    return carry(g, OpeningIndex(), cid(cell), foot, pivot=pivot or (x, y, z + PIVOT_HEIGHT), eye=eye)


def picture_of(g, cell, feet, eye, *, yaw=0.0, pitch=0.0, options=None):
    x, y, z = feet
    view = View.from_angles(eye, yaw, pitch, fov_y=53.64, width=320.0, height=180.0)
    foot, pivot = (x, y, z + FOOT), (x, y, z + PIVOT_HEIGHT)
    return build_view(
        g, cid(cell), foot=foot, pivot=pivot, eye=eye, view=view, options=options or ViewOptions(ALL)
    )


def seen(picture):
    return {c.cell for c in picture.cells}


def trapdoor():
    """Upper room (100) above z = 0, cellar (101) below."""
    return graph({100: [P(HATCH, 0, 101, 0)], 101: [P(HATCH, 1, 100, 0)]})


def house_at(*, building=True, block=BLOCK):
    """Room A (100) at y < 2 with a street door to the north."""
    g = graph({100: [P(DOOR, 0, EXIT)]}, block=block)
    add_outdoors(g, block)
    if building:
        add_building(g, [P(DOOR, 1, 100, 0)], block=block)
    return g
