"""Files that the program keeps for itself: what costs more than it is worth is refused in a line."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

import pytest

from engine.files.format_version import BOOKMARKS, SETTINGS
from engine.files.write import write_text
from viewer.settings_files import LARGEST, change_settings, parse_settings, remark_of
from viewer.window.user_files import key_file, user_settings
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


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (LONG_KEY, "line 1: has a key of too many parts"),
        ("a = " + "[" * 5000, "nested too deeply"),
        ("a = 1\nb = " + "9" * 5000, "line 2: has a number of more than 4300 digits"),
    ],
)
def test_a_file_that_would_take_too_long_or_deep_is_told_of_by_whoever_reads_it(
    tmp_path: Path, text: str, why: str
) -> None:
    for name in ("settings.toml", "keys.toml", "window.toml", "bookmarks.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (settings,) = Settings(tmp_path).complaints
    (keys,) = load_keys(tmp_path / "keys.toml")[1]
    told = [settings, keys, Bookmarks(tmp_path).complaint]
    assert all(why in line for line in told)
    assert "is no place of a window" in PlaceFile(tmp_path / "window.toml").complaint


def test_digits_in_texts_and_remarks_are_no_number() -> None:
    digits = "9" * 5000
    assert parse_settings(f"a = '{digits}' # {digits}\nb = 0x{'9' * 5000}") == {
        "a": digits,
        "b": int("9" * 5000, 16),
    }


def test_what_two_windows_change_at_once_is_both_kept(tmp_path: Path) -> None:
    path, second = tmp_path / "bookmarks.toml", Event()

    def change_too(text: str) -> str:
        second.set()
        return text + "b = 2\n"

    other = Thread(target=change_settings, args=(path, BOOKMARKS, change_too, {"b": 2}))

    def change(text: str) -> str:
        other.start()
        second.wait(0.2)  # in vain: it waits for this to be done
        return text + "a = 1\n"

    assert change_settings(path, BOOKMARKS, change, {"a": 1}) == ""
    other.join()
    assert parse_settings(path.read_text(encoding="utf-8")) == {"a": 1, "b": 2}


@pytest.mark.parametrize("module", [key_file, user_settings])
def test_a_file_that_came_since_one_looked_is_not_replaced_by_a_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: object
) -> None:
    def none_yet(path: Path, _form: object) -> None:
        write_text(path, "mine = 1\n")

    monkeypatch.setattr(module, "read_settings", none_yet)
    complaints = load_keys(tmp_path / "keys.toml")[1] + Settings(tmp_path).complaints
    assert complaints == []
    name = "keys.toml" if module is key_file else "settings.toml"
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine = 1\n"


@pytest.mark.parametrize("value", ["60{}", "60{}x", "{}60", "6{}0", "60{}# but{}", "'a'{}", '"""a"""{}b'])
@pytest.mark.parametrize("name", ["fov", "#fov", "'fov'"])
def test_many_blanks_about_a_value_are_passed_over_once(name: str, value: str) -> None:
    """To share them out in every way between value and remark would take hours."""
    line = f"{name} = " + value.replace("{}", " " * 300_000)
    assert user_settings.changed(f"{line}\nnear = 1\n", "fov", 70.0).startswith("fov = 70")
    assert remark_of(line).strip() == ("# but" if "#" in value and not name.startswith("#") else "")


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("a = 1 # one", " # one"),
        ("a = 1\t# one # two", "\t# one # two"),
        ("a = '#' # one", " # one"),
        ('a = "\\"#" #', " #"),
        ("a = '''#''' # one", " # one"),
        ("a = [1,  2]  #one", "  #one"),
        ("a = 1", ""),
        ("a = '#'  ", ""),
        ("# a", ""),
    ],
)
def test_a_remark_begins_with_the_blanks_before_its_sign(line: str, remark: str) -> None:
    assert remark_of(line) == remark


def test_a_change_that_makes_a_file_too_long_to_be_read_again_is_not_written(tmp_path: Path) -> None:
    """The bookmark was told as kept, and with it all others were gone from the next start on."""
    path = tmp_path / "settings.toml"
    first = change_settings(path, SETTINGS, lambda _: "a = 1\n", {"a": 1})
    assert first == ""
    old = path.read_text()
    path.write_text(old + "#" * (LARGEST - len(old) - 8) + "\n")
    before = path.read_text()
    said = change_settings(path, SETTINGS, lambda text: f"{text}b = 12345\n", {"b": 12345})
    assert said == f"{path}: it would be larger than {LARGEST} bytes, which are not read again; not written"
    assert path.read_text() == before
    assert change_settings(path, SETTINGS, lambda text: f"{text}b=1\n", {"b": 1}) == ""


def test_lines_that_end_as_windows_editors_end_them_do_so_after_a_change(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    assert change_settings(path, SETTINGS, lambda _: "a = 1\nb = 2\n", {"a": 1, "b": 2}) == ""
    assert b"\r" not in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    before = path.read_bytes()
    assert change_settings(path, SETTINGS, lambda text: text.replace("b = 2", "b = 3"), {"b": 3}) == ""
    assert path.read_bytes() == before.replace(b"b = 2", b"b = 3")


def test_a_text_over_two_lines_is_not_cut_in_two_where_nothing_else_is_said(tmp_path: Path) -> None:
    """The file was no TOML afterwards, and all of it was passed over from then on."""
    path = tmp_path / "settings.toml"
    path.write_text('start = """\n0xA9B40031 [155.4 23.5 94] 1 0 0 0"""\n')
    before = path.read_bytes()
    said = Settings(tmp_path).set_and_keep("start", "")
    assert said == f"{path}: start can't be changed in it: change it by hand; not written"
    assert path.read_bytes() == before
