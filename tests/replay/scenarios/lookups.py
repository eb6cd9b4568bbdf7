"""Ways to derive the current cell afresh, by position, in a tick: none of them may go unnoticed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from engine.collision.cell_tree import point_inside_cell_bsp
from engine.dat.values import Vec3
from engine.physics.body.outcome import Outcome
from engine.physics.membership.cell_array import CellArray
from engine.physics.membership.cell_list import build_cell_list, pick_current_cell, point_in_cell
from engine.physics.simulation import sweep as sweep_module
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import search_order, static_lookup
from engine.physics.simulation.sweep import make_transition
from engine.physics.transition import driver, insertion
from engine.physics.transition.insertion import find_visible_child_cell, keeps_portalless_cell
from engine.physics.transition.placement import adjust_position
from engine.physics.transition.transition import Transition
from engine.world.cells import EnvCell, ObjCell
from engine.world.frame import Position
from engine.world.ids import adjust_to_outside, is_outdoor, rebase

Patch = pytest.MonkeyPatch
Break = Callable[[Patch], None]
Finder = Callable[[Transition], ObjCell | None]


def _foot(t: Transition) -> Vec3:
    return t.sphere_path.curr_sphere[0].center


def _indoors(t: Transition) -> list[EnvCell]:
    return list(t.world.blocks[t.sphere_path.curr_pos.cell_id & 0xFFFF0000].env_cells.values())


def _first(t: Transition, holds: Callable[[EnvCell, Vec3], bool], cells: Iterable[EnvCell]) -> EnvCell | None:
    home = t.sphere_path.curr_pos.cell_id
    return next((cell for cell in cells if holds(cell, rebase(_foot(t), home, cell.id))), None)


def by_static_lookup(t: Transition) -> ObjCell | None:
    home = t.sphere_path.curr_pos.cell_id
    return t.world.get_visible(static_lookup(t.world, home, _foot(t), [c.id for c in _indoors(t)]))


def by_adjusted_position(t: Transition) -> ObjCell | None:
    return adjust_position(make_transition(t.world, t.mover), t.sphere_path.curr_pos)[1]


def by_stab_list(t: Transition) -> ObjCell | None:
    cell = t.sphere_path.curr_cell
    return find_visible_child_cell(t, cell, _foot(t)) if isinstance(cell, EnvCell) else None


def by_point_in_cell(t: Transition) -> ObjCell | None:
    return _first(t, lambda cell, p: point_in_cell(cell, *p), _indoors(t))


def by_containment_tree(t: Transition) -> ObjCell | None:
    return _first(t, lambda cell, p: point_inside_cell_bsp(cell.block_planes, *p), _indoors(t))


def by_portalless_cell(t: Transition) -> ObjCell | None:
    home = t.sphere_path.curr_pos.cell_id
    return next((c for c in _indoors(t) if keeps_portalless_cell(c, home, _foot(t))), None)


def by_fresh_list(t: Transition) -> ObjCell | None:
    path = t.sphere_path
    return build_cell_list(t.world, path.curr_pos.cell_id, path.global_sphere, CellArray(), want_current=True)


def by_pick_from_the_ticks_array(t: Transition) -> ObjCell | None:
    path = t.sphere_path
    return pick_current_cell(path.curr_pos.cell_id, path.global_sphere[0], t.cell_array)


def by_landcell_division(t: Transition) -> ObjCell | None:
    pos = t.sphere_path.curr_pos
    if not is_outdoor(pos.cell_id):
        return None
    return t.world.get_visible(adjust_to_outside(pos.cell_id, pos.frame.origin)[0])


def _inside(cell: EnvCell, p: Vec3) -> bool:
    """Arithmetic of one's own, under no name that anybody watches."""
    return all(a * p[0] + b * p[1] + c * p[2] + d >= -0.0002 for a, b, c, d in cell.block_planes or ())


def by_ids(t: Transition) -> ObjCell | None:
    return _first(t, _inside, [c for c in _indoors(t) if c.portals and c.block_planes])


def by_ids_backwards(t: Transition) -> ObjCell | None:
    return _first(t, _inside, [c for c in reversed(_indoors(t)) if c.portals and c.block_planes])


def at_the_commit(find: Finder) -> Break:
    """The body's commit is told the cell that was found."""

    def break_it(patch: Patch) -> None:
        real = Transition.outcome

        def outcome(self: Transition) -> Outcome:
            self.sphere_path.curr_cell = find(self) or self.sphere_path.curr_cell
            return real(self)

        patch.setattr(Transition, "outcome", outcome)

    return break_it


def at_every_sub_step(find: Finder) -> Break:
    """What accepts a sub-step keeps the cell that was found."""

    def break_it(patch: Patch) -> None:
        real = driver.validate_transition

        def validate(t: Transition, ts: int) -> int:
            done = real(t, ts)
            t.sphere_path.curr_cell = find(t) or t.sphere_path.curr_cell
            return done  # type: ignore[return-value]

        patch.setattr(driver, "validate_transition", validate)

    return break_it


def at_the_start(find: Finder) -> Break:
    """A sweep begins in the cell that was found."""

    def break_it(patch: Patch) -> None:
        real = sweep_module.make_sweep

        def make(*given: Any, **named: Any) -> Transition:
            t = real(*given, **named)
            path, found = t.sphere_path, find(t)
            if found is not None:
                path.curr_cell = path.begin_cell = found
                path.curr_pos = path.begin_pos = Position(found.id, path.curr_pos.frame)
            return t

        patch.setattr(sweep_module, "make_sweep", make)

    return break_it


def inside_the_try(patch: Patch) -> None:
    """A sub-step asks all the landblock's cells by id instead of those around the body's own."""
    real = insertion.containing_cell

    def containing(t: Transition) -> ObjCell | None:
        picked = real(t)
        foot = t.sphere_path.global_sphere[0]
        home = t.sphere_path.check_pos.cell_id
        for cell in t.world.blocks[home & 0xFFFF0000].env_cells.values():
            if point_in_cell(cell, *rebase((foot.x, foot.y, foot.z), home, cell.id)):
                return cell
        return picked

    patch.setattr(insertion, "containing_cell", containing)


def after_the_tick(patch: Patch) -> None:
    """Whoever reports a tick looks where the body is."""
    real = Simulation.report

    def report(self):  # type: ignore[no-untyped-def]
        at = self.position
        static_lookup(self.world, at.cell_id, at.frame.origin, search_order(self.world, at.cell_id))
        return real(self)

    patch.setattr(Simulation, "report", report)


FINDERS: tuple[Finder, ...] = (
    by_static_lookup, by_adjusted_position, by_stab_list, by_point_in_cell, by_containment_tree,
    by_portalless_cell, by_fresh_list, by_pick_from_the_ticks_array, by_landcell_division,
)  # fmt: skip
UNNAMED: tuple[Finder, ...] = (by_ids, by_ids_backwards)

LOOKUPS: dict[str, Break] = {
    **{f"{find.__name__} at the commit": at_the_commit(find) for find in FINDERS},
    **{f"{find.__name__} at every sub-step": at_every_sub_step(find) for find in FINDERS},
    **{f"{find.__name__} at the start": at_the_start(find) for find in FINDERS},
    **{f"unnamed, {find.__name__} at the commit": at_the_commit(find) for find in UNNAMED},
    **{f"unnamed, {find.__name__} at every sub-step": at_every_sub_step(find) for find in UNNAMED},
    **{f"unnamed, {find.__name__} at the start": at_the_start(find) for find in UNNAMED},
    "unnamed, inside the try": inside_the_try,
    "after the tick": after_the_tick,
}
