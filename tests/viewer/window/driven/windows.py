"""The real window, driven on a display of its own: what a test waits for is what the window reports."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from PIL import Image

from tests.places import ROOT
from tests.viewer.window.driven.xvfb import Display

if TYPE_CHECKING:
    from numpy.typing import NDArray

BEFORE_THE_DOOR = "0xA9B40031 [155.4 18.2 94.0] 0 0 0 1"
OUTDOORS, VESTIBULE, MAIN_ROOM = "0xA9B40031", "0xA9B40170", "0xA9B40171"
DOOR = "0x7A9B4015"
LIMIT = 120.0
KEPT = os.environ.get("HOLTWALK_QUESTION_PICTURES")  # a folder for the pictures of docs/questions.md
POLL = 0.02
DOCS_SIZE = (1280, 720)
QUICK = ("--first-steps", "no", *(() if KEPT else ("--samples", "1")))  # for a test that names neither
Report = dict[str, Any]


class Reports:
    """The reports that a program writes into a file: each is read once, in their order."""

    def __init__(self, path: Path, process: Callable[[], subprocess.Popen[str]]) -> None:
        self.path = path
        self.last: Report | None = None
        self._process = process
        self._offset = 0
        self._unread: deque[str] = deque()

    def new(self) -> list[Report]:
        """Those that were written since the last that was read; ``last`` is the last of them."""
        self._fetch()
        return list(iter(self._next, None))

    def wait_for(self, what: str, found: Callable[[Report], object]) -> Report:
        """Wait until a report says so, from the first on that was not read; however long frames take."""
        until = time.monotonic() + LIMIT
        while time.monotonic() < until:
            while (report := self._next()) is not None:
                if found(report):
                    return report
            process = self._process()
            assert process.poll() is None, f"the window is gone: {process.communicate()[1]}"
            time.sleep(POLL)
            self._fetch()
        raise AssertionError(f"not seen in {LIMIT} s: {what}; last report {self.last}")

    def _next(self) -> Report | None:
        if not self._unread:
            return None
        self.last = json.loads(self._unread.popleft())
        return self.last

    def _fetch(self) -> None:
        if self.path.exists():
            with self.path.open("rb") as file:
                file.seek(self._offset)
                whole = file.read().rpartition(b"\n")[0]
            if whole:
                self._offset += len(whole) + 1
                self._unread.extend(whole.decode().split("\n"))


class Window:
    """A running window, its display and what it reports; leaving it as a context kills it.

    ``options`` are those of ``holtwalk walk``; ``words`` another whole command that opens a window.
    """

    def __init__(
        self, display: Display, folder: Path, *options: str, world: Sequence[str] = ("--demo",),
        words: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.display = display
        self.reports = Reports(folder / "reports.jsonl", lambda: self.process)
        self.pictures = folder / "pictures"
        self.pictures.mkdir(exist_ok=True)
        self.printed = (folder / "printed.txt").open("w+", encoding="utf-8")
        environment = {
            **display.environment,
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_PICTURES_DIR": str(self.pictures),
            "XDG_DOCUMENTS_DIR": str(self.pictures),
        }
        if not words:  # an option of the test's own goes before
            words = ("walk", *world, "--size", "480x360", "--at", BEFORE_THE_DOOR, *QUICK)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "viewer", *words, *options, "--report", str(self.reports.path)],
            cwd=ROOT,
            env=environment,
            stdout=self.printed,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()
        self.printed.close()

    # -- what it reports

    @property
    def last(self) -> Report:
        """The last report that was looked at."""
        assert self.reports.last is not None
        return self.reports.last

    def new_reports(self) -> list[Report]:
        """The reports that were written since the last that was looked at."""
        return self.reports.new()

    def wait_for(self, what: str, found: Callable[[Report], object]) -> Report:
        """The first report that says so, of those that were not looked at yet."""
        return self.reports.wait_for(what, found)

    def wait_open(self, widget: str = "") -> Report:
        """Wait for the panels, or one of their widgets."""
        what = widget or "the panels"
        return self.wait_for(what, lambda r: widget in r["widgets"] if widget else r["widgets"])

    def wait_ticks(self, count: int) -> Report:
        """So many ticks from now on; what was written before this call tells of nothing that came since."""
        self.new_reports()
        start = self.wait_for("a tick", lambda report: True)["tick"]
        return self.wait_for(f"{count} ticks", lambda report: report["tick"] >= start + count)

    def wait_frames(self, count: int) -> Report:
        """So many pictures, begun after the events before this call; time must not stand still."""
        self.new_reports()
        start = self.wait_for("a picture", lambda report: True)["frame"]
        return self.wait_for(f"{count} pictures", lambda report: report["frame"] > start + count)

    def wait_settled(self, measure: Callable[[Report], float]) -> float:
        """What a measure comes to once it no longer changes."""
        until = time.monotonic() + LIMIT
        value = measure(self.wait_frames(1))
        while time.monotonic() < until:
            before, value = value, measure(self.wait_ticks(18))
            if abs(value - before) < 0.001:
                return value
        raise AssertionError(f"not settled in {LIMIT} s: {value}")

    def pause(self) -> Report:
        """Let time stand still; the last tick, in a report of its own."""
        self.new_reports()
        self.display.press("p")
        return self.wait_for("time stands still", lambda r: r["paused"])

    # -- what is done to it

    def click(self, widget: str) -> None:
        """Click a widget of the panels once it is there; while time stands still, where it was told last."""
        if not self.last["paused"]:
            self.wait_frames(1)
        if widget not in self.last["widgets"]:
            self.wait_open(widget)
            if not self.last["paused"]:
                self.wait_frames(1)  # in its place
        place = self.last["widgets"][widget]
        self.display.point(*place)
        self.wait_for(
            f"the pointer is on {widget}", lambda r: r["pointer"] and math.dist(r["pointer"], place) < 2
        )
        self.display.click()

    def said(self) -> list[str]:
        """What it said on stderr, all of it, once it has ended."""
        return self.process.communicate()[1].splitlines()

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


def saved_picture(window: Window, key: str = "F12") -> NDArray[np.int16]:
    """The picture alone, as its key saves it just now; with ``ctrl+F12`` the panels around it, too."""
    before = set(window.pictures.glob("*.png"))
    window.display.press(key)
    path = wait_until(lambda: sorted(set(window.pictures.glob("*.png")) - before))[0]
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(np.int16)


def keep_for_docs(window: Window, name: str) -> None:
    """Keep the whole window as it is now for docs/questions.md, where such pictures are asked for."""
    if not KEPT:
        return
    time.sleep(6.0)  # what was said has gone; nothing is tested by this
    before = set(window.pictures.glob("*.png"))
    window.display.press("ctrl+F12")
    path = wait_until(lambda: sorted(set(window.pictures.glob("*.png")) - before))[0]
    with Image.open(path) as image:
        if image.size == DOCS_SIZE:
            image.convert("RGB").save(Path(KEPT) / f"{name}.png", optimize=True)


def wait_until(found: Callable[[], list[Any]]) -> list[Any]:
    """What is found in time, which is not empty."""
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        if things := found():
            return things
        time.sleep(POLL)
    raise AssertionError(f"not found in {LIMIT} s")


def north(report: Report) -> float:
    return float(report["body"]["position"][1])


def door_of(report: Report) -> Report:
    return next(door for door in report["doors"] if door["entity"] == DOOR)
