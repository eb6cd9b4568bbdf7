"""The clipboard under X11 with other programs at both ends: what one copies, the other pastes."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from tests.needed import needs_tool
from tests.places import ROOT
from tests.viewer.window.driven.xvfb import Display, xvfb

TEXT = "0xA9B40031 [155.4 18.2 94.0] 0 0 0 1 — ünïcödé"
pytestmark = pytest.mark.window

# Another program, in its own process: holds a text, or holds it back, or pastes.
HOLDS = """
import sys, time
from viewer.window.sharing.x11_clipboard import X11Clipboard
board = X11Clipboard()
assert board.put(sys.argv[1])
print("holds", flush=True)
while True:
    board.serve()
    time.sleep(0.01)
"""
SILENT = HOLDS.replace("    board.serve()\n", "")
PASTES = "from viewer.window.sharing.x11_clipboard import X11Clipboard; print(X11Clipboard().get())"


class Served:
    """Our own clipboard, served on as the window does between its frames."""

    def __init__(self, display: Display) -> None:
        from viewer.window.sharing.x11_clipboard import X11Clipboard

        self.board = X11Clipboard(display.environment["DISPLAY"].encode())

    def while_running(self, display: Display, *command: str, given: str = "") -> str:
        """Run another program while serving it; what it prints."""
        result: list[subprocess.CompletedProcess[str]] = []

        def run() -> None:
            result.append(
                subprocess.run(
                    command, input=given, env=display.environment, cwd=ROOT, check=True, text=True,
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=15,
                )
            )  # fmt: skip

        other = threading.Thread(target=run)
        other.start()
        while other.is_alive():
            self.board.serve()
            time.sleep(0.01)
        assert result, f"{command[0]} waited in vain"
        return result[0].stdout


@pytest.fixture(scope="module")
def display() -> Iterator[Display]:
    with xvfb("320x240x24") as made:
        yield made


@pytest.fixture
def ours(display: Display) -> Iterator[Served]:
    served = Served(display)
    yield served
    served.board.close()


def holder(display: Display, program: str, text: str) -> subprocess.Popen[str]:
    other = subprocess.Popen(
        [sys.executable, "-c", program, text],
        env=display.environment, cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert other.stdout is not None
    assert other.stdout.readline() == "holds\n"
    return other


def test_another_program_pastes_what_we_copied(display: Display, ours: Served) -> None:
    for text in (TEXT, "", "x" * 100_000):
        assert ours.board.put(text)
        assert ours.while_running(display, sys.executable, "-c", PASTES) == f"{text}\n"
        assert ours.board.get() == text


def test_what_another_program_copied_after_us_is_pasted(display: Display, ours: Served) -> None:
    assert ours.board.put("ours")
    other = holder(display, HOLDS, TEXT)
    try:
        assert ours.board.get() == TEXT
        assert ours.board.put("ours again")
        assert ours.while_running(display, sys.executable, "-c", PASTES) == "ours again\n"
    finally:
        other.kill()
        other.wait()


def test_a_program_that_does_not_answer_keeps_nobody_waiting(display: Display, ours: Served) -> None:
    other = holder(display, SILENT, TEXT)
    try:
        start = time.monotonic()
        assert ours.board.get() == ""
        assert time.monotonic() - start < 5.0
    finally:
        other.kill()
        other.wait()
    assert ours.board.get() == ""


def test_what_is_too_long_for_the_server_is_not_taken(ours: Served) -> None:
    assert not ours.board.put("x" * 300_000)


@pytest.mark.parametrize(
    "tool", [pytest.param(tool, marks=needs_tool(tool), id=tool) for tool in ("xclip", "xsel")]
)
def test_the_usual_tools_paste_ours_and_we_theirs(display: Display, ours: Served, tool: str) -> None:
    pasting, copying = {
        "xclip": (("xclip", "-o", "-selection", "clipboard"), ("xclip", "-selection", "clipboard")),
        "xsel": (("xsel", "-ob"), ("xsel", "-ib")),
    }[tool]
    assert ours.board.put(TEXT)
    assert ours.while_running(display, *pasting) == TEXT
    for text in (TEXT, "x" * 150_000):  # the longer one may come in parts
        subprocess.run(copying, input=text, text=True, env=display.environment, check=True, timeout=15,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        until = time.monotonic() + 10.0  # xsel takes the clipboard when it has gone to the background
        while (pasted := ours.board.get()) != text and time.monotonic() < until:
            time.sleep(0.05)
        assert pasted == text
    assert ours.board.put("ours")
    assert ours.while_running(display, *pasting) == "ours"
