"""What is said where a limit leaves too little memory, before a library ends the program by its own words."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.needed import only_where
from tests.places import ROOT
from viewer import memory_limits
from viewer.main import main
from viewer.memory_limits import MB, NUMPY_DATA, NUMPY_SPACE, WORK_DATA, WORK_SPACE, Limit
from viewer.renderer import memory_left
from viewer.unforeseen import NO_MEMORY

LEAVES = r"holtwalk: no memory is left: a limit \(ulimit -v\) leaves \d+ MB, and this takes 416 MB\n"
LINUX = only_where(so=sys.platform == "linux", why="limits of memory as Linux keeps them")


@LINUX
@pytest.mark.parametrize("words", ["dat ls --demo", "cell --demo --at 0xA9B40170", "doctor"])
def test_nothing_is_begun_where_a_limit_leaves_too_little_for_it(words: str) -> None:
    """Libraries ended the process with exit code 1, which a failed check has, and Python itself crashed."""
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (114 << 20, 114 << 20)); "
        f"from viewer.main import main; sys.argv = {['holtwalk', *words.split()]}; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(LEAVES, done.stderr)


@LINUX
def test_a_script_that_has_too_little_memory_says_so_in_a_line(tmp_path: Path) -> None:
    """It was a traceback from numpy's own loading."""
    import resource

    most = 100 << 20
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "make_world.py"), str(tmp_path / "made"), "--size", "2x2"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(LEAVES, done.stderr)


@LINUX
def test_numpy_takes_no_more_than_is_asked_for() -> None:
    program = (
        "import os, resource; os.environ['OPENBLAS_NUM_THREADS'] = '1'; "
        "from viewer.memory_limits import *; from viewer.memory_limits import _taken; "
        "limits = ((resource.RLIMIT_AS, _taken('VmSize') + NUMPY_SPACE), "
        "(resource.RLIMIT_DATA, _taken('VmData') + NUMPY_DATA)); "
        "[resource.setrlimit(limit, (most, most)) for limit, most in limits]; "
        "import numpy; print(numpy.ones(3) @ numpy.ones(3))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("3.0\n", "")


@pytest.mark.parametrize(
    ("limit", "has_room"),
    [
        (Limit("-v", NUMPY_SPACE + WORK_SPACE, is_of_data=False), True),
        (Limit("-v", NUMPY_SPACE + WORK_SPACE - MB, is_of_data=False), False),
        (Limit("-d", NUMPY_DATA + WORK_DATA, is_of_data=True), True),
        (Limit("-d", NUMPY_DATA + WORK_DATA - MB, is_of_data=True), False),
    ],
)
@pytest.mark.parametrize("is_loaded", [True, False])
def test_each_limit_is_asked_for_what_numpy_and_the_work_take_of_its_kind(
    monkeypatch: pytest.MonkeyPatch, *, limit: Limit, has_room: bool, is_loaded: bool
) -> None:
    if is_loaded:  # what it takes is taken
        limit = limit._replace(left=limit.left - (NUMPY_DATA if limit.is_of_data else NUMPY_SPACE))
    else:
        monkeypatch.delitem(sys.modules, "numpy", raising=False)
    monkeypatch.setattr(memory_limits, "limits", lambda: iter((limit,)))
    told = pytest.raises(MemoryError, match=rf"\(ulimit {limit.option}\) leaves")
    with nullcontext() if has_room else told:
        memory_limits.refuse_without_room()


def test_without_a_limit_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_limits, "limits", lambda: iter(()))
    memory_limits.refuse_without_room()


@pytest.mark.parametrize("is_limited", [True, False])
def test_a_library_that_there_is_no_memory_for_is_no_missing_part(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, is_limited: bool
) -> None:
    """Without a limit the same words mean a folder from which nothing may be run."""

    def fail(_: str) -> None:
        raise ImportError("glm.so: failed to map segment from shared object")

    found = (Limit("-v", 9000 * MB, is_of_data=False),) if is_limited else ()
    monkeypatch.setattr(memory_limits, "limits", lambda: iter(found))
    monkeypatch.setattr("viewer.main.import_module", fail)
    assert main(["verify"]) == 2
    assert (capsys.readouterr().err == f"holtwalk: {NO_MEMORY}\n") == is_limited


def test_a_window_that_a_limit_leaves_no_memory_for_is_refused_before_its_parts_are_loaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """ImGui, moderngl and Python itself ended the process by words of their own, or by none."""
    monkeypatch.setattr(memory_left, "limits", lambda: iter((Limit("-d", 70 * MB, is_of_data=True),)))
    monkeypatch.setattr("viewer.main.import_module", lambda _: pytest.fail("it was loaded"))
    assert main(["walk", "--demo"]) == 2
    assert capsys.readouterr().err == (
        "holtwalk: no window can be opened here: no memory to draw with: a limit (ulimit -d) leaves 70 MB, "
        "and drawing takes about 256 MB\n"
    )
