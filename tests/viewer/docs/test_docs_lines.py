"""Command lines and tables on the pages: what is typed from them is taken, and all of them read well."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.viewer.docs.pages import DOCS, IDS, PAGES, blocks, code, is_usage, program_line
from viewer.tables.arguments import parse
from viewer.user_error import UserError

VALUES = {
    "LOC": "0xA9B40170 [155.0 15.2 94.0]", "CELL": "0xA9B40170", "ENTITY": "0x7A9B4015", "ID": "0x7A9B4015",
    "ANIMATION:FRAME": "0x03000001:1", "NAME[,NAME]": "portals", "N": "1",
}  # fmt: skip
"""What stands for the words by which a page holds the place of a value."""
PASSED_ON = {"run.py": "holtwalk", "test.py": "pytest"}  # scripts that hand their words to another program


def taken(line: str) -> str:
    """What the program says to a line's words; empty where it takes them."""
    words = [VALUES.get(word, word) for word in shlex.split(line.replace("\\", "/"))[1:]]
    if {"--help", "--version"} & set(words):
        return ""
    try:
        parse(words)
    except UserError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_the_program_takes_the_lines_of_a_page(path: Path) -> None:
    """Values too. What is named in the middle of a sentence may leave out what it needs."""
    in_blocks = {line for _, text in blocks(path) for line in text.splitlines()}
    for found in code(path):
        line = program_line(found)
        if not line or is_usage(line) or line in ("holtwalk dat", "holtwalk help"):
            continue
        said = taken(line)
        if found not in in_blocks and "arguments are required" in said:
            continue
        assert not said, f"{path.name}: {line}"


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_the_scripts_that_a_page_calls_take_what_it_gives_them(path: Path) -> None:
    for line in code(path):
        if not (
            match := re.match(r"(?:python3?|py|\.venv/bin/python) scripts[/\\](\w+\.py)(.*)", line.strip())
        ):
            continue
        script = ROOT / "scripts" / match[1]
        assert script.is_file(), f"{path.name}: {line}"
        words = match[2].split("#")[0]
        if PASSED_ON.get(match[1]) == "holtwalk":
            assert not taken(f"holtwalk {words}"), f"{path.name}: {line}"
        elif match[1] not in PASSED_ON:
            source = script.read_text(encoding="utf-8")
            for option in re.findall(r"--[a-z-]+", words):
                assert f'"{option}"' in source, f"{path.name}: {line}"


@pytest.mark.parametrize(
    "path", [*PAGES, *sorted((DOCS / "reference").glob("*.md"))], ids=lambda path: path.stem
)
def test_every_row_of_a_table_has_as_many_fields_as_its_head(path: Path) -> None:
    """And none has a bar in its code: the public host ends the field there, the site shows its backslash."""
    head = 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.startswith("|"):
            head = 0
            continue
        bars = len(re.findall(r"(?<!\\)\|", line))
        head = head or bars
        assert bars == head, f"{path.name}, line {number}"
        assert not [span for span in re.findall("`[^`]+`", line) if "|" in span], (
            f"{path.name}, line {number}"
        )


def test_the_commands_of_the_issue_forms_are_the_programs() -> None:
    """They are the first thing that somebody who reports a fault types."""
    found = 0
    for path in sorted((ROOT / ".github").rglob("*.yml")):
        text = path.read_text(encoding="utf-8")
        lines = re.findall(r"`(holtwalk [^`]+)`", text) + re.findall(
            r"^ +(?:- run: |placeholder: )?(holtwalk .*)$", text, re.M
        )
        for line in lines:
            for part in line.split(" && "):
                said = taken(part.split(" || ")[0])
                assert not said, f"{path.name}: {part}"
                found += 1
    assert found >= 8


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_what_a_page_writes_into_the_home_folder_has_a_folder_there(path: Path) -> None:
    """On a fresh machine, too: the lines of its block make it first."""
    for _, text in blocks(path):
        made: set[str] = set()
        for line in text.splitlines():
            words = shlex.split(line, comments=True) if "~/" in line else []
            made |= set(words[2:]) if words[:2] == ["mkdir", "-p"] else set()
            for target in words[words.index(">") + 1 :] if ">" in words else []:
                assert not target.startswith("~/") or str(Path(target).parent) in made, line
