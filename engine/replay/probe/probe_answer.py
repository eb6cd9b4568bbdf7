"""What a probe found: a pin for each sweep, the verdict in words, the table and the JSON form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.enums import HitKind
from engine.physics.simulation.blocked import thing_words
from engine.physics.simulation.tick_report import DoorReport
from engine.physics.transition.hit import Hit
from engine.replay.probe.plane import ProbePlane


class Probe(Enum):
    """What is swept; the value is its name in reports, as with the others here."""

    SPHERE = "sphere"
    MOVER = "mover"


class Side(Enum):
    """Where a sweep begins."""

    FRONT = "front"
    BACK = "back"


class Passage(Enum):
    """What became of a sweep."""

    PASSED = "passed"
    STOPPED = "stopped"
    NO_ROOM = "no room"


OTHER_MARK: Final = "#"
LEGEND: Final = (
    "a digit is the part that stopped it, o a round shape, # something else, . passed, blank no room"
)
PART_MARKS: Final = "0123456789abcdefghijklmnpqrstuvwxyz"
MARKS: Final = {Passage.PASSED: ".", Passage.NO_ROOM: " "}


@dataclass(frozen=True, slots=True)
class Pin:
    """One sweep across the plane.

    ``side`` is the one it begins on; ``right`` and ``up`` are its place in the plane, metres right of the
    middle seen from the front and above the lower edge (for the mover of its feet). ``start`` and ``end`` are
    in the block frame of the plane's cell. ``hit`` is what stopped it, None where nothing with a polygon or
    shape did; ``touched`` tells that the object was met and let it pass; ``aside`` are the metres it was
    pushed sideways on its way.
    """

    side: Side
    probe: Probe
    right: float
    up: float
    start: Vec3
    end: Vec3
    outcome: Passage
    hit: Hit | None = None
    touched: bool = False
    aside: float = 0.0

    def mark(self, target: int) -> str:
        """One character: the part's number (``o`` for a round shape), another thing, passed or no room."""
        if self.outcome is not Passage.STOPPED:
            return MARKS[self.outcome]
        if self.hit is None or self.hit.kind is not HitKind.ENTITY or self.hit.owner != target:
            return OTHER_MARK
        return "o" if self.hit.part < 0 else PART_MARKS[min(self.hit.part, len(PART_MARKS) - 1)]

    def to_json(self) -> dict[str, object]:
        """The form of ``probe --json``."""
        return {
            "side": self.side.value,
            "probe": self.probe.value,
            "right": round(self.right, 4),
            "up": round(self.up, 4),
            "start": list(self.start),
            "end": list(self.end),
            "outcome": self.outcome.value,
            "hit": None if self.hit is None else self.hit.to_json(),
            "touched": self.touched,
            "aside": round(self.aside, 4),
        }


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """All sweeps of one probe; ``radius`` is the small sphere's, ``doors`` tell whether it is a door."""

    entity: int
    model: int
    state: int
    ethereal: bool
    plane: ProbePlane
    radius: float
    pins: tuple[Pin, ...]
    doors: tuple[DoorReport, ...] = ()

    @property
    def blocks(self) -> bool:
        """Whether every sweep that had room was stopped by something, and some by the object."""
        tried = [pin for pin in self.pins if pin.outcome is not Passage.NO_ROOM]
        return all(pin.outcome is Passage.STOPPED for pin in tried) and any(
            self._by_object(pin) for pin in tried
        )

    @property
    def passes(self) -> bool:
        """Whether the object stopped no sweep."""
        return not any(self._by_object(pin) for pin in self.pins)

    @property
    def verdict(self) -> str:
        """The answer in one line."""
        name = f"{self._kind} {hex_id(self.entity)}"
        where = "its doorway" if self.plane.portal is not None else "its own width and height"
        gaps = [pin for pin in self.pins if pin.outcome is Passage.PASSED]
        if not any(pin.outcome is not Passage.NO_ROOM for pin in self.pins):
            return f"{name}: there is no room for any sweep"
        if self.passes:
            why = "it is ethereal" if self.ethereal else "nothing of it is met"
            return f"{name} stops nothing across {where}: {why}"
        if self.blocks:
            return f"{name} blocks across {where}, from both sides"
        return f"{name} has gaps across {where}: {'; '.join(self._gap_words(gaps))}"

    @property
    def words(self) -> list[str]:
        """The answer as lines: the verdict, a table a side and probe, and what the marks stand for."""
        plane = self.plane
        lines = [
            self.verdict,
            f"state 0x{self.state:X}, {plane.width:.2f} m wide, {plane.height:.2f} m high; "
            f"{len(self.pins)} sweeps by the mover and by a sphere of {self.radius:.2f} m",
        ]
        for side in Side:
            for probe in Probe:
                pins = [pin for pin in self.pins if pin.side is side and pin.probe is probe]
                if pins:
                    cell = plane.front if side is Side.FRONT else plane.back
                    lines += ["", f"{probe.value} from the {side.value} ({hex_id(cell)}), as seen from there"]
                    lines += self._table(pins)
        return [*lines, "", LEGEND, *self.stoppers]

    @property
    def stoppers(self) -> list[str]:
        """What stopped the sweeps, counted, most first."""
        counts = Counter(
            "nothing with a polygon" if pin.hit is None else thing_words(pin.hit, self.doors)
            for pin in self.pins
            if pin.outcome is Passage.STOPPED
        )
        return [f"{count:5d} stopped by {thing}" for thing, count in counts.most_common()]

    def to_json(self) -> dict[str, object]:
        """The document of ``probe --json``."""
        plane = self.plane
        return {
            "entity": hex_id(self.entity),
            "model": hex_id(self.model),
            "state": f"0x{self.state:X}",
            "ethereal": self.ethereal,
            "blocks": self.blocks,
            "passes": self.passes,
            "verdict": self.verdict,
            "plane": {
                "cell": hex_id(plane.cell_id),
                "portal": None if plane.portal is None else [hex_id(plane.portal[0]), plane.portal[1]],
                "origin": list(plane.origin),
                "along": list(plane.along),
                "out": list(plane.out),
                "width": plane.width,
                "height": plane.height,
                "front": hex_id(plane.front),
                "back": hex_id(plane.back),
            },
            "radius": self.radius,
            "pins": [pin.to_json() for pin in self.pins],
        }

    @property
    def _kind(self) -> str:
        return "door" if any(door.entity == self.entity for door in self.doors) else "object"

    def _by_object(self, pin: Pin) -> bool:
        hit = pin.hit
        return (
            pin.outcome is Passage.STOPPED
            and hit is not None
            and hit.kind is HitKind.ENTITY
            and hit.owner == self.entity
        )

    def _gap_words(self, gaps: Sequence[Pin]) -> list[str]:
        out: list[str] = []
        for probe in Probe:
            for side in Side:
                pins = [pin for pin in self.pins if pin.probe is probe and pin.side is side]
                through = [pin for pin in gaps if pin.probe is probe and pin.side is side]
                if through:
                    right = [pin.right for pin in through]
                    up = [pin.up for pin in through]
                    out.append(
                        f"the {probe.value} passes {len(through)} of {len(pins)} times "
                        f"from the {side.value}, between {min(right):+.2f} and "
                        f"{max(right):+.2f} m from the middle, {min(up):.2f} to {max(up):.2f} m up"
                    )
        return out

    def _table(self, pins: Sequence[Pin]) -> list[str]:
        """One row a height, the highest first; seen from behind, right is left."""
        flip = pins[0].side is Side.BACK
        columns = sorted({pin.right for pin in pins}, reverse=flip)
        marks = {(pin.right, pin.up): pin.mark(self.entity) for pin in pins}
        return [
            f"  {up:5.2f} m  |{''.join(marks.get((right, up), ' ') for right in columns)}|"
            for up in sorted({pin.up for pin in pins}, reverse=True)
        ]
