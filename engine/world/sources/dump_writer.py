"""Dumps as they are written: records of a world in the JSON form that other tools read, too (sources 2)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.dat.hex_id import hex_id
from engine.dat.pieces.bsp_record import BspNode, TreeKind, write_bsp
from engine.dat.pieces.geometry import Polygon, VertexArray
from engine.dat.primitives import Writer
from engine.dat.records.animation import Animation
from engine.dat.records.codecs import encode
from engine.dat.records.env_cell import SEEN_OUTSIDE, EnvCell
from engine.dat.records.environment import CellStruct
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.motion_table import MotionTable
from engine.dat.records.setup import Setup
from engine.dat.values import StoredFrame, Vec3
from engine.files.format_version import DUMP, stamp
from engine.files.json_form import Json
from engine.world.frame import Frame
from engine.world.ids import block_of
from engine.world.polygon import Polygon as RuntimePolygon


def cell_document(cell_id: int, cell: EnvCell, structure: CellStruct) -> Json:
    """A cell dump; beside what other tools know its physics tree, its exact turn and neighbours' portals."""
    block = block_of(cell_id)
    vertices = structure.vertex_array
    return {
        **stamp(DUMP),
        "CellId": hex_id(cell_id),
        "WorldTransform": _matrix(cell.frame),
        "Orientation": list(cell.frame.orientation),
        "ResolvedPolygons": polygons(structure.physics_polygons, vertices),
        "PortalPolygons": polygons(structure.polygons, vertices),
        "Portals": [
            {
                "OtherCellId": portal.other_cell,
                "PolygonId": portal.polygon,
                "Flags": portal.flags,
                "OtherPortalId": portal.other_portal,
            }
            for portal in cell.portals
        ],
        "VisibleCellIds": [hex_id(block | low) for low in cell.visible],
        "SeenOutside": bool(cell.flags & SEEN_OUTSIDE),
        "PhysicsTree": _tree(structure.physics_bsp),
    }


def gfxobj_document(gfxobj: GfxObj) -> Json:
    """A model's dump: what of it collides, with its tree, and what is drawn. Surfaces stay out."""
    out: Json = {
        **stamp(DUMP),
        "GfxObjId": hex_id(gfxobj.id),
        "ResolvedPolygons": polygons(gfxobj.physics_polygons or (), gfxobj.vertex_array),
        "DrawingPolygons": polygons(gfxobj.polygons or (), gfxobj.vertex_array),
    }
    if gfxobj.physics_bsp is not None:
        sphere = gfxobj.physics_bsp.sphere
        if sphere is not None:
            out["BoundingSphereOrigin"] = _vector(sphere.center)
            out["BoundingSphereRadius"] = sphere.radius
        out["PhysicsTree"] = _tree(gfxobj.physics_bsp)
    return out


def setup_document(setup: Setup) -> Json:
    """A setup's dump."""
    out: Json = {
        **stamp(DUMP),
        "Parts": [hex_id(part) for part in setup.parts],
        "PlacementFrames": {str(placed.key): _frames(placed.frames) for placed in setup.placements},
        "CylSpheres": [
            {"Origin": _vector(cyl.low_point), "Radius": cyl.radius, "Height": cyl.height}
            for cyl in setup.cylspheres
        ],
        "Spheres": [{"Origin": _vector(sphere.center), "Radius": sphere.radius} for sphere in setup.spheres],
        "Height": setup.height,
        "Radius": setup.radius,
        "StepUpHeight": setup.step_up,
        "StepDownHeight": setup.step_down,
        "MotionTable": hex_id(setup.motion_table),
    }
    if setup.scales is not None:
        out["Scales"] = [list(scale) for scale in setup.scales]
    return out


def record_document(record: Animation | MotionTable) -> Json:
    """A record as it is stored, in hexadecimal digits: other tools' dumps have no form for what moves."""
    return {**stamp(DUMP), "Type": type(record).__name__, "Stored": encode(record).hex()}


def polygons(records: Iterable[Polygon], vertices: VertexArray) -> list[Json]:
    """Polygons with their corners and planes. One that names a vertex that is not there is left out."""
    places = {vertex.key: vertex.pos for vertex in vertices.vertices}
    out: list[Json] = []
    for record in records:
        if any(vertex not in places for vertex in record.vertex_ids) or len(record.vertex_ids) < 3:
            continue
        corners = [places[vertex] for vertex in record.vertex_ids]
        plane = RuntimePolygon(record.key, corners, record.sides_type)
        out.append(
            {
                "Id": record.key,
                "NumPoints": len(corners),
                "SidesType": record.sides_type,
                "Plane": {"Normal": _vector(plane.normal), "D": plane.d},
                "Vertices": [_vector(corner) for corner in corners],
            }
        )
    return out


def _tree(root: BspNode) -> str:
    writer = Writer()
    write_bsp(writer, root, TreeKind.PHYSICS)
    return writer.out.hex()


def _frames(frames: Iterable[StoredFrame]) -> list[Json]:
    return [{"Origin": _vector(f.origin), "Orientation": list(f.orientation)} for f in frames]


def _vector(v: Vec3) -> Json:
    return dict(zip("XYZ", v, strict=True))


def _matrix(frame: StoredFrame) -> Json:
    """Row vectors: world = local · M."""
    turned = Frame.stored(frame)
    rows = [turned.to_global_vec(axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
    full = [*((*row, 0.0) for row in rows), (*frame.origin, 1.0)]
    return {f"M{i}{j}": value for i, row in enumerate(full, start=1) for j, value in enumerate(row, start=1)}
