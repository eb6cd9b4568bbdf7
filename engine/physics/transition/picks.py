"""Looks for the cell that holds the centre: the candidates, the answer, and why (membership 7.1)."""

from __future__ import annotations

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.physics.membership.cell_array import CellArray
from engine.physics.membership.cell_list import point_in_cell, would_prune
from engine.world.cells import ObjCell
from engine.world.ids import rebase


class Candidate(NamedTuple):
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


class Pick(NamedTuple):
    """One look for the cell that contains the foot sphere's centre, and its answer (0 for none).

    ``asked`` are the neighbours that the spheres were tried against then, and what each answered; the first
    that is not ok ends it.
    """

    center: Vec3
    seed: int
    picked: int
    candidates: tuple[Candidate, ...]
    probe: str
    asked: list[tuple[int, str]]

    def describe(self) -> str:
        """One line: where was asked, the candidates, the answer, and what the neighbours answered."""
        picked = hex_id(self.picked) if self.picked else "none"
        names = ", ".join(candidate.describe() for candidate in self.candidates)
        asked = "".join(f"; {hex_id(cell)} answers {answer}" for cell, answer in self.asked)
        return (
            f"{self.probe} at {vec_words(self.center)}: picked {picked} of {names or 'no candidates'}{asked}"
        )

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


def pick_of(
    array: CellArray,
    home: int,
    *,
    center: Vec3,
    seed: ObjCell | None,
    picked: ObjCell | None,
    probe: str,
) -> Pick:
    """A pick from a cell array that was built around a place of ``home``'s block."""
    stab = frozenset(() if seed is None else seed.stab_list)
    seed_id = 0 if seed is None else seed.id
    picked_id = 0 if picked is None else picked.id
    candidates = tuple(
        Candidate(
            cell_id=cell_id,
            loaded=cell is not None,
            why=why,
            added_by=added_by,
            in_stab_list=cell_id == seed_id or cell_id in stab,
            pruned=would_prune(seed, cell_id, stab),
            picked=cell_id == picked_id,
            holds=cell is not None and point_in_cell(cell, *rebase(center, home, cell_id)),
        )
        for cell_id, cell, why, added_by in zip(
            array.ids, array.cells, array.why, array.added_by, strict=True
        )
    )
    return Pick(center=center, seed=seed_id, picked=picked_id, candidates=candidates, probe=probe, asked=[])


def vec_words(v: Vec3) -> str:
    """Three numbers as an account shows them."""
    return f"[{v[0]:.4f} {v[1]:.4f} {v[2]:.4f}]"
