"""The history of one pixel: what every draw of a frame left in it (views 8.2)."""

from __future__ import annotations

import ctypes
from typing import Final

from engine.dat.hex_id import hex_id
from engine.named_tuple import NamedTuple
from viewer.renderer.gl.framebuffer import SceneTarget

IN_SKY: Final = "things in the sky"
BEFORE_LAND: Final = "before the land"  # of these: rain, which closes what lies behind it
GROUND: Final = "ground"
SHELLS: Final = "shells"
OUTDOORS: Final = "outdoors"  # objects of a landblock that stand outdoors
REACHING: Final = "reaching"  # what reaches out of a landblock's cells
CELL: Final = "cell"
ENTITY: Final = "entity"
BLENDED: Final = "blended "  # before one of these: its translucent part
_RGBA, _DEPTH_COMPONENT, _STENCIL_INDEX, _UNSIGNED_BYTE, _FLOAT = 0x1908, 0x1902, 0x1901, 0x1401, 0x1406


class Painted(NamedTuple):
    """One draw that changed a pixel: the pass, what was drawn, and what the pixel held after it.

    ``number`` counts the draws of the frame, those that left the pixel alone too. ``depth`` is the window's,
    0 to 1. ``group`` is what kind of things the draw drew together, ``of`` the id that they go by, empty and
    0 where nothing is known of them; ``thing`` tells which of them painted the pixel and ``owner`` is its id.
    """

    number: int
    pass_name: str
    what: str
    color: tuple[int, int, int]
    depth: float
    stencil: int
    colored: bool
    group: str = ""
    of: int = 0
    thing: str = ""
    owner: int = 0

    @property
    def words(self) -> str:
        """In one line: pass, what was drawn and which of it shows, and the colour where that changed."""
        r, g, b = self.color
        left = f"#{r:02x}{g:02x}{b:02x}" if self.colored else f"marks, stencil 0x{self.stencil:02x}"
        thing = f": {self.thing}" if self.thing else ""
        return f"{self.pass_name}: {self.what}{thing}, {left}"

    def to_json(self) -> dict[str, object]:
        """The form of ``pick --json``."""
        return {
            "draw": self.number,
            "pass": self.pass_name,
            "what": self.what,
            "thing": self.thing or None,
            "owner": hex_id(self.owner) if self.owner else None,
            "color": list(self.color),
            "depth": self.depth,
            "stencil": self.stencil,
            "colored": self.colored,
        }


class PixelWatch:
    """Looks at one pixel of a target, ``x`` and ``y`` from its lower left corner, after every draw."""

    def __init__(self, target: SceneTarget, x: int, y: int) -> None:
        self.painted: list[Painted] = []
        self.pass_name = ""
        self._target = target
        self._at = (x, y)
        self._number = 0
        self._color = (ctypes.c_ubyte * 4)()
        self._depth = ctypes.c_float()
        self._stencil = ctypes.c_ubyte()
        self._last: tuple[tuple[int, int, int], float, int] | None = None

    def note(self, what: str, group: str = "", of: int = 0) -> None:
        """Something was drawn, of a group of things that go by an id."""
        self._number += 1
        self._read(_RGBA, _UNSIGNED_BYTE, self._color)
        self._read(_DEPTH_COMPONENT, _FLOAT, self._depth)
        self._read(_STENCIL_INDEX, _UNSIGNED_BYTE, self._stencil)
        r, g, b, _ = self._color
        now = ((r, g, b), self._depth.value, self._stencil.value)
        before, self._last = self._last, now
        if before is None or before != now:
            colored = before is None or before[0] != now[0]
            color, depth, stencil = now
            self.painted.append(
                Painted(
                    number=self._number,
                    pass_name=self.pass_name,
                    what=what,
                    color=color,
                    depth=depth,
                    stencil=stencil,
                    colored=colored,
                    group=group,
                    of=of,
                )
            )

    def _read(self, what: int, kind: int, into: ctypes._CData) -> None:
        x, y = self._at
        self._target.raw.glReadPixels(x, y, 1, 1, what, kind, ctypes.byref(into))
