"""Looking out of a body: camera, flight, drawing modes and what is seen, once a frame."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from functools import partial

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.files.shown import counted
from engine.named_tuple import NamedTuple
from engine.physics.enums import TICK
from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import PIVOT_HEIGHT, Camera
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView, ViewOptions
from engine.visibility.view import View, vertical_fov
from engine.visibility.view_modes import choose_cells, word_of
from engine.world.day_time import NOON
from engine.world.frame import Frame, Position, quat_of_heading
from engine.world.ids import adjust_to_outside, is_outdoor, rebase
from engine.world.location import format_location
from viewer.asking.questions import Questions
from viewer.picture.eye_line import EyeLine, eye_line, see
from viewer.picture.flight import Flight, detached_view
from viewer.picture.live_effects import LiveEffects
from viewer.picture.live_motions import LiveMotions
from viewer.picture.scene_objects import Playing, figure_is_seen, scene_objects
from viewer.picture.split_view import half_from_behind
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.entities import Particles, SceneObjects
from viewer.report.picture_report import NOBODY, CellId, ListReport, is_anything_on
from viewer.tables.modes import BY_NAME, stepped, toggled, with_modes
from viewer.tables.settings import Value
from viewer.window.user_files.user_settings import Settings
from viewer.window.walking.list_changes import ListChanges
from viewer.window.walking.pace import Pace

SAME_PLACE = 1e-9  # metres: what adding and taking away a sphere's height costs


class LockedList(NamedTuple):
    """A visible list that is drawn from wherever one walks to: what was seen, and where the feet were."""

    seen: PictureView
    at: Position


class Outlook:
    """Looks out of the body of a simulation once a frame; ``seen`` is what it saw.

    The body's heading is the camera's yaw: what turns one turns the other. The body must have been placed.
    ``text_scale`` is that of the words in the picture.
    """

    def __init__(
        self, simulation: Simulation, *, third_person: bool = False, strict_root: bool = False
    ) -> None:
        self.simulation = simulation
        self.camera = Camera(simulation.position.frame.heading(), 0.0, third_person=third_person)
        self.options = ViewOptions(strict_root=strict_root)
        self.openings = OpeningIndex()
        self.motions = LiveMotions(simulation)
        self.motions.follow_body()
        self.effects = LiveEffects(simulation, self.motions)
        self.flight: Flight | None = None
        self.rise = 0
        self.pace = Pace()
        self.timings: dict[str, float] = {}
        self.modes: tuple[str, ...] = ()
        self.settings = Settings()
        self.text_scale = 1.0
        self.listing = ListReport()
        self.questions = Questions(simulation, self.openings)
        self._changes = ListChanges()
        self.seen: PictureView | None = None
        self.locked: LockedList | None = None
        self.line: EyeLine | None = None
        self.notice = ""
        self._turned = 0.0

    @property
    def drawn_time(self) -> float:
        """The simulation time that the picture shows, seconds."""
        return self.simulation.time - TICK * (1.0 - self.pace.share)

    @property
    def burning_time(self) -> float:
        """The seconds that fires, smoke and what moves by itself have gone on for in the picture."""
        return max(0.0, self.drawn_time)

    @property
    def hour(self) -> float:
        """The hour of the day in the picture."""
        return NOON

    @property
    def particles(self) -> Particles:
        """What flies about in the picture."""
        self.effects.hour = self.hour
        return partial(self.effects.shown, self.burning_time)

    @property
    def playing(self) -> Playing:
        """How far the motions of the picture have come."""
        self.motions.blended = bool(self.settings["smooth_motion"])
        return Playing(self.motions, self.burning_time, self.pace.share, hour=self.hour)

    def turn(self, yaw: float, pitch: float) -> None:
        """Turn the look, and with it the body, by degrees."""
        self.camera.turn(yaw, pitch)

    def look_out(self, size: tuple[int, int], seconds: float) -> PictureView:
        """What the frame draws in a picture of that size; while flying, what was seen before taking off."""
        start = time.perf_counter()
        camera = self.camera
        self._settle_camera(seconds)
        self._changes.let_pass(seconds)
        look = (camera.yaw, camera.pitch)
        if self.flight is None or self.seen is None:
            simulation = self.simulation
            self.line = eye_line(
                simulation.world,
                self.openings,
                simulation.body,
                drawn=simulation.drawn(self.pace.share),
                camera=camera,
            )
            swept = time.perf_counter()
            self.options = self.options._replace(logged=self.questions.wants_accounts)
            self.seen = see(
                simulation.world, self.openings, simulation.position.cell_id, self.line, look=look, size=size,
                fov=self.fov, options=self.options,
            )  # fmt: skip
            self._changes.look(row.cell for row in self.seen.cells)
            self.questions.look(self.seen)
            self.notice = self.questions.taken_notice() or self.notice
            self.timings["camera"] = 1000.0 * (swept - start)
            self.timings["visible"] = 1000.0 * (time.perf_counter() - swept)
        self._tell_changes()
        if self.flight is None and self.locked is not None:
            flight = Flight(self.seen.root, self.seen.view.eye)
            return detached_view(self.locked.seen, flight, self.seen.view)
        if self.flight is None:
            return self.seen
        fov = self.fov if self.fov is not None else vertical_fov(size[0] / size[1])
        view = View.from_angles(self.flight.eye, *look, fov_y=fov, width=size[0], height=size[1])
        return detached_view(self.seen, self.flight, view)

    def toggle_lock(self) -> str:
        """Draw the list that is visible now from wherever one walks to, or what is seen there again."""
        if self.locked is not None or self.seen is None:
            self.locked = None
            return "the picture shows what is seen"
        self.locked = LockedList(self.seen, self.drawn_position())
        return f"locked: {counted(len(self.seen.cells), 'cell')}, as seen from {hex_id(self.seen.root)}"

    def drawn_position(self) -> Position:
        """Where the feet of the picture are; what is seen while flying was seen from where they were then."""
        now, seen, line = self.simulation.position, self.seen, self.line
        if seen is None or line is None:
            return now
        offset = self.simulation.body.movement_spheres[0].center
        feet = tuple(a - b for a, b in zip(line.foot, offset, strict=True))
        x, y, z = rebase((feet[0], feet[1], feet[2]), seen.body_cell, now.cell_id)
        if seen.body_cell == now.cell_id and math.dist((x, y, z), now.frame.origin) < SAME_PLACE:
            return now
        origin = rebase((x, y, z), now.cell_id, seen.drawn_cell)
        return Position(seen.drawn_cell, now.frame.with_origin(origin))

    def flown_to(self) -> str:
        """Where a body stands whose eyes are where the camera has flown, as the game prints it, if it has."""
        if self.flight is None:
            return ""
        x, y, z = self.flight.eye
        heading = quat_of_heading(self.camera.target_yaw)
        cell_id, feet = self.flight.cell_id, (x, y, z - PIVOT_HEIGHT)
        if is_outdoor(cell_id):  # the eye's cell stays that of the take-off; the body is to come to this one
            under, there = adjust_to_outside(cell_id, feet)
            cell_id, feet = (under, there) if under else (cell_id, feet)
        return format_location(Position(cell_id, Frame(feet, heading)))

    def _tell_changes(self) -> None:
        """Which cells came into the list and which left it of late."""
        told = self._changes
        came, went = tuple(map(CellId, told.came)), tuple(map(CellId, told.went))
        if (came, went) != (self.listing.came, self.listing.went):
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
        camera.yaw -= self._turned * (1.0 - self.pace.share)

    def objects(self) -> SceneObjects:
        """Doors, entities and, where it is to be seen, the player's figure, as this frame draws them."""
        if self.flight is None:
            return self._objects_for(None)
        home = self.simulation.position.cell_id
        return self._objects_for(rebase(self.flight.eye, self.flight.cell_id, home))

    def _objects_for(self, eye: Vec3 | None) -> SceneObjects:
        """The moving things for the camera's own eye (None), or for one that has left the body."""
        assert self.line is not None
        line = self.line if eye is None else self.line._replace(eye=eye)
        figure = figure_is_seen(self.line, line.eye, third_person=self.camera.third_person)
        return scene_objects(
            self.simulation,
            line,
            now=self.drawn_time,
            figure=figure,
            particles=self.particles,
            sky_particles=partial(self.effects.sky.shown, self.burning_time),
            playing=self.playing,
        )

    def toggle_mode(self, name: str) -> None:
        """Switch a drawing mode on or off."""
        self.modes = toggled(self.modes, name)

    def modes_off(self) -> None:
        """Switch every drawing mode off, and let go of all that is asked and selected, if there is any."""
        if not is_anything_on(self.modes, self.listing, stands=self.questions.stands):
            self.notice = "no mode is on, and nothing is asked or selected"
            return
        self.modes = ()
        self.let_go()

    def let_go(self) -> None:
        """Ask nothing any longer, and let go of the selected cell."""
        self.questions.let_go()
        self.listing = replace(self.listing, selected=NOBODY)

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
        words = [word_of(self.seen.root, row.cell) for row in chosen.cells]
        return list(dict.fromkeys(filter(None, words)))

    def choose(self, picture: PictureView, options: RenderOptions) -> PictureView:
        """The frame with the cells of the modes; a cell alone that is no longer seen is let go."""
        world = self.simulation.world
        try:
            return choose_cells(world, picture, options.cells, solo=options.solo, first=options.first)
        except ValueError as error:
            self.modes = tuple(mode for mode in self.modes if not mode.startswith("solo="))
            self.notice = str(error)
            return choose_cells(world, picture, options.cells, solo=None, first=options.first)

    def seen_from_behind(self) -> tuple[PictureView, SceneObjects]:
        """The visible list as the split view's other half shows it, and the moving things there."""
        assert self.seen is not None and self.line is not None
        locked = self.locked if self.flight is None else None
        return half_from_behind(
            self.simulation,
            self.seen if locked is None else locked.seen,
            self.line,
            now=self.drawn_time,
            particles=self.particles,
            playing=self.playing,
        )

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
