"""Pictures of a simulation without a window, with the panels over them where they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import moderngl
from PIL import Image

from engine.physics.simulation.simulation import Simulation
from engine.visibility.frame_view import FrameView
from engine.world.shapes import DebugShapes
from viewer.errors import UserError
from viewer.picture.picture_file import write_picture
from viewer.picture.split_view import panes
from viewer.renderer.gl.context import NoGl, create_headless
from viewer.renderer.gl.resources import MissingResourceError
from viewer.renderer.gl.stats import FrameStats
from viewer.renderer.options import RenderOptions
from viewer.renderer.renderer import Renderer
from viewer.renderer.scene.entities import SceneObjects
from viewer.report.frame_report import FrameReport


class Drawn(NamedTuple):
    """A frame with all that its drawing takes."""

    frame: FrameView
    objects: SceneObjects
    options: RenderOptions
    shapes: Sequence[DebugShapes]


class Studio:
    """An off-screen renderer of one world. Raises UserError where nothing can be drawn here."""

    def __init__(self, simulation: Simulation, size: tuple[int, int]) -> None:
        self.size = size
        try:
            self.ctx = create_headless()
            self.renderer = Renderer(self.ctx, simulation.world, *size)
        except (NoGl, MissingResourceError) as error:
            raise UserError(str(error)) from error

    def picture(
        self,
        frame: FrameView,
        objects: SceneObjects,
        path: Path,
        options: RenderOptions | None = None,
        report: FrameReport | None = None,
        shapes: Sequence[DebugShapes] = (),
        beside: Drawn | None = None,
    ) -> FrameStats:
        """Draw a frame and debug shapes into a picture, the panels of ``report`` over it.

        With another ``beside`` it each has one half, and their views are of that size. OSError where it
        can't be written.
        """
        renderer = self.renderer
        left, right = panes(self.size)
        renderer.resize(*(self.size if beside is None else left.size))
        stats = renderer.draw(frame, objects, options, shapes)
        canvas = renderer.target.fbo
        if beside is not None:
            canvas = self._scratch()
            renderer.target.blit_to(canvas.glo, *left.size, left.left)
            renderer.draw(*beside)
            renderer.target.blit_to(canvas.glo, *right.size, right.left)
        if report is not None:
            self._draw_panels(report, canvas)
        image = Image.frombytes("RGB", self.size, canvas.read(components=3, alignment=1))
        write_picture(image.transpose(Image.Transpose.FLIP_TOP_BOTTOM), path)
        return stats

    def _draw_panels(self, report: FrameReport, canvas: moderngl.Framebuffer) -> None:
        # Loading the panels takes long, and most pictures have none.
        from viewer.overlay.host import OverlayHost
        from viewer.overlay.layout import PanelLayout
        from viewer.overlay.panels import draw_panels

        overlay, layout = OverlayHost(), PanelLayout()
        try:
            # Tables and windows find their sizes in the first frames; only the last one is to be seen.
            for target in (self._scratch(), self._scratch(), canvas):
                target.use()
                overlay.draw(self.size, 1.0 / 60.0, lambda: draw_panels(report, _Nobody(), self.size, layout))
        finally:
            overlay.close()

    def _scratch(self) -> moderngl.Framebuffer:
        return self.ctx.simple_framebuffer(self.size)


class _Nobody:
    """Panels in a picture can't be clicked."""

    def use(self, entity: int) -> None:
        """Nothing."""

    def set_ethereal(self, entity: int, ethereal: bool) -> None:
        """Nothing."""

    def toggle_mode(self, name: str) -> None:
        """Nothing."""

    def set_distance(self, name: str, landblocks: int) -> None:
        """Nothing."""
