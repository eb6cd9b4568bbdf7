"""Vertex buffers that hold many things, and the ranges that draw each of them (passes 9.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from viewer.renderer.images.materials import RenderClass
from viewer.renderer.scene.meshes import VERTEX_FORMAT, VERTEX_NAMES, Chunk, Indices, Vertices, bounds
from viewer.renderer.scene.pieces import PieceBuilder, Pieces

if TYPE_CHECKING:
    import moderngl


class DrawRange(NamedTuple):
    """Triangles of a buffer that one call draws: ``first`` and ``size`` count their corners."""

    render_class: RenderClass
    page: int
    wrap: bool
    first: int
    size: int


class MeshGroup(NamedTuple):
    """What is drawn together: opaque and cut-out ranges, blended ranges, and a sphere around them.

    ``pieces`` are what its opaque ranges are made of, where they are many.
    """

    opaque: tuple[DrawRange, ...]
    blended: tuple[DrawRange, ...]
    center: Vec3
    radius: float
    pieces: Pieces | None = None


class BufferBuilder:
    """Lays chunks out in one buffer and its indices in another, those of a batch side by side."""

    def __init__(self) -> None:
        self._arrays: list[Vertices] = []
        self._indices: list[Indices] = []
        self._packed = (b"", b"")
        self._vertices = 0
        self._size = 0

    def add(self, chunks: Iterable[Chunk]) -> MeshGroup:
        """A group of chunks."""
        ranges: list[DrawRange] = []
        found = list(chunks)
        for chunk in sorted((c for c in found if len(c.vertices)), key=lambda c: c.batch):
            _append(ranges, self._lay(chunk))
        return _group(ranges, found)

    def add_many(self, groups: Sequence[list[Chunk]]) -> tuple[list[MeshGroup], MeshGroup]:
        """Several groups that are mostly drawn together: each of them, and all as one with its pieces.

        A group of which all chunks stand in several places is as many pieces.
        """
        rows = sorted(
            ((c.batch, index, c) for index, chunks in enumerate(groups) for c in chunks if len(c.vertices)),
            key=lambda row: row[:2],
        )
        single: list[list[DrawRange]] = [[] for _ in groups]
        together: list[DrawRange] = []
        pieces = PieceBuilder([chunks[0].places if chunks else 0 for chunks in groups])
        for _, index, chunk in rows:
            pieces.add(chunk, index, self._size)
            piece = self._lay(chunk)
            _append(single[index], piece)
            _append(together, piece)
        every = _group(together, [c for chunks in groups for c in chunks], pieces.pieces())
        return [_group(ranges, chunks) for ranges, chunks in zip(single, groups, strict=True)], every

    def _lay(self, chunk: Chunk) -> DrawRange:
        piece = DrawRange(*chunk.batch, self._size, len(chunk.indices))
        self._arrays.append(chunk.vertices)
        self._indices.append(chunk.indices + np.uint32(self._vertices))
        self._vertices += len(chunk.vertices)
        self._size += len(chunk.indices)
        return piece

    def pack(self) -> None:
        """Make one piece of all that was added, ahead of the upload; on any thread."""
        self._packed = (
            b"".join(array.tobytes() for array in self._arrays),
            b"".join(array.tobytes() for array in self._indices),
        )
        self._arrays.clear()
        self._indices.clear()

    def upload(
        self,
        ctx: moderngl.Context,
        program: moderngl.Program,
        layout: str = VERTEX_FORMAT,
        names: Sequence[str] = VERTEX_NAMES,
    ) -> moderngl.VertexArray | None:
        """The vertex array over all that was added, None for nothing; ``layout`` may pass fields over.

        It holds its buffer as ``extra``: ``release`` frees all.
        """
        if not self._size:
            return None
        if not self._packed[0]:
            self.pack()
        buffer, indices = map(ctx.buffer, self._packed)
        vao = ctx.vertex_array(program, [(buffer, layout, *names)], indices)
        buffer.extra = {}
        vao.extra = buffer
        return vao


def twin(vao: moderngl.VertexArray, program: moderngl.Program) -> moderngl.VertexArray:
    """The same vertices of a mesh for another program, made when first asked for."""
    buffer: moderngl.Buffer = vao.extra
    twins: dict[int, moderngl.VertexArray] = buffer.extra
    if program.glo not in twins:
        content = [(buffer, VERTEX_FORMAT, *VERTEX_NAMES)]
        twins[program.glo] = vao.ctx.vertex_array(program, content, vao.index_buffer)
    return twins[program.glo]


def release(vao: moderngl.VertexArray | None) -> None:
    """Give back the GPU memory of what a builder uploaded."""
    if vao is not None:
        buffer: moderngl.Buffer = vao.extra
        for other in buffer.extra.values():
            other.release()
        indices = vao.index_buffer
        vao.release()
        indices.release()
        buffer.release()


def bytes_held(vao: moderngl.VertexArray | None) -> int:
    """GPU memory of what a builder uploaded."""
    if vao is None:
        return 0
    buffer: moderngl.Buffer = vao.extra
    return buffer.size + vao.index_buffer.size


def _append(ranges: list[DrawRange], piece: DrawRange) -> None:
    if ranges:
        last = ranges[-1]
        if last[:3] == piece[:3] and last.first + last.size == piece.first:
            ranges[-1] = last._replace(size=last.size + piece.size)
            return
    ranges.append(piece)


def _group(ranges: list[DrawRange], chunks: list[Chunk], pieces: Pieces | None = None) -> MeshGroup:
    opaque = tuple(r for r in ranges if r.render_class <= RenderClass.CUTOUT)
    blended = tuple(r for r in ranges if r.render_class > RenderClass.CUTOUT)
    return MeshGroup(opaque, blended, *bounds(chunks), pieces=pieces)
