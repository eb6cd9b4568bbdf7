"""A display of one's own for window tests: Xvfb, and xdotool to press its keys."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


class Display:
    """A running X server and what a program needs to know to use it."""

    def __init__(self, name: str) -> None:
        self.environment = {**os.environ, "DISPLAY": name}
        self.environment.pop("WAYLAND_DISPLAY", None)

    def xdotool(self, *words: str) -> str:
        """Run one xdotool command; its output."""
        done = subprocess.run(
            ["xdotool", *words], env=self.environment, capture_output=True, text=True, check=True, timeout=30
        )
        return done.stdout

    def key_down(self, key: str) -> None:
        self.xdotool("keydown", key)

    def key_up(self, key: str) -> None:
        self.xdotool("keyup", key)

    def press(self, key: str) -> None:
        self.xdotool("key", key)

    def layout(self, name: str) -> None:
        """Switch the keyboard to a layout (``us``, ``ru``)."""
        subprocess.run(["setxkbmap", name], env=self.environment, check=True, timeout=30)

    def focus(self, title: str) -> None:
        """Give a window the focus, as a window manager would."""
        self.xdotool("windowfocus", self.xdotool("search", "--name", title).split()[0])

    def point(self, x: float, y: float) -> None:
        """Move the pointer to a place on the screen."""
        self.xdotool("mousemove", str(round(x)), str(round(y)))

    def click(self) -> None:
        """Press the left button and let go of it."""
        self.xdotool("mousedown", "1", "mouseup", "1")

    def button(self, *, down: bool) -> None:
        """Press or let go of the left button."""
        self.xdotool("mousedown" if down else "mouseup", "1")


@contextmanager
def xvfb(size: str = "1280x800x24") -> Iterator[Display]:
    """Start Xvfb on a free display and stop it afterwards."""
    read_end, write_end = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", size, "-nolisten", "tcp", "-noreset"],
        pass_fds=(write_end,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write_end)
    try:
        with os.fdopen(read_end) as answer:
            number = answer.readline().strip()
        assert number, "Xvfb did not start"
        yield Display(f":{number}")
    finally:
        server.terminate()
        server.wait(timeout=10)
