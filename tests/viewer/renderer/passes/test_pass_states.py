"""Every pass enters the GL state and the reference value that its row of the table gives (passes 3.3)."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from tests.places import ROOT
from tests.viewer.renderer.render_scenes import house, room_a
from tests.viewer.renderer.render_stage import Stage
from viewer.renderer.gl import gl_state
from viewer.renderer.gl.gl_state import LEQUAL, GlState, PassState
from viewer.renderer.passes import passes

if TYPE_CHECKING:
    import moderngl

ROW = re.compile(r"^\| (P\d+) \| (.*) \|$", re.MULTILINE)
TEXT = (ROOT / "docs" / "reference" / "passes.md").read_text(encoding="utf-8")
TEXT = TEXT[TEXT.index("### 3.3") : TEXT.index("### 3.4")].replace("\\|", "or").replace("−", "-")
TABLE = {row[1]: [cell.strip() for cell in row[2].split("|")] for row in ROW.finditer(TEXT)}
STENCIL, DEPTH, COLOR, CULL, OTHER = range(2, 7)  # the columns behind the pass, its name and its geometry


def stencil(name: str) -> tuple[int, int, int, int]:
    """func, read, zpass and write of a row; what is always drawn reads whatever there is."""
    func, _, read, zpass, write = (w.strip() for w in TABLE[name][STENCIL].strip("()").split(","))
    reads = passes.ALL_BITS if read == "–" else int(read.removeprefix("read "), 16)
    writes = int(write.removeprefix("write "), 0)
    return getattr(gl_state, func), reads, getattr(gl_state, zpass), writes


def depth(name: str) -> tuple[bool, bool, int]:
    """Whether depth is tested and written in a row, and how it is compared."""
    words = TABLE[name][DEPTH]
    func = next((getattr(gl_state, w) for w in ("LEQUAL", "LESS", "ALWAYS") if w in words), LEQUAL)
    return "off" not in words, "write" in words and "no write" not in words, func


def given(state: PassState) -> tuple[tuple[int, ...], tuple[object, ...]]:
    stencil = (state.func, state.read, state.zpass, state.write)
    return stencil, (state.depth_test, state.depth_write, state.depth_func)


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("P1", passes.P1_MARK_LANDSCAPE),
        ("P3", passes.P3_MARK_LOOK_IN),
        ("P4", passes.P4_PUNCH),
        ("P5", passes.P5_MARK_CELL),
        ("P6", passes.P6_CELL),
        ("P9", passes.P9_SEAL),
        ("P10", passes.P10_MARK_CELL),
        ("P11", passes.P11_CELL),
    ],
)
def test_a_pass_has_the_state_of_its_row(name: str, state: PassState) -> None:
    row = TABLE[name]
    assert state.name == name
    assert given(state) == (stencil(name), depth(name))
    assert state.color == (row[COLOR] == "on")
    assert state.cull == (row[CULL] == "per material")
    assert state.clamp == ("depth clamp on" in row[OTHER])
    offset = re.search(r"polygon offset \(([-+]\d),\1\)", row[OTHER])
    assert state.offset == (float(offset[1]) if offset else 0.0)


@pytest.mark.parametrize("state", [passes.P2_SKY, passes.P2_LANDSCAPE, passes.P2_BLENDED])
def test_the_landscape_is_drawn_in_its_region_only(state: PassState) -> None:
    assert given(state)[0] == stencil("P2")
    is_sky = state is passes.P2_SKY
    assert given(state)[1] == (not is_sky, state is passes.P2_LANDSCAPE, LEQUAL)
    assert (state.color, state.cull) == (True, not is_sky)


@pytest.mark.parametrize(("name", "state"), [("P6", passes.P6_BLENDED), ("P11", passes.P11_BLENDED)])
def test_translucent_things_are_drawn_where_their_cell_is_and_write_no_depth(
    name: str, state: PassState
) -> None:
    assert given(state) == (stencil(name), depth("P12"))
    assert (state.color, state.cull) == (True, True)


def test_an_opening_seen_edge_on_is_marked_like_any_other_without_asking_depth() -> None:
    state = passes.P3_MARK_STRADDLED
    assert given(state) == (stencil("P3"), (False, False, LEQUAL))
    assert (state.color, state.cull) == (False, False)


@pytest.mark.gl
def test_a_pass_is_entered_with_the_reference_value_of_its_row(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A room with a window, a house before it: each region gets the bits of its own, and no others."""
    stage = Stage(ctx, house(room_a()))
    entered: dict[str, set[int]] = {}
    enter = GlState.enter

    def noted(self: GlState, state: PassState, ref: int = 0) -> None:
        entered.setdefault(state.name, set()).add(ref)
        enter(self, state, ref)

    monkeypatch.setattr(GlState, "enter", noted)
    stage.picture(0x100)
    assert {name: refs for name, refs in entered.items() if name.startswith("P")} == {
        "P1": {0x80}, "P2 sky": {0x80}, "P2": {0x80}, "P2 blended": {0x80}, "P3": {0xC0}, "P4": {0x40},
        "P5": {0x41}, "P6": {0x41}, "P9": {0x80}, "P10": {0x01}, "P11": {0x01},
    }  # fmt: skip


class Gl:
    """A GL that only keeps what is set, by the function and the capability that set it."""

    def __init__(self) -> None:
        self.set: dict[str, tuple[object, ...]] = {}

    def __getattr__(self, name: str) -> object:
        def call(*values: object) -> None:
            switched = name in ("glEnable", "glDisable")
            self.set[f"capability {values[0]}" if switched else name] = (name, *values)

        self.__dict__[name] = call
        return call


def test_a_pass_is_entered_anew_once_edges_alone_or_all_depths_are_drawn() -> None:
    """What it sets is kept from picture to picture, as long as pictures are drawn alike."""
    raw = Gl()
    state = GlState(raw)
    found = []
    for edges, all_depths in ((False, False), (True, False), (False, True), (False, False)):
        state.edges_only, state.ignores_depth = edges, all_depths
        state.forget()
        for entered in (passes.P5_MARK_CELL, passes.P6_CELL, passes.P5_MARK_CELL, passes.P6_CELL):
            state.enter(entered, 0x41)
        found.append((raw.set["glPolygonMode"][2], raw.set[f"capability {0x0B71}"][0]))
    fill, line = 0x1B02, 0x1B01
    assert found == [(fill, "glEnable"), (line, "glEnable"), (fill, "glDisable"), (fill, "glEnable")]


def test_a_pass_is_entered_whole_whatever_was_before_it() -> None:
    """From pass to pass only what differs is set: it has to be all, if something else was set in between."""
    names = [getattr(passes, name) for name in dir(passes)]
    every = [state for state in names if isinstance(state, PassState)]
    raw = Gl()
    state = GlState(raw)
    state.forget()
    between = (
        lambda: None,
        lambda: state.color(on=False),
        lambda: state.clear_stencil(0, 0x3F),
        state.clear_depth,
        lambda: (state.backs(on=True), state.backs(on=False)),
        lambda: state.blend((1, 1)),
    )
    dice = random.Random(3)
    for number in range(2000):
        entered, ref = dice.choice(every), dice.randrange(256)
        state.enter(entered, ref)
        alone = Gl()
        fresh = GlState(alone)
        fresh.forget()
        fresh.enter(entered, ref)
        told = {
            name: value for name, value in alone.set.items() if name != "glPolygonOffset" or entered.offset
        }
        assert {name: raw.set[name] for name in told} == told, (number, entered.name)
        between[dice.randrange(len(between) if number % 3 == 0 else 1)]()
