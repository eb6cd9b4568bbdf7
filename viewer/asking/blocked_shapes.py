"""What blocks the body, in the picture: the polygon that was met, and the thing that it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.dat.values import Vec3
from engine.physics.enums import HitKind
from engine.physics.simulation.blocked import Blocked
from engine.physics.simulation.body_shapes import shadow_shapes
from engine.physics.simulation.simulation import Simulation
from engine.physics.transition.hit import Hit
from engine.visibility.clip import clip_edges, clip_w
from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon, full_view
from engine.world.cells import EnvCell, LandCell
from engine.world.debug_shapes import DebugShapes, Rgba, cell_outline_shapes
from engine.world.frame import Frame
from engine.world.ids import rebase
from engine.world.physics_state import ETHEREAL
from engine.world.polygon import Polygon, make_plane

MET: Final[Rgba] = (1.0, 0.25, 0.15, 1.0)
OWNER: Final[Rgba] = (1.0, 0.7, 0.2, 0.8)
_FACE, _FAINT = 0.35, 0.05
_SMALL, _LARGE = 0.6, 0.9
"""Shares of the picture: a face that covers more tells nothing apart, and hides what it lies on."""
_BORDER: Final = 0.985  # NDC: a line there is whole in the picture

Corners = tuple[Vec3, ...]


def blocked_shapes(simulation: Simulation, blocked: Blocked, root: int, view: View) -> DebugShapes | None:
    """Each polygon in red and the edges of its owner in amber; None where nothing was met or holds now.

    ``view`` is in the block frame of ``root``. The more of it the polygon covers, the fainter it is filled;
    of one that covers most, whose edges may all be beside the picture, the part in view is outlined.
    """
    hits = [hit for hit in blocked.hits if not _lets_pass(simulation, hit)]
    if not hits:
        return None
    out = DebugShapes(root)
    for hit in hits:
        _met(out, simulation, hit, view)
    for hit in {hit.owner: hit for hit in hits}.values():
        _owner(out, simulation, hit)
    return out


def _met(out: DebugShapes, simulation: Simulation, hit: Hit, view: View) -> None:
    found, root = met_polygon(simulation, hit), out.cell_id
    if found is not None:
        cell_id, corners = found
        placed = [rebase(p, cell_id, root) for p in corners]
        out.outline(placed, MET)
        share = covered(placed, view)
        if share >= _LARGE:
            out.outline(_in_view(placed, view), MET)
        fading = max(0.0, min((share - _SMALL) / (_LARGE - _SMALL), 1.0))
        out.fan(placed, (*MET[:3], _FACE + (_FAINT - _FACE) * fading))


def met_polygon(simulation: Simulation, hit: Hit) -> tuple[int, Corners] | None:
    """The corners of a hit's polygon and a cell of the block that they are in; None for a round shape."""
    world = simulation.world
    if hit.kind is HitKind.ENTITY:
        target = simulation.registry.get(hit.owner)
        for shape, pose in () if target is None else zip(target.family, target.poses, strict=True):
            if shape.part is not None and shape.part_index == hit.part:
                polygon = shape.part.physics_polygons.get(hit.poly)
                k = shape.scale
                return None if polygon is None else (pose.cell_id, _placed(polygon, pose.frame, k))
        return None
    cell = world.get_visible(hit.cell_id)
    if hit.kind is HitKind.BUILDING and isinstance(cell, LandCell):
        building = cell.building
        model = None if building is None else world.model(building.model_id)
        if building is None or model is None or not model.parts:
            return None
        polygon = model.parts[0].physics_polygons.get(hit.poly)
        return None if polygon is None else (cell.id, _placed(polygon, building.shell_frame))
    owner = world.get_visible(hit.owner)
    if isinstance(owner, EnvCell):
        polygon = owner.structure.physics_polygons.get(hit.poly)
        return None if polygon is None else (owner.id, _placed(polygon, owner.frame))
    if isinstance(owner, LandCell):
        polygon = next((p for p in owner.polygons if p.id == hit.poly), None)
        return None if polygon is None else (owner.id, polygon.vertices)
    return None


def _lets_pass(simulation: Simulation, hit: Hit) -> bool:
    """Whether what was met has become passable: its shapes stay where they were when a door swings open."""
    target = simulation.registry.get(hit.owner) if hit.kind is HitKind.ENTITY else None
    return target is not None and target.state & ETHEREAL != 0


def covered(polygon: Sequence[Vec3], view: View) -> float:
    """The share of the picture that a convex polygon covers, 0 to 1, should nothing hide it."""
    points = clip_edges(clip_w([view.project(p) for p in polygon]), full_view().edges)
    return abs(ViewPolygon(points).area) / 4.0 if points else 0.0


def _in_view(polygon: Sequence[Vec3], view: View) -> list[Vec3]:
    """What of a polygon lies within the picture's border; nothing of one that is seen from its edge."""
    b = _BORDER
    border = ViewPolygon([(-b, -b), (b, -b), (b, b), (-b, b)])
    (nx, ny, nz), d = make_plane(polygon)
    ex, ey, ez = view.eye
    before = nx * ex + ny * ey + nz * ez + d
    out: list[Vec3] = []
    for x, y in clip_edges(clip_w([view.project(p) for p in polygon]), border.edges):
        rx, ry, rz = view.ray(x, y)
        along = nx * rx + ny * ry + nz * rz
        if along == 0.0:
            return []
        w = -before / along
        out.append((ex + w * rx, ey + w * ry, ez + w * rz))
    return out


def _owner(out: DebugShapes, simulation: Simulation, hit: Hit) -> None:
    """The thing's own shapes, or the cell's hull."""
    if hit.kind is HitKind.ENTITY:
        target = simulation.registry.get(hit.owner)
        if target is not None:
            before = len(out.lines)
            shadow_shapes(out, [target])
            out.lines[before:] = [(a, b, OWNER) for a, b, _ in out.lines[before:]]
            del out.labels[:]
        return
    cell = simulation.world.get_visible(hit.owner)
    if isinstance(cell, EnvCell):
        cell_outline_shapes(out, cell, OWNER)


def _placed(polygon: Polygon, frame: Frame, scale: float = 1.0) -> Corners:
    return tuple(frame.to_global((x * scale, y * scale, z * scale)) for x, y, z in polygon.vertices)
