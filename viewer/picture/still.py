"""One picture of a place, off screen: what is asked for, and all that is made ready for its drawing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.named_tuple import NamedTuple
from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import Camera
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import SEALED, PictureView
from engine.visibility.view_modes import cell_in, choose_cells
from engine.world.day_time import NOON
from engine.world.ids import rebase
from engine.world.loading.outlines import Outlines
from engine.world.loading.world import World
from viewer.picture.cell_outlines import cell_outlines
from viewer.picture.day_clock import DayClock
from viewer.picture.eye_line import EyeLine, eye_line
from viewer.picture.flight import Flight, detached_view
from viewer.picture.horizon import show_horizon, view_distance
from viewer.picture.live_effects import LiveEffects
from viewer.picture.live_motions import LiveMotions
from viewer.picture.look import Look, look_far
from viewer.picture.picture_to_draw import PictureToDraw
from viewer.picture.scene_objects import Playing, figure_is_seen, scene_objects
from viewer.picture.split_view import behind_options, half_from_behind
from viewer.picture.standing_states import StandingStates
from viewer.renderer.render_options import RenderOptions
from viewer.report.caption import captioned
from viewer.tables.modes import with_modes
from viewer.tables.settings import DEFAULT_REACH
from viewer.user_error import UserError

if TYPE_CHECKING:
    from engine.world.debug_shapes import DebugShapes
    from viewer.report.picture_report import PictureReport


class StillRequest(NamedTuple):
    """What a picture from where the body stands is to show.

    ``radius`` and ``objects`` are the landblocks that the ground and what stands on it reach on each side.
    ``hour`` is 0 to 24, ``day_group`` the kind of day (None: the date's), ``clouds`` the seconds they have
    drifted for, ``effects`` those that fires, smoke and what moves by itself have gone on for (None: the
    simulation's). ``pose`` is the animation that the player's figure is in, and its frame (None: it stands).
    A pixel has ``samples``; without ``weather`` it does not rain.
    ``modes`` are drawing modes as one writes them, over ``options``. With ``locked`` that picture is drawn
    from the eye of the look. The panels lie over the picture with ``panels``. A ``selected`` cell is
    outlined, 0 for none. With ``outlines`` nothing is loaded of which the picture shows nothing.
    """

    look: Look
    radius: int = DEFAULT_REACH
    objects: int = DEFAULT_REACH
    hour: float = NOON
    day_group: int | None = None
    clouds: float = 0.0
    effects: float | None = None
    pose: tuple[int, int] | None = None
    samples: int = 1
    weather: bool = True
    modes: tuple[str, ...] = ()
    options: RenderOptions = RenderOptions()
    locked: PictureView | None = None
    panels: bool = False
    selected: int = 0
    outlines: Outlines | None = None

    @property
    def reach(self) -> int:
        """How many landblocks around the body are loaded: what has no ground isn't seen."""
        return min(self.objects, self.radius)


class Still(NamedTuple):
    """What a picture is drawn from: what is seen, the split view's other half, the panels' report."""

    seen: PictureToDraw
    beside: PictureToDraw | None = None
    report: PictureReport | None = None


def make_ready(simulation: Simulation, request: StillRequest, states: StandingStates | None = None) -> Still:
    """Look, load what is in sight, and gather what the picture takes.

    ``states`` are set for the last time once what is in sight is there. UserError for what can't be drawn.
    """
    world, openings, locked = simulation.world, OpeningIndex(), request.locked
    if request.pose is not None:
        _check_pose(world, *request.pose)
    modes = with_modes(RenderOptions(), request.modes)
    sight = look_far(simulation, openings, request.look, request.reach, outlines=request.outlines)
    picture, camera = sight.picture, sight.camera
    if locked is not None:
        picture = _from_elsewhere(simulation, locked, picture, request.look)
    whole, picture = picture, chosen(world, picture, modes)  # in words and from behind it stays whole
    if states is not None:
        states.finish(simulation)
    own = line = _line_of(simulation, openings, camera)  # doors may have opened before the camera since
    if locked is not None or request.look.eye is not None:
        line = line._replace(eye=rebase(picture.view.eye, picture.root, simulation.position.cell_id))
    figure = figure_is_seen(own, line.eye, third_person=camera.third_person)
    gone_on = simulation.time if request.effects is None else request.effects
    motions = LiveMotions(simulation)
    effects = LiveEffects(simulation, motions)
    effects.hour = request.hour
    effects.close()  # nothing is loaded any more
    particles, sky_particles = partial(effects.shown, gone_on), partial(effects.sky.shown, gone_on)
    playing = Playing(motions, gone_on, pose=request.pose, hour=request.hour)
    objects = scene_objects(
        simulation,
        line,
        now=simulation.time,
        figure=figure,
        particles=particles,
        sky_particles=sky_particles,
        playing=playing,
    )
    if picture.path != SEALED:
        show_horizon(world, simulation.position.cell_id, request.radius)
    report = _report(simulation, whole, camera, request) if request.panels else None
    clock = DayClock.of_world(world, request.hour, request.day_group, request.clouds)
    base = request.options._replace(
        view_distance=view_distance(request.radius),
        samples=request.samples,
    )
    options = captioned(with_modes(clock.lit(base), request.modes), whole, request.hour)
    options = options._replace(weather=options.weather and request.weather)
    _check_region(picture, options)
    outlines = cell_outlines(world, picture.root, selected=request.selected)
    if request.selected and not outlines:
        raise UserError(f"--select: {hex_id(request.selected)} is not loaded around --at")
    gather = _shapes_of(simulation) if options.shapes or options.split else _no_shapes
    seen = PictureToDraw(picture, objects, options, gather(picture, options, line) + outlines)
    if not options.split:
        return Still(seen, None, report)
    behind, objects = half_from_behind(
        simulation, locked if locked is not None else whole, line, particles=particles, playing=playing
    )
    options = behind_options(options, behind)
    behind = chosen(world, behind, modes)
    shapes = gather(behind, options, line)
    shapes += cell_outlines(world, behind.root, selected=request.selected)
    beside = PictureToDraw(behind, objects, options, shapes)
    return Still(seen, beside, report)


def _check_pose(world: World, animation: int, frame: int) -> None:
    """Whether the animation that the figure is to be in is there, and the frame in it."""
    try:
        record = world.source.animation(animation)
    except DatError as error:
        raise UserError(f"--pose: {error}") from error
    if record is None:
        raise UserError(f"--pose: there is no animation {hex_id(animation)} in this world")
    count = len(record.frames)
    if frame >= count:
        known = f"frames 0 to {count - 1}" if count > 1 else "frame 0 alone" if count else "no frames"
        raise UserError(f"--pose: there is no frame {frame}: animation {hex_id(animation)} has {known}")


def _shapes_of(simulation: Simulation) -> Callable[[PictureView, RenderOptions, EyeLine], list[DebugShapes]]:
    from viewer.picture.shape_gatherer import ShapeGatherer  # it takes long to load, and most show none

    return ShapeGatherer(simulation).gather


def _no_shapes(*_: object) -> list[DebugShapes]:
    return []


def chosen(world: World, picture: PictureView, modes: RenderOptions) -> PictureView:
    """The picture with the cells that modes choose. UserError where one of them is not to be had."""
    try:
        return choose_cells(world, picture, modes.cells, solo=modes.solo, first=modes.first)
    except ValueError as error:
        raise UserError(f"--mode: {error}") from error


def _line_of(simulation: Simulation, openings: OpeningIndex, camera: Camera) -> EyeLine:
    return eye_line(simulation.world, openings, simulation.body, drawn=simulation.drawn(), camera=camera)


def _from_elsewhere(simulation: Simulation, locked: PictureView, own: PictureView, look: Look) -> PictureView:
    """What a root has seen, drawn whole from the eye of a look."""
    flight = Flight(own.root, own.view.eye)
    if look.eye is not None:
        flight = Flight(simulation.position.cell_id, look.eye)
    return detached_view(locked, flight, own.view)


def _check_region(picture: PictureView, options: RenderOptions) -> None:
    """Whether the cell whose regions are asked for has any."""
    if options.regions_of is not None:
        asked = cell_in(picture.root, options.regions_of)
        if not any(row.cell == asked for row in picture.cells):
            raise UserError(f"--mode: cell {hex_id(asked)} is not among those that this picture shows")


def _report(
    simulation: Simulation, picture: PictureView, camera: Camera, request: StillRequest
) -> PictureReport:
    from viewer.report.picture_report import CellId, ListReport
    from viewer.report.reporting import picture_report_of  # loading it takes long, and most have no panels

    distances = {"radius": request.radius, "objects": request.objects}
    listing = ListReport(selected=CellId(request.selected))
    return picture_report_of(
        simulation, picture, camera, modes=request.modes, distances=distances, listing=listing
    )
