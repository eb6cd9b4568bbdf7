"""Files that the program keeps for itself: what costs more than it is worth is refused in a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.settings_files import LARGEST, parse_settings
from viewer.window.user_files.key_file import load_keys
from viewer.window.user_files.user_settings import Settings
from viewer.window.user_files.window_place import PlaceFile
from viewer.window.walking.going import Bookmarks

LONG_KEY = ".".join(["a"] * (LARGEST // 4)) + " = 1\n"


@pytest.mark.parametrize("line", [LONG_KEY, f"[{LONG_KEY[:200]}b]", f"'a' = {{{LONG_KEY[:200]}b = 1}}"])
def test_a_key_of_very_many_parts_is_refused_before_it_is_taken_apart(line: str) -> None:
    with pytest.raises(ValueError, match="line 2: has a key of too many parts"):
        parse_settings("\n" + line)


@pytest.mark.parametrize("folder", ["../" * 40, 'a\\"' + "." * 40, "#" + "." * 40])
@pytest.mark.parametrize("mark", ['"', "'"])
def test_points_in_texts_and_remarks_are_no_parts(folder: str, mark: str) -> None:
    text = folder if mark == '"' else folder.replace("\\", "")
    assert parse_settings(f"dats = {mark}{text}{mark} # {'.' * 40}") == {"dats": folder.replace("\\", "")}


def test_a_file_with_such_a_key_is_told_of_by_whoever_reads_it(tmp_path: Path) -> None:
    for name in ("settings.toml", "keys.toml", "window.toml", "bookmarks.toml"):
        (tmp_path / name).write_text(LONG_KEY, encoding="utf-8")
    (settings,) = Settings(tmp_path).complaints
    (keys,) = load_keys(tmp_path / "keys.toml")[1]
    told = [settings, keys, Bookmarks(tmp_path).complaint]
    assert all("line 1: has a key of too many parts" in line for line in told)
    assert "is no place of a window" in PlaceFile(tmp_path / "window.toml").complaint
