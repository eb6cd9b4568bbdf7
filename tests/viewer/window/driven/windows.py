"""The real window, driven on a display of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.places import ROOT
from tests.viewer.window.driven.xvfb import Display

BEFORE_THE_DOOR = "0xA9B40031 [155.4 18.2 94.0] 0 0 0 1"
OUTDOORS, VESTIBULE, MAIN_ROOM = "0xA9B40031", "0xA9B40170", "0xA9B40171"
DOOR = "0x7A9B4015"
LIMIT = 120.0
TICKS_OF_FRAME = 9  # a frame that took longer than 0.25 s counts as that: never more than 8 ticks
Report = dict[str, Any]


class Window:
    """A running `holtwalk walk`, its display and the reports it writes."""

    def __init__(
        self, display: Display, folder: Path, *options: str, world: Sequence[str] = ("--demo",)
    ) -> None:
        self.display = display
        self.reports = folder / "reports.jsonl"
        self._read = 0
        self.printed = (folder / "printed.txt").open("w+", encoding="utf-8")
        self.pictures = folder / "pictures"
        self.pictures.mkdir()
        environment = {
            **display.environment,
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_PICTURES_DIR": str(self.pictures),
        }
        command = [sys.executable, "-m", "viewer", "walk", *world, "--report", str(self.reports)]
        self.process = subprocess.Popen(
            [*command, "--size", "480x360", "--at", BEFORE_THE_DOOR, *options],
            cwd=ROOT,
            env=environment,
            stdout=self.printed,
            stderr=subprocess.PIPE,
            text=True,
        )

    def new_reports(self) -> list[Report]:
        """The reports that were written since the last call."""
        if not self.reports.exists():
            return []
        lines = self.reports.read_text(encoding="utf-8").split("\n")[:-1]
        new, self._read = lines[self._read :], len(lines)
        return [json.loads(line) for line in new]

    def wait_for(self, what: str, found: Callable[[Report], bool]) -> Report:
        """Wait until a report says so; how long a frame takes does not matter."""
        until = time.monotonic() + LIMIT
        last = None
        while time.monotonic() < until:
            assert self.process.poll() is None, f"the window is gone: {self.process.communicate()[1]}"
            for last in self.new_reports():
                if found(last):
                    return last
            time.sleep(0.1)
        raise AssertionError(f"not seen in {LIMIT} s: {what}; last report {last}")

    def wait_ticks(self, count: int) -> Report:
        """So many ticks from now on; what was written before this call tells of nothing that came since."""
        self.new_reports()
        start = self.wait_for("a tick", lambda report: True)["tick"]
        return self.wait_for(f"{count} ticks", lambda report: report["tick"] >= start + count)

    def wait_frames(self, count: int) -> Report:
        """At least so many whole frames, however many ticks the machine needs for one."""
        return self.wait_ticks(count * TICKS_OF_FRAME)

    def wait_settled(self, measure: Callable[[Report], float]) -> float:
        """What a measure comes to once it no longer changes."""
        until = time.monotonic() + LIMIT
        value = measure(self.wait_frames(1))
        while time.monotonic() < until:
            before, value = value, measure(self.wait_frames(2))
            if abs(value - before) < 0.001:
                return value
        raise AssertionError(f"not settled in {LIMIT} s: {value}")

    def click(self, widget: str) -> None:
        """Click a widget of the panels, each event a few frames after the one before."""
        self.display.point(*self.wait_frames(1)["widgets"][widget])
        self.wait_frames(1)
        for down in (True, False):
            self.display.button(down=down)
            self.wait_frames(1)

    def lines(self) -> list[str]:
        """The whole lines that it printed."""
        self.printed.seek(0)
        return self.printed.read().split("\n")[:-1]

    def close(self, escapes: int) -> int:
        """Leave by the key, as a user does (the first one frees a caught mouse); the exit code."""
        for _ in range(escapes):
            self.display.press("Escape")
            self.wait_frames(1)
        self.display.press("Return")
        return self.process.wait(timeout=LIMIT)


def wait_until(found: Callable[[], list[Any]]) -> list[Any]:
    """What is found in time, which is not empty."""
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        if things := found():
            return things
        time.sleep(0.1)
    raise AssertionError(f"not found in {LIMIT} s")


def north(report: Report) -> float:
    return float(report["body"]["position"][1])


def door_of(report: Report) -> Report:
    return next(door for door in report["doors"] if door["entity"] == DOOR)
