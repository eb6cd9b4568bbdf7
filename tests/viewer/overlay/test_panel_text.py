"""The panels show all of the report: what they hand to ImGui is written down and looked through."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import pytest

from engine.replay.audit.finding import Finding
from engine.visibility.why.why_answer import Chain, Gate, WhyAnswer
from tests.viewer.overlay.panels import DOOR, HALL, ROOM, Panels
from tests.viewer.reports import full_report
from viewer.overlay import panel_table
from viewer.overlay.panel_kit import AMBER, GREEN
from viewer.overlay.panels.door_panel import does_color
from viewer.overlay.panels.timeline_panel import LANES
from viewer.overlay.panels.view_panels import quoted
from viewer.report.asked import AuditReport
from viewer.report.picture_report import BlockedReport, LastMoveReport, PictureReport
from viewer.report.probe_table import ProbeShown
from viewer.report.timeline_report import TimelineReport

WRITING = {
    "begin", "begin_table", "bullet_text", "button", "checkbox", "collapsing_header", "separator_text",
    "slider_int", "small_button", "table_setup_column", "text", "text_colored", "text_disabled",
    "text_wrapped", "tree_node",
}  # fmt: skip
"""What of ImGui puts words on the screen."""


class RecordingImgui:
    """ImGui itself, which notes by the panel every text that it is given."""

    def __init__(self, real: object) -> None:
        self._real = real
        self.panel = ""
        self.said: dict[str, list[str]] = {}

    def __getattr__(self, name: str) -> object:
        found = getattr(self._real, name)
        if name not in WRITING:
            return found

        def call(*args: object, **more: object) -> object:
            words = [value for value in (*args, *more.values()) if isinstance(value, str)]
            if name == "begin":
                self.panel = words[0]
            self.said.setdefault(self.panel, []).extend(words)
            return found(*args, **more)

        return call


class Said(Mapping[str, list[str]]):
    """The texts of a report by panel, which is brought to the front and scrolled through when asked for."""

    def __init__(self, drawn: Panels, shown: PictureReport) -> None:
        self._drawn = drawn
        self._shown = shown
        drawn.frames(shown)

    def __getitem__(self, title: str) -> list[str]:
        self._drawn.layout.show(title)
        self._drawn.frames(self._shown)
        recorder = RecordingImgui(panel_table.imgui)  # type: ignore[attr-defined]
        rooms = {panel.draw.__module__ for panel in panel_table.PANELS}
        rooms |= {
            "viewer.overlay.panel_kit",
            "viewer.overlay.text_table",
            "viewer.overlay.panels.visible_list",
        }
        with pytest.MonkeyPatch.context() as patch:
            for room in rooms:
                patch.setattr(sys.modules[room], "imgui", recorder)
            self._drawn.frame(self._shown)
            while self._drawn.scroll_on(title):
                self._drawn.frame(self._shown)
        return recorder.said[title]

    def __iter__(self) -> Iterator[str]:
        return (panel.title for panel in panel_table.PANELS)

    def __len__(self) -> int:
        return len(panel_table.PANELS)


@pytest.fixture
def says(panels: Panels) -> Callable[[PictureReport], Said]:
    """Draws a report; the texts by panel."""
    return lambda shown: Said(panels, shown)


def in_order(texts: list[str], row: list[str]) -> bool:
    """Whether these texts were written one after the other."""
    return any(texts[k : k + len(row)] == row for k in range(len(texts)))


@pytest.mark.gl
def test_the_visible_panel_lists_every_visible_cell_and_how_it_is_seen(says):
    texts = says(full_report())["Visible"]
    rows = [  # in brief, as a narrow panel has them
        ["0170", "0.0", "87.5", "root"],
        ["0171", "2.5", "25.0", "root 0"],
        ["0174", "7.2", "3.1", "root 0 > 0171 3"],
    ]
    assert [row for row in rows if not in_order(texts, row)] == []
    assert in_order(texts, ["cell", "m", "%", "through"])


@pytest.mark.gl
@pytest.mark.parametrize(
    ("panel", "words"),
    [
        ("Cell", [str(ROOM), "0x0D000001", "0:0171", "0170##", "0171##", "0171:5", "outside seen",
                  "3 cells"]),
        ("Doors", [str(DOOR), "closed", "BSP", "0x010044B5", "SPHERE", "0170 0171", "ReportCollisions"]),
        ("Collision", ["0.000 0.000 1.000 -3.000", str(DOOR), "physics polygon 4", "slid", "sub-step seven",
                       "3.12 m/s"]),
        ("Membership", [str(ROOM), "0174", "portal 6"]),
        ("Timing", ["tick 7", "1.31 ms", "2.47 ms", "cells 23", "regions 41"]),
        ("View", ["radius", "objects", "portals", "no-objects"]),
        ("Timeline", ["no tick is kept", "one picture of a place"]),
    ],
)  # fmt: skip
def test_each_panel_says_what_the_report_does(says, panel, words):
    text = "\n".join(says(full_report())[panel])
    assert [word for word in words if word not in text] == []


@pytest.mark.gl
def test_before_the_first_tick_the_panels_say_so_in_words(says):
    begun = TimelineReport(first=-1, last=-1, shown=-1, bytes=1, most_bytes=2)
    said = says(replace(full_report(), tick=-1, timeline=begun))
    assert "the start, before the first tick" in said["Timeline"]
    assert [text for text in said["Timing"] if text.startswith("the start, ")]
    gone_on = replace(begun, last=60, branches=((-1, 30),))
    said = says(replace(full_report(), tick=-1, timeline=gone_on))
    assert "the start, 2.03 s before the last" in said["Timeline"]
    assert "branch at the start, 1.0 s##0" in said["Timeline"]
    assert [text for texts in said.values() for text in texts if "tick -1" in text] == []


@pytest.mark.gl
def test_between_two_ticks_the_panel_tells_the_bodys_cell_and_the_drawn_foots(says):
    shown = full_report()
    told = f"body {ROOM}, drawn in {HALL}"
    assert told not in says(shown)["Cell"]
    assert shown.view is not None
    assert told in says(replace(shown, view=replace(shown.view, drawn_cell=HALL)))["Cell"]


@pytest.mark.gl
def test_every_mode_is_in_the_view_panel_with_its_key(says):
    from viewer.tables.modes import MODES, key_name

    texts = says(full_report())["View"]
    assert [mode.name for mode in MODES if mode.name not in texts] == []
    keys = [quoted(key_name(mode.key)) for mode in MODES]
    assert [key for key in keys if key not in texts] == []


@pytest.mark.gl
def test_the_view_panel_names_the_modes_with_a_value_and_offers_to_switch_all_off(says):
    shown = replace(full_report(), modes=("portals", "solo=A9B40171", "first=2"))
    texts = says(shown)["View"]
    assert "all modes off" in texts
    assert "solo=A9B40171, first=2" in texts


@pytest.mark.gl
def test_a_column_of_the_membership_panel_is_there_where_something_stands_in_it(says):
    texts = says(full_report())["Membership"]
    assert in_order(texts, ["cell", "added by"]) and "" not in texts


@pytest.mark.gl
def test_the_sub_steps_that_moved_last_stay_with_a_verdict_that_stays(says):
    shown = full_report()
    sweep = shown.sweep
    assert sweep is not None
    verdict = BlockedReport(
        words="was held by a door", what="stopped", thing="a door", hit=None, normal=None, seconds=1.0,
        stale=0.0, pushing=False,
    )  # fmt: skip
    move = LastMoveReport(
        title="last moved in tick 41", tick=41, cell=ROOM, before=ROOM, candidates=(), steps=("sub-step 9",),
        lookup="", since=60, refused=0, sub_steps=(),
    )  # fmt: skip
    kept = replace(shown, sweep=replace(sweep, steps=(), blocked=verdict, last_move=move))
    texts = "\n".join(says(kept)["Collision"])
    assert "was held by a door" in texts and "tick 41" in texts and "sub-step 9" in texts


@pytest.mark.gl
def test_the_audit_says_how_much_it_has_looked_over_and_the_probe_that_it_is_not_drawn(says):
    shown = full_report()
    whole = AuditReport(share=1.0, done=2, blocks=2, cells=340)
    wrong = replace(whole, counts={"gap": 1}, findings=(Finding("gap", "0xA9B40100: open"),))
    stopped = replace(whole, share=0.4, done=1, blocks=9)
    for audit, words in (
        (whole, "nothing is wrong in 340 cells of 2 landblocks"),
        (wrong, "looked over 340 cells of 2 landblocks"),
        (stopped, "stopped after 1 of 9: 340 cells of 1 landblock"),
    ):
        assert words in says(replace(shown, asked=replace(shown.asked, audit=audit)))["Audit"]
    probe = ProbeShown(
        answer=SimpleNamespace(entity=DOOR),
        blocks=True,
        verdict="it blocks",
        tables=(),
        stoppers=(),
        brief={},
    )
    away = replace(shown.asked, probe=probe, probe_not_drawn="not drawn from here: it is 35 m off")
    texts = says(replace(shown, asked=away))["Probe"]
    assert away.probe_not_drawn in texts
    assert texts.index("let go") == texts.index("probe again") + 1 < texts.index("it blocks")


def test_a_door_that_looks_otherwise_than_it_is_has_the_colour_of_a_warning() -> None:
    (door, *_) = full_report().doors
    solid = replace(door, state=0x10008, disagrees=False)
    assert does_color(solid) == GREEN
    assert does_color(replace(solid, disagrees=True)) == does_color(replace(solid, state=0x1000C)) == AMBER


def test_a_key_that_is_a_sign_stands_in_quotes_behind_a_modes_name() -> None:
    assert [quoted(key) for key in ("=", "B", "5", "Ctrl+F5", "")] == ["'='", "B", "5", "Ctrl+F5", ""]


def test_marks_of_the_timeline_are_told_apart_by_their_colours() -> None:
    for one, other in combinations(LANES.items(), 2):
        assert math.dist(one[1], other[1]) > 60.0, (one, other)


@pytest.mark.gl
@pytest.mark.parametrize("panel", ["Why", "Collision"])
def test_what_stands_farther_in_does_so_in_all_of_its_lines(says, panel):
    """Blanks before a text move its first line alone, where a narrow panel needs more of them."""
    shown = full_report()
    gate = Gate(
        kind="portal", owner=ROOM, building=-1, index=0, to=HALL, verdict="clipped away", detail="behind",
        passed=False, before=(), outline=(), after=(), corners=(),
    )  # fmt: skip
    answer = WhyAnswer(
        cell=HALL, visible=False, root=ROOM, loaded=True, in_stab_list=True, reason="behind",
        chains=(Chain((gate,), arrives=False, adds=False),),
    )  # fmt: skip
    said = says(replace(shown, asked=replace(shown.asked, why=answer)))[panel]
    assert {"Why": "clipped away: behind", "Collision": "slid"}[panel] in "\n".join(said)
    assert [text for text in said if text.startswith(" ")] == []
