"""A capture in the window: our body goes through every record, a ghost shows where the recorded one went."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

from engine.dat.hex_id import hex_id
from engine.physics.simulation.saved import restore_body, save_body
from engine.physics.simulation.ticking import SavedTick
from engine.replay.capture import BrokenRecord, CaptureRecord, CaptureResult
from engine.replay.follow import STANDARD_INPUT, CaptureTail
from engine.replay.history.marks import DIFFERS
from engine.replay.replay import Replayed, ReplayWorld, carried_cell
from engine.world.debug_shapes import DebugShapes, Rgba
from engine.world.ids import rebase
from engine.world.way import Way
from viewer.report.timeline_report import tick_name
from viewer.terminal import say
from viewer.window.walking.walk import Walk

GHOST: Rgba = (0.55, 0.85, 1.0, 1.0)
OTHER: Rgba = (1.0, 0.35, 0.3, 1.0)
RECORDS_A_FRAME: Final = 20
COMPLAINTS_SAID: Final = 10  # on stderr: a broken capture has as many as lines
SIDES: Final = 24


class CapturePlayer:
    """Feeds a walk's history from a capture as it comes, one record a tick.

    Ticks count records from 0 on, until somebody walks on by himself: what comes when time stands still again
    follows upon that. ``now`` goes back and forth with the history. While the last tick is shown the picture
    follows what comes.
    """

    def __init__(self, walk: Walk, tail: CaptureTail) -> None:
        self.walk = walk
        self.tail = tail
        self._taken: tuple[int, Replayed] | None = None  # the tick of the last record shown, and the record
        self.records = 0
        self.differing = 0
        self.complaints = 0
        self._last: Replayed | None = None
        self._again = ReplayWorld(walk.simulation.world, walk.simulation)

    @property
    def now(self) -> Replayed | None:
        """What the record shown came to; None where the tick shown is none, but somebody's own."""
        taken = self._taken
        return taken[1] if taken is not None and taken[0] == self.walk.simulation.tick else None

    def save(self) -> object:
        """The tick and its record."""
        return self._taken

    def restore(self, saved: object) -> None:
        """Show that."""
        assert saved is None or isinstance(saved, tuple)
        self._taken = saved

    def pump(self) -> int:
        """Take in records that have come, as long as nobody looks at an earlier one; how many."""
        if not self.walk.history.is_at_end or not self.walk.paused or self.walk.travel.filming:
            return 0
        count = 0
        for record in self.tail.poll(RECORDS_A_FRAME):
            if isinstance(record, BrokenRecord):
                self._complain(record.reason)
            else:
                self.take(record)
                count += 1
        if count:
            self.walk.travel.show(self.walk.history.last)
        return count

    def take(self, record: CaptureRecord) -> None:
        """Run a record and keep what it came to as the next tick."""
        again, simulation = self._again, self.walk.simulation
        was_left = self._last is not None and self.now is None
        replayed = self._last = again.run(record, carried_cell(self._last, record))
        self.records += 1
        differs = bool(replayed.differences()) if record.result is not None else replayed.outcome is None
        self.differing += differs
        if again.body is not None and again.result is not None:
            restore_body(simulation, save_body(again.body))
            end = again.body.position
            way = Way([(record.cell, record.current), (end.cell_id, end.frame.origin)])
            nothing = (0.0, 0.0, 0.0)
            x, y, z = (b - a for a, b in zip(record.current, record.target, strict=True))
            before, tick = simulation.position, self.walk.history.last + 1
            simulation.restore_tick(
                SavedTick(
                    tick=tick,
                    previous_position=before,
                    way=way,
                    state_velocity=nothing,
                    requested=(x, y, z),
                    jump_vz=0.0,
                    last=again.result,
                    entered=False,
                )
            )
        else:
            saved = simulation.save_tick()
            simulation.restore_tick(
                SavedTick(
                    tick=self.walk.history.last + 1,
                    previous_position=saved.previous_position,
                    way=saved.way,
                    state_velocity=saved.state_velocity,
                    requested=saved.requested,
                    jump_vz=0.0,
                    last=saved.last,
                    entered=False,
                )
            )
            self._complain(f"line {record.line}, recorded tick {record.tick}: {replayed.note}")
        self._taken = (simulation.tick, replayed)
        if was_left:
            self.walk.notice = f"your own ticks end here: {self.name} goes on, at line {record.line}"
        self.walk.camera.target_yaw = simulation.position.frame.heading()
        self.walk.camera.settle()
        self.walk.watch_tick()
        self.walk.history.append((DIFFERS,) if differs else ())

    def _complain(self, line: str) -> None:
        """Show a line; the first ones go to stderr, too, and so into the log."""
        self.complaints += 1
        self.walk.notice = line
        if self.complaints < COMPLAINTS_SAID:
            say(line)
        elif self.complaints == COMPLAINTS_SAID:
            say(f"{line}; more of {self.name} are shown in the window alone")

    @property
    def name(self) -> str:
        """What to call the capture: its file, wherever that lies."""
        return "standard input" if self.tail.name == STANDARD_INPUT else Path(self.tail.name).name

    @property
    def words(self) -> str:
        """What the record shown came to beside what was recorded, in one line."""
        if not self.records:
            return f"{self.name}: no record yet"
        shown, count = tick_name(self.walk.history.shown), f"{self.differing} of {self.records} differ"
        if self.now is None:
            return f"{shown}: no record of {self.name}   ({count})"
        differences = self.now.differences("cell {} here, {} recorded")
        says = "; ".join(differences) if differences else "as recorded"
        return f"{shown} of {self.name}: {says}   ({count})"

    @property
    def numbers(self) -> dict[str, int]:
        """What else the tick shown is counted as: its record's line, and as its client counted it."""
        if self.now is None:
            return {}
        return {"line": self.now.record.line, "recorded tick": self.now.record.tick}

    def shapes(self, root: int) -> list[DebugShapes]:
        """The ghost: the recorded body's spheres, red where it is elsewhere than ours."""
        if self.now is None or self.now.record.result is None:
            return []
        result = self.now.record.result
        out = DebugShapes(root)
        color = OTHER if self.now.differences() else GHOST
        x, y, z = rebase(result.position, result.cell, root)
        for sphere in self.now.record.spheres:
            cx, cy, cz = sphere.center
            _rings(out, (x + cx, y + cy, z + cz), sphere.radius, color)
        out.label((x, y, z + 2.0), ghost_label(result), color)
        return [out]


def ghost_label(result: CaptureResult) -> str:
    """What is written over the ghost."""
    return f"recorded {hex_id(result.cell)}"


def _rings(out: DebugShapes, center: tuple[float, float, float], radius: float, color: Rgba) -> None:
    """Three circles around a point, one in each plane."""
    angles = [2.0 * math.pi * n / SIDES for n in range(SIDES)]
    x, y, z = center
    for a, b in ((0, 1), (0, 2), (1, 2)):
        points = []
        for angle in angles:
            at = [x, y, z]
            at[a] += radius * math.cos(angle)
            at[b] += radius * math.sin(angle)
            points.append((at[0], at[1], at[2]))
        out.outline(points, color)
