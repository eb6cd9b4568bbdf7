"""Where Inspect is scrolled to: to a record that is opened, and to a new answer's first line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.viewer.answers import picked
from tests.viewer.overlay.panels import Panels, report
from viewer.renderer.gl.pixel_watch import Painted
from viewer.report.asked import FollowedReport
from viewer.report.picture_report import PictureReport

pytestmark = pytest.mark.gl

PAINTED = tuple(
    Painted(number=k, pass_name="P8", what=f"cell {k}", color=(k, k, k), depth=0.5, stencil=0, colored=True)
    for k in range(40)
)
SURFACE = FollowedReport(0x08000112, tuple(f"field {k}: {k}" for k in range(60)))


def answered(number: int = 1, followed: FollowedReport | None = None, clicks: int = 0) -> PictureReport:
    """The answer about a door, longer than the panel has room for, and what was followed from it."""
    shown = report()
    asked = replace(
        shown.asked,
        pick=picked().with_history(PAINTED),
        pick_number=number,
        followed=followed,
        followed_number=clicks,
    )
    return replace(shown, asked=asked)


def seen(panels: Panels, shown: PictureReport) -> set[str]:
    """The widgets that are in sight in Inspect after some frames."""
    panels.frames(shown)
    panels.places.clear()
    panels.frame(shown)
    return {name for name in panels.places if name.startswith(("inspect ", "follow "))}


def in_front(panels: Panels, shown: PictureReport) -> None:
    panels.size = (1280, 720)
    panels.frames(shown)
    panels.layout.show("Inspect")


def wheel(panels: Panels, shown: PictureReport, notches: float) -> None:
    left, top, width, height = panels.windows()["Inspect"]
    panels.host.mouse_move(left + width / 2, top + height / 2)
    panels.frame(shown)
    panels.host.wheel(0.0, notches)
    panels.frames(shown)


def test_a_record_that_is_opened_is_scrolled_to_once_and_by_every_click_anew(panels: Panels) -> None:
    in_front(panels, answered())
    assert "inspect headline" in seen(panels, answered())
    opened = answered(followed=SURFACE, clicks=1)
    assert "follow close" in seen(panels, opened)
    wheel(panels, opened, 50.0)
    assert "follow close" not in seen(panels, opened)  # who scrolls back is left there
    assert "follow close" in seen(panels, answered(followed=SURFACE, clicks=2))


def test_a_new_answer_is_read_from_its_first_line(panels: Panels) -> None:
    opened = answered(followed=SURFACE, clicks=1)
    in_front(panels, opened)
    assert "inspect headline" not in seen(panels, opened)
    assert "inspect headline" in seen(panels, answered(number=2))
    wheel(panels, answered(number=2), -50.0)
    assert "inspect headline" not in seen(panels, answered(number=2))
    assert "inspect headline" in seen(panels, answered(number=3))


def test_an_id_in_a_followed_records_fields_is_followed_and_no_other_number(panels: Panels) -> None:
    lines = ("parts: [0x01000A38, 0x01000A39]", "color: 0xFF102030")
    record = FollowedReport(0x02000001, lines, (0x01000A38, 0x01000A39))
    opened = answered(followed=record, clicks=1)
    in_front(panels, opened)
    there = seen(panels, opened)
    assert {"follow 0x01000A38", "follow 0x01000A39"} <= there and "follow 0xFF102030" not in there
    panels.host.mouse_move(*panels.places["follow 0x01000A39"])
    panels.frame(opened)
    for down in (True, False):
        panels.host.mouse_button(1, down=down)
        panels.frames(opened)
    assert ("follow", 0x01000A39) in panels.actions.calls
