"""The figure that stands for the player in third person: a turned wooden manikin, drawn from code."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.dat.values import Vec3
from viewer.renderer.meshes import VERTEX, Batch, Chunk
from viewer.renderer.textures import Image

_SEGMENTS = 16
_STRIPS = ((196, 146, 92), (92, 60, 40), (60, 78, 116))  # wood, hair and boots, cloth

Profile = Sequence[tuple[float, float]]  # (radius, height) from the bottom up

# Outline, middle of the turned piece, and which strip of the figure's image it is painted with.
_PIECES: tuple[tuple[Profile, Vec3, int], ...] = (
    (((0.0, 0.0), (0.09, 0.0), (0.085, 0.12), (0.0, 0.13)), (-0.11, 0.02, 0.0), 1),
    (((0.0, 0.0), (0.09, 0.0), (0.085, 0.12), (0.0, 0.13)), (0.11, 0.02, 0.0), 1),
    (((0.0, 0.10), (0.065, 0.10), (0.08, 0.45), (0.10, 0.85), (0.0, 0.90)), (-0.11, 0.0, 0.0), 0),
    (((0.0, 0.10), (0.065, 0.10), (0.08, 0.45), (0.10, 0.85), (0.0, 0.90)), (0.11, 0.0, 0.0), 0),
    (
        ((0.0, 0.78), (0.21, 0.80), (0.19, 1.00), (0.22, 1.25), (0.20, 1.42), (0.07, 1.50), (0.0, 1.50)),
        (0.0, 0.0, 0.0),
        2,
    ),
    (
        ((0.0, 0.72), (0.05, 0.74), (0.06, 1.05), (0.07, 1.33), (0.055, 1.39), (0.0, 1.42)),
        (-0.28, 0.0, 0.0),
        2,
    ),
    (
        ((0.0, 0.72), (0.05, 0.74), (0.06, 1.05), (0.07, 1.33), (0.055, 1.39), (0.0, 1.42)),
        (0.28, 0.0, 0.0),
        2,
    ),
    (((0.0, 1.46), (0.07, 1.48), (0.115, 1.58), (0.12, 1.66), (0.11, 1.70)), (0.0, 0.0, 0.0), 0),
    (((0.125, 1.66), (0.12, 1.72), (0.08, 1.79), (0.0, 1.81)), (0.0, -0.008, 0.0), 1),
    (((0.0, 1.585), (0.022, 1.59), (0.016, 1.62), (0.0, 1.645)), (0.0, 0.118, 0.0), 0),
)


def figure_image() -> Image:
    """The figure's texture: one texel row a strip."""
    return np.array([[(*rgb, 255)] for rgb in _STRIPS], np.uint8)


def figure_chunks(batch: Batch, layer: int) -> list[Chunk]:
    """The figure in the space of a body: feet at the origin, looking along +y, 1.8 m tall."""
    rows: list[tuple[object, ...]] = []
    for profile, middle, strip in _PIECES:
        uv = (0.5, (strip + 0.5) / len(_STRIPS))
        _turn(profile, middle, (uv, layer, (0, 255, 255, 0), (0, 0, 0, 0)), rows)
    return [Chunk(batch, np.array(rows, VERTEX))]


def _turn(profile: Profile, middle: Vec3, rest: tuple[object, ...], rows: list[tuple[object, ...]]) -> None:
    """A profile turned about the vertical through ``middle``, as triangles facing outward."""
    angles = [2.0 * math.pi * k / _SEGMENTS for k in range(_SEGMENTS + 1)]

    def corner(ring: int, k: int, slope: Vec3) -> tuple[object, ...]:
        radius, height = profile[ring]
        c, s = math.cos(angles[k]), math.sin(angles[k])
        place = (middle[0] + radius * c, middle[1] + radius * s, middle[2] + height)
        return (place, (slope[0] * c, slope[0] * s, slope[2]), *rest)

    for ring in range(len(profile) - 1):
        (r0, h0), (r1, h1) = profile[ring], profile[ring + 1]
        length = math.hypot(h1 - h0, r0 - r1) or 1.0
        slope = ((h1 - h0) / length, 0.0, (r0 - r1) / length)
        for k in range(_SEGMENTS):
            a, b = corner(ring, k, slope), corner(ring, k + 1, slope)
            c, d = corner(ring + 1, k + 1, slope), corner(ring + 1, k, slope)
            if r0 > 0.0:
                rows.extend((a, b, c))
            if r1 > 0.0:
                rows.extend((a, c, d))
