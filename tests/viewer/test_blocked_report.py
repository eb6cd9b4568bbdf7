"""What blocks the body: in the frame report, the state of the picture and the lines of ``sim``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.viewer.test_commands import Program, program
from tests.viewer.test_walk import DOOR, FORWARD, walk
from viewer.renderer.options import RenderOptions
from viewer.report.caption import captioned
from viewer.report.frame_report import plain
from viewer.tables.modes import with_modes
from viewer.window.walk import STANDING, Walk

__all__ = ["program", "walk"]

HELD = "held by door 0x7A9B4015, part "


def blocked(walk: Walk) -> dict[str, object]:
    document = plain(walk.report())
    assert isinstance(document, dict)
    found = document["sweep"]["blocked"]
    assert isinstance(found, dict)
    return found


def test_the_frame_report_keeps_the_verdict_after_the_key_was_let_go(walk: Walk) -> None:
    walk.advance(1.0, FORWARD)
    pushing = blocked(walk)
    assert str(pushing["words"]).startswith(HELD)
    assert pushing["hit"]["owner"] == "0x7A9B4015" and pushing["hit"]["part"] >= 0  # type: ignore[index]
    walk.advance(3.0, STANDING)
    kept = blocked(walk)
    assert not kept["pushing"] and kept["hit"] == pushing["hit"]
    assert str(kept["words"]).startswith(f"was {HELD}")


def test_the_state_of_the_picture_says_it_and_a_picture_without_the_state_does_not(walk: Walk) -> None:
    walk.advance(1.0, FORWARD)
    frame = walk.look_out((1280, 720), 0.0)
    with_state = captioned(with_modes(RenderOptions(), ("state",)), frame, 12.0, walk.blocked).caption
    assert HELD in with_state.replace("\n", " ")
    assert max(map(len, with_state.splitlines())) <= 1280 / 9
    assert captioned(RenderOptions(), frame, 12.0, walk.blocked).caption == ""


def test_a_walk_that_moves_on_has_no_verdict(walk: Walk) -> None:
    walk.advance(1.0, FORWARD)
    walk.use(DOOR)
    walk.turn(180.0, 0.0)
    walk.advance(0.5, FORWARD)
    assert walk.blocked == ""


def test_sim_writes_it_on_every_line(program: Program, tmp_path: Path) -> None:
    script = tmp_path / "push.json"
    steps = [{"ticks": 20, "walk": [0, -0.1, 0]}, {"wait": 0.2}, {"ticks": 1, "walk": [0, 0.1, 0]}]
    script.write_text(json.dumps({"start": "0xA9B40031 [155.4 17.8 94.0] 0 0 0 1", "steps": steps}))
    lines = [json.loads(line) for line in program.run("sim", str(script), "--demo", "--json").splitlines()]
    assert lines[0]["blocked"] is None and lines[-1]["blocked"] is None
    assert lines[19]["blocked"]["words"].startswith(HELD) and lines[19]["blocked"]["pushing"]
    assert lines[-2]["blocked"]["words"].startswith(f"was {HELD}")
    assert lines[12]["hits"][0]["part"] >= 0
    assert HELD in program.run("sim", str(script), "--demo")
