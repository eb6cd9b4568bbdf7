"""The account of a sweep: what was tried, which cells were asked, what answered (promises 4, 11).

Hits are always noted, there are few of them; the trace only where somebody asked for one. `sim --trace`, the
frame report and the panels all read this account.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.dat.hex_id import hex_id
from engine.dat.values import Plane, Vec3
from engine.physics.membership.cell_array import CellArray
from engine.physics.membership.cell_list import point_in_cell, would_prune
from engine.world.cells import ObjCell
from engine.world.ids import rebase


class Hit:
    """A polygon or shape that changed the outcome.

    ``kind`` is cell, terrain, building or entity; ``owner`` that cell's or entity's id; ``gfxobj`` is 0 and
    ``poly`` and ``part``, the index of the entity's part that was met, are -1 where there is none; ``normal``
    is in block axes; ``response`` names what was done about it.
    """

    __slots__ = ("cell_id", "gfxobj", "kind", "normal", "owner", "part", "poly", "response")

    def __init__(
        self,
        kind: str,
        owner: int,
        cell_id: int,
        *,
        gfxobj: int,
        poly: int,
        normal: Vec3,
        response: str,
        part: int = -1,
    ) -> None:
        self.kind = kind
        self.owner = owner
        self.cell_id = cell_id
        self.gfxobj = gfxobj
        self.poly = poly
        self.normal = normal
        self.response = response
        self.part = part

    def is_same(self, other: Hit) -> bool:
        """Whether the other hit is of the same polygon or shape."""
        return (
            self.poly == other.poly
            and self.owner == other.owner
            and self.part == other.part
            and self.gfxobj == other.gfxobj
            and self.kind == other.kind
        )

    def to_json(self) -> dict[str, object]:
        """The form of a tick line: ``{kind, cell|entity, gfxobj, part, poly, normal, response}``."""
        owner = "entity" if self.kind == "entity" else "cell"
        return {
            "kind": self.kind,
            owner: hex_id(self.owner),
            "gfxobj": hex_id(self.gfxobj) if self.gfxobj else None,
            "part": self.part if self.part >= 0 else None,
            "poly": self.poly if self.poly >= 0 else None,
            "normal": list(self.normal),
            "response": self.response,
        }

    @property
    def name(self) -> str:
        """What was met, in words: ``entity 0x7A9B4015 part 0 gfxobj 0x010044B5 polygon 3``."""
        part = f" part {self.part}" if self.part >= 0 else ""
        model = f" gfxobj {hex_id(self.gfxobj)}" if self.gfxobj else ""
        polygon = f" polygon {self.poly}" if self.poly >= 0 else ""
        return f"{self.kind} {hex_id(self.owner)}{part}{model}{polygon}"

    def __repr__(self) -> str:
        part = f" part {self.part}" if self.part >= 0 else ""
        return f"Hit({self.kind} {hex_id(self.owner)}{part} poly {self.poly} {self.response})"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell of the array: why it is in it, and whether a prune by the stab list would drop it.

    ``holds`` tells that it holds the centre that was asked for; the first interior one of these is picked.
    From an interior seed it drops what the seed's stab list lacks, landcells too; from a landcell nothing.
    """

    cell_id: int
    loaded: bool
    why: str
    added_by: int
    in_stab_list: bool
    pruned: bool
    picked: bool
    holds: bool = False

    def describe(self) -> str:
        """In words: the id, why it is a candidate, whether it holds the centre, what a prune would do."""
        source = "" if self.added_by == self.cell_id else f" of {hex_id(self.added_by)}"
        dropped = ", holds the centre" if self.holds else ""
        dropped += ", a prune would drop it" if self.pruned else ""
        return f"{hex_id(self.cell_id)} ({self.why}{source}{'' if self.loaded else ', not loaded'}{dropped})"


@dataclass(frozen=True, slots=True)
class Pick:
    """One look for the cell that contains the foot sphere's centre, and its answer (0 for none).

    ``asked`` are the neighbours that the spheres were tried against then, and what each answered; the first
    that is not ok ends it.
    """

    center: Vec3
    seed: int
    picked: int
    candidates: tuple[Candidate, ...]
    probe: str
    asked: list[tuple[int, str]] = field(default_factory=list)

    def describe(self) -> str:
        """One line: where was asked, the candidates, the answer, and what the neighbours answered."""
        picked = hex_id(self.picked) if self.picked else "none"
        names = ", ".join(candidate.describe() for candidate in self.candidates)
        asked = "".join(f"; {hex_id(cell)} answers {answer}" for cell, answer in self.asked)
        return f"{self.probe} at {_vec(self.center)}: picked {picked} of {names or 'no candidates'}{asked}"

    def to_json(self) -> dict[str, object]:
        """The form of a tick line, and of ``cell``."""
        return {
            "probe": self.probe,
            "center": list(self.center),
            "from": hex_id(self.seed),
            "picked": hex_id(self.picked) if self.picked else None,
            "candidates": [
                {
                    "cell": hex_id(candidate.cell_id),
                    "loaded": candidate.loaded,
                    "why": candidate.why,
                    "added_by": hex_id(candidate.added_by),
                    "in_stab_list": candidate.in_stab_list,
                    "pruned": candidate.pruned,
                    "picked": candidate.picked,
                    "holds_centre": candidate.holds,
                }
                for candidate in self.candidates
            ],
            "asked": [{"cell": hex_id(cell), "answer": answer} for cell, answer in self.asked],
        }


@dataclass(frozen=True, slots=True)
class Carried:
    """What a sub-step hands to the next, and the last one to the commit (sweep 3.22).

    ``contact_plane`` is in the block frame of ``contact_cell_id``, None in the air; the normals are in block
    axes, None where they are not valid; ``stationary`` counts blocked sub-steps in a row.
    """

    contact_plane: Plane | None
    contact_cell_id: int
    on_walkable: bool
    sliding_normal: Vec3 | None
    collision_normal: Vec3 | None
    stationary: int

    def to_json(self) -> dict[str, object]:
        """The form of a tick line."""
        plane = self.contact_plane
        return {
            "contact_plane": None if plane is None else [*plane.normal, plane.d],
            "contact_cell": None if plane is None else hex_id(self.contact_cell_id),
            "on_walkable": self.on_walkable,
            "sliding_normal": None if self.sliding_normal is None else list(self.sliding_normal),
            "collision_normal": None if self.collision_normal is None else list(self.collision_normal),
            "stationary": self.stationary,
        }

    def describe(self) -> str:
        """In words."""
        words = ["in the air"]
        if self.contact_plane is not None:
            ground = "walkable" if self.on_walkable else "too steep to walk on"
            words = [f"contact {_vec(self.contact_plane.normal)} {self.contact_plane.d:.3f} ({ground})"]
        if self.sliding_normal is not None:
            words.append(f"sliding normal {_vec(self.sliding_normal)}")
        if self.collision_normal is not None:
            words.append(f"collision normal {_vec(self.collision_normal)}")
        if self.stationary:
            words.append(f"stationary {self.stationary}")
        return ", ".join(words)


@dataclass(slots=True)
class SubStep:
    """One sub-step: what was asked for, what was tried, and whether the position advanced.

    ``hits`` stopped, bent or lifted the mover; ``tested`` are the polygons and shapes that decided something
    else: the ground rested on, what carries the foot, what leaves no room.
    """

    index: int
    start: Vec3
    cell_id: int
    offset: Vec3
    adjusted: Vec3 = (0.0, 0.0, 0.0)
    picks: list[Pick] = field(default_factory=list)
    responses: list[str] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    tested: list[Hit] = field(default_factory=list)
    insertion: str = ""
    advanced: bool = False
    end: Vec3 = (0.0, 0.0, 0.0)
    end_cell_id: int = 0
    carried: Carried | None = None

    @property
    def result(self) -> str:
        """``advance`` or ``reset``; where nothing was left to move ``refused`` at once or ``ended`` there."""
        if self.insertion:
            return "advance" if self.advanced else "reset"
        return "ended" if self.index else "refused"

    def lines(self) -> list[str]:
        """The sub-step in words, the first line its title."""
        out = [
            f"step {self.index}: {_vec(self.start)} in {hex_id(self.cell_id)} by {_vec(self.offset)}, "
            f"bent to {_vec(self.adjusted)}"
        ]
        out += [f"  {pick.describe()}" for pick in self.picks]
        for hit in (*self.hits, *self.tested):
            out.append(f"  {hit.response}: {hit.name}, normal {_vec(hit.normal)}")
        out += [f"  {response}" for response in self.responses]
        carried = "" if self.carried is None else f"; {self.carried.describe()}"
        out.append(
            f"  {self.insertion or 'no sweep'}: {self.result} to {_vec(self.end)} "
            f"in {hex_id(self.end_cell_id)}{carried}"
        )
        return out


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
        self,
        array: CellArray,
        home: int,
        *,
        center: Vec3,
        seed: ObjCell | None,
        picked: ObjCell | None,
        probe: str,
    ) -> Pick:
        """The cell array was built and a containing cell looked for, around a place of ``home``'s block."""
        stab = () if seed is None else seed.stab_list
        seed_id = 0 if seed is None else seed.id
        picked_id = 0 if picked is None else picked.id
        candidates = tuple(
            Candidate(
                cell_id=cell_id,
                loaded=cell is not None,
                why=why,
                added_by=added_by,
                in_stab_list=cell_id == seed_id or cell_id in stab,
                pruned=would_prune(seed, cell_id),
                picked=cell_id == picked_id,
                holds=cell is not None and point_in_cell(cell, *rebase(center, home, cell_id)),
            )
            for cell_id, cell, why, added_by in zip(
                array.ids, array.cells, array.why, array.added_by, strict=True
            )
        )
        self.step.picks.append(
            Pick(center=center, seed=seed_id, picked=picked_id, candidates=candidates, probe=probe)
        )
        return self.step.picks[-1]

    def response(self, text: str) -> None:
        """Something was done about what was met."""
        self.step.responses.append(text)

    def hit(self, hit: Hit) -> None:
        """A polygon or shape changed the outcome."""
        self.step.hits.append(hit)

    def test(self, hit: Hit) -> None:
        """A polygon or shape decided something without being run into."""
        self.step.tested.append(hit)

    def stop(self, position: Vec3, cell_id: int) -> None:
        """The sweep ended before the sub-step moved anything."""
        self.step.end = position
        self.step.end_cell_id = cell_id

    def end(self, insertion: str, *, advanced: bool, position: Vec3, cell_id: int, carried: Carried) -> None:
        """The sub-step was accepted (advance) or taken back (reset)."""
        step = self.step
        step.carried = carried
        step.insertion = insertion
        step.advanced = advanced
        step.end = position
        step.end_cell_id = cell_id


def _step_json(step: SubStep) -> dict[str, object]:
    return {
        "step": step.index,
        "cell": hex_id(step.cell_id),
        "start": list(step.start),
        "requested": list(step.offset),
        "adjusted": list(step.adjusted),
        "picks": [pick.to_json() for pick in step.picks],
        "hits": [hit.to_json() for hit in step.hits],
        "tested": [hit.to_json() for hit in step.tested],
        "responses": list(step.responses),
        "insertion": step.insertion,
        "result": step.result,
        "end": list(step.end),
        "end_cell": hex_id(step.end_cell_id),
        "carried": None if step.carried is None else step.carried.to_json(),
    }


def _vec(v: Vec3) -> str:
    return f"[{v[0]:.4f} {v[1]:.4f} {v[2]:.4f}]"
