"""Texture arrays: pages of one image size, layers handed out as images come (rendering 4.7).

Any thread may add images. Those of the thread that owns the context go up at once, others wait in a queue.
A layer that is given back is the next to be handed out; a page all of whose layers are back is freed.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterable
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


def with_mip_levels(size: int) -> int:
    """How many bytes an image of so many takes with its mip levels."""
    return size * 4 // 3


class TexturePage:
    """An array texture for images of one size, on the GPU from the first upload on.

    Mip levels are built once per batch of uploads: a page is ``dirty`` until then. ``late`` says the same
    of images that nothing is drawn with yet.
    """

    def __init__(self, ctx: moderngl.Context, width: int, height: int, layers: int) -> None:
        self._ctx = ctx
        self.size = (width, height)
        self._texture: moderngl.TextureArray | None = None
        self.layers = max(1, min(layers, _MOST_LAYERS, _PAGE_TEXELS // (width * height)))
        self.free = list(range(self.layers - 1, -1, -1))
        self.dirty = False
        self.late = False

    @property
    def texture(self) -> moderngl.TextureArray:
        """The array itself."""
        if self._texture is None:
            self._texture = self._ctx.texture_array((*self.size, self.layers), 4)
        return self._texture

    @property
    def bytes_held(self) -> int:
        """GPU memory, mip levels included."""
        width, height = self.size
        return 0 if self._texture is None else with_mip_levels(4 * width * height * self.layers)

    def write(self, layer: int, image: Image) -> None:
        """Upload an image. The rows go up in file order: nothing is flipped."""
        viewport = (0, 0, layer, *self.size, 1)
        self.texture.write(np.ascontiguousarray(image).tobytes(), viewport=viewport)

    def build_mipmaps(self) -> None:
        """Bring the mip levels up to date."""
        self.texture.build_mipmaps()
        self.dirty = self.late = False

    def release(self) -> None:
        """Give the GPU memory back."""
        if self._texture is not None:
            self._texture.release()
            self._texture = None


class TextureStore:
    """All pages by number, and the two samplers (repeat and clamp) that serve each of them.

    The number of a page that was freed is not given to another.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self.pages: dict[int, TexturePage] = {}
        self._next = 0
        self._owner = get_ident()
        self._lock = Lock()
        self._queue: deque[tuple[TexturePage, int, Image]] = deque()
        self.repeat = self._sampler(True)
        self.clamp = self._sampler(False)

    @property
    def bytes_held(self) -> int:
        """GPU memory of all pages."""
        with self._lock:
            return sum(page.bytes_held for page in self.pages.values())

    def add(self, image: Image) -> tuple[int, int]:
        """Upload an image, or queue it; returns its page's number and its layer there."""
        height, width = image.shape[:2]
        with self._lock:
            same = {n: page for n, page in self.pages.items() if page.size == (width, height)}
            number = next((n for n, page in same.items() if page.free), -1)
            if number < 0:
                # As large as all before it: few mip levels in a small world, few pages in a large one.
                layers = sum(page.layers for page in same.values()) or _FIRST_LAYERS
                number, self._next = self._next, self._next + 1
                self.pages[number] = TexturePage(self._ctx, width, height, layers)
            page = self.pages[number]
            layer = page.free.pop()
            if get_ident() != self._owner:
                self._queue.append((page, layer, image))
                return number, layer
        page.write(layer, image)
        page.dirty = True
        return number, layer

    def give_back(self, places: Iterable[tuple[int, int]]) -> None:
        """Layers, by page and layer, that nothing is drawn with any more; on the context's thread."""
        with self._lock:
            for number, layer in places:
                page = self.pages[number]
                page.free.append(layer)
                self._queue = deque(row for row in self._queue if row[:2] != (page, layer))
                if len(page.free) == page.layers:
                    del self.pages[number]
                    page.release()

    def upload_queued(self, deadline: float = math.inf) -> bool:
        """Upload what other threads have added, until a time (``time.perf_counter``); whether all is up.

        Something goes up in any case.
        """
        while self._queue:
            with self._lock:
                page, layer, image = self._queue.popleft()
            page.write(layer, image)
            page.late = True
            if time.perf_counter() > deadline:
                return False
        late = [page for page in self._all() if page.late]
        while late:
            late.pop().build_mipmaps()
            if time.perf_counter() > deadline:
                break
        return not self._queue and not late

    def settle(self) -> None:
        """Before something new is drawn: upload what is queued, on the context's thread."""
        if self._queue and get_ident() == self._owner:
            self.upload_queued()

    def finish_uploads(self) -> None:
        """Build the mip levels of the pages that have changed."""
        for page in self._all():
            if page.dirty:
                page.build_mipmaps()

    def bind(self, page: int, wrap: bool, unit: int = 0) -> None:
        """Make a page and its sampler current, with its mip levels where a model came in mid-frame."""
        current = self.pages[page]
        if current.dirty:
            current.build_mipmaps()
        current.texture.use(unit)
        (self.repeat if wrap else self.clamp).use(unit)

    def _all(self) -> list[TexturePage]:
        with self._lock:
            return list(self.pages.values())

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
