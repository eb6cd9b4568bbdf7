"""Array textures whose layers are written one at a time, each with its own mip levels.

The driver's way makes the levels of all layers anew for every one that comes, which with software GL takes
a tenth of a second. So levels are made here, by whichever thread has the image, and only uploaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from viewer.renderer.gl.context import RawGl
from viewer.renderer.gl.waiting import settle

if TYPE_CHECKING:
    import moderngl

Image = NDArray[np.uint8]  # shape (height, width, components), top row first

_ARRAY, _BYTES, _ALIGNMENT, _LAST_LEVEL = 0x8C1A, 0x1401, 0x0CF5, 0x813D
_FORMATS = {1: (0x8229, 0x1903), 4: (0x8058, 0x1908)}  # R8 and RGBA8: as stored, as given


def mip_levels(image: Image) -> list[Image]:
    """An image and its mip levels down to one texel, each texel the mean of those it stands for."""
    levels = [np.ascontiguousarray(image)]
    while max(levels[-1].shape[:2]) > 1:
        levels.append(halved(levels[-1]))
    return levels


def halved(image: Image) -> Image:
    """An image of half the size, each texel the mean of those it stands for."""
    height, width, components = image.shape
    texels = image[: height & ~1 or 1, : width & ~1 or 1]
    above, below = (texels[0::2], texels[1::2]) if height > 1 else (texels, texels)
    sums = np.add(above, below, dtype=np.uint16, order="C")  # no copy of all of it in twice its size
    if components == 4:
        sums = sums.view(np.uint64)  # four at a time: no sum of theirs reaches into the next
    sums = (sums[:, 0::2] + sums[:, 1::2] if width > 1 else sums + sums).view(np.uint16)
    sums += 2
    sums >>= 2
    return sums.astype(np.uint8)


def level_sizes(size: tuple[int, int], fewest: int) -> list[tuple[int, int]]:
    """An image's size and those of its mip levels, down to the last of no fewer than ``fewest`` texels."""
    sizes = [size]
    while max(sizes[-1]) > 1:
        width, height = (max(1, side // 2) for side in sizes[-1])
        if width * height < fewest:
            break
        sizes.append((width, height))
    return sizes


class ArrayTexture:
    """Images of one size; ``components`` is 4 or 1. Rows go up in file order: nothing is flipped.

    Its last mip level is the last of no fewer than ``fewest`` texels.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        raw: RawGl,
        *,
        size: tuple[int, int],
        layers: int,
        components: int = 4,
        fewest: int = 1,
    ) -> None:
        self._ctx = ctx
        self._raw = raw
        self._format = _FORMATS[components]
        self._unit = ctx.max_texture_units - 1  # one that nothing is drawn with
        # moderngl would make the first level alone: told of the others later, Mesa makes all once more and
        # copies. So it makes the least it can, and the levels come after what says how many there are.
        self.texture = ctx.texture_array((1, 1, 1), components, alignment=1)
        self.texture.use(self._unit)
        sizes = level_sizes(size, fewest)
        raw.glTexParameteri(_ARRAY, _LAST_LEVEL, len(sizes) - 1)
        stored, given = self._format
        for level, (width, height) in enumerate(sizes):
            raw.glTexImage3D(_ARRAY, level, stored, width, height, layers, 0, given, _BYTES, None)
        self.bytes_held = sum(components * width * height * layers for width, height in sizes)

    def write(self, layer: int, levels: Sequence[Image]) -> None:
        """Upload an image with its mip levels; off screen, once what is drawn with the others is."""
        settle(self._ctx)
        self.texture.use(self._unit)
        self._raw.glPixelStorei(_ALIGNMENT, 1)
        for level, image in enumerate(levels):
            height, width = image.shape[:2]
            self._raw.glTexSubImage3D(
                _ARRAY, level, 0, 0, layer, width, height, 1, self._format[1], _BYTES, image.ctypes.data
            )

    def release(self) -> None:
        """Give the GPU memory back."""
        self.texture.release()
