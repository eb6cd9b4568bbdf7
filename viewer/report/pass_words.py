"""The passes of a frame and the stencil's bits in plain words (passes 3.3)."""

from __future__ import annotations

from typing import Final

from viewer.renderer.gl.pixel_watch import Painted
from viewer.renderer.passes.passes import BLD, CELL, OUT

PASSES: Final[dict[str, str]] = {
    "P0": "begin: depth and marks are cleared",
    "P1": "mark the exits: the pixels through which the outdoors is seen",
    "P2": "the landscape, where it is seen: sky, ground, houses from outside, what stands outdoors",
    "P3": "mark the opening of a house that one looks into, where nothing stands before it",
    "P4": "a hole in that opening: its depth goes back to the farthest, so that the room behind it shows",
    "P5": "mark the part of the opening through which a room behind it is seen",
    "P6": "draw a room behind the opening and what is in it, where it was marked",
    "P7": "end of the opening: its marks are cleared",
    "P8": "depth is cleared, so that the landscape hides no room",
    "P9": "seal the exits: their depth is put back, so that no room behind one shows in it",
    "P10": "mark the part of the picture through which a room is seen",
    "P11": "draw a room and what is in it, where it was marked",
    "P12": "what one sees through, last: the farthest room first",
}
"""What each pass does, by the first word of its name."""


def pass_words(painted: Painted) -> str:
    """What a pass does and what the pixel's stencil value means after it."""
    name = painted.pass_name.split(" ")[0]
    does = f"{name}: {PASSES[name]}. " if name in PASSES else ""
    return f"{does}Stencil 0x{painted.stencil:02x}: {stencil_words(painted.stencil)}"


def stencil_words(value: int) -> str:
    """A stencil value bit by bit: the landscape's, an opening's, and which room in the order of drawing."""
    words = ["the outdoors shows here"] if value & OUT else []
    if value & BLD:
        words.append("in the opening of a house that one looks into")
    if value & CELL:
        words.append(f"room number {value & CELL} in the order of drawing")
    return ", ".join(words) or "nothing is marked"
