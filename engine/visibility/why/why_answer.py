"""The answer to "why can't I see that cell?": frozen results, their words and their JSON form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.files.json_form import Json
from engine.visibility.flood_log import OUTSIDE
from engine.visibility.view_polygon import Ndc

Outline = tuple[Ndc, ...]

PORTAL: Final = "portal"
EXIT: Final = "exit"
OPENING: Final = "opening"


@dataclass(frozen=True, slots=True)
class Gate:
    """One opening on a chain and what the traversal did there.

    ``kind`` is portal, exit, or opening of a building: ``owner`` is then the landblock and ``building`` its
    number there, else ``owner`` is the cell and ``building`` -1. ``to`` is the cell behind it, OUTSIDE for
    the outdoors. ``verdict`` is the traversal's own word and ``detail`` what it comes from. ``before`` are
    the regions that reached it, ``outline`` the opening on the screen and ``after`` what was left of them
    behind it, in NDC; ``corners`` are the opening's in the block frame of the view root, metres.
    """

    kind: str
    owner: int
    building: int
    index: int
    to: int
    verdict: str
    detail: str
    passed: bool
    before: tuple[Outline, ...]
    outline: Outline
    after: tuple[Outline, ...]
    corners: tuple[Vec3, ...]

    @property
    def name(self) -> str:
        """Which opening it is: ``0xA9B40170/1 to 0xA9B40171``, ``building 2 of 0xA9B40000, portal 0 …``."""
        if self.kind == OPENING:
            where = f"building {self.building} of {hex_id(self.owner)}, portal {self.index}"
        else:
            where = f"{hex_id(self.owner)}/{self.index}"
        return f"{where} to {place_name(self.to)}"

    @property
    def words(self) -> str:
        """The opening and its verdict in one line."""
        return f"{self.name}: {self.verdict}{f' ({self.detail})' if self.detail else ''}"

    def to_json(self) -> Json:
        """The form of ``pvs --why --json``."""
        is_opening = self.kind == OPENING
        return {
            "kind": self.kind,
            "cell": None if is_opening else hex_id(self.owner),
            "landblock": hex_id(self.owner) if is_opening else None,
            "building": self.building if is_opening else None,
            "portal": self.index,
            "to": None if self.to == OUTSIDE else hex_id(self.to),
            "verdict": self.verdict,
            "detail": self.detail or None,
            "passed": self.passed,
            "before": [_points(polygon) for polygon in self.before],
            "outline": _points(self.outline),
            "after": [_points(polygon) for polygon in self.after],
            "corners": [list(p) for p in self.corners],
        }


@dataclass(frozen=True, slots=True)
class Chain:
    """Openings one behind the other, from the view root on.

    ``arrives`` tells that the cell is reached; ``adds`` that the region that arrived was not within another
    one already there. One that does not arrive ends with openings that were not come to.
    """

    gates: tuple[Gate, ...]
    arrives: bool
    adds: bool

    @property
    def stopped_at(self) -> Gate | None:
        """The opening that the traversal did not get through; None for a chain that arrives."""
        return None if self.arrives else next((gate for gate in self.gates if not gate.passed), None)

    @property
    def title(self) -> str:
        """How long it is, and whether it arrives."""
        title = "reaches it" if self.arrives else "comes farthest"
        if self.arrives and not self.adds:
            title = "reaches it, within what is seen of it already"
        return f"chain of {len(self.gates)} portal{'' if len(self.gates) == 1 else 's'} {title}"

    @property
    def words(self) -> list[str]:
        """The chain's title and a line for each opening."""
        return [self.title] + [f"  {number}. {gate.words}" for number, gate in enumerate(self.gates, start=1)]

    def to_json(self) -> Json:
        """The form of ``pvs --why --json``."""
        return {"arrives": self.arrives, "adds": self.adds, "gates": [gate.to_json() for gate in self.gates]}


@dataclass(frozen=True, slots=True)
class WhyAnswer:
    """Why a cell is seen from a view root, or is not.

    ``chains`` are all that reach a cell that is seen, else the one that comes farthest, and none where no
    openings lead there. ``in_stab_list`` is None where the root has no stab list (outdoors) and where a
    landcell is asked for; ``reason`` is the verdict without the cell.
    """

    cell: int
    visible: bool
    root: int
    loaded: bool
    in_stab_list: bool | None
    reason: str
    chains: tuple[Chain, ...]

    @property
    def verdict(self) -> str:
        """The answer in one line."""
        return f"{hex_id(self.cell)} is {'' if self.visible else 'not '}visible: {self.reason}"

    @property
    def notes(self) -> list[str]:
        """What else is to be known of the cell."""
        lines = []
        if self.in_stab_list is False:
            lines.append(f"the stab list of {hex_id(self.root)} lacks it: only a look-in could show it")
        if not self.loaded:
            lines.append("it is not loaded")
        return lines

    @property
    def words(self) -> list[str]:
        """The answer as lines, the verdict first."""
        chains = [line for chain in self.chains if chain.gates for line in chain.words]
        return [self.verdict, *self.notes, *chains]

    def to_json(self) -> Json:
        """The form of ``pvs --why --json``."""
        return {
            "cell": hex_id(self.cell),
            "visible": self.visible,
            "root": hex_id(self.root),
            "loaded": self.loaded,
            "in_stab_list": self.in_stab_list,
            "reason": self.reason,
            "verdict": self.verdict,
            "chains": [chain.to_json() for chain in self.chains],
        }


def place_name(to: int) -> str:
    """A cell's id, or the outdoors."""
    return "the outdoors" if to == OUTSIDE else hex_id(to)


def _points(points: Iterable[Ndc]) -> list[list[float]]:
    return [[x, y] for x, y in points]
