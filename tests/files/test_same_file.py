"""Two paths are one file through links, and under other cases of letters where the system takes them so."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from engine.files.same_file import ignores_case, is_same_file, real_path, will_be_same_file
from tests.needed import posix

if TYPE_CHECKING:
    import pytest

pytestmark = posix("a system that tells small from capital letters")


class TakesThemSo:
    """A system that takes capital letters for small ones, and gives each name a number of its own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        stat, lexists = os.stat, os.path.lexists
        self.folder = str(folder)

        def small(path: object) -> str:
            text = os.fspath(path)  # type: ignore[call-overload]
            return self.folder + text[len(self.folder) :].lower() if text.startswith(self.folder) else text

        def numbered(path: object, **how: bool) -> os.stat_result:
            found = list(stat(small(path), **how))
            found[1] += sum(letter.isupper() for letter in os.fspath(path))  # type: ignore[call-overload]
            return os.stat_result(found)

        monkeypatch.setattr(os, "stat", numbered)
        monkeypatch.setattr(os.path, "lexists", lambda path: lexists(small(path)))


def test_links_and_other_names_of_one_file_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    (tmp_path / "link").symlink_to("f")
    os.link(tmp_path / "f", tmp_path / "other")
    for name in ("f", "link", "other", "./f"):
        assert is_same_file(tmp_path / "f", tmp_path / name)
    (tmp_path / "F").touch()
    for name in ("F", "none"):
        assert not is_same_file(tmp_path / "f", tmp_path / name)
    assert not ignores_case(tmp_path) and not will_be_same_file(tmp_path / "n", tmp_path / "N")
    assert will_be_same_file(tmp_path / "n", tmp_path / "d" / ".." / "n")


def test_a_file_that_has_another_number_under_capital_letters_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """exFAT by FUSE: a capture was put over the script that was read, under the name Walk.json."""
    (tmp_path / "dats").mkdir()
    (tmp_path / "dats" / "walk.json").touch()
    (tmp_path / "dats" / "other.json").touch()
    TakesThemSo(monkeypatch, tmp_path)
    walk = tmp_path / "dats" / "walk.json"
    assert os.stat(walk).st_ino != os.stat(tmp_path / "DATS" / "Walk.json").st_ino
    assert is_same_file(walk, tmp_path / "dats" / "Walk.json")
    assert is_same_file(walk, tmp_path / "DATS" / "WALK.json")
    assert is_same_file(tmp_path / "dats", tmp_path / "Dats")
    assert not is_same_file(walk, tmp_path / "dats" / "Other.json")
    assert ignores_case(tmp_path / "dats") and ignores_case(tmp_path / "dats" / "none" / "deeper")
    assert will_be_same_file(tmp_path / "dats" / "n", tmp_path / "Dats" / "N")


def test_a_name_that_no_file_can_have_is_itself() -> None:
    assert real_path(Path("a\0b")) == Path("a\0b")
    assert not is_same_file(Path("a\0b"), Path("a\0b"))
