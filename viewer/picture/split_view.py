"""The split view: what is seen on the left, the same from behind and above beside it (views 8.2 no. 18)."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.physics.simulation.simulation import Simulation
from engine.visibility.picture_view import OUTDOOR, PictureView
from engine.visibility.view import View
from engine.world.ids import rebase
from viewer.picture.eye_line import EyeLine
from viewer.picture.flight import Flight, detached_view
from viewer.picture.scene_objects import Playing, scene_objects
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.entities import Particles, SceneObjects

PITCH: Final = -42.0
FOV: Final = 60.0
NEAREST, FARTHEST = 7.0, 30.0  # metres of the debug camera from what it looks at
CAPTION: Final = "DETACHED, from behind"
GAP: Final = 2  # pixels between the halves


class Pane(NamedTuple):
    """A part of the picture: how many pixels from its left, and its size."""

    left: int
    size: tuple[int, int]


def panes(size: tuple[int, int]) -> tuple[Pane, Pane]:
    """The two halves of a picture, equal in size, a gap between them."""
    width, height = size
    half = max(1, (width - GAP) // 2)
    return Pane(0, (half, height)), Pane(width - half, (half, height))


def pane_size(size: tuple[int, int], *, split: bool) -> tuple[int, int]:
    """The size of the picture that is seen by the body's eye."""
    return panes(size)[0].size if split else size


def seen_from_behind(seen: PictureView) -> PictureView:
    """The list of a picture, frozen, from a camera behind its eye and above it, along its yaw.

    The farther the visible cells reach, the farther back it stands.
    """
    width, height = round(seen.view.width), round(seen.view.height)
    yaw, _ = seen.view.angles()
    reach = max((row.distance for row in seen.cells), default=NEAREST)
    back = min(FARTHEST, max(NEAREST, 0.9 * reach))
    aim = _ahead(seen.view.eye, yaw, 0.35 * back)
    view = View.from_angles(aim, yaw, PITCH, fov_y=FOV, width=width, height=height)
    f = view.forward
    eye = (aim[0] - back * f[0], aim[1] - back * f[1], aim[2] - back * f[2])
    return detached_view(seen, Flight(seen.root, eye), view, whole=seen.path != OUTDOOR)


def half_from_behind(
    simulation: Simulation,
    seen: PictureView,
    line: EyeLine,
    *,
    now: float | None = None,
    particles: Particles | None = None,
    playing: Playing | None = None,
) -> tuple[PictureView, SceneObjects]:
    """The split view's other half: the list of a picture from behind, and the moving things there.

    ``line`` is the body's own; ``now`` the simulation time that is shown (None: the simulation's).
    """
    picture = seen_from_behind(seen)
    line = line._replace(eye=rebase(picture.view.eye, picture.root, simulation.position.cell_id))
    time = simulation.time if now is None else now
    return picture, scene_objects(
        simulation, line, now=time, figure=True, particles=particles, playing=playing
    )


def behind_options(options: RenderOptions, seen: PictureView) -> RenderOptions:
    """How the right half is drawn: what lies on the screen of the other eye is left out.

    Indoors the shells are, too: they would stand around the cells, which are all drawn whole then.
    """
    return options._replace(
        split=False,
        regions=False,
        landscape_mask=False,
        shells=options.shells and seen.path == OUTDOOR,
        shapes=options.shapes | {"pyramids", "bounds"},
        caption=CAPTION,
        caption_at=0.0,
    )


def _ahead(eye: Vec3, yaw: float, metres: float) -> Vec3:
    a = math.radians(yaw)
    return (eye[0] + metres * math.sin(a), eye[1] + metres * math.cos(a), eye[2])
