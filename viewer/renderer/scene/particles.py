"""Particles on the GPU: each model once, and a row of a texture for every particle of the frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import moderngl
import numpy as np

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.particles.effects import Shown
from engine.world.ids import FIRST_ENV_CELL
from viewer.renderer.gl.programs import PARTICLE_UNIT
from viewer.renderer.gl.waiting import at_once, draw_range
from viewer.renderer.images.materials import RenderClass
from viewer.renderer.scene.mesh_buffer import BufferBuilder, MeshGroup, bytes_held
from viewer.renderer.scene.mesh_drawer import MeshDrawer
from viewer.renderer.scene.mesh_library import MeshLibrary
from viewer.renderer.scene.meshes import VERTEX_NAMES

LightOf = Callable[[int, Vec3], Vec3]
"""The point lights in a room at a place relative to the eye."""

OUTDOORS: Final = 0
"""Stands for all landcells: their particles are drawn together."""
_TEXELS: Final = 5
_FIRST_ROWS: Final = 256
_FORMAT: Final = "3f4 3f4 2f4 1f4 4f1 4x1"  # the baked light of a mesh's vertex is passed over


class Run(NamedTuple):
    """Particles that one call draws a model's ranges for: rows ``first`` to ``first + rows``.

    ``far`` is the squared distance of the first, which is the farthest where order matters.
    """

    model: int
    first: int
    rows: int
    adds: bool
    far: float


class _Part(NamedTuple):
    vao: moderngl.VertexArray | None
    group: MeshGroup
    adds: bool
    is_lit: bool


class ParticleMeshes:
    """What ``begin`` is given is drawn run by run, as the passes come to the cells of their owners."""

    def __init__(self, ctx: moderngl.Context, program: moderngl.Program, library: MeshLibrary) -> None:
        self._ctx = ctx
        self._program = program
        self._library = library
        self._parts: dict[int, _Part] = {}
        self._rows = ctx.texture((_TEXELS, _FIRST_ROWS), 4, dtype="f4")
        self._bounds: dict[int, tuple[int, int]] = {}
        self._shown: Shown | None = None
        self._models: np.ndarray = np.zeros(0, np.int64)
        self._adds: np.ndarray = np.zeros(0, bool)
        self._far: np.ndarray = np.zeros(0)

    @property
    def models(self) -> set[int]:
        """The models that it holds."""
        return set(self._parts)

    @property
    def bytes_held(self) -> int:
        """GPU memory of models and rows."""
        return sum(bytes_held(part.vao) for part in self._parts.values()) + 16 * _TEXELS * self._rows.height

    def begin(self, shown: Shown | None, light_of: LightOf) -> None:
        """Take the particles of a frame, None for none, in the order in which their cells draw them."""
        self._bounds = {}
        self._shown = shown
        if shown is None or not len(shown):
            return
        names = np.unique(shown.models)
        which = np.searchsorted(names, shown.models)  # unique's own inverse sorts all rows
        parts = [self._part(model) for model in names.tolist()]
        adds = np.array([part.adds for part in parts])[which]
        outdoors = (shown.cells >= 0) & ((shown.cells & 0xFFFF) < FIRST_ENV_CELL)
        cells = np.where(outdoors, OUTDOORS, shown.cells)
        # What only adds light may come in any order: model by model is quickest. The distance is there
        # for pictures to come again, whatever the rows' order.
        order = np.lexsort((-shown.far, np.where(adds, which, 0), adds, cells))
        cells = cells[order]
        self._models, self._adds, self._far = shown.models[order], adds[order], shown.far[order]
        starts = np.concatenate(([0], 1 + np.flatnonzero(np.diff(cells))))
        for first, last in pairwise([*starts.tolist(), len(cells)]):
            self._bounds[int(cells[first])] = (first, last)
        rows = np.zeros((len(order), _TEXELS, 4), np.float32)
        rows[:, 0, :3] = shown.places[order]
        rows[:, 0, 3] = shown.alphas[order]
        rows[:, 1:4, :3] = shown.axes[order].transpose(0, 2, 1)
        lit = np.array([part.is_lit for part in parts])[which][order]
        if lit.any():
            self._light(rows, shown, order, lit, light_of=light_of)
        self._write(rows)

    def runs(self, cell_id: int, between: Sequence[float] = ()) -> list[Run]:
        """The runs of a cell, or of OUTDOORS, far to near, what only adds light last.

        No run goes past any of ``between``, squared distances of other things that are blended.
        """
        first, last = self._bounds.get(cell_id, (0, 0))
        if first == last:
            return []
        models, adds = self._models[first:last], self._adds[first:last]
        cuts = np.flatnonzero((np.diff(models) != 0) | (np.diff(adds.astype(np.int8)) != 0)) + 1
        ordered = int(np.searchsorted(adds, v=True))
        nearer = ordered - np.searchsorted(self._far[first : first + ordered][::-1], np.array(between))
        ends = sorted({0, last - first, *cuts.tolist(), *(int(n) for n in nearer if 0 < n < ordered)})
        return [
            Run(
                model=int(models[a]),
                first=first + a,
                rows=b - a,
                adds=bool(adds[a]),
                far=float(self._far[first + a]),
            )
            for a, b in pairwise(ends)
        ]

    def draw(self, drawer: MeshDrawer, run: Run, override: tuple[float, float, float, float]) -> None:
        """Draw a run in the state that the pass has set."""
        part = self._parts[run.model]
        if part.vao is None:
            return
        self._rows.use(PARTICLE_UNIT)
        program = self._program
        program["u_override"].value = override  # type: ignore[union-attr]
        for render_class, page, wrap, first, size in (*part.group.opaque, *part.group.blended):
            drawer.bind(
                render_class, page, wrap=wrap, alpha=0.5
            )  # opaque ones are blended by their alpha, too
            program["u_adds"].value = float(render_class is RenderClass.ADD)  # type: ignore[union-attr]
            done = 0
            while done < run.rows:
                rows = at_once(part.vao.ctx, size, run.rows - done)
                program["u_first"].value = run.first + done  # type: ignore[union-attr]
                draw_range(part.vao, moderngl.TRIANGLES, size, first=first, instances=rows)
                done += rows
            drawer.stats.draws += 1
            drawer.stats.triangles += size // 3 * run.rows

    def _part(self, model: int) -> _Part:
        found = self._parts.get(model)
        if found is None:
            chunks = self._library.part(model)
            builder = BufferBuilder()
            group = builder.add(chunks)
            vao = builder.upload(self._ctx, self._program, _FORMAT, VERTEX_NAMES[:-1])
            ranges = (*group.opaque, *group.blended)
            adds = all(r.render_class is RenderClass.ADD for r in ranges)
            is_lit = any((chunk.vertices["material"][:, 0] < 255).any() for chunk in chunks)
            found = self._parts[model] = _Part(vao, group, adds, is_lit)
        return found

    def _light(
        self, rows: np.ndarray, shown: Shown, order: np.ndarray, lit_models: np.ndarray, *, light_of: LightOf
    ) -> None:
        """One value for each emitter in a room."""
        middles, cells = shown.middles[order], shown.cells[order]
        lit = np.flatnonzero((cells >= 0) & (cells & 0xFFFF >= FIRST_ENV_CELL) & lit_models)
        found: dict[tuple[int, Vec3], Vec3] = {}
        for row in lit.tolist():
            x, y, z = middles[row].tolist()
            key = (int(cells[row]), (x, y, z))
            if key not in found:
                found[key] = light_of(*key)
            rows[row, 4, :3] = found[key]

    def _write(self, rows: np.ndarray) -> None:
        if len(rows) > self._rows.height:
            self._rows.release()
            self._rows = self._ctx.texture((_TEXELS, 2 * len(rows)), 4, dtype="f4")
        self._rows.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._rows.write(rows.tobytes(), viewport=(0, 0, _TEXELS, len(rows)))
