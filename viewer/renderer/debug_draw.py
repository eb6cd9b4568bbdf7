"""Debug views over the finished scene: wireframe, portals by verdict, clip regions (rendering 8.2)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

import moderngl
import numpy as np

from engine.dat.values import Vec3
from engine.visibility import pview
from engine.visibility.frame_view import FrameView
from engine.visibility.pview import PView
from viewer.renderer.camera import EyeSpace
from viewer.renderer.gl_state import LEQUAL, ONE_MINUS_SRC_ALPHA, SRC_ALPHA, GlState
from viewer.renderer.mesh_drawer import MeshDrawer
from viewer.renderer.options import RenderOptions
from viewer.renderer.painter import cell_color
from viewer.renderer.programs import Programs
from viewer.renderer.scene_store import SceneStore

Rgba = tuple[float, float, float, float]

GREEN, YELLOW, ORANGE = (0.2, 1.0, 0.3), (1.0, 0.9, 0.2), (1.0, 0.55, 0.1)
RED, BLUE, CYAN = (1.0, 0.25, 0.2), (0.3, 0.5, 1.0), (0.2, 0.9, 1.0)
_VERDICT_COLORS = {
    pview.PASSED: GREEN,
    pview.NOTHING_NEW: GREEN,
    pview.CLIPPED_AWAY: YELLOW,
    pview.MISSING: ORANGE,
    pview.NOT_IN_STAB_LIST: ORANGE,
}
_ORDER = (RED, ORANGE, YELLOW, BLUE, GREEN)
_HIDDEN_ALPHA = 0.4
_SCREEN = np.eye(4, dtype="<f4").tobytes()


class ShapeBatch:
    """Coloured triangles or lines of one frame; places relative to the eye, or on the screen."""

    def __init__(self, ctx: moderngl.Context, program: moderngl.Program) -> None:
        self._ctx = ctx
        self._program = program
        self._data: dict[int, array[float]] = {moderngl.LINES: array("f"), moderngl.TRIANGLES: array("f")}

    def line(self, a: Sequence[float], b: Sequence[float], color: Rgba) -> None:
        """One line."""
        for p in (a, b):
            self._data[moderngl.LINES].extend((*p, *color))

    def outline(self, points: Sequence[Sequence[float]], color: Rgba) -> None:
        """A closed line."""
        for k, p in enumerate(points):
            self.line(points[k - 1], p, color)

    def fan(self, points: Sequence[Sequence[float]], color: Rgba) -> None:
        """A filled convex polygon."""
        for k in range(1, len(points) - 1):
            for p in (points[0], points[k], points[k + 1]):
                self._data[moderngl.TRIANGLES].extend((*p, *color))

    def draw(self, matrix: bytes) -> None:
        """Draw what was added, with a matrix to clip space, and forget it."""
        self._program["u_view_projection"].write(matrix)  # type: ignore[union-attr]
        for mode in (moderngl.TRIANGLES, moderngl.LINES):
            data = self._data[mode]
            if data:
                buffer = self._ctx.buffer(data.tobytes())
                vao = self._ctx.vertex_array(self._program, [(buffer, "3f4 4f4", "in_position", "in_color")])
                vao.render(mode)
                vao.release()
                buffer.release()
                del data[:]


class DebugDraw:
    """Draws what the options ask for; never part of the scene's passes."""

    def __init__(
        self,
        ctx: moderngl.Context,
        programs: Programs,
        state: GlState,
        scene: SceneStore,
        drawer: MeshDrawer,
    ) -> None:
        self._state = state
        self._scene = scene
        self._drawer = drawer
        self._shapes = ShapeBatch(ctx, programs.lines)

    def draw(self, frame: FrameView, eye: EyeSpace, options: RenderOptions) -> None:
        """The views that are switched on, in the order wireframe, portals, regions."""
        state = self._state
        state.no_stencil()
        state.color(True)
        state.cull(False)
        if options.wireframe:
            self._wireframe(frame, eye)
        state.blend((SRC_ALPHA, ONE_MINUS_SRC_ALPHA))
        if options.portals:
            for alpha, tested in ((_HIDDEN_ALPHA, False), (1.0, True)):
                state.depth(tested, False, LEQUAL)
                self._portals(frame, eye, alpha)
        if options.regions:
            state.depth(False, False)
            self._regions(frame)
        state.blend(None)

    def _wireframe(self, frame: FrameView, eye: EyeSpace) -> None:
        """The triangles of the visible cells, through walls."""
        state, drawer = self._state, self._drawer
        state.depth(False, False)
        state.wireframe(True)
        for visible in frame.cells:
            meshes = self._scene.block(visible.cell)
            group = meshes.cells.get(visible.cell) if meshes is not None else None
            if meshes is not None and meshes.vao is not None and group is not None:
                drawer.override((*cell_color(visible.cell), 1.0))
                drawer.model(eye.block_matrix(visible.cell))
                drawer.draw(meshes.vao, group.opaque)
        state.wireframe(False)

    def _portals(self, frame: FrameView, eye: EyeSpace, alpha: float) -> None:
        """Portals of the visited cells: green passed, yellow clipped away, orange missing, red faces
        away, blue an exit, cyan an opening of a building. Of two that coincide the later in this list
        of colours is seen: red, orange, yellow, blue, green.
        """
        found = [
            portal
            for flood in frame.floods
            for cell_id in flood.order
            for portal in _cell_portals(flood, cell_id, eye)
        ]
        for points, color in sorted(found, key=lambda portal: _ORDER.index(portal[1])):
            self._shapes.outline(points, (*color, alpha))
        for look_in in frame.look_ins:
            frame_of = look_in.building.pos.frame
            corners = look_in.aperture.polygon.vertices
            points = [eye.relative(look_in.block_id, frame_of.to_global(v)) for v in corners]
            self._shapes.outline(points, (*CYAN, alpha))
        self._shapes.draw(eye.view_projection)

    def _regions(self, frame: FrameView) -> None:
        """All view polygons, filled lightly and outlined in their cell's colour; the outside in blue."""
        for visible in frame.cells:
            for view in visible.regions:
                self._region(view.points, cell_color(visible.cell))
        if frame.flood is not None:
            for view in frame.outside:
                self._region(view.points, BLUE)
        self._shapes.draw(_SCREEN)

    def _region(self, points: Iterable[tuple[float, float]], color: Vec3) -> None:
        flat = [(x, y, 0.0) for x, y in points]
        self._shapes.fan(flat, (*color, 0.12))
        self._shapes.outline(flat, (*color, 0.9))


def _cell_portals(flood: PView, cell_id: int, eye: EyeSpace) -> Iterable[tuple[list[Vec3], Vec3]]:
    view = flood.cells[cell_id]
    for portal, reason in zip(view.cell.portals, view.reasons, strict=True):
        if reason == pview.ENTERED:
            continue  # drawn as the portal of the cell one came from
        color = _VERDICT_COLORS.get(reason, RED)
        if portal.is_exit and reason >= pview.EXIT_IGNORED:
            color = BLUE
        frame = view.cell.frame
        yield [eye.relative(cell_id, frame.to_global(v)) for v in portal.polygon.vertices], color
