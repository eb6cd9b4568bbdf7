"""The pages that people read, and what stands on them as code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.places import ROOT

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(path for path in DOCS.rglob("*.md") if path.parent.name != "reference")]
PAGES += [ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md")]
IDS = [str(path.relative_to(ROOT)) for path in PAGES]
MADE = {"commands.md", "keys.md", "modes.md", "settings.md", "pictures.md"}  # from tables, and compared

_BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)


def blocks(path: Path) -> Iterator[tuple[str, str]]:
    """The language and the text of each fenced block of a page."""
    for match in _BLOCK.finditer(path.read_text(encoding="utf-8")):
        yield match[1], match[2]


def prose(path: Path) -> str:
    """A page without its fenced blocks."""
    return _BLOCK.sub("", path.read_text(encoding="utf-8"))


def spans(path: Path) -> Iterator[str]:
    """What stands between backticks in a page's prose."""
    yield from (" ".join(span.split()) for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", prose(path)))


def code(path: Path) -> Iterator[str]:
    """The lines of code of a page: of blocks, and what stands between backticks."""
    for _, text in blocks(path):
        yield from text.splitlines()
    yield from spans(path)


def program_line(line: str) -> str:
    """A line of code cut to what the program is called with; empty where it is another's."""
    line = re.sub(r"^(xvfb-run -a |python -m )", "", line.strip().removeprefix("$ "))
    if not re.match(r"holtwalk( |$)", line):
        return ""
    return re.split(r"  +#|  +…| [>|] ", line)[0].removesuffix("…").strip()


def is_usage(line: str) -> bool:
    """Whether a line tells what may be given, and not what is."""
    return ("[" in line and "|" in line) or bool(re.search(r"\[--|\b(COMMAND|SHELL)\b", line))
