"""Meshes of cells, models and their parts, made from records once each (surfaces 4.1, 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from engine.dat.hex_id import hex_id
from engine.dat.records.environment import Environment
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.world.cells import EnvCell
from engine.world.frame import Frame
from engine.world.models import Model
from engine.world.source import Problems, WorldSource
from viewer.renderer.images.materials import Material, RenderClass
from viewer.renderer.images.surfaces import SurfaceLibrary
from viewer.renderer.scene.junctions import Junctions, Points
from viewer.renderer.scene.meshes import (
    Batch,
    Chunk,
    Side,
    box_chunk,
    chunks_of,
    drawn_polygons,
    place_all,
    sides_of,
)

MARKER = 0  # stands for a GfxObj that is missing
_MARKER_REACH = 1.0  # metres: what stands for a missing model reaches less far
_NOWHERE = Frame((0.0, 0.0, 0.0))
_MARKER_LOW, _MARKER_HIGH = (-0.3, -0.3, 0.0), (0.3, 0.3, 0.6)


class MeshLibrary:
    """Chunks in the local space of a part, model or cell. Missing records become a marker box.

    Any thread may ask; what the context's thread is given can be drawn.
    """

    def __init__(
        self,
        source: WorldSource,
        surfaces: SurfaceLibrary,
        problems: Problems,
        *,
        model_of: Callable[[int], Model | None],
        by_drawing_tree: bool = True,
    ) -> None:
        self._source = source
        self._surfaces = surfaces
        self.problems = problems
        self._model_of = model_of
        self._by_tree = by_drawing_tree
        self._parts: dict[tuple[int, bool], _Part] = {}
        self._shells: dict[tuple[int, int, tuple[int, ...]], _Shell] = {}
        self._cells: dict[tuple[_Shell, bytes], list[Chunk]] = {}
        self._environments: dict[int, Environment | None] = {}
        self._reaches: dict[int, float] = {}

    def part(self, gfx_obj_id: int, *, shell: bool = False) -> list[Chunk]:
        """A GfxObj in its own space. Untextured polygons are drawn solid, in a shell not at all."""
        self._surfaces.textures.settle()
        key = (gfx_obj_id, shell)
        found = self._parts.get(key)
        if found is None:
            found = self._parts[key] = self._make_part(gfx_obj_id, shell=shell)
        return found.chunks

    def parts_of(self, model_id: int) -> list[tuple[int, Frame, Vec3]]:
        """The parts of a Setup or GfxObj: GfxObj id, resting frame, scale of its vertices.

        MARKER stands for a model that is missing as a whole; who made the models has reported it.
        """
        model = self._model_of(model_id)
        if model is None:
            return [(MARKER, _NOWHERE, (1.0, 1.0, 1.0))]
        parts = zip(model.parts, model.part_frames, model.part_scales, strict=True)
        return [(part.gfxobj_id, frame, scale) for part, frame, scale in parts]

    def reach(self, model_id: int) -> float:
        """How far from its origin a model reaches at scale 1, metres: never less than it does."""
        found = self._reaches.get(model_id)
        if found is None:
            found = self._reaches[model_id] = self.reach_posed(model_id, ())
        return found

    def reach_posed(self, model_id: int, poses: Sequence[Frame]) -> float:
        """The same of a model whose first parts are in other frames than at rest."""
        model = self._model_of(model_id)
        return max(_MARKER_REACH, model.reach(poses) if model is not None else 0.0)

    def moves(self, model_id: int) -> bool:
        """Whether a static of a model moves by itself: it has an animation or motions (motion 5.4)."""
        model = self._model_of(model_id)
        return model is not None and model.is_animated

    def placed(self, model_id: int, frame: Frame, scale: float = 1.0, *, shell: bool = False) -> list[Chunk]:
        """A model moved to where it stands; its scale multiplies part offsets and vertices."""
        return self.placed_all(model_id, [frame], scale, shell=shell)

    def placed_all(
        self, model_id: int, frames: Sequence[Frame], scale: float = 1.0, *, shell: bool = False
    ) -> list[Chunk]:
        """The same for a model that stands in several places: each of its chunks holds all of them."""
        out: list[Chunk] = []
        for gfx_obj_id, part_frame, part_scale in self.parts_of(model_id):
            local = part_frame.scaled(scale)
            size = (part_scale[0] * scale, part_scale[1] * scale, part_scale[2] * scale)
            at = [frame.combine(local) for frame in frames]
            out.extend(place_all(c, at, size) for c in self.part(gfx_obj_id, shell=shell))
        return out

    def vertices(self, model_id: int) -> int:
        """How many vertices a model has."""
        return sum(
            len(c.vertices) for gfx_obj_id, _, _ in self.parts_of(model_id) for c in self.part(gfx_obj_id)
        )

    def vertices_of_cell(self, cell: EnvCell) -> int:
        """How many corners the polygons of a cell's shell have."""
        return self._shell(cell).count

    def any_blended(self, model_id: int) -> bool:
        """Whether any of a model's triangles are blended."""
        chunks = (c for gfx_obj_id, _, _ in self.parts_of(model_id) for c in self.part(gfx_obj_id))
        return any(c.batch.render_class > RenderClass.CUTOUT for c in chunks)

    def cell(self, cell: EnvCell, beyond: Points | None = None) -> list[Chunk]:
        """The shell of a cell in its own space: textured polygons that are not portals.

        ``beyond`` are corners of its neighbours at its portals, in the cell's space: its edges are cut
        there, so that no crack opens between the two.
        """
        self._surfaces.textures.settle()
        shell = self._shell(cell)
        key = (shell, b"" if beyond is None else beyond.tobytes())
        found = self._cells.get(key)
        if found is None:
            junctions = shell.junctions
            if beyond is not None and len(beyond):
                junctions = junctions.with_points(beyond)
            found = self._cells[key] = chunks_of(shell.sides, shell.materials, junctions)
        return found

    def let_go(self) -> None:
        """Forget the Environments that were read: the shells of a landblock are made."""
        self._environments.clear()

    def size(self) -> int:
        """How many vertices are kept."""
        kept = [*(part.chunks for part in list(self._parts.values())), *list(self._cells.values())]
        return sum(len(chunk.vertices) for chunks in kept for chunk in chunks)

    def keep(self, models: Iterable[int], cells: Iterable[EnvCell]) -> set[Material]:
        """Forget all parts and shells but those of these models and cells; the materials that are in use."""
        parts = {part for model_id in models for part, _, _ in self.parts_of(model_id)}
        shells = {shell for cell in cells if (shell := self._shells.get(_shell_key(cell))) is not None}
        for key in [key for key in list(self._parts) if key[0] not in parts]:
            self._parts.pop(key, None)
        for name in [name for name, shell in list(self._shells.items()) if shell not in shells]:
            self._shells.pop(name, None)
        for cut in [cut for cut in list(self._cells) if cut[0] not in shells]:
            self._cells.pop(cut, None)
        used = {m for part in self._parts.values() for m in part.materials}
        return used.union(*(shell.materials for shell in self._shells.values()))

    def corners(self, cell: EnvCell) -> Points:
        """The corners of a cell's drawn polygons, in its own space."""
        return self._shell(cell).junctions.points

    def marker(self) -> list[Chunk]:
        """The box that stands for something missing."""
        m = self._surfaces.marker
        return [box_chunk(Batch(m.render_class, m.page, wrap=False), m.layer, _MARKER_LOW, _MARKER_HIGH)]

    def _make_part(self, gfx_obj_id: int, *, shell: bool) -> _Part:
        if gfx_obj_id == MARKER:
            return _Part(self.marker(), [])
        record = self.problems.fetch(self._source.gfx_obj, gfx_obj_id)
        if record is None:
            return _Part(self.marker(), [])
        materials = [self._surfaces.material(s) for s in record.surfaces]
        sides = sides_of(
            record.vertex_array,
            drawn_polygons(record, by_tree=self._by_tree),
            len(materials),
            lambda slot: materials[slot].textured or not shell,
        )
        return _Part(chunks_of(sides, materials), materials)

    def _shell(self, cell: EnvCell) -> _Shell:
        key = _shell_key(cell)
        found = self._shells.get(key)
        if found is None:
            found = self._shells.setdefault(key, self._make_shell(cell))  # another thread may be at it
        return found

    def _make_shell(self, cell: EnvCell) -> _Shell:
        structure = cell.structure
        read = self._source.environment
        environment = self.problems.fetch_once(self._environments, read, structure.environment_id)
        record = environment.cell(structure.structure) if environment is not None else None
        if record is None:
            self.problems.report(
                f"{self._source.name}: cell {hex_id(cell.id)}: structure {structure.structure} of"
                f" environment {hex_id(structure.environment_id)} is missing: nothing is drawn for it"
            )
            return _Shell([], [])
        materials = [self._surfaces.material(s) for s in cell.surfaces]
        openings = set(record.portals)
        walls = [p for p in record.polygons if p.key not in openings]
        sides = sides_of(record.vertex_array, walls, len(materials), lambda slot: materials[slot].textured)
        return _Shell(sides, materials)


def _shell_key(cell: EnvCell) -> tuple[int, int, tuple[int, ...]]:
    return (cell.structure.environment_id, cell.structure.structure, cell.surfaces)


class _Part(NamedTuple):
    """A GfxObj's triangles, and the materials that its surfaces have."""

    chunks: list[Chunk]
    materials: list[Material]


class _Shell:
    """A cell structure with its surfaces: sides and materials, and where corners lie on edges."""

    def __init__(self, sides: list[Side], materials: list[Material]) -> None:
        self.sides = sides
        self.materials = materials
        self.count = sum(len(side.corners) for side in sides)
        self.junctions = Junctions([side.corners for side in sides])


def object_center(chunks: list[Chunk]) -> Vec3:
    """The middle of the mean of triangles' corners, where one light value for a whole object is taken."""
    points = [c.vertices["position"][c.indices].mean(axis=0) for c in chunks if len(c.vertices)]
    if not points:
        return (0.0, 0.0, 0.0)
    mean = sum(points) / len(points)
    return (float(mean[0]), float(mean[1]), float(mean[2]))
