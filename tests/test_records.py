"""Two styles of record: frozen results made by keyword, and plain classes with slots."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import pytest

from scripts.compile_hot import HOT, SHARED
from tests.places import ROOT

MOST_BY_PLACE = 4

COUNTS = "counts up while something is gone through, and is read at its end"
FILLED = "filled while it is read or loaded, then handed on"

NOT_FROZEN = {
    "engine/replay/history/ticks.py Span": "a stretch of kept ticks that grows at its end",
    "engine/replay/audit/finding.py Tally": COUNTS,
    "engine/replay/scenarios/overlap.py OverlapWalk": COUNTS,
    "engine/replay/scenarios/solids.py FurnitureCount": COUNTS,
    "engine/world/loading/parcels.py Packer": "starts anew with a new process",
    "engine/world/sources/spawns.py Weenie": FILLED,
    "viewer/picture/tour.py Guide": "a walk that goes on from picture to picture",
    "viewer/verify/border_walk.py BorderWalk": COUNTS,
    "viewer/verify/passage_pictures.py BetweenTicks": COUNTS,
}
"""Dataclasses that change, each with the reason why it is neither frozen nor hot state."""


WITHOUT_SLOTS = {
    "engine/physics/simulation/simulation.py Simulation": "one a window",
    "engine/physics/simulation/ticking.py Ticking": "one a window",
}


@cache
def parsed(folder: str) -> tuple[tuple[str, ast.Module], ...]:
    paths = sorted((ROOT / folder).rglob("*.py"))
    return tuple((p.relative_to(ROOT).as_posix(), ast.parse(p.read_text(encoding="utf-8"))) for p in paths)


@pytest.fixture(scope="module", autouse=True)
def forget_what_was_parsed() -> Iterator[None]:
    yield
    parsed.cache_clear()


def modules(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    """The modules under folders of the project, by their path in it."""
    for folder in folders:
        yield from parsed(folder)


def classes(*folders: str) -> Iterator[tuple[str, ast.ClassDef]]:
    """Every class with its module and name, as NOT_FROZEN writes them."""
    for name, tree in modules(*folders):
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                yield f"{name} {node.name}", node


def dataclass_words(node: ast.ClassDef) -> str | None:
    """What the decorator says, None for a class that is no dataclass."""
    words = [ast.unparse(d) for d in node.decorator_list]
    return next((w for w in words if w.split("(")[0].split(".")[-1] == "dataclass"), None)


def has_slots(node: ast.ClassDef) -> bool:
    return any(
        isinstance(item, ast.Assign | ast.AnnAssign) and "__slots__" in names_set(item) for item in node.body
    )


def is_of_a_kind_with_none(node: ast.ClassDef) -> bool:
    """Exceptions, enums, tuples and protocols: Python lays them out itself."""
    ends = ("Error", "Exception", "Enum", "IntFlag", "NamedTuple", "Protocol", "Interrupted")
    return any(ast.unparse(base).split("[")[0].endswith(ends) for base in node.bases)


def fields_of(node: ast.ClassDef) -> list[str]:
    return [
        item.target.id
        for item in node.body
        if isinstance(item, ast.AnnAssign)
        and isinstance(item.target, ast.Name)
        and "ClassVar" not in ast.unparse(item.annotation)
    ]


def test_every_dataclass_is_frozen_with_slots_or_named_with_its_reason() -> None:
    open_ones = set()
    for name, node in classes("engine", "viewer"):
        words = dataclass_words(node)
        if words is None:
            continue
        assert "slots=True" in words, f"{name}: a dataclass without slots"
        if "frozen=True" not in words:
            open_ones.add(name)
    assert open_ones == set(NOT_FROZEN)


def test_every_class_that_is_compiled_has_slots() -> None:
    hot = tuple(f"engine/{package}" for package in HOT)
    shared = {f"engine/world/{name}.py" for name in SHARED}
    missing = [
        name
        for name, node in (*classes(*hot), *classes("engine/world"))
        if (name.startswith(hot) or name.split()[0] in shared)
        and dataclass_words(node) is None
        and not is_of_a_kind_with_none(node)
        and not has_slots(node)
    ]
    assert missing == list(WITHOUT_SLOTS)


def assigned(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The fields that a module's own classes have: assigned to self, or declared in a record."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                yield node.attr, node.lineno
        elif isinstance(node, ast.ClassDef) and dataclass_words(node) is not None:
            for name in fields_of(node):
                yield name, node.lineno


READ_OTHERWISE = {
    "engine/dat/records": "holds what the file holds; `dat show` lists fields as they are declared",
    "engine/dat/container": "so does a header",
    "engine/motion": "the wing grows",
    "engine/replay/scenarios/solids.py": "figures of a scenario, told as they are declared",
    "engine/replay/scenarios/scenario.py": "a scenario's rule stands in its table for who reads that",
    "viewer/report": "a report is told as it is declared",
    "viewer/renderer/gl/stats.py": "counted for whoever measures a picture; tests hold bounds on them",
}
"""Where fields are read by their declaration, or by people."""

FOR_TESTS = {"merged_views": "tests must know that a region was replaced by its box"}


def test_no_field_is_written_and_never_read() -> None:
    read = {
        node.attr
        for _, tree in modules("engine", "viewer", "scripts")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    }
    unread = {
        f"{name}:{line} {field}"
        for name, tree in modules("engine", "viewer")
        for field, line in assigned(tree)
        if field not in read and not name.startswith(tuple(READ_OTHERWISE)) and field not in FOR_TESTS
    }
    assert unread == set()


def is_a_record(node: ast.ClassDef) -> bool:
    """A dataclass, or a tuple with named places."""
    return dataclass_words(node) is not None or any("NamedTuple" in ast.unparse(b) for b in node.bases)


def test_no_named_tuple_is_made_by_typing() -> None:
    """It takes three times the time, and a start makes two hundred; what stands alone makes its own."""
    taken = [
        name
        for name, tree in modules("engine", "viewer")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "typing"
        if any(alias.name == "NamedTuple" for alias in node.names)
    ]
    assert taken == ["engine/compiled_form.py", "engine/named_tuple.py"]


def class_called(call: ast.Call) -> str:
    """The name that is called, without what it stands in."""
    return ast.unparse(call.func).split("[")[0].split(".")[-1]


def test_records_of_many_values_are_made_by_keyword() -> None:
    """But for records that are read: what a layout unpacks stands in the order of the record's fields."""
    everywhere = ("engine", "viewer", "scripts", "tests")
    records = {node.name for _, node in classes(*everywhere) if is_a_record(node)}
    by_place = [
        f"{name}:{node.lineno} {class_called(node)}"
        for name, tree in modules(*everywhere)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and len(node.args) > MOST_BY_PLACE and class_called(node) in records
        if not (name.startswith("engine/dat/") and any(isinstance(v, ast.Starred) for v in node.args))
    ]
    assert by_place == []


def test_what_a_json_object_is_stands_once() -> None:
    made = [
        name
        for name, tree in modules("engine", "viewer", "scripts", "tests")
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign) and "Json" in names_set(node)
    ]
    assert made == ["engine/files/json_form.py"]


def names_set(node: ast.AST) -> set[str]:
    """The names that a statement gives a value to."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
