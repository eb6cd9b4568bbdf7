"""Counting calls of functions while something runs: the evidence for what a tick does and does not ask."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType


class CallCount:
    """Calls by function name, those outside a certain function's own, and the first arguments of all."""

    def __init__(self) -> None:
        self.calls: dict[str, int] = {}
        self.outside: dict[str, int] = {}
        self.first_arguments: dict[str, list[object]] = {}

    def of(self, function: Callable[..., object]) -> int:
        """How often a function was called."""
        return self.calls.get(function.__qualname__, 0)

    def arguments_of(self, function: Callable[..., object]) -> list[object]:
        """The first argument of each call."""
        return self.first_arguments.get(function.__qualname__, [])


def countable(functions: Iterable[Callable[..., object]]) -> bool:
    """Whether calls of these can be seen: compiled functions make no events."""
    return all(isinstance(function, FunctionType) for function in functions)


@contextmanager
def counting_calls(
    *functions: Callable[..., object], within: Callable[..., object] | None = None
) -> Iterator[CallCount]:
    """Count the calls of interpreted functions during a ``with`` block; replaces nothing.

    Those that ``within`` has not led to, directly or not, are counted as ``outside`` as well.
    """
    count = CallCount()
    watched: dict[CodeType, str] = {
        f.__code__: f.__qualname__ for f in functions if isinstance(f, FunctionType)
    }

    inner = within.__code__ if isinstance(within, FunctionType) else None
    depth = 0

    def watch(frame: FrameType, event: str, _: object) -> None:
        nonlocal depth
        if inner is not None and frame.f_code is inner:
            depth += {"call": 1, "return": -1}.get(event, 0)
        if event != "call":
            return
        name = watched.get(frame.f_code)
        if name is None:
            return
        count.calls[name] = count.calls.get(name, 0) + 1
        if depth == 0:
            count.outside[name] = count.outside.get(name, 0) + 1
        if frame.f_code.co_argcount:
            first = frame.f_locals.get(frame.f_code.co_varnames[0])
            count.first_arguments.setdefault(name, []).append(first)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield count
    finally:
        sys.setprofile(before)
