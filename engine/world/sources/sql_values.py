"""What the values of a row in SQL are worth, and where one is none (sources 5)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import StringIO
from typing import Final

from engine.world.sources.sql_tokens import Token

Value = int | float | str | None


@dataclass(frozen=True, slots=True)
class Expression:
    """A value that only a database could work out, as it is written: ``NOW()``, ``@id + 1``."""

    text: str


MOST_PARTS: Final = 64  # of a value that is no number or text; only the beginning of it is ever shown
_ESCAPE = re.compile(r"\\(.)|''|\"\"", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "Z": "\x1a"}
_CONSTANTS: dict[str, Value] = {"null": None, "true": 1, "false": 0}
_MARKS = frozenset("+-*/%=<>!|&^~.(),?:@")
_JOINING = """
    all and any as asc at between binary by case collate desc distinct div else end escape exists for from
    having in interval is join like limit mod not on or order regexp rlike select separator then union
    using when where xor microsecond second minute hour day week month quarter year
"""
_BETWEEN = frozenset(_JOINING.split())
"""Words that stand between two values, or before one."""
_BEFORE_TEXT = frozenset({"b", "x", "n", "e", "date", "time", "timestamp"})


def is_out_of_place(before: Token | None, token: Token) -> bool:
    """Whether a part of a value can't stand behind the one before, as where a quote is lost.

    Those are two values without a sign between them, or a sign that no value has, as a quote without another.
    """
    if token.kind == "mark":
        is_call = before is None or before.kind in ("mark", "word", "name")
        return token.text not in _MARKS or (token.text == "(" and not is_call)
    if before is None or token.word in _BETWEEN or not _ends_a_value(before):
        return False
    if token.kind == "number":
        return not (token.text[0] in "+-" or before.word.startswith("_"))
    if token.kind == "text" and before.kind == "word":
        return not (before.word in _BEFORE_TEXT or before.word.startswith("_"))
    return True


def _ends_a_value(token: Token) -> bool:
    return token.text == ")" if token.kind == "mark" else token.word not in _BETWEEN


def meaning(parts: list[Token]) -> Value | Expression:
    """What a value's parts are worth."""
    if len(parts) == 1:
        (token,) = parts
        if token.kind == "number":
            return _number(token.text)
        if token.kind == "text":
            return _unescaped(token.text[1:-1])
        if token.word in _CONSTANTS:
            return _CONSTANTS[token.word]
    if len(parts) == 2 and parts[0].kind == "word" and parts[0].text[0] == "_":  # a set of letters
        return meaning(parts[1:])
    if len(parts) == 2 and parts[1].kind == "text" and parts[0].word in ("b", "x"):
        try:
            return int(parts[1].text[1:-1], 2 if parts[0].word == "b" else 16)
        except ValueError:
            pass
    return Expression(" ".join(part.text for part in parts))


def _number(text: str) -> int | float:
    if "x" in text.lower():
        return int(text, 16)
    try:
        return int(text)
    except ValueError:
        return float(text)


def _unescaped(text: str) -> str:
    """A text without its escapes, piece by piece: ``re.sub`` would keep all of them in a list first."""
    out, end = StringIO(), 0
    for match in _ESCAPE.finditer(text):
        out.write(text[end : match.start()])
        escaped = match[1]
        out.write(match[0][0] if escaped is None else _ESCAPED.get(escaped, escaped))
        end = match.end()
    out.write(text[end:])
    return out.getvalue()
