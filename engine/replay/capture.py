"""Captures: movements as a client recorded them, one JSON line a tick (promises 6).

A line holds what a resolve was asked (``input``), the body before and after, and what came of it. Holtwalk
writes the same form with a few keys more, so that a line says all that its replay needs: ``input.spheres``
and ``input.targetOrientation``, ``result.ok``, ``entityStates``, ``entitiesPlaced`` and ``entitiesGone``.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.dat.number_rules import UNIT_SLACK
from engine.dat.values import Plane, Quat, Sphere, Vec3
from engine.files.format_version import CAPTURE
from engine.files.read import ReadError, TextLines
from engine.replay.by_hand import AS_IT_CAME, ByHand, read_by_hand
from engine.world.sources.json_node import JsonError, Node, StampError, is_stamp, parse_json

NOWHERE: Vec3 = (0.0, 0.0, 0.0)
IDENTITY: Quat = (1.0, 0.0, 0.0, 0.0)
MOST_BROKEN: Final = 10_000  # lines more than records: what a crash left is a few
NO_RECORDS: Final = "holds no records"


@dataclass(frozen=True, slots=True)
class BodyState:
    """What a body carries into a tick; ``contact_plane`` in the block frame of ``contact_cell``, None in the
    air, ``transient_state`` the TS_* bits, ``state`` the PhysicsState word.
    """

    orientation: Quat = IDENTITY
    velocity: Vec3 = NOWHERE
    contact_plane: Plane | None = None
    contact_cell: int = 0
    contact_is_water: bool = False
    sliding_normal: Vec3 = NOWHERE
    transient_state: int = 0
    state: int = 0


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """Where a tick ended: feet in the block frame of ``cell``; ``normal`` None without a collision.

    ``ok`` is False where the move was refused as a whole, None where a capture doesn't say.
    """

    position: Vec3
    cell: int
    on_ground: bool
    normal: Vec3 | None
    ok: bool | None = None


@dataclass(frozen=True, slots=True)
class CaptureRecord:
    """One line of a capture. Positions are feet in the block frame of ``cell``, metres.

    ``flags`` are OBJECTINFO bits; ``before`` is None where the line says nothing of the body; ``entities``
    are the states of those that had another one than the world gives them; ``by_hand`` are those that it
    does not bring, or no more.
    """

    line: int
    tick: int
    current: Vec3
    target: Vec3
    cell: int
    spheres: tuple[Sphere, ...]
    step_up: float
    step_down: float
    on_ground: bool
    flags: int
    mover: int
    before: BodyState | None = None
    target_orientation: Quat | None = None
    result: CaptureResult | None = None
    entities: dict[int, int] = field(default_factory=dict)
    by_hand: ByHand = AS_IT_CAME

    @property
    def requested(self) -> float:
        """How far the tick was to go, metres."""
        return math.dist(self.current, self.target)


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A line of a capture that is no record: its number, and one line naming file, line and reason."""

    line: int
    reason: str


def read_capture(path: Path) -> list[CaptureRecord]:
    """The records of a capture, in order. Raises JsonError with one line naming file, line and reason."""
    records: list[CaptureRecord] = []
    for record in CaptureLines(path):
        if isinstance(record, BrokenRecord):
            raise JsonError(record.reason)
        records.append(record)
    return records


class CaptureLines:
    """The lines of a capture, read as they are asked for; broken ones may be among them, as of a crash.

    Raises JsonError with one line where the file can't be read, is of another form or of a newer version
    (promises 10), or so many more lines are broken than are records: when it is made, and on the way where
    a later line says so. Also when it is made, where none of its lines is a record; a capture of no tick
    says its form alone.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._lines = TextLines(path)
        except ReadError as error:
            raise JsonError(str(error)) from None
        self._is_stamped = False
        self._broken = self._sound = 0
        self._records = self._all()
        self._first: deque[CaptureRecord | BrokenRecord] = deque()
        for record in self._records:
            self._first.append(record)
            if isinstance(record, CaptureRecord):
                return
        if not self._first:
            if self._is_stamped:
                return
            raise JsonError(f"{path}: {NO_RECORDS}")
        broken = self._first[0]
        assert isinstance(broken, BrokenRecord)
        raise JsonError(broken.reason)

    @property
    def share(self) -> float:
        """How much of the file was read, from 0 to 1; 0 where that is not known."""
        return self._lines.share

    @property
    def is_empty(self) -> bool:
        """Whether it has no record, and says so by its form; before any is taken."""
        return not self._first

    def close(self) -> None:
        """Read no further, and let go of the file."""
        self._records.close()

    def __iter__(self) -> Iterator[CaptureRecord | BrokenRecord]:
        while self._first:
            yield self._first.popleft()
        yield from self._records

    def _all(self) -> Generator[CaptureRecord | BrokenRecord, None, None]:
        try:
            for number, line in enumerate(self._lines, start=1):
                if isinstance(line, ReadError):
                    yield self._counted(BrokenRecord(number, str(line)))
                elif line.strip():
                    record = _record_or_broken(line, number, f"{self._lines.name}: line {number}")
                    if record is not None:
                        yield self._counted(record)
                    else:
                        self._is_stamped = True
        except ReadError as error:
            raise JsonError(str(error)) from None

    def _counted(self, record: CaptureRecord | BrokenRecord) -> CaptureRecord | BrokenRecord:
        if isinstance(record, CaptureRecord):
            self._sound += 1
            return record
        self._broken += 1
        if self._broken - self._sound < MOST_BROKEN:
            return record
        raise JsonError(f"{record.reason}; so are {self._broken - 1:,} lines before it")


def _record_or_broken(line: str, number: int, where: str) -> CaptureRecord | BrokenRecord | None:
    """None for a line that only says the file's form."""
    try:
        return None if is_stamp(line, where, CAPTURE) else parse_record(line, number, where)
    except StampError:
        raise
    except JsonError as error:
        return BrokenRecord(number, str(error))


def parse_record(line: str, number: int, where: str) -> CaptureRecord:
    """One line of a capture; errors as ``read_capture``."""
    root = Node(parse_json(line, where, is_line=True), where)
    root.of_form(CAPTURE)
    asked = root.get("input")
    return CaptureRecord(
        line=number,
        tick=root.get("tick").whole(),
        current=point(asked.get("currentPos")),
        target=point(asked.get("targetPos")),
        cell=asked.get("cellId").unsigned(),
        spheres=_spheres(asked),
        step_up=_height(asked, "stepUpHeight"),
        step_down=_height(asked, "stepDownHeight"),
        on_ground=asked.get("isOnGround").flag(),
        flags=asked.get("moverFlags").unsigned() if asked.has("moverFlags") else 0,
        mover=asked.get("movingEntityId").unsigned() if asked.has("movingEntityId") else 0,
        before=_body(root.get("bodyBefore")) if root.has("bodyBefore") else None,
        target_orientation=_target_orientation(root, asked),
        result=_result(root.get("result")) if root.has("result") else None,
        entities=_entities(root.get("entityStates")) if root.has("entityStates") else {},
        by_hand=read_by_hand(root),
    )


def _target_orientation(root: Node, asked: Node) -> Quat | None:
    if asked.has("targetOrientation"):
        return turn(asked.get("targetOrientation"))
    after = root.get("bodyAfter") if root.has("bodyAfter") else None
    return turn(after.get("orientation")) if after is not None and after.has("orientation") else None


def _spheres(asked: Node) -> tuple[Sphere, ...]:
    """The spheres as they are given, else those of a capsule: at the radius and at the height less it."""
    if asked.has("spheres"):
        members = asked.get("spheres").members()
        if not 1 <= len(members) <= 2:
            asked.get("spheres").fail("a mover has one or two spheres")
        return tuple(_sphere(member) for member in members)
    radius, height = asked.get("sphereRadius").exact(), asked.get("sphereHeight").exact()
    if radius <= 0.0:
        asked.get("sphereRadius").fail("must be positive")
    foot = Sphere((0.0, 0.0, radius), radius)
    top = height - radius
    return (foot, Sphere((0.0, 0.0, top), radius)) if top > radius else (foot,)


def _sphere(node: Node) -> Sphere:
    members = node.members()
    if len(members) != 4:
        node.fail(f"expected 4 numbers, not {len(members)}")
    x, y, z, radius = (member.exact() for member in members)
    if radius <= 0.0:
        node.fail("a radius must be positive")
    return Sphere((x, y, z), radius)


def _height(asked: Node, key: str) -> float:
    value = asked.get(key).exact()
    if value < 0.0:
        asked.get(key).fail("must not be negative")
    return value


def _body(node: Node) -> BodyState:
    plane = None
    if node.has("contactPlaneValid") and node.get("contactPlaneValid").flag():
        stored = node.get("contactPlane")
        plane = Plane(point(stored.get("normal")), stored.get("d").exact())
        length = math.hypot(*plane.normal)
        if abs(length - 1.0) > UNIT_SLACK:
            stored.fail(f"the normal's length is {length:.3f}, not 1")
    water = node.get("contactPlaneIsWater").flag() if node.has("contactPlaneIsWater") else False
    return BodyState(
        orientation=turn(node.get("orientation")) if node.has("orientation") else IDENTITY,
        velocity=point(node.get("velocity")) if node.has("velocity") else NOWHERE,
        contact_plane=plane,
        contact_cell=node.get("contactPlaneCellId").unsigned() if node.has("contactPlaneCellId") else 0,
        contact_is_water=water,
        sliding_normal=point(node.get("slidingNormal")) if node.has("slidingNormal") else NOWHERE,
        transient_state=node.get("transientState").unsigned() if node.has("transientState") else 0,
        state=node.get("state").unsigned() if node.has("state") else 0,
    )


def _result(node: Node) -> CaptureResult:
    valid = node.get("collisionNormalValid").flag() if node.has("collisionNormalValid") else False
    return CaptureResult(
        position=point(node.get("position")),
        cell=node.get("cellId").unsigned(),
        on_ground=node.get("isOnGround").flag(),
        normal=point(node.get("collisionNormal")) if valid else None,
        ok=node.get("ok").flag() if node.has("ok") else None,
    )


def _entities(node: Node) -> dict[int, int]:
    return {entity: state.unsigned() for entity, state in node.by_id().items()}


def point(node: Node) -> Vec3:
    """``{"x", "y", "z"}`` at full precision: a recorded walk replays to the bit."""
    return (node.get("x").exact(), node.get("y").exact(), node.get("z").exact())


def turn(node: Node) -> Quat:
    """``{"x", "y", "z", "w"}`` as the quaternion (w, x, y, z), of length 1 within a hundredth."""
    q = (node.get("w").exact(), *point(node))
    length = math.hypot(*q)
    if abs(length - 1.0) > UNIT_SLACK:
        node.fail(f"the orientation's length is {length:.3f}, not 1")
    return q
