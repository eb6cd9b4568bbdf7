"""Pictures of a simulation without a window, with the panels over them where they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from engine.physics.simulation.simulation import Simulation
from viewer.overlay.rect import Rect
from viewer.picture.picture_file import load_writer, write_picture
from viewer.picture.picture_to_draw import draw_both, draw_picture
from viewer.picture.still import Still
from viewer.renderer.gl.canvas import Canvas, image_of
from viewer.renderer.gl.context import NoGl, create_headless
from viewer.renderer.gl.resources import MissingResourceError
from viewer.renderer.gl.stats import PictureStats
from viewer.renderer.renderer import Renderer
from viewer.user_error import UserError

if TYPE_CHECKING:
    from viewer.report.picture_report import PictureReport


def picture_size(size: tuple[int, int], *, overlay: bool) -> tuple[int, int]:
    """The size of the picture in one of a size: what the panels leave where they are drawn, too."""
    return picture_in(size).size if overlay else size


def picture_in(size: tuple[int, int]) -> Rect:
    """Where the picture lies among the panels."""
    from viewer.overlay.still_panels import (
        picture_in as found,  # loading the panels takes long, and most have none
    )

    return found(size)


class OffscreenRenderer:
    """An off-screen renderer of one world; what it holds on the GPU is let go of at the end of a ``with``.

    Raises UserError where nothing can be drawn here.
    """

    def __init__(self, simulation: Simulation, size: tuple[int, int]) -> None:
        self.size = size
        try:
            self.ctx = create_headless(size)
            self.renderer = Renderer(self.ctx, simulation.world, *size)
        except (NoGl, MissingResourceError) as error:
            raise UserError(str(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ctx.release()

    def picture(self, still: Still, path: Path) -> PictureStats:
        """Draw a still into a file, its two halves side by side, its panels around it.

        With panels the still's view is of the size that ``picture_size`` gives. OSError where it can't be
        written.
        """
        if still.beside is None and still.report is None:  # nothing else is to be put together
            stats = draw_picture(self.renderer, self.size, still.seen)
            load_writer(path)  # while the driver's threads still draw
            write_picture(image_of(self.renderer.target.fbo), path)
            return stats
        shown = Rect(0, 0, *self.size) if still.report is None else picture_in(self.size)
        canvas = Canvas(self.ctx, shown.size)
        if still.beside is None:
            stats = draw_picture(self.renderer, shown.size, still.seen)
            self.renderer.target.blit_to(canvas.fbo.glo, *shown.size)
        else:
            stats = draw_both(
                self.renderer, canvas.fbo, size=shown.size, seen=still.seen, beside=still.beside
            )
        if still.report is not None:
            canvas = self._with_panels(still.report, canvas, shown)
        write_picture(canvas.image(), path)
        return stats

    def _with_panels(self, report: PictureReport, picture: Canvas, shown: Rect) -> Canvas:
        """The picture at its place among the panels."""
        from viewer.overlay.host import OverlayHost
        from viewer.overlay.still_panels import draw_still

        whole = Canvas(self.ctx, self.size)
        overlay = OverlayHost()
        try:
            whole.fbo.clear()
            picture.blit_to(whole.fbo.glo, shown.left, self.size[1] - shown.top - shown.height)
            whole.fbo.use()
            draw_still(overlay, report, NOBODY, self.size)
        finally:
            overlay.close()
        return whole


class _Nothing:
    """Does nothing, whatever it is asked to do."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda *_, **__: ()


class _Nobody(_Nothing):
    """Panels in a picture can't be clicked."""

    questions: Any = _Nothing()
    travel: Any = _Nothing()


NOBODY: Any = _Nobody()
