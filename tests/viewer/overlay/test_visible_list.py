"""The visible list: sorted, filtered, cells lit up and selected, in the panel and in the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.viewer.demo_places import standing
from tests.viewer.overlay.panels import Panels
from tests.viewer.reports import full_report
from viewer.overlay.panels.visible_list import key_of, shown_rows
from viewer.report.picture_report import CellId, ListReport, PictureReport
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
    left, top = panels.places[f"visible {CellId(ROOM)}"][0], order[0] - 18
    x = panels.windows()["Visible"][0] + 84
    for _ in range(2):  # by distance up, then down
        panels.host.mouse_move(x, top)
        panels.frames(shown)
        for down in (True, False):
            panels.host.mouse_button(1, down=down)
            panels.frames(shown)
    assert left > 0
    order = [panels.places[f"visible {CellId(cell)}"][1] for cell in (ROOM, HALL, STAIR)]
    assert order == sorted(order, reverse=True)


def test_the_list_tells_what_came_and_went_with_the_last_change() -> None:
    walk = Walk(standing(MAIN_ROOM))
    first = walk.look_out((320, 180), 0.0)
    assert walk.listing == ListReport()
    walk.turn(180.0, 0.0)
    walk.camera.settle()
    second = walk.look_out((320, 180), 0.0)
    before, now = ({row.cell for row in frame.cells} for frame in (first, second))
    assert before != now
    assert (set(walk.listing.came), set(walk.listing.went)) == (now - before, before - now)
    walk.look_out((320, 180), 0.0)
    assert set(walk.listing.came) == now - before  # until the next change
    assert walk.report().listing.went == walk.listing.went


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
