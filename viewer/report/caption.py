"""What a picture says of itself: what it starts from, and what it leaves out (views 8.2 no. 2)."""

from __future__ import annotations

import math
import textwrap

from engine.dat.hex_id import hex_id
from engine.files.shown import counted
from engine.visibility.picture_view import PictureView
from viewer.renderer.render_options import RenderOptions
from viewer.tables.modes import restrictions

_LETTER, _FEWEST = 9.0, 20  # pixels of a letter, about; letters of a line in the smallest picture


def state_text(picture: PictureView, hour: float) -> str:
    """The body's cell, the drawn foot's where that is another, the root and how it was carried there.

    In a second line the path, the exits' share of the screen, the cells and the hour.
    """
    picture = picture.frozen if picture.frozen is not None else picture
    carried = " ".join(f"{cell & 0xFFFF:04X}/{portal}" for cell, portal in picture.carried) or "nowhere"
    share = 100.0 * sum(view.area for view in picture.outside) / 4.0
    minutes = math.floor(60.0 * hour + 1e-6)
    blocked = ", pulled in" if picture.blocked else ""
    drawn = "" if picture.drawn_cell == picture.body_cell else f"  drawn {hex_id(picture.drawn_cell)}"
    return (
        f"body {hex_id(picture.body_cell)}{drawn}  root {hex_id(picture.root)}  carried {carried}{blocked}\n"
        f"{picture.path}  outside {share:.1f} %  {counted(len(picture.cells), 'cell')}  "
        f"{minutes // 60:02d}:{minutes % 60:02d}"
    )


def captioned(options: RenderOptions, picture: PictureView, hour: float, blocked: str = "") -> RenderOptions:
    """Options whose caption says what the picture is not by itself, and the state where it is wanted.

    That the eye is detached where it is, and the modes by which less is shown than there is. With the state
    stands what blocks the body, in the words of its verdict.
    """
    lines = []
    if picture.frozen is not None:
        lines.append(f"DETACHED: the visible list is that of {hex_id(picture.frozen.root)}")
    modes = restrictions(options)
    width = max(_FEWEST, int(picture.view.width / (_LETTER * options.text_scale)))
    if modes:
        lines += textwrap.wrap("modes: " + ", ".join(modes), width, break_on_hyphens=False)
    if options.state:
        text = state_text(picture, hour)
        lines.append(text.replace("  ", "\n") if options.split else text)  # half a picture has little room
        lines += textwrap.wrap(blocked, width // 2 if options.split else width)
    return options._replace(caption="\n".join(lines), caption_at=1.0 if options.split else 0.5)
