"""Whatever the window's size and the text's: what a panel, a box or a line says can be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from imgui_bundle import imgui

from engine.replay.audit.finding import Finding
from tests.viewer.overlay.panels import Panels
from tests.viewer.reports import full_report
from viewer.overlay.boxes import draw_lines
from viewer.overlay.card import FirstCard
from viewer.overlay.dock.dock_nodes import LEAST_COLUMN
from viewer.overlay.menu import draw_menu
from viewer.overlay.panel_kit import DOTS, shortened
from viewer.overlay.panel_table import PANELS
from viewer.overlay.rect import Rect
from viewer.overlay.text_table import table
from viewer.report.asked import AskedReport, AuditReport
from viewer.report.log_lines import LogLine, LogReport
from viewer.report.picture_report import CellId, PictureReport, VisibleRow
from viewer.tables.keys import ACTIONS, default_keys, first_steps
from viewer.tables.settings import SETTINGS

pytestmark = pytest.mark.gl
SIZES = [((800, 600), 1.0), ((800, 600), 2.0), ((1280, 720), 1.0), ((1280, 720), 2.0)]
FINDING = Finding("overlapping-cells", "0xA9B40101 and 0xA9B40103 both hold a point, 0.040 m deep")


def asked_for() -> PictureReport:
    """A report with settings and a finding."""
    audit = AuditReport(share=1.0, counts={FINDING.kind: 1}, findings=(FINDING,), done=4, blocks=4)
    settings = {setting.name: setting.default for setting in SETTINGS}
    return replace(full_report(), asked=AskedReport(audit=audit), settings=settings)


def resized(panels: Panels, size: tuple[int, int], scale: float, shown: PictureReport) -> None:
    panels.size = size
    panels.host.rescale(scale)
    for _ in range(2):
        panels.frames(shown)
    panels.places.clear()


def window(name: str) -> Any:
    found = imgui.internal.find_window_by_name(name)
    assert found is not None, name
    return found


def lies_within(found: Any, size: tuple[int, int]) -> bool:
    right, low = found.pos.x + found.size.x, found.pos.y + found.size.y
    return bool(found.pos.x >= 0 and found.pos.y >= 0 and right <= size[0] and low <= size[1])


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_what_a_panel_says_stands_in_its_width(panels: Panels, size: tuple[int, int], scale: float) -> None:
    """Only tables may be pushed sideways: they have a bar of their own."""
    shown = asked_for()
    resized(panels, size, scale, shown)
    pushed = []
    for panel in PANELS:
        panels.layout.show(panel.title)
        for _ in range(3):
            panels.frame(shown)
        if window(panel.title).scroll_max.x > 0.0:
            pushed.append(panel.title)
    assert pushed == []


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_a_finding_is_scrolled_to_where_the_panel_is_low(
    panels: Panels, size: tuple[int, int], scale: float
) -> None:
    shown = asked_for()
    resized(panels, size, scale, shown)
    panels.layout.show("Audit")
    panels.frames(shown)
    left, top, width, height = panels.windows()["Audit"]
    panels.host.mouse_move(left + 0.1 * width, top + 0.9 * height)
    for _ in range(30):
        panels.host.wheel(0.0, -1.0)
        panels.frame(shown)
    assert "finding 0" in panels.places
    lists = [w for w in imgui.get_current_context().windows if w.name.startswith("Audit/findings")]
    assert lists[0].size.y > 4.0 * imgui.get_font_size()


def test_all_settings_are_seen_at_once_in_the_first_window(panels: Panels) -> None:
    shown = asked_for()
    resized(panels, (1280, 720), 1.0, shown)
    panels.layout.show("Settings")
    panels.frames(shown)
    assert window("Settings").scroll_max.y == 0.0


def test_columns_too_narrow_to_be_read_become_one_and_the_tab_in_front_stays(panels: Panels) -> None:
    shown = asked_for()
    resized(panels, (800, 600), 1.0, shown)
    panels.layout.show("Settings")
    panels.frames(shown)
    for scale, is_narrow in ((2.0, True), (1.0, False)):
        resized(panels, (800, 600), scale, shown)
        panels.frames(shown)
        assert (panels.picture[0] == 0) is is_narrow
        assert panels.picture[2] >= 0.55 * 800
        assert min(width for _, _, width, _ in panels.windows().values()) >= scale * LEAST_COLUMN
        assert "setting fov" in panels.places and "timeline bar" not in panels.places
        assert "mode portals" in panels.places  # what stood at the right is in front of both
    assert panels.layout.text(panels.host.layout()) == ""


def test_columns_that_the_user_has_moved_stay_where_they_are(panels: Panels) -> None:
    shown = full_report()
    resized(panels, (1280, 720), 1.0, shown)
    edge = panels.picture[0] - 1.0
    panels.drag((edge, 200.0), (edge + 60.0, 200.0), shown)
    resized(panels, (1280, 720), 4.0, shown)
    assert panels.picture[0] > 300


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_a_tooltip_is_never_wider_than_the_window(
    panels: Panels, size: tuple[int, int], scale: float
) -> None:
    shown = full_report()
    resized(panels, size, scale, shown)
    panels.layout.show("View")
    panels.frames(shown)
    panels.host.mouse_move(*panels.places["mode portals"])
    for _ in range(40):
        panels.frame(shown)
    tip = window("##Tooltip_00")
    assert tip.active
    assert lies_within(tip, size)
    assert tip.size.y > 3.0 * imgui.get_font_size()  # of one long line it would be two


def test_a_chain_that_comes_later_stands_whole_in_the_visible_list(panels: Panels) -> None:
    shown = full_report()
    resized(panels, (1280, 720), 1.0, shown)
    panels.frames(shown)

    def width() -> float:
        lists = [w for w in imgui.get_current_context().windows if w.name.startswith("Visible/visible")]
        return max(float(w.content_size.x) for w in lists)

    before = width()
    view = shown.view
    assert view is not None
    cell = CellId(0xA9B40174)
    far = VisibleRow(order=3, cell=cell, distance=9.0, area=0.0, regions=1, via=((cell, 3),) * 6)
    panels.frames(replace(shown, view=replace(view, cells=(*view.cells, far))))
    assert width() > before + imgui.calc_text_size("0174 3 > " * 4).x


def draw(panels: Panels, content: Callable[[], object]) -> None:
    panels.target.use()
    panels.host.draw(panels.size, 1 / 60, content)


def test_a_line_over_the_picture_is_as_large_as_its_text_in_its_first_frame(panels: Panels) -> None:
    picture = Rect(100, 20, 500, 400)
    for text in ("short", "a line that is far too long for the picture: " * 6, "short"):
        draw(panels, lambda text=text: draw_lines(picture, "", text))  # type: ignore[misc]
        found = window("##hint")
        padding = imgui.get_style().window_padding
        words = imgui.calc_text_size(text, wrap_width=500 - 12 - 2 * padding.x)
        assert found.size.x == pytest.approx(words.x + 2 * padding.x, abs=1.0)
        assert found.size.y == pytest.approx(words.y + 2 * padding.y, abs=1.0)
        assert found.pos.x >= 100 and found.pos.x + found.size.x <= 600


@pytest.mark.parametrize(("size", "scale"), [*SIZES, ((320, 200), 2.0)])
def test_the_card_lies_within_the_window(panels: Panels, size: tuple[int, int], scale: float) -> None:
    panels.size = size
    panels.host.rescale(scale)
    card = FirstCard(first_steps(default_keys()), lambda: ["This is the demo world. " * 3])
    card.open()
    picture = Rect(0, 20, round(0.56 * size[0]), round(0.7 * size[1]))
    for _ in range(4):
        draw(panels, lambda: card.draw(picture, size, lambda _: None))
    assert lies_within(window("First steps"), size)


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_the_entries_of_a_menu_lie_within_the_window(
    panels: Panels, size: tuple[int, int], scale: float
) -> None:
    panels.size = size
    panels.host.rescale(scale)
    places: dict[str, tuple[float, float]] = {}

    def menu() -> None:
        places.update(draw_menu(panels.layout, PANELS, default_keys(), run=lambda _: None, words=("far",)))

    draw(panels, menu)
    panels.host.mouse_move(*places["menu Look"])
    draw(panels, menu)
    for down in (True, False):
        panels.host.mouse_button(1, down=down)
        draw(panels, menu)
    for _ in range(3):
        draw(panels, menu)
    found = window("###Menu_00")
    assert found.active
    assert lies_within(found, size)
    assert found.content_size.x <= found.size.x


def test_a_text_is_shortened_to_the_room_that_there_is(panels: Panels) -> None:
    draw(panels, lambda: None)
    text = max((action.help for action in ACTIONS), key=len)
    whole = imgui.calc_text_size(text).x
    assert shortened(text, whole) == text
    cut = shortened(text, 0.5 * whole)
    assert cut.endswith(DOTS) and text.startswith(cut.removesuffix(DOTS))
    assert 0.4 * whole < imgui.calc_text_size(cut).x <= 0.5 * whole


def test_a_long_finding_stands_whole_in_a_narrow_panel(panels: Panels) -> None:
    text = "0xA9B40101 portal 2: [131.495 35.550 95.250] is 0xA9B40101, a look-up finds 0xA9B40103 there"
    long, short = Finding("look-up-flips", text), Finding("look-up-flips", "0xA9B40101")
    audit = AuditReport(share=1.0, counts={long.kind: 2}, findings=(long, short), done=4, blocks=4)
    shown = replace(full_report(), asked=AskedReport(audit=audit))
    resized(panels, (800, 600), 1.0, shown)
    panels.layout.show("Audit")
    panels.frames(shown)
    (rows,) = [w for w in imgui.get_current_context().windows if w.name.startswith("Audit/findings")]
    assert imgui.calc_text_size(text).x > rows.size.x
    assert rows.content_size.x <= rows.size.x
    apart = panels.places["finding 1"][1] - panels.places["finding 0"][1]
    assert apart >= 2.0 * imgui.get_font_size()


def test_the_log_of_a_low_panel_is_scrolled_with_one_bar(panels: Panels) -> None:
    lines = tuple(LogLine(float(k), f"line {k}", is_error=False) for k in range(40))
    shown = replace(full_report(), asked=AskedReport(log=LogReport(lines)))
    resized(panels, (800, 600), 1.0, shown)
    panels.layout.show("Log")
    panels.frames(shown)
    (rows,) = [w for w in imgui.get_current_context().windows if w.name.startswith("Log/lines")]
    assert rows.scrollbar_y and not window("Log").scrollbar_y


@pytest.mark.parametrize("size", [(800, 600), (1280, 720)])
def test_findings_are_scrolled_with_one_bar(panels: Panels, size: tuple[int, int]) -> None:
    some = tuple(Finding("look-up-flips", f"0xA9B40101 portal {k}: " + "far " * 20) for k in range(60))
    audit = AuditReport(share=1.0, counts={some[0].kind: 60}, findings=some, done=4, blocks=4)
    shown = replace(full_report(), asked=AskedReport(audit=audit))
    resized(panels, size, 1.0, shown)
    panels.layout.show("Audit")
    panels.frames(shown)
    (rows,) = [w for w in imgui.get_current_context().windows if w.name.startswith("Audit/findings")]
    assert bool(rows.scrollbar_y) != bool(window("Audit").scrollbar_y)
    left, top, width, height = panels.windows()["Audit"]
    panels.host.mouse_move(left + 0.1 * width, top + 0.9 * height)
    for _ in range(60):
        panels.host.wheel(0.0, -4.0)
        panels.frame(shown)
    panels.places.clear()
    panels.frame(shown)
    assert "finding 59" in panels.places and "finding 20" not in panels.places


@pytest.mark.parametrize(("size", "scale"), [((800, 600), 1.5), ((800, 600), 2.0), ((1280, 720), 2.0)])
def test_the_bar_of_ticks_and_the_first_finding_are_seen_without_scrolling_however_large_the_text(
    panels: Panels, size: tuple[int, int], scale: float
) -> None:
    shown = asked_for()
    resized(panels, size, scale, shown)
    for panel, name in (("Audit", "finding 0"), ("Timeline", "timeline bar")):
        panels.layout.show(panel)
        panels.frames(shown)
        assert panels.places[name][1] < size[1], panel


@pytest.mark.parametrize(("size", "scale"), [((800, 600), 1.0), ((1280, 720), 1.0), ((1280, 720), 1.3)])
def test_a_panel_has_a_bar_to_push_it_sideways_only_where_that_does_something(
    panels: Panels, size: tuple[int, int], scale: float
) -> None:
    shown = full_report()
    assert shown.sweep is not None
    resized(panels, size, scale, shown)
    panels.layout.show("Collision")
    panels.frames(shown)
    heights = set()
    for count in (0, 40, 0, 40):
        steps = tuple(f"step {k} " + "of words that take more lines than one " * 3 for k in range(count))
        told = replace(shown, sweep=replace(shown.sweep, steps=steps))
        for _ in range(4):
            panels.frame(told)
            found = window("Collision")
            heights.add(bool(found.scrollbar_y))
            assert not found.scrollbar_x
    assert heights == {False, True}


@pytest.mark.parametrize("wide", [90, 130, 170, 210, 260, 330])
def test_no_word_of_a_table_is_broken_however_narrow_its_panel_is_and_was(
    panels: Panels, monkeypatch: pytest.MonkeyPatch, wide: int
) -> None:
    titles = ("cell", "added by", "centre", "answers", "result")
    rows = [("0031", "outdoor box of 0031", "holds it", "accepted all", "picked, a prune would drop it")]
    broken: list[str] = []
    write = imgui.text

    def look(text: str) -> None:
        room = imgui.get_content_region_avail().x
        broken.extend(word for word in text.split() if imgui.calc_text_size(word).x > room + 0.5)
        write(text)

    def draw(width: float) -> None:
        imgui.set_next_window_size(imgui.ImVec2(width, 300.0))
        imgui.begin("narrow")
        table("candidates", titles, rows, ("result",))
        imgui.end()

    for width in (40.0, 400.0, float(wide)):  # ImGui keeps what a table had first
        for _ in range(3):
            panels.host.draw((1000, 760), 1 / 60, lambda width=width: draw(width))  # type: ignore[misc]
    monkeypatch.setattr(imgui, "text", look)
    panels.host.draw((1000, 760), 1 / 60, lambda: draw(float(wide)))
    assert broken == []


def test_a_tables_columns_follow_the_size_of_its_texts(
    panels: Panels, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide: list[float] = []
    write = imgui.text

    def look(text: str) -> None:
        wide.append(imgui.get_content_region_avail().x)
        write(text)

    def draw() -> None:
        imgui.set_next_window_size(imgui.ImVec2(900.0, 300.0))
        imgui.begin("wide")
        table("candidates", ("added by",), [("outdoor box of 0031",)])
        imgui.end()

    monkeypatch.setattr(imgui, "text", look)
    for scale in (1.0, 2.0, 1.0):
        panels.host.rescale(scale)
        for _ in range(3):
            panels.host.draw((1000, 760), 1 / 60, draw)
    assert wide[5] > 1.8 * wide[2]
    assert wide[8] == wide[2]
