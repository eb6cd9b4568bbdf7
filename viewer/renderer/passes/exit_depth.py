"""How far away the exits of an interior frame are, pixel by pixel (passes 3.4, the exact fix).

The landscape of an interior frame lies beyond the exits that it is seen through. What of it is nearer, the
house's own outside or ground that rises into a room, is left out by its fragment shaders, which compare
their depth with this picture. Where one looks out below the surface of the ground, the ground stays:
beyond the exit there would only be what is under it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import moderngl

from engine.dat.values import Vec3
from engine.visibility.view_polygon import Ndc
from engine.world.cells import EnvCell, Landblock, Portal
from engine.world.ids import CELL_SIDE
from engine.world.polygon import Polygon
from engine.world.terrain import find_terrain_poly
from viewer.renderer.gl.gl_state import GlState
from viewer.renderer.gl.programs import EXIT_UNIT
from viewer.renderer.gl.read_back import read_floats
from viewer.renderer.passes.passes import EXIT_DEPTHS
from viewer.renderer.passes.regions import PixelBox, Span, TriangleBuffer
from viewer.renderer.scene.matrices import EyeSpace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DEPTH_STEP = 2.0**-24  # of the depth buffer
_NO_EXIT = 2.0  # beyond every depth
_NEARLY_BELOW = 0.05  # metres: so little above the ground an exit counts as below it
EXIT_LAYOUT = (5, "4f4 1f4", ("in_position", "in_above"))
ExitCorner = tuple[
    float, float, float, float, float
]  # x, y, depth, the seal's depth, above the ground or not
Linear = tuple[float, float, float]  # in the middle of the picture, growth to its right and upper edge


class ExitDepth:
    """A picture of two depths a pixel: of the nearest exit's plane, and of what its seal (P9) hides."""

    def __init__(self, ctx: moderngl.Context, program: moderngl.Program) -> None:
        self._ctx = ctx
        self._program = program
        self._texture: moderngl.Texture | None = None
        self._depth: moderngl.Renderbuffer | None = None
        self._fbo: moderngl.Framebuffer | None = None
        self._is_new = True

    def draw(
        self, state: GlState, buffer: TriangleBuffer, exits: Span, *, box: PixelBox, size: tuple[int, int]
    ) -> None:
        """Draw the exits of a frame, all within a box, and leave the picture bound for the landscape.

        The framebuffer and the state are not what they were before.
        """
        fbo = self._target(size)
        fbo.use()
        state.forget()
        x, y, width, height = box
        # Software GL clears a part by drawing, with a program that it has to compile first.
        fbo.clear(_NO_EXIT, _NO_EXIT, viewport=None if self._is_new else (x, y, width, height))
        self._is_new = False
        state.enter(EXIT_DEPTHS)
        buffer.draw(self._program, exits)

    def read(self) -> NDArray[np.float32]:
        """What was drawn last, shape (height, width, 2), top row first; above 1 where there is no exit."""
        assert self._fbo is not None
        return read_floats(self._fbo, 2)[::-1].copy()

    def _target(self, size: tuple[int, int]) -> moderngl.Framebuffer:
        if self._fbo is None or self._fbo.size != size:
            old = (self._fbo, self._texture, self._depth)
            self._texture = self._ctx.texture(size, 2, dtype="f4")
            self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
            self._depth = self._ctx.depth_renderbuffer(size)
            self._fbo = self._ctx.framebuffer([self._texture], self._depth)
            self._is_new = True
            for each in old:
                if each is not None:
                    each.release()
        assert self._texture is not None
        self._texture.use(EXIT_UNIT)
        return self._fbo


class SeenExit:
    """An exit portal of a cell as the eye sees it.

    On the screen the window depth of its plane is linear, and so is the height above the ground there over
    the distance: both are kept as what they are in the middle of the picture and how much they grow along
    right and up. An eye that is past the plane has no exit before it.
    """

    def __init__(self, cell: EnvCell, portal: Portal, block: Landblock | None, eye: EyeSpace) -> None:
        polygon = portal.polygon
        corner = cell.frame.to_global(polygon.vertices[0])
        self._depth: Linear = (0.0, 0.0, 0.0)
        self._above: Linear = (1.0, 0.0, 0.0)
        normal = cell.frame.to_global_vec(polygon.normal)
        reach = _dot(normal, eye.relative(cell.id, corner))
        if reach * (-1.0 if portal.portal_side else 1.0) >= 0.0:
            return
        view = eye.view
        rays = (view.forward, _times(view.right, view.tan_x), _times(view.up, view.tan_y))
        near = [_dot(normal, ray) / reach for ray in rays]  # 1 / distance ahead
        span = eye.far - eye.near
        a, b = 0.5 + 0.5 * (eye.far + eye.near) / span, -eye.far * eye.near / span
        self._depth = (a + b * near[0], b * near[1], b * near[2])
        ground = _ground_at(block, cell.frame.to_global(portal.center))
        if ground is not None:
            height = ground.distance(_negated(eye.relative(cell.id))) - _NEARLY_BELOW
            slopes = [_dot(ground.normal, ray) for ray in rays]
            at_eye = _times((near[0], near[1], near[2]), height)
            self._above = (slopes[0] + at_eye[0], slopes[1] + at_eye[1], slopes[2] + at_eye[2])

    def corners(self, region: Iterable[Ndc], width: int, height: int) -> list[ExitCorner]:
        """The corners of a region with what the exit is there.

        Depth comes with that of the seal: polygon offset moves it back by a step and the slope of a pixel.
        """
        _, dx, dy = self._depth
        seal = max(abs(dx) * 2.0 / width, abs(dy) * 2.0 / height) + _DEPTH_STEP
        out: list[ExitCorner] = []
        for x, y in region:
            depth = _at(self._depth, x, y)
            out.append((x, y, depth, depth + seal, _at(self._above, x, y)))
        return out


def _ground_at(block: Landblock | None, point: Vec3) -> Polygon | None:
    """The terrain triangle under a point of the block frame; None off the block and where there is none."""
    if block is None or not block.land_cells:
        return None
    cx, cy = int(point[0] // CELL_SIDE), int(point[1] // CELL_SIDE)
    if not (0 <= cx < 8 and 0 <= cy < 8):
        return None
    return find_terrain_poly(block.land_cells[cx * 8 + cy], point)


def _at(values: Linear, x: float, y: float) -> float:
    return values[0] + x * values[1] + y * values[2]


def _dot(a: Vec3, b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _times(a: Vec3, k: float) -> Vec3:
    return (a[0] * k, a[1] * k, a[2] * k)


def _negated(a: Vec3) -> Vec3:
    return (-a[0], -a[1], -a[2])
