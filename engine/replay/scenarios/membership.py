"""Scenarios of membership on walks: the current cell, tick by tick (sweep 3.9, membership 7.5, 7.6)."""

from __future__ import annotations

import itertools
import math

from engine.dat.hex_id import hex_id
from engine.physics.membership.cell_list import point_in_cell
from engine.replay.scenarios.portal_pairs import FOOT_CENTER, joined_by_portals, portals_crossed, thresholds
from engine.replay.scenarios.scenario import Outcome, Scenario
from engine.replay.scenarios.stage import (
    SPEEDS,
    WALK,
    Stage,
    changes,
    hexed,
    landed_outdoors,
    open_door,
    put_at_door,
    rounded,
    walk,
    walk_in,
)
from engine.world.ids import adjust_to_outside, is_outdoor, rebase

START = 1.6


def one_change_per_doorway(stage: Stage) -> Outcome:
    """Walking through a doorway changes the cell once per portal, in portal order, in contact all along."""
    simulation = stage.simulation()
    doorway, door = stage.front_door(simulation)
    open_door(simulation, door)
    figures: dict[str, object] = {}
    ok = True
    for name, speed in SPEEDS.items():
        for sense, start in (("in", START), ("out", -START)):
            first = put_at_door(simulation, doorway, start)
            ticks = walk_in(simulation, doorway, 2 * start, speed)
            path = changes(ticks, first.cell)
            crossed = portals_crossed(simulation, [first, *ticks])
            indoors = [c for c in path if not is_outdoor(c)]
            lost = sum(not tick.on_ground for tick in ticks)
            heights = [tick.position[2] for tick in [first, *ticks]]
            rise = max(heights) - min(heights)
            in_order = joined_by_portals(simulation, path)
            # Steps between two landcells are no portals.
            steps = sum(1 for a, b in itertools.pairwise(path) if not (is_outdoor(a) and is_outdoor(b)))
            good = (
                steps == crossed and crossed > 0 and len(set(indoors)) == len(indoors) and in_order
                and lost == 0 and rise < 0.02
            )  # fmt: skip
            ok = ok and good
            figures[f"{name} {sense}"] = {
                "changes": steps, "portals_crossed": crossed, "cells": hexed(path), "ticks_off_ground": lost,
                "height_range_m": rounded(rise),
            }  # fmt: skip
    return Outcome(ok, figures, f"{len(figures)} walks at {len(SPEEDS)} speeds, both ways")


def blocked_keeps_cell(stage: Stage) -> Outcome:
    """A tick that ends where it began never changes the cell, however hard the body pushes."""
    simulation = stage.simulation()
    blocked = changed = 0
    doors = stage.doors(simulation)
    for doorway in doors.things:
        for start in (START, -START):
            for angle in (-35.0, 0.0, 35.0):
                before = put_at_door(simulation, doorway, start)
                a = math.radians(angle)
                x, y, _ = doorway.inward(math.copysign(WALK, start))
                step = (x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a), 0.0)
                for tick in walk(simulation, step, 60):
                    if tick.position == before.position:
                        blocked += 1
                        changed += tick.cell != before.cell
                    before = tick
    ok = blocked > 20 and changed == 0
    return Outcome(
        ok,
        {"blocked_ticks": blocked, "cell_changes_in_them": changed},
        f"{blocked} ticks ended where they began, {changed} of them changed the cell{doors.note}",
    )


def standing_still(stage: Stage) -> Outcome:
    """Standing on a threshold runs no sweep and changes nothing, for any number of ticks."""
    simulation = stage.simulation()
    doorway, door = stage.front_door(simulation)
    open_door(simulation, door)
    stands = sweeps = changed = moved = 0
    spots = thresholds(simulation, doorway)
    for portal_out in spots.things:
        for off in (-0.001, 0.0, 0.001):
            put_at_door(simulation, doorway, START)
            walk_in(simulation, doorway, START - portal_out - off)
            for _ in range(5):
                simulation.walk_tick()
            before = simulation.report()
            simulation.trace = True
            for _ in range(200):
                tick = simulation.walk_tick()
                sweeps += tick.trace is not None
                changed += tick.cell != before.cell
                moved += tick.position != before.position
            simulation.trace = False
            stands += 1
    ok = stands >= 3 and sweeps == 0 and changed == 0 and moved == 0
    return Outcome(
        ok,
        {"stands": stands, "ticks": stands * 200, "sweeps": sweeps, "cell_changes": changed, "moved": moved},
        f"{stands * 200} ticks on {stands} spots about thresholds: {sweeps} sweeps, {changed} changes"
        f"{spots.note}",
    )


def exit_gives_landcell(stage: Stage) -> Outcome:
    """Walking out of a building ends in the landcell under the feet, standing on terrain."""
    simulation = stage.simulation()
    figures: dict[str, object] = {}
    ok = True
    doors = stage.doors(simulation)
    for doorway in doors.things:
        assert doorway.door is not None
        open_door(simulation, doorway.door)
        first = put_at_door(simulation, doorway, -START)
        ticks = walk_in(simulation, doorway, -2 * START - 1.5)
        last = ticks[-1]
        under, _ = adjust_to_outside(last.cell, last.position)
        good = last.cell == under and landed_outdoors(last) and not is_outdoor(first.cell)
        ok = ok and good
        figures[hex_id(doorway.door)] = {
            "cells": hexed(changes(ticks, first.cell)), "landcell_below": hex_id(under),
            "contact_plane_of": hex_id(last.contact_plane_cell),
        }  # fmt: skip
    return Outcome(
        ok, figures, f"{len(figures)} doorways left, each into the landcell below: {ok}{doors.note}"
    )


def enter_from_street(stage: Stage) -> Outcome:
    """Walking in from the street, the vestibule becomes the cell on the tick its volume holds the centre."""
    simulation = stage.simulation()
    figures: dict[str, object] = {}
    ok = True
    doors = stage.doors(simulation)
    for doorway in doors.things:
        assert doorway.door is not None
        open_door(simulation, doorway.door)
        first = put_at_door(simulation, doorway, START)
        ticks = walk_in(simulation, doorway, 2 * START)
        path = changes(ticks, first.cell)
        late = early = 0
        vestibule = simulation.world.env_cell(doorway.cell_id)
        assert vestibule is not None
        for tick in ticks:
            x, y, z = rebase(tick.position, tick.cell, vestibule.id)
            inside = point_in_cell(vestibule, x, y, z + FOOT_CENTER)
            late += inside and is_outdoor(tick.cell)
            early += tick.cell == vestibule.id and not inside
        good = is_outdoor(first.cell) and vestibule.id in path and late == 0 and early == 0
        ok = ok and good
        figures[hex_id(doorway.door)] = {
            "cells": hexed(path), "ticks_late": late, "ticks_early": early,
        }  # fmt: skip
    return Outcome(ok, figures, f"{len(figures)} doorways entered from the street: {ok}{doors.note}")


MEMBERSHIP_SCENARIOS: tuple[Scenario[Stage], ...] = (
    Scenario("membership-one-change-per-doorway", "one change a portal", one_change_per_doorway),
    Scenario("membership-blocked-keeps-cell", "a blocked tick keeps the cell", blocked_keeps_cell),
    Scenario("membership-standing-still", "standing runs no sweep", standing_still),
    Scenario("membership-exit-gives-landcell", "outside is a landcell on terrain", exit_gives_landcell),
    Scenario("membership-enter-from-street", "in at the vestibule's own volume", enter_from_street),
)
