"""The answers on the pages are what the program prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.viewer.programs import Program

PAGE = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
MEMBERSHIP = (ROOT / "docs" / "understanding" / "membership.md").read_text(encoding="utf-8")
FINDS = {"audit --demo"}  # the doorway that overlaps: what finds something exits 1


def _blocks(page: str) -> list[tuple[str, str]]:
    return re.findall(r"```console\n\$ holtwalk (.*?)\n(.*?)\n```", page, flags=re.DOTALL)


def _files(page: str) -> list[tuple[str, str]]:
    return re.findall(r"`([\w-]+\.json)`[^`]*```json\n(.*?)\n```", page, flags=re.DOTALL)


BLOCKS, FILES = _blocks(PAGE), _files(PAGE)
SHOWN = BLOCKS + _blocks(MEMBERSHIP)


@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=[command[:40] for command, _ in SHOWN])
def test_the_answer_on_the_page_is_the_programs(
    *, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, shown: str
) -> None:
    for name, text in FILES + _files(MEMBERSHIP):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    found = program.run(*shlex.split(command), code=int(command in FINDS))
    printed = "\n".join(line.rstrip() for line in found.splitlines())
    parts = [re.escape(part) for part in re.split(r"^…\n?", shown, flags=re.MULTILINE)]
    assert re.fullmatch(r"(?:.*\n)*?".join(parts) + r"(?:\n?.*)*?" * shown.endswith("…"), printed)


def test_every_question_has_its_answer() -> None:
    words = " ".join(command for command, _ in BLOCKS)
    assert len(BLOCKS) >= 5 and [name for name, _ in FILES] == ["push.json", "walk.json"]
    for asked in ("sim push.json", "sim walk.json --demo --trace", "--why", "probe", "cell"):
        assert asked in words
    for heading in ("blocked me", "in this cell", "see that cell", "whole doorway"):
        assert re.search(rf"^## .*{heading}\?$", PAGE, flags=re.MULTILINE)
