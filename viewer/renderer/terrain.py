"""The landscape of all loaded blocks as one mesh and one draw (rendering 5.1, 5.6).

Triangles are those of the landcells, so that drawing and physics agree on every split. Each corner of
a cell has the ground of its terrain type; roads run between corners that have road.
"""

from __future__ import annotations

from collections.abc import Iterable

import moderngl
import numpy as np
from numpy.typing import NDArray

from engine.dat.errors import DatError
from engine.dat.region import Region
from engine.dat.values import Vec3
from engine.world.cells import Landblock
from engine.world.ids import CELL_SIDE, block_offset
from engine.world.source import Problems, WorldSource
from engine.world.terrain import terrain_type
from viewer.renderer.camera import EyeSpace
from viewer.renderer.images import MissingImageError, fit, texture_image
from viewer.renderer.textures import Image, anisotropy, marker_image, solid_image

RENDER_DROP = 0.0099999998  # drawn that much lower than it is, against floors at its height
ROAD_TYPE = 0x20
MOST_LAYERS = 40
LARGEST_TEXTURE = 512
_TEXTURE_UNIT = 1

TERRAIN_VERTEX = np.dtype(
    [
        ("position", "<f4", 3),
        ("normal", "<f4", 3),
        ("uv", "<f4", 2),
        ("types", "u1", 4),
        ("roads", "u1", 4),
    ]
)
_FORMAT = "3f4 3f4 2f4 4f1 4f1"
_NAMES = ("in_position", "in_normal", "in_uv", "in_layers", "in_roads")


def block_vertices(block: Landblock) -> NDArray[np.void]:
    """The 384 vertices of a landblock in its own frame; none for a block without terrain.

    ``types`` and ``roads`` are those of the cell's corners SW, SE, NE, NW.
    """
    normals = _normals(block)
    rows: list[tuple[object, ...]] = []
    for index, cell in enumerate(block.land_cells):
        cx, cy = divmod(index, 8)
        corners = [block.terrain[9 * x + y] for x, y in _corners(cx, cy)]
        types = tuple(terrain_type(word) for word in corners)
        roads = tuple(255 if word & 3 else 0 for word in corners)
        for polygon in cell.polygons:
            for x, y, z in polygon.vertices:
                gx, gy = round(x / CELL_SIDE), round(y / CELL_SIDE)
                place = (x, y, z - RENDER_DROP)
                rows.append((place, normals[9 * gx + gy], (gx - cx, gy - cy), types, roads))
    return np.array(rows, TERRAIN_VERTEX)


class Terrain:
    """The mesh of the blocks it was last given, with the textures of the ground types in them."""

    def __init__(
        self, ctx: moderngl.Context, program: moderngl.Program, source: WorldSource, problems: Problems
    ) -> None:
        self._ctx = ctx
        self._program = program
        self._source = source
        self._problems = problems
        self._region: Region | None = None
        self._cache: dict[int, NDArray[np.void]] = {}
        self._images: dict[int, Image] = {}
        self._layers: dict[int, int] = {}
        self._tiling = [1.0] * MOST_LAYERS
        self._texture: moderngl.TextureArray | None = None
        self._sampler = ctx.sampler(
            filter=(moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR), anisotropy=anisotropy(ctx)
        )
        self._vao: moderngl.VertexArray | None = None
        self._origin = 0
        self.vertices = 0

    def update(self, region: Region, blocks: Iterable[Landblock]) -> None:
        """Rebuild the mesh from blocks that have terrain."""
        self._region = region
        shown = [b for b in blocks if b.land_cells and not b.is_dungeon]
        ids = {b.id for b in shown}
        self._cache = {k: v for k, v in self._cache.items() if k in ids}
        if self._vao is not None:
            self._vao.release()
            self._vao = None
        self.vertices = 0
        if not shown:
            return
        self._origin = shown[0].id
        parts: list[NDArray[np.void]] = []
        for block in shown:
            if block.id not in self._cache:
                self._cache[block.id] = block_vertices(block)
            part = self._cache[block.id].copy()
            part["position"] += np.array(block_offset(self._origin, block.id), "<f4")
            parts.append(part)
        data = np.concatenate(parts)
        types = {int(t) for t in np.unique(data["types"])}
        if data["roads"].any():
            types.add(ROAD_TYPE)
        self._load_grounds(types)
        layer_of = np.zeros(256, "u1")
        for kind, layer in self._layers.items():
            layer_of[kind] = layer
        data["types"] = layer_of[data["types"]]
        self.vertices = len(data)
        buffer = self._ctx.buffer(data.tobytes())
        self._vao = self._ctx.vertex_array(self._program, [(buffer, _FORMAT, *_NAMES)])

    def draw(self, eye: EyeSpace) -> int:
        """Draw all of it; returns the number of draw calls."""
        if self._vao is None or self._texture is None:
            return 0
        self._texture.use(_TEXTURE_UNIT)
        self._sampler.use(_TEXTURE_UNIT)
        self._program["u_textures"].value = _TEXTURE_UNIT  # type: ignore[union-attr]
        self._program["u_offset"].value = eye.relative(self._origin)  # type: ignore[union-attr]
        self._program["u_tiling"].value = self._tiling  # type: ignore[union-attr]
        road = self._layers.get(ROAD_TYPE, -1)
        self._program["u_road_layer"].value = road  # type: ignore[union-attr]
        self._vao.render(moderngl.TRIANGLES)
        return 1

    def _load_grounds(self, types: set[int]) -> None:
        new = sorted(types - set(self._layers))
        if not new:
            return
        for kind in new[: MOST_LAYERS - len(self._images)]:
            self._images[kind] = self._ground(kind)
        if any(kind not in self._images for kind in new):
            self._problems.report(f"more than {MOST_LAYERS} kinds of ground: the rest looks like the first")
        for kind in self._images:
            if kind not in self._layers:
                self._layers[kind] = len(self._layers)
                self._tiling[self._layers[kind]] = self._tiling_of(kind)
        self._upload_grounds()

    def _upload_grounds(self) -> None:
        """All grounds afresh, scaled to the largest: there are few, and new ones come seldom."""
        if self._texture is not None:
            self._texture.release()
        size = min(LARGEST_TEXTURE, max(max(i.shape[:2]) for i in self._images.values()))
        pixels = b"".join(np.ascontiguousarray(fit(i, size)).tobytes() for i in self._images.values())
        self._texture = self._ctx.texture_array((size, size, len(self._images)), 4, pixels)
        self._texture.build_mipmaps()

    def _ground(self, kind: int) -> Image:
        """The texture of a terrain type; a type that is absent takes the first entry."""
        assert self._region is not None
        terrain = self._region.terrain
        entries = terrain.texmerge.terrain
        if not entries:
            return solid_image(terrain.types[kind].color if kind < len(terrain.types) else 0xFF607040)
        entry = next((e for e in entries if e.type == kind), entries[0])
        try:
            return texture_image(self._source, entry.texture)
        except (DatError, MissingImageError) as error:
            self._problems.report(f"{self._source.name}: ground 0x{kind:02X}: {error}")
            return marker_image()

    def _tiling_of(self, kind: int) -> float:
        assert self._region is not None
        entries = self._region.terrain.texmerge.terrain
        return float(next((max(1, e.tiling) for e in entries if e.type == kind), 1))


def _corners(cx: int, cy: int) -> tuple[tuple[int, int], ...]:
    return ((cx, cy), (cx + 1, cy), (cx + 1, cy + 1), (cx, cy + 1))


def _normals(block: Landblock) -> list[Vec3]:
    """Vertex normals: the sum of the unit normals of the block's own triangles that touch (4.3)."""
    sums = np.zeros((81, 3))
    for cell in block.land_cells:
        for polygon in cell.polygons:
            for x, y, _ in polygon.vertices:
                sums[9 * round(x / CELL_SIDE) + round(y / CELL_SIDE)] += polygon.normal
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    sums = np.where(lengths < 0.0002, (0.0, 0.0, 1.0), sums / np.maximum(lengths, 1e-9))
    return [(float(x), float(y), float(z)) for x, y, z in sums]
