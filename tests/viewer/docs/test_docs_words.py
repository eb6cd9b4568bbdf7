"""Every word on the pages that stands for a thing of the program names one that is there."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from engine.replay.audit.finding import KINDS
from tests.places import ROOT
from tests.viewer.docs.pages import DOCS, MADE, PAGES, prose, spans
from viewer.leaving import INTERRUPTED
from viewer.main import BAD_INPUT, NO_READER
from viewer.overlay.panel_table import PANELS
from viewer.tables.keys import ACTIONS
from viewer.tables.modes import key_name

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
REFERENCE = sorted((DOCS / "reference").glob("*.md"))
ALL = [*PAGES, *REFERENCE]
ALL_IDS = [str(path.relative_to(ROOT)) for path in ALL]
FOLDERS = ("engine", "viewer", "scripts", "tests", "shaders", "assets", ".github", ".ci")
SUFFIXES = {".py", ".toml", ".json", ".yml", ".glsl", ".vert", ".frag", ".geom"}
OTHERS = {
    "apt", "pip", "pipx", "pread", "xvfb", "mkdocs", "winget",  # other programs, and calls of the system
    "doors-and-objects", "a_letters", "b_letters",
    *(f"{word}_{unit}" for word in ("measured", "scaled", "target") for unit in ("ms", "us", "times")),
}  # fmt: skip


@cache
def words_of_the_code() -> set[str]:
    """All names in code and tables, files by their names too; those of this test are none."""
    files = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*") if p.suffix in SUFFIXES]
    files += [ROOT / name for name in ("pyproject.toml", "setup.py", "mkdocs.yml", ".ci/run")]
    found = {action.name for action in ACTIONS}
    for path in files:
        if not path.stem.startswith("test_docs"):
            found |= set(re.findall(r"[\w-]+", path.read_text(encoding="utf-8")))
        found |= {path.stem, path.name}
    return found | {word for name in found for word in name.split("-")}


@pytest.mark.parametrize(
    "path", [path for path in PAGES if path.name not in MADE], ids=lambda path: path.stem
)
def test_the_names_that_a_page_sets_in_code_are_names_of_the_code(path: Path) -> None:
    for span in spans(path):
        if span.startswith(("http", "~")):
            continue
        for word in re.findall(r"(?<![\w\\-])[A-Za-z_][\w-]*\w", re.sub(r"0x[0-9A-Fa-f]+|\w+…", "", span)):
            known = words_of_the_code() | OTHERS
            assert word in known or word.replace("-", "_") in known, f"{path.name}: {word} in `{span}`"


@pytest.mark.parametrize("path", ALL, ids=ALL_IDS)
def test_the_files_and_tests_that_a_page_names_are_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tops = "engine|viewer|tests|scripts|assets|shaders|docs"
    for name in re.findall(rf"(?<![\w/…:.~\\-])((?:{tops})/[\w/.*-]*\w)", text):
        assert name == "engine/_compiled" or (ROOT / name).exists() or (path.parent / name).exists(), (
            f"{path.name}: {name}"
        )
    for test in set(re.findall(r"`(test_\w+)`", text)):
        assert any(f"def {test}(" in file for file in sources_of_tests()), f"{path.name}: {test}"


@cache
def sources_of_tests() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]


def test_the_ways_of_a_tick_and_of_a_frame_name_what_is_in_the_files_beside_them() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    seen = 0
    for line in text.splitlines():
        match = re.match(
            r" +(?:\w+ ─> )?([\w., |]+?)(?: ─> (\w+))? {2,}((?:engine|viewer|…)/\S+\.py)\b", line
        )
        if match is None:
            continue
        path = match[3].replace("…", "engine/physics")
        assert (ROOT / path).is_file(), line
        source = (ROOT / path).read_text(encoding="utf-8")
        for name in re.findall(r"[A-Za-z_]+", f"{match[1]} {match[2] or ''}"):
            assert re.search(rf"\b{name}\b", source), f"{name} is not in {path}"
            seen += 1
    assert seen > 25


@pytest.mark.parametrize("path", [path for path in ALL if path.name not in MADE], ids=lambda path: path.stem)
def test_a_key_is_set_as_one_and_says_what_it_does(path: Path) -> None:
    """So that it is compared with the table. Nothing else on a page is read as a key."""
    if path.parent.name == "reference" and path.name != "promises.md":
        return  # cases there are called F1 to F13
    text = re.sub(r"<kbd title=\"[^\"]*\">[^<]*</kbd>", "", prose(path))
    long = {key_name(action.key) for action in ACTIONS if len(key_name(action.key)) > 2}
    for name in sorted(long - {"Left", "Right", "Up", "Down", "Space", "Home", "End"}):
        assert not re.search(rf"(?<![\w+]){re.escape(name)}(?!\w)", text), f"{path.name}: {name}"
    assert not re.search(r"\b(?:Ctrl|Shift)\+|\bF\d{1,2}\b|`[A-Z]`", text), path.name


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.stem)
def test_the_keys_of_the_issue_forms_are_those_of_the_table(path: Path) -> None:
    does = {"Ctrl+B": "bug", "Ctrl+L": "copy_command"}
    keys = {key_name(action.key): action.name for action in ACTIONS}
    for key in re.findall(r"\b(?:Ctrl\+\w+|F\d+)\b", path.read_text(encoding="utf-8")):
        assert keys[key] == does[key], f"{path.name}: {key}"


@pytest.mark.parametrize(
    "path", [*PAGES, *sorted((ROOT / ".github").rglob("*.yml"))], ids=lambda path: path.stem
)
def test_panels_that_are_listed_are_there(path: Path) -> None:
    text = re.sub(r"\*", "", " ".join(path.read_text(encoding="utf-8").split()))
    titles = {panel.title for panel in PANELS}
    for listed in re.findall(r"\bpanels? ([A-Z][a-z]+(?:(?:, | and | or )[A-Z][a-z]+\b)+)", text):
        assert set(re.findall(r"[A-Z][a-z]+", listed)) <= titles, f"{path.name}: {listed}"
    for named in re.findall(r"\bthe ([A-Z][a-z]+) panel\b", text):
        assert named in titles, f"{path.name}: {named}"


def test_the_audits_kinds_are_told_as_the_audit_tells_them() -> None:
    rows = re.findall(
        r"^\| `([a-z-]+)` \| (.*) \|$", (DOCS / "captures.md").read_text(encoding="utf-8"), re.M
    )
    assert dict(rows) == KINDS


def test_the_variables_that_the_program_hears_are_told_and_no_others() -> None:
    sources = [p for folder in ("engine", "viewer") for p in (ROOT / folder).rglob("*.py")]
    heard = set(
        re.findall(r'(?<!b)"(HOLTWALK_[A-Z]+)"', "".join(p.read_text(encoding="utf-8") for p in sources))
    )
    heard |= set(re.findall(r'"(HOLTWALK_[A-Z]+)"', (ROOT / "setup.py").read_text(encoding="utf-8")))
    told = {
        name for path in PAGES for name in re.findall(r"HOLTWALK_[A-Z]+", path.read_text(encoding="utf-8"))
    }
    assert told == heard


def test_exit_codes_are_told_as_the_program_gives_them() -> None:
    words = " ".join((DOCS / "commands.md").read_text(encoding="utf-8").split())
    assert f"{BAD_INPUT} bad usage or bad input, {INTERRUPTED} interrupted (" in words
    assert f", {NO_READER} nobody reads" in words
    promised = " ".join((DOCS / "reference" / "promises.md").read_text(encoding="utf-8").split())
    assert f"exits 0 on success, 1 when what it checked failed, {BAD_INPUT} on bad usage" in promised


def test_extras_and_versions_that_the_pages_name_are_the_packages() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    resources = (ROOT / "viewer" / "renderer" / "gl_found.py").read_text(encoding="utf-8")
    texts = {path.name: path.read_text(encoding="utf-8") for path in PAGES}
    named = {extra for text in texts.values() for extra in re.findall(r"(?:\.|FILE|`)\[(\w+)\][\"`]", text)}
    assert named == {"video", "docs", "test"} <= set(extras)
    for name, text in texts.items():
        for version in re.findall(r"Python (3\.\d+) or later", text):
            assert version == oldest, name
    assert (
        f"Python {oldest} or later" in texts["README.md"]
        and f"Python {oldest} or later" in texts["installing.md"]
    )
    assert "OpenGL 3.3" in texts["installing.md"] and re.search(r"\(3, 3\)|330|3\.3", resources)
