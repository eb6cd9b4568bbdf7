"""How one looks from a body, and what is seen so: the picture that drawing and lists both begin with."""

from __future__ import annotations

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import Camera
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView, ViewOptions
from engine.world.loading.outlines import Outlines
from viewer.picture.eye_line import EyeLine, eye_line, see
from viewer.picture.horizon import load_in_sight


class Look(NamedTuple):
    """A settled camera on a body, and the picture that it makes.

    ``yaw`` and ``pitch`` are degrees, clockwise from north and upward; without a pitch one looks as the
    person does by itself. ``eye`` is the eye itself, in the block frame of the body's cell, metres, where it
    is not the camera's. ``size`` is the picture's in pixels, ``fov`` vertical, in degrees (None: the game's).
    """

    yaw: float
    size: tuple[int, int]
    pitch: float | None = None
    third_person: bool = False
    eye: Vec3 | None = None
    fov: float | None = None
    options: ViewOptions | None = None

    def camera(self) -> Camera:
        """The camera that looks so."""
        camera = Camera(self.yaw, 0.0, third_person=self.third_person)
        if self.pitch is not None:
            camera.target_pitch = self.pitch
            camera.settle()
        return camera


class Sight(NamedTuple):
    """A picture, and the eye line and the camera that it was seen with."""

    picture: PictureView
    line: EyeLine
    camera: Camera


def look_out(simulation: Simulation, openings: OpeningIndex, look: Look, share: float = 1.0) -> Sight:
    """What the body sees with so much of a tick passed since the last one began."""
    camera, body = look.camera(), simulation.body
    line = eye_line(simulation.world, openings, body, drawn=simulation.drawn(share), camera=camera)
    if look.eye is not None:
        line = line._replace(eye=look.eye)
    return Sight(_seen(simulation, openings, look, camera=camera, line=line), line, camera)


def look_far(
    simulation: Simulation,
    openings: OpeningIndex,
    look: Look,
    landblocks: int,
    *,
    outlines: Outlines | None = None,
) -> Sight:
    """What the body sees once the landblocks in sight, that far around it, have been loaded.

    With ``outlines`` those that show nothing are left out, and neighbours, too.
    """
    sight = look_out(simulation, openings, look)
    if load_in_sight(simulation.world, sight.picture, landblocks, outlines):
        sight = sight._replace(
            picture=_seen(simulation, openings, look, camera=sight.camera, line=sight.line)
        )
    return sight


def _seen(
    simulation: Simulation, openings: OpeningIndex, look: Look, *, camera: Camera, line: EyeLine
) -> PictureView:
    angles = (camera.yaw, camera.pitch)
    cell_id = simulation.position.cell_id
    return see(
        simulation.world,
        openings,
        cell_id,
        line,
        look=angles,
        size=look.size,
        fov=look.fov,
        options=look.options,
    )
