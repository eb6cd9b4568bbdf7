"""A rectangle of a window."""

from __future__ import annotations

from engine.named_tuple import NamedTuple


class Rect(NamedTuple):
    """Where something lies, in the window's pixels, y down."""

    left: int
    top: int
    width: int
    height: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    def in_pixels(self, ratio: float) -> Rect:
        """The same in the pixels of a framebuffer, so many to one of the window's; none is empty."""
        left, top = round(self.left * ratio), round(self.top * ratio)
        right, bottom = round((self.left + self.width) * ratio), round((self.top + self.height) * ratio)
        return Rect(left, top, max(1, right - left), max(1, bottom - top))
