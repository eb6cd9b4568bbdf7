"""What is drawn onto the world to explain it lies still there, from near and from far."""

from __future__ import annotations

import numpy as np
import pytest

from engine.visibility.camera import Camera
from engine.visibility.openings import OpeningIndex
from tests.viewer.demo_places import standing
from viewer.picture.eye_line import eye_line, see
from viewer.picture.shape_gatherer import ShapeGatherer
from viewer.renderer.render_options import RenderOptions
from viewer.tables.modes import with_modes
from viewer.verify.picture_stage import Onlooker

SIZE = (480, 270)
STEP = (3e-6, 2e-6, 1e-6)  # metres from picture to picture: far less than a pixel
PICTURES = 5
SEEN, JUMP = 12, 25  # of 255: what counts as drawn, and as another picture
STILL = 0.9985  # of what is drawn: edges of lines go from pixel to pixel even so
ROOM = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"
PLACES = {
    "near": (ROOM, (0.0, -5.0)),
    "at a slant": (ROOM, (60.0, -5.0)),
    "inn": ("0xA9B40157 [154.1 31.1 94] 1 0 0 0", (-90.0, -10.0)),
    "shell at a slant": ("0xA9B40031 [158 1.5 94] 1 0 0 0", (55.0, 2.0)),
    "street": ("0xA9B40031 [152 19.5 94] 1 0 0 0", (160.0, -3.0)),
    "far": ("0xA9B40031 [152 1.5 94] 1 0 0 0", (12.0, 2.0)),
}


def still_share(mode: str, place: str) -> tuple[int, float]:
    """The pixels that a mode draws, and how much of them stays as it is while the eye moves by a hair."""
    at, look = PLACES[place]
    simulation = standing(at)
    body, index = simulation.body, OpeningIndex()
    options = with_modes(RenderOptions(plain=True), (mode,))
    pictures, shapes = [], []
    with Onlooker(simulation, SIZE) as onlooker:
        renderer, gatherer = onlooker.renderer, ShapeGatherer(simulation)
        for k in range(PICTURES):
            line = eye_line(
                simulation.world, index, body, drawn=simulation.drawn(1.0), camera=Camera(look[0])
            )
            x, y, z = line.eye
            line = line._replace(eye=(x + k * STEP[0], y + k * STEP[1], z + k * STEP[2]))
            picture = see(simulation.world, index, body.position.cell_id, line, look=look, size=SIZE)
            if not shapes:  # gathered once: by a hair the middle of the picture may be on another leaf
                shapes = gatherer.gather(picture, options)
                for shape in shapes:
                    shape.labels.clear()  # they go by whole pixels
            renderer.draw(picture, None, options, shapes)
            pictures.append(renderer.read_rgba()[..., :3].astype(int))
        renderer.draw(picture, None, RenderOptions(plain=True))
        plain = renderer.read_rgba()[..., :3].astype(int)
    seen = np.stack(pictures)
    drawn = (abs(seen - plain).max(axis=-1) > SEEN).any(axis=0)
    jumps = (seen.max(axis=0) - seen.min(axis=0)).max(axis=-1) > JUMP
    count = int(drawn.sum())
    return count, 1.0 - int((drawn & jumps).sum()) / max(1, count)


@pytest.mark.gl
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("mode", ["physics-bsp", "drawing-bsp"])
def test_faces_on_a_wall_do_not_flicker(mode, place):
    count, still = still_share(mode, place)
    assert count > 500
    assert still > STILL
