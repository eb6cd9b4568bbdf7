"""What differs between two records, field by field, as ``holtwalk dat diff`` prints it (promises 9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.dat.check.record_json import dumps
from engine.named_tuple import NamedTuple

LONGEST = 128  # letters of a text that is told whole: longer ones are images' bytes


class Nothing:
    """In the place of a value: one of the two has no such field."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING = Nothing()


class FieldDifference(NamedTuple):
    """A field by its path, ``portals[0].flags``, and what each of the two has there, NOTHING included."""

    at: str
    a: Any
    b: Any


class _Path(NamedTuple):
    """A path's last step, on from another path: of deep trees the text is made only where it is told."""

    before: _Path | None
    step: str
    letters: int

    def to(self, step: str) -> _Path:
        return _Path(self, step, self.letters + len(step))

    def __str__(self) -> str:
        steps: list[str] = []
        at: _Path | None = self
        while at is not None:
            steps.append(at.step)
            at = at.before
        return "".join(reversed(steps))


_Differing = tuple[_Path, Any, Any]


def field_differences(a: dict[str, Any], b: dict[str, Any]) -> Iterator[FieldDifference]:
    """The fields in which two records' plain values (``to_fields``) differ, in stored order, however deep.

    Lists of one length are compared place by place; of two lengths what is the same at both ends is passed
    over, so that one item put in is one difference. A path then counts the places of ``a``, those of ``b``
    behind its end.
    """
    for at, one, other in _differing(a, b):
        yield FieldDifference(str(at), one, other)


def first_fields(a: dict[str, Any], b: dict[str, Any], most: int) -> tuple[tuple[FieldDifference, ...], int]:
    """The first of these, whose paths have no more letters together than that, and how many are left out."""
    out: list[FieldDifference] = []
    left_out = 0
    for at, one, other in _differing(a, b):
        most -= at.letters
        if most < 0:
            left_out += 1
        else:
            out.append(FieldDifference(str(at), one, other))
    return tuple(out), left_out


def _differing(a: dict[str, Any], b: dict[str, Any]) -> Iterator[_Differing]:
    todo: list[_Differing] = [(_Path(None, "", 0), a, b)]
    while todo:
        at, one, other = todo.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            todo += reversed(list(_members(at, one, other)))
        elif isinstance(one, list) and isinstance(other, list):
            todo += reversed(list(_items(at, one, other)))
        elif type(one) is not type(other) or one != other:
            yield at, one, other


def _members(at: _Path, a: dict[str, Any], b: dict[str, Any]) -> Iterator[_Differing]:
    for name in [*a, *(name for name in b if name not in a)]:
        yield at.to(f".{name}" if at.letters else name), a.get(name, NOTHING), b.get(name, NOTHING)


def _items(at: _Path, a: list[Any], b: list[Any]) -> Iterator[_Differing]:
    if len(a) == len(b):
        start, end = 0, 0
    else:  # as text, since trees among them can be deeper than comparing goes
        texts, others = [dumps(item) for item in a], [dumps(item) for item in b]
        shorter = min(len(a), len(b))
        start = next((n for n in range(shorter) if texts[n] != others[n]), shorter)
        shorter -= start
        end = next((n for n in range(shorter) if texts[-1 - n] != others[-1 - n]), shorter)
    left, right = a[start : len(a) - end], b[start : len(b) - end]
    for number in range(max(len(left), len(right))):
        one = left[number] if number < len(left) else NOTHING
        other = right[number] if number < len(right) else NOTHING
        yield at.to(f"[{start + number}]"), one, other


def first_difference(a: bytes, b: bytes) -> int:
    """The offset of the first byte in which two differ: the shorter one's end where it begins the other."""
    low, high = 0, min(len(a), len(b))
    while low < high:  # the longest beginning that they share
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
