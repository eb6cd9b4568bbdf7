"""What is seen with all that its drawing takes, and its way into a target, alone or beside another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.named_tuple import NamedTuple
from engine.visibility.picture_view import PictureView
from engine.world.debug_shapes import DebugShapes
from viewer.picture.split_view import panes
from viewer.renderer.gl.stats import PictureStats
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.renderer import Renderer
from viewer.renderer.scene.entities import SceneObjects

if TYPE_CHECKING:
    import moderngl


class PictureToDraw(NamedTuple):
    """What the renderer takes."""

    picture: PictureView
    objects: SceneObjects
    options: RenderOptions
    shapes: Sequence[DebugShapes] = ()


def draw_picture(renderer: Renderer, size: tuple[int, int], seen: PictureToDraw) -> PictureStats:
    """Draw a picture by itself; it stays in the renderer's target."""
    renderer.resize(*size)
    return renderer.draw(seen.picture, seen.objects, seen.options, seen.shapes)


def draw_both(
    renderer: Renderer,
    onto: moderngl.Framebuffer,
    *,
    size: tuple[int, int],
    seen: PictureToDraw,
    beside: PictureToDraw,
) -> PictureStats:
    """Draw two pictures into the halves of a framebuffer of that size; the counters of the first."""
    left, right = panes(size)
    stats = draw_picture(renderer, left.size, seen)
    onto.clear()
    renderer.target.blit_to(onto.glo, *left.size, left=left.left)
    draw_picture(renderer, right.size, beside)
    renderer.target.blit_to(onto.glo, *right.size, left=right.left)
    return stats
