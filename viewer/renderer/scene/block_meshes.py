"""A landblock's drawn things in one vertex buffer: cells with what stands in them, shells, outdoor objects.

Everything is placed in the block frame when the block is loaded, so a cell is one to three draws
(passes 9.3). An object that reaches through a portal is drawn with both cells (passes 3.10).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.made_once import MadeOnce
from engine.named_tuple import NamedTuple
from engine.world.cells import EnvCell, Landblock, PlacedObject
from engine.world.frame import Frame
from engine.world.ids import block_offset, is_outdoor
from engine.world.polygon import Polygon, bounding_sphere
from engine.world.source import WorldSource
from engine.world.under_way import UnderWay
from viewer.renderer.images.materials import RenderClass
from viewer.renderer.scene.block_bounds import Chosen
from viewer.renderer.scene.junctions import Points
from viewer.renderer.scene.mesh_buffer import BufferBuilder, MeshGroup, bytes_held, release
from viewer.renderer.scene.mesh_library import MeshLibrary, object_center
from viewer.renderer.scene.meshes import Chunk, bounds, place
from viewer.renderer.scene.point_lights import (
    Lights,
    PointLight,
    light_at,
    lights_by_cell_reached,
    lit,
    place_light,
    vertex_light,
)

if TYPE_CHECKING:
    import moderngl

    from viewer.renderer.scene.sight import Sight

OUTDOORS = 0xFFFF
MOST_VERTICES: Final = 1 << 22  # of a landblock: 250 MB; a village has some ten thousands
MOST_VERTICES_OF_ALL: Final = (
    3 << 24
)  # of all landblocks: three gigabytes; forests to the horizon have ten millions
MOST_LIGHTS: Final = 16_384  # of a landblock's rooms: each gives light to all corners that it reaches
LARGE = 1.6
"""Metres of radius above which a thing is lit by its vertices, as the walls about it: stairs, arches."""
_AROUND = 2.5
"""So many times a thing's reach the sphere around its box ends, at the most, from its origin: root six."""
_IN_PLANE = 0.002  # metres off a portal's plane at which a neighbour's corner still counts as in it


class SharedBlended(NamedTuple):
    """Translucent parts of an object: sorted by themselves, and drawn once for all cells it reaches into.

    OUTDOORS is one of these where it stands outdoors or reaches there.
    """

    cells: tuple[int, ...]
    group: MeshGroup


class BlockMeshes:
    """One landblock's meshes, made on any thread and then uploaded.

    ``shells`` are by the building's index, ``cells`` by cell id. ``outdoor`` is what stands outdoors,
    ``reaching`` what stands in a cell and may reach out through an exit: it has the light of its cell.
    ``shared_in`` are the numbers of those ``shared`` that reach into a cell, or OUTDOORS. Made for ``only``
    a sight, what is not in it is left out, and so is what has more than ``most`` vertices, the ``count`` of
    all in it.
    """

    def __init__(
        self,
        block: Landblock,
        source: WorldSource,
        library: MeshLibrary,
        under_way: UnderWay | None = None,
        *,
        only: Sight | None = None,
        most: int = MOST_VERTICES,
    ) -> None:
        self.block_id = block.id
        self.count = 0
        chosen = self._chosen = Chosen(block, library.reach, only)
        cells = [cell for cell in block.env_cells.values() if chosen.has_room(cell.id)]
        through = (under_way or UnderWay()).through

        def report(line: str) -> None:
            library.problems.report(f"{source.name}, object {hex_id(block.id | 0xFFFE)}: {line}")

        self.lights: dict[int, list[PointLight]] = lights_by_cell(block, source, report)
        self._reaching_lights = lights_by_cell_reached(
            block.env_cells, self.lights, report=report, under_way=under_way
        )
        self._near: dict[int, Lights] = {}
        self._room, self._lacking = max(0, min(MOST_VERTICES, most)), 0
        builder = BufferBuilder()
        things: dict[int, list[Chunk]] = {cell.id: [] for cell in cells}
        things[OUTDOORS] = []
        outdoor: list[list[Chunk]] = []
        shared: list[tuple[tuple[int, ...], list[Chunk]]] = []
        for cell in through(f"shapes of the cells of {hex_id(block.id)}", cells):
            if not self._room_for(library.vertices_of_cell(cell)):
                continue
            shell = library.cell(cell, _corners_beyond(block, cell, library))
            things[cell.id].extend(self._lit_by_vertex([place(c, cell.frame) for c in shell], cell))
        library.let_go()
        outdoors: dict[tuple[int, float], list[Frame]] = {}
        statics = through(f"shapes of the objects in {hex_id(block.id)}", block.statics)
        for thing, is_shown in zip(statics, chosen.statics, strict=True):
            if library.moves(thing.model_id):
                continue  # drawn by itself, in the pose of the moment
            indoors = block.env_cells.get(thing.cell_id)
            if indoors is not None:
                places = things if is_shown else things.keys() - {OUTDOORS}
                if chosen.is_all or _may_reach(thing, indoors, library.reach(thing.model_id), places):
                    self._add_static(thing, indoors, library, things, block=block, shared=shared)
            elif is_shown and is_outdoor(thing.cell_id) and self._room_for(library.vertices(thing.model_id)):
                frame = _in_block(thing, block.id)
                outdoors.setdefault((thing.model_id, thing.scale), []).append(frame)
        for (model_id, scale), frames in outdoors.items():
            outdoor.append(_solid(library.placed_all(model_id, frames, scale)))
            if library.any_blended(model_id):
                alone = (_blended(library.placed(model_id, frame, scale)) for frame in frames)
                shared.extend(((OUTDOORS,), chunks) for chunks in alone)
        _, self.outdoor = builder.add_many(outdoor)
        self.reaching = builder.add(things.pop(OUTDOORS))
        self.cells = {cell_id: builder.add(chunks) for cell_id, chunks in things.items()}
        self.shared = [SharedBlended(cells, builder.add(chunks)) for cells, chunks in shared if chunks]
        self.shared_in: dict[int, list[int]] = {}
        for index, blended in enumerate(self.shared):
            for cell_id in blended.cells:
                self.shared_in.setdefault(cell_id, []).append(index)
        self.shells, self.all_shells = builder.add_many(
            [
                library.placed(b.model_id, b.pos.frame, shell=True)
                if is_shown and self._room_for(library.vertices(b.model_id))
                else []
                for b, is_shown in zip(block.buildings, chosen.buildings, strict=True)
            ]
        )
        if self._lacking:
            over = f"it has over {MOST_VERTICES} corners"
            if most < MOST_VERTICES:
                over = f"all landblocks has over {MOST_VERTICES_OF_ALL} corners"
            report(f"what is drawn of {over}: {self._lacking} things in it lack")
        builder.pack()
        self.vao: moderngl.VertexArray | None = None
        self._builder: BufferBuilder | None = builder

    def _room_for(self, vertices: int) -> bool:
        """Whether so many vertices more are drawn of the landblock, which counts them, or else what lacks."""
        has_room = self._room >= vertices
        self._room = self._room - vertices if has_room else 0
        self.count += vertices if has_room else 0
        self._lacking += not has_room
        return has_room

    def _lit_by_vertex(self, chunks: list[Chunk], cell: EnvCell) -> list[Chunk]:
        """Chunks in the block frame with the lights of their cell on each vertex."""
        if not chunks:
            return []
        vertices = np.concatenate([chunk.vertices for chunk in chunks])
        points, normals = vertices["position"].astype(float), vertices["normal"].astype(float)
        light = vertex_light(points, normals, self.lights_near(cell))
        ends = np.cumsum([len(chunk.vertices) for chunk in chunks])
        return [lit(chunk, rows) for chunk, rows in zip(chunks, np.split(light, ends[:-1]), strict=True)]

    def upload(self, ctx: moderngl.Context, program: moderngl.Program) -> None:
        """Bring the vertices onto the GPU, once, on the context's thread."""
        if self._builder is not None:
            self.vao = self._builder.upload(ctx, program)
            self._builder = None

    def lacks(self, sight: Sight | None) -> bool:
        """Whether a sight, or None for all there is, may show something that was left out."""
        return self._chosen.lacks(sight)

    def lights_near(self, cell: EnvCell) -> Lights:
        """The static lights that reach a cell: its own, and through openings those of others (light 6.5)."""
        found = self._near.get(cell.id)
        if found is None:
            found = self._near[cell.id] = Lights(self._reaching_lights.get(cell.id, ()))
        return found

    def release(self) -> None:
        """Give the GPU memory back."""
        release(self.vao)
        self.vao = None

    @property
    def bytes_held(self) -> int:
        """GPU memory of the vertices."""
        return bytes_held(self.vao)

    def _add_static(
        self,
        thing: PlacedObject,
        cell: EnvCell,
        library: MeshLibrary,
        things: dict[int, list[Chunk]],
        *,
        block: Landblock,
        shared: list[tuple[tuple[int, ...], list[Chunk]]],
    ) -> None:
        if self._room <= 0:
            self._lacking += 1
            return
        chunks = library.placed(thing.model_id, thing.frame, thing.scale)
        center, radius = bounds(chunks)
        if radius > LARGE:
            chunks = self._lit_by_vertex(chunks, cell)
        else:
            light = np.array([place_light(object_center(chunks), self.lights_near(cell))])
            chunks = [lit(c, light) for c in chunks]
        owners = [c for c in cells_reached(cell, center, radius) if c == OUTDOORS or c in block.env_cells]
        if not self._room_for(len(owners) * sum(len(chunk.vertices) for chunk in chunks)):
            return
        shared.append((tuple(owners), _blended(chunks)))
        for owner in owners:
            if owner in things:
                things[owner].extend(_solid(chunks))


def _in_block(thing: PlacedObject, block_id: int) -> Frame:
    """Where an outdoor object stands in its landblock's frame: its cell may lie across the border."""
    ox, oy, oz = thing.frame.origin
    dx, dy, dz = block_offset(block_id, thing.cell_id)
    return thing.frame.with_origin((ox + dx, oy + dy, oz + dz))


def _solid(chunks: list[Chunk]) -> list[Chunk]:
    return [c for c in chunks if c.batch.render_class <= RenderClass.CUTOUT]


def _blended(chunks: list[Chunk]) -> list[Chunk]:
    return [c for c in chunks if c.batch.render_class > RenderClass.CUTOUT]


def _measured(polygon: Polygon) -> tuple[list[float], float]:
    points = polygon.vertices
    middle = [sum(p[k] for p in points) / len(points) for k in range(3)]
    return middle, max(math.dist(middle, p) for p in points)


_middle_and_size: Final = MadeOnce(_measured)
"""The mean of a polygon's corners, and how far from it they are: thousands of things may stand before it."""


def cells_reached(cell: EnvCell, center: Vec3, radius: float) -> list[int]:
    """A cell and those behind its portals that a sphere in the block frame reaches through (passes 3.10).

    One hop: OUTDOORS for an exit.
    """
    out = [cell.id]
    local = cell.frame.to_local(center)
    for portal in cell.portals:
        if abs(portal.polygon.distance(local)) >= radius or portal.other_cell_id in out:
            continue
        middle, size = _middle_and_size(portal.polygon)
        if math.dist(middle, local) < radius + size:
            out.append(portal.other_cell_id)
    return out


def _may_reach(thing: PlacedObject, cell: EnvCell, reach: float, places: Container[int]) -> bool:
    """Whether something in a cell may be drawn with any of some cells, or OUTDOORS."""
    reached = cells_reached(cell, thing.frame.origin, _AROUND * reach * abs(thing.scale))
    return any(cell_id in places for cell_id in reached)


def _corners_beyond(block: Landblock, cell: EnvCell, library: MeshLibrary) -> Points:
    """The corners of a cell's neighbours that lie in its portals' planes near them, in its own space."""
    found: list[Points] = []
    beyond: dict[int, Points] = {}
    for portal in cell.portals:
        other = block.env_cells.get(portal.other_cell_id)
        polygon = portal.polygon
        if other is None or len(polygon.vertices) < 3:
            continue
        points = beyond.get(other.id)
        if points is None:
            points = _moved(_moved(library.corners(other), other.frame), cell.frame, inverse=True)
            beyond[other.id] = points
        center, radius = bounding_sphere(polygon.vertices)
        near = np.linalg.norm(points - np.array(center), axis=1) < radius + _IN_PLANE
        near &= np.abs(points @ np.array(polygon.normal) + polygon.d) < _IN_PLANE
        found.append(points[near])
    return np.concatenate(found) if found else np.zeros((0, 3))


def _moved(points: Points, frame: Frame, *, inverse: bool = False) -> Points:
    rot = np.array(frame.rot).reshape(3, 3)
    origin = np.array(frame.origin)
    out: Points = (points - origin) @ rot if inverse else points @ rot.T + origin
    return out


def lights_by_cell(
    block: Landblock, source: WorldSource, report: Callable[[str], None] | None = None
) -> dict[int, list[PointLight]]:
    """The lights of what stands in each cell, by cell id, in the block frame.

    ``report`` is told where there are far too many, of which the last are left out.
    """
    out: dict[int, list[PointLight]] = {}
    left, lost = MOST_LIGHTS, 0
    for thing in block.statics:
        if is_outdoor(thing.cell_id) or thing.model_id >> 24 != 0x02:
            continue
        try:
            setup = source.setup(thing.model_id)
        except DatError:
            continue  # reported where the model is drawn
        lamps = setup.lights if setup is not None else ()
        lost += max(0, len(lamps) - left)
        for lamp in lamps[:left]:
            light = light_at(
                thing.frame,
                lamp.frame.origin,
                argb=lamp.color,
                intensity=lamp.intensity,
                falloff=lamp.falloff,
            )
            out.setdefault(thing.cell_id, []).append(light)
        left = max(0, left - len(lamps))
    if lost and report is not None:
        report(
            f"its rooms have {MOST_LIGHTS + lost} lights, over {MOST_LIGHTS}: the last {lost} are left out"
        )
    return out
