"""Who has no home folder, as in a container or a service, goes on without one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn

import pytest

from tests.needed import posix
from tests.places import ROOT
from viewer import user_folders
from viewer.doctor.folders import folders_found, usual_folders
from viewer.main import main
from viewer.user_folders import NO_HOME, NOTHING_KEPT
from viewer.window.user_files.key_file import key_file, settings_folder
from viewer.window.user_files.user_settings import Settings

ASKED = re.compile(r"\bplatformdirs\.|\bfrom platformdirs\b|\bPath\.home\b|\bexpanduser\b|getpwuid")


@pytest.fixture
def homeless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without a home; the folder that the program is started in."""

    def unknown(_: int) -> NoReturn:
        raise KeyError("no entry in the list of users")

    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_PICTURES_DIR", "XDG_DOCUMENTS_DIR", "WINEPREFIX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@posix("homes")
def test_without_a_home_nothing_is_kept_and_all_is_written_where_it_was_started(homeless: Path) -> None:
    assert (key_file(), settings_folder(), user_folders.home_folder()) == (None, None, None)
    assert user_folders.pictures_folder() == user_folders.documents_folder() == homeless
    assert usual_folders() == []


@posix("homes")
def test_the_examination_says_in_one_line_that_there_is_no_home(
    homeless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = "pictures in the folder that it is started in"
    found = folders_found()
    assert found.ok is None
    assert found.detail == f"{NO_HOME}; no settings are kept, {pictures}"
    assert found.figures["settings"] is found.figures["pictures"] is None
    assert found.remedy.startswith("put HOME=")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(homeless))
    assert folders_found().detail == f"{NO_HOME}; settings in {homeless / 'holtwalk'}, {pictures}"


@posix("homes")
@pytest.mark.usefixtures("homeless")
def test_a_walk_says_once_that_nothing_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["walk", "--dats", "nowhere"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert told[0] == f"holtwalk: {NOTHING_KEPT}"
    assert len(told) == 2 and "nowhere" in told[1]  # its world is all that is refused


def test_settings_say_why_they_are_not_kept(tmp_path: Path) -> None:
    assert Settings(None).unkept == "there is no folder for settings.toml"
    assert Settings(tmp_path).unkept == ""
    broken = tmp_path / "settings.toml"
    broken.write_text("fov = [", encoding="utf-8")
    assert Settings(tmp_path).unkept == f"{broken} can't be read"


def test_one_module_alone_asks_where_a_user_has_folders() -> None:
    paths = [path for top in ("engine", "viewer", "scripts") for path in (ROOT / top).rglob("*.py")]
    asking = [path for path in paths if ASKED.search(path.read_text(encoding="utf-8"))]
    assert asking == [Path(user_folders.__file__)]


@posix("homes")
def test_where_it_was_started_is_named_where_it_is_gone(
    homeless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug folder was not written for "[Errno 2] No such file or directory", of nothing by name."""

    def gone() -> Path:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(Path, "cwd", gone)
    with pytest.raises(OSError, match="it is gone, and there is no other") as caught:
        user_folders.pictures_folder()
    assert caught.value.filename == "the folder that holtwalk was started in"


def test_a_damaged_file_of_the_desktops_names_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F12, Ctrl+B and Ctrl+M failed by the words of a parser where a line of it stood twice."""

    def damaged() -> NoReturn:
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")

    monkeypatch.setattr("platformdirs.user_pictures_path", damaged)
    monkeypatch.chdir(tmp_path)
    assert user_folders.named_pictures_folder() is None
    assert user_folders.pictures_folder() == tmp_path
