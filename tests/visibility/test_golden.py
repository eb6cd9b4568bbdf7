"""What is seen from the demo's places is what the golden texts say (scripts/write_golden.py writes them)."""

from __future__ import annotations

import re
import runpy
from functools import cache

import pytest

from tests.places import ROOT

FOLDER = ROOT / "tests" / "golden" / "pvs"
NAMES = sorted(path.name for path in FOLDER.glob("*.txt"))
NUMBER = re.compile(r"-?\d+\.\d+")
TOLERANCE = 0.0021  # the last of three decimals, and what another machine's rounding makes of it


@cache
def now() -> dict[str, str]:
    made: dict[str, str] = runpy.run_path(str(ROOT / "scripts" / "write_golden.py"))["transcripts"]()
    return made


def test_there_is_a_text_for_every_place():
    assert sorted(now()) == NAMES
    assert len(NAMES) >= 30


@pytest.mark.parametrize("name", NAMES)
def test_the_visible_list_is_the_golden_one(name):
    golden, text = (FOLDER / name).read_text(encoding="utf-8"), now()[name]
    assert NUMBER.sub("#", text) == NUMBER.sub("#", golden)
    for a, b in zip(NUMBER.findall(text), NUMBER.findall(golden), strict=True):
        assert float(a) == pytest.approx(float(b), abs=TOLERANCE * max(1.0, abs(float(b)) / 10.0))
