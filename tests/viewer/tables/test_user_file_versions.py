"""What is kept for the user carries its version in a remark; a newer one is one line, and stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from engine.files.format_version import (
    BOOKMARKS,
    KEYS,
    LAYOUT,
    SETTINGS,
    USER_FILES,
    WINDOW,
    Format,
    stamp_line,
    without_stamp_line,
)
from viewer.overlay.dock.layout_file import LayoutFile
from viewer.window.user_files.key_file import load_keys
from viewer.window.user_files.user_settings import Settings
from viewer.window.user_files.window_place import PlaceFile, WindowPlace
from viewer.window.walking.going import Bookmarks

PLACE: Final = "0xA9B40031 [155.4 18.2 94] 1 0 0 0"


def set_one(folder: Path) -> list[str]:
    settings = Settings(folder)
    settings.set("vsync", not settings["vsync"])
    return [*settings.complaints, settings.keep()]


def name_one(folder: Path) -> list[str]:
    bookmarks = Bookmarks(folder)
    complaint = bookmarks.complaint
    bookmarks.put("here", PLACE)
    return [complaint]


def move_one(folder: Path) -> list[str]:
    layout = LayoutFile(folder / "layout.ini")
    return [layout.complaint, layout.keep("[Window][Map]\nPos=5,6\nSize=70,80\nCollapsed=0\n\n")]


def put_window(folder: Path) -> list[str]:
    place = PlaceFile(folder / "window.toml")
    return [place.complaint, place.keep(WindowPlace(1, 2, 640, 480))]


WRITERS: Final[dict[Format, tuple[str, Callable[[Path], list[str]]]]] = {
    SETTINGS: ("settings.toml", set_one),
    KEYS: ("keys.toml", lambda folder: load_keys(folder / "keys.toml")[1]),
    BOOKMARKS: ("bookmarks.toml", name_one),
    WINDOW: ("window.toml", put_window),
    LAYOUT: ("layout.ini", move_one),
}
each = pytest.mark.parametrize("form", USER_FILES, ids=lambda form: form.name)


@each
def test_what_is_written_begins_with_its_version_and_is_read_again(form: Format, tmp_path: Path) -> None:
    name, write = WRITERS[form]
    assert not any(write(tmp_path))
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert text.startswith(stamp_line(form) + "\n")
    assert text.count("holtwalk") == 1
    assert not any(write(tmp_path))


@each
def test_without_a_version_it_is_read_and_stamped_where_it_is_written(form: Format, tmp_path: Path) -> None:
    name, write = WRITERS[form]
    assert not any(write(tmp_path))
    path = tmp_path / name
    path.write_text(without_stamp_line(path.read_text(encoding="utf-8")).lstrip("\n"), encoding="utf-8")
    assert not any(write(tmp_path))
    if form in (SETTINGS, BOOKMARKS):  # the others are written anew only where they say something new
        assert path.read_text(encoding="utf-8").startswith(stamp_line(form) + "\n")


@each
def test_a_newer_file_is_one_line_and_stays_as_it_is(form: Format, tmp_path: Path) -> None:
    name, write = WRITERS[form]
    assert not any(write(tmp_path))
    path = tmp_path / name
    newer = path.read_text(encoding="utf-8").replace('"version": 1', '"version": 2', 1)
    path.write_text(newer, encoding="utf-8")
    (said,) = [line for line in write(tmp_path) if line]
    assert said.startswith(f"{path}: is of version 2 of the form '{form.name}'")
    assert "\n" not in said
    assert path.read_text(encoding="utf-8") == newer


@pytest.mark.parametrize("form", [WINDOW, LAYOUT], ids=lambda form: form.name)
def test_a_newer_file_that_came_while_the_window_was_open_stays_as_it_is(
    form: Format, tmp_path: Path
) -> None:
    path = tmp_path / WRITERS[form][0]
    layout, place = LayoutFile(path), PlaceFile(path)
    newer = f"{stamp_line(form).replace('1', '2')}\nmore than we know\n"
    path.write_text(newer, encoding="utf-8")
    said = place.keep(WindowPlace(1, 2, 640, 480)) if form is WINDOW else layout.keep("more")
    assert said.startswith(f"{path}: is of version 2 of the form '{form.name}'")
    assert path.read_text(encoding="utf-8") == newer


def test_the_version_is_seen_below_what_somebody_put_before_it(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(f"# by hand\n{stamp_line(SETTINGS)}\nvsync = true\n", encoding="utf-8")
    assert set_one(tmp_path) == [""]
    assert path.read_text(encoding="utf-8") == f"# by hand\n{stamp_line(SETTINGS)}\nvsync = false\n"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"version": 1', '"version": 2'), encoding="utf-8"
    )
    assert "is of version 2" in set_one(tmp_path)[0]


@pytest.mark.parametrize("line", ['# {"holtwalk": 3}', '# {"holtwalk"', '# {"holtwalk": {"format": "keys"}}'])
def test_a_damaged_stamp_is_one_line(line: str, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(line + "\n", encoding="utf-8")
    (said,) = Settings(tmp_path).complaints
    assert said.startswith(f"{tmp_path / 'settings.toml'}: ")
    assert "\n" not in said
