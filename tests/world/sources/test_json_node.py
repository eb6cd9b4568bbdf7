"""JSON that is refused takes no more room than JSON that is read."""

from __future__ import annotations

import tracemalloc

import pytest

from engine.world.sources.json_node import JsonError, parse_json


def test_places_of_many_members_deep_down_are_not_all_written_out() -> None:
    """A thousand levels and a hundred thousand members below them, in a megabyte, took four gigabytes."""
    inner = "{" + ",".join(f'"{n:x}":0' for n in range(2000)) + "}"
    deep = f'{{"{"k" * 40}":' * 200 + inner + "}" * 200
    text = f'[{{"a":1,"a":2}},{deep}]'
    tracemalloc.start()
    try:
        with pytest.raises(JsonError, match=r'f\[0\]: "a" is given twice'):
            parse_json(text, "f")
        assert tracemalloc.get_traced_memory()[1] < 2 << 20
    finally:
        tracemalloc.stop()
