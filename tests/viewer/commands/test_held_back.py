"""An interrupt amid what must not be left half done, as a frame of panels, waits for its end."""

from __future__ import annotations

import subprocess
import sys
import time

from tests.needed import posix

pytestmark = posix("signals")

BEGIN = """
import os, signal, time
from viewer.interrupts import held_back, leave_at_once, raise_again
signal.signal(signal.SIGINT, signal.default_int_handler)
leave_at_once()
raise_again()
"""
WAITS = """
try:
    with held_back():
        os.kill(os.getpid(), signal.SIGINT)
        print("whole", flush=True)
    print("not reached", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
try:
    with held_back():
        pass
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(20)
except KeyboardInterrupt:
    print("again", flush=True)
"""
TWICE = """
with held_back():
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(20)
"""
LONG = """
try:
    with held_back(0.2):
        os.kill(os.getpid(), signal.SIGINT)
        print("waits", flush=True)
        time.sleep(20)
        print("not reached", flush=True)
except KeyboardInterrupt:
    print("late", flush=True)
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(20)
except KeyboardInterrupt:
    print("again", flush=True)
"""
LONG_IN_A_FRAME = """
from imgui_bundle import imgui
from viewer.overlay.recovery import recovered
imgui.create_context()
io = imgui.get_io()
io.set_ini_filename(None)
io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
def content():
    imgui.begin("a panel")
    imgui.begin_table("a table", 2)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(20)
try:
    with held_back(0.2):
        io.display_size = imgui.ImVec2(800, 600)
        imgui.new_frame()
        try:
            recovered(content)
        finally:
            imgui.render()
except KeyboardInterrupt:
    print("a panel" in imgui.save_ini_settings_to_memory(), flush=True)
imgui.destroy_context()
"""


def run(program: str) -> tuple[int, list[str]]:
    words = [sys.executable, "-c", BEGIN + program]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, timeout=15, start_new_session=True
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.split("\n")[:-1]


def test_it_waits_and_comes_afterwards() -> None:
    """Windows and tables of panels were left open, and ImGui ended the program."""
    assert run(WAITS) == (0, ["whole", "interrupted", "again"])


def test_a_second_one_ends_the_program() -> None:
    start = time.monotonic()
    assert run(TWICE) == (130, [])
    assert time.monotonic() - start < 15


def test_one_that_waited_for_long_comes_as_any_other() -> None:
    """It ended the process on the spot, and a window kept neither its settings nor its layout."""
    assert run(LONG) == (0, ["waits", "late", "again"])
    assert run(LONG_IN_A_FRAME) == (0, ["True"])
