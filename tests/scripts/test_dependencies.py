"""Every library that is imported is asked for by name, and pinned."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator

from tests.places import ROOT


def test_the_lock_names_every_dependency_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for lock, wanted in (
        ("requirements.lock", project["dependencies"]),
        ("requirements-test.lock", project["optional-dependencies"]["test"]),
    ):
        lines = (ROOT / lock).read_text(encoding="utf-8").lower().splitlines()
        pinned = {line.split("==")[0] for line in lines if "==" in line}
        assert {name.lower().split(">")[0] for name in wanted} <= pinned


def nodes_that_run(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only the checker of types and the compiler come to."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from (inner for other in node.orelse for inner in ast.walk(other))
        else:
            yield node
            yield from nodes_that_run(node)


def texts_of(*folders: str) -> list[str]:
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path.read_text(encoding="utf-8") for path in paths]


def imported(text: str, *, when_run: bool) -> Iterator[str]:
    """The packages that a module imports, by their first names; all of them or those ``when_run``."""
    tree = ast.parse(text)
    for node in nodes_that_run(tree) if when_run else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def libraries(packages: Iterable[str]) -> set[str]:
    """Those that are neither the project's nor Python's, by the names of their distributions."""
    known_as = {"PIL": "pillow", "yaml": "pyyaml", "mypyc": "mypy"}
    outside = {*packages} - set(sys.stdlib_module_names) - {"engine", "viewer", "scripts", "tests"}
    return {known_as.get(name, name) for name in outside}


def declared(*extras: str) -> set[str]:
    """The distributions that the project asks for, with those of some extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    more = [name for extra in extras for name in project["optional-dependencies"][extra]]
    asked = [*project["dependencies"], *more]
    return {re.split(r"[<>=\[]", name)[0].lower().replace("-", "_") for name in asked}


def test_every_library_that_is_imported_is_a_dependency_by_name() -> None:
    """One that is only had through another's dependencies would go with them.

    Who runs the program needs what it imports and nothing else; who checks it needs, besides, what is
    imported under TYPE_CHECKING, by scripts and by tests.
    """
    program = texts_of("engine", "viewer")
    assert libraries(name for text in program for name in imported(text, when_run=True)) == declared("video")
    said = re.compile(r"^ *(?:import (\w+)[^\n ]*(?: as \w+)?$|from (\w+)[\w.]* import )", re.MULTILINE)
    known, unknown = declared("video", "test"), set()
    for text in (*program, *texts_of("scripts", "tests")):
        found = libraries(name for pair in said.findall(text) for name in pair if name)
        if not found <= known:  # or in a text that a test hands to another process
            unknown |= libraries(imported(text, when_run=False)) - known
    assert unknown == set()
