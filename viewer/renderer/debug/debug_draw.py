"""Draws debug shapes, wireframes and clip regions over the finished scene (views 8.2)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

import moderngl

from engine.dat.values import Vec3
from engine.visibility.picture_view import PictureView
from engine.visibility.region_shapes import BLUE, MOST_CORNERS, portal_shapes
from engine.visibility.view_modes import cell_in
from engine.world.debug_shapes import DebugShapes, Rgba
from engine.world.loading.world import World
from viewer.renderer.debug.labels import Labels
from viewer.renderer.gl.gl_state import EQUAL, KEEP, LEQUAL, ONE_MINUS_SRC_ALPHA, SRC_ALPHA, GlState
from viewer.renderer.gl.programs import Programs
from viewer.renderer.gl.waiting import draw_range
from viewer.renderer.glm_alone import glm
from viewer.renderer.passes.paints import cell_color
from viewer.renderer.passes.passes import OUT
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.matrices import EyeSpace
from viewer.renderer.scene.mesh_drawer import MeshDrawer
from viewer.renderer.scene.scene_store import SceneStore

LINE_WIDTH = 1.5  # pixels in a picture 720 pixels high
_HIDDEN_ALPHA = 0.4
# Shapes lie on the faces that they explain, their corners reckoned otherwise: so much before those in depth
# is beyond the rounding of both, from near and from far.
_OFFSET = (-1.0, -32.0)
_BEHIND_EDGES = (2.0, 32.0)  # a line is flat on the screen: half its width is deeper than a slanting face
_HATCH = (0.35, 0.65, 1.0, 0.55)
_HATCH_STEP = 14.0  # pixels in a picture 720 pixels high
_SCREEN: bytes = glm.mat4(1.0).to_bytes()


class ShapeBatch:
    """Coloured triangles or lines of one frame; places relative to the eye, or on the screen."""

    def __init__(self, ctx: moderngl.Context, programs: Programs) -> None:
        self._ctx = ctx
        self._programs = programs
        self._lines = array("f")
        self._triangles = array("f")
        self._sent: list[tuple[moderngl.Program, int, moderngl.VertexArray, moderngl.Buffer]] = []

    def line(self, a: Sequence[float], b: Sequence[float], color: Rgba) -> None:
        """One line."""
        for p in (a, b):
            self._lines.extend((*p, *color))

    def outline(self, points: Sequence[Sequence[float]], color: Rgba) -> None:
        """A closed line."""
        for k, p in enumerate(points):
            self.line(points[k - 1], p, color)

    def fan(self, points: Sequence[Sequence[float]], color: Rgba) -> None:
        """A filled convex polygon."""
        for k in range(1, len(points) - 1):
            for p in (points[0], points[k], points[k + 1]):
                self._triangles.extend((*p, *color))

    def add(self, shapes: DebugShapes, eye: EyeSpace) -> None:
        """Shapes of a block."""
        dx, dy, dz = eye.relative(shapes.cell_id)
        for p, q, s, (r, g, b, a) in shapes.triangles:
            for x, y, z in (p, q, s):
                self._triangles.extend((x + dx, y + dy, z + dz, r, g, b, a))
        for start, end, (r, g, b, a) in shapes.lines:
            for x, y, z in (start, end):
                self._lines.extend((x + dx, y + dy, z + dz, r, g, b, a))

    def upload(self) -> None:
        """Send what was added and forget it; what was sent before is given back."""
        self.release()
        for program, mode, data in (
            (self._programs.faces, moderngl.TRIANGLES, self._triangles),
            (self._programs.wide_lines, moderngl.LINES, self._lines),
        ):
            if data:
                buffer = self._ctx.buffer(data.tobytes())
                vao = self._ctx.vertex_array(program, [(buffer, "3f4 4f4", "in_position", "in_color")])
                self._sent.append((program, mode, vao, buffer))
                del data[:]

    def draw(self, matrix: bytes, size: tuple[int, int], alpha: float = 1.0, only: int | None = None) -> None:
        """Draw what was sent, with a matrix to clip space, in a picture of that size, opacity multiplied.

        ``only`` moderngl's TRIANGLES or LINES.
        """
        width = max(1.0, LINE_WIDTH * size[1] / 720.0)
        self._programs.wide_lines["u_pixel"].value = (width / size[0], width / size[1])  # type: ignore[union-attr]
        for program, mode, vao, _ in self._sent:
            if only is not None and mode != only:
                continue
            program["u_view_projection"].write(matrix)  # type: ignore[union-attr]
            program["u_alpha"].value = alpha  # type: ignore[union-attr]
            draw_range(vao, mode, vao.vertices)

    def release(self) -> None:
        """Give back what was sent."""
        for _, _, vao, buffer in self._sent:
            vao.release()
            buffer.release()
        self._sent.clear()


class DebugDraw:
    """Draws what the options ask for and what it is given; never part of the scene's passes."""

    def __init__(
        self,
        ctx: moderngl.Context,
        programs: Programs,
        state: GlState,
        scene: SceneStore,
        *,
        drawer: MeshDrawer,
        world: World,
    ) -> None:
        self._state = state
        self._world = world
        self._programs = programs
        self._scene = scene
        self._drawer = drawer
        self._batch = ShapeBatch(ctx, programs)
        self._hidden = ShapeBatch(ctx, programs)
        self._solid = ShapeBatch(ctx, programs)
        self._labels = Labels(ctx, programs)
        screen = ctx.buffer(array("f", (-1.0, -1.0, 3.0, -1.0, -1.0, 3.0)).tobytes())
        self._screen = ctx.vertex_array(programs.hatch, [(screen, "2f4", "in_position")])

    def draw(
        self,
        picture: PictureView,
        eye: EyeSpace,
        options: RenderOptions,
        *,
        shapes: Sequence[DebugShapes] = (),
        alarm: str = "",
    ) -> None:
        """The views that are switched on: mask, wireframe, shapes and portals, regions, labels.

        ``alarm`` is written in red below the caption. Shapes are drawn faintly through what hides them, then
        once more where nothing does.
        """
        state = self._state
        size = (round(picture.view.width), round(picture.view.height))
        state.wireframe(on=False)  # as passes leave it that show edges alone
        if options.landscape_mask:
            self._landscape_mask(size)
        state.no_stencil()
        state.color(on=True)
        state.cull(on=False)
        if options.wireframe:
            self._wireframe(picture, eye)
        state.blend((SRC_ALPHA, ONE_MINUS_SRC_ALPHA))
        self._labels.begin(size, options.text_scale)
        self._labels.caption(options.caption, options.caption_at, alarm)
        wanted = list(shapes)
        if options.portals:
            portals = portal_shapes(picture, self._world if options.all_portals else None)
            wanted.append(portals)
            if portals.cut_short:
                self._world.problems.report(
                    f"{self._world.source.name}: portals have over {MOST_CORNERS} corners; not all are shown"
                )
        if wanted:
            self._shapes(wanted, eye, size)
        if options.regions:
            state.depth(test=False, write=False)
            self._regions(picture, options.regions_of)
            self._batch.upload()
            self._batch.draw(_SCREEN, size)
        self._batch.release()
        self._labels.of_shapes(wanted, eye)
        state.depth(test=False, write=False)
        self._labels.draw()
        state.blend(None)

    def _shapes(self, shapes: Sequence[DebugShapes], eye: EyeSpace, size: tuple[int, int]) -> None:
        """Solid shapes, then all others by what hides them, those to be seen through it faintly before."""
        state, matrix = self._state, eye.view_projection
        for shape in shapes:
            batch = self._solid if shape.solid else self._batch if shape.through else self._hidden
            batch.add(shape, eye)
        for batch in (self._solid, self._batch, self._hidden):
            batch.upload()
        state.depth(test=True, write=True, func=LEQUAL)
        state.cull(on=True)
        state.offset(*_BEHIND_EDGES)
        self._solid.draw(matrix, size, only=moderngl.TRIANGLES)
        state.cull(on=False)
        state.depth(test=False, write=False, func=LEQUAL)
        self._batch.draw(matrix, size, _HIDDEN_ALPHA)
        state.depth(test=True, write=False, func=LEQUAL)
        state.offset(*_OFFSET)
        self._solid.draw(matrix, size, only=moderngl.LINES)
        self._hidden.draw(matrix, size)
        self._batch.draw(matrix, size)
        state.offset(0.0)
        self._solid.release()
        self._hidden.release()

    def _wireframe(self, picture: PictureView, eye: EyeSpace) -> None:
        """The triangles of the visible cells, through walls."""
        state, drawer = self._state, self._drawer
        state.depth(test=False, write=False)
        state.wireframe(on=True)
        for visible in picture.cells:
            meshes = self._scene.block(visible.cell)
            group = meshes.cells.get(visible.cell) if meshes is not None else None
            if meshes is not None and meshes.vao is not None and group is not None:
                drawer.override((*cell_color(visible.cell), 1.0))
                drawer.model(eye.block_matrix(visible.cell))
                drawer.draw(meshes.vao, group.opaque)
        state.wireframe(on=False)

    def _landscape_mask(self, size: tuple[int, int]) -> None:
        """Hatch where bit 7 of the stencil lets the landscape be drawn, as the passes left it."""
        state, program = self._state, self._programs.hatch
        state.stencil(EQUAL, OUT, read=OUT, zpass=KEEP, write=0)
        state.depth(test=False, write=False)
        state.color(on=True)
        state.cull(on=False)
        state.blend((SRC_ALPHA, ONE_MINUS_SRC_ALPHA))
        program["u_color"].value = _HATCH  # type: ignore[union-attr]
        program["u_step"].value = max(4.0, _HATCH_STEP * size[1] / 720.0)  # type: ignore[union-attr]
        self._screen.render(moderngl.TRIANGLES, vertices=3)
        state.blend(None)

    def _regions(self, picture: PictureView, cell_id: int | None) -> None:
        """View polygons of one cell or of all, filled lightly and outlined in their cell's colour, numbered.

        With those of all cells the outside's are drawn too, in blue.
        """
        cells = [
            row for row in picture.cells if cell_id is None or row.cell == cell_in(picture.root, cell_id)
        ]
        for visible in cells:
            for view in visible.regions:
                self._region(view.points, cell_color(visible.cell))
        self._labels.of_regions(cells)
        if picture.flood is not None and cell_id is None:
            for view in picture.outside:
                self._region(view.points, BLUE)

    def _region(self, points: Iterable[tuple[float, float]], color: Vec3) -> None:
        flat = [(x, y, 0.0) for x, y in points]
        self._batch.fan(flat, (*color, 0.12))
        self._batch.outline(flat, (*color, 0.9))
