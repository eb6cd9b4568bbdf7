"""What was asked of the world, with the answers: the part of the frame report that panels ask for."""

from __future__ import annotations

from dataclasses import dataclass

from engine.replay.probe.answer import ProbeAnswer
from engine.visibility.why.answer import WhyAnswer
from viewer.report.picked import PickAnswer


@dataclass(frozen=True, slots=True)
class FollowedReport:
    """A record that an id leads to, with its fields as lines."""

    id: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskedReport:
    """Every question that stands, None where nobody asks.

    ``why`` is the answer about a cell, of the frame that is shown; ``why_text`` what is typed into its box
    and ``why_complaint`` why that is no cell. ``pick`` tells what the pixel showed that was pointed at,
    ``followed`` the record that was looked up from there. ``probe`` is what a
    doorway's probe found, ``probe_state`` what its door's state is by now.
    """

    why: WhyAnswer | None = None
    why_text: str = ""
    why_complaint: str = ""
    pick: PickAnswer | None = None
    followed: FollowedReport | None = None
    probe: ProbeAnswer | None = None
    probe_state: int = 0
    probe_complaint: str = ""


NOTHING_ASKED = AskedReport()
