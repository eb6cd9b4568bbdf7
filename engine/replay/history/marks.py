"""What is worth finding again in a stretch of ticks: marks on a timeline."""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.physics.enums import HitKind
from engine.physics.simulation.blocked import blocking_hit
from engine.physics.simulation.tick_report import TickReport

CELL: Final = "cell"
REFUSED: Final = "refused"
HIT: Final = "hit"
UP: Final = "step up"
DOWN: Final = "step down"
DOOR: Final = "door"
LOOK_UP: Final = "look-up"
PUT: Final = "put"
DIFFERS: Final = "differs"
KINDS: Final = {
    CELL: "the body came into another cell",
    REFUSED: "the sweep was refused as a whole",
    HIT: "something stood in the way",
    UP: "the body stepped up",
    DOWN: "the body stepped down",
    DOOR: "a door's state or phase changed",
    LOOK_UP: "a static look-up says another cell",
    PUT: "the body was put somewhere",
    DIFFERS: "a recorded client came to something else",
}
STEP: Final = 0.03  # metres that neither the ground that was left nor the one that was reached explains

Obstacle: TypeAlias = tuple[HitKind, int, int]
"""What is met: its kind, its owner's id, and its part, -1 for none."""


def obstacle_of(report: TickReport) -> Obstacle | None:
    """What stood most in the way in a tick; None where nothing did."""
    hit = blocking_hit(report)
    return None if hit is None else (hit.kind, hit.owner, hit.part)


def marks_of(
    report: TickReport, before: TickReport | None, *, look_up_is_wrong: bool = False
) -> tuple[str, ...]:
    """The marks of a tick that came after another, in the order of ``KINDS``."""
    found = {
        CELL: report.changed,
        REFUSED: not report.ok,
        HIT: report.ok and blocking_hit(report) is not None,
        LOOK_UP: look_up_is_wrong,
    }
    if before is not None:
        step = height_stepped(report, before)
        found[UP], found[DOWN] = step > STEP, step < -STEP
        found[DOOR] = _doors(report) != _doors(before)
    return tuple([kind for kind in KINDS if found.get(kind)])


def height_stepped(report: TickReport, before: TickReport) -> float:
    """Metres that a walking body rose (positive) or sank by more than its ground slopes."""
    if not (report.on_ground and before.on_ground and report.ok):
        return 0.0
    x, y, z = report.moved
    rests = []
    for plane in (before.contact_plane, report.contact_plane):
        if plane is not None and plane.normal[2]:  # an upright one, which only a script begins with, has none
            nx, ny, nz = plane.normal
            rests.append(z + (nx * x + ny * y) / nz)
    if not rests or min(rests) <= 0.0 <= max(rests):
        return 0.0  # some of the way on the one and some on the other
    return min(rests, key=abs)


def _doors(report: TickReport) -> dict[int, tuple[int, str]]:
    return {door.entity: (door.state, door.phase) for door in report.doors}
