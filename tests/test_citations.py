"""Every "(sweep 3.12)" names a heading of docs/reference, and nothing else is cited."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.conformance import PARTICLES, PHYSICS, PICTURES
from tests.places import ROOT

REFERENCE = ROOT / "docs" / "reference"
FOLDERS = ("engine", "viewer", "scripts", "tests", "shaders", "docs")
SUFFIXES = {".py", ".md", ".toml", ".glsl", ".vert", ".frag", ".geom"}
SHORT = {"objects": "objects-and-doors"}  # the word that is cited, and the page's name

NUMBER = r"\d{1,2}(?:\.\d{1,2}){0,2}"
WITHIN = re.compile(r"^(\d{1,2}\.\d\.\d)[ :]", re.MULTILINE)  # the numbered rules inside a section
OTHER_NAMES = re.compile(r"\b(?:physics|rendering|design|decisions?)(?:\.md)? §?\d", re.IGNORECASE)


@cache
def headings() -> dict[str, list[str]]:
    """The section numbers of each page, by the word that cites it."""
    words = {page.stem: page.stem for page in REFERENCE.glob("*.md") if page.stem != "README"}
    for word, page in SHORT.items():
        del words[page]
        words[word] = page
    found: dict[str, list[str]] = {}
    for word, page in words.items():
        text = (REFERENCE / f"{page}.md").read_text(encoding="utf-8")
        found[word] = re.findall(rf"^#{{2,3}} ({NUMBER})\b", text, re.MULTILINE) + WITHIN.findall(text)
    return found


@cache
def texts() -> dict[str, str]:
    """What may cite, by its path in the project."""
    files = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*") if p.suffix in SUFFIXES]
    files += [*ROOT.glob("*.md"), *ROOT.glob("*.toml")]
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(files)
        if "__pycache__" not in path.parts and path != Path(__file__).resolve()
    }


def citations(text: str) -> list[tuple[str, str]]:
    """(page, number) of every citation; ``sweep 3.9, 3.10-3.12, membership 7`` are five."""
    pages = "|".join(sorted(headings(), key=len, reverse=True))
    numbers = rf"{NUMBER}(?:(?:, |-|–| and | to ){NUMBER})*"
    found = []
    for match in re.finditer(rf"(?<![\w-])({pages}) ({numbers})(?=[\s)\],;:.\"'`]|$)", text, re.IGNORECASE):
        found += [(match[1].lower(), number) for number in re.findall(NUMBER, match[2])]
    return found


def test_what_counts_as_a_citation():
    assert citations("(sweep 3.9, 3.10-3.12, membership 7)") == [
        ("sweep", "3.9"), ("sweep", "3.10"), ("sweep", "3.12"), ("membership", "7"),
    ]  # fmt: skip
    assert citations('"""Passes 3.10 no. 4: a glow.') == [("passes", "3.10")]
    assert citations("collision 5.1.4 and 5.2") == [("collision", "5.1.4"), ("collision", "5.2")]
    assert citations("it passes 3 doors") == [("passes", "3")]  # such a sentence is put otherwise
    assert citations("objects 3m off, 5 passes") == []


def test_every_citation_names_a_heading():
    cited = 0
    wrong = []
    for path, text in texts().items():
        for page, number in citations(text):
            cited += 1
            if number not in headings()[page]:
                wrong.append(f"{path}: {page} {number}")
    assert not wrong, "\n".join(wrong)
    assert cited > 500


def test_nothing_else_is_cited():
    wrong = [f"{path}: {match[0]}" for path, text in texts().items() for match in OTHER_NAMES.finditer(text)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", sorted(headings()))
def test_a_page_has_each_number_once_and_stands_in_the_index(page):
    numbers = headings()[page]
    assert numbers
    assert sorted(set(numbers)) == sorted(numbers)
    assert f"({SHORT.get(page, page)}.md)" in (REFERENCE / "README.md").read_text(encoding="utf-8")


def test_links_between_the_pages_lead_somewhere():
    for page in [*REFERENCE.glob("*.md"), ROOT / "docs" / "architecture.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_paths_that_the_architecture_names_are_there():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w/…])((?:engine|viewer|tests|scripts)/[\w/]*\w(?:\.py)?)", text))
    missing = sorted(path for path in named if not (ROOT / path).exists())
    assert not missing, missing
    assert len(named) > 40


def cases(page: str, sections: str = NUMBER) -> set[str]:
    """The ids of the cases in a page's tables, in the sections that ``sections`` matches."""
    text = (REFERENCE / f"{SHORT.get(page, page)}.md").read_text(encoding="utf-8")
    found: set[str] = set()
    for part in re.split(r"^(?=#{2,3} )", text, flags=re.MULTILINE):
        if re.match(rf"#{{2,3}} (?:{sections})\b", part):
            found |= set(re.findall(r"^\| ([A-Z]{1,2}\d{1,2}[a-c]?) \|", part, re.MULTILINE))
    return found


def test_the_cases_of_the_pages_are_those_whose_tests_are_counted():
    pages = ("sweep", "membership", "collision", "objects", "movement")
    assert set().union(*(cases(page, r"12(?:\.\d+)?") for page in pages)) == set(PHYSICS.numbers)
    pictures = cases("visibility", r"11\.[23]") | cases("passes", r"11\.4") | cases("surfaces", r"11\.5")
    assert pictures == set(PICTURES.numbers)
    left = {"R4", "R5", "D3"}
    assert cases("particles", r"10\.[1-8]") - left == set(PARTICLES.numbers)
