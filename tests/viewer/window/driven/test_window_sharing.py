"""What the real window hands on and takes: places by the clipboard, and pictures as render draws them."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.viewer.window.driven.windows import OUTDOORS, Window, north, wait_until
from viewer.main import main

if TYPE_CHECKING:
    from viewer.window.sharing.x11_clipboard import X11Clipboard


@contextmanager
def serving(clipboard: X11Clipboard) -> Iterator[None]:
    """Answer whoever pastes from a clipboard, for as long as it takes."""
    done = threading.Event()

    def serve() -> None:
        while not done.wait(0.01):
            clipboard.serve()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@pytest.mark.window
@pytest.mark.slow
def test_a_place_is_copied_printed_and_pasted_into_the_teleport_box(window: Window) -> None:
    display = window.display
    start = window.wait_open()
    display.press("l")
    display.key_down("s")
    window.wait_for("a step back", lambda report: north(report) > north(start) + 0.5)
    display.key_up("s")
    for key in ("t", "ctrl+a", "ctrl+v", "Return"):
        window.wait_frames(2)
        display.press(key)
    window.wait_for("back where it was", lambda report: abs(north(report) - north(start)) < 0.05)
    window.printed.seek(0)
    assert window.printed.read().startswith(f"{OUTDOORS} [155.")
    assert window.close(escapes=2) == 0


@pytest.mark.window
@pytest.mark.slow
def test_other_programs_paste_what_the_window_copied_and_the_window_what_they_copied(window: Window) -> None:
    from viewer.window.sharing.x11_clipboard import X11Clipboard

    display = window.display
    start = window.wait_open()
    display.press("l")
    window.wait_frames(2)
    other = X11Clipboard(display.environment["DISPLAY"].encode())
    try:
        wait_until(lambda: [text for text in [other.get()] if text.startswith(f"{OUTDOORS} [155.")])
        assert other.put("0xA9B40031 [155.4 21.0 94.0] 0 0 0 1")
        with serving(other):
            for key in ("t", "ctrl+a", "ctrl+v", "Return"):
                window.wait_frames(2)
                display.press(key)
            window.wait_for("the other's place", lambda report: abs(north(report) - 21.0) < 0.05)
    finally:
        other.close()
    assert north(start) < 20.0
    assert window.close(escapes=2) == 0


@pytest.mark.window
@pytest.mark.slow
@pytest.mark.parametrize(
    "window", [("--mode", "bounds", "--samples", "4"), ("--mode", "split")], indirect=True
)
def test_a_saved_picture_is_the_windows_as_render_draws_it_without_panels(
    window: Window, tmp_path: Path
) -> None:
    """After the window has been made smaller and larger, to odd sizes; last with the panels hidden.

    Paused, so that both keys meet one moment: the figure breathes.
    """
    display = window.display
    window.wait_open()
    number = display.xdotool("search", "--name", "Holtwalk").split()[0]
    for count, (width, height) in enumerate(((301, 261), (613, 431), (613, 431)), 1):
        display.xdotool("windowsize", number, str(width), str(height))
        if count < 3:
            window.wait_for("that size", lambda r, w=width: 0.5 * w < r["picture"][2] < w)  # type: ignore[misc]
            window.wait_frames(6)  # so many that everything has found its place
        if count == 3:
            display.press("F2")
            window.wait_for("no panels", lambda r, size=[width, height]: r["picture"] == [0, 0, *size])  # type: ignore[misc]
            window.wait_frames(1)
        picture = tuple(window.wait_ticks(1)["picture"][2:])
        assert picture == (width, height) if count == 3 else 0.5 * width < picture[0] < width
        display.press("p")
        display.press("F12")
        pictures = wait_until(lambda n=count: sorted(window.pictures.glob("*.png"))[n - 1 :])  # type: ignore[misc]
        display.press("ctrl+l")
        command = shlex.split(wait_until(lambda n=count: window.lines()[n - 1 :])[0])  # type: ignore[misc]
        display.press("p")
        drawn = tmp_path / f"{count}.png"
        words = command[command.index("render") :]  # whatever starts the program
        assert main([*words, "--out", str(drawn)]) == 0
        with Image.open(pictures[-1]) as saved, Image.open(drawn) as wanted:
            assert saved.size == wanted.size == picture
            assert saved.convert("RGB").tobytes() == wanted.convert("RGB").tobytes()
    assert window.close(escapes=2) == 0
