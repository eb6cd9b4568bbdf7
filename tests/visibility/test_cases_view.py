"""What rays see from poses in small worlds, against the traversal (the view cases' FORMAT)."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dat.hex_id import hex_id
from engine.visibility.camera import PIVOT_HEIGHT
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.picture_view import ViewOptions, build_view
from engine.visibility.view import View
from engine.world.location import parse_location
from tests.visibility.recorded_views import names, poses, world_of

FOOT_CENTRE = 0.475

pytestmark = pytest.mark.shared


def picture_of(name, pose, working_set=WorkingSet.STAB):
    world = world_of(name)
    at = parse_location(pose["at"])
    world.load_around(at.cell_id, 0)
    x, y, z = at.frame.origin
    eye = tuple(pose["eye"])
    width, height = pose["size"]
    view = View.from_angles(eye, *pose["look"], fov_y=pose["fov"], width=width, height=height)
    foot, pivot = (x, y, z + FOOT_CENTRE), (x, y, z + PIVOT_HEIGHT)
    options = ViewOptions(FloodRules(working_set=working_set))
    return build_view(world, at.cell_id, foot=foot, pivot=pivot, eye=eye, view=view, options=options)


def union(regions, width, height):
    """The pixels whose centres lie in any polygon of a region."""
    x = (np.arange(width) * 2.0 + 1.0) / width - 1.0
    y = 1.0 - (np.arange(height) * 2.0 + 1.0) / height
    gx, gy = np.meshgrid(x, y)
    out = np.zeros(gx.shape, dtype=bool)
    for r in regions:
        inside = np.ones(gx.shape, dtype=bool)
        for ex, ey, c in r.edges:
            inside &= ex * gy - ey * gx + c >= 0.0
        out |= inside
    return float(out.mean())


@pytest.mark.parametrize(("name", "pose"), list(poses()))
def test_the_traversal_agrees_with_rays(name, pose):
    picture = picture_of(name, pose)
    width, height = pose["size"]
    screen = width * height
    own = [c for c in picture.cells if c.flood is None]
    assert hex_id(picture.root) == pose["root"]
    listed = {hex_id(c.cell): c for c in own}
    for cell, pixels in pose["cells"].items():
        if pixels >= 3:
            assert cell in listed
    for cell, c in listed.items():
        pixels = pose["cells"].get(cell, 0)
        if pixels == 0:
            assert c.area <= 0.002
        assert union(c.regions, width, height) == pytest.approx(pixels / screen, abs=0.01)
    assert union(picture.outside, width, height) == pytest.approx(pose["outside"] / screen, abs=0.01)
    assert picture.outside_visible == (picture.path == "interior")
    # With or without stab lists the list is the same.
    assert [c.cell for c in picture_of(name, pose, WorkingSet.RESIDENT).cells if c.flood is None] == [
        c.cell for c in own
    ]


def test_there_are_cases_of_every_kind():
    assert len(names()) >= 12
