"""What was asked of the world, with the answers: the part of the frame report that panels ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.replay.audit.finding import Finding
from engine.visibility.why.why_answer import WhyAnswer
from viewer.report.frame_times import TimesReport
from viewer.report.log_lines import LogReport
from viewer.report.map_report import MapReport
from viewer.report.picked import PickAnswer
from viewer.report.probe_table import ProbeShown

MOST_TOLD = 50  # findings in a line of the report


@dataclass(frozen=True, slots=True)
class FollowedReport:
    """A record that an id leads to, with its fields as lines; ``ids`` in these lead to records again."""

    id: int
    lines: tuple[str, ...]
    ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditReport:
    """An audit: how far it is, what it has found, and what of that is shown.

    ``share`` is what is done of it, 0 to 1, ``at`` the landblock heard of last; ``done`` of the
    ``blocks`` landblocks were looked over, with so many ``cells``; ``counts`` are by kind;
    ``kind`` is the one that is shown alone, ``chosen`` the finding that one went to.
    """

    running: bool = False
    share: float = 0.0
    at: str = ""
    done: int = 0
    blocks: int = 0
    cells: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    trouble: str = ""
    kind: str = ""
    chosen: Finding | None = None

    def changed(self, **changes: Any) -> AuditReport:
        """The same but for some fields."""
        return replace(self, **changes)

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings of the kind that is shown."""
        if not self.kind:
            return self.findings
        return tuple(finding for finding in self.findings if finding.kind == self.kind)

    def to_json(self) -> dict[str, object]:
        """What a line of ``--report`` has of it: counts, and the first of the findings that are shown."""
        return {
            "running": self.running,
            "share": self.share,
            "blocks": self.done,
            "cells": self.cells,
            "counts": dict(self.counts),
            "findings": [[finding.kind, finding.text] for finding in self.shown[:MOST_TOLD]],
            "trouble": self.trouble,
            "kind": self.kind,
            "chosen": None if self.chosen is None else self.chosen.text,
        }


NO_AUDIT: Final = AuditReport()
NO_LOG: Final = LogReport()
NO_TIMES: Final = TimesReport()


@dataclass(frozen=True, slots=True)
class AskedReport:
    """Every question that stands, None where nobody asks; ``stands`` tells whether any does.

    ``why`` is the answer about a cell, of the frame that is shown; ``why_text`` what is typed into its box
    and ``why_complaint`` why that is no cell. ``pick`` tells what the pixel showed that was pointed at,
    ``pick_note`` why that is of the past, ``followed`` the record that was looked up from there;
    ``pick_number`` and ``followed_number`` say the
    how-manyth of this walk each is. ``probe`` is what a doorway's probe found, ``probe_state`` what its
    door's state is by now; ``probe_tick`` is the tick that it was made in, ``probe_is_past`` whether its door
    has changed since, or stands another way, ``probe_number`` the how-manyth of this walk it is,
    ``probe_not_drawn`` why the picture has no pins.
    """

    why: WhyAnswer | None = None
    why_text: str = ""
    why_complaint: str = ""
    pick: PickAnswer | None = None
    pick_number: int = 0
    pick_note: str = ""
    followed: FollowedReport | None = None
    followed_number: int = 0
    probe: ProbeShown | None = None
    probe_state: int = 0
    probe_tick: int = 0
    probe_number: int = 0
    probe_is_past: bool = False
    probe_not_drawn: str = ""
    probe_complaint: str = ""
    audit: AuditReport = NO_AUDIT
    log: LogReport = NO_LOG
    times: TimesReport = NO_TIMES
    map: MapReport | None = None
    stands: bool = False

    def briefly(self) -> AskedReport:
        """The same without what an earlier line of reports has told of the same probe: its pins."""
        return self if self.probe is None else replace(self, probe=self.probe._replace(is_brief=True))


NOTHING_ASKED = AskedReport()
