"""Passes 3.6 in the demo village: behind every opening that is looked into, every pixel is painted."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np
import pytest

from engine.dat.values import Vec3
from engine.visibility.look_in import LookIn
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.visibility.pview import PView
from engine.world.cells import Landblock
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from viewer.picture.eye_line import EyeLine, see
from viewer.renderer.gl.context import create_headless
from viewer.renderer.passes import look_in_pass as drawing
from viewer.renderer.passes.passes import BLD
from viewer.renderer.passes.picture_kit import PictureKit
from viewer.renderer.passes.picture_plan import PlannedLookIn
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.renderer import Renderer
from viewer.verify.picture_stage import region_mask

VILLAGE = 0xA9B40000
SIZE = (200, 112)
LOOK_INS = 300
OFFS = (0.004, 0.02, 0.1, 0.5, 1.5, 3.0, 8.0)  # metres before an opening
NEAR = 0.15  # so near the near plane cuts what is about the opening: the eye is in its middle

pytestmark = pytest.mark.gl


class Watch:
    """Notes, before a look-in ends, where its opening is marked and nothing was drawn behind."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world = world
        self.holes: list[tuple[LookIn, int]] = []
        draw = drawing._draw_look_in

        def and_remember(kit: PictureKit, planned: PlannedLookIn) -> None:
            self.now = planned.look_in
            draw(kit, planned)

        def and_count(kit: PictureKit) -> None:
            self.count(kit)

        monkeypatch.setattr(drawing, "_draw_look_in", and_remember)
        monkeypatch.setattr(PictureKit, "note_look_in", and_count)

    def count(self, kit: PictureKit) -> None:
        """Count the pixels; not those where one looks out again through an exit of the house.

        Nor those whose centre lies on the opening's very edge, to a twentieth pixel: rounding decides there
        whether opening, jamb or shell has them.
        """
        marked = kit.target.read_stencil() & BLD != 0
        empty = marked & (kit.target.read_depth() >= 1.0)
        flood = self.now.flood
        outward = PView(
            self.world, flood.view, draw_landscape=True, allowed=flood.allowed, rules=flood.rules
        ).construct(flood.root, self.now.region, self.now.portal.other_portal_id)
        out = region_mask(outward.outside, SIZE, -1.5)
        within = region_mask(self.now.region, SIZE, 0.05)
        self.holes.append((self.now, int((empty & within & ~out).sum())))


def poses(world: World, block: Landblock, rng: random.Random) -> Iterator[PictureView]:
    """Eyes before the openings of houses, looking more or less in."""
    index = OpeningIndex()
    while True:
        building = rng.choice([b for b in block.buildings if b.portals])
        portal = rng.choice(building.portals)
        if portal.polygon is None:
            continue
        ring = np.array([building.pos.frame.to_global(v) for v in portal.polygon.vertices])
        side = -1.0 if portal.portal_side else 1.0
        outward = side * np.array(building.pos.frame.to_global_vec(portal.polygon.normal))
        middle = ring.mean(axis=0)
        corner = ring[rng.randrange(len(ring))]
        off = rng.choice(OFFS)
        at = middle + rng.uniform(0.0, 0.9 if off > NEAR else 0.4) * (corner - middle) + off * outward
        at += rng.gauss(0.0, 0.5) * off * np.array((-outward[1], outward[0], 0.0))
        x, y, z = -outward + np.array([rng.gauss(0.0, 0.35) for _ in range(3)])
        look = math.degrees(math.atan2(x, y)), math.degrees(math.atan2(z, math.hypot(x, y)))
        eye: Vec3 = (float(at[0]), float(at[1]), float(at[2]))
        if not (0.0 <= eye[0] < 192.0 and 0.0 <= eye[1] < 192.0):
            continue
        cell = VILLAGE | (int(eye[0] // 24) * 8 + int(eye[1] // 24) + 1)
        yield see(world, index, cell, EyeLine(eye, eye, eye), look=look, size=SIZE)


def test_no_look_in_leaves_a_hole(monkeypatch):
    world = World(open_source(demo=DEMO))
    world.load_around(VILLAGE | 1, 1)
    renderer = Renderer(create_headless(), world, *SIZE)
    watch = Watch(world, monkeypatch)
    pictures = poses(world, world.blocks[VILLAGE], random.Random(11))
    while len(watch.holes) < LOOK_INS:
        renderer.draw(next(pictures), None, RenderOptions())
    found = [(f"0x{x.flood.root:08X}", x.view.eye, x.view.forward, n) for x, n in watch.holes if n]
    assert found == []
    renderer.ctx.release()
