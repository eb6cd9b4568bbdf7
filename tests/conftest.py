"""Which tests can run here: GL and windows where there are any, reference cases where they lie."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from engine import FORM
from tests.demo_records import keep_demo_records
from tests.needed import left_out, of_another_form
from tests.places import SHARED
from viewer.main import SELDOM

if TYPE_CHECKING:
    import pytest

MESA = "on Debian and Ubuntu: apt install libegl1 libgl1 libgl1-mesa-dri libglx-mesa0"
GL_HINT = f"no OpenGL 3.3 through EGL or a display ({MESA})"
COUNT = "count: "  # begins the name of a property that is summed over all tests and printed
WINDOW_HINT = f"no display and no Xvfb (apt install xvfb xdotool; {MESA})"

# What people have is a Python with buffers, which keeps byte code: so have the programs that tests start.
for variable in ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"):
    os.environ.pop(variable, None)

_PROBE = """
from viewer.renderer.gl.context import create_headless
create_headless()
"""


@cache
def has_gl() -> bool:
    """Whether an off-screen context can be made; tried in a process of its own, since a driver may crash."""
    done = subprocess.run(
        [sys.executable, "-c", _PROBE], capture_output=True, cwd=Path(__file__).parents[1], check=False
    )
    return done.returncode == 0


@cache
def has_window() -> bool:
    """Whether a window can be opened and driven."""
    return shutil.which("xdotool") is not None and shutil.which("Xvfb") is not None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Slow tests first, lest one runs alone at the end; those that read reference cases where they are."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    if SHARED.is_dir():
        return
    left_out = [item for item in items if item.get_closest_marker("shared")]
    if left_out:
        items[:] = [item for item in items if not item.get_closest_marker("shared")]
        config.hook.pytest_deselected(items=left_out)


def pytest_sessionstart() -> None:
    keep_demo_records()


def pytest_collection_finish() -> None:
    """Look for garbage as seldom as the program does: a quarter of the tests' time went there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)


def pytest_report_header() -> str:
    """Which form of the hot packages is tested."""
    return f"the hot packages run {FORM.name}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what can't be done here, or fail it where nothing may be skipped."""
    for mark in item.iter_markers("interpreted_only"):
        if FORM.compiled:
            of_another_form(mark.args[0])
    for mark in item.iter_markers("needs"):
        there, why = mark.args
        if not there:
            left_out(why)
    for name, able, hint in (("gl", has_gl, GL_HINT), ("window", has_window, WINDOW_HINT)):
        if item.get_closest_marker(name) and not able():
            left_out(hint)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say plainly what was counted, what was not run, and what would make it run."""
    counts: Counter[str] = Counter()
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            counts.update({name: value for name, value in report.user_properties if name.startswith(COUNT)})
    for name, value in sorted(counts.items()):
        terminalreporter.write_line(f"{name.removeprefix(COUNT)}: {value}")
    reasons: dict[str, int] = {}
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason] = reasons.get(reason, 0) + 1
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count} tests were skipped: {reason.removeprefix('Skipped: ')}")
    if not SHARED.is_dir():
        terminalreporter.write_line(
            "Tests that read reference cases were left out: no folder ../shared here."
        )
