"""What a window is made of, for those who act on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from viewer.overlay.dock.layout import PanelLayout
from viewer.overlay.host import OverlayHost
from viewer.renderer.gl.canvas import Canvas
from viewer.window.controls import Controls
from viewer.window.message import Message
from viewer.window.open_boxes import Boxes
from viewer.window.sharing.clipboard import Clipboard
from viewer.window.sharing.movie import Movie
from viewer.window.sharing.pictures import Pictures
from viewer.window.walking.walk import Walk


@dataclass(frozen=True, slots=True)
class Parts:
    """A window and its walk; ``canvas`` is what the picture is drawn on, ``keys`` bind the actions."""

    window: Any
    walk: Walk
    canvas: Canvas
    keys: Mapping[str, str]
    overlay: OverlayHost
    layout: PanelLayout
    clipboard: Clipboard
    message: Message
    pictures: Pictures
    boxes: Boxes
    controls: Controls
    movie: Movie
