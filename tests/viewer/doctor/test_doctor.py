"""``holtwalk doctor`` says what is there and what is missing, and nothing stops it (promises 8)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine.compiled_form import Form
from engine.dat.container.dat_file import DatFile
from engine.dat.errors import DatError
from tests.needed import only_where
from tests.places import DEMO, ROOT
from viewer.doctor import drawing, examination, machine
from viewer.doctor.folders import folders_found
from viewer.doctor.machine import PACKAGES
from viewer.doctor.machine_finding import DEBIAN, MACOS, REMEDIES, WINDOWS, Finding
from viewer.main import main


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HOLTWALK_DATS", "DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WINEPREFIX", str(tmp_path / "wine"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def results(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, bool, dict[str, Any]]:
    code = main(["doctor", "--json", *words])
    out, err = capsys.readouterr()
    assert err == ""
    document = json.loads(out)
    return code, document["ok"], {result["name"]: result for result in document["results"]}


@pytest.mark.gl
def test_every_look_is_a_result_with_figures_and_a_remedy_where_something_is_missing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, ok, found = results(capsys)
    assert (code, ok) == (0, True)
    assert list(found) == [
        "python", "packages", "hot packages", "OpenGL without a window", "OpenGL on a display", "clipboard",
        "files", "folders", "demo dats", "your dats",
    ]  # fmt: skip
    assert found["python"]["figures"]["version"] == ".".join(map(str, sys.version_info[:3]))
    gl = found["OpenGL without a window"]["figures"]
    assert float(gl["version"][:3]) >= 3.3
    assert gl["renderer"]
    assert found["folders"]["figures"]["settings"] == str(tmp_path / "config" / "holtwalk")
    dats = found["demo dats"]["figures"]["files"]
    assert [(dat["kind"], dat["iteration"]) for dat in dats] == [("portal", 1), ("cell", 1)]
    assert found["your dats"]["ok"] is None
    assert found["your dats"]["remedy"]
    assert not (tmp_path / "config").exists(), "it wrote something"


@only_where(so=sys.platform != "win32", why="Windows has no DISPLAY")
def test_without_a_display_the_window_is_what_is_missing_and_no_more(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, _, found = results(capsys)
    display = found["OpenGL on a display"]
    assert display["ok"] is None
    assert "DISPLAY is not set" in display["detail"]
    assert found["clipboard"]["ok"] is None


@only_where(so=sys.platform != "win32", why="Windows has no DISPLAY")
def test_under_wayland_alone_it_says_what_the_window_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert "XWayland" in drawing.display_found().detail


@pytest.mark.parametrize(
    ("form", "ok", "said"),
    [
        (Form(compiled=True), True, "compiled"),
        (Form(compiled=False), None, "interpreted"),
        (
            Form(compiled=False, problem="engine/_compiled: compiled from other text of x.py"),
            None,
            "other text of x.py",
        ),
    ],
    ids=["compiled", "interpreted", "stale"],
)
def test_the_form_that_runs_is_told_and_a_stale_one_named(
    form: Form, *, ok: bool | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "FORM", form)
    found = machine.form_found()
    assert (found.ok, found.figures["stale"]) == (ok, bool(form.problem))
    assert said in found.detail
    assert bool(found.remedy) == (ok is None)


def test_a_folder_of_dats_is_told_with_its_iterations_and_a_wrong_one_fails(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "drawing_found", lambda: Finding("gl", ok=True, detail=""))
    code, ok, found = results(capsys, "--dats", str(tmp_path))
    assert (code, ok, found["your dats"]["ok"]) == (1, False, False)
    assert str(tmp_path) in found["your dats"]["detail"]
    monkeypatch.setenv("HOLTWALK_DATS", str(DEMO))
    code, ok, found = results(capsys)
    assert (code, ok, found["your dats"]["ok"]) == (0, True, True)
    assert "portal iteration 1" in found["your dats"]["detail"]

    def broken(*_: object) -> bytes:
        raise DatError("a.dat", None, None, "can't be read: Input/output error")

    monkeypatch.setattr(DatFile, "read_entry", broken)
    found = results(capsys)[2]
    assert found["your dats"]["ok"] is None
    assert "portal iteration None" in found["your dats"]["detail"]
    assert "a.dat: can't be read: Input/output error" in found["your dats"]["detail"]


def test_the_games_usual_folder_is_found_without_being_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    usual = tmp_path / "wine" / "drive_c" / "Turbine" / "Asheron's Call"
    shutil.copytree(DEMO, usual)
    _, _, found = results(capsys)
    assert found["your dats"]["figures"]["folder"] == str(usual)
    assert "--dats" in found["your dats"]["detail"]


def test_a_look_that_fails_is_a_finding_and_the_others_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Finding:
        raise RuntimeError("out of order")

    for name in ("python_found", "drawing_found", "display_found", "files_found", "folders_found"):
        monkeypatch.setattr(examination, name, broken)
    code, ok, found = results(capsys)
    assert (code, ok) == (1, False)
    assert "out of order" in found["folders"]["detail"]
    assert found["packages"]["ok"] is True
    assert found["demo dats"]["ok"] is True


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import os; os.kill(os.getpid(), 11)", "ended with"),
        ("raise SystemExit('the driver is cross')", "the driver is cross"),
        ("import time; time.sleep(60)", "did not answer"),
        ("print('[]')", "ended with 0"),
    ],
    ids=["crashes", "fails", "hangs", "babbles"],
)
def test_a_driver_that_crashes_or_hangs_takes_nothing_with_it(
    program: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_in = tmp_path / "viewer" / "doctor"
    stand_in.mkdir(parents=True)
    for folder in (stand_in, stand_in.parent):
        (folder / "__init__.py").write_text("")
    (stand_in / "gl_probe.py").write_text(program)
    monkeypatch.setattr(drawing, "ROOT", tmp_path)
    monkeypatch.setattr(drawing, "PATIENCE", 2.0)
    found = drawing.drawing_found()
    assert found.ok is False
    assert said in found.detail
    assert found.remedy


def test_what_is_found_is_a_line_that_is_not_endless(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where HOME is set to a text of a hundred thousand letters."""
    endless = Finding(name="folders", ok=None, detail=f"/{'x' * 100_000}\n: File name too long")
    monkeypatch.setattr("viewer.commands.doctor.examine", lambda _: [endless])
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("--  folders: /xxx") and said.endswith(" : File name too long\n")
    assert len(said) < 2050


def test_settings_that_make_no_sense_are_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "config" / "holtwalk"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text("no_such_setting = 1\n")
    _, _, found = results(capsys)
    assert found["folders"]["ok"] is None
    assert "no_such_setting" in found["folders"]["detail"]
    assert found["folders"]["remedy"]


def test_without_any_package_it_still_says_what_to_do() -> None:
    """In a Python that sees nothing but its own library."""
    words = [sys.executable, "-I", "-S", "-c"]
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); sys.argv = ['holtwalk', 'doctor']; "
    program += "from viewer.main import main; raise SystemExit(main())"
    done = subprocess.run(
        [*words, program], capture_output=True, text=True, check=False, env=dict(os.environ)
    )
    assert done.returncode == 1
    assert done.stderr == ""
    assert "moderngl is not installed" in done.stdout
    assert "internal error" not in done.stdout
    assert REMEDIES["packages"][DEBIAN][:20] in done.stdout or sys.platform != "linux"


def test_the_packages_that_are_looked_for_are_those_that_the_program_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [text.split(">")[0] for text in project["dependencies"]] == list(PACKAGES)


def test_every_remedy_is_one_line_for_each_system() -> None:
    for remedy in REMEDIES.values():
        assert list(remedy) == [DEBIAN, WINDOWS, MACOS]
        assert all(line and "\n" not in line for line in remedy.values())


def test_nobody_is_sent_to_an_index_for_the_program_itself() -> None:
    pages = {
        path.name: path.read_text("utf-8") for path in (ROOT / "README.md", ROOT / "docs" / "installing.md")
    }
    texts = pages | {lacks: " ".join(systems.values()) for lacks, systems in REMEDIES.items()}
    wrong = [name for name, text in texts.items() if re.search(r"\binstall (-\S+ )*[\"']?holtwalk\b", text)]
    assert wrong == []


def test_it_says_where_pictures_go_where_there_is_no_folder_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `viewer.window` chooses it: the folder that the program was started in."""
    pictures = tmp_path / "Pictures"
    monkeypatch.setattr("platformdirs.user_pictures_path", lambda: pictures)
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: tmp_path)
    assert f"in the folder that it is started in, since there is no {pictures}" in folders_found().detail
    pictures.mkdir()
    assert folders_found().detail.endswith(f"pictures in {pictures}")
