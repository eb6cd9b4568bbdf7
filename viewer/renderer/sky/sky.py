"""The sky: a gradient from the fog's colour to the zenith's, and what hangs in it (light 6.4)."""

from __future__ import annotations

import math
from collections.abc import Iterable

import moderngl

from engine.dat.values import Vec3
from viewer.renderer.gl.programs import Programs
from viewer.renderer.gl.waiting import draw_range
from viewer.renderer.glm_alone import glm
from viewer.renderer.scene.lighting import SkyLight
from viewer.renderer.scene.matrices import EyeSpace
from viewer.renderer.scene.mesh_buffer import BufferBuilder, DrawRange
from viewer.renderer.scene.mesh_drawer import MeshDrawer
from viewer.renderer.scene.scene_store import SceneStore
from viewer.renderer.sky.sky_things import SkyThing

NEARER = 0.25  # models of the sky reach beyond the far plane; nothing tells how far away they are
SKY_FORMAT = "3f4 12x 2f4 1f4 4f1 4x"
SKY_NAMES = ("in_position", "in_uv", "in_layer", "in_material")
DAY_ZENITH = (0.24, 0.45, 0.80)
NIGHT_ZENITH = (0.010, 0.015, 0.045)


def zenith_color(light: SkyLight) -> Vec3:
    """The colour overhead: blue by day, nearly black at night, with a little of the horizon's."""
    day = light.daylight() ** 1.5
    mixed = (n + (d - n) * day for n, d in zip(NIGHT_ZENITH, DAY_ZENITH, strict=True))
    r, g, b = (0.85 * m + 0.15 * f for m, f in zip(mixed, light.fog_color, strict=True))
    return (r, g, b)


class Sky:
    """One triangle over the whole picture, then models; depth is neither tested nor written."""

    def __init__(self, ctx: moderngl.Context, programs: Programs, scene: SceneStore) -> None:
        self._ctx = ctx
        self._gradient = programs.sky
        self._program = programs.sky_thing
        self._scene = scene
        self._vao = ctx.vertex_array(self._gradient, [])
        self._models: dict[int, tuple[moderngl.VertexArray | None, tuple[DrawRange, ...]]] = {}

    def draw(self, eye: EyeSpace, light: SkyLight, flat: Vec3 | None = None, *, sun: bool = True) -> int:
        """Fill what the stencil lets through; ``flat`` is a single colour instead of the gradient.

        ``sun`` paints a sun into it, for skies that have none of their own.
        """
        view = eye.view
        p = self._gradient
        up = sun and light.sun_direction[2] > -0.05
        values: dict[str, object] = {
            "u_forward": view.forward,
            "u_right": tuple(c * view.tan_x for c in view.right),
            "u_up": tuple(c * view.tan_y for c in view.up),
            "u_horizon": light.fog_color,
            "u_zenith": zenith_color(light) if flat is None else flat,
            "u_sun_direction": light.sun_direction,
            "u_sun_color": tuple(c * light.sun_bright for c in light.sun_color) if up else (0.0, 0.0, 0.0),
            "u_flat": 0.0 if flat is None else 1.0,
        }
        for name, value in values.items():
            p[name].value = value  # type: ignore[union-attr]
        self._vao.render(moderngl.TRIANGLES, vertices=3)
        return 1

    def draw_things(
        self, eye: EyeSpace, light: SkyLight, things: Iterable[SkyThing], drawer: MeshDrawer
    ) -> int:
        """Draw models around the eye, each with its own light; returns the number of draw calls."""
        draws = 0
        p = self._program
        for thing in things:
            vao, ranges = self._model(thing.model_id)
            if vao is None:
                continue
            scale = 1.0 if thing.foreground else NEARER
            own = thing.luminosity
            values: dict[str, object] = {
                "u_scroll": thing.scroll,
                "u_haze": 1.0 if light.fog_on and thing.height is None and not thing.foreground else 0.0,
                "u_opacity": thing.opacity,
                "u_ambient": light.mesh_ambient(),
                "u_luminosity": -1.0 if own is None else own,
                "u_most": 1.0 if thing.max_bright is None else thing.max_bright,
            }
            up = 0.0 if thing.height is None else thing.height - eye.view.eye[2]
            p["u_model"].write(turned(thing, scale, up))  # type: ignore[union-attr]
            p["u_view_projection"].write(eye.view_projection)  # type: ignore[union-attr]
            for name, value in values.items():
                p[name].value = value  # type: ignore[union-attr]
            for render_class, page, _, first, size in ranges:
                drawer.bind(render_class, page, wrap=True, alpha=thing.opacity)
                draw_range(vao, moderngl.TRIANGLES, size, first=first)
                draws += 1
        return draws

    def _model(self, model_id: int) -> tuple[moderngl.VertexArray | None, tuple[DrawRange, ...]]:
        found = self._models.get(model_id)
        if found is None:
            builder = BufferBuilder()
            group = builder.add(self._scene.model(model_id))
            vao = builder.upload(self._ctx, self._program, SKY_FORMAT, SKY_NAMES)
            found = self._models[model_id] = (vao, group.opaque + group.blended)
        return found


def turned(thing: SkyThing, scale: float, up: float = 0.0) -> bytes:
    """The model matrix of a thing, 16 floats column by column: Rz(−heading) · Ry(−angle), scaled.

    Its origin is ``up`` metres above the eye, before it is scaled as well.
    """
    h, a = math.radians(-thing.heading), math.radians(-thing.angle)
    turn = glm.rotate(h, glm.dvec3(0.0, 0.0, 1.0)) * glm.rotate(a, glm.dvec3(0.0, 1.0, 0.0))
    raised = glm.translate(glm.dvec3(0.0, 0.0, up * scale)) * turn
    placed: bytes = glm.mat4(glm.scale(raised, glm.dvec3(scale))).to_bytes()
    return placed
