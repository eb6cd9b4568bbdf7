"""JSON input with errors that name file, place and reason in one line."""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from engine.dat.hex_id import hex_id
from engine.dat.number_rules import number_fault
from engine.dat.values import Quat, StoredFrame, Vec3
from engine.files.format_version import KEY, Format, FormatError, check_stamp
from engine.files.read import ReadError, read_text
from engine.files.shown import in_json, shown
from engine.named_tuple import NamedTuple
from engine.world.location import parse_location

MOST_DIGITS = 4300
_STRING_OR_DIGITS = re.compile(r'"(?:[^"\\]|\\.)*"|[0-9]+', re.DOTALL)


class JsonError(ValueError):
    """Input that can't be read or makes no sense, in one line."""


class StampError(JsonError):
    """A file of another form or of a newer version: nothing in it can be believed."""


def read_json(path: Path, *, pipes: bool = True) -> object:
    """The JSON document in a file, or pipe where ``pipes``. Raises JsonError: one line with the place."""
    return parse_json(json_text(path, pipes=pipes), str(path))


def json_text(path: Path, *, pipes: bool = True) -> str:
    """The text of a file of JSON, or of lines of it; raises JsonError where it can't be read."""
    try:
        return read_text(path, pipes=pipes)
    except ReadError as error:
        raise JsonError(str(error)) from None


def parse_json(text: str, where: str, *, is_line: bool = False) -> object:
    """The document that a text holds; ``where`` is the file, or its place in a file where ``is_line``.

    Raises JsonError in one line, also for an object that has a key twice: a reader would keep one of the
    values in silence.
    """
    twice: dict[int, str] = {}  # the first such key by its object

    def keep(pairs: list[tuple[str, object]]) -> dict[str, object]:
        members: dict[str, object] = {}
        for key, value in pairs:
            if key in members:
                twice.setdefault(id(members), key)
            members[key] = value
        return members

    try:
        document: object = json.loads(text, object_pairs_hook=keep)
    except json.JSONDecodeError as error:
        place = f"column {error.colno}" if is_line else f"line {error.lineno} column {error.colno}"
        raise JsonError(f"{where}: {place}: not JSON ({error.msg})") from None
    except RecursionError:
        raise JsonError(f"{where}: not JSON that can be read (nested too deeply)") from None
    except ValueError:  # Python takes no whole number of that many digits
        place = "" if is_line else f" line {_line_of_longest(text)}:"
        raise JsonError(f"{where}:{place} a number of more than {MOST_DIGITS} digits") from None
    if twice:
        for found in _objects(document):
            if id(found.value) in twice:
                raise JsonError(f'{where}{found.place}: "{shown(twice[id(found.value)])}" is given twice')
    return document


def is_stamp(line: str, where: str, form: Format) -> bool:
    """Whether a line says what form its file has and nothing else. Raises StampError, and JsonError."""
    if KEY not in line:
        return False
    root = Node(parse_json(line, where, is_line=True), where)
    root.of_form(form)
    return isinstance(root.value, dict) and set(root.value) == {KEY}


class _Member(NamedTuple):
    """A value of a document and what holds it: in words the place of each of many deep down would be long."""

    value: object
    holder: _Member | None = None
    key: str | int = ""

    @property
    def place(self) -> str:
        """Where it stands, from outside in."""
        words: list[str] = []
        member = self
        while member.holder is not None:
            words.append(f"[{member.key}]" if isinstance(member.key, int) else f": {shown(member.key)}")
            member = member.holder
        return "".join(reversed(words))


def _objects(document: object) -> Iterator[_Member]:
    """The objects of a document, from outside in."""
    todo = [_Member(document)]
    while todo:
        member = todo.pop()
        if isinstance(member.value, dict):
            yield member
            todo += [_Member(value, member, key) for key, value in member.value.items()]
        elif isinstance(member.value, list):
            todo += [_Member(value, member, index) for index, value in enumerate(member.value)]


def _line_of_longest(text: str) -> int:
    """The line of the first number with too many digits."""
    for match in _STRING_OR_DIGITS.finditer(text):
        if match[0][0] != '"' and len(match[0]) > MOST_DIGITS:
            return text.count("\n", 0, match.start()) + 1
    return 1


class Node:
    """A value of a JSON document that knows where it stands, so that errors can say so."""

    def __init__(self, value: object, where: str) -> None:
        self.value = value
        self.where = where

    def fail(self, reason: str) -> NoReturn:
        """Raise the one-line error about this value."""
        raise JsonError(f"{self.where}: {reason}" if self.where else reason)

    def of_form(self, form: Format) -> None:
        """Refuse a document that says it is of another form or of a newer version (StampError)."""
        try:
            check_stamp(self.value, form)
        except FormatError as error:
            raise StampError(f"{self.where}: {error}" if self.where else str(error)) from None

    def mapping(self) -> dict[str, object]:
        """The value as an object."""
        if not isinstance(self.value, dict):
            self.fail("expected an object {...}")
        return self.value

    def only(self, *keys: str) -> None:
        """Refuse keys that mean nothing here: they would be mistakes nobody hears of."""
        for key in self.mapping():
            if key not in keys:
                self.fail(f"'{shown(key)}' means nothing here; known are {', '.join(keys)}")

    def has(self, key: str) -> bool:
        """Whether a key is there and not null."""
        return self.mapping().get(key) is not None

    def get(self, key: str) -> Node:
        """The value of a key that must be there."""
        if not self.has(key):
            self.fail(f"'{key}' is missing")
        return Node(self.mapping()[key], f"{self.where}: {shown(key)}" if self.where else shown(key))

    def by_id(self) -> dict[int, Node]:
        """The values of an object whose keys are 32-bit numbers, by number; one written twice is refused."""
        out: dict[int, Node] = {}
        for key in self.mapping():
            number = Node(key, self.where).unsigned()
            if number in out:
                self.fail(f"{hex_id(number)} is given twice")
            out[number] = self.get(key)
        return out

    def by_name(self) -> dict[str, Node]:
        """The values of an object whose keys are names of somebody's choice; a file's stamp is none."""
        return {name: self.get(name) for name in self.mapping() if name != KEY}

    def items(self, key: str) -> list[Node]:
        """The members of a list, none where the key is missing."""
        return self.get(key).members() if self.has(key) else []

    def members(self) -> list[Node]:
        """The value as a list."""
        if not isinstance(self.value, list):
            self.fail("expected a list [...]")
        return [Node(item, f"{self.where}[{index}]") for index, item in enumerate(self.value)]

    def group(self, count: int) -> list[Node]:
        """A list of so many members."""
        members = self.members()
        if len(members) != count:
            self.fail(f"expected {count} members, not {len(members)}")
        return members

    def number(self) -> float:
        """A number within the bounds of records', rounded to single precision as one would hold it."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self.fail(f"expected a number, not {in_json(self.value)}")
        if isinstance(self.value, float) and not math.isfinite(self.value):
            self.fail(f"{shown(self.value)} is not a finite number")
        if abs(self.value) > 3e38:  # also a whole number that no float holds
            self.fail(f"is {shown(self.value)}, too large for what it says")
        fault = number_fault(float(self.value))
        if fault is not None:
            self.fail(fault)
        return single(float(self.value))

    def exact(self) -> float:
        """A finite number as it is written, in double precision."""
        self.number()
        assert isinstance(self.value, int | float)
        return float(self.value)

    def above_zero(self) -> float:
        """The same of one that is above zero."""
        if self.exact() <= 0.0:
            self.fail(f"{shown(self.value)} is not above 0")
        return self.exact()

    def whole(self) -> int:
        """A whole number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self.fail(f"expected a whole number, not {in_json(self.value)}")
        return self.value

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.fail(f"expected true or false, not {in_json(self.value)}")
        return self.value

    def numbers(self, count: int) -> tuple[float, ...]:
        """A list of so many numbers."""
        members = self.members()
        if len(members) != count:
            self.fail(f"expected {count} numbers, not {len(members)}")
        return tuple(member.number() for member in members)

    def vec3(self) -> Vec3:
        """Three numbers, ``[x, y, z]`` or ``{"X": x, "Y": y, "Z": z}``."""
        if isinstance(self.value, dict):
            return (self.get("X").number(), self.get("Y").number(), self.get("Z").number())
        x, y, z = self.numbers(3)
        return (x, y, z)

    def quat(self) -> Quat:
        """A unit quaternion, ``[w, x, y, z]`` or an object with W, X, Y and Z."""
        if isinstance(self.value, dict):
            w = self.get("W").number()
            x, y, z = self.vec3()
        else:
            w, x, y, z = self.numbers(4)
        length = math.sqrt(w * w + x * x + y * y + z * z)
        if abs(length - 1.0) > 0.01:
            self.fail(f"the orientation's length is {length:.3f}, not 1")
        return (w / length, x / length, y / length, z / length)

    def turn(self) -> Quat:
        """A unit quaternion ``[w, x, y, z]`` to the bit: in double precision, as long as it is written."""
        self.quat()
        w, x, y, z = (member.exact() for member in self.members())
        return (w, x, y, z)

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            self.fail(f"expected a string, not {in_json(self.value)}")
        return self.value

    def unsigned(self) -> int:
        """An unsigned 32-bit number, written as ``0x7A9B4015`` or in digits."""
        value = self.value
        if isinstance(value, str):
            try:
                value = int(value, 0)
            except ValueError:
                self.fail(f"'{shown(value)}' is not a number like 0x7A9B4015")
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 0xFFFFFFFF:
            self.fail(f"{in_json(value)} is not an unsigned 32-bit number")
        return value

    def id_of(self, kind: int, name: str) -> int:
        """An object id of a type, by its top byte."""
        value = self.unsigned()
        if value >> 24 != kind:
            self.fail(f"{hex_id(value)} is no {name} id (0x{kind:02X}......)")
        return value

    def location(self) -> tuple[int, StoredFrame]:
        """A cell id and a place in its block."""
        text = self.text()
        try:
            place = parse_location(text)
        except ValueError as error:
            self.fail(str(error))
        if place.on_ground:
            self.fail("map coordinates have no height; give a cell and a position")
        if place.is_middle:
            self.fail("a cell's id alone is no place here; give a cell and a position")
        x, y, z = place.frame.origin
        qw, qx, qy, qz = place.frame.quat
        return place.cell_id, StoredFrame(
            (single(x), single(y), single(z)), (single(qw), single(qx), single(qy), single(qz))
        )


def single(value: float) -> float:
    """The single-precision number nearest to a value."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])
