"""What other packages have to say to their developers does not reach a user's terminal."""

from __future__ import annotations

import logging
import subprocess
import sys
import warnings
from multiprocessing import Pipe
from multiprocessing.connection import Connection

import pytest

from engine.other_process import start_helper
from engine.strangers import hush_loggers, hush_warnings
from tests.places import ROOT


def _warn(module: str) -> None:
    warnings.warn_explicit("old", PendingDeprecationWarning, "some.py", 4, module=module)


@pytest.mark.parametrize("module", ["moderngl_window.scene.camera", "glm", "enginex", "importlib._bootstrap"])
def test_a_warning_about_the_code_of_others_is_not_seen(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "warnoptions", ["always"])
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        hush_warnings()
        _warn(module)
        assert not seen
        _warn("engine.physics.enums")
        _warn("viewer")
    assert len(seen) == 2


def test_none_is_seen_where_nobody_asked_for_warnings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "warnoptions", [])
    with warnings.catch_warnings(record=True) as seen:
        hush_warnings()
        _warn("viewer")  # as a stranger's counts that is about its caller
    assert not seen


def test_a_logger_that_nobody_hears_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(logging, "lastResort", logging.lastResort)
    logger = logging.Logger("of.a.stranger")
    logger.warning("heard")
    hush_loggers()
    logger.warning("not heard")
    assert capsys.readouterr().err == "heard\n"


def test_the_program_lets_no_warning_of_others_be_seen_however_python_is_started() -> None:
    program = (
        "import sys, warnings; sys.argv = ['holtwalk', '--version']; from viewer.main import main; main(); "
        "warnings.warn_explicit('old', PendingDeprecationWarning, 'some.py', 4, module='glm')"
    )
    words = [sys.executable, "-X", "dev", "-c", program]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == ""


def _try(pipe: Connection) -> None:
    with warnings.catch_warnings(record=True) as seen:
        _warn("glm")
        pipe.send(len(seen))


def test_a_helping_process_lets_none_be_seen_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "always")
    ours, theirs = Pipe()
    process = start_helper("warner", _try, theirs)
    theirs.close()
    assert ours.recv() == 0
    process.join()
    ours.close()
