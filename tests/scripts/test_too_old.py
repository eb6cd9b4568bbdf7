"""The two commands of the README say in one line that a Python is too old, whatever it can't read."""

from __future__ import annotations

import ast
import sys
from types import SimpleNamespace

import pytest

from scripts.environment import OLDEST_PYTHON
from tests.places import ROOT


@pytest.mark.parametrize("name", ["run.py", "test.py"])
def test_a_python_that_is_too_old_is_told_before_anything_that_it_can_not_read(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """3.6 knows no ``from __future__ import annotations``, and what is imported next has one."""
    document, *body = ast.parse((ROOT / "scripts" / name).read_text(encoding="utf-8")).body
    assert isinstance(document, ast.Expr)
    first = [line for line in body if isinstance(line, ast.Import | ast.ImportFrom)]
    assert not [line for line in first if isinstance(line, ast.ImportFrom) and line.module == "__future__"]
    check = next(at for at, line in enumerate(body) if isinstance(line, ast.If))
    assert {ast.unparse(line) for line in body[:check]} <= {"import sys", "from pathlib import Path"}
    old = SimpleNamespace(
        version_info=(3, 6, 15), version="3.6.15 (default)", stderr=sys.stderr, exit=sys.exit
    )
    program = compile(ast.Module([body[check]], []), name, "exec")
    with pytest.raises(SystemExit) as left:
        exec(program, {"sys": old})
    assert left.value.code == 2
    assert capsys.readouterr().err == "holtwalk: Python 3.11 or later is needed; this is 3.6.15\n"
    exec(program, {"sys": SimpleNamespace(version_info=(*OLDEST_PYTHON, 0))})
