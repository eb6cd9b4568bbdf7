"""Texture arrays: one page per image size, layers handed out as images come (rendering 4.7)."""

from __future__ import annotations

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
    """An array texture for images of one size; mip levels are built once per batch of uploads."""

    def __init__(self, ctx: moderngl.Context, width: int, height: int, layers: int) -> None:
        self.layers = max(1, min(layers, _MOST_LAYERS, _PAGE_TEXELS // (width * height)))
        self.used = 0
        self.dirty = False
        self.texture = ctx.texture_array((width, height, self.layers), 4)

    def add(self, image: Image) -> int:
        """Upload an image and return its layer. The rows go up in file order: nothing is flipped."""
        layer = self.used
        height, width = image.shape[:2]
        self.texture.write(np.ascontiguousarray(image).tobytes(), viewport=(0, 0, layer, width, height, 1))
        self.used += 1
        self.dirty = True
        return layer


class TextureStore:
    """All pages, and the two samplers (repeat and clamp) that serve each of them."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self.pages: list[TexturePage] = []
        self._open: dict[tuple[int, int], int] = {}
        self.repeat = self._sampler(True)
        self.clamp = self._sampler(False)

    def add(self, image: Image) -> tuple[int, int]:
        """Upload an image; returns its page's index and its layer there."""
        height, width = image.shape[:2]
        index = self._open.get((width, height), -1)
        if index < 0 or self.pages[index].used == self.pages[index].layers:
            # Each further page of a size is larger: few mip levels in a small world, few pages in a large.
            layers = _FIRST_LAYERS if index < 0 else 2 * self.pages[index].layers
            self.pages.append(TexturePage(self._ctx, width, height, layers))
            index = self._open[(width, height)] = len(self.pages) - 1
        return index, self.pages[index].add(image)

    def finish_uploads(self) -> None:
        """Build the mip levels of the pages that have changed."""
        for page in self.pages:
            if page.dirty:
                page.texture.build_mipmaps()
                page.dirty = False

    def bind(self, page: int, wrap: bool, unit: int = 0) -> None:
        """Make a page and its sampler current, with its mip levels where a model came in mid-frame."""
        current = self.pages[page]
        if current.dirty:
            current.texture.build_mipmaps()
            current.dirty = False
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
