"""Files that take their places together are all there, or none is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.files import draft_file
from engine.files.ended_in_order import REQUESTS
from engine.files.together import whole_files
from tests.needed import posix
from tests.places import ROOT

NAMES = ("a", "b", "c")


def written(folder: Path, data: bytes, *, over: bool = False) -> None:
    """Write a file of each name."""
    with whole_files(over=over) as together:
        for name in NAMES:
            with together.file(folder / name) as file:
                file.write(data)


def test_a_file_written_in_pieces_is_whole_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "f.bin"
    path.write_bytes(b"older")
    with pytest.raises(KeyboardInterrupt), whole_files() as one, one.file(path) as file:
        file.write(b"new")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"older"
    with whole_files() as one, one.file(path) as file:
        file.write(b"0123")
        file.seek(1)
        file.write(b"x")
    assert path.read_bytes() == b"0x23"
    assert os.listdir(tmp_path) == ["f.bin"]


@pytest.mark.parametrize("is_unnamed", [True, False])
@pytest.mark.parametrize("came", NAMES)
def test_one_that_came_meanwhile_stays_and_none_comes_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, came: str, *, is_unnamed: bool
) -> None:
    """One or two of three were there beside it, and the line named another."""
    if not is_unnamed:
        monkeypatch.setattr(draft_file, "_open_unnamed", lambda _: -1)
    usual = draft_file.DraftFile.put

    def put(draft: draft_file.DraftFile, *, go_on: bool = False, over: bool = True) -> None:
        (tmp_path / came).write_bytes(b"theirs")
        usual(draft, go_on=go_on, over=over)

    monkeypatch.setattr(draft_file.DraftFile, "put", put)
    with pytest.raises(FileExistsError) as raised:
        written(tmp_path, b"ours")
    assert raised.value.filename == str(tmp_path / came)
    assert os.listdir(tmp_path) == [came]
    assert (tmp_path / came).read_bytes() == b"theirs"


def test_one_that_has_taken_the_place_of_ours_since_is_not_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = draft_file.DraftFile.put

    def put(draft: draft_file.DraftFile, *, go_on: bool = False, over: bool = True) -> None:
        usual(draft, go_on=go_on, over=over)
        if Path(draft.path).name == "a":
            (tmp_path / "theirs").write_bytes(b"theirs")
            (tmp_path / "theirs").replace(tmp_path / "a")
        (tmp_path / "c").write_bytes(b"theirs")

    monkeypatch.setattr(draft_file.DraftFile, "put", put)
    with pytest.raises(FileExistsError):
        written(tmp_path, b"ours")
    assert sorted(os.listdir(tmp_path)) == ["a", "c"]
    assert (tmp_path / "a").read_bytes() == b"theirs"


def test_over_older_ones_those_that_are_put_stay_where_another_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "c").mkdir()
    with pytest.raises(IsADirectoryError) as raised:
        written(tmp_path, b"new", over=True)
    assert raised.value.filename == str(tmp_path / "c")
    assert os.listdir(tmp_path) == ["c"]
    (tmp_path / "c").rmdir()
    for data in (b"older", b"new"):
        written(tmp_path, data, over=True)
    assert [(tmp_path / name).read_bytes() for name in NAMES] == [b"new"] * 3


SIGNALLED = """
import os, signal, sys
from pathlib import Path
from engine.files import draft_file
from tests.files.test_together import written
folder, number = sys.argv[1:]
usual = draft_file.DraftFile.put
def put(draft, **words):
    usual(draft, **words)
    signal.raise_signal(int(number))
draft_file.DraftFile.put = put
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    written(Path(folder), b"ours")
except KeyboardInterrupt:
    sys.exit(130)
"""


@posix("signals")
@pytest.mark.parametrize("number", [signal.SIGINT, *REQUESTS])
def test_a_request_to_end_while_they_are_put_waits_for_the_last(tmp_path: Path, number: int) -> None:
    """Half a world stayed: the cells without the portal."""
    words = [sys.executable, "-c", SIGNALLED, str(tmp_path), str(int(number))]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130 if number == signal.SIGINT else -number, "")
    assert sorted(os.listdir(tmp_path)) == [*NAMES]
