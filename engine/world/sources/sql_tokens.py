"""The words, texts, numbers and marks that a SQL text is made of, one after the other (sources 5)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from engine.named_tuple import NamedTuple

Report = Callable[[int, str], None]
Hear = Callable[[int], object]

# Possessive: a place to go back to, kept for every escape, is as much memory as thirty times the text.
QUOTED: Final = r"'[^'\\]*+(?:(?:\\.|'')[^'\\]*+)*+'"
DOUBLE: Final = r'"[^"\\]*+(?:(?:\\.|"")[^"\\]*+)*+"'
NAME: Final = r"`[^`]*+(?:``[^`]*+)*+`"
_SPACE = r"[\s\ufeff]+|--[^\n]*|\#[^\n]*|/\*.*?\*/"
# Atomic: digits that make no number are not tried again in every shorter way.
_NUMBER = r"(?>[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?))"
_TOKEN = re.compile(
    rf"(?P<space>{_SPACE})|(?P<text>{QUOTED}|{DOUBLE})|(?P<name>{NAME})"
    rf"|(?P<number>{_NUMBER})(?![\w.])|(?P<word>[@A-Za-z_$][\w@$]*)|(?P<odd>\d[\w.]*)|(?P<mark>.)",
    re.DOTALL,
)
_PASSED_OVER = re.compile(
    rf"[^;'\"`\#/-]+|{QUOTED}|{DOUBLE}|{NAME}|--[^\n]*|\#[^\n]*|/\*.*?\*/|-|/(?!\*)", re.DOTALL
)
_EXECUTED = re.compile(r"/\*M?!\d*\s*(?:insert|replace)\b", re.I)
QUOTES: Final = "'\"`"
HEARD: Final = 1 << 16  # letters between two words on how far the reading is


class Token(NamedTuple):
    """A piece of SQL: what kind it is of, how it is written, and where it begins."""

    kind: str
    text: str
    at: int

    @property
    def word(self) -> str:
        """A bare or quoted name in lower case; empty for anything else."""
        if self.kind == "name":
            return self.text[1:-1].replace("``", "`").lower()
        return self.text.lower() if self.kind == "word" else ""


class Tokens:
    """A SQL text that is read from its beginning to its end.

    ``report`` takes a line number and what makes no sense there. ``hear`` is told now and then how many
    letters are read.
    """

    def __init__(self, text: str, report: Report, hear: Hear) -> None:
        self.text = text
        self.at = 0
        self._report = report
        self._hear, self._heard = hear, 0
        self._unclosed = ""  # quotes of which no pair is left: looking again would cost the whole rest
        self._line, self._counted = 1, 0

    def peek(self) -> Token:
        """What comes next, of the kind ``end`` where nothing but blanks and comments is left."""
        token = self.next()
        if token.kind != "end":
            self.at = token.at
        return token

    def next(self) -> Token:
        """Go behind what comes next."""
        while self.at < len(self.text):
            if self.at >= self._heard:
                self._tell()
            at, first = self.at, self.text[self.at]
            if first in self._unclosed:
                self.at += 1
                return Token("mark", first, at)
            match = _TOKEN.match(self.text, at)
            assert match is not None and match.lastgroup is not None  # a mark is any character
            if match.lastgroup == "mark" and self.text.startswith("/*", at):
                self.complain(at, "a comment that is not closed; the rest is passed over")
                self.at = len(self.text)
                break
            self.at = match.end()
            if match.lastgroup == "mark" and first in QUOTES:
                self._unclosed += first
            if match.lastgroup != "space":
                return Token(match.lastgroup, match[0], at)
            if first == "/":
                self._look_into(match)
        return Token("end", "", len(self.text))

    def pass_over(self) -> re.Match[str] | None:
        """Go behind the next quoted or unquoted piece or comment; None before a semicolon and at the end."""
        match = _PASSED_OVER.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            if self.at >= self._heard:
                self._tell()
            if match[0][0] == "/":
                self._look_into(match)
        return match

    def _look_into(self, comment: re.Match[str]) -> None:
        """Tell of a comment that seems to have lost its end, and goes on to that of the next one.

        And of one with an INSERT that a database would execute.
        """
        start, end = comment.span()
        if _EXECUTED.match(self.text, start, end):
            self.complain(start, "an INSERT in a comment that MySQL executes; it is passed over")
        another = self.text.find("/*", start + 2, end)
        if another >= 0 and self.text.find("\n", start, another) >= 0:
            self.complain(start, "a comment is not closed before the next one; both are passed over as one")

    def complain(self, at: int, reason: str) -> None:
        """Report what makes no sense at a letter."""
        self._report(self.line_of(at), reason)

    def line_of(self, at: int) -> int:
        """The line that a letter stands in."""
        count = self.text.count
        ahead, back = count("\n", self._counted, at), count("\n", at, self._counted)  # one of them is none
        self._line += ahead - back
        self._counted = at
        return self._line

    def _tell(self) -> None:
        self._hear(self.at)
        self._heard = self.at + HEARD
