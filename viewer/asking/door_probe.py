"""The probe of a doorway in the window: asked by a click, its pins drawn where each sweep ended."""

from __future__ import annotations

from typing import Final

from engine.physics.simulation.simulation import Simulation
from engine.replay.probe.probe_answer import Passage, Pin, ProbeAnswer
from engine.replay.probe.sweeps import SPACING, probe
from engine.world.debug_shapes import DebugShapes, Rgba, hue
from viewer.report.probe_table import ProbeShown, shown_of

THROUGH: Final[Rgba] = (0.2, 1.0, 0.3, 0.9)
OTHER: Final[Rgba] = (1.0, 0.2, 0.9, 1.0)
ROUND: Final[Rgba] = (0.95, 0.95, 0.95, 1.0)
_HEAD = 0.04  # metres from the middle of a pin's head to its ends


class ProbeAsked:
    """The last probe; ``complaint`` where there is none to be had."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.answer: ProbeAnswer | None = None
        self.shown: ProbeShown | None = None
        self.complaint = ""

    @property
    def state(self) -> int:
        """The state word that what was probed has by now."""
        answer = self.answer
        target = None if answer is None else self._simulation.registry.get(answer.entity)
        return 0 if target is None else target.state

    def ask(self, entity: int) -> None:
        """Probe a door or object as it stands now, 0 to let go of the last one."""
        self.answer, self.shown, self.complaint = None, None, ""
        if entity:
            try:
                self.answer = probe(self._simulation, entity, SPACING)
                self.shown = shown_of(self.answer)
            except ValueError as error:
                self.complaint = str(error)


def pin_color(pin: Pin, entity: int) -> Rgba:
    """Green what passed; what the object stopped by its part, a round shape white, another thing magenta."""
    if pin.outcome is Passage.PASSED:
        return THROUGH
    if pin.hit is None or pin.hit.owner != entity:
        return OTHER
    return ROUND if pin.hit.part < 0 else hue(pin.hit.part)


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
