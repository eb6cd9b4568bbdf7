"""Gathers the debug shapes that a picture's options ask for, from world, physics and visibility."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

from engine.dat.hex_id import hex_id
from engine.dat.pieces import bsp_record
from engine.dat.values import Vec3
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.simulation.body_shapes import (
    body_shapes,
    camera_shapes,
    path_shapes,
    shadow_shapes,
    slope_shapes,
)
from engine.physics.simulation.collision_shapes import (
    cell_collision,
    ground_collision,
    object_collision,
    shell_collision,
)
from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import COLLISION_RADIUS
from engine.visibility.picture_view import SEALED, PictureView
from engine.visibility.region_shapes import RED, pyramid_shapes
from engine.visibility.view_modes import beyond_stab_list
from engine.world.cells import Building, EnvCell, LandCell
from engine.world.debug_shapes import (
    MOST_LINES,
    NOT_ALL,
    WHITE,
    DebugShapes,
    ShapeRoom,
    cell_box_shapes,
    cell_outline_shapes,
    cell_tree_shapes,
    drawing_tree_shapes,
    hue,
    physics_tree_shapes,
)
from engine.world.frame import Frame
from engine.world.ids import rebase
from engine.world.tree_nodes import (
    NamedTree,
    TreeNode,
    containment_nodes,
    drawing_nodes,
    first_met,
    physics_nodes,
    pointed_shapes,
)
from viewer.picture.eye_line import EyeLine
from viewer.renderer.render_options import RenderOptions

REACH = 40.0  # metres from the eye within which buildings and objects are explained
SLOPE_REACH = 24.0  # metres within which the ground's slope is shown
COLLISION_REACH = 96.0  # metres within which what collides outdoors is shown
_SHELL_TREES = frozenset({"physics-bsp", "drawing-bsp"})
_Key = tuple[str, int, int]
_Tree = Callable[[DebugShapes, EnvCell], None]


class ShapeGatherer:
    """Makes shapes of one simulation's world; those of trees are made once and kept while the world stays."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._kept: dict[_Key, DebugShapes] = {}
        self._kept_nodes: dict[_Key, NamedTree] = {}
        self._version = -1
        self._room = ShapeRoom()

    def gather(
        self, picture: PictureView, options: RenderOptions, line: EyeLine | None = None
    ) -> list[DebugShapes]:
        """The shapes that ``options.shapes`` names, for the cells of a picture.

        ``line`` is the body's own, to show the camera's sweep from elsewhere.
        """
        wanted = options.shapes
        world = self._simulation.world
        if world.version != self._version:
            self._kept.clear()
            self._kept_nodes.clear()
            self._version = world.version
        self._room = ShapeRoom()
        out: list[DebugShapes] = []
        cells = {row.cell: row.env_cell for row in picture.cells}
        self._trees(out, picture, wanted, cells)
        if "bounds" in wanted:
            for cell in cells.values():
                cell_box_shapes(self._add(out, picture), cell, hue(cell.id & 0xFFFF))
        if "beyond-stab" in wanted:
            for row in beyond_stab_list(world, picture.frozen if picture.frozen is not None else picture):
                cell_box_shapes(self._add(out, picture), row.env_cell, (*RED, 1.0))
        body = self._simulation.body
        if "body-cell" in wanted and body.cell is not None:
            cell_outline_shapes(self._add(out, picture), body.cell, WHITE)
        if "shadows" in wanted:
            shadow_shapes(self._add(out, picture), self._near_objects(picture, frozenset(cells)))
        if "collision" in wanted:
            self._collision(out, picture, cells)
        if "slopes" in wanted:
            touched = [self._simulation.world.get_visible(c) for c in body.cell_ids if c not in cells]
            ground = [*cells.values(), *(c for c in touched if c is not None), *self._near_ground(picture)]
            out.append(DebugShapes(picture.root, through=False, room=self._room))
            slope_shapes(out[-1], ground, self._near_objects(picture, frozenset(cells)))
        if "body" in wanted:
            self._body(self._add(out, picture), picture, line)
        if "pyramids" in wanted:
            out.append(pyramid_shapes(picture))
        if self._room.is_full:
            world.problems.report(
                f"{world.source.name}: shapes have over {MOST_LINES} lines; not all are shown"
            )
        return out

    def _trees(
        self, out: list[DebugShapes], picture: PictureView, wanted: frozenset[str], cells: dict[int, EnvCell]
    ) -> None:
        """The trees of cells and shells, and the node of one that is looked at."""
        trees: list[NamedTree] = []
        for name, tree, nodes in (
            ("physics-bsp", _physics, _physics_nodes),
            ("cell-bsp", _containment, containment_nodes),
            ("drawing-bsp", self._drawing, self._drawing_nodes),
        ):
            if name in wanted:
                out += [self._of_cell(name, cell, tree) for cell in cells.values()]
                trees += [self._nodes((name, cell.id, -1), partial(nodes, cell)) for cell in cells.values()]
        if picture.path != SEALED and not wanted.isdisjoint(_SHELL_TREES):
            for block_id, building in self._near_buildings(picture):
                for name in wanted & _SHELL_TREES:
                    out.append(self._of_building(name, block_id, building))
                    nodes_of = partial(self._shell_nodes, name, building)
                    trees.append(self._nodes((name, block_id, building.index), nodes_of))
        pointed = first_met(trees, picture.view.eye, picture.view.forward, picture.root)
        if pointed is not None:
            pointed_shapes(self._add(out, picture), pointed)

    def _add(self, out: list[DebugShapes], picture: PictureView) -> DebugShapes:
        out.append(DebugShapes(picture.root, room=self._room))
        return out[-1]

    def _collision(self, out: list[DebugShapes], picture: PictureView, cells: dict[int, EnvCell]) -> None:
        """What collides in the visible cells and the body's, and outdoors where that is seen."""
        world = self._simulation.world
        touched = {c: world.env_cell(c) for c in self._simulation.body.cell_ids}
        inside = cells | {c: cell for c, cell in touched.items() if cell is not None}
        out += [self._of_cell("collision", cell, cell_collision) for cell in inside.values()]
        if picture.path != SEALED:
            for block_id, building in self._near_buildings(picture, COLLISION_REACH):
                out.append(self._of_building("collision", block_id, building))
            out.append(DebugShapes(picture.root, solid=True, room=self._room))
            for land in self._near_ground(picture, COLLISION_REACH):
                ground_collision(out[-1], land)
        out.append(DebugShapes(picture.root, solid=True, room=self._room))
        object_collision(out[-1], self._near_objects(picture, frozenset(inside), COLLISION_REACH))

    def _body(self, out: DebugShapes, picture: PictureView, line: EyeLine | None) -> None:
        """The body, its last sweep, and the camera's where it isn't the eye of the picture."""
        body, sweep = self._simulation.body, self._simulation.last_sweep
        body_shapes(out, body, None if sweep is None else sweep.normal)
        if sweep is not None:
            path_shapes(out, body, sweep)
        seen = picture.frozen
        if seen is not None and line is not None:
            camera_shapes(out, body.position.cell_id, line.pivot, self._eye_of(seen), radius=COLLISION_RADIUS)

    def _eye_of(self, seen: PictureView) -> Vec3:
        return rebase(seen.view.eye, seen.root, self._simulation.body.position.cell_id)

    def _nodes(self, key: _Key, make: Callable[[], tuple[TreeNode, ...]]) -> NamedTree:
        """The nodes of a tree, made once as its shapes are."""
        found = self._kept_nodes.get(key)
        if found is None:
            found = self._kept_nodes[key] = NamedTree(key[1], make())
        return found

    def _of_cell(self, name: str, cell: EnvCell, tree: _Tree) -> DebugShapes:
        key = (name, cell.id, -1)
        found = self._kept.get(key)
        if found is None:
            found = DebugShapes(cell.id, solid=name == "collision", room=self._room)
            if self._room.is_full:
                return found
            self._kept[key] = found
            tree(found, cell)
            self._tell(found, name, cell.id)
        else:
            self._room.left -= len(found.lines) + len(found.triangles)
        return found

    def _of_building(self, name: str, block_id: int, building: Building) -> DebugShapes:
        key = (name, block_id, building.index)
        found = self._kept.get(key)
        if found is None:
            found = DebugShapes(block_id, solid=name == "collision", room=self._room)
            if self._room.is_full:
                return found
            self._kept[key] = found
            if name == "physics-bsp" and building.shell_root is not None:
                physics_tree_shapes(found, building.shell_root, building.shell_frame, block_id)
            elif name == "drawing-bsp":
                self._shell_drawing(found, block_id, building)
            elif name == "collision":
                shell_collision(found, block_id, building)
            self._tell(found, f"{name} of building {building.index}", block_id)
        return found

    def _tell(self, shapes: DebugShapes, name: str, object_id: int) -> None:
        world = self._simulation.world
        if shapes.cut_short:
            world.problems.report(f"{world.source.name}, object {hex_id(object_id)}: {name}: {NOT_ALL}")

    def _drawing(self, out: DebugShapes, cell: EnvCell) -> None:
        root = self._drawing_root(cell)
        if root is not None:
            drawing_tree_shapes(out, root, _corners(cell), cell.frame, cell_id=cell.id)

    def _drawing_nodes(self, cell: EnvCell) -> tuple[TreeNode, ...]:
        root = self._drawing_root(cell)
        return () if root is None else drawing_nodes(root, _corners(cell), cell.frame)

    def _drawing_root(self, cell: EnvCell) -> bsp_record.BspNode | None:
        world, structure = self._simulation.world, cell.structure
        environment = world.problems.fetch(world.source.environment, structure.environment_id)
        record = environment.cell(structure.structure) if environment is not None else None
        return None if record is None else record.drawing_bsp

    def _shell_drawing(self, out: DebugShapes, block_id: int, building: Building) -> None:
        for root, corners, placed in self._shell_trees(building):
            drawing_tree_shapes(out, root, corners, placed, cell_id=block_id)

    def _shell_nodes(self, name: str, building: Building) -> tuple[TreeNode, ...]:
        if name == "physics-bsp":
            root = building.shell_root
            return () if root is None else physics_nodes(root, building.shell_frame)
        return tuple(node for tree in self._shell_trees(building) for node in drawing_nodes(*tree))

    def _shell_trees(
        self, building: Building
    ) -> Iterator[tuple[bsp_record.BspNode, dict[int, list[Vec3]], Frame]]:
        """The drawing trees of a shell's parts: root, corners by polygon, place in the block frame."""
        world = self._simulation.world
        model = world.model(building.model_id)
        for part, frame in zip(model.parts, model.part_frames, strict=True) if model is not None else ():
            record = world.problems.fetch(world.source.gfx_obj, part.gfxobj_id)
            if record is None or record.drawing_bsp is None:
                continue
            places = {v.key: v.pos for v in record.vertex_array.vertices}
            corners = {p.key: [places[i] for i in p.vertex_ids if i in places] for p in record.polygons or ()}
            yield record.drawing_bsp, corners, building.pos.frame.combine(frame)

    def _near_buildings(self, picture: PictureView, reach: float = REACH) -> Iterator[tuple[int, Building]]:
        for block_id, block in self._simulation.world.blocks.items():
            for building in block.buildings:
                place = rebase(building.pos.frame.origin, block_id, picture.root)
                if math.dist(place[:2], picture.view.eye[:2]) < reach:
                    yield block_id, building

    def _near_ground(self, picture: PictureView, reach: float = SLOPE_REACH) -> Iterator[LandCell]:
        """The landcells about the eye, with the buildings on them, where the landscape is seen."""
        if picture.path == SEALED:
            return
        for block_id, block in self._simulation.world.blocks.items():
            x, y, _ = rebase(picture.view.eye, picture.root, block_id)
            for cell in block.land_cells:
                corners = [v for polygon in cell.polygons for v in polygon.vertices]
                if min(math.dist((x, y), v[:2]) for v in corners) < reach:
                    yield cell

    def _near_objects(
        self, picture: PictureView, cells: frozenset[int], reach: float = REACH
    ) -> list[PhysicsObject]:
        """What stands in the visible cells, in the body's, and near by outdoors."""
        near = cells | frozenset(self._simulation.body.cell_ids)
        found = []
        for target in self._simulation.registry.objects.values():
            place = rebase(target.position.frame.origin, target.position.cell_id, picture.root)
            if math.dist(place, picture.view.eye) > reach:
                continue
            outdoors = picture.path != SEALED and any(c & 0xFFFF < 0x100 for c in target.cell_ids)
            if outdoors or not near.isdisjoint(target.cell_ids):
                found.append(target)
        return found


def _physics(out: DebugShapes, cell: EnvCell) -> None:
    if cell.structure.physics_root is not None:
        physics_tree_shapes(out, cell.structure.physics_root, cell.frame, cell.id)


def _physics_nodes(cell: EnvCell) -> tuple[TreeNode, ...]:
    root = cell.structure.physics_root
    return () if root is None else physics_nodes(root, cell.frame)


def _corners(cell: EnvCell) -> dict[int, tuple[Vec3, ...]]:
    return {key: p.vertices for key, p in cell.structure.polygons.items()}


def _containment(out: DebugShapes, cell: EnvCell) -> None:
    cell_tree_shapes(out, cell, hue(cell.id & 0xFFFF))
