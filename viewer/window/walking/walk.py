"""A walk through a world: a traveller that acts, and that time passes for; the window without the window."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from engine.physics.enums import TS_SLIDING
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.blocked import BlockedWatch
from engine.physics.simulation.last_move import LastMoveWatch
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import StaticComparison
from engine.replay.history.moment import Keeper
from engine.replay.history.ticks import History
from engine.visibility.picture_view import PictureView
from engine.visibility.view import basis
from engine.world.debug_shapes import DebugShapes
from engine.world.location import format_place
from engine.world.physics_state import ETHEREAL
from viewer.picture.day_clock import DayClock
from viewer.report.picture_report import CellId, PictureReport, plain
from viewer.report.reporting import Reporters, picture_report_of
from viewer.tables.keys import default_keys
from viewer.tables.modes import key_name
from viewer.tables.settings import DEFAULT_REACH
from viewer.terminal import say
from viewer.window.walking.keepers import ClockKeeper, LookKeeper
from viewer.window.walking.picking import pick_door
from viewer.window.walking.telling import Telling
from viewer.window.walking.time_travel import TimeTravel
from viewer.window.walking.traveller import Traveller

STANDING = MovementInput()
HELD = "; a step aside or back frees you from what you pushed against"


class CaptureFeed(Keeper, Protocol):
    """A capture that is played in the window."""

    def pump(self) -> int:
        """Take in what has come; how many ticks."""

    @property
    def words(self) -> str:
        """What the record shown came to, in one line."""

    @property
    def numbers(self) -> dict[str, int]:
        """What else the tick shown is counted as, by name."""

    def shapes(self, root: int) -> list[DebugShapes]:
        """What is drawn of the recorded body."""


class Walk(Traveller):
    """Runs a simulation in fixed steps, and does what a user asks of it.

    ``report_file`` gets a frame report a tick and one of each change while time stands still, as JSON lines;
    ``world_words`` are the options that open the same world again.
    """

    def __init__(
        self,
        simulation: Simulation,
        *,
        third_person: bool = False,
        strict_root: bool = False,
        report_file: Path | None = None,
        clock: DayClock | None = None,
    ) -> None:
        super().__init__(simulation, third_person=third_person, strict_root=strict_root)
        simulation.trace = True
        self.comparison = StaticComparison(simulation)
        self.last_move = LastMoveWatch(self.comparison)
        simulation.on_tick.append(self.last_move.tick)
        self.watch = BlockedWatch(simulation.registry)
        simulation.on_tick.append(self.watch.tick)
        simulation.on_arrival += [self.comparison.arrived, self.last_move.arrived, self.watch.arrived]
        self.clock = clock if clock is not None else DayClock.of_world(simulation.world)
        keepers = (self.comparison, self.last_move, self.watch, LookKeeper(self.camera))
        self.history = History(simulation, (*keepers, ClockKeeper(self.clock)), self.comparison)
        self.travel = TimeTravel(self.history, self.pace, self._show_tick)
        self.began = format_place(simulation.position)
        self.distances = {"radius": DEFAULT_REACH, "objects": DEFAULT_REACH}
        self.world_words: list[str] = []
        self.unpainted = -1
        self._wishes: list[str] = []
        self.keys: Mapping[str, str] = default_keys()
        self.widgets: dict[str, tuple[float, float]] = {}
        self.tells_widgets = report_file is not None  # scripts and tests look there for where to click
        self.picture: tuple[int, int, int, int] = (0, 0, 1, 1)
        self._telling = Telling(report_file, self.tell_end_of_file)
        self.player: CaptureFeed | None = None
        self.pointer: tuple[int, int] | None = None
        self.frame = 0
        self._seen_before: PictureView | None = None
        self._controls = STANDING
        self._reporters = Reporters()

    # -- time

    @property
    def hour(self) -> float:
        """The hour of the day in the picture: the clock's."""
        return self.clock.hour

    def advance(self, seconds: float, controls: MovementInput) -> int:
        """Let time pass: as many ticks as are due; how many there were. Flying moves the eye instead."""
        if self.pace.held:
            return 0
        if self.flight is not None:
            axes = (controls.forward, controls.side, self.rise)
            before = self.flight.eye
            self.flight.move((self.camera.yaw, self.camera.pitch), axes, seconds)
            self.flight.carry(self.simulation.world, self.openings, before)
            controls = STANDING
        self._controls = controls
        self._go_to_spot()
        self._go_on()
        if self.paused:
            self.simulation.residency.pump()
            if self.player is not None:
                self.player.pump()
            if self.travel.playing:
                self.travel.play(seconds)
            return 0
        self.travel.playing = False
        self.clock.advance(seconds * self.pace.speed)
        self.pace.let_pass(seconds)
        start = time.perf_counter()
        ticks = 0
        while self.pace.take():
            self._tick(controls)
            ticks += 1
        if ticks:
            self.effects.advance(self.burning_time)
            self.timings["ticks"] = 1000.0 * (time.perf_counter() - start)
        return ticks

    def step(self, controls: MovementInput = STANDING) -> bool:
        """One tick while paused; whether what is held went into it. Flying, the body stands.

        A tick that is kept is shown again; after the last one comes a new one, by what is held.
        """
        if not self.paused or self.travel.forward():
            return False
        self._tick(controls if self.flight is None else STANDING)
        return True

    def step_on(self) -> None:
        """One tick on; after the last one that is kept by the keys that are held. Time stands still then."""
        if not self.paused:
            self.toggle_pause()
        self.step(self._controls)

    @property
    def paused(self) -> bool:
        """Whether time stands still."""
        return self.pace.paused

    def toggle_pause(self) -> None:
        """Stop or go on."""
        self.pace.toggle_pause()

    def _tick(self, controls: MovementInput) -> None:
        simulation, camera = self.simulation, self.camera
        if self.flight is None:
            simulation.face(camera.target_yaw)
        simulation.input_tick(controls)
        heading = simulation.position.frame.heading()
        self._turned = 0.0
        if controls.turn and self.flight is None:
            self._turned = (heading - camera.target_yaw + 180.0) % 360.0 - 180.0
            camera.target_yaw += self._turned
        self._tell()

    @property
    def goes(self) -> bool:
        """Whether one flies, or is on the way to a place."""
        return self.flight is not None or self.destination is not None

    def keep_going(self) -> Callable[[], None]:
        """What puts back where one flies and what one goes to, which end when a tick is shown."""
        flight, destination = self.flight, self.destination

        def put_back() -> None:
            self.flight, self.destination = flight, destination

        return put_back

    def _show_tick(self) -> None:
        """A kept tick is shown: the picture leaves the flight and stands where the tick ended."""
        self.flight = None
        self.destination = None
        self._turned = 0.0
        self.effects.advance(self.burning_time)
        self._seen_before = self.seen
        if self.travel.jumped:
            self._changes.forget()
        self.notice, self.travel.unsaid = self.travel.unsaid or self.notice, ""

    def watch_tick(self) -> None:
        """Let those who watch ticks see the one that the simulation was put at."""
        report = self.simulation.report()
        for watch in (self.comparison.tick, self.last_move.tick, self.watch.tick):
            watch(report)

    def play_capture(self, player: CaptureFeed) -> None:
        """Stand still and take ticks from a capture, which go back and forth with the history."""
        self.player = player
        self.history.keep(player)
        if not self.paused:
            self.toggle_pause()

    def end_frame(self) -> None:
        """A picture is drawn: count it, and report what changed while time stands still.

        A kept tick that is shown is reported once it has a picture of its own.
        """
        self.frame += 1
        if self.paused and self._telling.is_on and self.seen is not self._seen_before:
            self._seen_before = None
            self._telling.tell_change(self._document())

    def _tell(self) -> None:
        if self._telling.is_on:
            self._telling.tell(self._document())

    def _document(self) -> dict[str, object]:
        """The report as JSON, with where widgets, picture and pointer are, and how many frames were drawn.

        A probe's pins, a hundred kilobytes, are told once.
        """
        report = self.report()
        if report.asked.probe_number == self._telling.probe_told:
            report = replace(report, asked=report.asked.briefly())
        document = plain(report)
        assert isinstance(document, dict)
        return {
            **document,
            "widgets": plain(self.widgets),
            "picture": list(self.picture),
            "pointer": self.pointer and [round(value) for value in self.pointer],
            "frame": self.frame,
        }

    def tell_end_of_file(self, line: str) -> None:
        """A file that gets a line a tick has ended early: the walk goes on without it."""
        say(line)
        self.notice = line

    # -- doing

    def use_seen(self) -> str:
        """Use the door under the cross-hair; a line saying what came of it.

        While flying the ray begins at the detached eye, in the cell that it has come to.
        """
        if self.seen is None:
            return "nothing to use from here"
        cell, eye, ahead = self.seen.root, self.seen.view.eye, self.seen.view.forward
        if self.flight is not None:
            cell, eye = self.flight.cell_id, self.flight.eye
            ahead = basis(self.camera.yaw, self.camera.pitch)[2]
        picked = pick_door(self.simulation, cell, eye, ahead)
        if picked is None:
            return "nothing to use here"
        return self.use(picked.entity)

    def use(self, entity: int) -> str:
        """Use a door; a line saying what came of it, which is the notice, too."""
        self.notice = self._use(entity)
        return self.notice

    def _use(self, entity: int) -> str:
        try:
            used = self.simulation.use(entity)
        except SimulationError as error:
            return str(error)
        if used:
            phase = self.simulation.doors[entity].phase
            return f"used {CellId(entity)}: it is {phase.value}{self._held_still(entity)}"
        refuses = self.simulation.doors[entity].refuses
        return f"{CellId(entity)} is {'locked' if refuses else 'still moving'}"

    def set_ethereal(self, entity: int, *, ethereal: bool) -> str:
        """Set or clear the Ethereal bit of an entity at once; a line saying what came of it, the notice."""
        target = self.simulation.registry.get(entity)
        if target is None:
            return ""
        state = target.state | ETHEREAL if ethereal else target.state & ~ETHEREAL
        self.simulation.set_state(entity, state)
        self.notice = (
            f"{CellId(entity)} is {'passable' if ethereal else 'solid'} now{self._held_still(entity)}"
        )
        return self.notice

    def _held_still(self, entity: int) -> str:
        """That a body stays held by what lets it pass now, until it has moved another way (sweep 3.8).

        What has turned solid holds by itself: no step frees from that; what doesn't hold the body has none
        to let go.
        """
        target = self.simulation.registry.get(entity)
        passes = target is not None and target.state & ETHEREAL
        holds = self.watch.now is not None and entity in self.watch.now.holders
        return HELD if passes and holds and self.simulation.body.transient_state & TS_SLIDING else ""

    def key_of(self, action: str) -> str:
        """The key that an action of the table is bound to, as it is shown; empty for none."""
        key = self.keys.get(action, "")
        return key_name(key) if key else ""

    def do(self, action: str) -> None:
        """Ask the window for an action of the table."""
        self._wishes.append(action)

    def taken_wishes(self) -> list[str]:
        """The actions that were asked for; told once."""
        wishes, self._wishes = self._wishes, []
        return wishes

    @property
    def blocked(self) -> str:
        """What blocks the body, in words; empty where nothing does."""
        return "" if self.watch.now is None else self.watch.now.words

    def location(self) -> str:
        """Where the body is, as the game prints it."""
        return format_place(self.simulation.position)

    def set_distance(self, name: str, landblocks: int) -> None:
        """Let the ground (``radius``) or what stands on it (``objects``) reach so many landblocks."""
        self.distances[name] = landblocks
        self.settings.set(name, landblocks)
        radius = self.distances["radius"]
        self.simulation.residency.reach(min(self.distances["objects"], radius), radius)

    # -- reporting

    def report(self) -> PictureReport:
        """The report of the last tick and frame."""
        return picture_report_of(
            self.simulation,
            self.seen,
            self.camera,
            modes=self.modes,
            distances=self.distances,
            paused=self.paused,
            flying=self.flying,
            comparison=self.comparison,
            blocked=self.watch.now,
            last_move=self.last_move.now,
            timings=self.timings,
            unpainted=self.unpainted,
            settings=self.settings.values,
            listing=replace(self.listing, near=tuple(map(CellId, self.questions.near_hidden()))),
            asked=self.questions.report(self.listing.selected, self.listing.lit),
            timeline=self.travel.report(),
            recorded="" if self.player is None else self.player.words,
            recorded_as={} if self.player is None else self.player.numbers,
            reporters=self._reporters,
        )

    def close(self, *, by_error: bool = False) -> None:
        """Follow the world no longer, and end the report, by an error where one ends the walk."""
        self.effects.close()
        self.questions.close()
        self.motions.close()
        if by_error:
            self._telling.abandon()
        else:
            self._telling.close()
