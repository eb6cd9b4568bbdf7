"""When did it happen? The real window goes back in kept ticks, steps, shows them, goes on as a branch."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.viewer.window.driven.windows import (
    DOOR,
    OUTDOORS,
    Report,
    Window,
    door_of,
    keep_for_docs,
    saved_picture,
)
from tests.viewer.window.driven.xvfb import xvfb

SIZES = ["1280x720", "800x600"]


@pytest.fixture(params=SIZES)
def window(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Window]:
    with xvfb("1320x800x24") as display, Window(display, tmp_path, "--size", request.param) as opened:
        yield opened


def shows(window: Window, what: str, tick: int) -> Report:
    return window.wait_for(what, lambda report: report["timeline"]["shown"] == tick)


def essence(report: Report) -> tuple[object, ...]:
    """What panels, picture and visible list show of a tick."""
    return (
        report["body"], report["doors"], report["sweep"], report["cell"],
        [row["cell"] for row in report["view"]["cells"]], report["view"]["eye"], report["view"]["root"],
    )  # fmt: skip


@pytest.mark.window
@pytest.mark.slow
def test_Q6_when_did_it_happen(window: Window) -> None:
    display = window.display
    window.wait_open("timeline bar")
    display.key_down("w")
    window.wait_for("the door stops the body", lambda r: any(h["owner"] == DOOR for h in r["sweep"]["hits"]))
    display.key_up("w")
    window.wait_ticks(10)
    display.press("e")
    window.wait_for("the door opens", lambda r: door_of(r)["ethereal"])
    window.wait_ticks(20)
    display.press("Tab")
    window.wait_ticks(20)

    display.press("ctrl+y")  # key 1: the mark before is the door
    door = window.wait_for("a mark", lambda r: r["paused"])
    marks = {kind: first for kind, first, _ in reversed(door["timeline"]["marks"])}
    while door["timeline"]["shown"] > marks["door"]:  # the clip has ended meanwhile: that is another one
        display.press("ctrl+y")
        shown = door["timeline"]["shown"]
        door = window.wait_for("the mark before", lambda r, shown=shown: r["timeline"]["shown"] < shown)  # type: ignore[misc]
    assert door["timeline"]["shown"] == marks["door"] == door["tick"]
    assert door_of(door)["ethereal"]
    assert door["timeline"]["bytes"] > 0

    opening = saved_picture(window)
    display.press("y")  # key 2: the tick before it was still solid
    before = shows(window, "one tick back", marks["door"] - 1)
    assert not door_of(before)["ethereal"]
    display.press("n")
    again = shows(window, "one tick on", marks["door"])
    assert essence(again) == essence(door)
    assert np.array_equal(saved_picture(window), opening)
    assert again["timeline"]["last"] == door["timeline"]["last"]

    keep_for_docs(window, "question-when")

    x, y = door["widgets"]["timeline bar"]
    display.point(x, y)  # scrub: half of what is kept
    display.button(down=True)
    scrubbed = window.wait_for("the middle", lambda r: r["timeline"]["shown"] != marks["door"])
    display.button(down=False)
    timeline = scrubbed["timeline"]
    assert abs(timeline["shown"] - (timeline["first"] + timeline["last"]) / 2) <= 3
    assert scrubbed["tick"] == timeline["shown"]

    fork = timeline["shown"]
    display.key_down("s")
    window.click("timeline pause")  # go on from here
    branch = window.wait_for("a branch", lambda r: r["timeline"]["branches"] != [])
    assert branch["timeline"]["branches"][0] == [fork, timeline["last"] - fork]
    moved = window.wait_for("back", lambda r: r["body"]["velocity"] is not None and r["tick"] > fork + 40)
    display.key_up("s")
    assert moved["body"]["cell"] == OUTDOORS
    window.pause()
    window.click("branch 0")
    taken = window.wait_for("the other branch", lambda r: r["timeline"]["shown"] == fork)
    assert taken["timeline"]["last"] == timeline["last"]
    assert essence(taken) == essence(scrubbed)


@pytest.mark.window
@pytest.mark.slow
@pytest.mark.parametrize("window", ["800x600"], indirect=True)
def test_a_step_at_the_end_takes_the_keys_that_are_held(window: Window) -> None:
    display = window.display
    window.wait_open()
    stopped = window.pause()
    display.key_down("w")
    display.press("n")
    stepped = window.wait_for("a tick", lambda r: r["tick"] == stopped["tick"] + 1)
    display.key_up("w")
    assert stepped["sweep"]["ok"]
    assert stepped["body"]["position"][1] < stopped["body"]["position"][1] - 0.05


@pytest.mark.window
@pytest.mark.slow
@pytest.mark.parametrize("window", ["800x600"], indirect=True)
def test_slow_motion_and_a_replay_of_what_was(window: Window) -> None:
    display = window.display
    window.wait_open()
    window.wait_ticks(60)
    since = time.monotonic()
    for _ in range(3):
        display.press("bracketleft")
    slow = window.wait_for("slow motion", lambda r: r["timeline"]["speed"] == 0.1)
    later = window.wait_for("ten ticks", lambda r: r["tick"] >= slow["tick"] + 10)
    assert time.monotonic() - since > 3.0  # a third of a second in the game
    assert later["frame"] - slow["frame"] >= 12  # a frame counts as a quarter of a second at most
    for _ in range(3):
        display.press("bracketright")
    window.wait_for("as in the game", lambda r: r["timeline"]["speed"] == 1.0)
    display.press("j")
    playing = window.wait_for("what was", lambda r: r["timeline"]["playing"])
    assert playing["paused"]
    last = playing["timeline"]["last"]
    ended = window.wait_for("its end", lambda r: not r["timeline"]["playing"])
    assert ended["timeline"]["shown"] == ended["timeline"]["last"] == last
