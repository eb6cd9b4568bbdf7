"""What is translucent in a frame, outdoors and by the cell: far to near, additive last (passes 3.11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.world.ids import is_outdoor
from viewer.renderer.images.materials import RenderClass
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.block_meshes import OUTDOORS
from viewer.renderer.scene.entities import DrawnObject, SceneObjects
from viewer.renderer.scene.matrices import EyeSpace
from viewer.renderer.scene.mesh_buffer import MeshGroup
from viewer.renderer.scene.particles import OUTDOORS as ALL_OUTDOORS
from viewer.renderer.scene.particles import Run
from viewer.renderer.scene.scene_store import SceneStore

_CORNERS_OF_A_THING: Final = 8192  # as long as these take that fill little


class BlendedItem(NamedTuple):
    """Something translucent: a key to know it again, the cells it is in, baked ranges, an object or a run.

    ``outdoors`` tells that it stands outdoors or reaches there, ``lit_indoors`` that its light is a cell's.
    """

    key: tuple[str, int]
    cells: tuple[int, ...]
    group: MeshGroup | None
    thing: DrawnObject | None
    outdoors: bool = False
    lit_indoors: bool = False
    run: Run | None = None

    @property
    def comes_last(self) -> bool:
        """Whether it is a faded object: it stands right before the eye and leaves its depths behind."""
        return self.thing is not None and self.thing.alpha < 1.0


class BlendedFinder(NamedTuple):
    """Finds what is translucent in one frame; ``shows`` tells whether an entity may be in the picture."""

    scene: SceneStore
    eye: EyeSpace
    objects: SceneObjects
    options: RenderOptions
    shows: Callable[[DrawnObject], bool]

    def outdoors(self) -> list[tuple[int, BlendedItem]]:
        """What is translucent outdoors, on shells too, each with a cell of the block that it is placed in."""
        found: list[tuple[bool, float, int, BlendedItem]] = []
        for meshes in self.scene.blocks():
            block_id = meshes.block_id
            for index in meshes.shared_in.get(OUTDOORS, ()) if self.options.objects else ():
                shared = meshes.shared[index]
                cells = tuple(c for c in shared.cells if c != OUTDOORS)
                if cells and not self.options.shells:
                    continue
                item = BlendedItem(("outdoors", block_id), cells, shared.group, None, lit_indoors=bool(cells))
                found.append((*self._order(block_id, shared.group), block_id, item))
            for group in meshes.shells if self.options.shells else ():
                if group.blended:
                    item = BlendedItem(("shell", block_id), (), group, None)
                    found.append((*self._order(block_id, group), block_id, item))
        for thing in self.objects.outdoors if self.options.objects else ():
            if self.shows(thing) and self.scene.entities.any_blended(thing):
                item = BlendedItem(("object", thing.object_id), thing.cells, None, thing)
                found.append((False, -self._far(thing.cell_id, thing.frame.origin), thing.cell_id, item))
        far = [-row[1] for row in found if not row[0]]
        found.extend(
            (run.adds, -run.far, 0, BlendedItem(("particles", run.first), (), None, None, run=run))
            for run in self.scene.particles.runs(ALL_OUTDOORS, far)
        )
        return [row[2:] for row in sorted(found, key=lambda row: (row[3].comes_last, *row[:2]))]

    def in_cell(self, cell_id: int) -> list[BlendedItem]:
        """What is translucent in a cell, each with all the cells that it reaches into."""
        out: list[tuple[bool, float, BlendedItem]] = []
        meshes = self.scene.block(cell_id)
        group = None if meshes is None else meshes.cells.get(cell_id)
        if meshes is not None and group is not None:
            if group.blended:
                item = BlendedItem(("cell", cell_id), (cell_id,), group, None)
                out.append((*self._order(cell_id, group), item))
            for index in meshes.shared_in.get(cell_id, ()):
                shared = meshes.shared[index]
                key = ("shared", meshes.block_id + index)
                outdoors = OUTDOORS in shared.cells and self.options.objects
                item = BlendedItem(
                    key=key, cells=shared.cells, group=shared.group, thing=None, outdoors=outdoors
                )
                out.append((*self._order(cell_id, shared.group), item))
        for thing in self.objects.in_cell(cell_id) if self.options.objects else ():
            if self.shows(thing) and self.scene.entities.any_blended(thing):
                outdoors = any(is_outdoor(c) for c in thing.cells)
                item = BlendedItem(
                    key=("object", thing.object_id),
                    cells=thing.cells,
                    group=None,
                    thing=thing,
                    outdoors=outdoors,
                )
                out.append((False, -self._far(thing.cell_id, thing.frame.origin), item))
        far = [-row[1] for row in out if not row[0]]
        for run in self.scene.particles.runs(cell_id, far):
            item = BlendedItem(("particles", run.first), (cell_id,), None, None, run=run)
            out.append((run.adds, -run.far, item))
        return [row[2] for row in sorted(out, key=lambda row: (row[2].comes_last, *row[:2]))]

    def work_in(self, cell_id: int) -> int:
        """How much there is to draw in a cell: things one by one, and what so many triangles take as well."""
        meshes = self.scene.block(cell_id)
        group = None if meshes is None else meshes.cells.get(cell_id)
        work = 1 + len(self.objects.in_cell(cell_id))
        if meshes is not None and group is not None:
            corners = sum(part.size for part in (*group.opaque, *group.blended))
            work += len(meshes.shared_in.get(cell_id, ())) + corners // _CORNERS_OF_A_THING
        return work

    def _order(self, cell_id: int, group: MeshGroup) -> tuple[bool, float]:
        """What blended groups are sorted by: whether one only adds light, then far before near."""
        adds = all(r.render_class is RenderClass.ADD for r in group.blended)
        return adds, -self._far(cell_id, group.center)

    def _far(self, cell_id: int, point: Vec3) -> float:
        """The squared distance of a point of a cell's block from the eye."""
        x, y, z = self.eye.relative(cell_id, point)
        return x * x + y * y + z * z
