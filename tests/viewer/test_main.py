"""Exit codes, one line on stderr, and never a traceback."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace

import pytest

import viewer.main
from engine import FORM
from engine.files.ended_in_order import _RequestedToEndError
from engine.physics.simulation.asked_place import StrayPlaceError
from tests.needed import only_where
from tests.places import ROOT
from viewer.how_started import runs_here
from viewer.unforeseen import tell_of_lost_errors
from viewer.user_error import UserError


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A stand-in for whatever command is run; set ``run``."""
    module = SimpleNamespace(run=lambda args: 0)
    monkeypatch.setattr(viewer.main, "import_module", lambda name: module)
    return module


@pytest.mark.parametrize("code", [0, 1])
def test_the_exit_code_is_the_commands(command: SimpleNamespace, code: int) -> None:
    command.run = lambda args: code
    assert viewer.main.main(["verify"]) == code


def test_an_error_about_the_folder_that_it_was_started_in_names_that(
    command: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The system names no file where that folder was removed meanwhile."""

    def fail(*_: object) -> int:
        raise FileNotFoundError(2, "No such file or directory")

    command.run = fail
    monkeypatch.setattr(os, "getcwd", fail)
    assert viewer.main.main(["verify"]) == 2
    line = "holtwalk: the folder that holtwalk was started in: No such file or directory\n"
    assert capsys.readouterr().err == line


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (UserError("bad location 'x'"), "holtwalk: bad location 'x'"),
        (FileNotFoundError(2, "No such file or directory", "a.json"), "holtwalk: a.json: No such file"),
        (
            MemoryError("Unable to allocate"),
            "holtwalk: no memory is left: the machine, or a limit set for it",
        ),
        (RuntimeError("can't start new thread"), "holtwalk: no more threads can be started: the machine"),
        (ImportError("x.so: failed to map"), "holtwalk: a part of the program can't be loaded: x.so: failed"),
        (
            AttributeError("module 'json' has no attribute 'dumps'", obj=os),
            "holtwalk: a part of the program can't be loaded: AttributeError: module 'json'",
        ),
        (
            LookupError("unknown encoding: utf-8-sig"),
            "holtwalk: a part of the program can't be loaded: LookupError: unknown encoding",
        ),
        (StrayPlaceError("--at: no cell is there"), "holtwalk: --at: no cell is there"),
        (ZeroDivisionError("oops"), "holtwalk: internal error: ZeroDivisionError: oops"),
    ],
)
def test_an_error_is_one_line_and_exit_code_2(
    command: SimpleNamespace, capsys: pytest.CaptureFixture[str], error: Exception, says: str
) -> None:
    def run(args: Namespace) -> int:
        raise error

    command.run = run
    assert viewer.main.main(["verify"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(says)
    assert err.count("\n") == 1


def test_whatever_is_raised_while_a_module_is_loaded_is_a_part_that_can_not_be_loaded(
    command: SimpleNamespace,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "half_loaded.py").write_text("import os\nos.no_such_thing\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    def run(args: Namespace) -> int:
        import half_loaded  # type: ignore[import-not-found]

        return half_loaded.code  # type: ignore[no-any-return]

    command.run = run
    assert viewer.main.main(["verify"]) == 2
    assert capsys.readouterr().err == (
        "holtwalk: a part of the program can't be loaded: AttributeError: module 'os' has no attribute "
        f"'no_such_thing'; `{runs_here('holtwalk doctor')}` says what is missing\n"
    )
    monkeypatch.setattr(sys, "prefix", "/odd/a\udcff")  # imgui-bundle said that an argument has a wrong type
    assert viewer.main.main(["verify"]) == 2
    told = capsys.readouterr().err
    assert told.endswith("program can't be loaded from a folder whose name is no UTF-8: /odd/a\\udcff\n")


@pytest.mark.parametrize("verbose", [False, True])
def test_an_error_that_ends_a_thread_or_a_dropped_object_is_one_line_too_and_told_once(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    verbose: bool,  # noqa: FBT001
) -> None:
    """Python printed a traceback for each."""

    class Dropped:
        def __del__(self) -> None:
            raise KeyError("oh")

    monkeypatch.setattr(threading, "excepthook", None)
    monkeypatch.setattr(sys, "unraisablehook", None)
    tell_of_lost_errors(verbose=verbose)
    for _ in range(2):
        thread = threading.Thread(target=lambda: 1 // 0)
        thread.start()
        thread.join()
        Dropped()
    err = capsys.readouterr().err
    hint = "" if verbose else " (--verbose shows where)"
    assert (
        err.count(f"holtwalk: internal error: ZeroDivisionError: integer division or modulo by zero{hint}\n")
        == 1
    )
    assert err.count(f"holtwalk: internal error: KeyError: 'oh'{hint}\n") == 1
    assert err.count("Traceback") == (2 if verbose else 0)


@pytest.mark.parametrize("raised", [SystemExit(143), _RequestedToEndError([])])
def test_what_ends_a_program_is_told_as_no_error_where_it_comes_as_an_object_is_dropped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], raised: BaseException
) -> None:
    """It is an end that was asked for: "internal error: _RequestedToEndError" came before it."""

    class Dropped:
        def __del__(self) -> None:
            raise raised

    monkeypatch.setattr(threading, "excepthook", None)
    monkeypatch.setattr(sys, "unraisablehook", None)
    tell_of_lost_errors(verbose=True)
    Dropped()
    assert capsys.readouterr().err == ""


def test_a_signal_that_python_passed_over_comes_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was "internal error: OSError: Signal 1 ignored due to race condition", and the work went on."""
    came: list[int] = []

    class Dropped:
        def __del__(self) -> None:
            raise OSError(f"Signal {signal.SIGTERM:d} ignored due to race condition")

    monkeypatch.setattr(threading, "excepthook", None)
    monkeypatch.setattr(sys, "unraisablehook", None)
    tell_of_lost_errors(verbose=False)
    usual = signal.signal(signal.SIGTERM, lambda number, _: came.append(number))
    try:
        Dropped()
    finally:
        signal.signal(signal.SIGTERM, usual)
    assert (came, capsys.readouterr().err) == ([signal.SIGTERM], "")


def test_verbose_shows_where_an_internal_error_was(
    command: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(args: Namespace) -> int:
        raise ZeroDivisionError("oops")

    command.run = run
    assert viewer.main.main(["verify", "--verbose"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_bad_input_stays_one_line_however_verbose(
    command: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(args: Namespace) -> int:
        raise UserError("bad location 'x'")

    command.run = run
    assert viewer.main.main(["verify", "--verbose"]) == 2
    assert capsys.readouterr().err == "holtwalk: bad location 'x'\n"


def test_bad_usage_is_one_line_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert viewer.main.main(["frobnicate"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert viewer.main.main(["--help"]) == 0
    assert "verify" in capsys.readouterr().out
    assert viewer.main.main(["pvs", "--help"]) == 0
    assert "--resident" in capsys.readouterr().out


def test_a_closed_pipe_ends_the_program_quietly() -> None:
    program = "import sys; from viewer.main import main; sys.exit(main(['--help']))"
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def modules_after(program: str) -> set[str]:
    lines = f"{program}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", lines], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines())


@pytest.mark.parametrize("encoding", ["idna", "undefined"])
@pytest.mark.parametrize("words", [["-m", "viewer", "--help"], ["scripts/lock.py", "--help"]])
def test_where_the_environment_names_an_encoding_that_can_not_be_written_with(
    encoding: str, words: list[str]
) -> None:
    """The program said that a part couldn't be loaded, scripts died as they complained."""
    done = subprocess.run(
        [sys.executable, *words], env=os.environ | {"PYTHONIOENCODING": encoding}, cwd=ROOT,
        capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"usage: ")


def test_help_loads_nothing_of_a_world() -> None:
    loaded = modules_after("from viewer.main import main; main(['--help'])")
    assert [m for m in loaded if m.startswith(("engine.dat.records", "engine.world", "numpy", "PIL"))] == []


def test_a_picture_loads_no_panels_no_other_sources_and_no_font() -> None:
    before = "viewer.main, viewer.tables.arguments, viewer.commands.groundwork.outputs"
    loaded = modules_after(f"import {before}, viewer.commands.render")
    assert "viewer.renderer.renderer" in loaded
    dear = ("viewer.overlay.host", "viewer.report.picture_report", "engine.world.sources.dumps")
    dear += ("engine.world.sources.spawns", "PIL.ImageFont", "imgui_bundle")
    dear += ("multiprocessing", "engine.world.loading.parcels", "engine.replay.jobs.process_pool")
    dear += () if FORM.compiled else ("hashlib",)  # by which that form is held against its source
    dear += ("html", "subprocess", "PIL.PngImagePlugin", "pyglm.glm_typing")
    dear += ("viewer.renderer.debug.debug_draw", "engine.visibility.why.explain", "engine.replay.recorder")
    dear += ("engine.world.sources.dump_setups", "viewer.picture.shape_gatherer")
    dear += ("dataclasses", "shutil", "bz2", "lzma", "tempfile", "platformdirs")
    assert [m for m in dear if m in loaded] == []


def test_a_command_line_is_read_without_a_look_at_the_terminals_width() -> None:
    words = ["render", "--at", "0xA9B40171 [155.4 13.4 94]", "--out", "a.png"]
    loaded = modules_after(f"from viewer.tables.arguments import parse; parse({words})")
    assert not {"shutil", "bz2", "lzma"} & loaded


@only_where(so=sys.platform == "linux", why="GL without a window through EGL")
def test_the_gl_library_is_had_without_what_looks_libraries_up() -> None:
    made = "from viewer.renderer.gl.context import create_headless; create_headless()"
    dear = ("ctypes.util", "subprocess", "shutil", "tempfile")
    assert [m for m in modules_after(made) if m in dear] == []


def test_the_program_does_not_look_for_garbage_once_more_as_it_ends() -> None:
    """To go back to the usual thresholds would: all that was made lies above them."""
    lines = (
        "import gc, sys, viewer.main; sys.argv = ['holtwalk', '--version']",
        "viewer.main.main()",
        "print(gc.get_threshold() == viewer.main.SELDOM)",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "True"


@only_where(so=os.path.isdir("/proc/self/task"), why="threads as Linux lists them")
@pytest.mark.parametrize(
    "begin",
    [
        "viewer.main._guarded = lambda words: 0; viewer.main.main()",
        "from scripts.start import begin; begin('__main__')",
    ],
)
def test_the_program_and_its_scripts_ask_for_no_thread_to_count_with(begin: str) -> None:
    """Numpy's library starts one per core as it is loaded, and ends the process where it can't."""
    lines = (
        f"import os, viewer.main; {begin}",
        "before = set(os.listdir('/proc/self/task'))",
        "import numpy",
        "print(set(os.listdir('/proc/self/task')) == before)",
    )
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "True"


@pytest.mark.parametrize(
    ("words", "opens"),
    [
        (["render", "--demo", "--at", "home", "--out", "a.png"], "viewer.commands.render.open_view"),
        (["walk", "--demo"], "viewer.commands.walk._open"),
    ],
)
def test_nothing_looks_for_garbage_before_the_first_picture(
    words: list[str], opens: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, within = gc.get_threshold(), []

    def no_further(*_: object, **__: object) -> None:
        within.append(gc.get_threshold()[0])
        raise UserError("no further")

    monkeypatch.setattr(opens, no_further)
    assert viewer.main.main(words) == 2
    assert within == [0]
    assert gc.get_threshold() == before


def test_a_command_looks_for_garbage_seldom_and_leaves_that_as_it_was(command: SimpleNamespace) -> None:
    of_the_tests, before, within = gc.get_threshold(), (700, 10, 10), []
    command.run = lambda _: within.append(gc.get_threshold()) or 0
    gc.set_threshold(*before)
    try:
        assert viewer.main.main(["verify"]) == 0
        assert within[0][0] > 100 * before[0]
        assert gc.get_threshold() == before
    finally:
        gc.set_threshold(*of_the_tests)
