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

ONCE = """
from viewer.interrupts import raised_once
def puts_in_order():
    for name in ("SIGINT", "SIGTERM", "SIGINT"):
        os.kill(os.getpid(), signal.Signals[name])
try:
    with raised_once() as once:
        signal.signal(signal.SIGTERM, once)
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(20)
        finally:
            puts_in_order()
            print("in order", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
try:
    with raised_once(0.0) as once:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(20)
        finally:
            os.kill(os.getpid(), signal.SIGINT)
            print("not reached", flush=True)
except KeyboardInterrupt:
    print("later", flush=True)
"""
LOST = """
from viewer.interrupts import let_none_be_lost, raised_once
let_none_be_lost()
class Held:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(20)
try:
    with raised_once():
        held = Held()
        del held
        time.sleep(20)
except KeyboardInterrupt:
    print("again", flush=True)
"""
DEAF = """
from viewer.interrupts import raised_once
signal.signal(signal.SIGINT, signal.SIG_IGN)
with raised_once() as once:
    signal.signal(signal.SIGTERM, once)
    os.kill(os.getpid(), signal.SIGINT)
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(20)
    except KeyboardInterrupt:
        print("ended", flush=True)
print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)
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


def test_a_second_one_does_not_end_what_puts_things_in_order() -> None:
    """Results that waited to be kept were lost to who pressed the keys twice."""
    assert run(ONCE) == (0, ["in order", "interrupted", "later"])


def test_one_that_is_lost_is_no_second_one() -> None:
    assert run(LOST) == (0, ["again"])


def test_where_interrupts_are_ignored_others_end_it_and_they_stay_so() -> None:
    assert run(DEAF) == (0, ["ended", "True"])
