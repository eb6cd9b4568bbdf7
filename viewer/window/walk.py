"""A walk through a world: body, camera, clock and what is seen; everything of the window but the window."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from engine.dat.values import Vec3
from engine.files.write import LineFile
from engine.physics.enums import TS_SLIDING
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.blocked import BlockedWatch
from engine.physics.simulation.last_move import LastMoveWatch
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import TICK, Simulation
from engine.physics.simulation.static_comparison import StaticComparison
from engine.visibility.camera import Camera
from engine.visibility.frame_view import FrameView, ViewOptions
from engine.visibility.openings import OpeningIndex
from engine.visibility.view import View, basis, vertical_fov
from engine.visibility.view_modes import choose_cells
from engine.world.ids import rebase
from engine.world.location import format_location, parse_location
from engine.world.physics_state import ETHEREAL
from viewer.errors import UserError
from viewer.picture.day_clock import DayClock
from viewer.picture.eye_line import EyeLine, eye_line, see
from viewer.picture.flight import Flight, detached_view
from viewer.picture.live_effects import LiveEffects
from viewer.picture.scene_objects import scene_objects
from viewer.picture.split_view import half_from_behind
from viewer.places import put
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.entities import Particles, SceneObjects
from viewer.report.frame_report import CellId, FrameReport, ListReport, plain
from viewer.report.reporting import frame_report
from viewer.tables.modes import BY_NAME, stepped, toggled, with_modes
from viewer.tables.settings import DEFAULT_REACH, Value
from viewer.window.picking import pick_door
from viewer.window.settings import Settings

STANDING = MovementInput()
FRAME_SLACK = 1e-9
HELD = "; a step aside or back frees you from what you pushed against"
"""Seconds: frames that add up to a tick but for rounding make a tick, at any frame rate."""


class Walk:
    """Runs a simulation in fixed steps and looks out of it once a frame; ``seen`` is what it saw.

    The body's heading is the camera's yaw: what turns one turns the other. ``report_file`` gets one frame
    report a tick, as JSON lines; ``world_words`` are the options that open the same world again. The body
    must have been placed.
    """

    def __init__(
        self,
        simulation: Simulation,
        third_person: bool = False,
        strict_root: bool = False,
        report_file: Path | None = None,
        clock: DayClock | None = None,
    ) -> None:
        self.simulation = simulation
        simulation.trace = True
        self.comparison = StaticComparison(simulation)
        self.last_move = LastMoveWatch(self.comparison)
        simulation.on_tick.append(self.last_move.tick)
        self.watch = BlockedWatch()
        simulation.on_tick.append(self.watch.tick)
        self.camera = Camera(simulation.position.frame.heading(), 0.0, third_person)
        self.options = ViewOptions(strict_root=strict_root)
        self.openings = OpeningIndex()
        self.effects = LiveEffects(simulation)
        self.clock = clock if clock is not None else DayClock.of_world(simulation.world)
        self.paused = False
        self.destination: tuple[str, int] | None = None
        self.notice = ""
        self.anywhere = False
        self.flight: Flight | None = None
        self.rise = 0
        self.timings: dict[str, float] = {}
        self.modes: tuple[str, ...] = ()
        self.distances = {"radius": DEFAULT_REACH, "objects": DEFAULT_REACH}
        self.world_words: list[str] = []
        self.unpainted = -1
        self.widgets: dict[str, tuple[float, float]] = {}
        self.picture: tuple[int, int, int, int] = (0, 0, 1, 1)
        self.settings = Settings()
        self.listing = ListReport()
        self._listed: frozenset[int] | None = None
        self.seen: FrameView | None = None
        self.line: EyeLine | None = None
        self._owed = 0.0
        self._turned = 0.0
        self._report_file = LineFile(report_file) if report_file else None

    # -- time

    def advance(self, seconds: float, controls: MovementInput) -> int:
        """Let time pass: as many ticks as are due; how many there were. Flying moves the eye instead."""
        if self.flight is not None:
            axes = (controls.forward, controls.side, self.rise)
            before = self.flight.eye
            self.flight.move((self.camera.yaw, self.camera.pitch), axes, seconds)
            self.flight.carry(self.simulation.world, self.openings, before)
            controls = STANDING
        self._go_on()
        if self.paused:
            self.simulation.residency.pump()
            return 0
        self.clock.advance(seconds)
        self._owed += seconds
        start = time.perf_counter()
        ticks = 0
        while self._owed >= TICK - FRAME_SLACK:
            self._owed = max(0.0, self._owed - TICK)
            self._tick(controls)
            ticks += 1
        if ticks:
            self.effects.advance(self.burning_time)
            self.timings["ticks"] = 1000.0 * (time.perf_counter() - start)
        return ticks

    def step(self, controls: MovementInput = STANDING) -> bool:
        """One tick while paused, by what is held; whether there was one. Flying, the body stands."""
        if self.paused:
            self._tick(controls if self.flight is None else STANDING)
        return self.paused

    def toggle_pause(self) -> None:
        """Stop or go on."""
        self.paused = not self.paused
        self._owed = 0.0

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
        if self._report_file is not None:
            document = plain(self.report())
            assert isinstance(document, dict)
            places = {"widgets": plain(self.widgets), "picture": list(self.picture)}
            self._report_file.write(json.dumps({**document, **places}))

    @property
    def share(self) -> float:
        """How much of the tick under way has passed: the picture stands between the last two ticks."""
        return 1.0 if self.paused else min(1.0, self._owed / TICK)

    @property
    def drawn_time(self) -> float:
        """The simulation time that the picture shows, seconds."""
        return self.simulation.time - TICK * (1.0 - self.share)

    @property
    def burning_time(self) -> float:
        """The seconds that fires and smoke have gone on for in the picture."""
        return max(0.0, self.drawn_time)

    @property
    def particles(self) -> Particles:
        """What flies about in the picture."""
        return partial(self.effects.shown, self.burning_time)

    # -- looking

    def turn(self, yaw: float, pitch: float) -> None:
        """Turn the look, and with it the body, by degrees."""
        self.camera.turn(yaw, pitch)

    def look_out(self, size: tuple[int, int], seconds: float) -> FrameView:
        """What the frame draws in a picture of that size; while flying, what was seen before taking off."""
        start = time.perf_counter()
        camera = self.camera
        self._settle_camera(seconds)
        look = (camera.yaw, camera.pitch)
        if self.flight is None or self.seen is None:
            simulation = self.simulation
            self.line = eye_line(
                simulation.world, self.openings, simulation.body, simulation.drawn(self.share), camera
            )
            swept = time.perf_counter()
            self.seen = see(
                simulation.world, self.openings, simulation.position.cell_id, self.line, look, size,
                self.fov, self.options,
            )  # fmt: skip
            self._note_changes(self.seen)
            self.timings["camera"] = 1000.0 * (swept - start)
            self.timings["visible"] = 1000.0 * (time.perf_counter() - swept)
        if self.flight is None:
            return self.seen
        fov = self.fov if self.fov is not None else vertical_fov(size[0] / size[1])
        view = View.from_angles(self.flight.eye, *look, fov, *size)
        return detached_view(self.simulation.world, self.seen, self.flight, view)

    def _note_changes(self, seen: FrameView) -> None:
        """Which cells this frame lists and the one before did not, and the other way round."""
        now, before = frozenset(row.cell for row in seen.cells), self._listed
        self._listed = now
        if before is not None and now != before:
            came, went = (tuple(map(CellId, sorted(cells))) for cells in (now - before, before - now))
            self.listing = replace(self.listing, came=came, went=went)

    def select(self, cell: int) -> None:
        """Select a cell; the selected one again selects none."""
        self.listing = replace(self.listing, selected=CellId(0 if cell == self.listing.selected else cell))

    def light_up(self, cell: int) -> None:
        """Show a cell in the next picture, 0 for none."""
        if cell != self.listing.lit:
            self.listing = replace(self.listing, lit=CellId(cell))

    def filter_list(self, text: str) -> None:
        """Let the list show the rows alone in which a text stands."""
        self.listing = replace(self.listing, filter=text)

    @property
    def fov(self) -> float | None:
        """The vertical field of view that is set, in degrees; None: the game's."""
        return self.settings.number("fov") or None

    def set_setting(self, name: str, value: Value) -> None:
        """Change a setting."""
        self.settings.set(name, value)

    def _settle_camera(self, seconds: float) -> None:
        """Third person follows smoothly; first person is where one looks, turns by key in between ticks."""
        camera = self.camera
        if camera.third_person and self.flight is None:
            camera.update(seconds)
            return
        camera.settle()
        camera.yaw -= self._turned * (1.0 - self.share)

    def objects(self) -> SceneObjects:
        """Doors, entities and, where it is to be seen, the player's figure, as this frame draws them."""
        if self.flight is None:
            return self._objects_for(None)
        home = self.simulation.position.cell_id
        return self._objects_for(rebase(self.flight.eye, self.flight.cell_id, home))

    def _objects_for(self, eye: Vec3 | None) -> SceneObjects:
        """The moving things for the camera's own eye (None), or for one that has left the body."""
        assert self.line is not None
        line = self.line if eye is None else replace(self.line, eye=eye)
        figure = self.camera.third_person or eye is not None
        return scene_objects(self.simulation, line, self.drawn_time, figure, self.particles)

    def toggle_mode(self, name: str) -> None:
        """Switch a drawing mode on or off."""
        self.modes = toggled(self.modes, name)

    def modes_off(self) -> None:
        """Switch every drawing mode off."""
        self.modes = ()

    def switch_mode(self, name: str, by: int = 1) -> None:
        """What a mode's key does: on or off; one with a value goes on to the next, or back."""
        if not BY_NAME[name].value:
            self.toggle_mode(name)
        elif self.seen is not None:
            self.modes = stepped(self.modes, name, self._values(name), by)

    def _values(self, name: str) -> list[str]:
        """What a mode's value can be now: a visible cell, or how many of them but not all."""
        assert self.seen is not None
        chosen = choose_cells(self.simulation.world, self.seen, with_modes(RenderOptions(), self.modes).cells)
        if name == "first":
            return [str(k) for k in range(1, len(chosen.cells))]
        return list(dict.fromkeys(f"{row.cell:08X}" for row in chosen.cells))

    def choose(self, frame: FrameView, options: RenderOptions) -> FrameView:
        """The frame with the cells of the modes; a cell alone that is no longer seen is let go."""
        world = self.simulation.world
        try:
            return choose_cells(world, frame, options.cells, options.solo, options.first)
        except ValueError as error:
            self.modes = tuple(mode for mode in self.modes if not mode.startswith("solo="))
            self.notice = str(error)
            return choose_cells(world, frame, options.cells, None, options.first)

    def seen_from_behind(self) -> tuple[FrameView, SceneObjects]:
        """The visible list as the split view's other half shows it, and the moving things there."""
        assert self.seen is not None and self.line is not None
        return half_from_behind(self.simulation, self.seen, self.line, self.drawn_time, self.particles)

    @property
    def flying(self) -> bool:
        """Whether the camera has left the body."""
        return self.flight is not None

    def toggle_flight(self) -> None:
        """Leave the body behind, or come back to it."""
        if self.flight is None and self.seen is not None:
            self.flight = Flight(self.seen.root, self.seen.view.eye)
        else:
            self.flight = None
            self.camera.target_yaw = self.simulation.position.frame.heading()
            self.camera.target_pitch = 0.0
            self.camera.settle()

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
            return f"used {CellId(entity)}{self._held()}"
        refuses = self.simulation.doors[entity].refuses
        return f"{CellId(entity)} is {'locked' if refuses else 'still moving'}"

    def set_ethereal(self, entity: int, ethereal: bool) -> str:
        """Set or clear the Ethereal bit of an entity at once; a line saying what came of it, the notice."""
        target = self.simulation.registry.get(entity)
        if target is None:
            return ""
        state = target.state | ETHEREAL if ethereal else target.state & ~ETHEREAL
        self.simulation.set_state(entity, state)
        self.notice = f"{CellId(entity)} is {'passable' if ethereal else 'solid'} now{self._held()}"
        return self.notice

    def _held(self) -> str:
        """That the body stays held until it has moved another way than straight on (sweep 3.8)."""
        return HELD if self.simulation.body.transient_state & TS_SLIDING else ""

    def teleport(self, place: str) -> str:
        """Go to a place as the game prints it, when its landblocks are there.

        Returns a complaint, empty where it went well or is under way; ``notice`` tells of one that comes
        later, and of a place that is not quite the one.
        """
        try:
            cell_id = parse_location(place).cell_id
        except ValueError as error:
            return str(error)
        self.destination = (place, cell_id)
        complaint = self._go_on()
        self.notice = "" if complaint else self.notice
        return complaint

    def _go_on(self) -> str:
        """End a journey that can be ended; a complaint, which is the notice, too."""
        if self.destination is None:
            return ""
        place, cell_id = self.destination
        if not self.simulation.residency.approach(cell_id):
            return ""
        self.destination = None
        complaint = self._arrive(place)
        self.notice = complaint or self.notice
        return complaint

    def _arrive(self, place: str) -> str:
        try:
            self.notice = put(self.simulation, place, self.anywhere).words
        except UserError as error:
            return str(error)
        self.flight = None
        self.camera.target_yaw = self.simulation.position.frame.heading()
        self.camera.settle()
        return ""

    @property
    def blocked(self) -> str:
        """What blocks the body, in words; empty where nothing does."""
        return "" if self.watch.now is None else self.watch.now.words

    def location(self) -> str:
        """Where the body is, as the game prints it."""
        return format_location(self.simulation.position)

    def set_distance(self, name: str, landblocks: int) -> None:
        """Let the ground (``radius``) or what stands on it (``objects``) reach so many landblocks."""
        self.distances[name] = landblocks
        self.settings.set(name, landblocks)
        radius = self.distances["radius"]
        self.simulation.residency.reach(min(self.distances["objects"], radius), radius)

    # -- reporting

    def report(self) -> FrameReport:
        """The report of the last tick and frame."""
        return frame_report(
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
            listing=self.listing,
        )

    def close(self) -> None:
        """Close the report file, and follow the world no longer."""
        self.effects.close()
        if self._report_file is not None:
            self._report_file.close()
