"""The vertices of a landblock's ground, 32 bytes each (rendering 5.1, 5.6).

Triangles are those of the landcells, so that drawing and physics agree on every split.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.world.cells import Landblock
from engine.world.ids import CELL_SIDE
from engine.world.texmerge import CellGround, MaskedLayer, cell_palette_code

RENDER_DROP = 0.0099999998  # drawn that much lower than it is, against floors at its height
BLOCK_VERTICES = 384

# ``normal``: components times 127, plus 128, for there is no signed normalised format here.
# ``layers``: base, –, overlay 0, its mask | overlay 1, mask, overlay 2, mask | road, mask, road, mask.
# ``turns``: from bit 0 on two bits of rotation for each of the five masks, then two bits for the corner.
TERRAIN_VERTEX = np.dtype(
    [("position", "<f4", 3), ("normal", "u1", 4), ("layers", "u1", 12), ("turns", "<u4")]
)
VERTEX_FORMAT = "3f4 4f1 4u4"
VERTEX_NAMES = ("in_position", "in_normal", "in_packed")
CORNER_SHIFT = 10
_CORNERS = {(0, 0): 0, (1, 0): 1, (1, 1): 2, (0, 1): 3}
_CORNER_OF = np.array([[_CORNERS[x, y] for y in (0, 1)] for x in (0, 1)], np.uint32)

Vertices = NDArray[np.void]  # of TERRAIN_VERTEX, three a triangle
Packed = tuple[bytes, int]


def block_vertices(block: Landblock, packed: Callable[[int], Packed]) -> Vertices:
    """The 384 vertices of a landblock in its own frame; the block must have terrain.

    ``packed`` gives layers and rotations by palette code.
    """
    points = np.array([[p.vertices for p in cell.polygons] for cell in block.land_cells])
    places = np.rint(points[..., :2] / CELL_SIDE).astype(np.intp)  # (cell, triangle, corner, xy)
    cell = np.arange(64)
    within = places - np.stack([cell // 8, cell % 8], axis=-1)[:, None, None]
    vertex = 9 * places[..., 0] + places[..., 1]
    out = np.zeros((64, 2, 3), TERRAIN_VERTEX)
    out["position"] = points - (0.0, 0.0, RENDER_DROP)
    normals = vertex_normals(block, vertex)
    out["normal"][..., :3] = np.rint(normals[vertex] * 127.0 + 128.0)
    grounds = [packed(cell_palette_code(block.terrain, c // 8, c % 8)) for c in range(64)]
    layers = np.frombuffer(b"".join(g[0] for g in grounds), "u1").reshape(64, 1, 1, 12)
    out["layers"] = layers
    turns = np.array([g[1] for g in grounds], np.uint32)[:, None, None]
    out["turns"] = turns | _CORNER_OF[within[..., 0], within[..., 1]] << CORNER_SHIFT
    return out.reshape(-1)


def vertex_normals(block: Landblock, vertex: NDArray[np.intp]) -> NDArray[np.float64]:
    """Of the 81 vertices: the sum of the unit normals of the block's own triangles there (4.3).

    ``vertex`` are the numbers of the triangles' corners, shape (cell, triangle, corner).
    """
    faces = np.array([[p.normal for p in cell.polygons] for cell in block.land_cells])
    sums = np.zeros((81, 3))
    for corner in range(3):
        np.add.at(sums, vertex[..., corner].ravel(), faces.reshape(-1, 3))
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.where(lengths < 0.0002, (0.0, 0.0, 1.0), sums / np.maximum(lengths, 1e-9))


def pack(
    ground: CellGround, layer_of: Callable[[int], int], mask_of: Callable[[int], int], nothing: int
) -> Packed:
    """A cell's ground as the bytes and the rotations of its vertices; ``nothing`` stands for no layer."""
    overlays = _slots(ground.overlays, 3, layer_of, mask_of, nothing)
    roads = _slots(ground.roads, 2, layer_of, mask_of, nothing)
    turns = 0
    for place, layer in [*enumerate(ground.overlays), *enumerate(ground.roads, 3)]:
        turns |= layer.rotation << 2 * place
    return bytes((layer_of(ground.base), 0, *overlays, *roads)), turns


def _slots(
    layers: tuple[MaskedLayer, ...],
    count: int,
    layer_of: Callable[[int], int],
    mask_of: Callable[[int], int],
    nothing: int,
) -> list[int]:
    found = [byte for layer in layers for byte in (layer_of(layer.type), mask_of(layer.mask))]
    return found + [nothing] * (2 * count - len(found))
