"""Walk through the whole demo world for a long time, doors being opened and shut, and count what goes wrong.

    python scripts/long_walk.py [TICKS [SEED]] [--borders N]

With ``--borders`` it also runs over so many landblock borders of a made world, off screen, and adds what the
frames took by their own clock and by the wall's, memory and open files.

Prints one line of JSON (100,000 ticks without arguments) and exits with 1 where anything went wrong: the body
lost, out of its cell or below the ground, a number that is not finite, a drift while standing.

``digest`` is that of all ticks and of what was seen now and then, to the last bit: two forms of the engine,
or two states of its source, with the same digest for the same ticks and seed have done the same.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.start import RUNTIME, arguments_of, begin, finish

begin(__name__, RUNTIME)

import hashlib
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport
from engine.replay.doorways import find_doorways
from engine.visibility.camera import first_person_eye, pivot_of
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import build_view
from engine.visibility.view import View, vertical_fov
from engine.world.cells import EnvCell, LandCell
from engine.world.frame import Frame, Position
from engine.world.ids import block_of
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from engine.world.sources.places_file import read_places
from engine.world.terrain import terrain_height
from scripts.long_work.telling import telling

DEMO = Path(__file__).resolve().parents[1] / "assets" / "demo"
FOOT_Z = 0.475
TELEPORT_EVERY = 500
REST = 60
LOOK_EVERY = 10
PLANE_SLACK = 0.0002 + 1e-5
DEEPEST_WATER = 0.9


@dataclass
class WalkReport:
    """What a long walk met. ``faults`` counts what must not be; ``examples`` says where, at most ten."""

    ticks: int = 0
    seconds: float = 0.0
    metres: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    env_cells: set[int] = field(default_factory=set)
    land_cells: set[int] = field(default_factory=set)
    largest_drift: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    def note(self, *what: object) -> None:
        """Take something into the digest."""
        self.digest.update(repr(what).encode())

    def fault(self, what: str, report: TickReport) -> None:
        """Count a fault."""
        self.faults[what] += 1
        if len(self.examples) < 10:
            x, y, z = report.position
            self.examples.append(
                f"{what}: tick {report.tick}, {hex_id(report.cell)} [{x:.4f} {y:.4f} {z:.4f}]"
            )

    def to_json(self) -> dict[str, object]:
        """The report as JSON."""
        return {
            "ticks": self.ticks,
            "seconds": round(self.seconds, 1),
            "metres": round(self.metres),
            "env_cells": len(self.env_cells),
            "land_cells": len(self.land_cells),
            **self.counts,
            "largest_drift": self.largest_drift,
            "faults": dict(self.faults),
            "examples": self.examples,
            "digest": self.digest.hexdigest()[:16],
        }


class LongWalk:
    """Somebody who wanders: legs at openings, doorways or anywhere, jumps, rests, uses doors, travels."""

    def __init__(self, seed: int = 1) -> None:
        self.random = Random(seed)
        self.world = World(open_source(demo=DEMO))
        self.simulation = Simulation(self.world)
        self.places: list[str] = sorted(read_places(DEMO).values())
        self.left: list[str] = []
        self.report = WalkReport()
        self.openings = OpeningIndex()
        self.leg = 0
        self.rest = 0
        self.rest_at: Vec3 | None = None
        self.keys = MovementInput()
        self.travel()

    def travel(self) -> None:
        """Teleport to the next of the demo's places, in a new order each time round, or into the country."""
        if not self.left:
            self.left = list(self.places) + [""] * (len(self.places) // 3)
            self.random.shuffle(self.left)
        place = self.left.pop()
        while not place:
            try:
                self.simulation.teleport(self.somewhere_outdoors())
                break
            except SimulationError:
                self.report.counts["no_room"] += 1
        else:
            self.simulation.teleport(self.world.locate(place))
        self.leg = self.rest = 0
        self.rest_at = None
        self.report.counts["teleports"] += 1

    def somewhere_outdoors(self) -> Position:
        """A point on the ground of the home's landblock or of one beside it."""
        random = self.random
        home = self.world.locate(self.world.source.home()).cell_id
        bx, by = (home >> 24) + random.randint(-1, 1), (home >> 16 & 0xFF) + random.randint(-1, 1)
        x, y = random.uniform(0.5, 191.5), random.uniform(0.5, 191.5)
        cell = bx << 24 | by << 16 | 1 + 8 * int(x // 24.0) + int(y // 24.0)
        block = self.world.load_block(cell)
        z = None if block is None else terrain_height(block, x, y)
        return Position(cell, Frame((x, y, z or 0.0)))

    def run(self, ticks: int, through: Callable[[range], Iterable[int]] = iter) -> WalkReport:
        """Walk for so many ticks, ``through`` which it goes one by one."""
        started = time.perf_counter()
        for _ in through(range(ticks)):
            if self.report.ticks % TELEPORT_EVERY == TELEPORT_EVERY - 1:
                self.travel()
            self.meddle_with_doors()
            before = self.simulation.report()
            after = self.simulation.input_tick(self.next_keys(before))
            self.look(before, after)
        self.report.seconds += time.perf_counter() - started
        return self.report

    def meddle_with_doors(self) -> None:
        """Now and then use a door; that may be one in which somebody stands."""
        doors = list(self.simulation.doors)
        if doors and self.random.random() < 0.02:
            self.report.counts["door_uses"] += self.simulation.use(self.random.choice(doors))

    def next_keys(self, report: TickReport) -> MovementInput:
        """What to do this tick."""
        if self.rest > 0:
            return MovementInput()
        if self.leg == 0:
            self.begin_leg(report)
        self.leg -= 1
        if self.leg == 0 and self.random.random() < 0.3:
            self.rest = REST
        jump = self.random.uniform(0.1, 1.0) if report.on_ground and self.random.random() < 0.01 else None
        self.report.counts["jumps"] += jump is not None
        keys = self.keys
        return MovementInput(forward=keys.forward, side=keys.side, turn=keys.turn, run=keys.run, jump=jump)

    def begin_leg(self, report: TickReport) -> None:
        """Choose a direction and a gait."""
        random = self.random
        goal = self.goal(report) if random.random() < 0.8 else None
        heading = random.uniform(0.0, 360.0)
        run = random.random() < 0.5
        self.leg = random.randint(5, 300 if report.cell & 0xFFFF < 0x100 else 60)
        if goal is not None:
            dx, dy = goal[0] - report.position[0], goal[1] - report.position[1]
            heading = math.degrees(math.atan2(dx, dy)) % 360.0
            speed = 9.5 if run else 3.12
            self.leg = min(150, int((math.hypot(dx, dy) + random.uniform(0.0, 2.0)) / speed * 30.0) + 2)
        self.simulation.face(heading)
        forward = 1 if goal is not None or random.random() < 0.8 else random.choice((-1, 0))
        side = random.choice((0, 0, 0, 0, -1, 1))
        turn = random.choice((0, 0, 0, 0, 0, -1, 1))
        self.keys = MovementInput(forward, side, turn, run)

    def goal(self, report: TickReport) -> tuple[float, float] | None:
        """A point to make for: an opening of this cell, or a doorway of this landblock."""
        cell = self.simulation.body.cell
        if isinstance(cell, EnvCell) and cell.portals:
            corners = self.random.choice(cell.portals).polygon.vertices
            weights = [self.random.random() for _ in corners]
            x, y, z = (
                sum(w * v[i] for w, v in zip(weights, corners, strict=True)) / sum(weights) for i in range(3)
            )
            x, y, _ = cell.frame.to_global((x, y, z))
            return (x, y)
        block = self.world.blocks.get(report.cell & 0xFFFF0000)
        doorways = find_doorways(block) if block is not None and block.env_cells else []
        if not doorways or self.random.random() < 0.4:
            return None
        x, y, _ = self.random.choice(doorways).point(self.random.uniform(-1.0, 1.0))
        return (x, y)

    def look(self, before: TickReport, after: TickReport) -> None:
        """Check and count what a tick came to."""
        done = self.report
        done.ticks += 1
        done.counts["cell_changes"] += after.changed
        done.counts["refused"] += not after.ok
        done.counts["in_air"] += not after.on_ground
        done.counts["blocked"] += after.collided
        done.note(after.to_json(), after.heading, after.velocity)
        if done.ticks % LOOK_EVERY == 0:
            self.look_around(after)
        if not after.changed or after.cell >> 16 == before.cell >> 16:
            done.metres += math.dist(before.position, after.position)
        if not all(map(math.isfinite, (*after.position, *after.velocity, after.heading))):
            done.fault("not finite", after)
        if after.changed and after.position == before.position:
            done.fault("cell changed without a move", after)
        self.look_at_cell(after)
        if self.rest > 0:
            self.look_at_rest(after)

    def look_around(self, report: TickReport) -> None:
        """Take what the body sees into the digest: cells in their order, by what way, in which regions."""
        pivot = pivot_of(report.position)
        eye = first_person_eye(pivot, report.heading)
        view = View.from_angles(
            eye, report.heading, 0.0, fov_y=vertical_fov(16.0 / 9.0), width=1280, height=720
        )
        picture = build_view(
            self.world,
            report.cell,
            foot=pivot,
            pivot=pivot,
            eye=eye,
            view=view,
            options=None,
            index=self.openings,
        )
        self.report.note(
            picture.path, picture.root, picture.carried, [region.points for region in picture.outside]
        )
        for seen in picture.cells:
            self.report.note(
                seen.cell, seen.distance, seen.via, seen.flood, seen.area, [r.points for r in seen.regions]
            )
        for refused in picture.refused_look_ins:
            self.report.note(
                refused.block_id, refused.building.index, refused.portal.index, refused.reason.value
            )

    def look_at_cell(self, report: TickReport) -> None:
        """The body is in its cell, or above the ground."""
        cell = self.simulation.body.cell
        x, y, z = report.position
        if isinstance(cell, EnvCell):
            self.report.env_cells.add(cell.id)
            planes = cell.block_planes or ()
            c = (x, y, z + FOOT_Z)
            depth = min(nx * c[0] + ny * c[1] + nz * c[2] + d for nx, ny, nz, d in planes)
            if depth < -PLANE_SLACK:
                self.report.fault("out of its cell", report)
        elif isinstance(cell, LandCell):
            self.report.land_cells.add(cell.id)
            ground = terrain_height(self.world.blocks[block_of(cell.id)], x, y)
            deep = DEEPEST_WATER if cell.water_type else 0.0
            if ground is None or z < ground - deep - 0.01:
                self.report.fault("below the ground", report)
        else:
            self.report.fault("in no cell", report)

    def look_at_rest(self, report: TickReport) -> None:
        """Who has come to rest on the ground stays where he is until he walks again."""
        self.rest -= 1
        if not report.on_ground:
            self.rest = 0
        elif self.rest_at is not None:
            drift = math.dist(report.position, self.rest_at)
            self.report.largest_drift = max(self.report.largest_drift, drift)
            if drift > 0.0:
                self.report.fault("drift while standing", report)
            self.report.counts["ticks_standing"] += 1
        elif report.velocity == (0.0, 0.0, 0.0):
            self.rest_at = report.position
        if self.rest == 0:
            self.rest_at = None


def main(arguments: list[str]) -> int:
    """Walk and print the report; 1 where anything went wrong."""
    parser = arguments_of(__doc__)
    parser.add_argument("ticks", type=int, nargs="?", default=100_000)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--borders", type=int, default=0)
    told = parser.parse_args(arguments)
    report = LongWalk(told.seed).run(told.ticks, partial(telling, "long walk", count=told.ticks))
    document = report.to_json()
    faults = dict(report.faults)
    if told.borders > 0:
        from scripts.made_world.far_walk import walk_far  # which draws, and needs OpenGL

        far = walk_far(told.borders)
        document["far"] = far.to_json()
        faults |= far.faults()
    print(json.dumps(document))
    return 1 if faults else 0


if __name__ == "__main__":
    finish(main)
