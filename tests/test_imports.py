"""What tests share lies in modules of helpers: no test module, and no helper, imports from a test module."""

import ast

import pytest

from tests.places import ROOT


def from_tests(text):
    """The imports of a source text that name a test module, as they stand there."""
    found = []
    for node in ast.walk(ast.parse(text)):
        names = [alias.name for alias in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else []
        if isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            names = [f"{start}.{name}" for name in names]
        if any(name.startswith(("tests.", ".")) and ".test_" in name for name in names):
            found.append(ast.unparse(node))
    return found


def test_no_module_of_the_tests_imports_from_a_test_module():
    modules = sorted((ROOT / "tests").rglob("*.py"))
    assert len(modules) > 200
    told = [f"{path.relative_to(ROOT)}: {line}" for path in modules for line in from_tests(path.read_text())]
    assert told == []


@pytest.mark.parametrize(
    "line",
    [
        "from tests.viewer.window.test_walk import walk",
        "from tests.viewer import builders, test_walk",
        "import tests.viewer.window.test_walk as walks",
        "from .test_walk import walk",
        "from . import test_walk",
        "def inner():\n    from tests.test_walk import walk",
    ],
)
def test_the_scan_sees_every_way_to_import_from_a_test_module(line):
    assert len(from_tests(line)) == 1


@pytest.mark.parametrize("line", ["from tests.viewer.walks import walk", "from viewer.test_card import card"])
def test_the_scan_lets_helpers_be_imported(line):
    assert from_tests(line) == []
