"""A disk that was full once does not keep the program from starting for good."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import cut_bytecode
from tests.needed import posix
from tests.places import ROOT


def start(cache: Path, *words: str, by: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    return python(cache, "-m", "viewer", *words, by=by)


def python(cache: Path, *words: str, by: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        [*by, sys.executable, *words],
        cwd=ROOT, env={**variables, "PYTHONPYCACHEPREFIX": str(cache)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    "module", ["viewer/main", "engine/__init__", "engine/strangers", "viewer/tables/arguments"]
)
def test_a_start_names_and_removes_byte_code_that_was_cut_and_the_next_one_goes(
    tmp_path: Path, module: str
) -> None:
    """Loaded before the program begins, before it is guarded, and as a command is looked for."""
    whole = start(tmp_path, "--help")
    assert (whole.returncode, whole.stderr) == (0, "")
    [cut] = tmp_path.glob(f"**/{module}.*.pyc")
    os.truncate(cut, 400)
    done = start(tmp_path, "--help")
    line = f"holtwalk: {cut}: is cut short, as by a full disk; removed: start it once more\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)
    again = start(tmp_path, "--help")
    assert (again.returncode, again.stdout, again.stderr) == (0, whole.stdout, "")


def test_a_script_names_and_removes_byte_code_that_was_cut_and_the_next_one_goes(tmp_path: Path) -> None:
    script = (str(ROOT / "scripts" / "make_world.py"), "--help")
    assert python(tmp_path, *script).returncode == 0
    [cut] = tmp_path.glob("**/engine/files/write.*.pyc")
    os.truncate(cut, 400)
    done = python(tmp_path, *script)
    line = f"holtwalk: {cut}: is cut short, as by a full disk; removed: start it once more\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)
    assert python(tmp_path, *script).returncode == 0


@pytest.mark.parametrize(
    ("module", "code"),
    [("scripts/start", 0), ("scripts/interrupts", 2), ("scripts/launch", 2), ("viewer/bytecode", 2)],
)
def test_the_start_from_a_checkout_goes_on_or_says_what_was_cut(
    tmp_path: Path, module: str, code: int
) -> None:
    """What a script begins with was a traceback, and was one for ever."""
    words = (str(ROOT / "scripts" / "run.py"), "--help")
    whole = python(tmp_path, *words)
    assert (whole.returncode, whole.stderr) == (0, "")
    [cut] = tmp_path.glob(f"**/{module}.*.pyc")
    os.truncate(cut, 400)
    done = python(tmp_path, *words)
    line = f"holtwalk: {cut}: is cut short, as by a full disk; removed: start it once more\n"
    assert (done.returncode, done.stderr) == (code, line if code else "")
    assert python(tmp_path, *words).stdout == whole.stdout


@posix("limits")
def test_none_is_written_that_does_not_fit(tmp_path: Path) -> None:
    """But for that of what looks for room, which is short."""
    done = start(tmp_path, "--help", by=("sh", "-c", 'ulimit -f 16; exec "$@"', "sh"))
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.glob("**/viewer/entry.*.pyc"))
    assert not list(tmp_path.glob("**/main.*.pyc"))


def test_all_byte_code_of_ours_goes_with_it_and_nothing_else(tmp_path: Path) -> None:
    def _compile_bytecode(bytecode_path: str) -> None:
        raise EOFError(bytecode_path)

    ours, theirs = ("viewer/__pycache__/a.pyc", "engine/dat/__pycache__/b.pyc"), ("engine/notes.pyc", "x.pyc")
    for name in (*ours, *theirs):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    cut = tmp_path / "elsewhere.pyc"
    cut.write_bytes(b"")
    with pytest.raises(EOFError) as found:
        _compile_bytecode(str(cut))
    assert cut_bytecode.repaired(found.value, str(tmp_path)).startswith(f"{cut}: is cut short")
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.pyc")}
    assert left == set(theirs)


@pytest.mark.parametrize("kind", [EOFError, ValueError, TypeError, OSError])
def test_another_error_is_none_of_it(kind: type[Exception]) -> None:
    try:
        raise kind("something else")
    except kind as error:
        assert cut_bytecode.repaired(error) == ""
