"""The conformance cases of the reference pages, and which tests bear their numbers.

A test bears a number in its name (``test_SC1_...``), as the name of one of its parameter sets
(``("PO9", ...)``), or in a table of its module that its parameter sets are made of. A letter or words behind
the number tell further lines of a case apart (``CB2b``, ``P16-12``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Cases of some pages: their numbers, and the folders of ``tests`` whose tests bear them."""

    pages: str
    numbers: tuple[str, ...]
    folders: tuple[str, ...]


def _counted(
    last: dict[str, int], without: Iterable[str] = (), first: dict[str, int] | None = None
) -> list[str]:
    left_out = set(without)
    begins = first or {}
    numbers = [f"{letter}{k}" for letter, n in last.items() for k in range(begins.get(letter, 1), n + 1)]
    return [number for number in numbers if number not in left_out]


PHYSICS = Group(
    pages="sweep, membership, collision, objects, movement 12",
    numbers=tuple(
        _counted(
            {
                "LD": 20, "OC": 11, "TE": 11, "PO": 21, "CB": 5, "AO": 9, "NS": 4, "SL": 9, "CS": 3, "VW": 11,
                "IN": 7, "BO": 2, "QU": 4, "MO": 8, "SC": 21, "OB": 8, "OD": 11, "ME": 13, "FS": 2, "SB": 7,
                "OT": 5, "DO": 2,
            }
        )
    ),
    folders=("collision", "physics", "world"),
)  # fmt: skip
PICTURES = Group(
    pages="visibility 11.2, 11.3, passes 11.4, surfaces 11.5",
    numbers=(
        *_counted({"V": 33, "K": 11, "I": 28, "M": 7, "T": 7}, first={"I": 0}),
        "V3b", "V4b", "V11b", "V14b", "V14c", "V15b", "K11b",
    ),
    folders=("visibility", "viewer", "world"),
)  # fmt: skip
# R4 and R5 need a shipped script; D3 holds for another order of the draws.
PARTICLES = Group(
    pages="particles 10.1 to 10.8",
    numbers=tuple(
        _counted({"R": 11, "B": 26, "P": 29, "S": 6, "D": 10, "G": 8, "F": 10, "K": 8}, ("R4", "R5", "D3"))
    ),
    folders=("particles", "dat"),
)
GROUPS = (PHYSICS, PICTURES, PARTICLES)


def numbers_of(test: ast.FunctionDef, tables: dict[str, ast.expr], known: frozenset[str]) -> set[str]:
    """Which of the ``known`` numbers a test bears; ``tables`` are the values of its module's names."""
    words = test.name.removeprefix("test_").split("_")
    for decorator in test.decorator_list:
        for node in ast.walk(decorator):
            table = tables.get(node.id) if isinstance(node, ast.Name) else None
            words += _strings(node if table is None else table)
    return {number for word in words if (number := _number(word, known))}


def _strings(node: ast.AST) -> list[str]:
    return [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def _number(word: str, known: frozenset[str]) -> str:
    """The case that a word names: a known number, or one with a letter or words behind it; else empty."""
    if word in known or word.upper() in known:
        return word if word in known else word.upper()
    match = re.fullmatch(r"([A-Za-z]{1,2}\d{1,2})(?:[a-z]|-[a-z\d-]+)", word)
    return match[1] if match is not None and match[1] in known else ""


def numbers_by_test(source: str, known: frozenset[str]) -> dict[str, set[str]]:
    """The numbers that each test of a module's text bears, by the test's name."""
    module = ast.parse(source)
    tables = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return {
        node.name: numbers_of(node, tables, known)
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def missing(group: Group) -> list[str]:
    """The numbers of a group that no test of its folders bears, in their order."""
    known = frozenset(group.numbers)
    found: set[str] = set()
    for folder in group.folders:
        for path in sorted((TESTS / folder).rglob("test_*.py")):
            found.update(*numbers_by_test(path.read_text(encoding="utf-8"), known).values())
    return [number for number in group.numbers if number not in found]
