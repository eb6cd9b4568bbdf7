"""The probe of a doorway in the window: asked by a click, its pins drawn where each sweep ended."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Quat, Vec3
from engine.physics.simulation.simulation import Simulation
from engine.replay.probe.probe_answer import Passage, Pin, ProbeAnswer
from engine.replay.probe.sweeps import SPACING, probe
from engine.visibility.picture_view import PictureView
from engine.world.debug_shapes import DebugShapes, Rgba, hue
from engine.world.frame import Frame
from engine.world.ids import rebase
from viewer.report.probe_table import ProbeShown, shown_of
from viewer.report.timeline_report import tick_name

THROUGH: Final[Rgba] = (0.2, 1.0, 0.3, 0.9)
OTHER: Final[Rgba] = (1.0, 0.2, 0.9, 1.0)
ROUND: Final[Rgba] = (0.95, 0.95, 0.95, 1.0)
PAST: Final[Rgba] = (0.6, 0.6, 0.63, 0.5)
FAR: Final = 15.0  # metres: from farther off the pins belong to nothing that is looked at
_HEAD = 0.04  # metres from the middle of a pin's head to its ends


class ProbeAsked:
    """The last probe, the how-manyth its ``number`` says; ``complaint`` where there is none to be had.

    It ``yields`` to something else that was framed since: then it is told of, and not drawn.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.answer: ProbeAnswer | None = None
        self.shown: ProbeShown | None = None
        self.complaint = ""
        self.tick = self.number = 0
        self._stood: object = None
        self.yields = False

    @property
    def is_past(self) -> bool:
        """Whether what was probed has another state by now, or stands another way."""
        return self.answer is not None and stand_of(self._simulation, self.answer.entity) != self._stood

    def not_drawn(self, picture: PictureView | None) -> str:
        """Why the answer is not drawn in a picture, in words; empty where it is, and where there is none."""
        if self.answer is None or picture is None:
            return ""
        if self.yields:
            return "not drawn from here: something else is framed"
        plane = self.answer.plane
        eye = rebase(picture.view.eye, picture.root, plane.cell_id)
        way = math.dist(eye, plane.point(0.0, plane.height / 2.0, 0.0))
        return f"not drawn from here: it is {way:.0f} m off" if way > FAR else ""

    def shapes(self, picture: PictureView) -> DebugShapes | None:
        """The answer in a picture, grey and with its tick where it is one of the past."""
        if self.answer is None or self.not_drawn(picture):
            return None
        return past_shapes(self.answer, self.tick) if self.is_past else probe_shapes(self.answer)

    @property
    def state(self) -> int:
        """The state word that what was probed has by now."""
        answer = self.answer
        target = None if answer is None else self._simulation.registry.get(answer.entity)
        return 0 if target is None else target.state

    def ask(self, entity: int) -> None:
        """Probe a door or object as it stands now, 0 to let go of the last one."""
        self.answer, self.shown, self.complaint = None, None, ""
        self.yields = False
        if entity:
            try:
                self.answer = probe(self._simulation, entity, SPACING)
                self.shown = shown_of(self.answer)
                self.number += 1
                self.tick, self._stood = self._simulation.tick, stand_of(self._simulation, entity)
            except ValueError as error:
                self.complaint = str(error)


def _placed(frame: Frame) -> tuple[Vec3, Quat]:
    return frame.origin, frame.quat


def stand_of(simulation: Simulation, entity: int) -> object:
    """The state of a thing, and where its shapes and its parts are; None where it is not there."""
    target, door = simulation.registry.get(entity), simulation.doors.get(entity)
    if target is None:
        return None
    poses = [(pose.cell_id, *_placed(pose.frame)) for pose in target.poses]
    parts = [] if door is None else [_placed(frame) for frame in door.pose(simulation.time)]
    return target.state, poses, parts


def pin_color(pin: Pin, entity: int) -> Rgba:
    """Green what passed; what the object stopped by its part, a round shape white, another thing magenta."""
    if pin.outcome is Passage.PASSED:
        return THROUGH
    if pin.hit is None or pin.hit.owner != entity:
        return OTHER
    return ROUND if pin.hit.part < 0 else hue(pin.hit.part)


def past_shapes(answer: ProbeAnswer, tick: int) -> DebugShapes:
    """A probe of a door that is no longer as it was then: all in grey, with the tick."""
    out = probe_shapes(answer)
    out.lines = [(a, b, PAST) for a, b, _ in out.lines]
    out.label(answer.plane.point(0.0, answer.plane.height, 0.0), f"as of {tick_name(tick)}", PAST)
    return out


def probe_shapes(answer: ProbeAnswer) -> DebugShapes:
    """The rectangle that was probed, and a pin for each sweep that had room: its way, a head at its end."""
    plane = answer.plane
    out = DebugShapes(plane.cell_id)
    half = plane.width / 2.0
    ends = ((-half, 0.0), (half, 0.0), (half, plane.height), (-half, plane.height))
    corners = [plane.point(right, up, 0.0) for right, up in ends]
    out.outline(corners, (1.0, 1.0, 1.0, 0.5))
    for pin in answer.pins:
        if pin.outcome is Passage.NO_ROOM:
            continue
        color = pin_color(pin, answer.entity)
        out.line(pin.start, pin.end, (*color[:3], 0.45 * color[3]))
        x, y, z = pin.end
        ax, ay, _ = plane.along
        out.line((x - _HEAD * ax, y - _HEAD * ay, z), (x + _HEAD * ax, y + _HEAD * ay, z), color)
        out.line((x, y, z - _HEAD), (x, y, z + _HEAD), color)
    return out
