"""What blocks the body, in the picture: the polygon that was met, and the thing that it belongs to."""

from __future__ import annotations

from typing import Final

from engine.dat.values import Vec3
from engine.physics.enums import HitKind
from engine.physics.simulation.blocked import Blocked
from engine.physics.simulation.body_shapes import shadow_shapes
from engine.physics.simulation.simulation import Simulation
from engine.physics.transition.hit import Hit
from engine.world.cells import EnvCell, LandCell
from engine.world.debug_shapes import DebugShapes, Rgba, cell_outline_shapes
from engine.world.frame import Frame
from engine.world.ids import rebase
from engine.world.polygon import Polygon

MET: Final[Rgba] = (1.0, 0.25, 0.15, 1.0)
OWNER: Final[Rgba] = (1.0, 0.7, 0.2, 0.8)
_FACE: Final = 0.35

Corners = tuple[Vec3, ...]


def blocked_shapes(simulation: Simulation, blocked: Blocked, root: int) -> DebugShapes | None:
    """The polygon in red and the edges of its owner in amber; None where nothing was met."""
    hit = blocked.hit
    if hit is None:
        return None
    out = DebugShapes(root)
    found = met_polygon(simulation, hit)
    if found is not None:
        cell_id, corners = found
        placed = [rebase(p, cell_id, root) for p in corners]
        out.outline(placed, MET)
        out.fan(placed, (*MET[:3], _FACE))
    _owner(out, simulation, hit)
    return out


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
