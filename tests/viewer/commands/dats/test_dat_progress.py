"""Commands that go through all objects of the dats say how far they are, in one way."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from tests.places import DEMO
from viewer.main import main
from viewer.terminal import say_over

ALL = {
    "dat ls": [],
    "dat show": ["--all", "--json"],
    "dat grep": ["0x01000001"],
    "dat diff": [str(DEMO), str(DEMO)],
}
SHARE = re.compile(r"holtwalk: (dat \w+): (\d+\.\d)%.*?(?:, at (0x[0-9A-F]{8}))?")


def told(capsys: pytest.CaptureFixture[str], command: str, *more: str) -> tuple[str, list[str]]:
    """What a command prints, and its lines on stderr."""
    demo = [] if command == "dat diff" else ["--demo"]
    assert main([*command.split(), *ALL[command], *demo, *more]) == 0
    out, err = capsys.readouterr()
    return out, err.splitlines()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.report.progress.IN_LINES", 0.0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("command", "words"),
    [*((command, []) for command in ALL if command != "dat show"), *((c, ["--type", "Setup"]) for c in ALL)],
)
def test_what_goes_through_all_objects_says_how_far_it_is_where_that_is_asked_for(
    command: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    printed, silent = told(capsys, command, *words)
    assert silent == []
    out, lines = told(capsys, command, *words, "--progress")
    assert out == printed
    found = [SHARE.fullmatch(line) for line in lines]
    matches = [match for match in found if match is not None]
    assert len(matches) == len(lines) > 10
    assert {match[1] for match in matches} == {command}
    shares = [float(match[2]) for match in matches]
    assert shares == sorted(shares) and shares[0] == 0.0
    assert all(match[3] for match in matches[1:])  # each names the object that it is at
    if not words or command in ("dat grep", "dat show"):  # of a type these know the whole
        assert 80.0 < shares[-1] <= 100.0


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("command", ["dat grep", "dat diff"])
def test_damage_is_told_on_a_line_of_its_own(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.report.progress.ON_TERMINAL", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    for name in ("client_portal.dat", "client_cell_1.dat"):
        (tmp_path / name).write_bytes((DEMO / name).read_bytes())
    assert main(["dat", "extract", "0x01000A00", "--demo", "--out", str(tmp_path / "one.bin")]) == 0
    record = (tmp_path / "one.bin").read_bytes()[:64]
    whole = (tmp_path / "client_portal.dat").read_bytes()
    (tmp_path / "client_portal.dat").write_bytes(whole.replace(record, record[:4] + b"\xff" * 60))
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    words = [str(tmp_path), str(DEMO)] if command == "dat diff" else ["0x7FFFFFFF", "--dats", str(tmp_path)]
    assert main([*command.split(), *words]) == 2
    text = terminal.getvalue()
    assert f"{tmp_path / 'client_portal.dat'}" in text and "%, " in text
    for line in text.split("\n"):
        assert "holtwalk: " not in line or line.rpartition("\r\x1b[K")[2].startswith("holtwalk: ")


def test_a_dumb_terminal_gets_no_line_that_is_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Editors' shells and some build servers show escapes as they are."""
    monkeypatch.setattr("viewer.report.progress.ON_TERMINAL", 0.0)
    for kind, escapes in (("xterm", True), ("dumb", False), ("unknown", False), ("", False)):
        monkeypatch.setenv("TERM", kind)
        terminal = Terminal()
        monkeypatch.setattr("sys.stderr", terminal)
        assert main(["dat", "grep", "0x7FFFFFFF", "--demo"]) == 0
        assert ("\x1b" in terminal.getvalue()) == escapes


@pytest.mark.parametrize(("columns", "room"), [(30, 29), (1, 78), (0, 78), (200, 78)])
def test_a_line_that_is_written_over_stays_within_its_row(
    columns: int, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one of two rows the first stayed behind with each update."""
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((columns, 24)))
    say_over("a " * 60)
    assert len(terminal.getvalue().removeprefix("\r\x1b[K")) == room
