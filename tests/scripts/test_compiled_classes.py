"""What classes of the hot packages tell the compiler holds."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from importlib import import_module

from scripts.long_walk import LongWalk
from tests.needed import interpreted_only
from tests.places import ROOT


def acyclic_classes() -> Iterator[type]:
    """The classes that are marked as never lying on a circle of references."""
    for path in sorted((ROOT / "engine").rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            words = [ast.unparse(d) for d in node.decorator_list] if isinstance(node, ast.ClassDef) else []
            if isinstance(node, ast.ClassDef) and any("acyclic=True" in word for word in words):
                module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
                yield getattr(module, node.name)


@interpreted_only("compiled, their instances are left out of the search for garbage")
def test_no_garbage_of_ticks_and_pictures_is_of_a_class_that_is_said_to_lie_on_no_circle() -> None:
    """An instance on a circle would never be freed: compiled, the search for garbage doesn't look at it."""
    marked = set(acyclic_classes())
    assert len(marked) > 25
    walk = LongWalk(3)
    walk.run(2)
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        walk.run(120)
        gc.collect()
        left = {type(thing) for thing in gc.garbage}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
    assert left & marked == set()
