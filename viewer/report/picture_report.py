"""The report of a frame: one plain object that the overlay draws, `--json` prints and tests read.

Positions and eyes are in the block frame of the body's cell, metres; angles in degrees.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.objects.door_phase import DoorPhase
from engine.world.physics_state import ETHEREAL
from viewer.report.asked import NOTHING_ASKED, AskedReport
from viewer.report.timeline_report import NO_TIMELINE, TimelineReport


class CellId(int):
    """A cell, entity or object id; JSON has it as ``"0x…"``."""

    def __str__(self) -> str:
        return hex_id(int(self))


NOBODY = CellId(0)
PLACED_BY_HAND, PLACED_UNTIL = 0x7F000001, 0x7FFFFFFF  # entity ids of doors that were put down in the window


@dataclass(frozen=True, slots=True)
class BodyReport:
    """Where the body is after the tick's commit and what it stands on.

    ``velocity`` is the body's own, which throws and falls it; ``feet_velocity`` is how fast its feet moved in
    the last tick, running included. Both in m/s. ``coordinates`` are those of the game's map, empty in a
    dungeon, which lies on no map.
    """

    cell: CellId
    location: str
    position: Vec3
    heading: float
    velocity: Vec3
    feet_velocity: Vec3
    on_ground: bool
    contact_plane: tuple[float, float, float, float] | None
    contact_cell: CellId
    cells: tuple[CellId, ...]
    coordinates: str = ""


@dataclass(frozen=True, slots=True)
class HitReport:
    """Something that changed the outcome of the last sweep; ``owner`` is a cell or an entity.

    ``part`` is the index of the entity's part that was met, -1 for none.
    """

    kind: str
    owner: CellId
    cell: CellId
    gfxobj: CellId
    polygon: int
    normal: Vec3
    response: str
    part: int = -1


@dataclass(frozen=True, slots=True)
class BlockedReport:
    """What blocks the body, or did until nothing more was asked of it: kept until it moves on.

    ``words`` is the verdict in one line; ``hit`` what did it, None where nothing was met; ``seconds`` how
    long, ``stale`` the last of them in which only the sliding normal held; ``pushing`` whether it goes on.
    """

    words: str
    what: str
    thing: str
    hit: HitReport | None
    normal: Vec3 | None
    seconds: float
    stale: float
    pushing: bool
    holders: tuple[CellId, ...] = ()
    """All that was met since the body stands still: cells, entities."""


@dataclass(frozen=True, slots=True)
class LookUpReport:
    """What a static look-up would have said about the last tick, and how often it was wrong so far."""

    cell: CellId
    disagrees: bool
    disagreements: int
    ticks: int


@dataclass(frozen=True, slots=True)
class CandidateReport:
    """A cell of a look for the containing one: why it is asked, whether it holds the centre, was picked."""

    cell: CellId
    why: str
    added_by: CellId
    loaded: bool
    holds: bool
    pruned: bool
    picked: bool


@dataclass(frozen=True, slots=True)
class PickReport:
    """One look for the cell of the foot sphere's centre; ``asked`` are neighbours and what each answered."""

    probe: str
    center: Vec3
    seed: CellId
    picked: CellId
    candidates: tuple[CandidateReport, ...]
    asked: tuple[tuple[CellId, str], ...]


@dataclass(frozen=True, slots=True)
class StepReport:
    """One sub-step: whether it was accepted, the cells it went from and to, its looks for a cell."""

    index: int
    cell: CellId
    end_cell: CellId
    insertion: str
    result: str
    advanced: bool
    picks: tuple[PickReport, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LastMoveReport:
    """Why the body is in its cell: the last sweep that moved it, kept while it stands or is refused.

    ``title`` tells it in one line; the rest is as in the sweep's report, of that tick. ``since`` ticks have
    passed, ``refused`` of them with a sweep that was refused.
    """

    title: str
    tick: int
    cell: CellId
    before: CellId
    candidates: tuple[tuple[CellId, str, bool, bool], ...]
    steps: tuple[str, ...]
    lookup: str
    since: int
    refused: int
    sub_steps: tuple[StepReport, ...] = ()


@dataclass(frozen=True, slots=True)
class SweepReport:
    """The last sweep: whether it was accepted, what it hit, and its sub-steps in the words of the trace."""

    ok: bool
    collided: bool
    normal: Vec3 | None
    changed: bool
    hits: tuple[HitReport, ...]
    candidates: tuple[tuple[CellId, str, bool, bool], ...]
    """Cell, why it is a candidate, whether a prune would keep it, whether it was picked (last pick)."""
    steps: tuple[str, ...]
    lookup: LookUpReport | None = None
    blocked: BlockedReport | None = None
    last_move: LastMoveReport | None = None


@dataclass(frozen=True, slots=True)
class CellFacts:
    """The current cell: what its record says."""

    cell: CellId
    outdoor: bool
    seen_outside: bool
    environment: int
    portals: tuple[tuple[int, CellId, int, int], ...]
    """Index, other cell (0xFFFF outdoors), the neighbour's portal, flags."""
    stab_list: tuple[CellId, ...]


@dataclass(frozen=True, slots=True)
class VisibleRow:
    """A row of the visible list: draw order, distance (metres), share of the screen, portal chain."""

    order: int
    cell: CellId
    distance: float
    area: float
    regions: int
    via: tuple[tuple[CellId, int], ...]
    building: int | None = None


@dataclass(frozen=True, slots=True)
class ViewReport:
    """The picture's side of the frame: eye, root, how it was carried there, and what is visible.

    ``body_cell`` is the body's after the last tick, ``drawn_cell`` where its foot is drawn: between two
    ticks that can be another one of the tick's way, and the root is carried from it.
    """

    person: str
    eye: Vec3
    yaw: float
    pitch: float
    body_cell: CellId
    drawn_cell: CellId
    root: CellId
    carried: tuple[tuple[CellId, int], ...]
    outside_visible: bool
    cells: tuple[VisibleRow, ...]
    flying: bool = False


@dataclass(frozen=True, slots=True)
class ShapeReport:
    """One shadow shape of a door: its kind, part, model, whether it collides now, and that in words."""

    kind: str
    part: int
    gfxobj: CellId
    collides: bool
    does: str = ""


@dataclass(frozen=True, slots=True)
class DoorReport:
    """A door: state word, where it stands, what it is doing, and the cells its shapes are registered in.

    ``countdown`` are the seconds until it opens or closes by itself; ``does`` says in words what it does and
    what comes next, ``held_by`` who stands in a door that is held (0: nobody).
    """

    entity: CellId
    setup: CellId
    cell: CellId
    position: Vec3
    distance: float
    state: int
    flags: tuple[str, ...]
    phase: str
    countdown: float | None
    shapes: tuple[ShapeReport, ...]
    cells: tuple[CellId, ...]
    does: str = ""
    held_by: CellId = NOBODY
    is_locked: bool = False
    disagrees: bool = False
    since: float = 0.0
    clip: float = 0.0
    """Seconds since its phase began, and how long the clip of its opening takes."""
    bearing: float = 0.0
    """Degrees clockwise from where the body faces to the door, -180 to 180."""

    @property
    def side(self) -> str:
        """On which side of the body it is: ahead, right, behind or left, a quarter each."""
        return ("ahead", "right", "behind", "left")[round(self.bearing / 90.0) % 4]

    @property
    def where(self) -> str:
        """How far away it is and on which side."""
        return f"{self.distance:.1f} m {self.side}"

    @property
    def is_placed(self) -> bool:
        """Whether it was put down by hand, and can be taken away again."""
        return PLACED_BY_HAND <= self.entity < PLACED_UNTIL

    @property
    def open_share(self) -> float:
        """How far it is open along the clip of its opening, 0 to 1."""
        phase = DoorPhase(self.phase.partition(",")[0])
        if self.clip > 0.0 and phase in (DoorPhase.OPENING, DoorPhase.CLOSING):
            share = min(1.0, self.since / self.clip)
            return share if phase is DoorPhase.OPENING else 1.0 - share
        return 1.0 if phase is DoorPhase.OPEN else 0.0

    @property
    def ethereal(self) -> bool:
        """Whether the state's Ethereal bit is set: bodies pass."""
        return self.state & ETHEREAL != 0


def front_first(doors: Iterable[DoorReport]) -> list[DoorReport]:
    """The doors as one looks for them: those ahead, then the others, each nearest first as they came."""
    return sorted(doors, key=lambda door: door.side != "ahead")


def nearest_first(doors: Iterable[DoorReport], holders: Container[int] = ()) -> list[DoorReport]:
    """The doors of a list: what holds the body, then the nearest; of two told as near that ahead."""
    return sorted(
        doors, key=lambda door: (door.entity not in holders, round(door.distance, 1), door.side != "ahead")
    )


@dataclass(frozen=True, slots=True)
class ListReport:
    """What the user does with the visible list: a cell selected, one lit up (0: none), a filter.

    ``came`` and ``went`` are the cells that came into the list and left it of late, told for a second or so;
    ``near`` are interior cells near the body that are not in it, nearest first.
    """

    selected: CellId = NOBODY
    lit: CellId = NOBODY
    filter: str = ""
    came: tuple[CellId, ...] = ()
    went: tuple[CellId, ...] = ()
    near: tuple[CellId, ...] = ()


@dataclass(frozen=True, slots=True)
class PictureReport:
    """Everything about one frame.

    ``timings`` are milliseconds by part, ``counts`` what lies behind them; ``distances`` how many landblocks
    the ground (``radius``) and what stands on it (``objects``) reach.
    ``recorded`` says what a capture that is played has of the tick shown; ``recorded_as`` what that tick is
    counted as there: its ``line`` of the file, and its ``recorded tick``, as its client counted. A tick of
    one's own, by the keys, is none of it.
    """

    tick: int
    time: float
    paused: bool
    body: BodyReport
    cell: CellFacts
    sweep: SweepReport | None
    view: ViewReport | None
    doors: tuple[DoorReport, ...]
    timings: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    modes: tuple[str, ...] = ()
    distances: dict[str, int] = field(default_factory=dict)
    settings: dict[str, bool | int | float | str | None] = field(default_factory=dict)
    listing: ListReport = ListReport()
    asked: AskedReport = NOTHING_ASKED
    timeline: TimelineReport = NO_TIMELINE
    recorded: str = ""
    recorded_as: dict[str, int] = field(default_factory=dict)

    @property
    def holders(self) -> Container[int]:
        """What holds the body, or did until nothing more was asked of it: cells, entities."""
        blocked = None if self.sweep is None else self.sweep.blocked
        return () if blocked is None else blocked.holders

    @property
    def is_anything_on(self) -> bool:
        """Whether there is anything that switching all modes off would end."""
        return is_anything_on(self.modes, self.listing, stands=self.asked.stands)


def is_anything_on(modes: Sequence[str], listing: ListReport, *, stands: bool) -> bool:
    """Whether a mode is on, a cell selected, or a question ``stands``."""
    return bool(modes or stands or listing.selected)


def plain(value: object) -> object:
    """A report, or any part of one, in the types JSON has."""
    if isinstance(value, CellId):
        return str(value)
    if isinstance(value, float):
        return round(value, 6)
    if callable(to_json := getattr(value, "to_json", None)):
        return plain(to_json())
    if is_dataclass(value) and not isinstance(value, type):
        out = {f.name: plain(getattr(value, f.name)) for f in fields(value)}
        if isinstance(value, DoorReport):
            out["state"] = f"0x{value.state:X}"
            out["ethereal"] = value.ethereal
        return out
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value
