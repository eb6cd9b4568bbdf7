"""From faces to the vertices and polygons of records: shared by cells, shells and objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from engine.dat.pieces.bsp_record import BspNode
from engine.dat.pieces.build_trees import build_drawing_tree, build_physics_tree
from engine.dat.pieces.geometry import Polygon, SWVertex, VertexArray
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.setup import Light, Placement, Setup
from engine.dat.values import IDENTITY_FRAME, CylSphere, Sphere, StoredFrame, Vec3
from scripts.demo_world.geometry import Points, cross, dot, f32, fans, normal_of, share_corners
from scripts.demo_world.materials import OPENING, metres_of, surface_id
from scripts.demo_world.solids import Face, Uv

WRAP, NO_POS_UVS = 0x1, 0x4
HAS_PHYSICS, HAS_DRAWING = 0x1, 0x2
NO_SURFACE = -1
NEARLY = 1e-4


@dataclass
class Mesh:
    """Vertices, drawing polygons and physics polygons of one record, with its material slots."""

    vertices: list[SWVertex] = field(default_factory=list)
    polygons: list[Polygon] = field(default_factory=list)
    physics: list[Polygon] = field(default_factory=list)
    slots: list[str] = field(default_factory=list)
    _keys: dict[tuple[object, ...], int] = field(default_factory=dict)

    def draw(self, faces: Iterable[Face]) -> None:
        """Add faces to the drawing polygons."""
        for face in faces:
            uvs = face.uvs or mapped(face)
            normal = _normal(face.points)
            by_corner = dict(zip(face.points, uvs, strict=True))
            facing = dict(zip(face.points, face.normals or (normal,) * len(face.points), strict=True))
            rings = [face.points] if face.uvs else fans(face.points)
            for ring in rings:
                keys = tuple(self._vertex(p, facing[p], by_corner[p]) for p in ring)
                self.polygons.append(
                    Polygon(
                        key=len(self.polygons),
                        stippling=WRAP if _repeats(uvs) else 0,
                        sides_type=int(face.two_sided),
                        pos_surface=self._slot(face.material),
                        neg_surface=NO_SURFACE,
                        vertex_ids=keys,
                        pos_uv_indices=(0,) * len(keys),
                    )
                )

    def open(self, points: Points) -> int:
        """Add an opening to the drawing polygons and give its key."""
        normal = _normal(points)
        keys = tuple(self._vertex(p, normal, None) for p in points)
        key = len(self.polygons)
        self.polygons.append(
            Polygon(
                key=key,
                stippling=NO_POS_UVS,
                sides_type=0,
                pos_surface=self._slot(OPENING),
                neg_surface=NO_SURFACE,
                vertex_ids=keys,
            )
        )
        return key

    def block(self, polygons: Iterable[Points]) -> None:
        """Add polygons to those that collide."""
        for points in polygons:
            normal = _normal(points)
            keys = tuple(self._vertex(p, normal, None) for p in points)
            self.physics.append(
                Polygon(
                    key=len(self.physics),
                    stippling=NO_POS_UVS,
                    sides_type=0,
                    pos_surface=NO_SURFACE,
                    neg_surface=NO_SURFACE,
                    vertex_ids=keys,
                )
            )

    @property
    def positions(self) -> dict[int, Vec3]:
        """Where every vertex is, by key."""
        return {vertex.key: vertex.pos for vertex in self.vertices}

    @property
    def vertex_array(self) -> VertexArray:
        """The record's vertices."""
        return VertexArray(1, tuple(self.vertices))

    @property
    def surfaces(self) -> tuple[int, ...]:
        """The Surface ids of the slots."""
        return tuple(surface_id(name) for name in self.slots)

    def physics_tree(self, *, solid: bool) -> BspNode:
        """The tree of the physics polygons."""
        return build_physics_tree(self.physics, self.positions, solid=solid)

    def drawing_tree(self, openings: Sequence[tuple[int, int]] = ()) -> BspNode:
        """The tree of the drawing polygons, with a PORT node for every (polygon, portal) of a building."""
        return build_drawing_tree(self.polygons, self.positions, openings)

    def _slot(self, material: str) -> int:
        if material not in self.slots:
            self.slots.append(material)
        return self.slots.index(material)

    def _vertex(self, p: Vec3, normal: Vec3, uv: Uv | None) -> int:
        """The key of a vertex; without texture coordinates any vertex of the place and normal will do."""
        found = self._keys.get((p, normal, uv))
        if found is None:
            found = len(self.vertices)
            self.vertices.append(
                SWVertex(found, p, normal, () if uv is None else ((f32(uv[0]), f32(uv[1])),))
            )
            self._keys[p, normal, uv] = found
            self._keys.setdefault((p, normal, None), found)
        return found


def _repeats(uvs: Sequence[Uv]) -> bool:
    """Whether a texture goes on beyond its border; one that is shown once would bleed over from the other."""
    return any(not -NEARLY <= c <= 1.0 + NEARLY for uv in uvs for c in uv)


def _normal(points: Points) -> Vec3:
    n = normal_of(points)
    return (f32(n[0]), f32(n[1]), f32(n[2]))


def mapped(face: Face) -> tuple[Uv, ...]:
    """Texture coordinates by metres: walls level and upright, floors by east and north, slopes by fall."""
    nx, ny, nz = normal_of(face.points)
    mu, mv = metres_of(face.material)
    if face.grain is not None:
        over = cross(face.grain, (nx, ny, nz))
        return tuple((dot(p, over) / mu, dot(p, face.grain) / mv) for p in face.points)
    if abs(nz) > 0.999:
        return tuple((p[0] / mu, -p[1] / mv) for p in face.points)
    u0, stretch, v0 = face.fit
    ux, uy = level_axis(face.points)
    # Down the face: the level direction turned by a right angle about the normal.
    dx, dy, dz = uy * nz, -ux * nz, ux * ny - uy * nx
    return tuple(
        ((ux * p[0] + uy * p[1] + u0) * stretch / mu, (dx * p[0] + dy * p[1] + dz * p[2] + v0) / mv)
        for p in face.points
    )


def level_axis(points: Points) -> Uv:
    """The level direction to the right of somebody who looks at a wall or a slope, as east and north."""
    nx, ny, _ = normal_of(points)
    flat = (nx * nx + ny * ny) ** 0.5
    return -ny / flat, nx / flat


def welded(faces: Sequence[Face]) -> list[Face]:
    """Faces of one skin with the corners of their neighbours put in, those with fitted textures unchanged."""
    corners = [p for face in faces for p in face.points]
    shared = share_corners([face.points for face in faces], corners)
    return [
        face if face.uvs else replace(face, points=points) for face, points in zip(faces, shared, strict=True)
    ]


def gfx_obj(
    object_id: int, drawn: Sequence[Face], solid: Sequence[Points] = (), openings: Sequence[Points] = ()
) -> GfxObj:
    """A model: what is drawn, what collides, and for a building its openings in portal order."""
    mesh = Mesh()
    mesh.draw(drawn)
    ports = [(mesh.open(points), index) for index, points in enumerate(openings)]
    mesh.block(solid)
    flags = HAS_DRAWING | (HAS_PHYSICS if solid else 0)
    return GfxObj(
        id=object_id, flags=flags, surfaces=mesh.surfaces, vertex_array=mesh.vertex_array,
        physics_polygons=tuple(mesh.physics) if solid else None,
        physics_bsp=mesh.physics_tree(solid=True) if solid else None,
        sort_center=(0.0, 0.0, 0.0),
        polygons=tuple(mesh.polygons),
        drawing_bsp=mesh.drawing_tree(ports),
    )  # fmt: skip


def setup(
    setup_id: int,
    parts: Sequence[int],
    frames: Sequence[StoredFrame] | None = None,
    *,
    cylspheres: Sequence[CylSphere] = (),
    spheres: Sequence[Sphere] = (),
    height: float = 1.0,
    radius: float = 0.5,
    bound: Sphere | None = None,
    motion_table: int = 0,
    has_bsp: bool = False,
    lights: Sequence[Light] = (),
    script: int = 0,
    script_table: int = 0,
    animation: int = 0,
    flags: int = 0,
) -> Setup:
    """An object of parts with one placement, the default one."""
    placed = tuple(frames) if frames is not None else (IDENTITY_FRAME,) * len(parts)
    bound = bound or Sphere((0.0, 0.0, f32(height / 2)), f32(max(height / 2, radius)))
    return Setup(
        setup_id, flags | (8 if has_bsp else 0), tuple(parts), placements=(Placement(0, placed),),
        cylspheres=tuple(cylspheres), spheres=tuple(spheres), height=f32(height), radius=f32(radius),
        step_up=f32(0.4), step_down=f32(0.4), sorting=bound, selection=bound, motion_table=motion_table,
        lights=tuple(lights), script=script, script_table=script_table, animation=animation,
    )  # fmt: skip


def outline(faces: Iterable[Face]) -> list[Points]:
    """The polygons of faces, to collide with what is drawn."""
    return [face.points for face in faces]
