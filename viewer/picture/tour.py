"""The tour: its script walked through, drawn and written down stop by stop (promises 3)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.dat.hex_id import hex_id
from engine.physics.enums import TICKS_PER_SECOND
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport
from engine.physics.transition.hit import Hit
from engine.visibility.picture_view import PictureView
from engine.visibility.report import pvs_table
from engine.world.location import format_location, parse_location
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.still import StillRequest, make_ready
from viewer.tables.tour_script import STEPS, Back, Go, Jump, Shot, Use, picture_name
from viewer.user_error import UserError

SPEED = 3.12 / TICKS_PER_SECOND
REACH = 0.15
PATIENCE = 12 * TICKS_PER_SECOND


@dataclass(slots=True)
class Guide:
    """Leads one simulation through the steps and keeps the transcript.

    ``request`` is what every picture of the tour is asked for with, but for its look.
    """

    simulation: Simulation
    places: Mapping[str, str]
    screen: OffscreenRenderer
    folder: Path
    request: StillRequest
    lines: list[str] = field(default_factory=list)
    pictures: int = 0
    unpainted: int = 0
    _heading: float = 0.0
    _met: dict[str, int] = field(default_factory=dict)
    _cells: list[int] = field(default_factory=list)

    def run(self) -> Iterator[Path]:
        """Take the steps, each picture's file as it is written."""
        for step in STEPS:
            if isinstance(step, Shot):
                yield self._shoot(step)
            elif isinstance(step, Go):
                for place in step.places:
                    self._go(place)
            elif isinstance(step, Jump):
                self._jump(step.place)
            elif isinstance(step, Back):
                self._back(step.metres)
            elif isinstance(step, Use):
                self.lines.append(f"used {hex_id(step.entity)}")
                self.simulation.use(step.entity)
                self._wait(step.seconds)
            else:
                self._wait(step.seconds)

    def _jump(self, place: str) -> None:
        self.lines.append(f"teleported to {place}: {self._place(place)}")
        report = self.simulation.teleport(parse_location(self._place(place)).position)
        self._heading = report.heading
        self._cells = [report.cell]

    def _go(self, place: str) -> None:
        """Steer to a place in full ticks until there, or held up for a second."""
        simulation = self.simulation
        target = parse_location(self._place(place)).position.frame.origin
        stuck = 0
        for _ in range(PATIENCE):
            x, y, _z = simulation.position.frame.origin
            dx, dy = target[0] - x, target[1] - y
            gap = math.hypot(dx, dy)
            if gap <= REACH or stuck > TICKS_PER_SECOND:
                break
            step = min(SPEED, gap) / gap
            self._heading = math.degrees(math.atan2(dx, dy)) % 360.0
            simulation.face(self._heading)
            self._note(simulation.walk_tick((dx * step, dy * step, 0.0)))
            moved = math.dist((x, y), simulation.position.frame.origin[:2])
            stuck = stuck + 1 if moved < 0.1 * SPEED else 0
        came = "walked to" if gap <= REACH else f"held up {gap:.2f} m before"
        self.lines.append(f"{came} {place}, cells {' '.join(f'{c & 0xFFFF:04X}' for c in self._cells)}")
        self._cells = self._cells[-1:]

    def _back(self, metres: float) -> None:
        a = math.radians(self._heading)
        for _ in range(math.ceil(metres / SPEED)):
            self._note(self.simulation.walk_tick((-SPEED * math.sin(a), -SPEED * math.cos(a), 0.0)))
        self.lines.append(f"stepped back {metres:g} m")

    def _wait(self, seconds: float) -> None:
        for report in self.simulation.wait(seconds):
            self._note(report)
        self.lines.append(f"waited {seconds:g} s")

    def _note(self, report: TickReport) -> None:
        for hit in report.hits:
            name = _hit_name(hit)
            self._met[name] = self._met.get(name, 0) + 1
        if not self._cells or self._cells[-1] != report.cell:
            self._cells.append(report.cell)

    def _shoot(self, shot: Shot) -> Path:
        simulation = self.simulation
        yaw = self._heading if shot.yaw is None else shot.yaw
        simulation.face(yaw)
        self.pictures += 1
        path = self.folder / picture_name(self.pictures, shot)
        look = self.request.look._replace(yaw=yaw, pitch=shot.pitch, third_person=shot.third)
        still = make_ready(simulation, self.request._replace(look=look, clouds=simulation.time))
        stats = self.screen.picture(still, path)
        self.unpainted += stats.sentinel
        self._write_down(shot, path, still.seen.picture, stats.sentinel)
        return path

    def _write_down(self, shot: Shot, path: Path, picture: PictureView, unpainted: int) -> None:
        simulation = self.simulation
        self.lines += ["", f"== {path.name}: {shot.title}", f"at {format_location(simulation.position)}"]
        self.lines.append(
            f"current cell {hex_id(simulation.position.cell_id)}, {picture.path} frame, "
            f"{unpainted} pixels unpainted"
        )
        met = ", ".join(f"{name} ({count} ticks)" for name, count in self._met.items())
        self.lines.append(f"met since the last picture: {met or 'nothing'}")
        self._met.clear()
        for door in simulation.report().doors:
            does, *next_ = door.status.parts
            parts = ", ".join([does, f"state 0x{door.state:X}", *next_])
            self.lines.append(f"door {hex_id(door.entity)}: {parts}")
        self.lines += [*pvs_table(picture).splitlines(), ""]

    def _place(self, name: str) -> str:
        if name not in self.places:
            raise UserError(f"the demo world knows no place '{name}': it does not fit this tour")
        return self.places[name]


def _hit_name(hit: Hit) -> str:
    model = f" {hit.gfxobj:08X}" if hit.gfxobj else ""
    part = f" part {hit.part}" if hit.part >= 0 else ""
    return f"{hit.kind.value} {hex_id(hit.owner)}{part}{model} polygon {hit.poly}"
