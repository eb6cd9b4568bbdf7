"""The landscape of all loaded blocks: one buffer with a slot a block, one draw (surfaces 5.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import moderngl

from engine.dat.records.region import Region
from engine.world.box import Box
from engine.world.cells import Landblock
from engine.world.ids import BLOCK_SIDE
from engine.world.loading.texmerge import GroundMerger
from engine.world.source import Problems, WorldSource
from viewer.renderer.gl.waiting import draw_range
from viewer.renderer.images.ground_textures import NO_LAYER, GroundTextures
from viewer.renderer.scene.matrices import EyeSpace
from viewer.renderer.scene.terrain_mesh import (
    BLOCK_VERTICES,
    RENDER_DROP,
    TERRAIN_VERTEX,
    VERTEX_FORMAT,
    VERTEX_NAMES,
    Packed,
    Vertices,
    block_vertices,
    pack,
)

if TYPE_CHECKING:
    from viewer.renderer.scene.sight import Sight

_SLOT_BYTES = BLOCK_VERTICES * TERRAIN_VERTEX.itemsize
_FIRST_SLOTS = 32
_MOST_PACKED = 50_000  # kinds of cells that are remembered: far more than are in sight at a time


class Terrain:
    """The meshes of the blocks that it was last given, a slot each; a vertex knows its own block.

    ``waits`` tells that some of them are left out until they come into sight.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        program: moderngl.Program,
        source: WorldSource,
        problems: Problems,
        *,
        region: Region | None,
    ) -> None:
        self._ctx = ctx
        self._program = program
        self._merger = GroundMerger(region.terrain.texmerge) if region is not None else None
        self.textures = GroundTextures(ctx, source, problems, region)
        self._packed: dict[int, Packed] = {}
        self.waits = False
        self._slots: dict[int, int] = {}
        self._free: list[int] = []
        self._made: dict[int, tuple[Landblock, Vertices]] = {}
        self._buffer: moderngl.Buffer | None = None
        self._vao: moderngl.VertexArray | None = None

    @property
    def vertices(self) -> int:
        """How many vertices are on the GPU."""
        return BLOCK_VERTICES * len(self._slots)

    @property
    def bytes_held(self) -> int:
        """GPU memory of the meshes and their textures."""
        return (0 if self._buffer is None else self._buffer.size) + self.textures.bytes_held

    def prepare(self, block: Landblock) -> None:
        """Make the mesh of a block that is to be shown, with the images of its ground; on any thread."""
        made = self._made.get(block.id)
        if _has_ground(block) and block.id not in self._slots and (made is None or made[0] is not block):
            self._made[block.id] = (block, block_vertices(block, self._ground))

    def discard(self, block: Landblock) -> None:
        """A block that was prepared is not to be shown after all."""
        made = self._made.get(block.id)
        if made is not None and made[0] is block:
            del self._made[block.id]

    @property
    def is_empty(self) -> bool:
        """Whether it holds no landblock's ground yet."""
        return not self._slots

    def update(self, blocks: Iterable[Landblock], only: Sight | None = None) -> None:
        """Bring the buffer up to date with the blocks that have terrain.

        Of those that are new it takes in ``only`` what a sight may show; the others wait for another.
        """
        shown = {b.id: b for b in blocks if _has_ground(b)}
        for block_id in [i for i in self._slots if i not in shown]:
            self._free.append(self._slots.pop(block_id))
            self._write(self._free[-1], bytes(_SLOT_BYTES))
        for block_id in self._slots:
            self._made.pop(block_id, None)  # shown already: the ground of a block is the same, whole or not
        new = [block for block_id, block in shown.items() if block_id not in self._slots]
        seen = [block for block in new if only is None or only.sees_box(block.id, _box(block))]
        self.waits, new = len(seen) < len(new), seen
        if not new:
            return
        meshes: dict[int, Vertices] = {}
        for block in new:
            made, vertices = self._made.pop(block.id, (None, None))
            if made is not block or vertices is None:
                vertices = block_vertices(block, self._ground)
            meshes[block.id] = vertices
        self.textures.finish_uploads()
        self._make_room(len(self._slots) + len(new))
        for block_id, vertices in meshes.items():
            self._slots[block_id] = self._free.pop()
            self._write(self._slots[block_id], vertices.tobytes())

    def draw(self, eye: EyeSpace, *, apart: bool = False) -> int:
        """Draw all of it, each block by itself where ``apart``; returns the number of draw calls."""
        if self._vao is None or not self._slots:
            return 0
        self.textures.bind(self._program)
        self._program["u_block"].value = (eye.block_id >> 24 & 0xFF, eye.block_id >> 16 & 0xFF)  # type: ignore[union-attr]
        self._program["u_eye"].value = eye.view.eye  # type: ignore[union-attr]
        if apart:
            for slot in self._slots.values():
                draw_range(self._vao, moderngl.TRIANGLES, BLOCK_VERTICES, first=BLOCK_VERTICES * slot)
            return len(self._slots)
        draw_range(self._vao, moderngl.TRIANGLES, BLOCK_VERTICES * (1 + max(self._slots.values())))
        return 1

    def _make_room(self, slots: int) -> None:
        """Have at least so many slots: what there is moves into a larger buffer, on the GPU."""
        old = self._buffer
        before = 0 if old is None else old.size // _SLOT_BYTES
        if slots <= before:
            return
        room = _FIRST_SLOTS
        while room < slots:
            room *= 2
        self._buffer = self._ctx.buffer(bytes(room * _SLOT_BYTES))
        if old is not None and self._vao is not None:
            self._ctx.copy_buffer(self._buffer, old, old.size)
            self._vao.release()
            old.release()
        self._vao = self._ctx.vertex_array(self._program, [(self._buffer, VERTEX_FORMAT, *VERTEX_NAMES)])
        self._free = [*range(room - 1, before - 1, -1), *self._free]

    def _write(self, slot: int, data: bytes) -> None:
        """Fill a slot; an empty one is all zero and shows nothing."""
        if self._buffer is not None:
            self._buffer.write(data, offset=slot * _SLOT_BYTES)

    def _ground(self, pcode: int) -> Packed:
        found = self._packed.get(pcode)
        if found is None:
            if len(self._packed) >= _MOST_PACKED:
                self._packed.clear()
            assert self._merger is not None
            found = pack(self._merger.ground(pcode), self.textures.ground, self.textures.mask, NO_LAYER)
            self._packed[pcode] = found
        return found


def _box(block: Landblock) -> Box:
    """What the ground of a landblock lies in, as it is drawn."""
    box = Box()
    box.take((0.0, 0.0, min(block.heights)), RENDER_DROP)
    box.take((BLOCK_SIDE, BLOCK_SIDE, max(block.heights)), RENDER_DROP)
    return box


def _has_ground(block: Landblock) -> bool:
    return bool(block.heights)
