"""Place and size of the window are kept; a damaged file is one line, a place off the screen is pulled in."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from engine.files.format_version import WINDOW, stamp_line
from tests.viewer.window.driven.windows import QUICK, Report, Window
from tests.viewer.window.driven.xvfb import xvfb
from viewer.window.user_files.window_place import PlaceFile, WindowPlace

WHOLE = "left = 30\ntop = 40\nwidth = 700\nheight = 500\n"
PLACE = WindowPlace(30, 40, 700, 500)


def test_it_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "window.toml"
    file = PlaceFile(path)
    assert (file.saved, file.complaint) == (None, "")
    assert file.keep(PLACE) == ""
    assert path.read_text() == f"{stamp_line(WINDOW)}\n{WHOLE}"
    assert PlaceFile(path).saved == PLACE
    assert PlaceFile(None).keep(PLACE) == ""
    path.unlink()
    path.mkdir()
    assert "not written" in file.keep(WindowPlace(31, 40, 700, 500))


def test_a_size_that_no_window_can_have_is_not_kept(tmp_path: Path) -> None:
    file = PlaceFile(tmp_path / "window.toml")
    assert file.keep(WindowPlace(0, 0, 1, 1)) == ""
    assert not (tmp_path / "window.toml").exists()


def test_a_size_that_a_small_screen_left_over_is_not_kept(tmp_path: Path) -> None:
    """Once opened on a screen of 64x64, it was of 64x64 on every other."""
    file = PlaceFile(tmp_path / "window.toml")
    file.opened((700, 500), given=(64, 64))
    assert file.keep(WindowPlace(30, 40, 64, 64)) == ""
    assert PlaceFile(tmp_path / "window.toml").saved == PLACE
    assert file.keep(WindowPlace(30, 40, 64, 65)) == ""  # which somebody chose
    assert PlaceFile(tmp_path / "window.toml").saved == WindowPlace(30, 40, 64, 65)


@pytest.mark.parametrize(
    "text",
    ["", "left = 1", WHOLE + "=", WHOLE.replace("700", "7"), WHOLE.replace("30", "99999"),
     WHOLE.replace("40", "true"), WHOLE.replace("500", "5e2"), "a = " + 9000 * "["],
)  # fmt: skip
def test_a_damaged_file_is_one_line_and_stays(tmp_path: Path, text: str) -> None:
    path = tmp_path / "window.toml"
    path.write_text(text)
    file = PlaceFile(path)
    assert file.saved is None
    assert file.complaint.startswith(str(path)) and file.complaint.isprintable()
    assert file.keep(PLACE) == ""
    assert path.read_text() == text


def test_a_pipe_in_its_place_is_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "window.toml")
    assert PlaceFile(tmp_path / "window.toml").complaint.startswith(str(tmp_path))


def test_a_place_off_the_screen_is_pulled_onto_it() -> None:
    screen, second = WindowPlace(0, 0, 1280, 800), WindowPlace(1280, 20, 800, 600)
    assert PLACE.on_screen(screen) == PLACE
    assert WindowPlace(5000, -90, 700, 500).on_screen(screen) == WindowPlace(580, 0, 700, 500)
    assert PLACE.on_screen(WindowPlace(0, 0, 640, 480)) == WindowPlace(0, 0, 640, 480)
    assert WindowPlace(1200, 0, 700, 500).on_screen(second) == WindowPlace(1280, 20, 700, 500)


def test_a_kept_window_is_on_the_screen_that_has_most_of_it_and_beside_the_desktops_bars() -> None:
    screen, second = WindowPlace(0, 0, 1280, 800), WindowPlace(1280, 0, 800, 600)
    assert max((screen, second), key=WindowPlace(1200, 0, 700, 500).shared_with) == second
    assert PLACE.shared_with(WindowPlace(730, 0, 10, 10)) == 0
    bars = WindowPlace(0, 30, 2080, 740)
    assert screen.within(bars) == WindowPlace(0, 30, 1280, 740)
    assert second.within(bars) == WindowPlace(1280, 30, 800, 570)
    assert second.within(WindowPlace(0, 0, 1280, 800)) == second


@pytest.mark.window
@pytest.mark.slow
def test_the_window_opens_where_it_was_left(tmp_path: Path) -> None:
    with xvfb("1300x800x24") as display, Window(display, tmp_path, "--size", "640x480") as window:
        window.wait_open("panel View")
        number = display.xdotool("search", "--name", "Holtwalk").split()[0]
        display.xdotool("windowsize", number, "720", "530")
        display.xdotool("windowmove", number, "111", "77")
        display.press("F2")  # without panels the picture fills the window
        window.wait_for("the size", lambda r: r["picture"] == [0, 0, 720, 530])
        window.wait_frames(1)
        assert window.close(escapes=2) == 0
        kept = PlaceFile(tmp_path / "config" / "holtwalk" / "window.toml").saved
        assert kept == WindowPlace(111, 77, 720, 530)


def is_filled(size: list[int], report: Report) -> bool:
    return bool(report["picture"] == [0, 0, *size])


@pytest.mark.window
@pytest.mark.slow
def test_a_window_that_a_small_screen_made_smaller_is_as_before_on_the_next(tmp_path: Path) -> None:
    for screen, shown in (("500x400x24", [500, 400]), ("1300x800x24", [1280, 720])):
        (tmp_path / "reports.jsonl").unlink(missing_ok=True)
        words = ("walk", "--demo", *QUICK)
        with xvfb(screen) as display, Window(display, tmp_path, words=words) as window:
            window.wait_open("panel View")
            display.press("F2")
            window.wait_for("the size", partial(is_filled, shown))
            window.wait_frames(1)
            assert window.close(escapes=2) == 0
