"""Ways to break the rules that the scenarios of numbers measure, one for each scenario."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.physics.enums import COLLIDED, OK
from engine.physics.objects import shadow_object
from engine.physics.objects.doors import DoorController
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.objects.shadow_registry import ShadowRegistry
from engine.physics.simulation import ticking
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import static_lookup
from engine.physics.transition import driver, env_collisions, insertion, obj_collisions
from engine.physics.transition.rules import OriginalRules
from engine.physics.transition.transition import Transition
from engine.world.cells import EnvCell
from engine.world.ids import is_outdoor, rebase

Patch = pytest.MonkeyPatch
Break = Callable[[Patch], None]


def _ignoring(ignored: Callable[[PhysicsObject, Transition], bool]) -> Break:
    """Objects for which ``ignored`` says so do not collide."""

    def break_it(patch: Patch) -> None:
        real = obj_collisions.find_object_collisions

        def find(target: PhysicsObject, state: int, t: Transition) -> int:
            return OK if ignored(target, t) else real(target, state, t)  # type: ignore[return-value]

        patch.setattr(obj_collisions, "find_object_collisions", find)

    return break_it


def _is_off_centre(target: PhysicsObject, t: Transition) -> bool:
    at = target.position.frame.to_local(
        rebase(
            t.sphere_path.global_sphere[0].center, t.sphere_path.check_pos.cell_id, target.position.cell_id
        )
    )
    return not target.is_static and abs(at[0]) > 0.3


def _comes_from_inside(target: PhysicsObject, t: Transition) -> bool:
    cell = t.sphere_path.curr_cell
    return not target.is_static and cell is not None and not is_outdoor(cell.id)


def state_stays_on_shadows(patch: Patch) -> None:
    def update(self: ShadowRegistry, entity_id: int, state: int) -> None:
        self.objects[entity_id].state = state

    patch.setattr(ShadowRegistry, "update_physics_state", update)


def state_reaches_first_shadow_only(patch: Patch) -> None:
    def update(self: ShadowRegistry, entity_id: int, state: int) -> None:
        target = self.objects[entity_id]
        target.state = state
        next(iter(target.shadows.values())).state = state

    patch.setattr(ShadowRegistry, "update_physics_state", update)


def opens_at_the_end_of_the_clip(patch: Patch) -> None:
    real = DoorController._enter

    def late_open(self: DoorController, now: float) -> None:
        real(self, type(self.phase).OPENING, now)

    patch.setattr(DoorController, "_open", late_open)


def closes_after_twenty_seconds(patch: Patch) -> None:
    real = DoorController.use

    def use(self: DoorController, now: float) -> bool:
        done = real(self, now)
        if self.reset_at is not None:
            self.reset_at = now + 20.0
        return done

    patch.setattr(DoorController, "use", use)


def nobody_is_ever_in_the_way(patch: Patch) -> None:
    patch.setattr(Simulation, "_somebody_stands_in", lambda self, target: False)


def one_part_goes_missing(patch: Patch) -> None:
    real = shadow_object.shapes_from_setup  # type: ignore[attr-defined]
    patch.setattr(shadow_object, "shapes_from_setup", lambda *a: real(*a)[:-1])


def last_interior_cell_is_picked(patch: Patch) -> None:
    """The next room is entered as soon as the spheres touch it."""
    real = insertion.build_cell_list  # type: ignore[attr-defined]

    def pick(world, cell_id, spheres, array, *, want_current):  # type: ignore[no-untyped-def]
        current = real(world, cell_id, spheres, array, want_current=want_current)
        inside = [c for c in array.cells if isinstance(c, EnvCell)]
        return inside[-1] if want_current and inside else current

    patch.setattr(insertion, "build_cell_list", pick)


def blocked_steps_keep_the_tried_cell(patch: Patch) -> None:
    real = driver.validate_transition

    def validate(t: Transition, ts: int) -> int:
        tried = t.sphere_path.check_cell
        others = [c for c in t.cell_array.cells if c is not None and c is not t.sphere_path.curr_cell]
        done = real(t, ts)
        if ts != OK:
            t.sphere_path.curr_cell = others[0] if others else tried
        return done  # type: ignore[return-value]

    patch.setattr(driver, "validate_transition", validate)
    import engine.replay.scenarios.membership_sweeps as scenario

    patch.setattr(scenario, "validate_transition", lambda t, ts: _keep_tried(t, ts, real))


def _keep_tried(t: Transition, ts: int, real: Callable[[Transition, int], int]) -> int:
    tried = t.sphere_path.check_cell
    done = real(t, ts)
    if ts == COLLIDED:
        t.sphere_path.curr_cell = tried
    return done


def standing_sweeps(patch: Patch) -> None:
    patch.setattr(ticking, "EPS", -1.0)


def landcell_wins(patch: Patch) -> None:
    from engine.physics.membership import cell_list

    def pick(cell_id, sphere, array):  # type: ignore[no-untyped-def]
        holding = [
            c
            for c in array.cells
            if c is not None and cell_list.point_in_cell(c, *rebase(sphere.center, cell_id, c.id))
        ]
        return next((c for c in holding if is_outdoor(c.id)), holding[0] if holding else None)

    patch.setattr(cell_list, "pick_current_cell", pick)


def exit_portals_lead_nowhere(patch: Patch) -> None:
    from engine.physics.membership import cell_list

    real = cell_list.add_all_outside_cells

    def add(world, cell_id, spheres, array, *, why="seed"):  # type: ignore[no-untyped-def]
        if is_outdoor(cell_id):
            real(world, cell_id, spheres, array, why=why)

    patch.setattr(cell_list, "add_all_outside_cells", add)
    patch.setattr(insertion, "leave_known_cells", lambda t, current: COLLIDED)


def buildings_are_not_noticed(patch: Patch) -> None:
    from engine.physics.membership import cell_list

    patch.setattr(cell_list, "find_building_transit_cells", lambda *a, **k: None)


def tick_looks_its_cell_up(patch: Patch) -> None:
    real = Simulation._end_tick

    def end(self, result):  # type: ignore[no-untyped-def]
        static_lookup(self.world, self.body.position.cell_id, self.body.position.frame.origin, ())
        return real(self, result)

    patch.setattr(Simulation, "_end_tick", end)


def only_the_current_cell_collides(patch: Patch) -> None:
    real = OriginalRules.collide

    def collide(self, t, cell):  # type: ignore[no-untyped-def]
        return real(self, t, cell) if cell is t.sphere_path.check_cell else OK

    patch.setattr(OriginalRules, "collide", collide)


def ramps_are_too_steep(patch: Patch) -> None:
    from engine.physics.transition import stepping

    patch.setattr(insertion, "FLOOR_Z", 0.9)
    patch.setattr(stepping, "FLOOR_Z", 0.9)


def nobody_steps_up(patch: Patch) -> None:
    patch.setattr(OriginalRules, "step_up", lambda self, t, normal: False)


def only_the_first_part_is_within_reach(patch: Patch) -> None:
    real = shadow_object._around
    patch.setattr(shadow_object, "_around", lambda spheres: real(spheres[:1]))


def shells_are_air(patch: Patch) -> None:
    patch.setattr(env_collisions, "find_building_collisions", lambda *a: OK)


MUTATIONS: dict[str, Break] = {
    "door-closed-centre": _ignoring(lambda target, t: not target.is_static),
    "door-closed-off-centre": _ignoring(_is_off_centre),
    "door-closed-across": only_the_first_part_is_within_reach,
    "door-closed-from-inside": _ignoring(_comes_from_inside),
    "door-ethereal-passes": state_stays_on_shadows,
    "door-use-opens": opens_at_the_end_of_the_clip,
    "door-autoclose-30s": closes_after_twenty_seconds,
    "door-held-while-occupied": nobody_is_ever_in_the_way,
    "door-four-shapes-one-entity": one_part_goes_missing,
    "door-state-reaches-all-shapes": state_reaches_first_shadow_only,
    "membership-one-change-per-doorway": last_interior_cell_is_picked,
    "membership-blocked-keeps-cell": blocked_steps_keep_the_tried_cell,
    "membership-standing-still": standing_sweeps,
    "membership-pushed-back-8cm": blocked_steps_keep_the_tried_cell,
    "membership-interior-wins": landcell_wins,
    "membership-exit-gives-landcell": exit_portals_lead_nowhere,
    "membership-enter-from-street": buildings_are_not_noticed,
    "membership-no-static-lookup": tick_looks_its_cell_up,
    "neighbour-wall-blocks-in-vestibule": only_the_current_cell_collides,
    "furniture-blocks": _ignoring(lambda target, t: target.is_static),
    "cellar-down-and-up": ramps_are_too_steep,
    "stair-up-and-down": nobody_steps_up,
    "exterior-solid": shells_are_air,
}
