"""Panels around the picture in the real window: room for it, closing, keeping, putting back, pictures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image

from tests.viewer.window.driven.windows import LIMIT, Window, wait_until
from tests.viewer.window.driven.xvfb import Display, xvfb


@pytest.fixture
def display() -> Iterator[Display]:
    with xvfb("1300x800x24") as opened:
        yield opened


@contextmanager
def started(display: Display, folder: Path, *options: str, widget: str = "panel Timing") -> Iterator[Window]:
    folder.mkdir(exist_ok=True)
    with Window(display, folder, *options) as window:
        window.wait_open(widget)
        yield window


def taken_away(window: Window, how: str) -> tuple[int, list[str]]:
    """What becomes of the program whose window another one takes away: its exit code, what it says."""
    window.display.xdotool(how, window.display.xdotool("search", "--name", "Holtwalk").split()[0])
    return window.process.wait(timeout=LIMIT), window.said()


@pytest.mark.window
@pytest.mark.slow
@pytest.mark.parametrize("size", [(800, 600), (1280, 720)])
def test_panels_are_closed_by_the_menu_kept_and_put_back(
    display: Display, tmp_path: Path, size: tuple[int, int]
) -> None:
    wanted = ("--size", f"{size[0]}x{size[1]}")
    folder = tmp_path / "w"
    layout = folder / "config" / "holtwalk" / "layout.ini"
    with started(display, folder, *wanted) as window:
        picture = window.wait_for("room for it", lambda r: r["picture"][0] > 0)["picture"]
        assert 0.55 * size[0] <= picture[2] < 0.6 * size[0]
        display.press("Tab")
        window.click("menu Panels")
        window.wait_open("menu Timing")
        window.click("menu Timing")
        window.wait_for("in front of the others there", lambda report: "frame graph" in report["widgets"])
        window.click("menu Panels")
        window.wait_open("menu Timing")
        window.click("menu Timing")
        window.wait_for("closed", lambda report: "panel Timing" not in report["widgets"])
        assert window.close(escapes=1) == 0
        assert window.said() == []
        assert "Closed=1" in layout.read_text()
    window.reports.path.unlink()
    with started(display, folder, *wanted, widget="panel View") as window:
        assert "panel Timing" not in window.last["widgets"]
        display.press("ctrl+r")
        window.wait_open("panel Timing")
        assert window.close(escapes=2) == 0
        assert window.said() == []
        assert layout.read_text().count("\n") == 1 and "Closed" not in layout.read_text()


@pytest.mark.window
@pytest.mark.slow
def test_pictures_are_saved_with_and_without_the_panels_and_a_killed_window_is_one_line(
    display: Display, tmp_path: Path
) -> None:
    with started(display, tmp_path / "w", "--size", "800x600") as window:
        picture = window.wait_for("room for it", lambda r: r["picture"][0] > 0)["picture"]
        window.pause()  # the same picture twice
        display.press("F12")
        (alone,) = wait_until(lambda: sorted(window.pictures.glob("*.png")))
        display.press("ctrl+F12")
        both = wait_until(lambda: sorted(set(window.pictures.glob("*.png")) - {alone}))[0]
        with Image.open(alone) as inner, Image.open(both) as outer:
            assert outer.size == (800, 600)
            assert inner.size == tuple(picture[2:])
            left, top = picture[:2]
            upper = (0, 0, picture[2], picture[3] // 3)  # hints and cross-hair lie lower
            found = outer.crop((left, top, left + upper[2], top + upper[3]))
            assert found.convert("RGB").tobytes() == inner.crop(upper).convert("RGB").tobytes()
            colours = outer.crop((0, 30, left, 600)).convert("RGB").getcolors(1 << 20)
            assert colours is not None and len(colours) > 30  # panels with words in them
        assert taken_away(window, "windowkill") == (
            2,
            ["holtwalk: the window is gone: the X server ended the connection"],
        )


@pytest.mark.window
@pytest.mark.slow
def test_f11_fills_the_screen_and_gives_the_window_back_and_one_that_is_destroyed_ends_the_walk(
    display: Display, tmp_path: Path
) -> None:
    with started(display, tmp_path / "w", "--size", "800x600") as window:
        small = window.wait_for("room for it", lambda r: r["picture"][0] > 0)["picture"]
        display.press("F11")
        window.wait_for(  # panels take their share of its height, too
            "the whole screen",
            lambda r: r["picture"][2] > small[2] + 200 and r["picture"][3] > small[3] + 100,
        )
        display.focus("Holtwalk")  # as a window manager would
        display.press("F11")
        window.wait_for("a window again", lambda r: r["picture"] == small)
        assert taken_away(window, "windowclose") == (
            0,
            ["holtwalk: the window is gone: another program destroyed it"],
        )
