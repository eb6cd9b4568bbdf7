"""The landscape of all loaded blocks: one buffer with a slot a block, one draw (rendering 5.6)."""

from __future__ import annotations

from collections.abc import Iterable

import moderngl
import numpy as np

from engine.dat.region import Region
from engine.world.cells import Landblock
from engine.world.ids import block_offset
from engine.world.source import Problems, WorldSource
from engine.world.texmerge import merge
from viewer.renderer.camera import EyeSpace
from viewer.renderer.ground_textures import NO_LAYER, GroundTextures
from viewer.renderer.terrain_mesh import (
    BLOCK_VERTICES,
    TERRAIN_VERTEX,
    VERTEX_FORMAT,
    VERTEX_NAMES,
    Packed,
    Vertices,
    block_vertices,
    pack,
)

_SLOT_BYTES = BLOCK_VERTICES * TERRAIN_VERTEX.itemsize
_FIRST_SLOTS = 32
_FARTHEST = 20_000.0  # metres from the buffer's origin: beyond, single precision begins to show


class Terrain:
    """The mesh of the blocks it was last given, in the frame of one of them."""

    def __init__(
        self,
        ctx: moderngl.Context,
        program: moderngl.Program,
        source: WorldSource,
        problems: Problems,
        region: Region | None,
    ) -> None:
        self._ctx = ctx
        self._program = program
        self._region = region
        self.textures = GroundTextures(ctx, source, problems, region)
        self._packed: dict[int, Packed] = {}
        self._slots: dict[int, int] = {}
        self._meshes: dict[int, Vertices] = {}
        self._free: list[int] = []
        self._made: dict[int, tuple[Landblock, Vertices]] = {}
        self._buffer: moderngl.Buffer | None = None
        self._vao: moderngl.VertexArray | None = None
        self._origin = 0

    @property
    def vertices(self) -> int:
        """How many vertices are on the GPU."""
        return BLOCK_VERTICES * len(self._slots)

    def prepare(self, block: Landblock) -> None:
        """Make the mesh of a block that is to be shown, with the images of its ground; on any thread."""
        if block.land_cells and not block.is_dungeon:
            self._made[block.id] = (block, block_vertices(block, self._ground))

    def discard(self, block: Landblock) -> None:
        """A block that was prepared is not to be shown after all."""
        self._made.pop(block.id, None)

    def update(self, blocks: Iterable[Landblock]) -> None:
        """Bring the buffer up to date with the blocks that have terrain."""
        shown = {b.id: b for b in blocks if b.land_cells and not b.is_dungeon}
        for block_id in [i for i in self._slots if i not in shown]:
            self._free.append(self._slots.pop(block_id))
            del self._meshes[block_id]
            self._write(self._free[-1], bytes(_SLOT_BYTES))
        for block_id in self._slots:
            self._made.pop(block_id, None)  # shown already: the ground of a block is the same, whole or not
        new = [block for block_id, block in shown.items() if block_id not in self._slots]
        if not new:
            return
        for block in new:
            made, vertices = self._made.pop(block.id, (None, None))
            if made is not block or vertices is None:
                vertices = block_vertices(block, self._ground)
            self._meshes[block.id] = vertices
        self.textures.finish_uploads()
        far = any(max(map(abs, block_offset(self._origin, b.id))) > _FARTHEST for b in new)
        if self._buffer is None or len(new) > len(self._free) or far:
            self._start_over(new[0].id)
            return
        for block in new:
            self._put(block.id)

    def draw(self, eye: EyeSpace, apart: bool = False) -> int:
        """Draw all of it, each block by itself where ``apart``; returns the number of draw calls."""
        if self._vao is None or not self._slots:
            return 0
        self.textures.bind(self._program)
        self._program["u_offset"].value = eye.relative(self._origin)  # type: ignore[union-attr]
        if apart:
            for slot in self._slots.values():
                self._vao.render(moderngl.TRIANGLES, BLOCK_VERTICES, BLOCK_VERTICES * slot)
            return len(self._slots)
        self._vao.render(moderngl.TRIANGLES, BLOCK_VERTICES * (1 + max(self._slots.values())))
        return 1

    def _start_over(self, origin: int) -> None:
        """Lay all blocks out afresh, in the frame of one of them, in a buffer with room for more."""
        if self._vao is not None and self._buffer is not None:
            self._vao.release()
            self._buffer.release()
        room = _FIRST_SLOTS
        while room < len(self._meshes):
            room *= 2
        self._origin = origin
        self._buffer = self._ctx.buffer(bytes(room * _SLOT_BYTES))
        self._vao = self._ctx.vertex_array(self._program, [(self._buffer, VERTEX_FORMAT, *VERTEX_NAMES)])
        self._slots.clear()
        self._free = list(range(room - 1, -1, -1))
        for block_id in self._meshes:
            self._put(block_id)

    def _put(self, block_id: int) -> None:
        """Write a block into a free slot; an empty slot is all zero and shows nothing."""
        placed = self._meshes[block_id].copy()
        placed["position"] += np.array(block_offset(self._origin, block_id), "<f4")
        self._slots[block_id] = self._free.pop()
        self._write(self._slots[block_id], placed.tobytes())

    def _write(self, slot: int, data: bytes) -> None:
        if self._buffer is not None:
            self._buffer.write(data, offset=slot * _SLOT_BYTES)

    def _ground(self, pcode: int) -> Packed:
        found = self._packed.get(pcode)
        if found is None:
            assert self._region is not None
            ground = merge(pcode, self._region.terrain.texmerge)
            found = pack(ground, self.textures.ground, self.textures.mask, NO_LAYER)
            self._packed[pcode] = found
        return found
