"""What blocks the body: in the frame report, the state of the picture and the lines of ``sim``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.viewer.programs import Program
from tests.viewer.walks import DOOR, FORWARD
from viewer.renderer.render_options import RenderOptions
from viewer.report.caption import captioned
from viewer.report.picture_report import plain
from viewer.tables.modes import with_modes
from viewer.window.walking.walk import STANDING, Walk

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
    picture = walk.look_out((1280, 720), 0.0)
    with_state = captioned(with_modes(RenderOptions(), ("state",)), picture, 12.0, walk.blocked).caption
    assert HELD in with_state.replace("\n", " ")
    assert max(map(len, with_state.splitlines())) <= 1280 / 9
    assert captioned(RenderOptions(), picture, 12.0, walk.blocked).caption == ""


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


def test_why_in_this_cell_stays_in_the_report_while_standing(walk: Walk) -> None:
    walk.advance(1.0, FORWARD)
    walk.advance(2.0, STANDING)
    document = plain(walk.report())
    assert isinstance(document, dict)
    sweep = document["sweep"]
    assert sweep["steps"] == []
    move = sweep["last_move"]
    assert move["cell"] == "0xA9B40031" and move["since"] > 60
    assert any("holds the centre" in line for line in move["steps"])
    assert any("picked" in line for line in move["steps"])
    assert "static look-up" in move["lookup"]
    assert [row for row in move["candidates"] if row[3]]


def test_the_trace_of_sim_says_which_sweep_it_was(program: Program, tmp_path: Path) -> None:
    script = tmp_path / "go.json"
    steps = [{"ticks": 3, "walk": [0, 0.1, 0]}, {"wait": 0.2}]
    script.write_text(json.dumps({"start": "0xA9B40031 [155.4 17.8 94.0] 0 0 0 1", "steps": steps}))
    run = program.run("sim", str(script), "--demo", "--json", "--trace")
    lines = [json.loads(line) for line in run.splitlines()]
    assert [line["last_move"]["since"] for line in lines] == [0, 0, 0, 1, 2, 3, 4, 5, 6]
    assert {line["last_move"]["tick"] for line in lines[2:]} == {2}


def test_cell_says_how_the_body_was_put_there(program: Program) -> None:
    document = program.json("cell", "--demo", "--at", "0xA9B40170 [155.4 15.2 94.0]")
    assert document["placement"][0]["probe"] == "placement"
    assert {p["picked"] for p in document["placement"]} == {"0xA9B40170"}
    assert any(c["holds_centre"] for c in document["placement"][0]["candidates"])
