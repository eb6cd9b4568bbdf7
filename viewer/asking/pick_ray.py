"""A pixel's ray through the cells that the picture's floods visited, as the passes would paint the pixel."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.dat.values import Vec3
from engine.physics.enums import FLOOR_Z
from engine.visibility.look_in import LookIn
from engine.visibility.picture_view import PictureView
from engine.visibility.view_polygon import Ndc, ViewPolygon
from engine.world.cells import EnvCell
from engine.world.ids import is_outdoor, rebase
from engine.world.loading.world import World
from engine.world.polygon import Polygon
from engine.world.tree_nodes import ray_to_face
from viewer.asking.drawn_faces import Face, FaceStore, met_at, misses, uv_at
from viewer.asking.pick_scene import PickScene, Piece, leaf_of, outlines
from viewer.renderer.gl.pixel_watch import BLENDED, OUTDOORS
from viewer.renderer.images.materials import RenderClass
from viewer.report.picked import Facet, PickKind, Solid

IN_PLANE = 0.02  # metres: a face at an opening lies in it rather than behind it
NO_FACE = -1


@dataclass(frozen=True, slots=True)
class Met:
    """What a ray meets: how far along it, and the piece with its face, or the ground's triangle."""

    t: float
    how: RenderClass
    alpha: float
    piece: Piece | None
    face: Face | None
    land: int = 0
    triangle: Polygon | None = None
    room: int = 0

    @property
    def is_solid(self) -> bool:
        """Whether it hides what lies behind it."""
        return self.how <= RenderClass.CUTOUT


class PixelRay:
    """The ray of a place of the screen (NDC) through a picture."""

    def __init__(
        self, world: World, picture: PictureView, scene: PickScene, store: FaceStore, *, at: Ndc
    ) -> None:
        self._world = world
        self._picture = picture
        self._scene = scene
        self._store = store
        self.x, self.y = x, y = at
        self.eye = picture.view.eye
        ray = picture.view.ray(x, y)
        length = math.sqrt(ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2])
        self.direction = (ray[0] / length, ray[1] / length, ray[2] / length)

    def met(self) -> list[Met]:
        """Everything that the pixel shows, nearest first, down to the first that hides what is behind it."""
        picture = self._picture
        outside = self._shows(picture.outside)
        exit_at = self._exit() if outside and picture.flood is not None else None
        indoors: list[Met] = []
        if picture.flood is not None:
            for cell_id in picture.flood.draw_order():
                if self._shows(picture.flood.cells[cell_id].views):
                    indoors += self._pieces(self._scene.cell(cell_id), room=cell_id)
        for cell_id in picture.loose:
            indoors += self._pieces(self._scene.cell(cell_id), room=cell_id)
        if not outside:
            return _down_to_solid(indoors)
        start = 0.0 if exit_at is None else exit_at - IN_PLANE
        outdoors = [m for m in self._landscape() if m.t >= start]
        if exit_at is not None:
            indoors = [m for m in indoors if m.t <= exit_at + IN_PLANE]
        return _down_to_solid(outdoors + indoors)

    def painter(self, group: str, of: int) -> Met | None:
        """What of things that were drawn together the ray meets first, by their group and the id of that.

        Of translucent ones only where all that the ray meets of them is of one thing. None where nothing is.
        """
        blended = group.startswith(BLENDED)
        found = [m for m in self._drawn_together(group, of) if m.is_solid is not blended]
        if not found or (blended and len({m.piece.owner for m in found if m.piece is not None}) > 1):
            return None
        return min(found, key=lambda m: m.t)

    def _drawn_together(self, group: str, of: int) -> list[Met]:
        scene, block = self._scene, of & 0xFFFF0000
        match group.removeprefix(BLENDED):
            case "ground":
                return self._ground()
            case "shells" | "shell":
                return self._pieces(p for p in scene.shells() if p.owner == block)
            case "outdoors" if group == OUTDOORS:
                return self._pieces(p for p in scene.statics(block) if is_outdoor(p.block))
            case "outdoors" | "shared":
                return self._pieces(scene.statics(block))
            case "reaching":
                inside = {p.owner for p in scene.outdoor_things() if not is_outdoor(p.block)}
                return self._pieces(p for p in scene.statics(block) if p.owner in inside)
            case "cell":
                return self._pieces((p for p in scene.cell(of) if p.kind is not PickKind.ENTITY), room=of)
            case "entity" | "object":
                return self._pieces(scene.entity(of))
        return []

    def place(self, t: float) -> Vec3:
        """A point of the ray in the block of the view root."""
        e, d = self.eye, self.direction
        return e[0] + t * d[0], e[1] + t * d[1], e[2] + t * d[2]

    @property
    def root(self) -> int:
        """The view root, in whose block eye and places are."""
        return self._picture.root

    def stretch_of(self, cell_id: int) -> tuple[float, float] | None:
        """From where to where along the ray the picture shows what belongs to a cell; None: nowhere."""
        picture = self._picture
        outside = self._shows(picture.outside)
        exit_at = self._exit() if outside and picture.flood is not None else None
        out_from = 0.0 if exit_at is None else exit_at - IN_PLANE
        if is_outdoor(cell_id):
            return (out_from, math.inf) if outside else None
        flood = picture.flood
        if cell_id in picture.loose or (
            flood is not None and cell_id in flood.cells and self._shows(flood.cells[cell_id].views)
        ):
            return 0.0, math.inf if exit_at is None else exit_at + IN_PLANE
        for look_in in picture.look_ins if outside else ():
            cells = look_in.flood.cells
            if self._shows(look_in.region) and cell_id in cells and self._shows(cells[cell_id].views):
                t = self._opening(look_in)
                return out_from if t is None else t - IN_PLANE, math.inf
        return None

    # -- what is met

    def _shows(self, views: Iterable[ViewPolygon]) -> bool:
        return any(view.contains_point(self.x, self.y) for view in views)

    def _exit(self) -> float | None:
        """Where the ray goes out: at the nearest exit that is seen there; None for one seen edge-on."""
        flood = self._picture.flood
        nearest: float | None = None
        for region, cell_id, index in flood.exits if flood is not None else ():
            cell = self._world.env_cell(cell_id)
            if cell is None or not region.contains_point(self.x, self.y):
                continue
            t = self._through(cell, cell.portals[index].polygon)
            if t is not None and (nearest is None or t < nearest):
                nearest = t
        return nearest

    def _through(self, cell: EnvCell, polygon: Polygon) -> float | None:
        start = cell.frame.to_local(rebase(self.eye, self._picture.root, cell.id))
        return ray_to_face(start, cell.frame.to_local_vec(self.direction), polygon.vertices)

    def _landscape(self) -> list[Met]:
        """Ground and shells, what is behind openings that one looks into, and what stands outdoors."""
        base = [*self._ground(), *self._pieces(self._scene.shells())]
        hidden = min((m.t for m in base if m.is_solid), default=math.inf)
        for look_in in reversed(self._picture.look_ins):  # they are painted far to near
            if not self._shows(look_in.region):
                continue
            t = self._opening(look_in)
            if t is not None and t > hidden + IN_PLANE:
                continue
            inside: list[Met] = []
            for cell_id in look_in.flood.draw_order():
                if self._shows(look_in.flood.cells[cell_id].views):
                    inside += self._pieces(self._scene.cell(cell_id, also_outdoors=False), cell_id)
            if inside:
                edge = -math.inf if t is None else t - IN_PLANE
                base = [m for m in base if m.t < edge] + [m for m in inside if m.t >= edge]
                break
        return base + self._pieces(self._scene.outdoor_things())

    def _opening(self, look_in: LookIn) -> float | None:
        if look_in.straddling:
            return None
        frame = look_in.building.pos.frame
        start = frame.to_local(rebase(self.eye, self._picture.root, look_in.block_id))
        polygon = look_in.aperture.opening.polygon
        return ray_to_face(start, frame.to_local_vec(self.direction), polygon.vertices)

    def _ground(self) -> list[Met]:
        out = []
        for land, polygon in self._scene.ground():
            start = rebase(self.eye, self._picture.root, land)
            t = met_at(start, self.direction, polygon.vertices)
            if t is not None:
                out.append(
                    Met(
                        t=t,
                        how=RenderClass.OPAQUE,
                        alpha=1.0,
                        piece=None,
                        face=None,
                        land=land,
                        triangle=polygon,
                    )
                )
        return out

    def _pieces(self, pieces: Iterable[Piece], room: int = 0) -> list[Met]:
        out: list[Met] = []
        for piece in pieces:
            start = rebase(self.eye, self._picture.root, piece.block)
            kx, ky, kz = piece.scale
            if not kx or not ky or not kz:
                continue
            size = max(abs(kx), abs(ky), abs(kz))
            if misses(start, self.direction, piece.faces, frame=piece.frame, scale=size):
                continue
            x, y, z = piece.frame.to_local(start)
            dx, dy, dz = piece.frame.to_local_vec(self.direction)
            begin, way = (x / kx, y / ky, z / kz), (dx / kx, dy / ky, dz / kz)
            mirrored = kx * ky * kz < 0.0
            for face in piece.faces.faces:
                points = face.points[::-1] if mirrored else face.points
                t = met_at(begin, way, points)
                if t is None:
                    continue
                at = (begin[0] + t * way[0], begin[1] + t * way[1], begin[2] + t * way[2])
                how = self._store.how(face.surface)
                alpha = 1.0
                if how is not RenderClass.OPAQUE:
                    alpha = self._store.alpha(face.surface, uv_at(face, at))
                if alpha > 0.0:
                    out.append(Met(t=t, how=how, alpha=alpha, piece=piece, face=face, room=room))
        return out

    # -- what it is

    def facet(self, met: Met) -> Facet:
        """A face in the words of the report; corners and normal in the block of the view root."""
        root = self._picture.root
        if met.triangle is not None:
            corners = tuple(rebase(p, met.land, root) for p in met.triangle.vertices)
            return Facet(
                kind=PickKind.TERRAIN,
                cell=met.land,
                owner=met.land,
                name="",
                setup=0,
                part=-1,
                gfxobj=0,
                polygon=met.triangle.id,
                node=-1,
                back=False,
                surface=0,
                texture=0,
                image=0,
                how="opaque",
                alpha=1.0,
                distance=met.t,
                normal=met.triangle.normal,
                corners=corners,
            )
        piece, face = met.piece, met.face
        assert piece is not None and face is not None
        placed = outlines(face.points, piece.frame, piece.scale)
        corners = tuple(rebase(p, piece.block, root) for p in placed)
        plain = self._store.is_plain()
        texture, image = (0, 0) if plain else self._store.texture(face.surface)
        return Facet(
            kind=piece.kind,
            cell=met.room or piece.cell,
            owner=piece.owner,
            name=piece.name,
            setup=piece.setup,
            part=piece.part,
            gfxobj=piece.gfxobj,
            polygon=face.polygon,
            node=-1 if plain else face.node,
            back=face.back,
            surface=0 if plain else face.surface,
            texture=texture,
            image=image,
            how=met.how.name.lower(),
            alpha=met.alpha,
            distance=met.t,
            normal=Polygon(0, corners).normal,
            corners=corners,
            building=piece.building,
            drawn_with=met.room,
        )

    def solid(self, met: Met) -> Solid | None:
        """The physics polygon of the same piece that the ray meets nearest to the drawn face."""
        root = self._picture.root
        if met.triangle is not None:
            corners = tuple(rebase(p, met.land, root) for p in met.triangle.vertices)
            normal = met.triangle.normal
            return Solid(
                polygon=met.triangle.id,
                leaf=NO_FACE,
                off=0.0,
                walkable=normal[2] >= FLOOR_Z,
                normal=normal,
                corners=corners,
            )
        piece = met.piece
        assert piece is not None
        kx, ky, kz = piece.scale
        start = rebase(self.eye, root, piece.block)
        x, y, z = piece.frame.to_local(start)
        dx, dy, dz = piece.frame.to_local_vec(self.direction)
        begin, way = (x / kx, y / ky, z / kz), (dx / kx, dy / ky, dz / kz)
        best: tuple[float, float, Polygon] | None = None
        for polygon in piece.physics.values():
            t = ray_to_face(begin, way, polygon.vertices)
            if t is not None and (best is None or abs(t - met.t) < best[0]):
                best = (abs(t - met.t), t, polygon)
        if best is None or piece.tree is None:
            return None
        _, t, polygon = best
        placed = outlines(polygon.vertices, piece.frame, piece.scale)
        corners = tuple(rebase(p, piece.block, root) for p in placed)
        normal = Polygon(0, corners).normal
        leaf = leaf_of(piece.tree, polygon.id)
        return Solid(
            polygon=polygon.id,
            leaf=leaf,
            off=t - met.t,
            walkable=normal[2] >= FLOOR_Z,
            normal=normal,
            corners=corners,
        )


def _down_to_solid(found: Sequence[Met]) -> list[Met]:
    out: list[Met] = []
    later_first = found[::-1]  # of two that coincide the later drawn is seen
    for met in sorted(later_first, key=lambda m: m.t):
        out.append(met)
        if met.is_solid:
            break
    return out
