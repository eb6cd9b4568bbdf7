"""The faces of models and cells as they are drawn, with what each is made of: for rays, not for pictures.

What is drawn at all is decided by the rules that the renderer's meshes are made by (surfaces 4.2, 4.3).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from engine.dat.pieces.geometry import Polygon, VertexArray
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.surface import Surface
from engine.dat.values import Vec3
from engine.world.cells import EnvCell
from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.polygon import bounding_sphere
from engine.world.tree_nodes import ray_to_face
from viewer.renderer.images.materials import RenderClass, is_textured, render_class
from viewer.renderer.images.opacity_planes import OpacityPlanes
from viewer.renderer.images.surfaces import SURFACE_TYPE
from viewer.renderer.scene.junctions import Corner
from viewer.renderer.scene.meshes import drawn_polygons, sides_of


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a drawn polygon, counter-clockwise from where it is seen, in the space of part or cell.

    ``polygon`` is its key, ``node`` the drawing tree's node that lists it, -1 without one; ``back`` tells
    that it is the polygon's other side.
    """

    polygon: int
    node: int
    back: bool
    surface: int
    corners: tuple[Corner, ...]

    @property
    def points(self) -> tuple[Vec3, ...]:
        """Its corners' places."""
        return tuple(corner[0] for corner in self.corners)


@dataclass(frozen=True, slots=True)
class Faces:
    """All faces of a part or cell, and a sphere around them."""

    faces: tuple[Face, ...]
    center: Vec3
    radius: float


class FaceStore:
    """The faces of a world's parts and cells, each made once; what can't be read has none."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._parts: dict[tuple[int, bool], Faces] = {}
        self._cells: dict[tuple[int, int, tuple[int, ...]], Faces] = {}
        self._surfaces: dict[int, Surface | None] = {}
        self._planes = OpacityPlanes(world.source)

    def part(self, gfx_obj_id: int, *, shell: bool = False) -> Faces:
        """The faces of a GfxObj, of a shell those alone that have an image."""
        key = (gfx_obj_id, shell)
        found = self._parts.get(key)
        if found is None:
            record = self._world.problems.fetch(self._world.source.gfx_obj, gfx_obj_id)
            found = _EMPTY if record is None else self._of_part(record, shell=shell)
            self._parts[key] = found
        return found

    def cell(self, cell: EnvCell) -> Faces:
        """The faces of a cell's shell."""
        s = cell.structure
        key = (s.environment_id, s.structure, cell.surfaces)
        found = self._cells.get(key)
        if found is None:
            environment = self._world.problems.fetch(self._world.source.environment, s.environment_id)
            record = None if environment is None else environment.cell(s.structure)
            found = _EMPTY
            if record is not None:
                openings = set(record.portals)
                walls = [p for p in record.polygons if p.key not in openings]
                found = self._faces(record.vertex_array, walls, cell.surfaces, plain_too=False, nodes={})
            self._cells[key] = found
        return found

    def surface(self, surface_id: int) -> Surface | None:
        """A surface by its full id; None for one that is not there."""
        if surface_id not in self._surfaces:
            self._surfaces[surface_id] = self._world.problems.fetch(self._world.source.surface, surface_id)
        return self._surfaces[surface_id]

    def how(self, surface_id: int) -> RenderClass:
        """How a surface meets what lies behind it."""
        surface = self.surface(surface_id)
        return RenderClass.OPAQUE if surface is None else render_class(surface.drawn_type)

    def alpha(self, surface_id: int, uv: tuple[float, float]) -> float:
        """How opaque a surface is at a place of its image, 0 to 1; 0 where it is cut out."""
        surface = self.surface(surface_id)
        return 1.0 if surface is None else self._planes.alpha(surface, uv)

    def paints(self, surface_id: int, uv: tuple[float, float]) -> float:
        """How much a surface paints at a place of its image, 0 to 1: its light where it only adds."""
        surface = self.surface(surface_id)
        return 1.0 if surface is None else self._planes.paints(surface, uv)

    def is_plain(self) -> bool:
        """Whether surfaces and the nodes of drawing trees are made up, as they are of dumps."""
        return self._world.source.is_plain

    def texture(self, surface_id: int) -> tuple[int, int]:
        """A surface's texture, and the first image of that; 0 for each that there is not."""
        surface = self.surface(surface_id)
        texture = 0 if surface is None else surface.texture or 0
        return texture, self.image_of(texture)

    def image_of(self, texture: int) -> int:
        """The first image of a texture; 0 where there is none."""
        record = None
        if texture:
            record = self._world.problems.fetch(self._world.source.surface_texture, texture)
        return 0 if record is None or not record.textures else record.textures[0]

    def _of_part(self, record: GfxObj, *, shell: bool) -> Faces:
        nodes: dict[int, int] = {}
        if record.drawing_bsp is not None:
            for index, node in enumerate(record.drawing_bsp.walk()):
                for key in node.polys or ():
                    nodes.setdefault(key, index)
        drawn = drawn_polygons(record)
        return self._faces(record.vertex_array, drawn, record.surfaces, plain_too=not shell, nodes=nodes)

    def _faces(
        self,
        array: VertexArray,
        polygons: Iterable[Polygon],
        surfaces: tuple[int, ...],
        *,
        plain_too: bool,
        nodes: dict[int, int],
    ) -> Faces:
        full = [surface | SURFACE_TYPE for surface in surfaces]
        out: list[Face] = []
        vertices = {v.key: v for v in array.vertices}

        def shown(slot: int) -> bool:
            surface = self.surface(full[slot])
            return plain_too or surface is None or is_textured(surface.drawn_type)

        for polygon in polygons:
            its_own = tuple(vertices[key] for key in polygon.vertex_ids if key in vertices)
            for side in sides_of(array._replace(vertices=its_own), [polygon], len(full), shown):
                back = side.corners[0][0] != vertices[polygon.vertex_ids[0]].pos
                out.append(
                    Face(
                        polygon=polygon.key,
                        node=nodes.get(polygon.key, -1),
                        back=back,
                        surface=full[side.slot],
                        corners=side.corners,
                    )
                )
        points = [p for face in out for p in face.points]
        return Faces(tuple(out), *bounding_sphere(points))


_EMPTY = Faces((), (0.0, 0.0, 0.0), 0.0)


def met_at(start: Vec3, direction: Vec3, points: tuple[Vec3, ...], *, either: bool = False) -> float | None:
    """Where a ray meets a face from the front, or from ``either`` side, in lengths of ``direction``."""
    t = ray_to_face(start, direction, points)
    if t is None or either:
        return t
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = points[0], points[1], points[2]
    ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    facing = (
        (uy * vz - uz * vy) * direction[0]
        + (uz * vx - ux * vz) * direction[1]
        + (ux * vy - uy * vx) * direction[2]
    )
    return t if facing < 0.0 else None


def uv_at(face: Face, p: Vec3) -> tuple[float, float]:
    """The place of a face's image at a point of its plane."""
    first = face.corners[0]
    best, uv = -math.inf, first[2]
    for k in range(1, len(face.corners) - 1):
        a, b, c = first, face.corners[k], face.corners[k + 1]
        weights = _weights(p, a[0], b[0], c[0])
        if weights is not None and min(weights) > best:
            best = min(weights)
            uv = (
                sum(w * corner[2][0] for w, corner in zip(weights, (a, b, c), strict=True)),
                sum(w * corner[2][1] for w, corner in zip(weights, (a, b, c), strict=True)),
            )
    return uv


def _weights(p: Vec3, a: Vec3, b: Vec3, c: Vec3) -> tuple[float, float, float] | None:
    """What each corner of a triangle counts for at a point of its plane."""
    u = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    v = (c[0] - a[0], c[1] - a[1], c[2] - a[2])
    w = (p[0] - a[0], p[1] - a[1], p[2] - a[2])
    uu, uv, vv = _dot(u, u), _dot(u, v), _dot(v, v)
    wu, wv = _dot(w, u), _dot(w, v)
    area = uu * vv - uv * uv
    if abs(area) < 1e-18:
        return None
    s, t = (vv * wu - uv * wv) / area, (uu * wv - uv * wu) / area
    return 1.0 - s - t, s, t


def _dot(a: Vec3, b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def misses(start: Vec3, direction: Vec3, faces: Faces, *, frame: Frame, scale: float) -> bool:
    """Whether a ray passes by the sphere around faces that are placed so."""
    x, y, z = faces.center
    k = abs(scale)
    center = frame.to_global((x * scale, y * scale, z * scale))
    to = (center[0] - start[0], center[1] - start[1], center[2] - start[2])
    length = _dot(direction, direction)
    along = max(0.0, _dot(to, direction) / length)
    off = (to[0] - along * direction[0], to[1] - along * direction[1], to[2] - along * direction[2])
    return _dot(off, off) > (faces.radius * k) ** 2
