"""What an audit finds, by kind, and how findings are counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from engine.replay.jobs.result_shape import Shape

MAX_EXAMPLES: Final = 10

DAMAGED = "damaged-record"
ONE_WAY = "one-way-portal"
NOT_RECIPROCAL = "portal-not-reciprocal"
NOT_MEETING = "portals-do-not-meet"
WRONG_FLAG = "exit-flag-disagrees"
WRONG_SIDE = "portal-side-wrong"
MISSING = "missing-neighbour"
OVERLAP = "overlapping-cells"
GAP = "gap-in-cell"
CONCAVE = "concave-cell"
BAD_TREE = "cell-tree-wrong"
UNFLAGGED_EXIT = "exit-seen-without-flag"
BEYOND_LANDCELL = "building-beyond-landcell"
ASYMMETRIC = "stab-list-asymmetric"
UNLISTED = "stab-list-lacks-neighbour"
UNKNOWN_STAB = "stab-list-names-missing-cell"
FLIP = "look-up-flips"
UNFINISHED = "not-looked-over"

KINDS: Final[dict[str, str]] = {
    DAMAGED: "a record that can't be used as it is",
    ONE_WAY: "a portal whose neighbour has none that leads back",
    NOT_RECIPROCAL: "a portal that names another way back than the one that names it",
    NOT_MEETING: "two sides of an opening whose polygons don't lie on each other",
    WRONG_FLAG: "a portal whose flag and 0xFFFF disagree about leading outside",
    WRONG_SIDE: "a portal whose side flag puts its cell on the wrong side of it",
    MISSING: "a portal to a cell that is not there",
    OVERLAP: "two cells that hold the same points",
    GAP: "part of a cell's hull that is neither wall nor portal",
    CONCAVE: "a cell with a polygon that cuts through it",
    BAD_TREE: "a cell tree that is missing or leaves out part of its cell",
    UNFLAGGED_EXIT: "a cell without the seen-outside flag from which an exit is seen",
    BEYOND_LANDCELL: "a building's wall, opening or door beyond the landcell of its origin",
    ASYMMETRIC: "a cell that lists another which does not list it",
    UNLISTED: "a portal to a cell that the stab list lacks",
    UNKNOWN_STAB: "a stab list that names a cell which is not there",
    FLIP: "a spot at a portal where a static look-up finds two cells, none or a wrong one",
    UNFINISHED: "a part of a landblock that could not be looked over",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: its kind and a line naming cell, portal and figures."""

    kind: str
    text: str


TALLY: Final[Shape] = {
    "cells": int, "blocks": int, "counts": {"*": int}, "examples": {"*": [str]}, "damaged": [str],
}  # fmt: skip
"""What a tally's document looks like."""


@dataclass(slots=True)
class Tally:
    """Findings counted by kind, with the first few of each as examples.

    What is damaged is counted once, however many landblocks need it: ``damaged`` holds every such line.
    """

    cells: int = 0
    blocks: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)
    damaged: dict[str, None] = field(default_factory=dict)

    def add(self, findings: Iterable[Finding]) -> None:
        """Count findings."""
        for finding in findings:
            if finding.kind == DAMAGED:
                if finding.text in self.damaged:
                    continue
                self.damaged[finding.text] = None
            self.counts[finding.kind] = self.counts.get(finding.kind, 0) + 1
            kept = self.examples.setdefault(finding.kind, [])
            if len(kept) < MAX_EXAMPLES:
                kept.append(finding.text)

    def merge(self, other: Tally) -> None:
        """Add what was counted elsewhere."""
        self.cells += other.cells
        self.blocks += other.blocks
        self.add(Finding(DAMAGED, line) for line in other.damaged)
        for kind, count in other.counts.items():
            if kind == DAMAGED:
                continue
            self.counts[kind] = self.counts.get(kind, 0) + count
            kept = self.examples.setdefault(kind, [])
            kept += other.examples.get(kind, [])[: MAX_EXAMPLES - len(kept)]

    def to_json(self) -> dict[str, object]:
        """The tally as a document, from which ``from_json`` makes it again."""
        return {
            "cells": self.cells, "blocks": self.blocks, "counts": self.counts, "examples": self.examples,
            "damaged": list(self.damaged),
        }  # fmt: skip

    @staticmethod
    def from_json(document: dict[str, Any]) -> Tally:
        """The tally of a document."""
        return Tally(
            cells=document["cells"],
            blocks=document["blocks"],
            counts=document["counts"],
            examples=document["examples"],
            damaged=dict.fromkeys(document["damaged"]),
        )

    @property
    def found(self) -> int:
        """How many things are wrong."""
        return sum(self.counts.values())

    def results(self) -> list[dict[str, object]]:
        """One result a kind, those without findings too (promises 7)."""
        return [
            {
                "name": kind,
                "ok": self.counts.get(kind, 0) == 0,
                "figures": {"count": self.counts.get(kind, 0), "examples": self.examples.get(kind, [])},
                "detail": meaning,
            }
            for kind, meaning in KINDS.items()
        ]


def place(p: tuple[float, float, float]) -> str:
    """A point of the block frame as findings write it."""
    return f"[{p[0]:.3f} {p[1]:.3f} {p[2]:.3f}]"
