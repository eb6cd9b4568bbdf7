"""The account of a sweep: what was tried, which cells were asked, what answered (promises 4, 11).

Hits are always noted, there are few of them; the trace only where somebody asked for one. `sim --trace`, the
frame report and the panels all read this account.
"""

from __future__ import annotations

from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Plane, Vec3
from engine.named_tuple import NamedTuple
from engine.physics.transition.hit import Hit
from engine.physics.transition.picks import Pick, vec_words

PLACEMENT: Final = "placement"


class Carried(NamedTuple):
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
            words = [f"contact {vec_words(self.contact_plane.normal)} {self.contact_plane.d:.3f} ({ground})"]
        if self.sliding_normal is not None:
            words.append(f"sliding normal {vec_words(self.sliding_normal)}")
        if self.collision_normal is not None:
            words.append(f"collision normal {vec_words(self.collision_normal)}")
        if self.stationary:
            words.append(f"stationary {self.stationary}")
        return ", ".join(words)


class SubStep:
    """One sub-step: what was asked for, what was tried, and whether the position advanced.

    ``hits`` stopped, bent or lifted the mover; ``tested`` are the polygons and shapes that decided something
    else: the ground rested on, what carries the foot, what leaves no room. Where a body was put somewhere
    ``insertion`` says so, and ``start`` is the place that was asked for.
    """

    __slots__ = (
        "adjusted", "advanced", "carried", "cell_id", "end", "end_cell_id", "hits", "index", "insertion",
        "offset", "picks", "responses", "start", "tested",
    )  # fmt: skip

    def __init__(self, index: int, start: Vec3, cell_id: int, offset: Vec3) -> None:
        self.index: Final = index
        self.start = start
        self.cell_id = cell_id
        self.offset: Final = offset
        self.adjusted: Vec3 = (0.0, 0.0, 0.0)
        self.picks: Final[list[Pick]] = []
        self.responses: Final[list[str]] = []
        self.hits: Final[list[Hit]] = []
        self.tested: Final[list[Hit]] = []
        self.insertion = ""
        self.advanced = False
        self.end: Vec3 = (0.0, 0.0, 0.0)
        self.end_cell_id = 0
        self.carried: Carried | None = None

    @property
    def result(self) -> str:
        """``advance`` or ``reset``; where nothing was left to move ``refused`` at once or ``ended`` there.

        ``placed`` where the body was put there.
        """
        if self.insertion == PLACEMENT:
            return "placed"
        if self.insertion:
            return "advance" if self.advanced else "reset"
        return "ended" if self.index else "refused"

    def lines(self) -> list[str]:
        """The sub-step in words, the first line its title."""
        begins = f"{vec_words(self.start)} in {hex_id(self.cell_id)}"
        out = [f"placement asked for {begins}"]
        if self.insertion != PLACEMENT:
            bent = f"bent to {vec_words(self.adjusted)}"
            out = [f"step {self.index}: {begins} by {vec_words(self.offset)}, {bent}"]
        out += [f"  {pick.describe()}" for pick in self.picks]
        for hit in (*self.hits, *self.tested):
            out.append(f"  {hit.response.value}: {hit.name}, normal {vec_words(hit.normal)}")
        out += [f"  {response}" for response in self.responses]
        carried = "" if self.carried is None else f"; {self.carried.describe()}"
        out.append(
            f"  {self.insertion or 'no sweep'}: {self.result} to {vec_words(self.end)} "
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
        """The sub-step being recorded; a placement has none of its own and gets one here: see ``place``."""
        if not self.steps:
            self.begin(0, (0.0, 0.0, 0.0), 0, (0.0, 0.0, 0.0))
        return self.steps[-1]

    def to_json(self) -> list[dict[str, object]]:
        """One object a sub-step, for a tick line of ``sim --trace``."""
        return [_step_json(step) for step in self.steps]

    def begin(self, index: int, start: Vec3, cell_id: int, offset: Vec3) -> None:
        """A sub-step starts at ``start`` in a cell and is to move by ``offset``."""
        self.steps.append(SubStep(index, start, cell_id, offset))

    def pick(self, pick: Pick) -> None:
        """The cell array was built and a containing cell looked for."""
        self.step.picks.append(pick)

    def response(self, text: str) -> None:
        """Something was done about what was met."""
        self.step.responses.append(text)

    def hit(self, hit: Hit) -> None:
        """A polygon or shape changed the outcome."""
        self.step.hits.append(hit)

    def test(self, hit: Hit) -> None:
        """A polygon or shape decided something without being run into."""
        self.step.tested.append(hit)

    def place(self, asked: tuple[Vec3, int], come_to: tuple[Vec3, int]) -> None:
        """A body was put somewhere: the place and cell that were asked for, and those that it came to."""
        step = self.step
        step.insertion = PLACEMENT
        step.start, step.cell_id = asked
        step.end, step.end_cell_id = come_to

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
