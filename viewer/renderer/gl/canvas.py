"""A framebuffer of one's own for what is finished: copied into windows and read into pictures."""

from __future__ import annotations

from ctypes import byref, c_int
from typing import TYPE_CHECKING

from PIL import Image

from viewer.renderer.gl.context import RawGl
from viewer.renderer.gl.read_back import read_bytes
from viewer.renderer.gl.waiting import settle

if TYPE_CHECKING:
    import moderngl

_MOST = 0x84E8  # GL_MAX_RENDERBUFFER_SIZE
_FRAMEBUFFER, _READ, _DRAW, _COLOR_BIT, _NEAREST = 0x8D40, 0x8CA8, 0x8CA9, 0x4000, 0x2600


class Canvas:
    """Colour alone, of a size in pixels that may change; nobody else's windows hide any of it.

    Each side is as long as is asked for, or as the driver makes it, and no longer than ``longest``: windows
    may be longer than that.
    """

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], longest: int | None = None) -> None:
        self.ctx = ctx
        self._raw = RawGl(ctx)
        most = c_int()
        self._raw.glGetIntegerv(_MOST, byref(most))
        self._most = most.value if longest is None else min(most.value, longest)
        self.size = self._made(size)
        self._make()

    def resize(self, size: tuple[int, int]) -> tuple[int, int]:
        """Be of another size, which is returned as it is made; what was drawn is lost then."""
        size = self._made(size)
        if size != self.size:
            self.release()
            self.size = size
            self._make()
        return size

    def _make(self) -> None:
        """Not as a simple framebuffer: one that is released keeps what it was drawn into."""
        self._colors = self.ctx.renderbuffer(self.size, components=3)
        self.fbo = self.ctx.framebuffer(color_attachments=[self._colors])

    def _made(self, size: tuple[int, int]) -> tuple[int, int]:
        return min(size[0], self._most), min(size[1], self._most)

    def blit_to(self, framebuffer: int, left: int, bottom: int) -> None:
        """Copy it to another framebuffer by its GL name, which is bound then, its lower left corner there."""
        width, height = self.size
        raw = self._raw
        raw.glBindFramebuffer(_READ, self.fbo.glo)
        raw.glBindFramebuffer(_DRAW, framebuffer)
        raw.glBlitFramebuffer(
            0, 0, width, height, left, bottom, left + width, bottom + height, _COLOR_BIT, _NEAREST
        )
        raw.glBindFramebuffer(_FRAMEBUFFER, framebuffer)

    def image(self) -> Image.Image:
        """What is drawn, the top row first."""
        return image_of(self.fbo)

    def release(self) -> None:
        """Give the GL objects back."""
        self.fbo.release()
        self._colors.release()


def image_of(fbo: moderngl.Framebuffer) -> Image.Image:
    """The colours of a framebuffer of one sample a pixel, the top row first."""
    settle(fbo.ctx)
    image = Image.frombytes("RGB", fbo.size, read_bytes(fbo, 3).data)
    return image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
