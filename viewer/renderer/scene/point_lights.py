"""Static light sources indoors, baked into vertices when a block is loaded (light 6.5)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.world.cells import EnvCell
from engine.world.frame import Frame
from engine.world.polygon import Polygon
from engine.world.under_way import UnderWay
from viewer.renderer.scene.meshes import Chunk

_REACH = 1.3  # a static light reaches its falloff times this
_LEAST_REACH = 1e-9
_LEAST_SQUARE = 1e-12
_MOST_AT_ONCE = 1 << 15  # pairs of a light and a point: so many fit into a processor's caches
MOST_TRIED: Final = 1 << 21
"""Openings, and corners of them, that a landblock's lights are tried at: more than thousands of lamps do."""
_BATCH = 256  # lights between two looks at whether more of them can change anything

Floats = NDArray[np.float64]


class PointLight(NamedTuple):
    """A lamp: place in the block frame, colour 0…1, intensity and falloff in metres."""

    place: Vec3
    color: Vec3
    intensity: float
    falloff: float


def light_at(frame: Frame, local: Vec3, *, argb: int, intensity: float, falloff: float) -> PointLight:
    """The light of a Setup that stands in ``frame``."""
    color = ((argb >> 16 & 0xFF) / 255.0, (argb >> 8 & 0xFF) / 255.0, (argb & 0xFF) / 255.0)
    return PointLight(frame.to_global(local), color, intensity, falloff)


def lights_by_cell_reached(
    cells: Mapping[int, EnvCell],
    lights: Mapping[int, Sequence[PointLight]],
    *,
    report: Callable[[str], None] | None = None,
    under_way: UnderWay | None = None,
) -> dict[int, list[PointLight]]:
    """The lights that reach each cell, by cell id: from cell to cell through openings within a light's reach.

    So a light ends nowhere at an opening: what it gives on one side it gives on the other, and beyond
    an opening out of its reach it gives nothing anyway. Where there is far too much to try, the last
    lights stay in their own cells, which is told to ``report``.
    """
    out: dict[int, list[PointLight]] = {}
    each = [(home, light) for home in sorted(lights) for light in lights[home]]
    left, kept_in = MOST_TRIED, 0
    for home, light in (under_way or UnderWay()).through("lights of the rooms", each):
        reached, left = _reached_by(light, home, cells, left)
        kept_in += left < 0
        for cell_id in reached:
            out.setdefault(cell_id, []).append(light)
    if kept_in and report is not None:
        report(
            f"its lights reach through far too many openings: the last {kept_in} light their own rooms alone"
        )
    return out


def _reached_by(
    light: PointLight, home: int, cells: Mapping[int, EnvCell], left: int
) -> tuple[set[int], int]:
    """The cells that a light reaches, and how much of ``left`` then is; its own alone if that is below 0."""
    reached, waiting = {home}, [home]
    reach = light.falloff * _REACH
    while waiting and left >= 0:
        cell = cells.get(waiting.pop())
        if cell is None:
            continue
        place = cell.frame.to_local(light.place)
        for portal in cell.portals:
            left -= 1
            beyond = portal.other_cell_id
            if beyond in reached or beyond not in cells:
                continue
            opening = portal.polygon
            left -= len(opening.vertices)
            if abs(opening.distance(place)) < reach and distance_to(opening, place) < reach:
                reached.add(beyond)
                waiting.append(beyond)
    return (reached, left) if left >= 0 else ({home}, -1)


def distance_to(polygon: Polygon, p: Vec3) -> float:
    """How far a point is from a convex polygon, metres; endless from one without three corners."""
    corners = polygon.vertices
    if len(corners) < 3:
        return math.inf
    (x, y, z), (nx, ny, nz) = p, polygon.normal
    nearest, inside = math.inf, True
    ax, ay, az = corners[-1]
    for corner in corners:
        bx, by, bz = corner
        ex, ey, ez = bx - ax, by - ay, bz - az
        dx, dy, dz = x - ax, y - ay, z - az
        inward = dx * (ny * ez - nz * ey) + dy * (nz * ex - nx * ez) + dz * (nx * ey - ny * ex)
        inside &= inward >= 0.0
        t = (dx * ex + dy * ey + dz * ez) / max(ex * ex + ey * ey + ez * ez, _LEAST_SQUARE)
        t = min(max(t, 0.0), 1.0)
        nearest = min(nearest, math.dist((dx, dy, dz), (t * ex, t * ey, t * ez)))
        ax, ay, az = corner
    return abs(polygon.distance(p)) if inside else nearest


class Lights:
    """Lights as arrays, in their order: what is lit by many of them is worked out a batch at a time."""

    def __init__(self, lights: Sequence[PointLight]) -> None:
        self.each = tuple(lights)
        self.places = np.array([light.place for light in lights], float).reshape(-1, 3)
        self.colors = np.array([light.color for light in lights], float).reshape(-1, 3)
        self.intensities = np.array([light.intensity for light in lights], float)
        self.reaches = np.array([light.falloff * _REACH for light in lights], float)
        self._given = self.colors.max(axis=0, initial=0.0) > 0.0

    def __len__(self) -> int:
        return len(self.each)

    def fill(self, total: Floats) -> bool:
        """Whether sums of light are as bright as can be, in all colours that any of the lights has."""
        return bool((total[..., self._given] >= 1.0).all())


def vertex_light(points: Floats, normals: Floats, lights: Lights) -> Floats:
    """What lights give to points with normals, rgb 0…1: shape (n, 3).

    Light only adds up: once all is as bright as can be, the lights that are left change nothing.
    """
    total = np.zeros_like(points)
    step = max(1, _MOST_AT_ONCE // max(1, len(points)))
    for start in range(0, len(lights), step):
        some = slice(start, start + step)
        toward = lights.places[some, None] - points
        d = np.sqrt(np.einsum("lij,lij->li", toward, toward))
        wrap = (np.einsum("ij,lij->li", normals, toward) + 0.5 * d) / 1.5
        given = _falling(
            d,
            wrap,
            reach=lights.reaches[some, None],
            intensity=lights.intensities[some, None],
            color=lights.colors[some, None],
        )
        total += given.sum(axis=0)
        if lights.fill(total):
            break
    return np.clip(total, 0.0, 1.0)


def place_light(point: Vec3, lights: Lights) -> Vec3:
    """What lights give to an object standing at a point, as if it faced them all."""
    total = np.zeros(3)
    start, count = 0, _BATCH
    while start < len(lights):
        some = slice(start, start + count)
        d = np.linalg.norm(lights.places[some] - np.array(point), axis=1)
        rows = _falling(
            d, d, reach=lights.reaches[some], intensity=lights.intensities[some], color=lights.colors[some]
        )
        total += rows.sum(axis=0)
        if lights.fill(total):
            break
        start, count = start + count, 2 * count  # where lights are dim, few large steps cost less
    r, g, b = np.clip(total, 0.0, 1.0)
    return (float(r), float(g), float(b))


def lit(chunk: Chunk, light: Floats) -> Chunk:
    """A chunk with that light, one row or one a vertex, added to its vertices."""
    out = chunk.vertices.copy()
    out["light"][:, :3] = np.round(light * 255.0).astype(np.uint8)
    return chunk._replace(vertices=out)


def _falling(d: Floats, wrap: Floats, *, reach: Floats, intensity: Floats, color: Floats) -> Floats:
    """What each of some lights gives at distances ``d``, of ``wrap``'s shape and rgb behind it."""
    norm = np.maximum(np.where(d * d > 1.0, d * d * d, d), 1e-6)
    s = (1.0 - d / np.maximum(reach, _LEAST_REACH)) * intensity * wrap / norm
    s = np.where((d < reach) & (wrap > 0.0), s, 0.0)
    out: Floats = np.minimum(s[..., None] * color, color)
    return out
