"""Taking pictures of a stage for scenarios: frames, pixels, stencil, and masks of view regions."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.dat.values import Vec3
from engine.physics.enums import TICK
from engine.physics.simulation.simulation import Simulation
from engine.replay.scenarios.chosen import Chosen, evenly
from engine.replay.scenarios.scenario import MissingMeansError, StagingError
from engine.replay.scenarios.stage import Stage, interior_cells, put
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView, ViewOptions
from engine.visibility.view_polygon import ViewPolygon
from engine.world.cells import EnvCell, Landblock
from viewer.picture.live_motions import LiveMotions
from viewer.picture.look import Look, look_out
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.scene_objects import Playing, scene_objects
from viewer.renderer.gl.stats import PictureStats
from viewer.renderer.passes.paints import cell_color
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.entities import SceneObjects
from viewer.user_error import UserError

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZE = (200, 120)
CELLS_AT_MOST = 1000  # of a landblock, in which somebody stands; villages have some hundreds
OPENINGS_AT_MOST = 24  # of a cell, about which somebody stands


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: what was seen, its pixels (height, width, 3), the stencil left behind and the counters."""

    picture: PictureView
    rgb: NDArray[np.uint8]
    stencil: NDArray[np.uint8]
    stats: PictureStats


class PictureStage:
    """A stage with pictures of what its bodies see. StagingError where nothing can be drawn.

    ``looked`` is called after each look.
    """

    def __init__(self, stage: Stage, size: tuple[int, int] = SIZE) -> None:
        self.stage = stage
        self.size = size
        self.looked: Callable[[], object] = lambda: None

    def onlooker(self, simulation: Simulation, size: tuple[int, int] | None = None) -> Onlooker:
        """Somebody who looks out of that simulation's body, and draws it in the stage's or another size."""
        return Onlooker(simulation, size or self.size, self.looked)


class Onlooker:
    """Draws what the body of one simulation sees; close it when done.

    ``share`` is how much of a tick has passed since the last one began: less than 1 draws between the two.
    """

    def __init__(
        self, simulation: Simulation, size: tuple[int, int], looked: Callable[[], object] = lambda: None
    ) -> None:
        self.simulation = simulation
        self.looked = looked
        self.size = size
        self.index = OpeningIndex()
        self.share = 1.0
        self.motions = LiveMotions(simulation)
        try:
            self.renderer = OffscreenRenderer(simulation, size).renderer
        except UserError as error:
            raise MissingMeansError(f"nothing can be drawn: {error}") from error

    def __enter__(self) -> Onlooker:
        return self

    def __exit__(self, *_: object) -> None:
        self.renderer.ctx.release()

    def view(
        self,
        yaw: float,
        pitch: float = 0.0,
        *,
        third: bool = False,
        options: ViewOptions | None = None,
        eye: Vec3 | None = None,
    ) -> tuple[PictureView, SceneObjects]:
        """What the body sees looking that way (degrees), and the moving things of the frame.

        ``eye`` is the eye itself, in the block frame of the body's cell, where it is not the camera's.
        """
        look = Look(
            yaw=yaw, pitch=pitch or None, third_person=third, eye=eye, size=self.size, options=options
        )
        sight = look_out(self.simulation, self.index, look, self.share)
        now = self.simulation.time - TICK * (1.0 - self.share)
        playing = Playing(self.motions, max(0.0, now), self.share)
        self.looked()
        return sight.picture, scene_objects(
            self.simulation, sight.line, now=now, figure=third, playing=playing
        )

    def draw(
        self, picture: PictureView, objects: SceneObjects | None = None, options: RenderOptions | None = None
    ) -> Shot:
        """Draw a picture with the magenta sentinel under it."""
        options = (options if options is not None else RenderOptions())._replace(sentinel=True)
        stats = self.renderer.draw(picture, objects, options)
        target = self.renderer.target
        return Shot(picture, target.read_rgba()[..., :3].copy(), target.read_stencil(), stats)

    def unpainted(self, picture: PictureView, objects: SceneObjects) -> int:
        """Draw a picture and count the pixels that nothing has painted."""
        return self.renderer.draw(picture, objects, RenderOptions(sentinel=True)).sentinel

    def shoot(
        self, yaw: float, pitch: float = 0.0, *, third: bool = False, options: RenderOptions | None = None
    ) -> Shot:
        """Look and draw."""
        picture, objects = self.view(yaw, pitch, third=third)
        return self.draw(picture, objects, options)


def region_mask(
    polygons: Iterable[ViewPolygon], size: tuple[int, int], inset: float = 0.0
) -> NDArray[np.bool_]:
    """The pixels whose centres lie in one of some view polygons, ``inset`` pixels from their edges."""
    width, height = size
    xs = (np.arange(width) + 0.5) / width * 2.0 - 1.0
    ys = 1.0 - (np.arange(height) + 0.5) / height * 2.0
    x, y = np.meshgrid(xs, ys)
    out = np.zeros((height, width), bool)
    for polygon in polygons:
        inside = np.ones_like(out)
        ring = polygon.points
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            # In pixels, so that the inset is one of pixels too.
            px, py = (x - ax) * width / 2.0, (y - ay) * height / 2.0
            ex, ey = (bx - ax) * width / 2.0, (by - ay) * height / 2.0
            inside &= (ex * py - ey * px) / max(1e-12, math.hypot(ex, ey)) >= inset
        out |= inside
    return out


class CellColours:
    """The colours of cells in pictures that show ids, worked out once for many pictures."""

    def __init__(self, cells: Iterable[int]) -> None:
        self._cells: dict[int, int] = {}
        for cell_id in cells:
            r, g, b = (round(c * 255.0) for c in cell_color(cell_id))
            self._cells[r * 65536 + g * 256 + b] = cell_id

    def pixels(self, rgb: NDArray[np.uint8]) -> dict[int, int]:
        """How many pixels of a picture show each of the cells; those without are left out."""
        packed = rgb.astype(np.int64) @ np.array([65536, 256, 1])
        values, counts = np.unique(packed, return_counts=True)
        seen = zip(values.tolist(), counts.tolist(), strict=True)
        return dict(sorted((self._cells[value], n) for value, n in seen if value in self._cells))


def cell_pixels(rgb: NDArray[np.uint8], cells: Iterable[int]) -> dict[int, int]:
    """How many pixels of a picture in cell colours show each of some cells; those without are left out."""
    return CellColours(cells).pixels(rgb)


def same_pixels(a: NDArray[np.uint8], b: NDArray[np.uint8], tolerance: int = 2) -> NDArray[np.bool_]:
    """Where two pictures show the same."""
    difference: NDArray[np.int16] = np.abs(a.astype(np.int16) - b.astype(np.int16))
    same: NDArray[np.bool_] = difference.max(axis=-1) <= tolerance
    return same


def stand_in(simulation: Simulation, cell: EnvCell, at: Vec3) -> bool:
    """Put the body into a cell at a point; False where there is no room or it doesn't come to stand.

    One that is asked into something solid may be pushed anywhere, walls included, and then finds no floor.
    """
    try:
        return put(simulation, cell.id, at).on_ground
    except StagingError:
        return False


def cells_to_stand_in(block: Landblock) -> Chosen[EnvCell]:
    """The landblock's cells that have portals, all or evenly chosen ones."""
    return evenly(interior_cells(block), CELLS_AT_MOST, "cells")


def standing_places(simulation: Simulation, block: Landblock, rng: random.Random) -> Iterator[None]:
    """Stand in a landblock's cells in turn: their middle, two other spots, and about their openings."""
    for cell in cells_to_stand_in(block).things:
        points = [cell.frame.to_global(v) for p in cell.structure.polygons.values() for v in p.vertices]
        if not points:
            continue  # damaged: it draws nothing
        low = [min(p[i] for p in points) for i in range(3)]
        high = [max(p[i] for p in points) for i in range(3)]
        spots = [tuple((a + b) / 2 for a, b in zip(low[:2], high[:2], strict=True))]
        spots += [tuple(rng.uniform(a, b) for a, b in zip(low[:2], high[:2], strict=True)) for _ in range(2)]
        for portal in evenly(cell.portals, OPENINGS_AT_MOST, "openings").things:
            ring = [cell.frame.to_global(v) for v in portal.polygon.vertices]
            off = rng.uniform(-0.06, 0.06)
            if ring:
                spots.append(tuple(sum(p[i] for p in ring) / len(ring) + off for i in range(2)))
        for x, y in spots:
            if stand_in(simulation, cell, (x, y, low[2] + 0.02)):
                yield
