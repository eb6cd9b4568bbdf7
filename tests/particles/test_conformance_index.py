"""Every case of particles 10.1 to 10.8 that needs no stored game file has a test that bears its number."""

import re
from pathlib import Path

import pytest

FOLDERS = (Path(__file__).parent, Path(__file__).parents[1] / "dat")
LAST = {"R": 11, "B": 26, "P": 29, "S": 6, "D": 10, "G": 8, "F": 10, "K": 8}
ELSEWHERE = {
    "R4": "needs a shipped script",
    "R5": "needs a shipped script",
    "D3": "holds for another order of the draws",
}
NUMBERS = [f"{letter}{k}" for letter, last in LAST.items() for k in range(1, last + 1)]


def text():
    files = [path for folder in FOLDERS for path in folder.glob("test_*.py") if path != Path(__file__)]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


TEXT = text()


@pytest.mark.parametrize("number", [number for number in NUMBERS if number not in ELSEWHERE])
def test_a_case_has_its_test(number):
    assert re.search(rf"""(def test_|def test_\w+_|["']){number}(\b|_|-)""", TEXT), number
