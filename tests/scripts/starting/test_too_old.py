"""The two commands of the README say in one line that a Python is too old, whatever it can't read."""

from __future__ import annotations

import ast
import sys
from types import SimpleNamespace

import pytest

from scripts.environment import OLDEST_PYTHON
from tests.places import ROOT

PLAIN = (
    ast.Module, ast.Expr, ast.Constant, ast.Import, ast.ImportFrom, ast.alias, ast.If, ast.Compare, ast.Lt,
    ast.Eq, ast.Is, ast.BoolOp, ast.And, ast.Tuple, ast.Call, ast.Attribute, ast.Subscript, ast.Name,
    ast.Load, ast.BinOp, ast.Add, ast.Try, ast.ExceptHandler, ast.Assign, ast.Store,
)  # fmt: skip
"""What a Python of any age reads."""


@pytest.mark.parametrize("name", ["run.py", "test.py"])
def test_the_whole_of_it_can_be_read_by_python_2(name: str) -> None:
    """Which reads a file to its end before it does anything, and takes nothing but ASCII."""
    text = (ROOT / "scripts" / name).read_text(encoding="ascii")
    assert [node for node in ast.walk(ast.parse(text)) if not isinstance(node, PLAIN)] == []
    assert not [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and node.keywords]


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
    assert [ast.unparse(line) for line in body[:check]] == ["import sys"]
    old = SimpleNamespace(
        version_info=(3, 6, 15), version="3.6.15 (default)", stderr=sys.stderr, exit=sys.exit
    )
    program = compile(ast.Module([body[check]], []), name, "exec")
    with pytest.raises(SystemExit) as left:
        exec(program, {"sys": old})
    assert left.value.code == 2
    assert capsys.readouterr().err == "holtwalk: Python 3.11 or later is needed; this is 3.6.15\n"
    exec(program, {"sys": SimpleNamespace(version_info=(*OLDEST_PYTHON, 0))})


@pytest.mark.parametrize("name", ["scripts/start.py", "viewer/__main__.py"])
def test_the_other_scripts_and_the_program_say_so_to_those_that_can_read_them(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """3.8 was told of a SyntaxError, 3.10 that 'Self' can't be imported."""
    body = ast.parse((ROOT / name).read_text(encoding="utf-8")).body
    check = next(at for at, line in enumerate(body) if "version_info" in ast.unparse(line))
    loads = [line for line in body[:check] if isinstance(line, ast.Import | ast.ImportFrom)]
    before = {ast.unparse(line) for line in loads}
    built_in = {"import _signal as early", "import os", "import sys"}
    assert before <= {*built_in, "from __future__ import annotations"}
    old = SimpleNamespace(
        version_info=(3, 8, 18), version="3.8.18 (default)", stderr=sys.stderr, exit=sys.exit
    )
    with pytest.raises(SystemExit) as left:
        exec(compile(ast.Module([body[check]], []), name, "exec"), {"sys": old})
    assert left.value.code == 2
    assert capsys.readouterr().err == "holtwalk: Python 3.11 or later is needed; this is 3.8.18\n"


def test_what_says_so_and_all_scripts_can_be_read_by_python_3_7() -> None:
    """Which reads the whole of a script before its first line is run."""
    for path in [*(ROOT / "scripts").glob("*.py"), *(ROOT / "viewer").glob("__*__.py")]:
        ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 7))
