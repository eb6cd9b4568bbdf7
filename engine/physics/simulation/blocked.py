"""What blocks the body, in words that last until it moves on: from tick reports and what still stands."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.enums import FLOOR_Z, REFUSED_SLIDING, HitKind, Response
from engine.physics.objects.shadow_registry import ShadowRegistry
from engine.physics.simulation.tick_report import DoorReport, TickReport
from engine.physics.transition.hit import Hit
from engine.world.ids import rebase
from engine.world.physics_state import ETHEREAL

TICK_SECONDS: Final = 1.0 / 30.0
STILL: Final = 1e-3  # metres in a tick: less is no motion
SHARE: Final = 0.02  # of what was asked for: less is not missed
ELSEWHERE: Final = 0.01  # metres between the end of a tick and the start of the next: the body was put there
BRIEF: Final = 0.05  # seconds: the first tick; "for 0.0 s" would say nothing
TOLD: Final = 0.0999  # seconds: a shorter time is not worth a word
FREES: Final = "a step aside or back frees"
HARMLESS: Final = (
    Response.STEPPED_UP, Response.LANDED, Response.LAND, Response.TOUCHED, Response.NEAR_MISS_OK,
)  # fmt: skip


class Held(Enum):
    """How the body is kept from where it is asked to go; the value is its name in reports."""

    STOPPED = "stopped"
    SLID = "slid along"
    EDGE = "edge"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Blocked:
    """What keeps the body from where it is asked to go, or kept it until nothing more was asked.

    ``hit`` is the polygon or shape that did it, None where nothing was met, and ``thing`` its name.
    ``hits`` are all that were met since the body stands still, with their names, ``things``: between two
    things a tick meets the one, the next the other.
    ``seconds`` are those for which the body was kept, ``stale`` the last of them in which nothing was met
    and only the sliding normal held; ``pushing`` tells that it still goes on, ``passable`` that the thing
    has let bodies pass since, ``gone`` that it stands in the world no longer. ``normal`` is in block axes,
    ``tick`` the one in which ``hit`` was met.
    """

    what: Held
    hit: Hit | None
    thing: str
    normal: Vec3 | None
    seconds: float
    stale: float = 0.0
    pushing: bool = True
    passable: bool = False
    airborne: bool = False
    refused_by: str = ""
    tick: int = 0
    hits: tuple[Hit, ...] = ()
    things: tuple[str, ...] = ()
    gone: bool = False

    @property
    def holders(self) -> frozenset[int]:
        """The ids of all that was met since the body stands still."""
        return frozenset(hit.owner for hit in self.hits)

    @property
    def words(self) -> str:
        """The verdict in one line."""
        time = f"for {self.seconds:.1f} s"
        if self.seconds < BRIEF:
            time = "just now" if self.pushing else "for a moment"
        was = "" if self.pushing else "was "
        if self.what is Held.REFUSED:
            return (
                f"{was}held {time} without meeting anything: {self.refused_by or self.thing}{self._normal()}"
            )
        if self.what is Held.EDGE:
            return f"{was}held at the edge of {self.thing}, {time}: the ground ends there{self._normal()}"
        if self.what is Held.SLID:
            return f"{was}turned aside by {self.thing}, {time}: slid along it{self._normal()}"
        how = "stopped in the air" if self.airborne else "slid to a stop"
        if self.hit is not None and self.hit.response is Response.NO_ROOM:
            return f"{was}held by {self.thing}, {time}: it leaves no room to land"
        if self.hit is not None and self.hit.response is Response.CLIFF:
            how = f"too steep to walk on, {how}"
        text = f"{was}held by {', and by '.join(self.things)}, {time}: {how}{self._normal()}"
        if self.passable:
            text += f", met last in tick {self.tick}"
        holds = "holds" if self.pushing else "held"
        why = "it is there no longer" if self.gone else "it lets bodies pass now" if self.passable else ""
        if self.stale < TOLD:
            return f"{text}: {why}" if why else text
        if why:
            return f"{text}; only a stale sliding normal {holds}: {why}, {FREES}"
        still = "still " if self.pushing else ""
        return f"{text}; {still}pressed against it: its sliding normal {holds} without meeting it again"

    def to_json(self) -> dict[str, object]:
        """The form of a tick line."""
        return {
            "what": self.what.value,
            "thing": self.thing or None,
            "things": list(self.things),
            "hit": None if self.hit is None else self.hit.to_json(),
            "normal": None if self.normal is None else list(self.normal),
            "seconds": round(self.seconds, 6),
            "stale_seconds": round(self.stale, 6),
            "pushing": self.pushing,
            "passable": self.passable,
            "refused_by": self.refused_by or None,
            "words": self.words,
        }

    def _normal(self) -> str:
        if self.normal is None:
            return ""
        word = " against" if self.what is Held.STOPPED else ","
        if self.what is Held.STOPPED and len(self.hits) > 1:
            normals = dict.fromkeys(_numbers(hit.normal) for hit in self.hits)
            return f"{word} normal{'s' * (len(normals) > 1)} {' and '.join(normals)}"
        return f"{word} normal {_numbers(self.normal)}"


class BlockedWatch:
    """Listens to ticks (``tick``); ``now`` is the verdict, None where the body goes where it is asked to.

    ``registry`` has what stands in the world: what was met may have gone or become passable since.
    """

    __slots__ = ("_place", "_registry", "_sliding", "now")

    def __init__(self, registry: ShadowRegistry) -> None:
        self._registry = registry
        self.now: Blocked | None = None
        self._place: tuple[int, Vec3] | None = None
        self._sliding: Vec3 | None = None

    def tick(self, report: TickReport) -> None:
        """Take in a tick's report."""
        if self._was_put_elsewhere(report):
            self.now = self._sliding = None
        self._place = (report.cell, report.position)
        sliding, self._sliding = self._sliding, report.sliding_normal
        asked, gone = _length(report.requested), _length(report.moved)
        if asked <= 0.0:
            if gone > STILL:
                self.now = None
            elif self.now is not None:
                self.now = replace(self.now, pushing=False, passable=self._passable, gone=self._gone)
            return
        ahead = sum(a * b for a, b in zip(report.requested, report.moved, strict=True)) / asked
        hit = blocking_hit(report)
        bent = (
            sliding is not None and sum(a * n for a, n in zip(report.requested, sliding, strict=True)) < 0.0
        )
        met = hit is not None or (bent and self.now is not None and self.now.hit is not None)
        little = asked - ahead <= max(STILL, SHARE * asked)
        if report.ok and (little or (not met and (gone > STILL or _comes_down(report)))):
            self.now = None
        else:
            self.now = self._verdict(report, hit, gone, bent=bent)

    def arrived(self, report: TickReport) -> None:
        """The body was put somewhere: what held it is elsewhere."""
        self.now = self._sliding = None
        self._place = (report.cell, report.position)

    def save(self) -> object:
        """What it has seen so far."""
        return self.now, self._place, self._sliding

    def restore(self, saved: object) -> None:
        """Have seen that."""
        assert isinstance(saved, tuple)
        self.now, self._place, self._sliding = saved

    @staticmethod
    def is_held(saved: object) -> bool:
        """Whether there was a verdict in what was saved."""
        assert isinstance(saved, tuple)
        return saved[0] is not None

    def _verdict(self, report: TickReport, hit: Hit | None, gone: float, *, bent: bool) -> Blocked:
        before = self.now if self.now is not None and self.now.pushing else None
        if hit is None:
            last = self.now  # a push that goes on after a pause is held by what was left then
            if bent and last is not None and last.hit is not None:
                seconds = (last.seconds if last.pushing else 0.0) + TICK_SECONDS
                stale = (last.stale if last.pushing else 0.0) + TICK_SECONDS
                slides = gone > STILL
                return replace(
                    last, what=Held.SLID if slides else Held.STOPPED, seconds=seconds,
                    stale=0.0 if slides else stale, pushing=True, passable=self._passable, gone=self._gone,
                    normal=report.sliding_normal or last.normal,
                )  # fmt: skip
            normal = report.sliding_normal if report.refused_by == REFUSED_SLIDING else report.normal
            why = "a stale sliding normal" if report.refused_by == REFUSED_SLIDING else report.refused_by
            same = before is not None and before.what is Held.REFUSED and before.refused_by == why
            seconds = (before.seconds if before is not None and same else 0.0) + TICK_SECONDS
            return Blocked(
                what=Held.REFUSED,
                hit=None,
                thing="no polygon was in the way",
                normal=normal,
                seconds=seconds,
                refused_by=why,
            )
        what = Held.EDGE if hit.response is Response.EDGE else Held.STOPPED if gone <= STILL else Held.SLID
        thing = thing_words(hit, report.doors)
        hits: tuple[Hit, ...] = (hit,)
        things: tuple[str, ...] = (thing,)
        stands = gone <= STILL and before is not None and before.what in (Held.STOPPED, Held.EDGE)
        seconds = TICK_SECONDS
        if before is not None and before.hit is not None and (stands or before.hit.owner == hit.owner):
            seconds += before.seconds
        if before is not None and stands:
            kept = {
                name: met
                for name, met in zip(before.things, before.hits, strict=True)
                if not (self._has_gone(met) or self._lets_pass(met))
            }
            kept[thing] = hit
            hits, things = tuple(kept.values()), tuple(kept)
        return Blocked(
            what=what,
            hit=hit,
            thing=thing,
            normal=report.normal or hit.normal,
            seconds=seconds,
            airborne=not report.on_ground,
            tick=report.tick,
            hits=hits,
            things=things,
        )

    def _was_put_elsewhere(self, report: TickReport) -> bool:
        if self._place is None:
            return False
        cell, place = self._place
        start = tuple(p - m for p, m in zip(report.position, report.moved, strict=True))
        return math.dist(start, rebase(place, cell, report.cell)) > ELSEWHERE

    @property
    def _passable(self) -> bool:
        return self.now is not None and self.now.hit is not None and self._lets_pass(self.now.hit)

    @property
    def _gone(self) -> bool:
        return self.now is not None and self.now.hit is not None and self._has_gone(self.now.hit)

    def _lets_pass(self, hit: Hit) -> bool:
        """Whether what was met is an object that lets bodies pass now."""
        thing = self._registry.get(hit.owner) if hit.kind is HitKind.ENTITY else None
        return thing is not None and bool(thing.state & ETHEREAL)

    def _has_gone(self, hit: Hit) -> bool:
        """Whether what was met is an object that stands in the world no longer."""
        return hit.kind is HitKind.ENTITY and self._registry.get(hit.owner) is None


def _comes_down(report: TickReport) -> bool:
    """Whether a body that was only to fall stands now."""
    x, y, z = report.requested
    return report.on_ground and z < 0.0 and math.hypot(x, y) <= STILL


def blocking_hit(report: TickReport) -> Hit | None:
    """The hit of a tick that stands most in the way of what was asked for; None where none does.

    Ground that is stood on, landed on or stepped onto blocks nobody; where a body hangs in the air and does
    not come down, it does.
    """
    x, y, z = report.requested
    hangs = not report.on_ground and _length(report.moved) <= STILL
    best, most = None, 0.0
    for hit in report.hits:
        nx, ny, nz = hit.normal
        is_ground = nz >= FLOOR_Z and hit.response is not Response.EDGE
        if hit.response in HARMLESS or (is_ground and not hangs):
            continue
        if hit.response is Response.NO_ROOM:
            return hit
        against = -(x * nx + y * ny + z * nz)
        if report.normal is not None and math.dist(report.normal, hit.normal) < 1e-3:
            against += _length(report.requested)  # the normal that the sweep ended with is this one's
        if best is None or against > most:
            best, most = hit, against
    return best


def thing_words(hit: Hit, doors: Iterable[DoorReport] = ()) -> str:
    """What was met, for people: ``door 0x7A9B4015, part 2 (0x010044B6), polygon 1``."""
    polygon = f", polygon {hit.poly}" if hit.poly >= 0 else ""
    if hit.kind is HitKind.ENTITY:
        kind = "door" if any(door.entity == hit.owner for door in doors) else "object"
        part = f", part {hit.part} ({hex_id(hit.gfxobj)})" if hit.part >= 0 else ", its round shape"
        return f"{kind} {hex_id(hit.owner)}{part}{polygon}"
    if hit.kind is HitKind.BUILDING:
        return f"the building's shell {hex_id(hit.gfxobj)} in {hex_id(hit.owner)}{polygon}"
    if hit.kind is HitKind.TERRAIN:
        return f"the ground of {hex_id(hit.owner)}{polygon}"
    return f"cell {hex_id(hit.owner)}{polygon}"


def _numbers(v: Vec3) -> str:
    x, y, z = (f"{round(c, 2) + 0.0:g}" for c in v)
    return f"({x}, {y}, {z})"


def _length(v: Vec3) -> float:
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
