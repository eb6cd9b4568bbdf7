"""Words that mean one thing: a frame is a pose or a round of the window's loop, a picture is what is seen."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from tests.places import ROOT

FRAME: Final = re.compile(r"(?:^|_)frames?(?:$|_)")
PICTURE: Final = "PictureView"
MAKES: Final = re.compile(r"\b(?:build_view|look_out|view)\(")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """The project's modules that have to do with pictures and with frames, by their path."""
    found = []
    for folder in ("engine", "viewer", "scripts", "tests"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if PICTURE in text or ("frame" in text and MAKES.search(text)):
                found.append((path.relative_to(ROOT).as_posix(), ast.parse(text)))
    return tuple(found)


@pytest.fixture(scope="module", autouse=True)
def forget_what_was_parsed() -> Iterator[None]:
    yield
    modules.cache_clear()


def says_picture(annotation: ast.expr | None) -> bool:
    return annotation is not None and PICTURE in ast.unparse(annotation)


def gives_picture(function: Function, makes: set[str]) -> bool:
    """Whether a function says that it returns a picture, or hands on what one that does has made."""
    if function.returns is not None:
        return says_picture(function.returns)
    handed_on = (node.value for node in ast.walk(function) if isinstance(node, ast.Return))
    return any(isinstance(value, ast.Call) and name_of(value.func) in makes for value in handed_on)


def makers() -> set[str]:
    """The names of functions that return a picture, alone or with other things."""
    functions = [n for _, module in modules() for n in ast.walk(module) if isinstance(n, Function)]
    makes: set[str] = set()
    for _ in range(2):  # those that say so, then those that hand on what they made
        makes |= {function.name for function in functions if gives_picture(function, makes)}
    return makes


def name_of(node: ast.expr) -> str:
    """The last part of a name, ``walk.frame`` being ``frame``; empty where it is something else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def named(node: ast.AST, makes: set[str]) -> Iterator[tuple[str, int]]:
    """The names that a node gives to pictures."""
    if isinstance(node, Function) and gives_picture(node, makes):
        yield node.name, node.lineno
    elif isinstance(node, ast.arg) and says_picture(node.annotation):
        yield node.arg, node.lineno
    elif isinstance(node, ast.AnnAssign) and says_picture(node.annotation):
        yield name_of(node.target), node.lineno
    elif (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and name_of(node.value.func) in makes
    ):
        for target in node.targets:
            for part in target.elts if isinstance(target, ast.Tuple) else (target,):
                yield name_of(part), node.lineno


def test_no_frame_is_a_picture() -> None:
    makes = makers()
    assert {"build_view", "detached_view", "look_out"} <= makes
    assert [
        f"{path}:{line}: {name}"
        for path, module in modules()
        for node in ast.walk(module)
        for name, line in named(node, makes)
        if FRAME.search(name)
    ] == []
