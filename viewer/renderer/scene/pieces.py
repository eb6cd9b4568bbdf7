"""What a group of meshes is made of: things, each drawn only where it may be in the picture (passes 9.3).

Their triangles stay in the order of the whole, so that what lies in one plane looks the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from engine.named_tuple import NamedTuple
from viewer.renderer.images.materials import RenderClass
from viewer.renderer.scene.meshes import Batch, Chunk

Flags = NDArray[np.bool_]
INDEX_BYTES = 4


class PieceRange(NamedTuple):
    """A draw range by what it is made of: numbers of pieces, offsets into the indices in bytes, sizes."""

    numbers: NDArray[np.intp]
    offsets: NDArray[np.intp]
    sizes: NDArray[np.int32]


class Pieces(NamedTuple):
    """Spheres around the pieces of a group, shapes (n, 3) and (n,), metres, and their parts of its ranges.

    ``ranges`` are as those of the group that are opaque.
    """

    centers: NDArray[np.float64]
    radii: NDArray[np.float64]
    ranges: tuple[PieceRange, ...]


class PieceBuilder:
    """Takes the chunks of a group in the order in which they are drawn.

    ``counts`` says how many pieces each of its members has: as many as places that it stands in.
    """

    def __init__(self, counts: Sequence[int]) -> None:
        self._firsts = [0, *accumulate(counts)]
        self._points: list[NDArray[np.float32]] = []
        self._starts: list[int] = []
        self._numbers: list[int] = []
        self._vertices = 0
        self._ranges: dict[Batch, list[tuple[int, int, int]]] = {}

    def add(self, chunk: Chunk, member: int, first: int) -> None:
        """The next chunk of a member; ``first`` is its place among the indices."""
        count = chunk.places
        vertices, size = len(chunk.vertices) // count, len(chunk.indices) // count
        pieces = self._ranges.setdefault(chunk.batch, [])
        for step in range(count):
            number = self._firsts[member] + step
            pieces.append((number, INDEX_BYTES * (first + step * size), size))
            self._numbers.append(number)
            self._starts.append(self._vertices + step * vertices)
        self._points.append(chunk.vertices["position"])
        self._vertices += len(chunk.vertices)

    def pieces(self) -> Pieces | None:
        """All of them; None for a group that is one piece."""
        total = self._firsts[-1]
        if total < 2 or not self._points:
            return None
        low, high = np.full((total, 3), np.inf), np.full((total, 3), -np.inf)
        points = np.concatenate(self._points)
        np.minimum.at(low, self._numbers, np.minimum.reduceat(points, self._starts))
        np.maximum.at(high, self._numbers, np.maximum.reduceat(points, self._starts))
        nothing = low > high
        low[nothing] = high[nothing] = 0.0
        middle = (low + high) / 2.0
        ranges = (rows for batch, rows in self._ranges.items() if batch.render_class <= RenderClass.CUTOUT)
        return Pieces(middle, np.linalg.norm(high - middle, axis=1), tuple(map(_range, ranges)))


def _range(rows: list[tuple[int, int, int]]) -> PieceRange:
    numbers, offsets, sizes = np.array(rows, np.intp).T
    return PieceRange(numbers, offsets, sizes.astype(np.int32))
