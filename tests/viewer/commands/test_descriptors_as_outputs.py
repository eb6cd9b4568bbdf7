"""Outputs and inputs named by descriptors: what was handed on is used, and nothing else is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.needed import posix
from tests.places import ROOT

pytestmark = posix("descriptors by their names")
PROGRAM = [sys.executable, "-m", "viewer"]
PLACE = "0xA9B40170 [155.4 15.2 94.005] 1 0 0 0"


def ran(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*PROGRAM, *words], cwd=ROOT, check=False, timeout=120, capture_output=True)


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "sim.json"
    path.write_text(json.dumps({"start": PLACE, "steps": [{"wait": 0.1}]}))
    return str(path)


@pytest.mark.gl
@pytest.mark.parametrize("name", ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"])
def test_what_draws_writes_a_record_to_stderr_where_that_is_a_pipe(tmp_path: Path, name: str) -> None:
    """It went where what the driver says goes, and the tour was a success."""
    words = (
        "tour",
        "--demo",
        "--size",
        "32x32",
        "--radius",
        "0",
        "--objects",
        "0",
        "--out",
        str(tmp_path / "t"),
    )
    done = ran(*words, "--record", name)
    assert done.returncode == 0
    ticks = [json.loads(line)["tick"] for line in done.stderr.splitlines() if line.startswith(b"{")]
    assert len(ticks) > 100 and ticks == list(range(ticks[0], ticks[0] + len(ticks)))


def test_a_descriptor_that_nobody_opened_takes_no_record(script: str) -> None:
    """The program's own pipes and sockets took it, and it was told as written."""
    for number in range(3, 12):
        done = ran("sim", script, "--demo", "--record", f"/dev/fd/{number}")
        assert done.returncode == 2
        assert done.stderr.count(b"\n") == 1 and f"/dev/fd/{number}: ".encode() in done.stderr


def test_a_closed_stdout_takes_no_record(script: str) -> None:
    line = f"'{sys.executable}' -m viewer sim '{script}' --demo --record /dev/stdout >&-"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, check=False, timeout=120)
    assert done.returncode == 2
    assert done.stderr.startswith(b"holtwalk: /dev/stdout: is no descriptor that was handed on")


@pytest.mark.parametrize(
    "words", [["sim", "{}", "--demo"], ["cell", "--demo", "--at", PLACE, "--scene", "{}"]]
)
def test_a_descriptor_that_nobody_opened_is_not_waited_for(words: list[str]) -> None:
    for number in range(3, 8):
        done = ran(*(word.format(f"/dev/fd/{number}") for word in words))
        assert done.returncode == 2 and done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("number", [1 << 20, 1 << 31, 1 << 64])
def test_a_number_that_no_descriptor_has_takes_no_record(script: str, number: int) -> None:
    done = ran("sim", script, "--demo", "--record", f"/dev/fd/{number}")
    assert done.returncode == 2
    assert done.stderr == b"holtwalk: /dev/fd/%d: Bad file descriptor\n" % number


def test_what_was_handed_on_takes_a_record(tmp_path: Path, script: str) -> None:
    with (tmp_path / "record").open("w") as file:
        line = [*PROGRAM, "sim", script, "--demo", "--record", f"/dev/fd/{file.fileno()}"]
        subprocess.run(line, cwd=ROOT, pass_fds=[file.fileno()], check=True, timeout=120, capture_output=True)
    assert len((tmp_path / "record").read_text().splitlines()) == 3
    assert os.listdir(tmp_path).count("record") == 1
