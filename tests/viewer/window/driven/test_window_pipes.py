"""A window beside whose reader waits: it goes on, and what it has to say is there to be read at its end."""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.needed import posix
from tests.viewer.window.driven.windows import LIMIT, Window
from tests.viewer.window.driven.xvfb import xvfb

on_posix = posix("named pipes")


@on_posix
@pytest.mark.window
@pytest.mark.slow
def test_a_record_that_nobody_reads_just_now_holds_nothing_up_and_is_whole(tmp_path: Path) -> None:
    """The window stood still as soon as the pipe was full, and its cross was not heard."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with xvfb("1300x800x24") as display:
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        os.set_blocking(reader, True)
        with Window(display, tmp_path, "--record", str(pipe)) as window:
            last = window.wait_ticks(90)["tick"]
            display.press("Escape")
            display.press("Escape")
            display.press("Return")
            with pytest.raises(subprocess.TimeoutExpired):
                window.process.wait(timeout=3.0)
            with pytest.raises(subprocess.CalledProcessError):  # it finds none
                display.xdotool("search", "--name", "Holtwalk")
            with ThreadPoolExecutor() as pool, os.fdopen(reader, "rb") as file:
                lines = pool.submit(file.readlines).result(LIMIT)
            assert window.process.wait(timeout=LIMIT) == 0
            said = window.said()
    assert said == [f"holtwalk: {pipe}: its last lines wait to be read; Ctrl+C leaves them out"]
    ticks = [json.loads(line)["tick"] for line in lines]
    assert ticks == list(range(ticks[0], ticks[-1] + 1)) and ticks[-1] >= last
