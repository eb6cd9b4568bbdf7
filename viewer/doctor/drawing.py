"""What can be drawn with here: OpenGL without a window, and on a display."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from engine.files.shown import one_line
from viewer.doctor.machine_finding import Finding

PATIENCE: Final = 30.0
"""Seconds that a driver may take."""
ROOT: Final = Path(__file__).resolve().parents[2]
WITHOUT_WINDOW, WITH_DISPLAY = "without-window", "with-display"


def drawing_found() -> Finding:
    """OpenGL 3.3 without a window, which `render`, `tour` and `verify` draw with; on Linux through EGL."""
    found = _probe(WITHOUT_WINDOW)
    name = "OpenGL without a window"
    if "error" in found:
        return Finding(
            name=name,
            ok=False,
            detail=one_line(found["error"]),
            figures=found,
            lacks=found.pop("lacks", "gl"),
        )
    through = f", EGL {found['egl']}" if found.get("egl") else ""
    return Finding(name, ok=True, detail=f"{found['version']}, {found['renderer']}{through}", figures=found)


def display_found() -> Finding:
    """OpenGL 3.3 on a display, which the window needs; without one everything else works."""
    name = "OpenGL on a display"
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        wayland = " (the window needs XWayland beside Wayland)" if os.environ.get("WAYLAND_DISPLAY") else ""
        detail = f"no display: DISPLAY is not set{wayland}; the window can't be opened"
        return Finding(name=name, ok=None, detail=detail, figures={}, lacks="display")
    found = _probe(WITH_DISPLAY)
    if "error" in found:
        detail = f"{one_line(found['error'])}; the window can't be opened"
        return Finding(name=name, ok=None, detail=detail, figures=found, lacks=found.pop("lacks", "display"))
    return Finding(name, ok=True, detail=f"{found['version']}, {found['renderer']}", figures=found)


def clipboard_found(display: Finding) -> Finding:
    """Whether a command can be copied in the window: its clipboard is the display's."""
    kind = {"win32": "Windows'", "darwin": "macOS'"}.get(sys.platform, "the X server's")
    if display.ok:
        return Finding("clipboard", ok=True, detail=f"{kind}, through the window", figures={"kind": kind})
    return Finding("clipboard", None, "none without a display", {"kind": None})


def _probe(where: str) -> dict[str, Any]:
    """What a process of its own found out: whatever becomes of it, this one lives."""
    words = f"import runpy, sys; sys.path.insert(0, {str(ROOT)!r}); sys.argv = ['', {where!r}]; "
    words += "runpy.run_module('viewer.doctor.gl_probe', run_name='__main__')"
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"error": f"the driver did not answer within {PATIENCE:.0f} s"}
    except OSError as error:
        return {"error": f"no process could be started to ask the driver: {error.strerror}"}
    try:
        found = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        found = None
    if isinstance(found, dict):
        return found
    last = done.stderr.strip().splitlines()[-1:] or [f"its process ended with {done.returncode}"]
    return {"error": f"asking the driver failed: {last[0]}"}
