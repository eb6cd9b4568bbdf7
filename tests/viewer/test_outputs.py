"""What commands write: whole, or what was there before is there still."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from viewer.main import main

VESTIBULE = "0xA9B40170 [155.4 15.2 94.0]"
full_device = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")


def script(path: Path, *steps: object) -> str:
    path.write_text(json.dumps({"start": VESTIBULE, "steps": list(steps)}), encoding="utf-8")
    return str(path)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line of a command that ends with bad input."""
    code = main(list(words))
    err = capsys.readouterr().err
    assert code == 2, err
    assert err.count("\n") == 1
    return err


def test_a_sim_that_fails_before_its_first_tick_leaves_the_older_capture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = tmp_path / "f.jsonl"
    capture.write_text("older\n")
    sim = script(tmp_path / "sim.json", {"use": 77}, {"wait": 1})
    refused(capsys, "sim", sim, "--demo", "--record", str(capture))
    assert capture.read_text() == "older\n"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["f.jsonl", "sim.json"]


@full_device
def test_a_capture_on_a_full_disk_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sim = script(tmp_path / "sim.json", {"wait": 1})
    line = refused(capsys, "sim", sim, "--demo", "--record", "/dev/full")
    assert line == "holtwalk: /dev/full: No space left on device\n"


@full_device
@pytest.mark.gl
@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "bmp"])
def test_a_picture_on_a_full_disk_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    out = tmp_path / f"f.{ending}"
    out.symlink_to("/dev/full")
    line = refused(
        capsys, "render", "--demo", "--at", VESTIBULE, "--size", "64x64", "--radius", "0", "--out", str(out)
    )
    assert line == f"holtwalk: {out}: No space left on device\n"


@full_device
@pytest.mark.parametrize(
    ("object_id", "ending"), [("0x0d000100", "bin"), ("0x06000100", "png"), ("0x01000a00", "glb")]
)
def test_an_extract_on_a_full_disk_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], object_id: str, ending: str
) -> None:
    out = tmp_path / f"f.{ending}"
    out.symlink_to("/dev/full")
    line = refused(capsys, "dat", "extract", object_id, "--demo", "--out", str(out))
    assert line == f"holtwalk: {out}: No space left on device\n"
