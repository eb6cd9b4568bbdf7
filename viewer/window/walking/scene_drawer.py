"""Draws a walk's frames into the window: by its modes, its clock and its distances, split or whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.visibility.picture_view import PictureView
from engine.world.debug_shapes import DebugShapes
from viewer.asking.blocked_shapes import blocked_shapes
from viewer.picture.cell_outlines import cell_outlines
from viewer.picture.horizon import view_distance
from viewer.picture.picture_to_draw import PictureToDraw, draw_both, draw_picture
from viewer.picture.shape_gatherer import ShapeGatherer
from viewer.picture.split_view import behind_options
from viewer.renderer.gl.gpu_timer import GpuTimer
from viewer.renderer.gl.stats import PictureStats
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.renderer import Renderer
from viewer.report.caption import captioned
from viewer.tables.modes import with_modes
from viewer.window.walking.walk import Walk

if TYPE_CHECKING:
    import moderngl


class SceneDrawer:
    """Draws onto the window's framebuffer what ``walk`` sees."""

    def __init__(self, renderer: Renderer, walk: Walk) -> None:
        self._renderer = renderer
        self._walk = walk
        self._timer = GpuTimer(renderer.ctx)
        self._gatherer = ShapeGatherer(walk.simulation)

    def draw(self, picture: PictureView, onto: moderngl.Framebuffer, size: tuple[int, int]) -> None:
        """Draw a frame onto a framebuffer of a size in pixels."""
        seen = self.seen(picture)
        self._walk.questions.look_closer(seen, self._renderer)
        self._walk.questions.map.world.upload(self._renderer.ctx)
        with self._timer.measured():
            stats = self._draw(seen, onto, size)
        self._walk.questions.times.gpu = self._timer.milliseconds
        self._walk.unpainted = stats.sentinel

    def _draw(self, seen: PictureToDraw, onto: moderngl.Framebuffer, size: tuple[int, int]) -> PictureStats:
        if seen.options.split:
            beside = self.beside(seen.options)
            return draw_both(self._renderer, onto, size=size, seen=seen, beside=beside)
        stats = draw_picture(self._renderer, size, seen)
        self._renderer.target.blit_to(onto.glo, *size)
        return stats

    def seen(self, picture: PictureView) -> PictureToDraw:
        """A frame with what its drawing takes."""
        walk = self._walk
        landscape = RenderOptions(
            view_distance=view_distance(walk.distances["radius"]),
            samples=round(walk.settings.number("samples", 1)),
            text_scale=walk.text_scale,
        )
        options = with_modes(walk.clock.lit(landscape), walk.modes)
        options = captioned(options, picture, walk.clock.hour, walk.blocked)
        options = options._replace(weather=options.weather and bool(walk.settings["weather"]))
        picture = walk.choose(picture, options)
        shapes = self._gatherer.gather(picture, options, walk.line) + self._marked(picture)
        return PictureToDraw(picture, walk.objects(), options, shapes)

    def _marked(self, picture: PictureView) -> list[DebugShapes]:
        """The outlines of the selected cell and of the one that the pointer is on in a list."""
        out = self._walk.questions.shapes(picture)
        if self._walk.player is not None:
            out += self._walk.player.shapes(picture.root)
        blocked = self._walk.watch.now
        if blocked is not None:
            met = blocked_shapes(self._walk.simulation, blocked, picture.root, picture.view)
            out += [met] if met is not None else []
        listing, world = self._walk.listing, self._walk.simulation.world
        return out + cell_outlines(world, picture.root, selected=listing.selected, lit=listing.lit)

    def beside(self, options: RenderOptions) -> PictureToDraw:
        """The split view's other half, of a frame that is drawn with such options."""
        walk = self._walk
        behind, objects = walk.seen_from_behind()
        options = behind_options(options, behind)
        behind = walk.choose(behind, options)
        shapes = self._gatherer.gather(behind, options, walk.line) + self._marked(behind)
        return PictureToDraw(behind, objects, options, shapes)
