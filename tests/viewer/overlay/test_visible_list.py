"""The visible list: sorted, filtered, cells lit up and selected, in the panel and in the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from imgui_bundle import imgui

from tests.viewer.demo_places import standing
from tests.viewer.overlay.panels import Panels
from tests.viewer.reports import full_report
from viewer.overlay.panels.visible_list import MOST, changed_cells, in_brief, key_of, shown_rows
from viewer.report.picture_report import CellId, ListReport, PictureReport
from viewer.window.walking.list_changes import KEPT, ListChanges
from viewer.window.walking.walk import Walk

ROOM, HALL, STAIR = 0xA9B40170, 0xA9B40171, 0xA9B40174
MAIN_ROOM = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"


def cells(report: PictureReport, wanted: str) -> list[int]:
    assert report.view is not None
    return [int(row.cell) for row, _ in shown_rows(report.view, wanted)]


def test_a_filter_keeps_the_rows_in_which_all_of_its_words_stand() -> None:
    shown = full_report()
    assert cells(shown, "") == [ROOM, HALL, STAIR]
    assert cells(shown, "0x0174") == cells(shown, "0174") == [STAIR]
    assert cells(shown, "0171 > 7.19") == [STAIR]
    assert cells(shown, "ROOT 25.0") == [HALL]
    assert cells(shown, "banana") == []


def test_columns_sort_by_their_values_and_not_by_their_texts() -> None:
    view = full_report().view
    assert view is not None
    rows = [
        replace(row, distance=distance) for row, distance in zip(view.cells, (9.5, 10.0, 100.0), strict=True)
    ]
    view = replace(view, cells=tuple(reversed(rows)))
    shown = sorted(shown_rows(view, ""), key=key_of(2))
    assert [row.distance for row, _ in shown] == [9.5, 10.0, 100.0]
    assert [row.cell for row, _ in sorted(shown, key=key_of(3))] == [STAIR, HALL, ROOM]


@pytest.mark.gl
@pytest.mark.parametrize(
    ("size", "scale", "order"),
    [
        ((1280, 720), 1.0, ["#", "cell", "m", "area", "through"]),
        ((800, 600), 1.0, ["cell", "m", "area", "through"]),
        ((1280, 720), 1.5, ["cell", "m", "area", "through"]),
        ((800, 600), 1.5, ["cell", "m", "area", "through"]),
        ((640, 480), 1.0, ["#", "cell", "through"]),
    ],
)
def test_what_a_row_is_seen_through_is_in_sight_at_every_size_with_the_numbers_that_have_room(
    panels: Panels, size: tuple[int, int], scale: float, order: list[str]
) -> None:
    shown = full_report()
    panels.size = size
    panels.host.rescale(scale)
    panels.frames(shown)
    panels.layout.show("Visible")
    panels.frames(shown)
    panels.places.clear()
    panels.frame(shown)
    assert [name for name in panels.places if name.startswith("visible by ")] == [
        f"visible by {title}" for title in order
    ]
    tables = [w for w in imgui.get_current_context().windows if w.name.startswith("Visible/visible")]
    (edge,) = [float(table.inner_rect.max.x) for table in tables if table.active]
    before = panels.places[f"visible by {order[-2]}"][0]
    assert before + imgui.calc_text_size("area  root 0").x < edge


def test_numbers_in_brief_have_three_digits_and_no_unit() -> None:
    view = full_report().view
    assert view is not None
    row = replace(view.cells[0], distance=123.456, area=1.0)
    assert in_brief(row, ("0", "0170", "123.46", "100.0 %", "root")) == ("0", "0170", "123", "100", "root")
    row = replace(row, distance=99.94, area=0.0004)
    assert in_brief(row, ("0", "0170", "99.94", "0.0 %", "root"))[2:4] == ("99.9", "0.0")


@pytest.mark.gl
def test_a_third_click_on_a_title_in_brief_gives_back_the_order_of_drawing(panels: Panels) -> None:
    shown = full_report()
    panels.size = (800, 600)
    panels.frames(shown)

    def rows() -> list[int]:
        cells = (ROOM, HALL, STAIR)
        return sorted(cells, key=lambda cell: panels.places[f"visible {CellId(cell)}"][1])

    assert rows() == [ROOM, HALL, STAIR]
    orders = []
    for _ in range(3):
        panels.click("visible by area", shown)
        orders.append(rows())
    assert orders == [[STAIR, HALL, ROOM], [ROOM, HALL, STAIR], [ROOM, HALL, STAIR]]


@pytest.mark.gl
def test_a_row_lights_its_cell_up_and_a_click_selects_it(panels: Panels) -> None:
    shown = full_report()
    panels.frames(shown)
    panels.host.mouse_move(*panels.places[f"visible {CellId(HALL)}"])
    panels.frames(shown)
    assert set(panels.actions.calls) == {("light", HALL, True)}
    panels.actions.calls.clear()
    panels.click(f"visible {CellId(HALL)}", shown)
    assert ("select", HALL, True) in panels.actions.calls


@pytest.mark.gl
def test_a_click_on_a_columns_title_sorts_the_table(panels: Panels) -> None:
    shown = full_report()
    panels.size = (1280, 720)
    panels.frames(shown)
    order = [panels.places[f"visible {CellId(cell)}"][1] for cell in (ROOM, HALL, STAIR)]
    assert order == sorted(order)
    for _ in range(2):  # by distance up, then down
        panels.click("visible by m", shown)
    order = [panels.places[f"visible {CellId(cell)}"][1] for cell in (ROOM, HALL, STAIR)]
    assert order == sorted(order, reverse=True)


def test_the_first_list_brings_nothing_and_a_cell_that_stays_is_not_told() -> None:
    changes = ListChanges()
    changes.look([ROOM, HALL])
    assert (changes.came, changes.went) == ((), ())
    changes.look([HALL, STAIR])
    assert (changes.came, changes.went) == ((STAIR,), (ROOM,))


def test_a_change_is_told_long_enough_to_be_read_and_then_no_more() -> None:
    changes = ListChanges()
    changes.look([ROOM])
    changes.look([ROOM, HALL])
    changes.let_pass(KEPT / 2)
    changes.look([ROOM, HALL, STAIR])
    assert changes.came == (HALL, STAIR)
    changes.let_pass(KEPT / 2)
    changes.look([ROOM, HALL, STAIR])
    assert changes.came == (STAIR,)
    changes.let_pass(KEPT / 2)
    assert changes.came == ()


def test_a_cell_that_comes_and_goes_is_told_by_the_last_of_it() -> None:
    changes = ListChanges()
    for cells in ([ROOM], [ROOM, HALL], [ROOM]):
        changes.look(cells)
    assert (changes.came, changes.went) == ((), (HALL,))
    changes.look([ROOM, HALL])
    assert (changes.came, changes.went) == ((HALL,), ())


def test_the_line_of_changes_is_there_without_any_and_names_no_more_than_fit() -> None:
    assert changed_cells("+", ()) == "+ none"
    assert changed_cells("+", (CellId(HALL), CellId(STAIR))) == "+ 0171 0174"
    assert changed_cells("−", tuple(CellId(HALL + n) for n in range(MOST))).count("0") >= MOST
    many = changed_cells("−", tuple(CellId(HALL + n) for n in range(MOST + 4)))
    assert many == "− 0171 0172 0173 0174 0175 and 5 more"


def test_the_list_tells_what_came_and_went_for_a_while_also_in_flight() -> None:
    walk = Walk(standing(MAIN_ROOM))
    first = walk.look_out((320, 180), 0.0)
    assert walk.listing == ListReport()
    walk.turn(180.0, 0.0)
    walk.camera.settle()
    second = walk.look_out((320, 180), 0.0)
    before, now = ({row.cell for row in picture.cells} for picture in (first, second))
    assert before != now
    assert (set(walk.listing.came), set(walk.listing.went)) == (now - before, before - now)
    walk.look_out((320, 180), KEPT / 2)
    assert set(walk.listing.came) == now - before
    assert walk.report().listing.went == walk.listing.went
    walk.toggle_flight()
    walk.look_out((320, 180), KEPT)
    assert (walk.listing.came, walk.listing.went) == ((), ())


@pytest.mark.gl
def test_what_came_is_marked_in_its_row_and_the_rows_keep_their_places(panels: Panels) -> None:
    shown = full_report()
    panels.frames(shown)
    place = panels.places[f"visible {CellId(HALL)}"]
    panels.frames(replace(shown, listing=replace(shown.listing, came=(CellId(HALL),), went=(CellId(STAIR),))))
    assert panels.places[f"visible {CellId(HALL)}"] == place


@pytest.mark.gl
def test_the_selected_cell_and_the_one_that_is_lit_up_are_outlined_in_the_picture() -> None:
    from viewer.renderer.gl.context import create_headless
    from viewer.renderer.renderer import Renderer
    from viewer.window.walking.scene_drawer import SceneDrawer

    walk = Walk(standing(MAIN_ROOM))
    ctx = create_headless()
    drawer = SceneDrawer(Renderer(ctx, walk.simulation.world, 320, 180), walk)
    target = ctx.simple_framebuffer((320, 180), components=3)

    def picture() -> np.ndarray:
        drawer.draw(walk.look_out((320, 180), 0.0), target, (320, 180))
        return np.frombuffer(target.read(components=3), np.uint8).astype(int)

    plain = picture()
    walk.select(ROOM)
    selected = picture()
    assert (plain != selected).sum() > 100
    walk.select(ROOM)
    assert (picture() == plain).all()
    walk.light_up(ROOM)
    assert (picture() != plain).sum() > 100
    assert (picture() != selected).any()
    ctx.release()
