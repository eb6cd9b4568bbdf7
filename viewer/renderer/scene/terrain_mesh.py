"""The vertices of a landblock's ground, 32 bytes each (surfaces 5.1, 5.6).

They are made from heights alone: out at the horizon there are no landcells. Both go by the same tables, so
that drawing and physics agree on every split.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.world.cells import Landblock
from engine.world.ids import CELL_SIDE
from engine.world.loading.texmerge import CellGround, MaskedLayer, cell_palette_code
from engine.world.terrain import CELLS, CORNERS, SE_NW, SW_NE, VERTICES, cut_sw_ne

RENDER_DROP = 0.0099999998  # drawn that much lower than it is, against floors at its height
BLOCK_VERTICES = 384

# ``normal``: components times 127, plus 128, for there is no signed normalised format here.
# ``layers``: base, –, overlay 0, its mask | overlay 1, mask, overlay 2, mask | road, mask, road, mask.
# ``turns``: from bit 0 on two bits of rotation for each of the five masks, two bits for the corner, then
# eight bits each for the landblock's x and y on the map.
TERRAIN_VERTEX = np.dtype(
    [("position", "<f4", 3), ("normal", "u1", 4), ("layers", "u1", 12), ("turns", "<u4")]
)
VERTEX_FORMAT = "3f4 4f1 4u4"
VERTEX_NAMES = ("in_position", "in_normal", "in_packed")
CORNER_SHIFT, X_SHIFT, Y_SHIFT = 10, 12, 20
_CX, _CY = np.divmod(np.arange(CELLS * CELLS), CELLS)
_CORNER_STEPS = np.array(CORNERS)

Vertices = NDArray[np.void]  # of TERRAIN_VERTEX, three a triangle
Packed = tuple[bytes, int]


def block_vertices(block: Landblock, packed: Callable[[int], Packed]) -> Vertices:
    """The 384 vertices of a landblock, positions in its own frame; the block must have heights.

    ``packed`` gives layers and rotations by palette code.
    """
    bx, by = block.id >> 24 & 0xFF, block.id >> 16 & 0xFF
    cut = [cut_sw_ne(CELLS * bx + x, CELLS * by + y) for x, y in zip(_CX.tolist(), _CY.tolist(), strict=True)]
    corner = np.where(np.array(cut)[:, None, None], SW_NE, SE_NW)  # of shape (cell, triangle, corner)
    x = _CX[:, None, None] + _CORNER_STEPS[corner, 0]
    y = _CY[:, None, None] + _CORNER_STEPS[corner, 1]
    vertex = VERTICES * x + y
    points = np.stack([CELL_SIDE * x, CELL_SIDE * y, np.array(block.heights)[vertex]], axis=-1)
    out = np.zeros((CELLS * CELLS, 2, 3), TERRAIN_VERTEX)
    out["position"] = points - (0.0, 0.0, RENDER_DROP)
    out["normal"][..., :3] = np.rint(vertex_normals(points, vertex)[vertex] * 127.0 + 128.0)
    grounds = [packed(cell_palette_code(block.terrain, *divmod(c, CELLS))) for c in range(CELLS * CELLS)]
    layers = np.frombuffer(b"".join(g[0] for g in grounds), "u1")
    out["layers"] = layers.reshape(-1, 1, 1, 12)
    turns = np.array([g[1] for g in grounds], np.uint32)[:, None, None]
    out["turns"] = turns | corner.astype(np.uint32) << CORNER_SHIFT | (bx << X_SHIFT | by << Y_SHIFT)
    return out.reshape(-1)


def vertex_normals(points: NDArray[np.float64], vertex: NDArray[np.intp]) -> NDArray[np.float64]:
    """Of the 81 vertices: the sum of the unit normals of the block's own triangles there (dat-format 4.3).

    ``points`` are the triangles' corners, shape (cell, triangle, corner, xyz), ``vertex`` their numbers.
    """
    faces = np.cross(points[:, :, 1] - points[:, :, 0], points[:, :, 2] - points[:, :, 0])
    faces /= np.linalg.norm(faces, axis=-1, keepdims=True)  # never 0: in plan each has half a cell
    sums = np.zeros((VERTICES * VERTICES, 3))
    for corner in range(3):
        np.add.at(sums, vertex[..., corner].ravel(), faces.reshape(-1, 3))
    normals: NDArray[np.float64] = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    return normals


def pack(
    ground: CellGround, layer_of: Callable[[int], int], mask_of: Callable[[int], int], nothing: int
) -> Packed:
    """A cell's ground as the bytes and the rotations of its vertices; ``nothing`` stands for no layer."""
    overlays = _slots(ground.overlays, 3, layer_of=layer_of, mask_of=mask_of, nothing=nothing)
    roads = _slots(ground.roads, 2, layer_of=layer_of, mask_of=mask_of, nothing=nothing)
    turns = 0
    for place, layer in [*enumerate(ground.overlays), *enumerate(ground.roads, 3)]:
        turns |= layer.rotation << 2 * place
    return bytes((layer_of(ground.base), 0, *overlays, *roads)), turns


def _slots(
    layers: tuple[MaskedLayer, ...],
    count: int,
    *,
    layer_of: Callable[[int], int],
    mask_of: Callable[[int], int],
    nothing: int,
) -> list[int]:
    found = [byte for layer in layers for byte in (layer_of(layer.type), mask_of(layer.mask))]
    return found + [nothing] * (2 * count - len(found))
