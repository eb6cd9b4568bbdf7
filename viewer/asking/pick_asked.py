"""What was picked in the picture: asked by a pixel, told of on while one walks, and followed to records."""

from __future__ import annotations

import math
from typing import Final

from engine.physics.simulation.simulation import Simulation
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.world.debug_shapes import DebugShapes
from engine.world.frame import Position
from engine.world.ids import rebase
from viewer.asking.door_probe import stand_of
from viewer.asking.followed import follow
from viewer.asking.pick import Picker, names_in
from viewer.asking.pick_shapes import is_in_view, pick_shapes
from viewer.picture.picture_to_draw import PictureToDraw
from viewer.renderer.renderer import Renderer
from viewer.report.asked import FollowedReport
from viewer.report.picked import PickAnswer
from viewer.report.timeline_report import tick_name

MOVED: Final = 0.05  # metres of a body from where it picked, from which that is told


class PickAsked:
    """A pixel that is asked about, ``pointed``, and the last answer, ``picked``, of ``number`` so far.

    ``followed`` is the record whose fields are shown; ``openings`` may be shared with who makes the frames.
    """

    def __init__(self, simulation: Simulation, openings: OpeningIndex) -> None:
        self.pointed: tuple[int, int] | None = None
        self.picked: PickAnswer | None = None
        self.number = 0
        self.followed: FollowedReport | None = None
        self.followed_number = 0
        self.picker = Picker(simulation.world, openings)
        self._simulation = simulation
        self._is_elsewhere = False
        self._as_of: tuple[int, Position, object] | None = None

    def let_go(self) -> None:
        """Ask nothing, and forget what was picked."""
        self.pointed = self.picked = self.followed = None

    def look_closer(self, seen: PictureToDraw, renderer: Renderer) -> bool:
        """Answer about a pixel of a picture that is about to be drawn, where one is asked; whether it did."""
        if self.pointed is None or not _has_accounts(seen.picture):
            return False
        pixel, self.pointed = self.pointed, None
        view = seen.picture.view
        pixel = min(pixel[0], int(view.width) - 1), min(pixel[1], int(view.height) - 1)
        answer = self.picker.pick(
            seen.picture, seen.objects, names_in(self._simulation), pixel,
            particles=seen.options.particles, options=seen.options,
        )  # fmt: skip
        renderer.resize(int(view.width), int(view.height))
        history = renderer.pixel_history(seen.picture, seen.objects, seen.options, pixel)
        names, told = names_in(self._simulation), answer.with_history(history)
        self.take(self.picker.told(seen.picture, seen.objects, names, told))
        return True

    def take(self, answer: PickAnswer) -> None:
        """This was picked, now."""
        self.picked, self._is_elsewhere = answer, False
        self._as_of = (self._simulation.tick, self._simulation.position, self._stand(answer))
        self.followed = None  # it belongs to the answer that it was followed from
        self.number += 1

    def follow(self, record: int) -> None:
        """Show the fields of a record, 0 for none."""
        self.followed = follow(self._simulation.world.source, record) if record else None
        self.followed_number += bool(record)

    def arrive(self) -> None:
        """The body was put elsewhere: what was picked is told of on, and drawn no longer."""
        self._is_elsewhere = True

    @property
    def entity(self) -> int:
        """The entity that was picked, or another owner of the polygon; 0 for none."""
        return 0 if self.picked is None or self.picked.facet is None else self.picked.facet.owner

    @property
    def note(self) -> str:
        """Why the answer about what is picked is one of the past, in words; empty where it holds."""
        if self.picked is None or self._as_of is None:
            return ""
        tick, place, _ = self._as_of
        if self._has_moved:
            return f"as of {tick_name(tick)}: it stands another way now, and is outlined no longer"
        here = self._simulation.position
        way = math.dist(rebase(place.frame.origin, place.cell_id, here.cell_id), here.frame.origin)
        return f"as of {tick_name(tick)}: you stood {way:.1f} m from here" if way > MOVED else ""

    def shapes(self, picture: PictureView) -> DebugShapes | None:
        """The outline of what is picked, where it still stands so and the picture shows it."""
        if self.picked is None or self._is_elsewhere or self._has_moved:
            return None
        return pick_shapes(self.picked) if is_in_view(self.picked, picture) else None

    @property
    def _has_moved(self) -> bool:
        """Whether what is picked stands another way by now."""
        if self.picked is None or self._as_of is None:
            return False
        return self._stand(self.picked) != self._as_of[2]

    def _stand(self, answer: PickAnswer) -> object:
        """How what is picked stands, where it is a thing that can stand otherwise."""
        facet = answer.facet
        return None if facet is None else stand_of(self._simulation, facet.owner)


def _has_accounts(picture: PictureView) -> bool:
    """Whether a picture tells through which openings it is seen; a detached one need not."""
    return picture.frozen is not None or all(flood.log is not None for flood in picture.floods)
