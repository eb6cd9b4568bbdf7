"""Static light sources indoors, baked into vertices when a block is loaded (rendering 6.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.dat.values import Vec3
from engine.world.frame import Frame
from viewer.renderer.scene.meshes import Chunk

_REACH = 1.3  # a static light reaches its falloff times this

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PointLight:
    """A lamp: place in the block frame, colour 0…1, intensity and falloff in metres."""

    place: Vec3
    color: Vec3
    intensity: float
    falloff: float


def light_at(frame: Frame, local: Vec3, argb: int, intensity: float, falloff: float) -> PointLight:
    """The light of a Setup that stands in ``frame``."""
    color = ((argb >> 16 & 0xFF) / 255.0, (argb >> 8 & 0xFF) / 255.0, (argb & 0xFF) / 255.0)
    return PointLight(frame.to_global(local), color, intensity, falloff)


def vertex_light(points: Floats, normals: Floats, lights: list[PointLight]) -> Floats:
    """What lights give to points with normals, rgb 0…1: shape (n, 3)."""
    total = np.zeros_like(points)
    for light in lights:
        toward = np.array(light.place) - points
        d = np.linalg.norm(toward, axis=1)
        wrap = (np.einsum("ij,ij->i", normals, toward) + 0.5 * d) / 1.5
        total += _falling(light, d, wrap)
    return np.clip(total, 0.0, 1.0)


def place_light(point: Vec3, lights: list[PointLight]) -> Vec3:
    """What lights give to an object standing at a point, as if it faced them all."""
    total = np.zeros((1, 3))
    for light in lights:
        d = np.array([np.linalg.norm(np.array(light.place) - np.array(point))])
        total += _falling(light, d, d)
    r, g, b = np.clip(total[0], 0.0, 1.0)
    return (float(r), float(g), float(b))


def lit(chunk: Chunk, light: Floats) -> Chunk:
    """A chunk with that light, one row or one a vertex, added to its vertices."""
    out = chunk.vertices.copy()
    out["light"][:, :3] = np.round(light * 255.0).astype(np.uint8)
    return Chunk(chunk.batch, out)


def _falling(light: PointLight, d: Floats, wrap: Floats) -> Floats:
    reach = light.falloff * _REACH
    if reach <= 0.0:
        return np.zeros((len(d), 3))
    norm = np.maximum(np.where(d * d > 1.0, d**3, d), 1e-6)
    s = (1.0 - d / reach) * light.intensity * wrap / norm
    s = np.where((d < reach) & (wrap > 0.0), s, 0.0)
    color = np.array(light.color)
    out: Floats = np.minimum(s[:, None] * color, color)
    return out
