"""Every case of visibility 11.2, 11.3, passes 11.4, surfaces 11.5 has a test that bears its number."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
FOLDERS = ("visibility", "viewer", "world")
LAST = {"V": 33, "K": 11, "I": 28, "M": 7, "T": 7}
LETTERED = ("V3b", "V4b", "V11b", "V14b", "V14c", "V15b", "K11b")
NUMBERS = [
    f"{letter}{k}" for letter, last in LAST.items() for k in range(0 if letter == "I" else 1, last + 1)
]
NUMBER = re.compile(r"[VKIMT]\d{1,2}[bc]?")


def numbers_of(test: ast.FunctionDef) -> set[str]:
    """The case numbers in a test's name and in the parameter sets of its decorators."""
    words = test.name.split("_")
    for decorator in test.decorator_list:
        for node in ast.walk(decorator):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.append(node.value)
    return {word for word in words if NUMBER.fullmatch(word)}


def index() -> dict[str, list[str]]:
    """Tests by case number."""
    found: dict[str, list[str]] = {}
    for folder in FOLDERS:
        for path in sorted((TESTS / folder).rglob("test_*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    for number in numbers_of(node):
                        found.setdefault(number, []).append(f"{path.name}::{node.name}")
    return found


INDEX = index()


@pytest.mark.parametrize("number", [*NUMBERS, *LETTERED])
def test_a_case_has_its_test(number):
    assert INDEX.get(number), f"no test bears the number {number}"
