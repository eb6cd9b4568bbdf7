"""The first process of a container, which no signal ends by default, hands on what comes to another one."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.needed import posix
from tests.places import ROOT

AS_FIRST = "import os; os.getpid = lambda: 1; import viewer.entry; print('runs', flush=True); "


def first_process(then: str, before: str = "") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", before + AS_FIRST + then], cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


@posix("signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_what_is_sent_to_the_first_process_ends_the_program(name: str) -> None:
    number = getattr(signal, name)
    with first_process("import time; time.sleep(60)") as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "runs\n"
        first.send_signal(number)
        assert first.wait(20) == 128 + number  # an exit code, whereas one that it ends by is negative


@posix("signals")
@pytest.mark.parametrize(
    ("then", "code"),
    [("os._exit(3)", 3), ("import signal; signal.raise_signal(signal.SIGKILL)", 137), ("", 0)],
)
def test_the_first_process_ends_as_the_program_does(then: str, code: int) -> None:
    with first_process(then) as first:
        assert first.wait(20) == code


@posix("signals")
def test_the_end_is_heard_of_where_who_started_it_hears_of_none() -> None:
    """An ignored SIGCHLD is inherited: the kernel forgets children then, and tells nobody."""
    before = "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
    with first_process("", before) as first:
        assert first.wait(20) == 0


@posix("processes")
def test_where_there_may_be_no_other_process_it_goes_without() -> None:
    before = "import os; os.fork = lambda: os.open('/nowhere', 0); "
    with first_process("print('on')", before) as first:
        assert first.stdout is not None
        assert first.stdout.read() == "runs\non\n"


@posix("signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_without_another_process_the_first_one_ends_itself(name: str) -> None:
    """The kernel sends it nothing that ends by default: ``docker stop`` waited for its SIGKILL."""
    number = getattr(signal, name)
    before = "import os; os.fork = lambda: os.open('/nowhere', 0); "
    with first_process("import time; time.sleep(60)", before) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "runs\n"
        first.send_signal(number)
        assert first.wait(20) == 128 + number  # an exit code: by default it would be negative
