"""The account of a sweep: what was tried, which cells were asked, what answered (design 4 and 5).

Hits are always noted, there are few of them; the trace only where somebody asked for one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.dat.values import Vec3
from engine.physics.cell_array import CellArray
from engine.world.cells import ObjCell


class Hit:
    """A polygon or shape that changed the outcome.

    ``kind`` is cell, terrain, building or entity; ``owner`` that cell's or entity's id; ``gfxobj`` and
    ``poly`` are 0 and -1 where there is none; ``normal`` is in block axes; ``response`` names what was
    done about it.
    """

    __slots__ = ("cell_id", "gfxobj", "kind", "normal", "owner", "poly", "response")

    def __init__(
        self, kind: str, owner: int, cell_id: int, gfxobj: int, poly: int, normal: Vec3, response: str
    ) -> None:
        self.kind = kind
        self.owner = owner
        self.cell_id = cell_id
        self.gfxobj = gfxobj
        self.poly = poly
        self.normal = normal
        self.response = response

    def is_same(self, other: Hit) -> bool:
        """Whether the other hit is of the same polygon or shape."""
        return (
            self.poly == other.poly
            and self.owner == other.owner
            and self.gfxobj == other.gfxobj
            and self.kind == other.kind
        )

    def to_json(self) -> dict[str, object]:
        """The form of a tick line: ``{kind, cell|entity, gfxobj, poly, normal, response}``."""
        owner = "entity" if self.kind == "entity" else "cell"
        return {
            "kind": self.kind,
            owner: f"0x{self.owner:08X}",
            "gfxobj": f"0x{self.gfxobj:08X}" if self.gfxobj else None,
            "poly": self.poly if self.poly >= 0 else None,
            "normal": list(self.normal),
            "response": self.response,
        }

    def __repr__(self) -> str:
        return f"Hit({self.kind} 0x{self.owner:08X} poly {self.poly} {self.response})"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell of the array: why it is in it, and what a prune by the stab list would do to it."""

    cell_id: int
    loaded: bool
    why: str
    added_by: int
    in_stab_list: bool
    picked: bool


@dataclass(frozen=True, slots=True)
class Pick:
    """One look for the cell that contains the foot sphere's centre, and its answer (0 for none)."""

    center: Vec3
    seed: int
    picked: int
    candidates: tuple[Candidate, ...]
    probe: str


@dataclass(slots=True)
class SubStep:
    """One sub-step: what was asked for, what was tried, and whether the position advanced."""

    index: int
    start: Vec3
    cell_id: int
    offset: Vec3
    adjusted: Vec3 = (0.0, 0.0, 0.0)
    picks: list[Pick] = field(default_factory=list)
    responses: list[str] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    insertion: str = ""
    advanced: bool = False
    end: Vec3 = (0.0, 0.0, 0.0)
    end_cell_id: int = 0


class SweepTrace:
    """Records what a transition did, sub-step by sub-step."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps: list[SubStep] = []

    @property
    def step(self) -> SubStep:
        """The sub-step being recorded; a placement has none of its own and gets one here."""
        if not self.steps:
            self.begin(0, (0.0, 0.0, 0.0), 0, (0.0, 0.0, 0.0))
        return self.steps[-1]

    def to_json(self) -> list[dict[str, object]]:
        """One object a sub-step, for a tick line of ``sim --trace``."""
        return [_step_json(step) for step in self.steps]

    def begin(self, index: int, start: Vec3, cell_id: int, offset: Vec3) -> None:
        """A sub-step starts at ``start`` in a cell and is to move by ``offset``."""
        self.steps.append(SubStep(index, start, cell_id, offset))

    def pick(
        self, array: CellArray, center: Vec3, seed: ObjCell | None, picked: ObjCell | None, probe: str
    ) -> None:
        """The cell array was built and a containing cell was looked for."""
        stab = () if seed is None else seed.stab_list
        seed_id = 0 if seed is None else seed.id
        picked_id = 0 if picked is None else picked.id
        candidates = tuple(
            Candidate(
                cell_id,
                cell is not None,
                why,
                added_by,
                cell_id == seed_id or cell_id in stab,
                cell_id == picked_id,
            )
            for cell_id, cell, why, added_by in zip(
                array.ids, array.cells, array.why, array.added_by, strict=True
            )
        )
        self.step.picks.append(Pick(center, seed_id, picked_id, candidates, probe))

    def response(self, text: str) -> None:
        """Something was done about what was met."""
        self.step.responses.append(text)

    def hit(self, hit: Hit) -> None:
        """A polygon or shape changed the outcome."""
        self.step.hits.append(hit)

    def end(self, insertion: str, advanced: bool, position: Vec3, cell_id: int) -> None:
        """The sub-step was accepted (advance) or taken back (reset)."""
        step = self.step
        step.insertion = insertion
        step.advanced = advanced
        step.end = position
        step.end_cell_id = cell_id


def _step_json(step: SubStep) -> dict[str, object]:
    return {
        "step": step.index,
        "cell": f"0x{step.cell_id:08X}",
        "start": list(step.start),
        "requested": list(step.offset),
        "adjusted": list(step.adjusted),
        "picks": [_pick_json(pick) for pick in step.picks],
        "hits": [hit.to_json() for hit in step.hits],
        "responses": list(step.responses),
        "insertion": step.insertion,
        "result": "advance" if step.advanced else "reset" if step.insertion else "refused",
        "end": list(step.end),
        "end_cell": f"0x{step.end_cell_id:08X}",
    }


def _pick_json(pick: Pick) -> dict[str, object]:
    return {
        "probe": pick.probe,
        "center": list(pick.center),
        "from": f"0x{pick.seed:08X}",
        "picked": f"0x{pick.picked:08X}" if pick.picked else None,
        "candidates": [
            {
                "cell": f"0x{candidate.cell_id:08X}",
                "loaded": candidate.loaded,
                "why": candidate.why,
                "added_by": f"0x{candidate.added_by:08X}",
                "in_stab_list": candidate.in_stab_list,
                "picked": candidate.picked,
            }
            for candidate in pick.candidates
        ],
    }
