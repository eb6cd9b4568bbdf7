"""Every case of particles 10 has a test that bears its number."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACES = (
    "tests/particles/test_*.py", "tests/dat/records/test_effect_records.py", "tests/world/test_day_time.py",
    "tests/viewer/renderer/passes/test_blended_order.py", "tests/viewer/renderer/sky/test_sky.py",
    "tests/viewer/picture/test_daylight.py",
)  # fmt: skip
TEXTS = [
    page.read_text(encoding="utf-8")
    for place in PLACES
    for page in sorted(ROOT.glob(place))
    if page != Path(__file__)
]
CASES = re.search(
    r"^## 10 Cases\n(.*?)^## ",
    (ROOT / "docs/reference/particles.md").read_text(encoding="utf-8"),
    re.M | re.S,
)
NUMBERS = re.findall(r"^\| ([A-Z]\d+) \|", CASES[1] if CASES else "", re.M)
NOT_HERE = {"W9"}  # a server's fog overrides, which there are none of without one


def test_the_page_has_its_cases():
    assert len(NUMBERS) == len(set(NUMBERS)) == 119


@pytest.mark.parametrize("number", [n for n in NUMBERS if n not in NOT_HERE])
def test_a_case_has_its_test(number):
    """In a function's name, or as what a parameter is called: ``"D6-up"``."""
    assert any(re.search(rf'def test_(\w+_)?{number}_|"{number}["-]', text) for text in TEXTS), number
