"""The checks of ``holtwalk dat check`` inside models, setups, motions and the region."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.dat.check.facts import Facts
from engine.dat.hex_id import hex_id
from engine.dat.pieces.bsp_record import KNOWN_TAGS, BspNode
from engine.dat.pieces.geometry import Polygon, VertexArray
from engine.dat.records.environment import CellStruct, Environment
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.motion_table import AnimData, MotionTable
from engine.dat.records.region import Region
from engine.dat.records.setup import NO_PARENT, Setup

FindingText = tuple[str, str]  # kind and detail


def model_findings(facts: Facts, record: Any) -> Iterator[FindingText]:
    """What is wrong with the indices in a GfxObj, Environment, Setup, MotionTable or Region."""
    match record:
        case GfxObj():
            yield from _gfx_obj(record)
        case Environment():
            for cell in record.cells:
                yield from _cell_struct(cell)
        case Setup():
            yield from _setup(record)
        case MotionTable():
            for motion in record.motions():
                for anim in motion.anims:
                    yield from _anim_range(facts, anim)
        case Region():
            yield from _region(record)
        case _:
            return


def _gfx_obj(gfx_obj: GfxObj) -> Iterator[FindingText]:
    vertices = _vertices(gfx_obj.vertex_array)
    drawing, physics = gfx_obj.polygons or (), gfx_obj.physics_polygons or ()
    yield from _keys("vertex", (vertex.key for vertex in gfx_obj.vertex_array.vertices))
    yield from _polygons("polygon", drawing, vertices)
    yield from _polygons("physics polygon", physics, vertices)
    for polygon in drawing:
        if polygon.pos_surface >= len(gfx_obj.surfaces):
            yield "out of range", f"polygon {polygon.key}: surface slot {polygon.pos_surface}"
    yield from _tree("drawing", gfx_obj.drawing_bsp, drawing)
    yield from _tree("physics", gfx_obj.physics_bsp, physics)


def _cell_struct(cell: CellStruct) -> Iterator[FindingText]:
    vertices = _vertices(cell.vertex_array)
    where = f"structure {cell.key}: "
    keys = {polygon.key for polygon in cell.polygons}
    for kind, detail in (
        *_keys("vertex", (vertex.key for vertex in cell.vertex_array.vertices)),
        *_polygons("polygon", cell.polygons, vertices),
        *_polygons("physics polygon", cell.physics_polygons, vertices),
        *_tree("cell", cell.cell_bsp, ()),
        *_tree("physics", cell.physics_bsp, cell.physics_polygons),
        *_tree("drawing", cell.drawing_bsp, cell.polygons),
        *(("out of range", f"portal polygon {key}") for key in cell.portals if key not in keys),
    ):
        yield kind, where + detail


def _vertices(array: VertexArray) -> dict[int, int]:
    """Number of UV pairs by vertex key."""
    return {vertex.key: len(vertex.uvs) for vertex in array.vertices}


def _keys(name: str, keys: Iterable[int]) -> Iterator[FindingText]:
    """The client uses keys as array indices: they must ascend from 0 without gaps (dat-format 3.6)."""
    for wanted, key in enumerate(keys):
        if key != wanted:
            yield "inconsistent", f"{name} key {key} where {wanted} is due"
            return


def _polygons(name: str, polygons: tuple[Polygon, ...], vertices: dict[int, int]) -> Iterator[FindingText]:
    yield from _keys(name, (polygon.key for polygon in polygons))
    for polygon in polygons:
        for vertex in polygon.vertex_ids:
            if vertex not in vertices:
                yield "out of range", f"{name} {polygon.key}: vertex {vertex}"
        for uvs in (polygon.pos_uv_indices, polygon.neg_uv_indices):
            for vertex, uv in zip(polygon.vertex_ids, uvs or (), strict=False):
                # A vertex without any pair gives (0, 0); only an index past existing pairs is a slip.
                if vertices.get(vertex) and uv >= vertices[vertex]:
                    yield "out of range", f"{name} {polygon.key}: UV pair {uv} of vertex {vertex}"
        if len(polygon.vertex_ids) < 3:
            yield "inconsistent", f"{name} {polygon.key} has {len(polygon.vertex_ids)} vertices"


def _tree(name: str, root: BspNode | None, polygons: tuple[Polygon, ...]) -> Iterator[FindingText]:
    if root is None:
        return
    keys = {polygon.key for polygon in polygons}
    for node in root.walk():
        if node.tag not in KNOWN_TAGS:
            yield "inconsistent", f"{name} tree: a node with the unknown tag {node.tag}"
        named = [*(node.polys or ()), *(ref.polygon for ref in node.portals or ())]
        for key in named:
            if key not in keys:
                yield "out of range", f"{name} tree: polygon {key} in a {node.tag}"


def _setup(setup: Setup) -> Iterator[FindingText]:
    parts = len(setup.parts)
    for location in setup.holding + setup.connection:
        if not -1 <= location.part < parts:
            yield "out of range", f"location {location.key}: part {location.part}"
    parents = setup.parents or ()
    ends: dict[int, int | None] = {}  # of each part: what its forefathers end with, None for themselves
    for part in range(len(parents)):
        way: dict[int, None] = {}
        at = part
        while at < parts and at not in ends and at not in way:
            way[at] = None
            at = parents[at]
            if at == NO_PARENT:
                break
        end = None if at in way else ends.get(at, at)
        ends.update(dict.fromkeys(way, end))
        if end is None:
            yield "cyclic", f"part {part} descends from itself"
        elif end != NO_PARENT:
            yield "out of range", f"part {part}: parent {end}"


def _anim_range(facts: Facts, anim: AnimData) -> Iterator[FindingText]:
    count = facts.frames(anim.id)
    if count is None:
        return
    last = count - 1 if anim.high == -1 else anim.high
    if not 0 <= anim.low <= last < count:
        yield (
            "out of range",
            f"frames {anim.low} to {anim.high} of animation {hex_id(anim.id)}, of {count}",
        )


def _region(region: Region) -> Iterator[FindingText]:
    scenes, sounds = len(region.scene or ()), len(region.sound or ())
    for kind in region.terrain.types:
        for index in kind.scenes:
            if not -1 <= index < scenes:
                yield "out of range", f"terrain {kind.name!r}: scene index {index}"
    for position, scene in enumerate(region.scene or ()):
        if not -1 <= scene.sound_index < sounds:
            yield "out of range", f"scene type {position}: sound index {scene.sound_index}"
    for group in region.sky.groups if region.sky else ():
        for time in group.times:
            for change in time.replace:
                if change.object_index >= len(group.objects):
                    yield "out of range", f"day group {group.name!r}: sky object {change.object_index}"
