"""Draws ranges of vertex buffers: binds pages and samplers, sets blending, counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import moderngl

from engine.dat.values import Vec3
from engine.particles.appearance import AS_IT_IS, PartLook
from viewer.renderer.gl.gl_state import GlState, Switch
from viewer.renderer.gl.programs import Programs
from viewer.renderer.gl.stats import PictureStats
from viewer.renderer.gl.waiting import at_once, draw_range, portions
from viewer.renderer.images.materials import BLEND_FACTORS, RenderClass
from viewer.renderer.images.textures import Sampling, TextureStore
from viewer.renderer.scene.mesh_buffer import DrawRange, MeshGroup, twin
from viewer.renderer.scene.pieces import Flags

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NO_OVERRIDE = (0.0, 0.0, 0.0, 0.0)
EDGE = (0.0, 0.0, 0.0, 1.0)
MOST_AT_ONCE = 32  # as the shader has it
MOST_TRIANGLES = 1 << 23  # of the things of a picture; those of a town have some hundred thousand
_OWN = -1.0  # as the shader has it
_MATRIX = 64  # bytes
_TRIANGLES, _UNSIGNED_INT = 0x0004, 0x1405
BEHIND = (1.0, 0.0, 1.0, 0.65)


class MeshDrawer:
    """Remembers what is bound, so that most ranges cost one call."""

    def __init__(self, programs: Programs, textures: TextureStore, state: GlState) -> None:
        self._programs = programs
        self._textures = textures
        self._state = state
        for program in (programs.mesh, programs.mesh_beyond, programs.mesh_several):
            program["u_textures"].value = 0  # type: ignore[union-attr]
        self._use(programs.mesh)
        self._bound: tuple[int, bool] | None = None
        self._sampling: Sampling | None = None
        self._last: dict[str, object] = {}
        self._is_moved = False
        self.stats = PictureStats()

    def begin(self, stats: PictureStats) -> None:
        """Start a frame: forget what was bound, count into ``stats``."""
        self.stats = stats
        self._bound = self._sampling = None
        self.begin_at_exits(on=False)

    def begin_at_exits(self, *, on: bool) -> None:
        """Whether what is to come is compared with the exits' depths; no override and no light are left."""
        self._begin(self._programs.mesh_beyond if on else self._programs.mesh)

    def begin_several(self) -> None:
        """What is to come is drawn by ``draw_all``; no override and no light are left."""
        self._begin(self._programs.mesh_several)

    @property
    def at_exits(self) -> bool:
        """Whether what is drawn is compared with the exits' depths."""
        return self._program is self._programs.mesh_beyond

    def _begin(self, program: moderngl.Program) -> None:
        self._use(program)
        self._last.clear()
        self.override(NO_OVERRIDE)
        self.object_light((0.0, 0.0, 0.0))
        self.look(AS_IT_IS)

    def _use(self, program: moderngl.Program) -> None:
        self._program = program
        self._model = program["u_models" if program is self._programs.mesh_several else "u_model"]
        self._override = program["u_override"]
        self._light = program["u_point_light"]
        self._draw = program["u_draw"]
        self._look = program["u_look"]

    def model(self, matrix: bytes) -> None:
        """Where the vertices to come are, relative to the eye."""
        if self._last.get("model") != matrix:
            self._last["model"] = matrix
            self._model.write(matrix)  # type: ignore[union-attr]

    def override(self, color: tuple[float, float, float, float]) -> None:
        """A colour and how much of it replaces what would be drawn."""
        if self._last.get("override") != color:
            self._last["override"] = color
            self._override.value = color  # type: ignore[union-attr]

    def only_depth(self, *, on: bool) -> bool:
        """What is to come writes depths and no colour, or is blended again; False where that would show."""
        return self._state.only_depth(on=on)

    def object_light(self, rgb: Vec3) -> None:
        """Point lights at the object to come."""
        if self._last.get("light") != rgb:
            self._last["light"] = rgb
            self._light.value = rgb  # type: ignore[union-attr]

    def look(self, look: PartLook) -> None:
        """What the surfaces to come have instead of their own, and how far their textures have moved."""
        self._is_moved = look.shift != (0.0, 0.0)
        luminosity = _OWN if look.luminosity is None else max(0.0, look.luminosity)
        diffuse = _OWN if look.diffuse is None else max(0.0, look.diffuse)
        values = (luminosity, diffuse, *look.shift)
        if self._last.get("look") != values:
            self._last["look"] = values
            self._look.value = values  # type: ignore[union-attr]

    def draw_all(
        self, vao: moderngl.VertexArray, ranges: Sequence[DrawRange], matrices: NDArray[np.float32]
    ) -> None:
        """Draw ranges in several places, a row each, after ``begin_several``: everywhere before the next."""
        corners = sum(size for *_, size in ranges)
        start = 0
        while start < len(matrices):
            some = matrices[start : start + at_once(vao.ctx, corners, MOST_AT_ONCE)]
            start += len(some)
            self.model(some.tobytes().ljust(MOST_AT_ONCE * _MATRIX, b"\0"))
            self.draw_of_thing(vao, ranges, instances=len(some))

    def draw_seen(self, vao: moderngl.VertexArray, group: MeshGroup, seen: Flags) -> None:
        """Draw the opaque ranges of a group, of each those of its pieces that are ``seen``."""
        if group.pieces is None or seen.all() or self._state.draws_again:
            self.draw(vao, group.opaque)
            return
        if not seen.any():
            return
        vao = self._ours(vao)
        raw = self._state.raw
        for (render_class, page, wrap, _, _), piece in zip(group.opaque, group.pieces.ranges, strict=True):
            shown = seen[piece.numbers]
            sizes, offsets = piece.sizes[shown], piece.offsets[shown]
            if not len(sizes):
                continue
            self._prepare(render_class, 1.0)
            self._bind_page(page, wrap=wrap or self._is_moved)
            for some in portions(vao.ctx, sizes):
                raw.glUseProgram(self._program.glo)
                raw.glBindVertexArray(vao.glo)
                raw.glMultiDrawElements(
                    _TRIANGLES, sizes[some].ctypes.data, _UNSIGNED_INT, offsets[some].ctypes.data,
                    len(sizes[some]),
                )  # fmt: skip
            self.stats.draws += 1
            self.stats.triangles += int(sizes.sum()) // 3

    def draw_of_thing(
        self,
        vao: moderngl.VertexArray,
        ranges: Sequence[DrawRange],
        alpha: float = 1.0,
        *,
        instances: int = 1,
    ) -> None:
        """Draw ranges of a thing, unless things have far too many: landblocks are bounded, these aren't."""
        stats = self.stats
        if stats.of_things > MOST_TRIANGLES:
            stats.is_cut = True
            return
        before = stats.triangles
        self.draw(vao, ranges, alpha, instances=instances)
        stats.of_things += stats.triangles - before

    def draw(
        self,
        vao: moderngl.VertexArray,
        ranges: Sequence[DrawRange],
        alpha: float = 1.0,
        *,
        instances: int = 1,
    ) -> None:
        """Draw ranges in order, each with the blending of its class."""
        vao = self._ours(vao)
        draws_again = self._state.draws_again
        corners, prepared = 0, None
        for render_class, page, wrap, first, size in ranges:
            if render_class is not prepared:
                self._prepare(render_class, alpha)
                prepared = render_class
            self._bind_page(page, wrap=wrap or self._is_moved)
            draw_range(vao, moderngl.TRIANGLES, size, first=first, instances=instances)
            corners += size
            if draws_again and BLEND_FACTORS[render_class] is None and alpha >= 1.0:
                if self._state.backs_too:
                    self._draw_again(self._state.backs, BEHIND, vao=vao, first=first, size=size)
                if self._state.edges_too:
                    self._draw_again(self._state.edges, EDGE, vao=vao, first=first, size=size)
        self.stats.draws += len(ranges)
        self.stats.triangles += instances * (corners // 3)

    def _ours(self, vao: moderngl.VertexArray) -> moderngl.VertexArray:
        """The vertices of a mesh for the program that is on."""
        return vao if self._program is self._programs.mesh else twin(vao, self._program)

    def _prepare(self, render_class: RenderClass, alpha: float) -> None:
        """Make everything but the page as ranges of a class need it."""
        self._blend(render_class, alpha)
        how = (alpha, 1.0 if render_class is RenderClass.ADD else 0.0)
        if self._last.get("draw") != how:
            self._last["draw"] = how
            self._draw.value = how  # type: ignore[union-attr]

    def _draw_again(
        self,
        switch: Switch,
        color: tuple[float, float, float, float],
        *,
        vao: moderngl.VertexArray,
        first: int,
        size: int,
    ) -> None:
        """Draw a range once more, in another way and colour."""
        usual = self._last["override"]
        switch(on=True)
        self._override.value = color  # type: ignore[union-attr]
        draw_range(vao, moderngl.TRIANGLES, size, first=first)
        self._override.value = usual  # type: ignore[union-attr]
        switch(on=False)

    def bind(self, render_class: RenderClass, page: int, *, wrap: bool, alpha: float = 1.0) -> None:
        """Make a page current, and the blending of a class or of a thing that is faded to ``alpha``."""
        self._bind_page(page, wrap=wrap)
        self._blend(render_class, alpha)

    def _bind_page(self, page: int, *, wrap: bool) -> None:
        if self._bound != (page, wrap):
            self._sampling = self._textures.bind(page, wrap=wrap, bound=self._sampling)
            self._bound = (page, wrap)

    def _blend(self, render_class: RenderClass, alpha: float) -> None:
        factors = BLEND_FACTORS[render_class]
        if alpha < 1.0 and factors is None:
            factors = BLEND_FACTORS[RenderClass.BLEND]
        self._state.blend(factors, covers=factors is None and render_class is RenderClass.CUTOUT)
