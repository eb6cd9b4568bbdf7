"""Pipes and devices in the place of files: read where that makes sense, else refused in one line."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine.files.read
from engine.files.read_once import is_read_here_once
from engine.world.sources.open_source import SourceError, open_source
from tests.needed import posix
from tests.places import DEMO
from viewer.main import main
from viewer.window.user_files.key_file import load_keys

pytestmark = posix("pipes and devices")
PLACE = "0xA9B40170 [155.4 15.2 94.0]"
INPUTS = (
    ("cell", "--demo", "--at", PLACE, "--scene"),
    ("cell", "--demo", "--at", PLACE, "--spawns"),
    ("sim", "--demo"),
    ("replay", "--demo"),
)
ROW = """INSERT INTO landblock_instance (guid, weenie_class_id, obj_cell_id, origin_x, origin_y, origin_z,
angles_w, angles_x, angles_y, angles_z) VALUES (2057912341, 412, 0xA9B40170, 155, 15, 94, 1, 0, 0, 0);
"""


@pytest.fixture(autouse=True)
def no_test_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise TimeoutError("it waits")

    monkeypatch.setattr(engine.files.read, "PATIENCE", 0.2)
    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("words", INPUTS)
def test_a_device_is_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    assert refused(capsys, *words, "/dev/zero") == (
        "holtwalk: /dev/zero: can't be read (it is a device, not a file)\n"
    )


@pytest.mark.parametrize("words", INPUTS)
def test_a_pipe_that_nobody_feeds_is_given_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    line = refused(capsys, *words, str(tmp_path / "pipe"))
    assert line == f"holtwalk: {tmp_path}/pipe: nothing came through this pipe for 0.2 seconds\n"


def test_spawns_come_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    thread = threading.Thread(target=pipe.write_text, args=(ROW,))
    thread.start()
    demo = DEMO
    source = open_source(dats=demo, spawns=pipe)
    thread.join()
    assert [item.entity_id for item in source.scene().objects] == [2057912341]


def test_pipes_in_a_folder_of_dumps_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dump = tmp_path / "0xA9B40170.json"
    os.mkfifo(dump)
    line = refused(capsys, "cell", "--dumps", str(tmp_path), "--at", PLACE)
    assert "0xA9B40170" in line
    os.mkfifo(tmp_path / "scene.json")
    with pytest.raises(SourceError, match=r"scene\.json: can't be read .it is a pipe, not a file"):
        open_source(dumps=tmp_path)


def test_a_pipe_as_key_file_gives_the_usual_keys(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "keys.toml")
    keys, complaints = load_keys(tmp_path / "keys.toml")
    assert keys["forward"] == "W"
    assert complaints == [
        f"{tmp_path}/keys.toml: can't be read (it is a pipe, not a file); the usual keys are used"
    ]


def test_open_files_are_read_by_the_process_that_has_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Helping processes looked for captures among their own open files, and found others there."""
    script, capture = tmp_path / "sim.json", tmp_path / "capture.jsonl"
    script.write_text(json.dumps({"start": PLACE, "steps": [{"wait": 0.1}]}), encoding="utf-8")
    assert main(["sim", "--demo", str(script), "--record", str(capture)]) == 0
    opened = [os.open(capture, os.O_RDONLY) for _ in range(4)]
    try:
        names = [f"/dev/fd/{fd}" for fd in opened]
        assert main(["replay", "--demo", "--jobs", "2", *names]) == 0
    finally:
        for fd in opened:
            os.close(fd)


def test_open_files_and_folders_are_named_to_helping_processes_as_they_are_for_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = tmp_path / "scene.json"
    scene.write_text('{"objects": []}', encoding="utf-8")
    opened, folder = os.open(scene, os.O_RDONLY), os.open(DEMO, os.O_RDONLY)
    try:
        words = ["--dats", f"/dev/fd/{folder}", "--jobs", "2"]
        (tmp_path / "link.json").symlink_to(f"/dev/fd/{opened}")
        for name in (
            f"/dev/fd/{opened}",
            f"//dev/fd/{opened}",
            f"/proc/thread-self/fd/{opened}",
            "link.json",
        ):
            assert main(["audit", *words, "--scene", str(tmp_path / name)]) == 1
            assert is_read_here_once(tmp_path / name)
        assert "4 findings in 142 cells" in capsys.readouterr().out
        assert main(["dat", "check", *words]) == 0
        assert is_read_here_once(Path(f"/dev/fd/{folder}/made_from.json"))
    finally:
        os.close(opened)
        os.close(folder)
