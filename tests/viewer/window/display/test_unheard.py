"""An interrupt ends the program, too, while it waits for a display that doesn't answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from tests.needed import only_where
from viewer.user_error import UserError
from viewer.window.display import trouble, watcher
from viewer.window.display.open_window import open_window
from viewer.window.display.screens import find_screens_anyway
from viewer.window.display.unheard import WATCHER, end_where_interrupts_go_unheard

pytestmark = only_where(so=sys.platform == "linux", why="there is no X11")

# A mutex locked twice stands for Xlib: it waits for ever, as moderngl's calls do with Python's lock held.
STANDS_STILL = """
import ctypes, signal
from viewer.interrupts import leave_at_once, raise_again
from viewer.window.display.unheard import end_where_interrupts_go_unheard
signal.signal(signal.SIGINT, signal.default_int_handler)
leave_at_once()
raise_again()
end_where_interrupts_go_unheard(0.2)
mutex = ctypes.create_string_buffer(64)
lock = ctypes.PyDLL(None).pthread_mutex_lock
lock(mutex)
print("ready", flush=True)
lock(mutex)
"""


def test_a_program_that_does_not_hear_its_interrupt_is_ended() -> None:
    words = [sys.executable, "-c", STANDS_STILL]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"ready\n"
        time.sleep(0.1)
        program.send_signal(signal.SIGINT)
        try:
            assert program.wait(20.0) == -signal.SIGKILL
        finally:
            program.kill()


@pytest.mark.parametrize(
    ("each", "ends_at", "killed"), [(0.0, 99, 1), (0.5, 99, watcher.MOST), (0.5, 3, None), (0.0, 0, None)]
)
def test_one_that_computes_still_is_given_more_time_to_end_by_itself(
    monkeypatch: pytest.MonkeyPatch, each: float, ends_at: int, killed: int | None
) -> None:
    """While shaders were linked on a machine that was full it was killed before it heard."""
    looked: list[float | None] = []
    kills: list[int] = []

    def is_gone(_: object, *, until: float | None) -> bool:
        looked.append(until)
        return len(looked) - 2 >= ends_at

    monkeypatch.setattr(watcher.Told, "is_gone", is_gone)
    monkeypatch.setattr(watcher, "computed", lambda _: each * len(looked))
    monkeypatch.setattr(os, "kill", lambda *_: kills.append(len(looked) - 2))
    watcher.watch(os.getppid(), 4.0)
    assert kills == ([] if killed is None else [killed])


KEEPS_LONG = """
import signal, sys, time
from viewer.interrupts import leave_at_once, raise_again
from viewer.window.display.unheard import end_where_interrupts_go_unheard, given_time
signal.signal(signal.SIGINT, signal.default_int_handler)
leave_at_once()
raise_again()
end_where_interrupts_go_unheard(0.2)
try:
    print("ready", flush=True)
    time.sleep(60.0)
except KeyboardInterrupt:
    with given_time():
        time.sleep(1.5)
        print("kept", flush=True)
    time.sleep(float(sys.argv[1]))
    sys.exit(7)
"""


@pytest.mark.parametrize(("rest", "code"), [(0.0, 7), (60.0, -signal.SIGKILL)])
def test_one_that_waits_for_a_lock_to_keep_its_users_files_is_given_time(rest: float, code: int) -> None:
    """A setting that was changed as the window ended was lost where another held its lock for 5 s."""
    words = [sys.executable, "-c", KEEPS_LONG, str(rest)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"ready\n"
        time.sleep(0.1)
        program.send_signal(signal.SIGINT)
        try:
            assert program.stdout.readline() == b"kept\n"
            assert program.wait(20.0) == code
        finally:
            program.kill()


def test_what_a_process_computes_is_known() -> None:
    before = watcher.computed(os.getpid())
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass
    assert watcher.computed(os.getpid()) > before
    assert watcher.computed(-1) == 0.0


def watching(after: str) -> subprocess.Popen[bytes]:
    """One that is said to watch another process than ours, which it lets live therefore."""
    return subprocess.Popen([sys.executable, "-I", "-S", str(WATCHER), "1", after], stdin=subprocess.PIPE)


@pytest.mark.parametrize("heard", [b"", bytes([signal.SIGWINCH]), bytes([signal.SIGINT])])
def test_who_watches_goes_with_who_is_watched(heard: bytes) -> None:
    with watching("60.0") as process:
        assert process.stdin is not None
        process.stdin.write(heard)
        process.stdin.close()
        assert process.wait(20.0) == 0


def test_who_is_not_its_parent_is_left_alone() -> None:
    with watching("0.0") as process:
        assert process.stdin is not None
        process.stdin.write(bytes([signal.SIGINT]))
        process.stdin.flush()
        assert process.wait(20.0) == 0


def test_nobody_watches_where_interrupts_are_ignored_or_somebody_elses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a process was started"))
    end_where_interrupts_go_unheard()


@pytest.mark.parametrize("known", [False, True])
def test_a_server_without_randr_is_not_asked_by_it(known: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001
    """Xlib wrote a line of its own, and no window could be opened."""
    from pyglet.display import xlib as screens
    from pyglet.libs.x11 import xlib

    monkeypatch.setattr(xlib, "XQueryExtension", lambda *_: int(known))
    monkeypatch.setattr(screens, "_have_xrandr", True)
    find_screens_anyway(SimpleNamespace(_display=None))
    assert screens._have_xrandr
    find_screens_anyway(SimpleNamespace(_display=object()))
    assert screens._have_xrandr is known


def test_a_server_whose_monitors_are_all_off_has_a_screen_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No window could be opened: a screen that RandR does not name "has no attribute"."""
    from pyglet.display import xlib as screens
    from pyglet.libs.x11 import xlib

    monkeypatch.setattr(xlib, "XQueryExtension", lambda *_: 1)
    monkeypatch.delattr(screens.XlibScreen, "is_primary", raising=False)
    find_screens_anyway(SimpleNamespace(_display=object()))
    assert screens.XlibScreen.is_primary is True
    assert isinstance(screens.XlibScreenXrandr.is_primary, property)


def test_what_the_windows_library_fails_at_names_the_variables_that_it_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line told of a number that is none, and not where it stands."""
    monkeypatch.setattr(trouble, "found_with_display", lambda: None)
    monkeypatch.setattr(trouble, "_instead", lambda: "")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("PYGLET_HEADLESS_DEVICE", "junk")
    told = trouble.window_trouble(ValueError("invalid literal for int() with base 10: 'junk'"))
    assert "'junk'; the window's library obeys PYGLET_HEADLESS_DEVICE, try without" in told


def test_no_window_is_opened_that_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was seen, and it ended with an internal error."""
    monkeypatch.setenv("PYGLET_HEADLESS", "1")
    with pytest.raises(UserError, match="PYGLET_HEADLESS is set"):
        open_window((64, 64))
