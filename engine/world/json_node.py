"""JSON input with errors that name file, place and reason in one line."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from engine.dat.number_rules import number_fault
from engine.dat.values import Quat, StoredFrame, Vec3
from engine.world.location import parse_location


class JsonError(ValueError):
    """Input that can't be read or makes no sense, in one line."""


def read_json(path: Path) -> object:
    """The JSON document in a file. Raises JsonError with one line naming file and place."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise JsonError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise JsonError(f"{path}: can't be read ({error})") from None
    return parse_json(text, str(path))


def parse_json(text: str, where: str, is_line: bool = False) -> object:
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
    if twice:
        for place, item in _objects(document, where):
            if id(item) in twice:
                raise JsonError(f"{place}: {json.dumps(twice[id(item)])[:60]} is given twice")
    return document


def _objects(document: object, where: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The objects of a document with their places, from outside in."""
    todo: list[tuple[str, object]] = [(where, document)]
    while todo:
        place, item = todo.pop()
        if isinstance(item, dict):
            yield place, item
            todo += [(f"{place}: {key}", value) for key, value in item.items()]
        elif isinstance(item, list):
            todo += [(f"{place}[{index}]", value) for index, value in enumerate(item)]


class Node:
    """A value of a JSON document that knows where it stands, so that errors can say so."""

    def __init__(self, value: object, where: str) -> None:
        self.value = value
        self.where = where

    def fail(self, reason: str) -> NoReturn:
        """Raise the one-line error about this value."""
        raise JsonError(f"{self.where}: {reason}" if self.where else reason)

    def mapping(self) -> dict[str, object]:
        """The value as an object."""
        if not isinstance(self.value, dict):
            self.fail("expected an object {...}")
        return self.value

    def only(self, *keys: str) -> None:
        """Refuse keys that mean nothing here: they would be mistakes nobody hears of."""
        for key in self.mapping():
            if key not in keys:
                self.fail(f"'{key}' means nothing here; known are {', '.join(keys)}")

    def has(self, key: str) -> bool:
        """Whether a key is there and not null."""
        return self.mapping().get(key) is not None

    def get(self, key: str) -> Node:
        """The value of a key that must be there."""
        if not self.has(key):
            self.fail(f"'{key}' is missing")
        return Node(self.mapping()[key], f"{self.where}: {key}" if self.where else key)

    def by_id(self) -> dict[int, Node]:
        """The values of an object whose keys are 32-bit numbers, by number; one written twice is refused."""
        out: dict[int, Node] = {}
        for key in self.mapping():
            number = Node(key, self.where).unsigned()
            if number in out:
                self.fail(f"0x{number:08X} is given twice")
            out[number] = self.get(key)
        return out

    def items(self, key: str) -> list[Node]:
        """The members of a list, none where the key is missing."""
        return self.get(key).members() if self.has(key) else []

    def members(self) -> list[Node]:
        """The value as a list."""
        if not isinstance(self.value, list):
            self.fail("expected a list [...]")
        return [Node(item, f"{self.where}[{index}]") for index, item in enumerate(self.value)]

    def number(self) -> float:
        """A number within the bounds of records', rounded to single precision as one would hold it."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self.fail(f"expected a number, not {json.dumps(self.value)[:40]}")
        if abs(self.value) > 3e38 or not math.isfinite(self.value):
            self.fail(f"{self.value} is not a finite number")
        fault = number_fault(float(self.value))
        if fault is not None:
            self.fail(fault)
        return single(float(self.value))

    def exact(self) -> float:
        """A finite number as it is written, in double precision."""
        self.number()
        assert isinstance(self.value, int | float)
        return float(self.value)

    def whole(self) -> int:
        """A whole number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self.fail(f"expected a whole number, not {json.dumps(self.value)[:40]}")
        return self.value

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.fail(f"expected true or false, not {json.dumps(self.value)[:40]}")
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

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            self.fail(f"expected a string, not {json.dumps(self.value)[:40]}")
        return self.value

    def unsigned(self) -> int:
        """An unsigned 32-bit number, written as ``0x7A9B4015`` or in digits."""
        value = self.value
        if isinstance(value, str):
            try:
                value = int(value, 0)
            except ValueError:
                self.fail(f"'{value}' is not a number like 0x7A9B4015")
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 0xFFFFFFFF:
            self.fail(f"{json.dumps(value)[:40]} is not an unsigned 32-bit number")
        return value

    def id_of(self, kind: int, name: str) -> int:
        """An object id of a type, by its top byte."""
        value = self.unsigned()
        if value >> 24 != kind:
            self.fail(f"0x{value:08X} is no {name} id (0x{kind:02X}......)")
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
        x, y, z = place.frame.origin
        qw, qx, qy, qz = place.frame.quat
        return place.cell_id, StoredFrame(
            (single(x), single(y), single(z)), (single(qw), single(qx), single(qy), single(qz))
        )


def single(value: float) -> float:
    """The single-precision number nearest to a value."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])
