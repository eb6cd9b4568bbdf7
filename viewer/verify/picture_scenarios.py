"""Scenarios that need pictures: what is drawn, from which root, what never is (visibility 1, 2, passes 3)."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from contextlib import suppress

import numpy as np

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.simulation.simulation import Simulation
from engine.replay.doorways import Doorway
from engine.replay.scenarios.call_count import countable, counting_calls
from engine.replay.scenarios.scenario import MissingMeansError, Outcome, Scenario, StagingError
from engine.replay.scenarios.stage import WALK, put, put_at_door, rounded
from engine.visibility.picture_view import INTERIOR, OUTDOOR, SEALED, ViewOptions, build_view
from engine.visibility.view import View
from engine.world.cells import EnvCell, Landblock
from engine.world.ids import rebase
from engine.world.physics_state import ETHEREAL
from viewer.renderer.render_options import RenderOptions
from viewer.verify.passage_pictures import (
    LOOKUPS,
    PASSAGE_SIZE,
    BetweenTicks,
    holes_between_ticks,
    roots_between_ticks,
)
from viewer.verify.picture_stage import (
    CellColours,
    Onlooker,
    PictureStage,
    Shot,
    cell_pixels,
    cells_to_stand_in,
    region_mask,
    same_pixels,
    standing_places,
)

POSES_AT_LEAST = 200
OPENINGS_AT_LEAST = 120
OUT_BIT = 0x80
OPENS_WITHIN = 20.0  # seconds: long before a door closes by itself
INSIDE = 2.2
STREET = 3.0
OPEN_SHARE = 0.3  # the leaves that have swung hide the rest


def root_is_physics_cell(stage: PictureStage) -> Outcome:
    """Every frame starts at the drawn foot's cell: no carry, no other root; no look-up while drawing.

    On a tick that is the body's cell, between two ticks one of the way that the tick took.
    """
    simulation = stage.stage.simulation()
    doorway, door = stage.stage.front_door(simulation)
    simulation.set_state(door, _state(simulation, door) | ETHEREAL)
    put_at_door(simulation, doorway, 1.5)
    frames = carried = wrong = strict_wrong = lookups = 0
    step = doorway.inward(WALK)
    with stage.onlooker(simulation) as onlooker:
        for _ in range(28):
            simulation.walk_tick(step)
            assert simulation.body.cell is not None
            here = simulation.body.cell.id
            for third in (False, True):
                picture, objects = onlooker.view(doorway.heading_in(), 0.0, third=third)
                strict, _ = onlooker.view(
                    doorway.heading_in(), 0.0, third=third, options=ViewOptions(strict_root=True)
                )
                with counting_calls(*LOOKUPS) as count:
                    look = onlooker.view(doorway.heading_in()) if not third else (picture, objects)
                    onlooker.draw(*look)
                frames += 1
                lookups += sum(count.calls.values())
                strict_wrong += strict.root != here
                wrong += picture.body_cell != here
                if picture.carried:
                    carried += 1
                    wrong += picture.carried[0][0] != here or picture.root == here
                else:
                    wrong += picture.root != here
                wrong += picture.drawn_cell != here
    between = _between_ticks(stage)
    ok = wrong == 0 and strict_wrong == 0 and lookups == 0 and carried > 0
    ok = ok and between.wrong == 0 and between.lookups == 0 and _went_through(stage, between)
    counted = countable(LOOKUPS)
    seen = (
        f"{frames} frames, {carried} carried through a portal, {wrong} with a wrong one, "
        f"{lookups if counted else 'uncounted'} look-ups; "
        f"{between.frames} between two ticks in {len(between.openings)} openings, {between.wrong} wrong"
    )
    if ok and not counted:
        raise MissingMeansError(f"the physics is compiled: calls can't be counted; else it holds: {seen}")
    return Outcome(
        ok,
        {"frames": frames, "roots_wrong": wrong, "strict_roots_wrong": strict_wrong, "carried": carried,
         "point_in_cell_tests_while_drawing": lookups + between.lookups if counted else None,
         "frames_between_ticks": between.frames, "wrong_between_ticks": between.wrong,
         "drawn_elsewhere": between.elsewhere, "openings_passed": len(between.openings)},
        seen,
    )  # fmt: skip


def _between_ticks(stage: PictureStage) -> BetweenTicks:
    found = BetweenTicks()
    for block_id in _village_and_dungeon(stage):
        simulation = stage.stage.simulation(block_id)
        with stage.onlooker(simulation) as onlooker:
            roots_between_ticks(onlooker, simulation, stage.stage.block(simulation, block_id), found)
    return found


def _went_through(stage: PictureStage, found: BetweenTicks) -> bool:
    """Whether the demo's openings were passed, often with the foot drawn elsewhere; others may have few."""
    enough = len(found.openings) >= OPENINGS_AT_LEAST and found.elsewhere > found.frames / 20
    return enough or not stage.stage.places


def landscape_through_door(stage: PictureStage) -> Outcome:
    """From inside, an open door shows the landscape within its opening only; a closed one shows none."""
    simulation = stage.stage.simulation()
    doorway, door = stage.stage.swinging_door(simulation, OPENS_WITHIN)
    with stage.onlooker(simulation) as onlooker:
        shut, _ = _look_out(onlooker, doorway)
        put_at_door(simulation, doorway, -INSIDE)
        simulation.use(door)
        simulation.wait(max(3.0, simulation.doors[door].motion.opening.length))
        opened, outside = _look_out(onlooker, doorway)
    mask = region_mask(opened.picture.outside, onlooker.size, 1.0)
    spill = (opened.stencil & OUT_BIT != 0) & ~region_mask(opened.picture.outside, onlooker.size, -1.5)
    total = max(1, int(mask.sum()))
    seen_open = int((same_pixels(opened.rgb, outside.rgb) & mask).sum()) / total
    seen_shut = int((same_pixels(shut.rgb, outside.rgb) & mask).sum()) / total
    ok = (
        opened.picture.path == INTERIOR and seen_open > OPEN_SHARE and seen_shut < 0.02 and not spill.any()
        and opened.stats.sentinel == 0 and shut.stats.sentinel == 0
    )  # fmt: skip
    return Outcome(
        ok,
        {"opening_pixels": total, "landscape_share_open": rounded(seen_open),
         "landscape_share_closed": rounded(seen_shut), "pixels_outside_opening": int(spill.sum()),
         "unpainted": opened.stats.sentinel + shut.stats.sentinel},
        f"landscape in {seen_open:.0%} of the opening with the door open, {seen_shut:.0%} with it closed",
    )  # fmt: skip


def interior_through_street_door(stage: PictureStage) -> Outcome:
    """From the street an open door shows the rooms behind it; the closed leaf hides everything."""
    simulation = stage.stage.simulation()
    doorway, door = stage.stage.swinging_door(simulation, OPENS_WITHIN)
    figures: dict[str, object] = {}
    ok = True
    with stage.onlooker(simulation) as onlooker:
        for state in ("closed", "open"):
            if state == "open":
                put_at_door(simulation, doorway, STREET)
                simulation.use(door)
                simulation.wait(max(3.0, simulation.doors[door].motion.opening.length))
            for side in (-1.0, 0.0, 1.0):
                put_at_door(simulation, doorway, STREET, side)
                yaw = doorway.heading_in() - math.degrees(math.atan2(side, STREET))
                picture, objects = onlooker.view(yaw)
                shot = onlooker.draw(picture, objects, RenderOptions(cell_ids=True))
                through = [x for x in picture.look_ins if x.portal.other_cell_id == doorway.cell_id
                           and x.portal.other_portal_id == doorway.portal_index]  # fmt: skip
                regions = [r for x in through for v in x.flood.cells.values() for r in v.views]
                mask = region_mask(regions, onlooker.size, -1.0)
                # The leaf is drawn in its cell's colour: rooms are the cells that the door is not in.
                behind = [c for c in stage.stage.block(simulation).env_cells
                          if c not in simulation.registry.cells_of(door)]  # fmt: skip
                rooms = cell_pixels(shot.rgb[mask], behind)
                pixels = sum(rooms.values())
                good = picture.path == OUTDOOR and shot.stats.sentinel == 0 and bool(through)
                good = good and (pixels == 0 if state == "closed" else pixels > 50)
                ok = ok and good
                figures[f"{state} {side:+.0f} m"] = {
                    "opening_pixels": int(mask.sum()), "room_pixels": pixels,
                    "rooms": [hex_id(c) for c in rooms],
                }  # fmt: skip
    return Outcome(ok, figures, f"rooms seen through the open door only: {ok}")


def no_unpainted_pixel(stage: PictureStage) -> Outcome:
    """Over at least 200 poses in rooms, doorways, street and dungeon no pixel is left unpainted.

    Nor is any between two ticks while one runs, jumps and falls through every opening.
    """
    rng = random.Random(20)
    poses = unpainted = holed = 0
    left_out = ""
    paths: dict[str, int] = {}
    between = BetweenTicks()
    for block_id in _village_and_dungeon(stage):
        simulation = stage.stage.simulation(block_id)
        block = stage.stage.block(simulation, block_id)
        left_out += cells_to_stand_in(block).note
        with stage.onlooker(simulation) as onlooker:
            for where in (standing_places(simulation, block, rng), _street(simulation, stage, block)):
                for _ in where:
                    for third in (False, True):
                        look = rng.uniform(0, 360), rng.uniform(-50, 40)
                        picture, objects = onlooker.view(*look, third=third)
                        holes = onlooker.unpainted(picture, objects)
                        poses += 1
                        unpainted += holes
                        holed += holes > 0
                        paths[picture.path] = paths.get(picture.path, 0) + 1
        with stage.onlooker(simulation, PASSAGE_SIZE) as onlooker:
            holes_between_ticks(onlooker, simulation, block, between)
    enough = poses >= POSES_AT_LEAST and len(paths) == 3
    ok = unpainted == 0 and stage.stage.enough(enough, f"only {poses} poses ({', '.join(paths)}) here")
    ok = ok and between.wrong == 0 and _went_through(stage, between)
    return Outcome(
        ok,
        {
            "poses": poses,
            "poses_with_holes": holed,
            "unpainted_pixels": unpainted + between.unpainted,
            "frames": paths,
            "frames_between_ticks": between.frames,
            "with_holes_between_ticks": between.wrong,
            "openings_passed": len(between.openings),
        },
        f"{poses} poses, {unpainted} unpainted pixels in {holed} of them; {between.frames} between two ticks "
        f"in {len(between.openings)} openings, {between.unpainted} in {between.wrong} of them{left_out}",
    )


def dungeon_no_landscape(stage: PictureStage) -> Outcome:
    """In a dungeon no frame draws, marks or even prepares anything of the landscape."""
    rng = random.Random(5)
    block_id = _dungeon(stage)
    simulation = stage.stage.simulation(block_id)
    poses = draws = marked = unsealed = holes = 0
    with stage.onlooker(simulation) as onlooker:
        for _ in standing_places(simulation, stage.stage.block(simulation, block_id), rng):
            shot = onlooker.shoot(rng.uniform(0, 360), rng.uniform(-40, 40))
            poses += 1
            draws += shot.stats.landscape_draws
            marked += int(np.count_nonzero(shot.stencil & OUT_BIT))
            unsealed += shot.picture.path != SEALED
            holes += shot.stats.sentinel
    ok = poses >= 8 and draws == 0 and marked == 0 and unsealed == 0 and holes == 0
    return Outcome(
        ok,
        {"poses": poses, "landscape_draws": draws, "landscape_pixels": marked, "frames_not_sealed": unsealed,
         "unpainted_pixels": holes},
        f"{poses} poses in landblock 0x{block_id >> 16:04X}, {draws} landscape draws",
    )  # fmt: skip


def hidden_cell_not_drawn(stage: PictureStage) -> Outcome:
    """Cells that the traversal does not reach show no pixel, although they lie on the screen behind walls."""
    rng = random.Random(11)
    simulation = stage.stage.simulation()
    block = stage.stage.block(simulation)
    poses = stray = in_front = drawn = 0
    colours, middles = CellColours(block.env_cells), _Middles(block.env_cells.values())
    with stage.onlooker(simulation) as onlooker:
        for _ in standing_places(simulation, block, rng):
            yaw = rng.uniform(0, 360)
            picture, objects = onlooker.view(yaw, -5.0)
            shot = onlooker.draw(picture, objects, RenderOptions(cell_ids=True))
            listed = {c.cell for c in picture.cells}
            shown = colours.pixels(shot.rgb)
            poses += 1
            drawn += len(shown)
            stray += sum(pixels for cell, pixels in shown.items() if cell not in listed)
            in_front += middles.hidden_before(picture.view, listed)
    enough = poses >= 20 and in_front > 0 and drawn > poses / 2
    ok = stray == 0 and stage.stage.enough(enough, f"too little is hidden here, {poses} poses")
    return Outcome(
        ok,
        {"poses": poses, "cells_drawn": drawn, "hidden_cells_on_screen": in_front, "pixels_of_hidden": stray},
        f"{poses} poses: {in_front} times a hidden cell's middle was on the screen, {stray} pixels of any"
        f"{cells_to_stand_in(block).note}",
    )


def _look_out(onlooker: Onlooker, doorway: Doorway) -> tuple[Shot, Shot]:
    """What is seen from inside looking out, and the bare landscape from the same eye."""
    simulation = onlooker.simulation
    put_at_door(simulation, doorway, -INSIDE)
    yaw = (doorway.heading_in() + 180.0) % 360.0
    picture, objects = onlooker.view(yaw)
    shot = onlooker.draw(picture, objects)
    eye = rebase(picture.view.eye, picture.root, doorway.cell_id)
    land = doorway.outside_cell()
    outdoors = build_view(
        simulation.world,
        land,
        foot=eye,
        pivot=eye,
        eye=eye,
        view=picture.view,
        options=ViewOptions(strict_root=True, look_ins=False),
    )
    return shot, onlooker.draw(outdoors, None, RenderOptions(shells=False))


def _state(simulation: Simulation, entity: int) -> int:
    target = simulation.registry.get(entity)
    assert target is not None
    return target.state


def _dungeon(stage: PictureStage) -> int:
    """The landblock of the demo's dungeon."""
    return stage.stage.place("dungeon entrance").cell_id & 0xFFFF0000


def _village_and_dungeon(stage: PictureStage) -> list[int]:
    blocks = [stage.stage.home_block]
    with suppress(StagingError):
        blocks.append(_dungeon(stage))
    return blocks


def _street(simulation: Simulation, stage: PictureStage, block: Landblock) -> Iterator[None]:
    """Stand in the street about every door, near and far."""
    if block.id != stage.stage.home_block:
        return
    for doorway in stage.stage.doors(simulation).things:
        for out in (0.3, 0.6, 1.2, 3.0, 8.0):
            for side in (-2.0, 0.0, 2.0):
                try:
                    put(simulation, doorway.outside_cell(out), doorway.point(out, side))
                except StagingError:
                    continue
                yield


class _Middles:
    """The mean corners of cells that draw something, to be looked for on the screen all at once."""

    def __init__(self, cells: Iterable[EnvCell]) -> None:
        drawn = [cell for cell in cells if any(p.vertices for p in cell.structure.polygons.values())]
        self._index = {cell.id: n for n, cell in enumerate(drawn)}
        self._points = np.array([_middle(cell) for cell in drawn]).reshape(-1, 3)

    def hidden_before(self, view: View, listed: Iterable[int]) -> int:
        """How many are on the screen of a view of their block's frame, those listed left out."""
        dx, dy, dz = (self._points - np.array(view.eye)).T
        x, y, w = (a[0] * dx + a[1] * dy + a[2] * dz for a in (view.right, view.up, view.forward))
        before = (w > 0.5) & (np.abs(x) < w * view.tan_x) & (np.abs(y) < w * view.tan_y)
        before[[self._index[cell_id] for cell_id in listed if cell_id in self._index]] = False
        return int(before.sum())


def _middle(cell: EnvCell) -> Vec3:
    """The mean corner of a cell, block frame."""
    points = [cell.frame.to_global(v) for p in cell.structure.polygons.values() for v in p.vertices]
    n = len(points)
    return (sum(p[0] for p in points) / n, sum(p[1] for p in points) / n, sum(p[2] for p in points) / n)


PICTURE_SCENARIOS: tuple[Scenario[PictureStage], ...] = (
    Scenario("root-is-physics-cell", "the traversal starts at the body's cell", root_is_physics_cell),
    Scenario("landscape-through-door", "landscape in the opening only", landscape_through_door),
    Scenario("no-unpainted-pixel", "every pixel is painted", no_unpainted_pixel),
    Scenario("dungeon-no-landscape", "no landscape in a dungeon", dungeon_no_landscape),
    Scenario("hidden-cell-not-drawn", "what is not reached is not drawn", hidden_cell_not_drawn),
    Scenario("interior-through-street-door", "rooms through an open door only", interior_through_street_door),
)
