"""How every script begins and ends, however it is called and interrupted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.needed import full_device, posix
from tests.places import ROOT
from tests.viewer.terminals import rounds_until_interrupted, until_there

SCRIPTS = ROOT / "scripts"


def test_what_scripts_print_has_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    """Names of folders come from anybody."""

    def main(_: list[str]) -> int:
        print("a\x1b[31mb")
        raise FileExistsError(17, "File exists", "c\x1b[31m\nd")

    with pytest.raises(SystemExit):
        import_module("scripts.start").finish(main)
    said = capsys.readouterr()
    assert said.out == "a\\x1b[31mb\n"
    assert said.err.startswith("holtwalk: c\\x1b[31m") and said.err.count("\n") == 1


@posix("programs that take another one's place")
def test_a_script_hands_over_where_its_streams_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupts = import_module("scripts.interrupts")
    ran: list[str] = []
    monkeypatch.setattr(os, "execve", lambda program, *_: ran.append(program))
    monkeypatch.setattr(signal, "pthread_sigmask", lambda *_: None)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    interrupts.hand_over(["python", "again"], {})
    assert ran == ["python"]


BEGINNING = {"checks", "environment", "interrupts", "launch", "start"}
"""What a script begins with, before there is an environment."""


@pytest.mark.parametrize("name", sorted(BEGINNING))
@pytest.mark.parametrize("word", ["-h", ""])
def test_what_scripts_begin_with_says_in_a_line_that_it_is_no_script(
    name: str, word: str, tmp_path: Path
) -> None:
    words = [sys.executable, str(SCRIPTS / f"{name}.py"), word]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("holtwalk: ")
    assert done.stderr.count("\n") == 1


PROGRAMS = sorted(
    path
    for path in SCRIPTS.glob("*.py")
    if 'if __name__ == "__main__"' in path.read_text(encoding="utf-8") and path.stem not in BEGINNING
)


@pytest.mark.parametrize("script", PROGRAMS, ids=lambda path: path.stem)
def test_every_script_begins_and_ends_the_same_way(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    head = "import os\nimport sys\n\n"
    future = "from __future__ import annotations\n\n"
    folder = "os.path.dirname(os.path.dirname(os.path.realpath(__file__)))"
    path = f"sys.path.insert(0, {folder})\n\nfrom scripts.start import "
    if script.stem in ("run", "test"):  # which an old Python reads too, to be told that it is too old
        assert future not in text
        before, after = text.split("if sys.version_info < (3, 11):")
        assert before.endswith('"""\n\nimport sys\n\n')
        assert f"import os\n\n{path}".replace("from scripts", "try:\n    from scripts") in after
    else:
        assert text.split(future)[1].startswith(head + path)
    assert re.search(r"\n\nbegin\(__name__(, [A-Z]+)?\)\n", text)
    assert text.endswith("    finish(main)\n")
    assert f"python scripts/{script.name}" in text.split('"""')[1]


@pytest.mark.parametrize("script", PROGRAMS, ids=lambda path: path.stem)
def test_every_script_refuses_an_argument_that_it_does_not_know(script: Path, tmp_path: Path) -> None:
    if script.stem in ("run", "test"):  # which hand their arguments on
        return
    done = subprocess.run(
        [sys.executable, str(script), "--\x1b[31mnonsense"],
        cwd=tmp_path,
        env={**os.environ, "NPY_PROMOTION_STATE": "legacy"},  # of which numpy warns whoever loads it
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert re.match(rf"usage: {script.name} (.*\n)+{script.name}: error: .*\n$", done.stderr)
    assert "\x1b" not in done.stderr


def ending(say: str, tmp_path: Path) -> tuple[int, str]:
    """How a script ends that does this."""
    program = tmp_path / "a.py"
    program.write_text(
        f"import sys\nsys.path.insert(0, {str(SCRIPTS.parent)!r})\n"
        f"from scripts.start import begin, finish\nfrom scripts.environment import SetupError\n"
        f"begin(__name__)\ndef main(given):\n    {say}\nfinish(main)\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("say", "code", "line"),
    [
        ("return 1", 1, ""),
        ("raise KeyboardInterrupt", 130, ""),
        ("raise SetupError('no network')", 2, "holtwalk: no network\n"),
        ("open('/nowhere/at/all')", 2, "holtwalk: /nowhere/at/all: No such file or directory\n"),
        ("raise OSError('a link')", 2, "holtwalk: a link\n"),
        ("raise BrokenPipeError(32, 'Broken pipe')", 141, ""),
        (
            "from engine.dat.errors import DatError; raise DatError('cell.dat', None, None, 'cut short')",
            2,
            "holtwalk: cell.dat: cut short\n",
        ),
    ],
)
def test_a_script_ends_with_a_code_and_at_most_a_line(say: str, code: int, line: str, tmp_path: Path) -> None:
    assert ending(say, tmp_path) == (code, line)


def test_options_without_end_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    start, environment = map(import_module, ("scripts.start", "scripts.environment"))
    monkeypatch.setattr(sys, "argv", ["a.py", *["--seed", "1"] * 2001])
    with pytest.raises(environment.SetupError, match="there are more than 2,000 options"):
        start.arguments_of("A script.")


@full_device
@pytest.mark.parametrize("words", [["scripts/lock.py", "-h"], ["-m", "viewer", "doctor", "-h"]])
def test_help_that_does_not_fit_on_the_disk_is_no_success(words: list[str]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, *words], cwd=SCRIPTS.parent, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (2, b"holtwalk: standard output: No space left on device\n")


@full_device
@pytest.mark.parametrize("script", ["lock", "make_world"])
def test_words_that_are_wrong_end_with_2_where_nobody_can_be_told(script: str) -> None:
    """Python's own end tried to say it once more, and left with 120."""
    with open("/dev/full", "w", encoding="utf-8") as full:
        words = [sys.executable, f"scripts/{script}.py", "--nonsense"]
        done = subprocess.run(words, cwd=SCRIPTS.parent, stdout=subprocess.PIPE, stderr=full, check=False)
    assert (done.returncode, done.stdout) == (2, b"")


@full_device
@pytest.mark.parametrize("words", [["scripts/make_world.py", "-h"], ["-m", "viewer", "doctor", "-h"]])
@pytest.mark.parametrize(("to", "code"), [(">/dev/full 2>&1", 2), ("| true; exit ${PIPESTATUS[0]}", 141)])
def test_nothing_is_said_at_the_end_of_output_that_goes_nowhere(words: list[str], to: str, code: int) -> None:
    """Python's own end would write what is in a buffer once more, complain, and leave with 120."""
    command = f'"$0" "$@" {to}'
    done = subprocess.run(
        ["bash", "-c", command, sys.executable, *words], cwd=SCRIPTS.parent, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


@posix("signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_what_a_script_waits_for_ends_with_it(number: int, code: int, tmp_path: Path) -> None:
    program = tmp_path / "a.py"
    waiting = [sys.executable, "-c", "import time; print('here', flush=True); time.sleep(90)"]
    program.write_text(
        f"import subprocess, sys\nsys.path.insert(0, {str(SCRIPTS.parent)!r})\n"
        f"from scripts.start import begin, finish\nbegin(__name__)\n"
        f"finish(lambda _: subprocess.run({waiting!r}).returncode)\n"
    )
    process = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    process.send_signal(number)
    process.communicate(timeout=30)  # as long as the other has the stream it waits
    assert process.returncode == code


@posix("signals")
def test_a_script_that_runs_again_can_be_interrupted(tmp_path: Path) -> None:
    program = tmp_path / "a.py"
    program.write_text(
        f"import sys\nsys.path.insert(0, {str(SCRIPTS.parent)!r})\n"
        f"from scripts.interrupts import hand_over\nfrom scripts.start import begin, finish\n"
        f"if len(sys.argv) == 1:\n    hand_over([sys.executable, {str(program)!r}, 'again'], {{}})\n"
        f"begin(__name__)\nimport time\nprint('here', flush=True)\nfinish(lambda _: time.sleep(30))\n"
    )
    process = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130


@posix("terminals")
@pytest.mark.parametrize("moment", ["begin(__name__); wait()", "begin(__name__); finish(lambda _: wait())"])
def test_an_interrupt_at_a_terminal_ends_the_loop_that_a_script_runs_in(tmp_path: Path, moment: str) -> None:
    program, mark = tmp_path / "a.py", tmp_path / "mark"
    program.write_text(
        f"import sys\nsys.path.insert(0, {str(SCRIPTS.parent)!r})\n"
        f"from scripts.start import begin, finish\n"
        f"def wait():\n    import time\n    open({str(mark)!r}, 'w').close()\n    time.sleep(30)\n{moment}\n"
    )
    assert rounds_until_interrupted(f"'{sys.executable}' '{program}'", lambda: until_there(mark)) == 1


def test_an_interrupt_that_comes_as_soon_as_it_is_raised_ends_a_script_quietly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("scripts.interrupts"), "raise_again", interrupted)
    with pytest.raises(SystemExit) as left:
        import_module("scripts.start").finish(lambda _: 0)
    assert left.value.code == 130


def test_hardly_anything_is_loaded_before_a_script_knows_what_an_interrupt_does() -> None:
    slow = ("argparse", "enum", "hashlib", "pathlib", "signal", "subprocess", "typing")
    program = f"import sys; import scripts.start; print([name for name in {slow} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=SCRIPTS.parent, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


INTERRUPTED_LOADING = """
import os, runpy, sys
class Interrupts:
    def find_spec(self, name, *_):
        if name == sys.argv[2]:
            os.kill(os.getpid(), 2)
            raise SystemExit("it went on")
sys.meta_path.insert(0, Interrupts())
runpy.run_path(sys.argv[1], run_name="__main__")
"""


@posix("signals")
@pytest.mark.parametrize(
    ("script", "module"),
    [
        ("run", "scripts.start"),
        ("run", "scripts.interrupts"),
        ("run", "viewer.leaving"),
        ("run", "scripts.launch"),
        ("test", "scripts.start"),
        ("test", "scripts.checks"),
    ],
)
def test_an_interrupt_of_a_scripts_first_moment_leaves_no_traceback(script: str, module: str) -> None:
    """Of the first tenth of a second half was spent on what made a traceback of it."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_LOADING, f"scripts/{script}.py", module],
        cwd=SCRIPTS.parent, start_new_session=True, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode in (130, -signal.SIGINT), done.stderr) == (True, "")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("make_world", ["", "--size", "1x1"]),
        ("build_demo_world", [""]),
        ("make_animation", ["--frames", ""]),
        ("fuzz_dats", ["--dats", ""]),
    ],
)
def test_a_script_takes_no_empty_name_for_the_folder_one_stands_in(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    script: str,
    words: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        import_module(f"scripts.{script}").main(words)
    assert "'' is empty and names nothing" in capsys.readouterr().err.splitlines()[-1]
    assert not list(tmp_path.iterdir())
