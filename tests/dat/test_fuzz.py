"""Damaged records and containers by the ten thousand: read, or refused with DatError (dat-format 2.6)."""

import json
import subprocess
import sys

import pytest

from tests.needed import only_where
from tests.places import ROOT

SCRIPT = ROOT / "scripts" / "fuzz_dats.py"
RECORDS, CONTAINERS, PARTS = 10_000, 1_200, 2


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_bytes_are_read_or_refused_and_nothing_else_happens(part, record_property):
    words = ["--records", str(RECORDS), "--containers", str(CONTAINERS), "--part", f"{part}/{PARTS}"]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    counts = json.loads(done.stdout)
    for kind, inputs in (("records", RECORDS // PARTS), ("containers", CONTAINERS // PARTS)):
        found = counts[kind]
        assert found["inputs"] == inputs
        assert found["read"] + found["refused"] == inputs
        assert min(found["read"], found["refused"]) > inputs // 20
        for what in ("read", "refused"):
            record_property(f"count: damaged {kind} {what}", found[what])


# The fuzz run would notice: an input that is too slow, one that takes too much, one that raises otherwise.
NOTICES = """
from engine.dat.errors import DatError
from scripts.fuzzing import trying

def refuse():
    raise DatError("f", 1, 2, "reason")

def work():
    try:
        while True:
            pass
    except Exception:
        pass

def wait():
    import time
    time.sleep(20)

trying.SECONDS = 0.1
trying.limit_memory()
tally = trying.Tally()
tally.try_one("fine", lambda: None)
tally.try_one("refused", refuse)
tally.try_one("slow", work)
tally.try_one("waits", wait)
tally.try_one("large", lambda: bytearray(2 << 30))
tally.try_one("other", lambda: {}[1])
print(tally.inputs, tally.read, tally.refused)
print("\\n".join(tally.wrong))
"""


@only_where(so=sys.platform.startswith("linux"), why="timers and memory limits are Linux's")
def test_the_fuzz_run_notices_what_is_slow_large_or_raises_otherwise():
    done = subprocess.run(
        [sys.executable, "-c", NOTICES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "6 1 1", "slow: TooSlowError: more than 0.1 s of work",
        "waits: TooSlowError: more than 2 s of waiting", "large: MemoryError: ", "other: KeyError: 1",
    ]  # fmt: skip


def test_the_same_arguments_make_the_same_inputs():
    words = [sys.executable, str(SCRIPT), "--records", "300", "--containers", "20", "--seed", "3"]
    first, again = (
        json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout) for _ in "ab"
    )
    for kind in ("records", "containers"):
        assert (first[kind]["read"], first[kind]["refused"]) == (again[kind]["read"], again[kind]["refused"])
