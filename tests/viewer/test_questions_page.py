"""The answers on the page of questions are what the program prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.viewer.programs import Program

PAGE = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n\$ holtwalk (.*?)\n(.*?)\n```", PAGE, flags=re.DOTALL)
FILES = re.findall(r"`(\w+\.json)`[^`]*```json\n(.*?)\n```", PAGE, flags=re.DOTALL)


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command[:40] for command, _ in BLOCKS])
def test_the_answer_on_the_page_is_the_programs(
    *, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, shown: str
) -> None:
    for name, text in FILES:
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    printed = "\n".join(line.rstrip() for line in program.run(*shlex.split(command)).splitlines())
    parts = [re.escape(part) for part in re.split(r"^…\n?", shown, flags=re.MULTILINE)]
    assert re.fullmatch(r"(?:.*\n)*?".join(parts) + r"(?:\n?.*)*?" * shown.endswith("…"), printed)


def test_every_question_has_its_answer() -> None:
    words = " ".join(command for command, _ in BLOCKS)
    assert len(BLOCKS) >= 5 and [name for name, _ in FILES] == ["push.json", "walk.json"]
    for asked in ("sim push.json", "sim walk.json --demo --trace", "--why", "probe", "cell"):
        assert asked in words
    for heading in ("blocked me", "in this cell", "see that cell", "whole doorway"):
        assert re.search(rf"^## .*{heading}\?$", PAGE, flags=re.MULTILINE)
