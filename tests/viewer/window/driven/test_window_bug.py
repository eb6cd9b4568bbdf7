"""How do I hand this to somebody? One key writes a bug folder; open shows it, sim and replay run it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.places import DEMO
from tests.viewer.programs import Program
from tests.viewer.window.driven.windows import (
    DOOR,
    Window,
    door_of,
    keep_for_docs,
    saved_picture,
    wait_until,
)
from tests.viewer.window.driven.xvfb import xvfb
from viewer.main import main
from viewer.user_error import UserError
from viewer.window.sharing.bug_folder import read_bug

SIZES = ["1280x720", "800x600"]


@pytest.fixture(params=SIZES)
def window(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Window, str]]:
    """In the demo world, whose geometry is the project's own; and in somebody's dats, which are not."""
    world: tuple[str, ...] = ("--demo",)
    if request.param == SIZES[1]:
        for name in ("client_cell_1.dat", "client_portal.dat"):
            shutil.copy(DEMO / name, tmp_path)
        world = ("--dats", str(tmp_path), "--scene", str(DEMO / "scene.json"))
    with (
        xvfb("1320x800x24") as display,
        Window(display, tmp_path, "--size", request.param, "--samples", "4", world=world) as opened,
    ):
        yield opened, request.param


@pytest.mark.window
@pytest.mark.slow
def test_Q7_how_do_I_hand_this_to_somebody(window: tuple[Window, str], tmp_path: Path) -> None:
    walked, size = window
    display = walked.display
    walked.wait_open()
    display.press("e")
    walked.wait_for("the door opens", lambda r: door_of(r)["ethereal"])
    display.key_down("w")
    walked.wait_ticks(45)
    walked.pause()
    display.key_up("w")
    display.press("ctrl+b")
    is_demo = size == SIZES[0]
    if not is_demo:
        display.press("Return")  # the answer to what it may hold: nothing is written before
    folder = wait_until(lambda: [p.parent for p in walked.pictures.glob("*/bug.json")])[0]
    names = {path.name for path in folder.iterdir()}
    assert names - {"dumps"} == {
        "bug.json", "sim.json", "expected.jsonl", "capture.jsonl", "scene.json", "report.json", "picture.png",
        "README.txt",
    }  # fmt: skip
    assert ("dumps" in names) != is_demo
    facts = json.loads((folder / "bug.json").read_text())
    assert facts["holtwalk"] == {"format": "bug", "version": 1}
    shown = json.loads((folder / "report.json").read_text())
    assert facts["tick"] == shown["tick"]
    assert shown["paused"]
    assert facts["told_again"] == "run again by the same input, every tick came out the same"
    assert facts["asked"].startswith(f"tick {shown['tick']}: asked to move")
    assert {"holtwalk", "python", "platform", "driver"} <= facts["versions"].keys()
    assert Image.open(folder / "picture.png").size == tuple(facts["size"])

    assert main(["sim", "--cases", str(folder), "--jobs", "1"]) == 0
    assert main(["replay", str(folder / "capture.jsonl"), "--demo", "--jobs", "1"]) == 0
    command = facts["command"].split()
    assert command[:2] == ["holtwalk", "render"]
    assert any(word.startswith(DOOR) for word in command)

    kept = (walked.reports.path.parent / "config" / "holtwalk" / "settings.toml").read_text()
    assert ("\nbug_dumps = true\n" in kept) != is_demo  # asked once, or never
    if not is_demo:  # on a machine without that world
        dumps = facts["dumps"]
        assert dumps["told_again"].startswith(f"{folder.name}: {shown['tick'] - facts['first'] + 1} ticks")
        assert "cell 100.0%, flags 100.0%, 2 mm 100.0%" in dumps["told_again"]
        assert dumps["cells"] > 100
        assert dumps["size"] == sum(p.stat().st_size for p in folder.glob("dumps/*"))
        facts["world"]["words"] = ["--dats", str(tmp_path / "nowhere")]
        (folder / "bug.json").write_text(json.dumps(facts))
        shown["cell"].pop("environment")  # a dumped cell has one of its own

    (tmp_path / "again").mkdir()
    words = ("open", str(folder), "--size", size)
    with Window(display, tmp_path / "again", words=words) as again:
        opened = again.wait_for("the tick", lambda r: r["timeline"]["shown"] == shown["tick"])
        for part in ("body", "doors"):
            assert opened[part] == shown[part], part
        assert opened["cell"] | shown["cell"] == opened["cell"]
        assert opened["paused"]
        assert opened["timeline"]["first"] == facts["first"] - 1
        if is_demo:  # the other world's cells are dumps, without pictures
            with Image.open(folder / "picture.png") as kept_picture:
                before = np.asarray(kept_picture.convert("RGB")).astype(np.int16)
            assert np.array_equal(saved_picture(again), before)
        keep_for_docs(again, "question-hand-on")
        display.press("y")
        again.wait_for("a tick back", lambda r: r["timeline"]["shown"] == shown["tick"] - 1)


def test_a_folder_that_is_no_bug_is_one_line(tmp_path: Path, program: Program) -> None:
    line = program.complaint("open", str(tmp_path))
    assert line == f"holtwalk: {tmp_path}: is no bug folder: it has no bug.json\n"
    (tmp_path / "bug.json").write_text('{"holtwalk": {"format": "bug", "version": 2}}')
    with pytest.raises(UserError, match="is of version 2"):
        read_bug(tmp_path)
