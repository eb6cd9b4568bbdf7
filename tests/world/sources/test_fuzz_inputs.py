"""Damaged inputs of every kind, settings among them: used, or refused in one line."""

import json
import subprocess
import sys
from random import Random

import pytest

from scripts.fuzz_inputs import (
    DOCUMENTED,
    KINDS,
    Bench,
    check_lines,
)
from scripts.fuzzing.damage import as_json, damaged_json
from scripts.fuzzing.samples import box_dumps, capture_lines, scene, script
from tests.places import ROOT

SCRIPT = ROOT / "scripts" / "fuzz_inputs.py"
INPUTS, PARTS = 80, 2


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_inputs_are_used_or_refused_and_nothing_else_happens(part, record_property):
    words = ["--inputs", str(INPUTS), "--part", f"{part}/{PARTS}"]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    counts = json.loads(done.stdout)
    for kind in KINDS:
        found = counts[kind]
        assert found["read"] + found["refused"] == found["inputs"] == INPUTS // PARTS
        for what in ("read", "refused"):
            record_property(f"count: damaged {kind} files {what}", found[what])


def test_what_is_damaged_was_sound(tmp_path, monkeypatch):
    """Else everything would be refused for one and the same reason."""
    bench = Bench(tmp_path)
    monkeypatch.setattr("scripts.fuzz_inputs.damaged_json", lambda document, _: as_json(document))
    for module in ("scripts.fuzz_inputs", "scripts.fuzzing.damage"):
        monkeypatch.setattr(f"{module}.damaged_text", lambda text, *_: text.encode())
    monkeypatch.setattr("scripts.fuzz_inputs.ODD_NUMBERS", ("640",))
    monkeypatch.setattr(Random, "randrange", lambda self, *_: 0)
    for kind in KINDS:
        getattr(bench, f"use_{kind}")(Random(1))


def test_the_same_dice_make_the_same_damage():
    for document in (scene(), script(), capture_lines(), box_dumps()):
        assert damaged_json(document, Random(5)) == damaged_json(document, Random(5)) != as_json(document)


@pytest.mark.parametrize("line", ["", "a\nb", "x" * 1001])
def test_a_complaint_that_is_no_short_line_is_noticed(line):
    with pytest.raises(AssertionError):
        check_lines(["fine", line])


def test_only_documented_errors_are_refusals():
    assert all(issubclass(kind, Exception) and kind.__module__.startswith("engine") for kind in DOCUMENTED)
