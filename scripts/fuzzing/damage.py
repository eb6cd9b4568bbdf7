"""Damage to bytes, documents and texts: what is taken away, moved, changed, or made hostile."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from scripts.fuzzing.samples import LAYOUT, PLACE

BYTES = (0, 1, 2, 3, 4, 0x7F, 0x80, 0xC0, 0xCD, 0xFE, 0xFF)
WORDS = (0, 1, 61, 62, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xCDCDCDCD, 0xFFFFFFFE, 0xFFFFFFFF)
DIGITS, DIGITS_MARK = "9" * 5000, "@digits@"
HOSTILE: tuple[object, ...] = (
    None, True, False, 0, 1, -1, 2, 0.5, 1e-320, 1e9, -1e9, 1e38, 3.5e38, 1e308, float("nan"), float("inf"),
    1 << 31, (1 << 32) - 1, 1 << 32, 1 << 63, DIGITS_MARK, "", "0x", "0x0", "0x7A9B4015", "0x" + "f" * 5000,
    "x" * 20_000, "\x1b[31m\n\x9b", "\u202e", "NaN", [], {}, [[]], [0, 0, 0], [1e30, 0, 0], PLACE,
    "0xA9B40170 [1e5 -1e5 1e5]", "0xFFFFFFFF [0 0 0]", "42.1N 33.6E", "0xA9B40000 [0 0 0]",
)  # fmt: skip
SQL_HOSTILE = (
    "'nan'", "'inf'", "1e999", "-1", "0", "NULL", "NOW()", "'", '"', "`", "/*", "*/", "--", "#", ";", ",",
    "(", ")", "\\", "''", DIGITS, "0x" + "f" * 5000, "x'", "b'2'", "\0", "\x1b", "INSERT INTO", "VALUES",
    "3.5e38", "1e-320", "0x00000001", "4294967296", "'" + "x" * 20_000 + "'",
)  # fmt: skip
LAYOUT_HOSTILE = (
    "[", "]", "\n", "Pos=", "Pos=99999,1", "Pos=1e9,0", "Size=0,0", "Size=-1,5", "[Window][",
    "[Docking][Data]\n", "DockId=0x00000000", "DockNode ID=0x00000003", "Parent=0x00000003", "Split=X",
    DIGITS, "\0", "\x1b", "%s%n", "##",
)  # fmt: skip
TOML_HOSTILE = (
    "=", '"', "[", "]", "[" * 900, "{", "'", '"""', "\n", "1e999", DIGITS, "\0", "\x1b", "1979-05-27", ".",
)  # fmt: skip
ODD_NUMBERS = ("0", "-40000", "1920", "1e999", "nan", "true", "0x" + "f" * 5000, DIGITS)


def places(document: object) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON document, as its container and its key or index."""
    todo = [document]
    while todo:
        item = todo.pop()
        members = (
            item.items() if isinstance(item, dict) else enumerate(item) if isinstance(item, list) else ()
        )
        for key, value in members:
            yield item, key
            todo.append(value)


def damaged_json(document: object, dice: Random) -> bytes:
    """A document with one to three values taken away, moved, changed or made hostile; or damaged bytes."""
    document = deepcopy(document)
    for _ in range(dice.randint(1, 3)):
        found = list(places(document))
        if not found:
            break
        holder, key = dice.choice(found)
        value = holder[key]
        if isinstance(value, int | float) and dice.random() < 0.6:
            holder[key] = type(value)(value + dice.choice((0.001, -1, 1, 100, -1e6)) * dice.random())
            continue
        match dice.randrange(6):
            case 0:
                del holder[key]
            case 1:
                other, at = dice.choice(found)
                holder[key] = deepcopy(other[at])
            case 2 if isinstance(holder, list):
                holder *= dice.choice((2, 3, 40))
            case 3 if isinstance(holder, dict):
                holder[str(dice.choice(HOSTILE))] = holder.pop(key)
            case _:
                holder[key] = deepcopy(dice.choice(HOSTILE))
    data = as_json(document)
    if dice.random() < 0.3:
        data = mutate(data, data, dice)
    if dice.random() < 0.02:
        data = data.replace(b"[", b"[" * 2000, 1)
    return data


def as_json(document: object) -> bytes:
    """A document as text, with numbers in it that Python can't write."""
    return json.dumps(document).replace(f'"{DIGITS_MARK}"', DIGITS).encode()


def damaged_text(text: str, dice: Random, hostile: tuple[str, ...]) -> bytes:
    """A text with hostile words put in or in the place of others; or its bytes damaged."""
    words = text.split(" ")
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(words))
        words[at : at + dice.randint(0, 1)] = [dice.choice(hostile)]
    data = " ".join(words).encode()
    return mutate(data, data, dice) if dice.random() < 0.4 else data


def damaged_layout(dice: Random) -> bytes:
    """The sample layout with hostile words, or one of its numbers changed."""
    if dice.random() < 0.5:
        return damaged_text(LAYOUT, dice, LAYOUT_HOSTILE)
    number = dice.choice(list(re.finditer(r"[0-9]+", LAYOUT)))
    other = str(dice.choice((0, 1, 17, 640, 32_767, 32_768, 99_999, -1, DIGITS)))
    return (LAYOUT[: number.start()] + other + LAYOUT[number.end() :]).encode()


def mutate(data: bytes, other: bytes, dice: Random, hot: range | tuple[int, ...] = ()) -> bytes:
    """``data`` with one to four damages: bytes and words set, parts cut, doubled, moved or taken from other.

    ``hot`` are places that are hit more often than the rest.
    """
    out = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        size = len(out)
        if not size:
            break
        spot = dice.choice(hot) % size if hot and dice.random() < 0.7 else dice.randrange(size)
        length = min(dice.choice((1, 2, 4, 8, 20, 100)), size - spot)
        match dice.randrange(9):
            case 0 | 1:
                out[spot] = dice.choice(BYTES)
            case 2:
                out[spot] ^= 1 << dice.randrange(8)
            case 3 | 4:
                place = min(spot - spot % 4, max(size - 4, 0))
                word = dice.choice((*WORDS, dice.getrandbits(32), size, spot))
                out[place : place + 4] = struct.pack("<I", word)[: size - place]
            case 5:
                out[spot : spot + length] = dice.randbytes(length)
            case 6:
                del out[spot : spot + length]
            case 7:
                out[spot:spot] = out[spot : spot + length]
            case _:
                if dice.random() < 0.5:
                    del out[spot:]
                else:
                    start = dice.randrange(len(other) or 1)
                    out[spot:] = other[start:]
    return bytes(out)
