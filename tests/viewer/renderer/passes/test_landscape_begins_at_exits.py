"""Passes 3.4 in the demo village: nothing of the landscape stands before the exits."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from engine.dat.values import Vec3
from engine.physics.membership.cell_list import point_in_cell
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.world.cells import EnvCell
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import open_source
from engine.world.terrain import terrain_height
from tests.places import DEMO
from viewer.picture.eye_line import EyeLine, see
from viewer.renderer.gl.context import create_headless
from viewer.renderer.passes import interior_frame, passes
from viewer.renderer.passes.picture_kit import PictureKit
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.renderer import Renderer
from viewer.renderer.scene.matrices import EyeSpace

VILLAGE = 0xA9B40000
SIZE = (160, 90)
POSES = 300
NEARER = 0.3  # metres

pytestmark = pytest.mark.gl


class Survey:
    """Draws frames of the village and measures, before the cells are drawn, where the landscape is."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world = World(open_source(demo=DEMO))
        self.world.load_around(VILLAGE | 1, 1)
        self.renderer = Renderer(create_headless(), self.world, *SIZE)
        self.index = OpeningIndex()
        draw = interior_frame.draw_landscape  # type: ignore[attr-defined]

        def and_measure(kit: PictureKit) -> None:
            draw(kit)
            self.landscape = kit.target.read_depth()
            kit.state.clear_depth()
            kit.state.enter(passes.P9_SEAL, passes.OUT)
            kit.solid(kit.programs.portal, kit.plan.seals)
            self.seals = kit.target.read_depth()
            self.mask = kit.target.read_stencil() & passes.OUT != 0

        monkeypatch.setattr(interior_frame, "draw_landscape", and_measure)

    def poses(self, rng: random.Random) -> Iterator[PictureView]:
        """Frames that see out, from anywhere in the village's cells."""
        cells = [c for c in self.world.blocks[VILLAGE].env_cells.values() if c.portals]
        while True:
            cell = rng.choice(cells)
            eye = inside(cell, rng)
            if eye is None:
                continue
            look = rng.uniform(0.0, 360.0), rng.uniform(-60.0, 60.0)
            picture = see(self.world, self.index, cell.id, EyeLine(eye, eye, eye), look=look, size=SIZE)
            if picture.outside and picture.flood is not None:
                yield picture

    def too_near(self, picture: PictureView, options: RenderOptions) -> int:
        """Pixels with landscape before the exit; not those that look out below the ground's surface."""
        self.renderer.draw(picture, None, options)
        eye = EyeSpace(picture.view, picture.root)
        found, exits = metres(self.landscape, eye), metres(self.seals, eye)
        near = self.mask & (self.seals < 1.0) & (found < exits - NEARER)
        return sum(not self._below_ground(picture, exits[y, x], x, y) for y, x in np.argwhere(near))

    def _below_ground(self, picture: PictureView, ahead: float, px: int, py: int) -> bool:
        view = picture.view
        ray = view.ray((2 * px + 1) / SIZE[0] - 1.0, 1.0 - (2 * py + 1) / SIZE[1])
        x, y, z = (view.eye[k] + ahead * ray[k] for k in range(3))
        ground = terrain_height(self.world.blocks[VILLAGE], x, y)
        return ground is not None and z < ground + 0.06


def inside(cell: EnvCell, rng: random.Random) -> Vec3 | None:
    """A point of a cell with a hand's breadth about it."""
    points = [cell.frame.to_global(v) for p in cell.structure.polygons.values() for v in p.vertices]
    low, high = (tuple(f(p[k] for p in points) for k in range(3)) for f in (min, max))
    for _ in range(40):
        x, y, z = (rng.uniform(a, b) for a, b in zip(low, high, strict=True))
        r = 0.15
        if all(point_in_cell(cell, x + a, y + b, z + c) for a in (-r, r) for b in (-r, r) for c in (-r, r)):
            return x, y, z
    return None


def metres(depth: np.ndarray, eye: EyeSpace) -> np.ndarray:
    """Distance ahead by window depth."""
    near, far = eye.near, eye.far
    return 2.0 * near * far / (far + near - (2.0 * depth.astype(float) - 1.0) * (far - near))


@pytest.fixture
def survey(monkeypatch):
    made = Survey(monkeypatch)
    yield made
    made.renderer.ctx.release()


def test_no_landscape_stands_before_an_exit(survey):
    rng = random.Random(4)
    kept = RenderOptions(sentinel=True)
    all_of_it = RenderOptions(beyond_exits=False)
    pictures = [picture for picture, _ in zip(survey.poses(rng), range(POSES), strict=False)]
    for picture in pictures:
        assert survey.too_near(picture, kept) == 0, (
            hex(picture.root),
            picture.view.eye,
            picture.view.forward,
        )
        assert survey.renderer.stats.sentinel == 0
    without = [survey.too_near(picture, all_of_it) for picture in pictures]
    assert sum(n > 0 for n in without) > POSES // 20


FRONT_ROOM = "0xA9B40172 [159.2 8.3 94] 1 0 0 0"


def test_B4_the_street_shows_in_the_cottages_door(survey):
    """From the back room: the walls of the house's other wing lie before the front door, 5 m nearer."""
    place = parse_location(FRONT_ROOM).position
    eye = (place.frame.origin[0], place.frame.origin[1], place.frame.origin[2] + 1.5)
    line = EyeLine(eye, eye, eye)
    picture = see(survey.world, survey.index, place.cell_id, line, look=(-29.0, -3.0), size=SIZE)
    assert picture.outside
    pictures = []
    for options in (RenderOptions(plain=True), RenderOptions(plain=True, beyond_exits=False)):
        near = survey.too_near(picture, options)
        pictures.append(survey.renderer.read_rgba()[..., :3].astype(int))
        assert (near > 0) is not options.beyond_exits
    changed = (pictures[0] != pictures[1]).any(axis=-1)
    assert changed.sum() > 20
    assert (survey.mask | ~changed).all()
