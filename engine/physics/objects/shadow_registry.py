"""Which objects stand in which cells: rows by cell and shape under one entity id (objects 8.3-8.4)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.dat.hex_id import hex_id
from engine.physics.membership.cell_array import CellArray
from engine.physics.objects.cross_cells import MOST_CELLS, MOST_TRIED, calc_cross_cells
from engine.physics.objects.shadow_object import CellShadow, PhysicsObject, ShadowEntry
from engine.physics.objects.shadow_shape import ShadowShape
from engine.world.cells import Landblock
from engine.world.frame import Position
from engine.world.ids import CELL_SIDE, block_of
from engine.world.loading.world import World


class ShadowRegistry:
    """Registered objects by entity id; their shadows live in the cells' own lists.

    An object keeps the ids of all cells it overlaps. Where such a cell is not loaded, the object waits
    for its landblock: ``attach_block`` then floods again and puts it there. ``version`` grows with every
    change of what stands where, ``state_version`` with every state that is assigned. ``tried`` counts what
    all searches for cells have tried (``CellArray.tried``).
    """

    __slots__ = ("objects", "state_version", "tried", "version", "waiting", "world")

    def __init__(self, world: World) -> None:
        self.world = world
        self.objects: dict[int, PhysicsObject] = {}
        self.waiting: dict[int, dict[int, None]] = {}
        self.version = 0
        self.state_version = 0
        self.tried = 0

    def register(self, target: PhysicsObject, found: CellArray | None = None) -> None:
        """Put an object into every cell it overlaps; one already known under the id is replaced.

        ``found`` are these cells where they are known already.
        """
        self.deregister(target.entity_id)
        self.objects[target.entity_id] = target
        self._flood(target, found)

    def deregister(self, *entity_ids: int) -> None:
        """Remove all rows of entities and forget their shapes; a cell is gone through once for all."""
        leaving = {n: target for n in entity_ids if (target := self.objects.pop(n, None)) is not None}
        if not leaving:
            return
        self.version += 1
        for cell_id in {cell_id for target in leaving.values() for cell_id in target.shadows}:
            cell = self.world.get_visible(cell_id)
            if cell is not None:
                cell.shadow_objects[:] = [s for s in cell.shadow_objects if s.entity_id not in leaving]
        for entity_id, target in leaving.items():
            target.shadows.clear()
            for block_id in {block_of(cell_id) for cell_id in target.cell_ids}:
                self.waiting.get(block_id, {}).pop(entity_id, None)
            target.cell_ids = ()

    def update_position(self, entity_id: int, position: Position) -> None:
        """Move an entity: every row's pose is recomputed and the cells are flooded again."""
        target = self.objects[entity_id]
        target.move_to(position)
        self._flood(target)

    def update_physics_state(self, entity_id: int, state: int) -> None:
        """Rewrite the state on every row of an entity in every cell."""
        target = self.objects[entity_id]
        self.state_version += 1
        target.state = state
        for shadow in target.shadows.values():
            shadow.state = state

    def get(self, entity_id: int) -> PhysicsObject | None:
        """The object registered under an id."""
        return self.objects.get(entity_id)

    def cells_of(self, entity_id: int) -> tuple[int, ...]:
        """The ids of all cells an entity overlaps, loaded or not, its own first."""
        target = self.objects.get(entity_id)
        return () if target is None else target.cell_ids

    def shapes_of(self, entity_id: int) -> tuple[ShadowShape, ...]:
        """All shapes of an entity, colliding or not."""
        target = self.objects.get(entity_id)
        return () if target is None else target.shapes

    def rows(self, entity_id: int) -> list[ShadowEntry]:
        """Every row of an entity: one for each loaded cell and shape."""
        target = self.objects.get(entity_id)
        if target is None:
            return []
        return [row for shadow in target.shadows.values() for row in shadow.rows()]

    def rows_in(self, cell_id: int) -> list[ShadowEntry]:
        """Every row of a cell, in the order of its shadow list."""
        cell = self.world.get_visible(cell_id)
        shadows = () if cell is None else cell.shadow_objects
        return [row for shadow in shadows if isinstance(shadow, CellShadow) for row in shadow.rows()]

    def order(self) -> dict[int, tuple[int, ...]]:
        """Who stands in each cell that several stand in, in the order in which they are asked."""
        out: dict[int, tuple[int, ...]] = {}
        for target in self.objects.values():
            for cell_id in target.shadows:
                if cell_id not in out:
                    cell = self.world.get_visible(cell_id)
                    out[cell_id] = () if cell is None else tuple([s.entity_id for s in cell.shadow_objects])
        return {cell_id: ids for cell_id, ids in out.items() if len(ids) > 1}

    def put_in_order(self, order: dict[int, tuple[int, ...]]) -> None:
        """Let them be asked in an order again; those that it does not name come last."""
        self.version += 1
        for cell_id, ids in order.items():
            cell = self.world.get_visible(cell_id)
            if cell is not None:
                place = {entity_id: number for number, entity_id in enumerate(ids)}
                cell.shadow_objects.sort(key=lambda s: place.get(s.entity_id, len(place)))

    def attach_block(self, block: Landblock) -> None:
        """A landblock has come: objects that wait for it flood again."""
        for entity_id in list(self.waiting.pop(block_of(block.id), ())):
            target = self.objects.get(entity_id)
            if target is not None:
                self._flood(target)

    def detach_block(self, block: Landblock, leaving: Iterable[int]) -> None:
        """A landblock goes: ``leaving`` are deregistered, others lose their shadows there and wait."""
        self.version += 1
        block_id = block_of(block.id)
        cells = [*block.land_cells, *block.env_cells.values()]
        for shadow in [s for cell in cells for s in cell.shadow_objects]:
            if isinstance(shadow, CellShadow):
                shadow.object.shadows.pop(shadow.cell_id, None)
                self._wait(block_id, shadow.object)
        for cell in cells:
            cell.shadow_objects.clear()
        self.deregister(*leaving)

    def _flood(self, target: PhysicsObject, found: CellArray | None = None) -> None:
        """Find the union of cells and make the shadows match it; an empty one changes nothing."""
        self.version += 1
        array = found if found is not None else calc_cross_cells(self.world, target)
        self.tried += array.tried
        if not array.ids:
            return
        what = f"its model {hex_id(target.model_id)} at scale {target.scale:g}"
        if array.tried > MOST_TRIED:
            self.world.problems.report(
                f"{self.world.source.name}, object {hex_id(target.entity_id)}: {what} has far too many parts "
                "for as many openings; nothing meets it behind the last of them"
            )
        if array.cut_off:
            self.world.problems.report(
                f"{self.world.source.name}, object {hex_id(target.entity_id)}: {what} reaches over "
                f"{MOST_CELLS * CELL_SIDE:.0f} m; nothing meets it in the landcells beyond"
            )
        for cell_id in [c for c in target.shadows if not array.holds(c)]:
            self._detach(target, cell_id)
        target.cell_ids = tuple(array.ids)
        for cell_id, cell in zip(array.ids, array.cells, strict=True):
            if cell is None:
                self._wait(block_of(cell_id), target)
            elif cell_id not in target.shadows:
                shadow = CellShadow(target, cell_id)
                target.shadows[cell_id] = shadow
                cell.shadow_objects.append(shadow)

    def _wait(self, block_id: int, target: PhysicsObject) -> None:
        self.waiting.setdefault(block_id, {})[target.entity_id] = None

    def _detach(self, target: PhysicsObject, cell_id: int) -> None:
        shadow = target.shadows.pop(cell_id)
        cell = self.world.get_visible(cell_id)
        if cell is not None:
            cell.shadow_objects[:] = [s for s in cell.shadow_objects if s is not shadow]
