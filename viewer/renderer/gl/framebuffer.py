"""The scene's own framebuffer: RGBA8 colour with 24 bits of depth and 8 of stencil (passes 3.1)."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import moderngl
import numpy as np

from viewer.renderer.gl.context import NoGl, RawGl
from viewer.renderer.gl.programs import SAMPLES_UNIT, Programs
from viewer.renderer.gl.read_back import read_bytes
from viewer.renderer.gl.waiting import settle

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RENDERBUFFER, _FRAMEBUFFER, _READ, _DRAW = 0x8D41, 0x8D40, 0x8CA8, 0x8CA9
_DEPTH24_STENCIL8, _DEPTH_STENCIL_ATTACHMENT, _STENCIL_ATTACHMENT = 0x88F0, 0x821A, 0x8D20
_SAMPLES = 0x80A9
_STENCIL_SIZE, _COMPLETE, _COLOR_BIT, _NEAREST = 0x8217, 0x8CD5, 0x4000, 0x2600
_STENCIL_INDEX, _DEPTH_COMPONENT, _UNSIGNED_BYTE, _FLOAT, _PACK_ALIGNMENT = (
    0x1901,
    0x1902,
    0x1401,
    0x1406,
    0x0D05,
)


class ManySamples:
    """The same with several samples a pixel: drawn to, and then resolved into the picture.

    Raises moderngl.Error where the driver has no such texture.
    """

    def __init__(self, ctx: moderngl.Context, raw: RawGl, size: tuple[int, int], samples: int) -> None:
        self.samples = samples
        self._raw = raw
        self._color = ctx.texture(size, 4, samples=samples)
        self.fbo = ctx.framebuffer(color_attachments=[self._color])
        self._renderbuffer = ctypes.c_uint()
        raw.glGenRenderbuffers(1, ctypes.byref(self._renderbuffer))
        raw.glBindRenderbuffer(_RENDERBUFFER, self._renderbuffer.value)
        raw.glRenderbufferStorageMultisample(_RENDERBUFFER, samples, _DEPTH24_STENCIL8, *size)
        raw.glBindFramebuffer(_FRAMEBUFFER, self.fbo.glo)
        raw.glFramebufferRenderbuffer(
            _FRAMEBUFFER, _DEPTH_STENCIL_ATTACHMENT, _RENDERBUFFER, self._renderbuffer.value
        )
        self.is_complete = raw.glCheckFramebufferStatus(_FRAMEBUFFER) == _COMPLETE
        self.fbo.depth_mask = True
        made = ctypes.c_int()
        raw.glGetIntegerv(_SAMPLES, ctypes.byref(made))
        self._count = made.value  # a driver may make more than it is asked for
        self._ctx = ctx
        self._whole: moderngl.VertexArray | None = None

    def draw_mean(self, mean: moderngl.Program) -> None:
        """Draw the mean of each pixel's samples over all of the framebuffer that is bound."""
        if self._whole is None:
            self._whole = self._ctx.vertex_array(mean, [])
        self._color.use(SAMPLES_UNIT)
        mean["u_samples"].value = SAMPLES_UNIT  # type: ignore[union-attr]
        mean["u_count"].value = self._count  # type: ignore[union-attr]
        self._whole.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        """Give the GL objects back."""
        if self._whole is not None:
            self._whole.release()
        self.fbo.release()
        self._color.release()
        self._raw.glDeleteRenderbuffers(1, ctypes.byref(self._renderbuffer))


class SceneTarget:
    """Where frames are drawn, in a window as off screen, so that both take the same path.

    Arrays read back have the top row first. With several samples a pixel the picture alone can be read, once
    it is resolved: no depth and no stencil.
    """

    def __init__(self, ctx: moderngl.Context, raw: RawGl, width: int, height: int) -> None:
        self.ctx = ctx
        self.raw = raw
        self.width = width
        self.height = height
        self.texture = ctx.texture((width, height), 4)
        try:
            self.fbo = ctx.framebuffer(color_attachments=[self.texture])
        except moderngl.Error as error:  # the driver has made no room for the texture, and not said so
            raise NoGl(f"no memory for a picture of {width}x{height}: {error}") from error
        self._renderbuffer = ctypes.c_uint()
        raw.glGenRenderbuffers(1, ctypes.byref(self._renderbuffer))
        raw.glBindRenderbuffer(_RENDERBUFFER, self._renderbuffer.value)
        raw.glRenderbufferStorage(_RENDERBUFFER, _DEPTH24_STENCIL8, width, height)
        raw.glBindFramebuffer(_FRAMEBUFFER, self.fbo.glo)
        raw.glFramebufferRenderbuffer(
            _FRAMEBUFFER, _DEPTH_STENCIL_ATTACHMENT, _RENDERBUFFER, self._renderbuffer.value
        )
        if raw.glCheckFramebufferStatus(_FRAMEBUFFER) != _COMPLETE or self.stencil_bits() != 8:
            raise NoGl("this OpenGL driver offers no framebuffer with 8 stencil bits")
        # moderngl made it without depth, so its use() would switch depth writing off.
        self.fbo.depth_mask = True
        self.fbo_drawn = self.fbo
        self._many: ManySamples | None = None
        self._can_many = True

    def sample(self, samples: int) -> None:
        """Draw with so many samples a pixel from now on, at most what the driver has; 1 is plain.

        moderngl makes 2, 4, 8 and so on: of other numbers the next one below is drawn. A driver that offers
        no such framebuffer goes on with one.
        """
        samples = min(samples, self.ctx.max_samples) if self._can_many else 1
        samples = 1 << max(samples, 1).bit_length() - 1
        if samples < 2:
            self.fbo_drawn = self.fbo
            return
        if self._many is None or self._many.samples != samples:
            if self._many is not None:
                self._many.release()
            self._many = self._made(samples)
            self._can_many = self._many is not None and self._many.is_complete
        self.fbo_drawn = self._many.fbo if self._many is not None and self._can_many else self.fbo

    def _made(self, samples: int) -> ManySamples | None:
        try:
            return ManySamples(self.ctx, self.raw, (self.width, self.height), samples)
        except moderngl.Error:
            return None

    def resolve(self, programs: Programs) -> None:
        """Bring what was drawn into the picture, which is bound then; every fragment must be drawn.

        A copy by the driver is the same mean, but software GL would wait for the picture, and only then
        compile what copies it, anew in every process.
        """
        if self._many is not None and self.fbo_drawn is self._many.fbo:
            self.fbo.use()
            self._many.draw_mean(programs.mean)

    def stencil_bits(self) -> int:
        """The stencil bits of the framebuffer that is bound (8 here)."""
        bits = ctypes.c_int()
        self.raw.glGetFramebufferAttachmentParameteriv(
            _FRAMEBUFFER, _STENCIL_ATTACHMENT, _STENCIL_SIZE, ctypes.byref(bits)
        )
        return bits.value

    def use(self) -> None:
        """Draw here from now on, full viewport."""
        self.fbo_drawn.use()

    def read_rgba(self) -> NDArray[np.uint8]:
        """The picture, shape (height, width, 4), opaque."""
        settle(self.ctx)
        out = read_bytes(self.fbo, 4)[::-1].copy()
        out[..., 3] = 255
        return out

    def write_rgb(self, rgb: NDArray[np.uint8]) -> None:
        """Put a picture in place of what was drawn, shape (height, width, 3)."""
        rgba = np.full((self.height, self.width, 4), 255, np.uint8)
        rgba[..., :3] = rgb
        self.texture.write(rgba[::-1].tobytes(), alignment=1)

    def read_stencil(self) -> NDArray[np.uint8]:
        """Stencil values, shape (height, width)."""
        out = np.empty((self.height, self.width), np.uint8)
        self._read(_STENCIL_INDEX, _UNSIGNED_BYTE, out.ctypes.data)
        return out[::-1].copy()

    def read_depth(self) -> NDArray[np.float32]:
        """Window depth 0…1, shape (height, width)."""
        out = np.empty((self.height, self.width), np.float32)
        self._read(_DEPTH_COMPONENT, _FLOAT, out.ctypes.data)
        return out[::-1].copy()

    def blit_to(self, framebuffer: int, width: int, height: int, *, left: int = 0, bottom: int = 0) -> None:
        """Copy the picture to another framebuffer by its GL name, stretched, so far from its edges."""
        self.raw.glBindFramebuffer(_READ, self.fbo.glo)
        self.raw.glBindFramebuffer(_DRAW, framebuffer)
        self.raw.glBlitFramebuffer(
            0, 0, self.width, self.height, left, bottom, left + width, bottom + height,
            _COLOR_BIT, _NEAREST,
        )  # fmt: skip
        self.raw.glBindFramebuffer(_FRAMEBUFFER, framebuffer)

    def release(self) -> None:
        """Give the GL objects back."""
        if self._many is not None:
            self._many.release()
        self.fbo.release()
        self.texture.release()
        self.raw.glDeleteRenderbuffers(1, ctypes.byref(self._renderbuffer))

    def _read(self, what: int, kind: int, address: int) -> None:
        settle(self.ctx)
        self.raw.glBindFramebuffer(_FRAMEBUFFER, self.fbo.glo)
        self.raw.glPixelStorei(_PACK_ALIGNMENT, 1)
        self.raw.glReadPixels(0, 0, self.width, self.height, what, kind, address)
