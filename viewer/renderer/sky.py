"""The sky: a gradient from the fog's colour at the horizon to the zenith, and the sun's disc (6.4)."""

from __future__ import annotations

import moderngl

from engine.dat.values import Vec3
from viewer.renderer.camera import EyeSpace
from viewer.renderer.lighting import SkyLight

DAY_ZENITH = (0.24, 0.45, 0.80)
NIGHT_ZENITH = (0.010, 0.015, 0.045)


def zenith_color(light: SkyLight) -> Vec3:
    """The colour overhead: blue by day, nearly black at night, with a little of the horizon's."""
    day = light.daylight() ** 1.5
    mixed = (n + (d - n) * day for n, d in zip(NIGHT_ZENITH, DAY_ZENITH, strict=True))
    r, g, b = (0.85 * m + 0.15 * f for m, f in zip(mixed, light.fog_color, strict=True))
    return (r, g, b)


class Sky:
    """One triangle over the whole picture; depth is neither tested nor written."""

    def __init__(self, ctx: moderngl.Context, program: moderngl.Program) -> None:
        self._program = program
        self._vao = ctx.vertex_array(program, [])

    def draw(self, eye: EyeSpace, light: SkyLight, flat: Vec3 | None = None) -> int:
        """Fill what the stencil lets through; ``flat`` is a single colour instead of the gradient."""
        view = eye.view
        p = self._program
        up = light.sun_direction[2] > -0.05
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
