"""A tuple with named fields is made as typing makes it, but for what typing does with its fields' types."""

from __future__ import annotations

import copy
import pickle
import typing
from collections.abc import Callable
from typing import get_type_hints

import pytest

from engine.named_tuple import NamedTuple


class Ours(NamedTuple):
    """A place."""

    name: str
    at: tuple[float, float]
    over: float = 0.5

    @property
    def end(self) -> float:
        return self.at[1] + self.over

    def __str__(self) -> str:
        return f"{self.name} here"


class Typings(typing.NamedTuple):
    """A place."""

    name: str
    at: tuple[float, float]
    over: float = 0.5

    @property
    def end(self) -> float:
        return self.at[1] + self.over

    def __str__(self) -> str:
        return f"{self.name} here"


@pytest.mark.parametrize(
    "asked",
    [
        lambda kind: kind._fields,
        lambda kind: kind._field_defaults,
        lambda kind: kind.__doc__,
        lambda kind: kind.__module__,
        lambda kind: kind.__bases__,
        lambda kind: kind.__slots__,
        get_type_hints,
        lambda kind: repr(kind("x", at=(1.0, 2.0)))[len(kind.__name__) :],
        lambda kind: str(kind("x", (1.0, 2.0))),
        lambda kind: kind("x", (1.0, 2.0)).end,
        lambda kind: kind("x", (1.0, 2.0))._replace(over=3.0)._asdict(),
    ],
)
def test_it_is_what_typing_makes(asked: Callable[[type], object]) -> None:
    assert asked(Ours) == asked(Typings)


def test_it_is_copied_and_sent_to_other_processes() -> None:
    here = Ours("x", (1.0, 2.0))
    assert copy.deepcopy(here) == here
    assert pickle.loads(pickle.dumps(here)) == here
    assert type(pickle.loads(pickle.dumps(here))) is Ours


def test_a_field_too_few_or_unknown_is_refused() -> None:
    with pytest.raises(TypeError):
        Ours("x")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Ours("x", (1.0, 2.0), under=1.0)  # type: ignore[call-arg]
