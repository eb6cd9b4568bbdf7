"""Pictures of a simulation without a window, with the panels over them where they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import moderngl
from PIL import Image

from engine.physics.simulation import Simulation
from engine.visibility.frame_view import FrameView
from engine.world.debug_shapes import DebugShapes
from viewer.errors import UserError
from viewer.frame_report import FrameReport
from viewer.renderer.entities import SceneObjects
from viewer.renderer.gl_context import NoGl, create_headless
from viewer.renderer.options import RenderOptions
from viewer.renderer.renderer import Renderer
from viewer.renderer.resources import MissingResourceError
from viewer.renderer.stats import FrameStats

COMPRESSION = 3  # of PNG files: a third of the time of the usual 6 for a tenth more bytes


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
    ) -> FrameStats:
        """Draw a frame and debug shapes into a picture, the panels of ``report`` over it.

        OSError where it can't be written.
        """
        stats = self.renderer.draw(frame, objects, options, shapes)
        if report is not None:
            self._draw_panels(report)
        image = Image.fromarray(self.renderer.read_rgba()[..., :3].copy(), "RGB")
        image.save(path, compress_level=COMPRESSION)
        return stats

    def _draw_panels(self, report: FrameReport) -> None:
        # Loading the panels takes long, and most pictures have none.
        from viewer.overlay.host import OverlayHost
        from viewer.overlay.panels import draw_panels

        overlay = OverlayHost()
        try:
            # Tables and windows find their sizes in the first frames; only the last one is to be seen.
            for target in (self._scratch(), self._scratch(), self.renderer.target.fbo):
                target.use()
                overlay.draw(self.size, 1.0 / 60.0, lambda: draw_panels(report, _Nobody(), self.size))
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
