"""How opaque surfaces are at places of their images: for rays, which ask for single texels."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.dat.errors import DatError
from engine.dat.records.surface import Surface
from engine.named_tuple import NamedTuple
from engine.world.source import WorldSource
from viewer.renderer.images.images import MissingImageError, drawn_image, made_of
from viewer.renderer.images.materials import RenderClass, is_textured, opacity, render_class, vertex_factors
from viewer.renderer.images.remembered import Remembered

Plane = NDArray[np.uint8]  # a byte a texel, top row first
MOST_KEPT: Final = 1 << 27  # bytes of all planes that are kept
_NO_IMAGE: Final = -1  # in a key, of a surface that has a colour instead

_Key = tuple[int, int, int, bool]


class _Planes(NamedTuple):
    """What counts of an image: its alpha, and the brightest of its colours where these are added."""

    alpha: Plane
    light: Plane

    @property
    def nbytes(self) -> int:
        return self.alpha.nbytes + self.light.nbytes


class OpacityPlanes:
    """Of the surfaces of a source; images that many of them show are decoded once and kept once."""

    def __init__(self, source: WorldSource) -> None:
        self._source = source
        self._keys: dict[Surface, _Key | None] = {}
        self._planes: Remembered[_Key, _Planes] = Remembered(MOST_KEPT)

    def alpha(self, surface: Surface, uv: tuple[float, float]) -> float:
        """How opaque a surface is at a place of its image, 0 to 1; 0 where it is cut out."""
        flags = surface.drawn_type
        planes = self._of(surface)
        if planes is None:
            return 1.0
        alpha = _texel(planes.alpha, uv)
        least = vertex_factors(flags, surface.translucency, surface.luminosity, surface.diffuse)[3]
        return 0.0 if alpha < least else alpha / 255.0 * opacity(flags, surface.translucency)

    def paints(self, surface: Surface, uv: tuple[float, float]) -> float:
        """How much a surface paints at a place of its image, 0 to 1: its light where it only adds."""
        alpha, planes = self.alpha(surface, uv), self._of(surface)
        if planes is None or render_class(surface.drawn_type) is not RenderClass.ADD:
            return alpha
        return alpha * float(_texel(planes.light, uv)) / 255.0

    def _of(self, surface: Surface) -> _Planes | None:
        """None of one that is opaque; so is the marker, which is drawn where an image can't be."""
        if surface not in self._keys:
            self._keys[surface] = self._key(surface)
        key = self._keys[surface]
        if key is None:
            return None
        return self._planes.get(key, lambda: self._decoded(surface))

    def _key(self, surface: Surface) -> _Key | None:
        how = render_class(surface.drawn_type)
        if how is RenderClass.OPAQUE:
            return None
        if not is_textured(surface.drawn_type):
            return surface.color or 0, _NO_IMAGE, how, how is RenderClass.ADD
        try:
            return (*made_of(self._source, surface), how is RenderClass.ADD)
        except (DatError, MissingImageError):
            return None

    def _decoded(self, surface: Surface) -> _Planes | None:
        try:
            image = drawn_image(self._source, surface)
        except (DatError, MissingImageError):
            return None
        adds = render_class(surface.drawn_type) is RenderClass.ADD
        # A channel at a time: the largest of each texel's three takes numpy ten times as long.
        light = np.maximum(np.maximum(image[..., 0], image[..., 1]), image[..., 2]) if adds else _NONE
        return _Planes(_least(image[..., 3]), _least(light))


_NONE: Final[Plane] = np.zeros((1, 1), np.uint8)


def _least(plane: Plane) -> Plane:
    """A plane of its own; one texel of it where all are the same."""
    return (plane[:1, :1] if plane.min() == plane.max() else plane).copy()


def _texel(plane: Plane, uv: tuple[float, float]) -> int:
    """A plane's value at a place of the image, which repeats."""
    height, width = plane.shape
    column = min(width - 1, int((uv[0] - math.floor(uv[0])) * width))
    return int(plane[min(height - 1, int((uv[1] - math.floor(uv[1])) * height)), column])
