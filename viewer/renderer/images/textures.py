"""Texture arrays: pages of one image size, layers handed out as images come (surfaces 4.7).

Any thread may add images. Those of the thread that owns the context go up at once, others wait in a queue.
A layer that is given back is the next to be handed out; a page all of whose layers are back is freed.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterable, Sequence
from threading import Lock, get_ident

import moderngl
import numpy as np

from viewer.renderer.driver_code import draws_in_software
from viewer.renderer.gl.array_texture import ArrayTexture, Image, mip_levels
from viewer.renderer.gl.context import RawGl
from viewer.renderer.images.cut_outs import FEWEST_TEXELS, cut_out_levels
from viewer.renderer.images.pages import Page, PageBook, Size

Sampling = tuple[bool, bool]
"""Which sampler serves: whether it repeats, and whether for cut-outs."""

_ANISOTROPY = 8.0


def anisotropy(ctx: moderngl.Context) -> float:
    """How much anisotropic filtering to ask for; none in software.

    There a ground that runs to the horizon can take seconds: the whole footprint is summed up.
    """
    if draws_in_software(ctx.info["GL_RENDERER"]):
        return 1.0
    return min(_ANISOTROPY, ctx.max_anisotropy)


class TexturePage(Page):
    """Room for images of one size, all cut-outs or none, on the GPU from the first upload on."""

    def __init__(self, ctx: moderngl.Context, raw: RawGl, *, size: Size, layers: int, cut_out: bool) -> None:
        super().__init__(size, layers, cut_out=cut_out)
        self._ctx = ctx
        self._raw = raw
        self.array: ArrayTexture | None = None

    @property
    def bytes_held(self) -> int:
        """GPU memory, mip levels included."""
        return 0 if self.array is None else self.array.bytes_held

    def write(self, layer: int, levels: Sequence[Image]) -> None:
        """Upload an image with its mip levels."""
        if self.array is None:
            fewest = FEWEST_TEXELS if self.cut_out else 1
            self.array = ArrayTexture(self._ctx, self._raw, size=self.size, layers=self.layers, fewest=fewest)
        self.array.write(layer, levels)

    def release(self) -> None:
        """Give the GPU memory back."""
        if self.array is not None:
            self.array.release()


class TextureStore:
    """All pages by number, and the samplers that serve them: repeat and clamp, one of each for cut-outs.

    Those filter alike in all directions: means over many texels would undo what their levels were made for.
    Pages that another process has numbered, far beyond these, come by ``adopt`` and are filled by ``put``.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._raw = RawGl(ctx)
        self.pages: dict[int, TexturePage] = {}
        self._own: PageBook[TexturePage] = PageBook(self._page, 0)
        self._owner = get_ident()
        self._lock = Lock()
        self._queue: deque[tuple[TexturePage, int, list[Image]]] = deque()
        filtering = anisotropy(ctx)
        self._samplers = {
            (repeat, cut_out): self._sampler(repeat=repeat, filtering=1.0 if cut_out else filtering)
            for repeat in (False, True)
            for cut_out in (False, True)
        }

    @property
    def bytes_held(self) -> int:
        """GPU memory of all pages."""
        with self._lock:
            return sum(page.bytes_held for page in self.pages.values())

    def add(self, image: Image, *, cut_out: bool = False) -> tuple[int, int]:
        """Upload an image, or queue it; returns its page's number and its layer there.

        A ``cut_out`` is drawn where its alpha is at least ``cut_outs.CUT``, at any distance.
        """
        height, width = image.shape[:2]
        levels = cut_out_levels(image) if cut_out else mip_levels(image)
        with self._lock:
            number, layer = self._own.place((width, height), cut_out=cut_out)
            page = self.pages[number] = self._own.pages[number]
            if get_ident() != self._owner:
                self._queue.append((page, layer, levels))
                return number, layer
        page.write(layer, levels)
        return number, layer

    def give_back(self, places: Iterable[tuple[int, int]]) -> None:
        """Layers, by page and layer, that nothing is drawn with any more; on the context's thread."""
        with self._lock:
            for number, layer in places:
                page = self.pages[number]
                self._queue = deque(row for row in self._queue if row[:2] != (page, layer))
                if self._own.give_back(number, layer) is not None:
                    self.pages.pop(number).release()

    def adopt(self, number: int, size: Size, layers: int, *, cut_out: bool) -> None:
        """A page that another process has begun, under a number of its own."""
        with self._lock:
            self.pages[number] = self._page(size, layers, cut_out=cut_out)

    def put(self, number: int, layer: int, levels: Sequence[Image]) -> None:
        """Upload an image of such a page, on the context's thread."""
        self.pages[number].write(layer, levels)

    def drop(self, number: int) -> None:
        """Such a page is no more."""
        with self._lock:
            self.pages.pop(number).release()

    def upload_queued(self, deadline: float = math.inf) -> bool:
        """Upload what other threads have added, until a time (``time.perf_counter``); whether all is up.

        Something goes up in any case.
        """
        while self._queue:
            with self._lock:
                page, layer, levels = self._queue.popleft()
            page.write(layer, levels)
            if time.perf_counter() > deadline:
                break
        return not self._queue

    def settle(self) -> None:
        """Before something new is drawn: upload what is queued, on the context's thread."""
        if self._queue and get_ident() == self._owner:
            self.upload_queued()

    def bind(self, page: int, *, wrap: bool, unit: int = 0, bound: Sampling | None = None) -> Sampling:
        """Make a page and its sampler current, but for a sampler that is ``bound``; which one is now."""
        held = self.pages[page]
        assert held.array is not None  # nothing is drawn before its images are up
        held.array.texture.use(unit)
        sampling = wrap, held.cut_out
        if sampling != bound:
            self._samplers[sampling].use(unit)
        return sampling

    def _page(self, size: Size, layers: int, *, cut_out: bool) -> TexturePage:
        return TexturePage(self._ctx, self._raw, size=size, layers=layers, cut_out=cut_out)

    def _sampler(self, *, repeat: bool, filtering: float) -> moderngl.Sampler:
        return self._ctx.sampler(
            repeat_x=repeat,
            repeat_y=repeat,
            filter=(moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR),
            anisotropy=filtering,
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
    """Give transparent texels the mean colour of the others, so that filtering shows no dark rim.

    Texels are taken as words of four bytes: so it takes a tenth of the time.
    """
    clear = image[..., 3] == 0
    texels = np.ascontiguousarray(image).view("<u4")[..., 0]
    others = texels[~clear]
    if not 0 < len(others) < clear.size:
        return image
    mean = 0
    for shift in (0, 8, 16):
        mean |= int((others >> shift & 0xFF).sum(dtype=np.uint64)) // len(others) << shift
    out = texels.copy()
    out[clear] = mean
    return out.view(np.uint8).reshape(image.shape)


def without_alpha(image: Image) -> Image:
    """An image of an opaque surface: what its alpha says counts for nothing."""
    if image[..., 3].min() == 255:
        return image
    out = image.copy()
    out[..., 3] = 255
    return out
