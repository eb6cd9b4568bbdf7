"""What is seen from the demo's places is what the golden texts say (scripts/write_golden.py writes them)."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from scripts import write_golden
from tests.places import ROOT

FOLDER = ROOT / "tests" / "golden" / "pvs"
NAMES = sorted(path.name for path in FOLDER.glob("*.txt"))
NUMBER = re.compile(r"-?\d+\.\d+")
TOLERANCE = 0.0021  # the last of three decimals, and what another machine's rounding makes of it


@cache
def now() -> dict[str, str]:
    return write_golden.transcripts()


def test_there_is_a_text_for_every_place():
    assert sorted(now()) == NAMES
    assert len(NAMES) >= 30


@pytest.mark.parametrize("name", NAMES)
def test_the_visible_list_is_the_golden_one(name):
    golden, text = (FOLDER / name).read_text(encoding="utf-8"), now()[name]
    assert NUMBER.sub("#", text) == NUMBER.sub("#", golden)
    for a, b in zip(NUMBER.findall(text), NUMBER.findall(golden), strict=True):
        assert float(a) == pytest.approx(float(b), abs=TOLERANCE * max(1.0, abs(float(b)) / 10.0))


def test_only_a_transcript_goes_where_its_place_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(write_golden, "FOLDER", tmp_path)
    (tmp_path / "folder.txt").mkdir()
    (tmp_path / "notes.txt").write_text("mine")
    text = (FOLDER / NAMES[0]).read_bytes()
    for name in ("gone.txt", "there.txt"):
        (tmp_path / name).write_bytes(text)
    write_golden.clear_but({"there.txt"})
    assert {path.name for path in tmp_path.iterdir()} == {"folder.txt", "notes.txt", "there.txt"}
    said = [
        f"holtwalk: {tmp_path}: {name} is no transcript: left there" for name in ("folder.txt", "notes.txt")
    ]
    assert capsys.readouterr().err.splitlines() == said


def test_every_transcript_is_known_as_one() -> None:
    assert all(write_golden.TRANSCRIPT.match(text) for text in now().values())
