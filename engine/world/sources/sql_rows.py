"""Rows of INSERT statements in SQL text, for a few tables: read as text, never executed (sources 5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Final

from engine.named_tuple import NamedTuple

Value = int | float | str | None
Report = Callable[[int, str], None]
Hear = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Expression:
    """A value that only a database could work out, as it is written: ``NOW()``, ``@id + 1``."""

    text: str


@dataclass(frozen=True, slots=True)
class SqlRow:
    """One row: its values by column name in lower case, and the line it begins in."""

    table: str
    values: dict[str, Value | Expression]
    line: int


# Possessive: a place to go back to, kept for every escape, is as much memory as thirty times the text.
_QUOTED = r"'[^'\\]*+(?:(?:\\.|'')[^'\\]*+)*+'"
_DOUBLE = r'"[^"\\]*+(?:(?:\\.|"")[^"\\]*+)*+"'
_NAME = r"`[^`]*+(?:``[^`]*+)*+`"
_SPACE = r"\s+|--[^\n]*|\#[^\n]*|/\*.*?\*/"
# Atomic: digits that make no number are not tried again in every shorter way.
_NUMBER = r"(?>[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?))"
_TOKEN = re.compile(
    rf"(?P<space>{_SPACE})|(?P<text>{_QUOTED}|{_DOUBLE})|(?P<name>{_NAME})"
    rf"|(?P<number>{_NUMBER})(?![\w.])|(?P<word>[@A-Za-z_$][\w@$]*)|(?P<odd>\d[\w.]*)|(?P<mark>.)",
    re.DOTALL,
)
_PASSED_OVER = re.compile(
    rf"[^;'\"`\#/-]+|{_QUOTED}|{_DOUBLE}|{_NAME}|--[^\n]*|\#[^\n]*|/\*.*?\*/|-|/(?!\*)", re.DOTALL
)
_ESCAPE = re.compile(r"\\(.)|''|\"\"", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "Z": "\x1a"}
_CONSTANTS: dict[str, Value] = {"null": None, "true": 1, "false": 0}
_INSERTS = frozenset({"insert", "replace"})
_MODIFIERS = frozenset({"low_priority", "delayed", "high_priority", "ignore", "into"})
_BEHIND_ROWS = frozenset({"on", "as"})  # what is done with them where there are such rows; a name for them
_HEAD = re.compile(rf"\b(?:insert|replace)\s+(?:(?:{'|'.join(sorted(_MODIFIERS))})\s+)*(?:\w+\.)?(\w+)", re.I)
_HEAD_OF_NAME = re.compile(r"\b(?:insert|replace)\s+(?:\w+\s+)*(?:\w+\.)?$", re.I)
LONGEST_HEAD: Final = 64  # letters that an INSERT has before its table's name
MOST_COLUMNS: Final = 4096  # no database's table has more
MOST_PARTS: Final = 64  # of a value that is no number or text; only the beginning of it is ever shown
HEARD: Final = 1 << 16  # letters between two words on how far the reading is
_NO_WORDS = "'\"#-/"  # what begins so is a quote, a comment or a sign


class _DamagedError(Exception):
    """Something in a statement that can't be read: where and why."""

    def __init__(self, at: int, reason: str) -> None:
        super().__init__(reason)
        self.at = at


class _Token(NamedTuple):
    kind: str
    text: str
    at: int

    @property
    def word(self) -> str:
        """A bare or quoted name in lower case; empty for anything else."""
        if self.kind == "name":
            return self.text[1:-1].replace("``", "`").lower()
        return self.text.lower() if self.kind == "word" else ""


def insert_rows(
    text: str, tables: Collection[str], report: Report, hear: Hear = lambda _: None
) -> Iterator[SqlRow]:
    """The rows that a text inserts into ``tables`` (lower case), in order; the rest is passed over.

    ``report`` takes a line number and what makes no sense there; reading goes on behind it. ``hear`` is told
    now and then, between rows and within them, how many letters are read.
    """
    reader = _Reader(text, report, hear)
    while not reader.at_end():
        table = reader.insert_head()
        if table in tables:
            yield from reader.rows(table)
        if not reader.is_at_insert:
            reader.skip_statement(tables)


class _Reader:
    def __init__(self, text: str, report: Report, hear: Hear) -> None:
        self._text = text
        self._at = 0
        self._report = report
        self._hear, self._heard = hear, 0
        self._unclosed = ""  # quotes of which no pair is left: looking again would cost the whole rest
        self._line, self._counted = 1, 0
        self.is_at_insert = False  # where another statement begins though none has ended

    def at_end(self) -> bool:
        """Whether nothing but blanks and comments is left."""
        return self._peek().kind == "end"

    def insert_head(self) -> str:
        """The table of the INSERT or REPLACE that begins here, in lower case; empty for anything else."""
        self.is_at_insert = False
        if self._peek().word not in _INSERTS:
            return ""
        self._next()
        while self._peek().word in _MODIFIERS:
            self._next()
        name = self._name()
        while self._peek().text == ".":
            self._next()
            name = self._name()
        return name

    def rows(self, table: str) -> Iterator[SqlRow]:
        """The rows behind a head."""
        try:
            columns = self._columns(table)
            while True:
                start = self._peek()
                row = self._row(table, columns)
                if row is not None:
                    yield row
                if self._peek().text != ",":
                    self._end(table)
                    return
                self._next()
                if self._peek().text == ";":
                    raise _DamagedError(start.at, f"{table}: a comma ends the list of rows")
        except _DamagedError as damage:
            self._complain(damage.at, str(damage))

    def _end(self, table: str) -> None:
        """What stands behind the last row: the statement's end, or what it does with rows it has already."""
        behind = self._peek()
        self.is_at_insert = behind.word in _INSERTS
        if self.is_at_insert:
            self._complain(behind.at, f"{table}: the statement before has no semicolon at its end")
        elif behind.kind == "end":
            self._complain(
                behind.at, f"{table}: no semicolon stands behind the last row; the rest may be cut off"
            )
        elif not (behind.text == ";" or behind.word in _BEHIND_ROWS):
            raise _DamagedError(behind.at, f"{table}: neither a comma nor a semicolon stands behind a row")

    def skip_statement(self, tables: Collection[str]) -> None:
        """Go behind the next semicolon that stands outside of quotes and comments.

        An INSERT into one of the ``tables`` within it is reported: a semicolon may be missing before.
        """
        before = (0, 0)  # where what stands before a quoted name begins and ends
        while (match := _PASSED_OVER.match(self._text, self._at)) is not None:
            self._at = match.end()
            if self._at >= self._heard:
                self._tell()
            first = self._text[match.start()]
            if first == "`":
                name = match[0][1:-1].lower()
                if name in tables and _HEAD_OF_NAME.search(self._text, *before):
                    self._complain_of_head(match.start(), name)
            elif first not in _NO_WORDS and match[0] != ".":
                before = max(match.start(), match.end() - LONGEST_HEAD), match.end()
                for head in _HEAD.finditer(self._text, *match.span()):
                    if head[1].lower() in tables:
                        self._complain_of_head(head.start(), head[1].lower())
        if self._text[self._at : self._at + 1] == ";":
            self._at += 1
        elif self._at < len(self._text):
            what = "comment" if self._text[self._at] == "/" else "quote"
            self._complain(self._at, f"a {what} that is not closed; the rest is passed over")
            self._at = len(self._text)

    def _complain_of_head(self, at: int, table: str) -> None:
        self._complain(at, f"{table}: this INSERT stands in a statement that began before; passed over")

    def _columns(self, table: str) -> list[str]:
        start = self._peek()
        if start.text != "(":
            raise _DamagedError(start.at, f"{table}: the statement names no columns; passed over")
        self._next()
        columns: list[str] = []
        while True:
            columns.append(self._name())
            mark = self._next()
            if not columns[-1] or mark.text not in ",)" or len(columns) > MOST_COLUMNS:
                raise _DamagedError(start.at, f"{table}: its list of columns makes no sense; passed over")
            if mark.text == ")":
                break
        if self._next().word not in ("values", "value"):
            raise _DamagedError(start.at, f"{table}: there are no VALUES; passed over")
        return columns

    def _row(self, table: str, columns: list[str]) -> SqlRow | None:
        start = self._next()
        if start.text != "(":
            raise _DamagedError(start.at, f"{table}: expected a row in parentheses")
        values: list[Value | Expression] = []
        count = 0
        while True:
            value, end = self._value(table, start)
            count += 1
            if count <= len(columns):
                values.append(value)
            if end == ")":
                break
        if count != len(columns):
            what = f"{table}: {count} values for {len(columns)} columns; left out"
            self._complain(start.at, what)
            return None
        cells = dict(zip(columns, values, strict=True))
        return SqlRow(table, cells, self._line_of(start.at))

    def _value(self, table: str, start: _Token) -> tuple[Value | Expression, str]:
        """A value and the mark behind it."""
        parts: list[_Token] = []
        depth = 0
        while True:
            token = self._next()
            if token.kind == "end" or token.text == ";":
                raise _DamagedError(start.at, f"{table}: a row is not closed; left out")
            if depth == 0 and token.text in (",", ")"):
                return _meaning(parts), token.text
            depth += (token.text == "(") - (token.text == ")")
            if len(parts) < MOST_PARTS:
                parts.append(token)

    def _name(self) -> str:
        """The name that comes next, which ANSI's SQL may have in double quotes; empty for anything else."""
        token = self._next()
        is_quoted = token.text[:1] == '"'
        return token.text[1:-1].replace('""', '"').lower() if is_quoted else token.word

    def _peek(self) -> _Token:
        token = self._next()
        if token.kind != "end":
            self._at = token.at
        return token

    def _next(self) -> _Token:
        while self._at < len(self._text):
            if self._at >= self._heard:
                self._tell()
            at, first = self._at, self._text[self._at]
            if first in self._unclosed:
                self._at += 1
                return _Token("mark", first, at)
            match = _TOKEN.match(self._text, at)
            assert match is not None and match.lastgroup is not None  # a mark is any character
            if match.lastgroup == "mark" and self._text.startswith("/*", at):
                self._complain(at, "a comment that is not closed; the rest is passed over")
                self._at = len(self._text)
                break
            self._at = match.end()
            if match.lastgroup == "mark" and first in "'\"`":
                self._unclosed += first
            if match.lastgroup != "space":
                return _Token(match.lastgroup, match[0], at)
        return _Token("end", "", len(self._text))

    def _tell(self) -> None:
        self._hear(self._at)
        self._heard = self._at + HEARD

    def _complain(self, at: int, reason: str) -> None:
        self._report(self._line_of(at), reason)

    def _line_of(self, at: int) -> int:
        if at < self._counted:
            self._line, self._counted = 1, 0
        self._line += self._text.count("\n", self._counted, at)
        self._counted = at
        return self._line


def _meaning(parts: list[_Token]) -> Value | Expression:
    if len(parts) == 1:
        (token,) = parts
        if token.kind == "number":
            return _number(token.text)
        if token.kind == "text":
            return _unescaped(token.text[1:-1])
        if token.word in _CONSTANTS:
            return _CONSTANTS[token.word]
    if len(parts) == 2 and parts[0].word in ("b", "x") and parts[1].kind == "text":
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
