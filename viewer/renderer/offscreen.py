"""Pictures without a window."""

from __future__ import annotations

from pathlib import Path

import PIL.Image

from engine.visibility.frame_view import FrameView
from viewer.renderer.entities import SceneObjects
from viewer.renderer.options import RenderOptions
from viewer.renderer.renderer import Renderer
from viewer.renderer.stats import FrameStats


def render_png(
    renderer: Renderer,
    frame: FrameView,
    path: Path,
    objects: SceneObjects | None = None,
    options: RenderOptions | None = None,
) -> FrameStats:
    """Draw one frame and write it as a PNG. Raises OSError where the file cannot be written."""
    stats = renderer.draw(frame, objects, options)
    PIL.Image.fromarray(renderer.read_rgba()[..., :3].copy(), "RGB").save(path)
    return stats
