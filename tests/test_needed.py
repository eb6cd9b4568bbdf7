"""No test is left out in silence: what it lacks fails it where nothing may be skipped, by one helper."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import conftest, needed
from tests.places import ROOT

SKIPPING = {"skip", "skipif", "importorskip", "xfail", "SkipTest"}


def item(*marks: pytest.MarkDecorator) -> SimpleNamespace:
    named = [mark.mark for mark in marks]
    return SimpleNamespace(
        iter_markers=lambda name: (mark for mark in named if mark.name == name),
        get_closest_marker=lambda name: next((mark for mark in named if mark.name == name), None),
    )


@pytest.mark.parametrize("no_skips", [False, True])
def test_what_lacks_something_is_skipped_or_fails_where_nothing_may_be_skipped(
    monkeypatch: pytest.MonkeyPatch, *, no_skips: bool
) -> None:
    monkeypatch.setattr(needed, "NO_SKIPS", no_skips)
    outcome = pytest.fail.Exception if no_skips else pytest.skip.Exception
    with pytest.raises(outcome, match="no-such-tool is not installed"):
        conftest.pytest_runtest_setup(
            item(needed.needs("a thing", "there"), needed.needs_tool("no-such-tool"))
        )
    conftest.pytest_runtest_setup(item(needed.needs("a thing", "there"), needed.needs_tool("python3")))
    monkeypatch.setattr(conftest, "has_gl", lambda: False)
    with pytest.raises(outcome, match="no OpenGL"):
        conftest.pytest_runtest_setup(item(pytest.mark.gl))


def skips(path: Path) -> Iterator[str]:
    """Where a file leaves out a test by itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr in SKIPPING:
            holder = ast.unparse(node.value)
            if holder in ("pytest", "pytest.mark", "unittest", "mark"):
                yield f"{path.relative_to(ROOT)}:{node.lineno}: {holder}.{node.attr}"
        if isinstance(node, ast.ImportFrom) and node.module in ("pytest", "unittest"):
            for name in node.names:
                if name.name in SKIPPING:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}: from {node.module} import {name.name}"


def test_no_test_is_left_out_but_by_the_one_helper(tmp_path: Path) -> None:
    own = {ROOT / "tests" / "needed.py", Path(__file__).resolve()}
    files = [path for path in sorted((ROOT / "tests").rglob("*.py")) if path not in own]
    assert len(files) > 100
    assert [place for path in files for place in skips(path)] == []
    assert len(list(skips(ROOT / "tests" / "needed.py"))) == 3  # the scan sees the ones that there are
