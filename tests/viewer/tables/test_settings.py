"""Settings: one table gives option, file, panel and docs; what does not fit is one line, the rest holds."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from engine.files.format_version import SETTINGS as SETTINGS_FORM
from engine.files.format_version import stamp_line
from tests.viewer.broken_files import NO_FILES, put_broken
from tests.viewer.overlay.panels import Panels, report
from viewer.tables.arguments import parse
from viewer.tables.settings import BY_NAME, SETTINGS, Value
from viewer.user_error import UserError
from viewer.window.user_files.user_settings import Settings, changed, template


def settings(tmp_path: Path, text: str) -> Settings:
    (tmp_path / "settings.toml").write_text(text)
    return Settings(tmp_path)


def test_options_go_before_the_file_and_that_before_what_is_usual(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("fov = 75\nmouse_speed = 2.5\nradius = 3\n")
    _, args = parse(["walk", "--demo", "--fov", "90", "--mouse-inverted", "yes"])
    found = Settings(tmp_path, {s.name: getattr(args, s.name, None) for s in SETTINGS})
    assert found.complaints == []
    assert (found["fov"], found["mouse_speed"], found["radius"]) == (90.0, 2.5, 3)
    assert (found["mouse_inverted"], found["vsync"], found["objects"]) == (True, True, 5)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("fov = 4", "fov"), ("fov = true", "fov"), ("fov = nan", "fov"), ("fov = [1]", "fov"),
        ("vsync = 1", "vsync"), ('vsync = "yes"', "vsync"), ("radius = 2.5", "radius"),
        ("radius = 99999999999999999999999", "radius"), ("ui_scale = 0", "ui_scale"), ("start = 7", "start"),
        (f"radius = 0x{5000 * 'f'}", "radius"), ("banana = 1", "banana"), ('"a\\nb" = 1', "a"),
    ],
)  # fmt: skip
def test_a_value_that_does_not_fit_is_one_line_and_the_rest_holds(
    tmp_path: Path, line: str, name: str
) -> None:
    found = settings(tmp_path, f"mouse_speed = 3.0\n{line}\nobjects = 2\n")
    assert len(found.complaints) == 1
    assert name in found.complaints[0] and "settings.toml" in found.complaints[0]
    assert found.complaints[0].isprintable()
    assert (found["mouse_speed"], found["objects"]) == (3.0, 2)
    if name in BY_NAME:
        assert found[name] == BY_NAME[name].default


UNREADABLE = {"not TOML": b"fov = = 3", "not UTF-8": b"\xc3(", "deep": b"a = " + 9000 * b"["}


@pytest.mark.parametrize("how", [*UNREADABLE, *NO_FILES])
def test_a_file_that_can_not_be_read_is_one_line_and_stays(tmp_path: Path, how: str) -> None:
    path = tmp_path / "settings.toml"
    put_broken(path, how, UNREADABLE)
    found = Settings(tmp_path)
    assert len(found.complaints) == 1 and found.complaints[0].startswith(str(path))
    found.set("fov", 80.0)
    before = path.read_bytes() if path.is_file() else None
    assert found.keep() == ""
    assert before is None or path.read_bytes() == before


def test_the_first_start_writes_a_file_that_sets_nothing_and_names_everything(tmp_path: Path) -> None:
    found = Settings(tmp_path)
    text = (tmp_path / "settings.toml").read_text()
    assert text == f"{stamp_line(SETTINGS_FORM)}\n{template()}"
    assert tomllib.loads(text) == {}
    assert all(f"#{s.name} = " in text for s in SETTINGS)
    assert found.complaints == Settings(tmp_path).complaints == []


def test_what_is_changed_in_the_window_is_kept_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    found = settings(tmp_path, "# mine\nfov = 75 # wide\n\n[other]\nx = 1\n")
    found.set("fov", 80.5)
    found.set("vsync", value=False)
    assert found.is_unsaved
    assert found.keep() == ""
    assert not found.is_unsaved
    text = (tmp_path / "settings.toml").read_text()
    assert (
        text == f"{stamp_line(SETTINGS_FORM)}\n# mine\nfov = 80.5 # wide\n\nvsync = false\n[other]\nx = 1\n"
    )
    found.set("fov", None)
    found.keep()
    assert "\n#fov =  # wide\n" in (tmp_path / "settings.toml").read_text()
    assert Settings(tmp_path)["fov"] is None


def test_what_is_set_again_is_written_though_an_option_or_an_attempt_that_failed_had_it_so(
    tmp_path: Path,
) -> None:
    config = tmp_path / "config"
    found = Settings(config, {"dats": "mine", "fov": 90.0})
    (path,) = config.iterdir()
    path.unlink()
    config.rmdir()
    config.write_text("in the way")
    assert found.set_and_keep("start", "here") == f"{path}: can't be read (Not a directory)"
    assert found["start"] is None
    found.set("vsync", value=False)
    assert found.keep() != ""
    config.unlink()
    config.mkdir()
    assert found.set_and_keep("start", "here") == found.set_and_keep("dats", "mine") == ""
    found.set("fov", 90.0)
    found.set("vsync", value=False)
    assert found.keep() == ""
    kept = Settings(config).from_file
    assert kept == {"start": "here", "dats": "mine", "fov": 90.0, "vsync": False}
    (config / "settings.toml").write_text("")  # another window
    assert found.set_and_keep("start", "here") == ""
    assert Settings(config).from_file == {"start": "here"}


@pytest.mark.parametrize("text", ["fov = nan", "mine = [nan, 1]"])
def test_what_is_no_number_in_the_file_keeps_no_other_setting_from_being_changed(
    tmp_path: Path, text: str
) -> None:
    found = settings(tmp_path, f"{text}\n")
    found.set("samples", 2)
    assert found.keep() == ""
    changed = (tmp_path / "settings.toml").read_text()
    assert text in changed and "\nsamples = 2\n" in changed


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("fov = 60 # why", "fov", 77.0),
        ("'fov'=60\t# why", "fov", 77.0),
        ("#fov = 60 # why", "fov", 77.0),
        ("fov = inf # why", "fov", 77.0),
        ('dats = "a#b" # why', "dats", "c#d"),
        ('dats = """a#b"c""" # why', "dats", "c#d"),
        ("dats = '''a#b'c''' # why", "dats", "c#d"),
    ],
)
def test_a_remark_behind_a_value_stays_when_the_window_changes_it_and_takes_it_back(
    tmp_path: Path, *, text: str, name: str, value: Value
) -> None:
    found = settings(tmp_path, text)
    for wanted in (value, None, value):
        found.set(name, wanted)
        assert found.keep() == ""
        (line,) = [line for line in (tmp_path / "settings.toml").read_text().splitlines() if name in line]
        assert line.endswith(" # why") or line.endswith("\t# why")
        assert line.count("# why") == 1
        assert Settings(tmp_path)[name] == wanted


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("  fov = 60\n", "fov = 77\n"),
        ('"fov" = 60\n', "fov = 77\n"),
        ("'fov'=60#5\n", "fov = 77#5\n"),
        ("[a]\nfov = 5\n#fov = 6\n", "fov = 77\n[a]\nfov = 5\n#fov = 6\n"),
        ("#fov = 5\n  [a]\n", "fov = 77\n  [a]\n"),
    ],
)
def test_a_setting_is_changed_wherever_it_is_written(tmp_path: Path, text: str, new: str) -> None:
    found = settings(tmp_path, text)
    found.set("fov", 77.0)
    assert found.keep() == ""
    path = tmp_path / "settings.toml"
    assert path.read_text() == f"{stamp_line(SETTINGS_FORM)}\n{new}"
    assert Settings(tmp_path)["fov"] == 77.0


@pytest.mark.parametrize(
    "text", ["fov = [\n60]\n", 'fov = """\n60"""\n', "fov.x = 60\n", 'x = """\nfov = 3\n"""\n']
)
def test_a_setting_that_can_not_be_changed_leaves_the_file_as_it_is(tmp_path: Path, text: str) -> None:
    found = settings(tmp_path, text)
    found.set("fov", 77.0)
    said = "settings.toml: fov can't be changed in it: change it by hand; not written"
    assert found.keep() == f"{tmp_path}/{said}"
    assert (tmp_path / "settings.toml").read_text() == text


def test_a_folder_whose_name_is_no_utf_8_is_not_kept_as_another(tmp_path: Path) -> None:
    found = settings(tmp_path, "fov = 60\n")
    found.set("dats", "/games/\udcff")
    assert found.keep().endswith("settings.toml: dats is no UTF-8, and the file is; not written")
    assert (tmp_path / "settings.toml").read_text() == "fov = 60\n"


def test_two_windows_and_an_editor_keep_each_others_settings(tmp_path: Path) -> None:
    one, other = settings(tmp_path, "# mine\n"), Settings(tmp_path)
    one.set("fov", 80.0)
    other.set("vsync", value=False)
    assert one.keep() == other.keep() == ""
    path = tmp_path / "settings.toml"
    path.write_text(f"# by hand\n{path.read_text()}mouse_speed = 2\n")
    one.set("fov", 90.0)
    assert one.keep() == ""
    assert (
        path.read_text()
        == f"# by hand\n{stamp_line(SETTINGS_FORM)}\n# mine\nfov = 90\nvsync = false\nmouse_speed = 2\n"
    )
    path.write_text("in the midst of")
    one.set("fov", 70.0)
    assert one.keep().endswith("; not written")
    assert path.read_text() == "in the midst of"


def test_a_place_and_a_folder_are_written_so_that_they_are_read_again() -> None:
    for name, value in (
        ("start", '0xA9B40170 "x" \\'), ("dats", "C:\\AC\\dats"), ("dats", "/games/two\nlines\x7f\x00")
    ):  # fmt: skip
        assert tomllib.loads(changed(template(), name, value)) == {name: value}


@pytest.mark.parametrize(
    "words", [("--fov", "3"), ("--ui-scale", "9"), ("--vsync", "maybe"), ("--mouse-speed", "x")]
)
def test_an_option_that_does_not_fit_is_refused(words: tuple[str, str]) -> None:
    with pytest.raises(UserError, match=words[0]):
        parse(["walk", "--demo", *words])


@pytest.mark.gl
def test_the_panel_changes_settings(panels: Panels) -> None:
    panels.size = (1280, 720)
    shown = replace(report(), settings={s.name: s.default for s in SETTINGS})
    panels.frames(shown)
    panels.layout.show("Settings")
    panels.frames(shown)
    panels.click("setting vsync", shown)
    assert panels.actions.calls == [("vsync", 0, False)]
    panels.actions.calls.clear()
    panels.click("setting ui_scale", replace(shown, settings={**shown.settings, "ui_scale": 1.5}))
    assert panels.actions.calls[-1][0] == "ui_scale"


def test_a_switch_that_nobody_has_set_yet_takes_yes_and_no_and_nothing_else(tmp_path: Path) -> None:
    assert Settings(tmp_path)["bug_dumps"] is None
    path = tmp_path / "settings.toml"
    for text, value in (("true", True), ("false", False)):
        path.write_text(f"bug_dumps = {text}\n")
        assert Settings(tmp_path)["bug_dumps"] is value
    path.write_text('bug_dumps = "perhaps"\n')
    settings = Settings(tmp_path)
    assert settings["bug_dumps"] is None
    assert "bug_dumps: 'perhaps' is not true or false" in settings.complaints[0]
