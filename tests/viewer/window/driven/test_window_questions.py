"""Questions answered in the real window, each in at most three keys and clicks, at two sizes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.viewer.broken_worlds import broken_world
from tests.viewer.window.driven.windows import (
    BEFORE_THE_DOOR,
    DOOR,
    VESTIBULE,
    Report,
    Window,
    keep_for_docs,
    saved_picture,
    wait_until,
)
from tests.viewer.window.driven.xvfb import xvfb

SIZES = ["1280x720", "800x600"]
ROOM = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"
HIDDEN = "0xA9B40176"
MOST = 3  # keys and clicks to an answer
Pixels = NDArray[np.int16]


class Asker:
    """A window and a hand that counts what it presses and clicks."""

    def __init__(self, window: Window, size: str) -> None:
        self.window = window
        self.size = size
        self.used = 0

    def press(self, key: str) -> None:
        self.used += 1
        self.window.display.press(key)
        self.window.wait_frames(1)

    def click(self, widget: str) -> None:
        self.used += 1
        self.window.wait_for(widget, lambda report: widget in report["widgets"])
        self.window.click(widget)

    def alt_click(self, x: float, y: float) -> None:
        self.used += 1
        display = self.window.display
        display.point(x, y)
        self.window.wait_frames(1)
        display.key_down("Alt_L")
        self.window.wait_frames(1)
        display.button(down=True)
        self.window.wait_frames(1)
        display.button(down=False)
        display.key_up("Alt_L")

    def sees(self, what: str, found: Callable[[Report], object]) -> Report:
        """The answer, which has come in time."""
        report = self.window.wait_for(what, lambda r: bool(found(r)))
        assert self.used <= MOST
        return report

    def picture(self, name: str = "") -> Pixels:
        """The picture alone, as it is just now; with a name the whole window is kept for the docs."""
        if name:
            keep_for_docs(self.window, name)
        return saved_picture(self.window)


@pytest.fixture(params=SIZES)
def asks(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[..., Asker]]:
    with xvfb("1320x800x24") as display, ExitStack() as opened:

        def ask(place: str, world: Sequence[str] = ("--demo",)) -> Asker:
            window = Window(display, tmp_path, "--size", request.param, "--at", place, world=world)
            opened.enter_context(window)
            window.wait_open("panel Collision")
            return Asker(window, request.param)

        yield ask


def count(pixels: Pixels, is_so: Callable[[Pixels, Pixels, Pixels], NDArray[np.bool_]]) -> int:
    """How many pixels are of a colour."""
    return int(np.count_nonzero(is_so(pixels[..., 0], pixels[..., 1], pixels[..., 2])))


@pytest.mark.window
@pytest.mark.slow
def test_Q1_what_blocked_me(asks: Callable[..., Asker]) -> None:
    asker = asks(BEFORE_THE_DOOR)
    display = asker.window.display
    before = count(asker.picture(), _red)
    display.key_down("w")
    asker.window.wait_for("the door stops it", lambda r: r["sweep"]["blocked"] is not None)
    asker.window.wait_ticks(20)
    display.key_up("w")
    asker.window.wait_ticks(10)
    report = asker.sees("the verdict, with nothing held", lambda r: "blocked" in r["widgets"])
    words = report["sweep"]["blocked"]["words"]
    assert words.startswith(f"was held by door {DOOR}, part 1 (0x010044B6), polygon 1, for ")
    assert "against normal (0, 1, 0)" in words
    assert report["sweep"]["blocked"]["hit"]["part"] == 1
    assert count(asker.picture("question-blocked"), _red) > before + 5000
    assert asker.used == 0


def _red(r: Pixels, g: Pixels, b: Pixels) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (r > 110) & (r > 2 * g) & (r > 2 * b)
    return found


@pytest.mark.window
@pytest.mark.slow
def test_Q2_why_am_i_in_this_cell(asks: Callable[..., Asker]) -> None:
    asker = asks("0xA9B40170 [155.4 15.2 94.0] 0 0 0 1")
    display = asker.window.display
    display.key_down("w")
    asker.window.wait_for("it moves on", lambda r: r["body"]["cell"] == "0xA9B40171")
    display.key_up("w")
    asker.window.wait_ticks(30)
    asker.press("Tab")
    closed = saved_picture(asker.window, "ctrl+F12")
    asker.click("panel Membership")
    report = asker.sees("the last move's sub-steps", lambda r: "sub-step 0" in r["widgets"])
    move = report["sweep"]["last_move"]
    assert move["since"] > 10
    assert report["sweep"]["lookup"]["disagreements"] == 0
    steps = move["sub_steps"]
    assert all(step["advanced"] for step in steps)
    candidates = [c for step in steps for pick in step["picks"] for c in pick["candidates"]]
    assert any(c["picked"] and c["holds"] for c in candidates)
    assert all(answer for step in steps for pick in step["picks"] for _, answer in pick["asked"])
    shown = saved_picture(asker.window, "ctrl+F12")
    left, top, _, _ = report["picture"]
    panel = np.s_[int(top) :, : int(left)]
    assert np.count_nonzero(np.abs(shown[panel] - closed[panel]).max(axis=-1) > 60) > 1000  # its words
    asker.picture("question-cell")


@pytest.mark.window
@pytest.mark.slow
def test_Q3_why_cant_i_see_that_cell(asks: Callable[..., Asker]) -> None:
    asker = asks(ROOM)
    asker.press("Tab")
    asker.click("panel Why")
    asker.click(f"why {HIDDEN}")
    report = asker.sees("the verdict", lambda r: r["asked"]["why"])
    why = report["asked"]["why"]
    assert why["visible"] is False
    assert why["verdict"].startswith(f"{HIDDEN} is not visible: at portal 1 of 1, 0xA9B40171/3 to {HIDDEN}")
    (chain,) = why["chains"]
    assert chain["gates"][0]["before"] and chain["gates"][0]["corners"]
    # The region that came to the opening is the whole picture: a white line runs round its border.
    pixels = asker.picture("question-why")
    assert count(pixels[:8], _white) > 0.5 * pixels.shape[1] > 5 * count(pixels[8:16], _white)
    asker.window.click(f"why {VESTIBULE}")
    report = asker.window.wait_for("another", lambda r: (r["asked"]["why"] or {}).get("cell") == VESTIBULE)
    assert report["asked"]["why"]["visible"] is True


def _white(r: Pixels, g: Pixels, b: Pixels) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (r > 150) & (g > 135) & (b > 120)
    return found


@pytest.mark.window
@pytest.mark.slow
def test_Q4_what_is_this(asks: Callable[..., Asker]) -> None:
    asker = asks(ROOM)
    before = asker.picture()
    asker.press("i")
    report = asker.sees("the door before the cross-hair", lambda r: r["asked"]["pick"])
    facet = report["asked"]["pick"]["facet"]
    assert (facet["owner"], facet["setup"], facet["gfxobj"]) == (DOOR, "0x020019FF", "0x010044B6")
    assert report["asked"]["pick"]["through"] == [f"0xA9B40171/0 to {VESTIBULE}"]
    assert report["asked"]["pick"]["history"][-1]["pass"] in ("P10", "P11")
    lighter = (asker.picture("question-what") - before).min(axis=-1) > 15  # the leaf that was picked
    assert 0.01 < lighter.mean() < 0.2
    left, top, width, height = report["picture"]
    asker.used = 0
    asker.press("Tab")
    asker.alt_click(left + 0.5 * width, top + 0.9 * height)
    floor = asker.sees("the floor", lambda r: r["asked"]["pick"]["facet"]["kind"] == "cell")
    assert floor["asked"]["pick"]["physics"]["walkable"] is True
    surface = floor["asked"]["pick"]["facet"]["surface"]
    asker.window.click(f"follow {surface}")
    followed = asker.window.wait_for(
        "its record in sight", lambda r: r["asked"]["followed"] and "follow close" in r["widgets"]
    )
    assert any("texture" in line for line in followed["asked"]["followed"]["lines"])


@pytest.mark.window
@pytest.mark.slow
def test_Q5_does_this_door_block_across_its_whole_doorway(asks: Callable[..., Asker]) -> None:
    asker = asks("0xA9B40031 [155.4 19.6 94.0] 0 0 0 1")
    before = asker.picture()
    asker.press("Tab")
    asker.click("panel Doors")
    asker.click(f"probe of {DOOR}")
    shown = "probe again"  # in the panel that came to the front
    report = asker.sees("the probe", lambda r: r["asked"]["probe"] and shown in r["widgets"])
    probe = report["asked"]["probe"]
    assert probe["blocks"] is True
    assert probe["verdict"] == f"door {DOOR} blocks across its doorway, from both sides"
    after = asker.picture("question-probe")
    assert np.count_nonzero(np.abs(after - before).max(axis=-1) > 60) > 300  # pins
    asker.window.click(f"pose {DOOR}")
    staged = asker.window.wait_for("bit and pose apart", lambda r: r["doors"][0]["disagrees"])
    assert staged["doors"][0]["does"].endswith("solid all the same")
    asker.window.click("place a door")
    placed = asker.window.wait_for("a door more", lambda r: len(r["doors"]) > len(staged["doors"]))
    entity = next(d["entity"] for d in placed["doors"] if d["entity"].startswith("0x7F"))
    asker.window.click("save scene")
    saved = wait_until(lambda: sorted(asker.window.pictures.glob("holtwalk-scene-*.json")))[0]
    assert entity in [placed.get("entity") for placed in json.loads(saved.read_text())["objects"]]


@pytest.mark.window
@pytest.mark.slow
def test_Q9_what_is_wrong_with_this_world(asks: Callable[..., Asker], tmp_path: Path) -> None:
    folder = tmp_path / "dumps"
    folder.mkdir()
    broken_world(folder)
    asker = asks("0xA9B40101 [50 54 94]", ("--dumps", str(folder)))
    asker.press("ctrl+u")
    report = asker.sees(
        "its findings", lambda r: not r["asked"]["audit"]["running"] and "finding 0" in r["widgets"]
    )
    assert report["asked"]["audit"]["counts"]["portals-do-not-meet"] == 1
    assert report["body"]["cell"] == "0xA9B40101"
    asker.click("finding 0")
    report = asker.sees("it is there", lambda r: r["body"]["cell"] == "0xA9B40100")
    assert report["asked"]["audit"]["chosen"].startswith("0xA9B40100 portal 0")
    assert count(asker.picture("question-audit"), _cyan) > 1000
    shutil.rmtree(folder)


def _cyan(r: Pixels, g: Pixels, b: Pixels) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (b > r + 20) & (g > r + 15)
    return found
