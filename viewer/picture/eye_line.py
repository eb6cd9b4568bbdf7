"""From a body and a camera to what the picture shows: the camera's own sweep and the view (visibility 1.5).

Angles are degrees: yaw clockwise from north, pitch upward. Points are in the block frame of the body's
cell, metres.
"""

from __future__ import annotations

from engine.dat.values import Sphere, Vec3
from engine.named_tuple import NamedTuple
from engine.physics.body.body import PhysicsBody
from engine.physics.enums import (
    OI_FREE_ROTATE,
    OI_IS_VIEWER,
    OI_PATH_CLIPPED,
    OI_PERFECT_CLIP,
)
from engine.physics.transition.run import find_valid_position, new_transition
from engine.physics.transition.transition import Transition
from engine.visibility.camera import COLLISION_RADIUS, Camera, pivot_of
from engine.visibility.carry import Foothold, carry
from engine.visibility.foothold import foothold
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView, ViewOptions, build_view
from engine.visibility.view import View, vertical_fov
from engine.world.cell_graph import CellGraph
from engine.world.cells import ObjCell
from engine.world.frame import Frame, Position
from engine.world.ids import rebase
from engine.world.loading.world import World
from engine.world.way import DrawnPlace

VIEWER_FLAGS = OI_IS_VIEWER | OI_PATH_CLIPPED | OI_FREE_ROTATE | OI_PERFECT_CLIP


class EyeLine(NamedTuple):
    """The line that the root is carried along: foot sphere's centre, pivot, eye.

    ``start`` is where the carry begins, None for the foot in the body's cell.
    """

    foot: Vec3
    pivot: Vec3
    eye: Vec3
    start: Foothold | None = None


def eye_line(
    world: World, index: OpeningIndex, body: PhysicsBody, *, drawn: DrawnPlace, camera: Camera
) -> EyeLine:
    """Where foot, pivot and eye are for a body whose feet are drawn somewhere on its way.

    In third person the eye is what the camera's sweep reached. The body must be in a cell.
    """
    x, y, z = body.movement_spheres[0].center
    feet = drawn.feet
    foot = (feet[0] + x, feet[1] + y, feet[2] + z)
    pivot = pivot_of(feet)
    eye = camera.desired_eye(pivot)
    start = foothold(world, index, drawn, (x, y, z))
    if camera.third_person and body.cell is not None:
        at_pivot = carry(world, index, drawn.home, foot, pivot=pivot, eye=pivot, start=start)
        cell = world.get_visible(at_pivot.root)
        if cell is not None:
            eye = sweep_eye(world, cell, drawn.home, pivot=pivot, eye=eye)
    return EyeLine(foot, pivot, eye, start)


def sweep_eye(world: CellGraph, start: ObjCell, home: int, *, pivot: Vec3, eye: Vec3) -> Vec3:
    """How far towards ``eye`` a sphere of 0.3 m comes from the pivot (visibility 1.5).

    ``start`` is the cell of the pivot; both points and the answer are in the block frame of the cell
    ``home``. Where something refuses the rest of the way, the eye stays at the last place that was accepted.
    Where the sweep as a whole finds no valid position (the eye may be farther off than a sweep goes), the
    eye itself is tried, as a placement that may push it clear of what it touches; if that fails too, the
    pivot is the eye. Nothing is committed: the camera has no cell of its own.
    """
    begin, end = (Position(start.id, Frame(rebase(p, home, start.id))) for p in (pivot, eye))
    sweep = viewer_transition(world, COLLISION_RADIUS)
    sweep.init_path(start, begin, end)
    if not find_valid_position(sweep):
        sweep = viewer_transition(world, COLLISION_RADIUS)
        sweep.init_path(start, None, end)
        sweep.sphere_path.placement_allows_sliding = False  # there or not at all: no search around it
        if not find_valid_position(sweep):
            return pivot
    reached = sweep.sphere_path.curr_pos
    return rebase(reached.frame.origin, reached.cell_id, home)


def viewer_sweep(
    world: CellGraph, start: ObjCell, radius: float, *, begin: Position, end: Position
) -> Transition:
    """Sweep one sphere the camera's way, as far as it comes; nothing is committed."""
    sweep = viewer_transition(world, radius)
    sweep.init_path(start, begin, end)
    find_valid_position(sweep)
    return sweep


def viewer_transition(world: CellGraph, radius: float) -> Transition:
    """A transition of the camera's kind: one sphere, no steps, exact stops. Its mover is one of its own."""
    sphere = (Sphere((0.0, 0.0, 0.0), radius),)
    transition = new_transition(
        world, PhysicsBody(0, sphere, step_up_height=0.0, step_down_height=0.0, state=0), sphere
    )
    info = transition.object_info
    info.state = VIEWER_FLAGS
    info.step_up_height = info.step_down_height = 0.0
    info.step_down = False
    return transition


def see(
    world: World,
    index: OpeningIndex,
    body_cell: int,
    line: EyeLine,
    *,
    look: tuple[float, float],
    size: tuple[int, int],
    fov: float | None = None,
    options: ViewOptions | None = None,
) -> PictureView:
    """What is seen from an eye line; ``look`` is yaw and pitch, ``fov`` vertical (None: the game's)."""
    width, height = size
    fov_y = vertical_fov(width / height) if fov is None else fov
    view = View.from_angles(line.eye, look[0], look[1], fov_y=fov_y, width=width, height=height)
    return build_view(
        world,
        body_cell,
        foot=line.foot,
        pivot=line.pivot,
        eye=line.eye,
        view=view,
        options=options,
        index=index,
        start=line.start,
    )
