"""Texture arrays: one page per image size, layers handed out as images come (rendering 4.7).

Any thread may add images. Those of the thread that owns the context go up at once, others wait in a queue.
"""

from __future__ import annotations

import math
import time
from collections import deque
from threading import Lock, get_ident

import moderngl
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]  # shape (height, width, 4), top row first

_PAGE_TEXELS = 1 << 22
_MOST_LAYERS = 256
_FIRST_LAYERS = 8
_ANISOTROPY = 8.0
_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader")


def anisotropy(ctx: moderngl.Context) -> float:
    """How much anisotropic filtering to ask for; none in software.

    There a ground that runs to the horizon can take seconds: the whole footprint is summed up.
    """
    if any(name in ctx.info["GL_RENDERER"].lower() for name in _SOFTWARE):
        return 1.0
    return min(_ANISOTROPY, ctx.max_anisotropy)


class TexturePage:
    """An array texture for images of one size, on the GPU from the first upload on.

    Mip levels are built once per batch of uploads: a page is ``dirty`` until then. ``late`` says the same
    of images that nothing is drawn with yet.
    """

    def __init__(self, ctx: moderngl.Context, width: int, height: int, layers: int) -> None:
        self._ctx = ctx
        self._size = (width, height)
        self._texture: moderngl.TextureArray | None = None
        self.layers = max(1, min(layers, _MOST_LAYERS, _PAGE_TEXELS // (width * height)))
        self.used = 0
        self.dirty = False
        self.late = False

    @property
    def texture(self) -> moderngl.TextureArray:
        """The array itself."""
        if self._texture is None:
            self._texture = self._ctx.texture_array((*self._size, self.layers), 4)
        return self._texture

    def write(self, layer: int, image: Image) -> None:
        """Upload an image. The rows go up in file order: nothing is flipped."""
        viewport = (0, 0, layer, *self._size, 1)
        self.texture.write(np.ascontiguousarray(image).tobytes(), viewport=viewport)

    def build_mipmaps(self) -> None:
        """Bring the mip levels up to date."""
        self.texture.build_mipmaps()
        self.dirty = self.late = False


class TextureStore:
    """All pages, and the two samplers (repeat and clamp) that serve each of them."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self.pages: list[TexturePage] = []
        self._open: dict[tuple[int, int], int] = {}
        self._room: dict[tuple[int, int], int] = {}
        self._owner = get_ident()
        self._lock = Lock()
        self._queue: deque[tuple[TexturePage, int, Image]] = deque()
        self.repeat = self._sampler(True)
        self.clamp = self._sampler(False)

    def add(self, image: Image) -> tuple[int, int]:
        """Upload an image, or queue it; returns its page's index and its layer there."""
        height, width = image.shape[:2]
        with self._lock:
            index = self._open.get((width, height), -1)
            if index < 0 or self.pages[index].used == self.pages[index].layers:
                # As large as all before it: few mip levels in a small world, few pages in a large one.
                layers = self._room.get((width, height), _FIRST_LAYERS)
                self._room[width, height] = layers if index < 0 else 2 * layers
                self.pages.append(TexturePage(self._ctx, width, height, layers))
                index = self._open[(width, height)] = len(self.pages) - 1
            page = self.pages[index]
            layer = page.used
            page.used += 1
        if get_ident() == self._owner:
            page.write(layer, image)
            page.dirty = True
        else:
            self._queue.append((page, layer, image))
        return index, layer

    def upload_queued(self, deadline: float = math.inf) -> bool:
        """Upload what other threads have added, until a time (``time.perf_counter``); whether all is up.

        Something goes up in any case.
        """
        while self._queue:
            page, layer, image = self._queue.popleft()
            page.write(layer, image)
            page.late = True
            if time.perf_counter() > deadline:
                return False
        for page in [page for page in self.pages if page.late]:
            page.build_mipmaps()
            if time.perf_counter() > deadline:
                break
        return not self._queue and not any(page.late for page in self.pages)

    def settle(self) -> None:
        """Before something new is drawn: upload what is queued, on the context's thread."""
        if self._queue and get_ident() == self._owner:
            self.upload_queued()

    def finish_uploads(self) -> None:
        """Build the mip levels of the pages that have changed."""
        for page in self.pages:
            if page.dirty:
                page.build_mipmaps()

    def bind(self, page: int, wrap: bool, unit: int = 0) -> None:
        """Make a page and its sampler current, with its mip levels where a model came in mid-frame."""
        current = self.pages[page]
        if current.dirty:
            current.build_mipmaps()
        current.texture.use(unit)
        (self.repeat if wrap else self.clamp).use(unit)

    def _sampler(self, repeat: bool) -> moderngl.Sampler:
        return self._ctx.sampler(
            repeat_x=repeat,
            repeat_y=repeat,
            filter=(moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR),
            anisotropy=anisotropy(self._ctx),
        )


def solid_image(argb: int) -> Image:
    """A colour 0xAARRGGBB as an image of one texel."""
    return np.array([[[argb >> 16 & 0xFF, argb >> 8 & 0xFF, argb & 0xFF, argb >> 24 & 0xFF]]], np.uint8)


def marker_image() -> Image:
    """The orange and black checks that stand for a texture that is missing."""
    checks = np.indices((16, 16)).sum(axis=0) // 4 % 2
    image = np.empty((16, 16, 4), np.uint8)
    image[checks == 0] = (255, 128, 0, 255)
    image[checks == 1] = (24, 24, 24, 255)
    return image


def fill_transparent(image: Image) -> Image:
    """Give transparent texels the mean colour of the others, so that filtering shows no dark rim."""
    clear = image[..., 3] == 0
    if not clear.any() or clear.all():
        return image
    out = image.copy()
    out[clear, :3] = image[~clear][:, :3].mean(axis=0).astype(np.uint8)
    return out


def without_alpha(image: Image) -> Image:
    """An image of an opaque surface: what its alpha says counts for nothing."""
    if image[..., 3].min() == 255:
        return image
    out = image.copy()
    out[..., 3] = 255
    return out
