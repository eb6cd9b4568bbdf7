"""Every case of motion 9 has a test that bears its number."""

import re
from pathlib import Path

import pytest

LAST = {"S": 28, "R": 16, "M": 31, "L": 1, "F": 13, "D": 8, "P": 10}
NUMBERS = [f"{letter}{k}" for letter, last in LAST.items() for k in range(1, last + 1)]
PAGES = [p for p in Path(__file__).parent.glob("test_*.py") if p != Path(__file__)]
NAMES = [
    name for page in PAGES for name in re.findall(r"^def (test_\w+)", page.read_text(encoding="utf-8"), re.M)
]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_case_has_its_test(number):
    assert any(re.match(rf"test_(\w+_)?{number}(_|$)", name) for name in NAMES), number
