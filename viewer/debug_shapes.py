"""Gathers the debug shapes that a frame's options ask for, from world, physics and visibility."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from engine.physics.debug_shapes import body_shapes, shadow_shapes
from engine.physics.simulation import Simulation
from engine.visibility.debug_shapes import pyramid_shapes
from engine.visibility.frame_view import SEALED, FrameView
from engine.world.cells import Building, EnvCell
from engine.world.debug_shapes import (
    DebugShapes,
    cell_tree_shapes,
    drawing_tree_shapes,
    hue,
    physics_tree_shapes,
)
from engine.world.ids import rebase
from viewer.renderer.options import RenderOptions

REACH = 40.0  # metres from the eye within which buildings and objects are explained

_Tree = Callable[[DebugShapes, EnvCell], None]


class ShapeGatherer:
    """Makes shapes of one simulation's world; those of trees are made once and kept while the world stays."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._kept: dict[tuple[str, int, int], DebugShapes] = {}
        self._version = -1

    def gather(
        self, frame: FrameView, options: RenderOptions, locked: FrameView | None = None
    ) -> list[DebugShapes]:
        """The shapes that ``options.shapes`` names, for the cells of a frame.

        ``locked`` is the frame whose regions are shown where the eye has left it.
        """
        wanted = options.shapes
        world = self._simulation.world
        if world.version != self._version:
            self._kept.clear()
            self._version = world.version
        out: list[DebugShapes] = []
        cells = {row.cell: row.cell_view.cell for row in frame.cells}
        for name, tree in (
            ("physics-bsp", _physics),
            ("cell-bsp", _containment),
            ("drawing-bsp", self._drawing),
        ):
            if name in wanted:
                out += [self._of_cell(name, cell, tree) for cell in cells.values()]
        if frame.path != SEALED:
            for block_id, building in self._near_buildings(frame):
                for name in ("physics-bsp", "drawing-bsp"):
                    if name in wanted:
                        out.append(self._of_building(name, block_id, building))
        if "shadows" in wanted:
            out.append(self._shadows(frame, frozenset(cells)))
        if "body" in wanted:
            sweep = self._simulation.last_sweep
            shapes = DebugShapes(frame.root)
            body_shapes(shapes, self._simulation.body, None if sweep is None else sweep.normal)
            out.append(shapes)
        if "pyramids" in wanted:
            out.append(pyramid_shapes(locked if locked is not None else frame))
        return out

    def _of_cell(self, name: str, cell: EnvCell, tree: _Tree) -> DebugShapes:
        key = (name, cell.id, -1)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = DebugShapes(cell.id)
            tree(found, cell)
        return found

    def _of_building(self, name: str, block_id: int, building: Building) -> DebugShapes:
        key = (name, block_id, building.index)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = DebugShapes(block_id)
            if name == "physics-bsp" and building.shell_root is not None:
                physics_tree_shapes(found, building.shell_root, building.shell_frame, block_id)
            elif name == "drawing-bsp":
                self._shell_drawing(found, block_id, building)
        return found

    def _drawing(self, out: DebugShapes, cell: EnvCell) -> None:
        world, structure = self._simulation.world, cell.structure
        environment = world.problems.fetch(world.source.environment, structure.environment_id)
        record = environment.cell(structure.structure) if environment is not None else None
        if record is not None and record.drawing_bsp is not None:
            corners = {key: p.vertices for key, p in structure.polygons.items()}
            drawing_tree_shapes(out, record.drawing_bsp, corners, cell.frame, cell.id)

    def _shell_drawing(self, out: DebugShapes, block_id: int, building: Building) -> None:
        world = self._simulation.world
        model = world.model(building.model_id)
        for part, frame in zip(model.parts, model.part_frames, strict=True) if model is not None else ():
            record = world.problems.fetch(world.source.gfx_obj, part.gfxobj_id)
            if record is None or record.drawing_bsp is None:
                continue
            places = {v.key: v.pos for v in record.vertex_array.vertices}
            corners = {p.key: [places[i] for i in p.vertex_ids if i in places] for p in record.polygons or ()}
            placed = building.pos.frame.combine(frame)
            drawing_tree_shapes(out, record.drawing_bsp, corners, placed, block_id)

    def _near_buildings(self, frame: FrameView) -> Iterator[tuple[int, Building]]:
        for block_id, block in self._simulation.world.blocks.items():
            for building in block.buildings:
                place = rebase(building.pos.frame.origin, block_id, frame.root)
                if math.dist(place[:2], frame.view.eye[:2]) < REACH:
                    yield block_id, building

    def _shadows(self, frame: FrameView, cells: frozenset[int]) -> DebugShapes:
        """The shapes of what stands in the visible cells, in the body's, and near by outdoors."""
        near = cells | frozenset(self._simulation.body.cell_ids)
        found = []
        for target in self._simulation.registry.objects.values():
            place = rebase(target.position.frame.origin, target.position.cell_id, frame.root)
            if math.dist(place, frame.view.eye) > REACH:
                continue
            outdoors = frame.path != SEALED and any(c & 0xFFFF < 0x100 for c in target.cell_ids)
            if outdoors or not near.isdisjoint(target.cell_ids):
                found.append(target)
        out = DebugShapes(frame.root)
        shadow_shapes(out, found)
        return out


def _physics(out: DebugShapes, cell: EnvCell) -> None:
    if cell.structure.physics_root is not None:
        physics_tree_shapes(out, cell.structure.physics_root, cell.frame, cell.id)


def _containment(out: DebugShapes, cell: EnvCell) -> None:
    cell_tree_shapes(out, cell, hue(cell.id & 0xFFFF))
