"""Rows of INSERT statements in SQL text, for a few tables: read as text, never executed (sources 5).

What hides rows, as a letter that is wrong or a piece of the file that is lost, is told: a world without them
would be a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from engine.files.shown import shown
from engine.world.sources.sql_tokens import QUOTES, Hear, Report, Token, Tokens
from engine.world.sources.sql_values import MOST_PARTS, Expression, Value, is_out_of_place, meaning


@dataclass(frozen=True, slots=True)
class SqlRow:
    """One row: its values by column name in lower case, and the line it begins in."""

    table: str
    values: dict[str, Value | Expression]
    line: int


_INSERTS = frozenset({"insert", "replace"})
_BEGINNINGS = """
    alter analyze attach begin call case change check close comment commit create deallocate declare delete
    delimiter detach do drop else elseif end execute explain fetch flush get grant handler if insert iterate
    kill leave load lock loop open optimize pragma prepare purge reindex release rename repair repeat replace
    reset resignal return revoke rollback savepoint select set show signal source start stop truncate unlock
    update use vacuum while with xa
"""
_STATEMENTS = frozenset(_BEGINNINGS.split())
"""What statements begin with, those within triggers and procedures too."""
_MODIFIERS = frozenset({"low_priority", "delayed", "high_priority", "ignore", "into"})
_DELIMITER = "$"  # as often follows the END of a procedure
_IF_NOT_EXISTS = frozenset({"if", "not", "exists"})
_NO_COLUMNS = frozenset(
    {"primary", "key", "unique", "constraint", "index", "fulltext", "spatial", "foreign", "check"}
)
_VALUES = frozenset({"values", "value"})
_BEHIND_TABLE = _VALUES | frozenset({"set", "select", "as", "default", "partition", "table", "with"})
_BEHIND_ROWS = frozenset({"on", "as", "returning"})
"""What is done with rows where there are such rows already; a name for them; what is to be said of them."""
_TO_TABLE = rf"\b(?:insert|replace)\s+(?:(?:{'|'.join(sorted(_MODIFIERS))})\s+)*"
_HEAD = re.compile(rf"{_TO_TABLE}(?:\w+\.)?(\w+)", re.I)
_HEAD_OF_NAME = re.compile(r"\b(?:insert|replace)\s+(?:\w+\s+)*(?:\w+\.)?$", re.I)
_HEAD_IN_TEXT = re.compile(rf"^[ \t]*{_TO_TABLE}(?:[`\"]?\w+[`\"]?\.)?[`\"]?(\w+)", re.I | re.M)
SHORTEST_HEAD, LONGEST_HEAD = 10, 64  # letters that an INSERT has before its table's name
MOST_COLUMNS: Final = 4096  # no database's table has more
NEARLY: Final = 0.7  # how like one another, of 1, two names are of which one has lost up to eight letters
NEARLY_INTO: Final = 0.4  # the same of a word of four, of which one is left
_NO_WORDS = "'\"#-/"  # what begins so is a quote, a comment or a sign


class _DamagedError(Exception):
    """Something in a statement that can't be read: where and why."""

    def __init__(self, at: int, reason: str) -> None:
        super().__init__(reason)
        self.at = at


def insert_rows(
    text: str,
    tables: Collection[str],
    report: Report,
    hear: Hear = lambda _: None,
    *,
    others: Collection[str] = (),
) -> Iterator[SqlRow]:
    """The rows that a text inserts into ``tables`` (lower case), in order; the rest is passed over.

    ``report`` takes a line number and what makes no sense there; reading goes on behind it. ``hear`` is told
    now and then, between rows and within them, how many letters are read. A table whose name is nearly one of
    the ``tables`` is reported, unless it is one of the ``others``, which there are.
    """
    reader = _Reader(Tokens(text, report, hear), tables, others)
    while not reader.at_end():
        table = reader.insert_head()
        if table in tables:
            yield from reader.rows(table)
        if not reader.is_at_insert:
            reader.skip_statement()


class _Reader:
    def __init__(self, tokens: Tokens, tables: Collection[str], others: Collection[str]) -> None:
        self._tokens = tokens
        self._tables, self._others = tables, others
        self._created: dict[str, list[str]] = {}  # the columns of tables
        self._looked_up = "", ""  # a table's name, and which one it is nearly
        self.is_at_insert = False  # where another statement begins though none has ended

    def at_end(self) -> bool:
        """Whether nothing but blanks and comments is left."""
        return self._tokens.peek().kind == "end"

    def insert_head(self) -> str:
        """The table of the INSERT or REPLACE that begins here, in lower case; empty for anything else."""
        self.is_at_insert = False
        tokens = self._tokens
        first = tokens.peek()
        if first.word == "create":
            self._create()
            return ""
        if first.word == "update":
            self._update()
            return ""
        if first.word not in _INSERTS:
            self._tell_of_beginning(first)
            return ""
        tokens.next()
        is_into = False
        while (modifier := tokens.peek().word) in _MODIFIERS:
            is_into |= modifier == "into"
            tokens.next()
        name = self._table()
        behind = tokens.peek()
        if name in self._tables:
            return name
        is_cut = not name or (not is_into and get_close_matches(name, ["into"], 1, NEARLY_INTO))
        if is_cut or name in _BEHIND_TABLE or not (behind.text == "(" or behind.word in _BEHIND_TABLE):
            what = f"an INSERT that names no table before '{shown(behind.text)}'"
            tokens.complain(first.at, f"{what}; it is passed over")
        elif nearly := self._nearly(name):
            tokens.complain(
                first.at,
                f"'{shown(name)}' is no table of a world, though nearly {nearly}; it is passed over",
            )
        return ""

    def _nearly(self, name: str) -> str:
        """The table that a name is nearly that of; empty for none."""
        if name != self._looked_up[0]:  # dumps have thousands of INSERTs into one table after the other
            near = [] if name in self._others else get_close_matches(name, self._tables, 1, NEARLY)
            self._looked_up = name, "".join(near)
        return self._looked_up[1]

    def _tell_of_beginning(self, first: Token) -> None:
        """Tell of a statement that begins with no word of SQL, which may have been one of ours."""
        tokens = self._tokens
        if first.text == ";" or first.text in QUOTES or first.word.rstrip(_DELIMITER) in _STATEMENTS:
            return
        tokens.next()
        if first.kind != "word" or tokens.peek().text != ":":  # the name of a loop
            tokens.complain(first.at, f"no statement begins with '{shown(first.text)}'; it is passed over")

    def _update(self) -> None:
        """Tell of an UPDATE of one of the tables, as patches of a world have it."""
        tokens = self._tokens
        first = tokens.next()
        while (part := tokens.peek()).text not in ("", ";") and part.word != "set":
            tokens.next()
            if (word := _name_in(part)) in self._tables:
                tokens.complain(
                    first.at, f"{word}: an UPDATE is not done; what it would change stays as it is"
                )

    def _create(self) -> None:
        """Keep the columns of a table that a dump creates, as its INSERTs need not name them."""
        tokens = self._tokens
        tokens.next()
        if tokens.peek().word != "table":
            return
        tokens.next()
        while tokens.peek().word in _IF_NOT_EXISTS:
            tokens.next()
        name = self._table()
        if name not in self._tables or tokens.peek().text != "(":
            return
        columns: list[str] = []
        depth, before = 0, ""
        while tokens.peek().text not in ("", ";") and (depth or not before) and len(columns) <= MOST_COLUMNS:
            token = tokens.next()
            if depth == 1 and before in ("(", ",") and token.word not in _NO_COLUMNS:
                columns.append(_name_in(token))
            depth += (token.text == "(") - (token.text == ")")
            before = token.text if depth == 1 else "within"
        if depth == 0 and all(columns):
            self._created[name] = columns

    def rows(self, table: str) -> Iterator[SqlRow]:
        """The rows behind a head."""
        tokens = self._tokens
        try:
            columns = self._columns(table)
            while True:
                start = tokens.peek()
                row = self._row(table, columns)
                if row is not None:
                    yield row
                if tokens.peek().text != ",":
                    self._end(table)
                    return
                tokens.next()
                if tokens.peek().text == ";":
                    raise _DamagedError(start.at, f"{table}: a comma ends the list of rows")
        except _DamagedError as damage:
            tokens.complain(damage.at, str(damage))

    def _end(self, table: str) -> None:
        """What stands behind the last row: the statement's end, or what it does with rows it has already."""
        behind = self._tokens.peek()
        complain = self._tokens.complain
        self.is_at_insert = behind.word in _INSERTS
        if self.is_at_insert:
            complain(behind.at, f"{table}: the statement before has no semicolon at its end")
        elif behind.kind == "end":
            complain(behind.at, f"{table}: no semicolon stands behind the last row; the rest may be cut off")
        elif not (behind.text == ";" or behind.word in _BEHIND_ROWS):
            raise _DamagedError(behind.at, f"{table}: neither a comma nor a semicolon stands behind a row")

    def skip_statement(self) -> None:
        """Go behind the next semicolon that stands outside of quotes and comments.

        An INSERT into one of the tables within it is reported: a semicolon or a quote may be missing before.
        """
        tokens = self._tokens
        before = (0, 0)  # where what stands before a quoted name begins and ends
        while (match := tokens.pass_over()) is not None:
            first = tokens.text[match.start()]
            if first == "`":
                name = match[0][1:-1].lower()
                if name in self._tables and _HEAD_OF_NAME.search(tokens.text, *before):
                    self._complain_of_head(match.start(), name)
            elif first in QUOTES:
                self._look_into(*match.span())
            elif first not in _NO_WORDS and match[0] != ".":
                before = max(match.start(), match.end() - LONGEST_HEAD), match.end()
                for head in _HEAD.finditer(tokens.text, *match.span()):
                    if head[1].lower() in self._tables:
                        self._complain_of_head(head.start(), head[1].lower())
        text, at = tokens.text, tokens.at
        if text[at : at + 1] == ";":
            tokens.at += 1
        elif at < len(text):
            what = "comment" if text[at] == "/" else "quote"
            tokens.complain(at, f"a {what} that is not closed; the rest is passed over")
            tokens.at = len(text)

    def _complain_of_head(self, at: int, table: str) -> None:
        self._tokens.complain(
            at, f"{table}: this INSERT stands in a statement that began before; passed over"
        )

    def _look_into(self, start: int, end: int) -> None:
        """Tell of a text that holds an INSERT into one of the tables: what it ends with may begin one."""
        if end - start < SHORTEST_HEAD:
            return
        for head in _HEAD_IN_TEXT.finditer(self._tokens.text, start, end):
            if head[1].lower() in self._tables:
                what = f"{head[1].lower()}: this INSERT stands in a text in quotes that began before"
                self._tokens.complain(head.start(), f"{what}; passed over")

    def _columns(self, table: str) -> list[str]:
        tokens = self._tokens
        start = tokens.peek()
        if start.text != "(":
            if start.word in _VALUES and table in self._created:
                tokens.next()
                return self._created[table]
            raise _DamagedError(start.at, f"{table}: the statement names no columns; passed over")
        tokens.next()
        columns: list[str] = []
        while True:
            columns.append(self._name())
            mark = tokens.next()
            if not columns[-1] or mark.text not in ",)" or len(columns) > MOST_COLUMNS:
                raise _DamagedError(start.at, f"{table}: its list of columns makes no sense; passed over")
            if mark.text == ")":
                break
        if tokens.next().word not in _VALUES:
            raise _DamagedError(start.at, f"{table}: there are no VALUES; passed over")
        return columns

    def _row(self, table: str, columns: list[str]) -> SqlRow | None:
        start = self._tokens.next()
        if start.text != "(":
            raise _DamagedError(start.at, f"{table}: expected a row in parentheses")
        values: list[Value | Expression] = []
        count = 0
        odd: Token | None = None
        while True:
            value, end, odd = self._value(table, start, odd)
            count += 1
            if count <= len(columns):
                values.append(value)
            if end == ")":
                break
        wrong = "" if count == len(columns) else f"{count} values for {len(columns)} columns"
        if odd is not None:
            wrong = f"'{shown(odd.text)}' is out of place in a value; a quote may be lost"
        if wrong:
            self._tokens.complain(start.at, f"{table}: {wrong}; left out")
            return None
        cells = dict(zip(columns, values, strict=True))
        return SqlRow(table, cells, self._tokens.line_of(start.at))

    def _value(
        self, table: str, start: Token, odd: Token | None
    ) -> tuple[Value | Expression, str, Token | None]:
        """A value, the mark behind it, and the first part of a row's values that is out of place."""
        parts: list[Token] = []
        before: Token | None = None
        depth = 0
        while True:
            token = self._tokens.next()
            if token.kind == "end" or token.text == ";":
                raise _DamagedError(start.at, f"{table}: a row is not closed; left out")
            if depth == 0 and token.text in (",", ")"):
                return meaning(parts), token.text, odd
            depth += (token.text == "(") - (token.text == ")")
            if odd is None and is_out_of_place(before, token):
                odd = token
            if token.kind == "text":
                self._look_into(token.at, token.at + len(token.text))
            before = token
            if len(parts) < MOST_PARTS:
                parts.append(token)

    def _table(self) -> str:
        """The name of a table that comes next, without that of its database."""
        name = self._name()
        while self._tokens.peek().text == ".":
            self._tokens.next()
            name = self._name()
        return name

    def _name(self) -> str:
        """The name that comes next, which ANSI's SQL may have in double quotes; empty for anything else."""
        return _name_in(self._tokens.next())


def _name_in(token: Token) -> str:
    is_quoted = token.text[:1] == '"'
    return token.text[1:-1].replace('""', '"').lower() if is_quoted else token.word
