"""Pictures of a simulation without a window, with the panels over them where they are asked for."""

from __future__ import annotations

from pathlib import Path

import moderngl
from PIL import Image

from engine.physics.simulation.simulation import Simulation
from viewer.errors import UserError
from viewer.picture.frame_to_draw import draw_both, draw_frame
from viewer.picture.picture_file import write_picture
from viewer.picture.still import Still
from viewer.renderer.gl.context import NoGl, create_headless
from viewer.renderer.gl.resources import MissingResourceError
from viewer.renderer.gl.stats import FrameStats
from viewer.renderer.renderer import Renderer
from viewer.report.frame_report import FrameReport


class OffscreenRenderer:
    """An off-screen renderer of one world. Raises UserError where nothing can be drawn here."""

    def __init__(self, simulation: Simulation, size: tuple[int, int]) -> None:
        self.size = size
        try:
            self.ctx = create_headless()
            self.renderer = Renderer(self.ctx, simulation.world, *size)
        except (NoGl, MissingResourceError) as error:
            raise UserError(str(error)) from error

    def picture(self, still: Still, path: Path) -> FrameStats:
        """Draw a still into a file, its two halves side by side, its panels over it.

        OSError where it can't be written.
        """
        renderer = self.renderer
        if still.beside is None:
            stats = draw_frame(renderer, self.size, still.seen)
            canvas = renderer.target.fbo
        else:
            canvas = self._scratch()
            stats = draw_both(renderer, canvas, self.size, still.seen, still.beside)
        if still.report is not None:
            self._draw_panels(still.report, canvas)
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

    def modes_off(self) -> None:
        """Nothing."""

    def set_distance(self, name: str, landblocks: int) -> None:
        """Nothing."""
