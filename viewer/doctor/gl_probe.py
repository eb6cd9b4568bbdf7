"""Makes an OpenGL context and says what it is, as JSON: a process of its own, since drivers may crash.

``python -m viewer.doctor.gl_probe without-window|with-display``
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable
from typing import Any

_EGL_VENDOR, _EGL_VERSION = 0x3053, 0x3054


def main(where: str) -> int:
    """Print ``{"version", "renderer", …}``, or ``{"error"}``, with what it ``lacks`` where that is no driver.

    0 in any case.
    """
    probe: Callable[[], dict[str, Any]] = _without_window if where == "without-window" else _with_display
    try:
        found = probe()
    except ImportError as error:
        found = {"error": str(error), "lacks": "packages"}
    except Exception as error:
        found = {"error": " ".join(str(error).split()) or type(error).__name__}
        if lacks := getattr(error, "lacks", ""):
            found["lacks"] = lacks
    print(json.dumps(found))
    return 0


def _without_window() -> dict[str, Any]:
    from viewer.renderer.gl.context import create_headless

    context = create_headless()
    info = context.info
    found = {
        "version": info["GL_VERSION"],
        "renderer": info["GL_RENDERER"],
        "vendor": info["GL_VENDOR"],
        "max_texture_size": info["GL_MAX_TEXTURE_SIZE"],
        "max_samples": context.max_samples,
        "egl": _egl() if sys.platform == "linux" else None,
    }
    context.release()
    return found


def _egl() -> str | None:
    """The current display's EGL in words, version first; None where it does not say."""
    for name in ("libEGL.so.1", "libEGL.so"):
        try:
            egl = ctypes.CDLL(name)
        except OSError:
            continue
        egl.eglGetCurrentDisplay.restype = ctypes.c_void_p
        egl.eglQueryString.argtypes = (ctypes.c_void_p, ctypes.c_int)
        egl.eglQueryString.restype = ctypes.c_char_p
        display = egl.eglGetCurrentDisplay()
        words = [egl.eglQueryString(display, what) for what in (_EGL_VERSION, _EGL_VENDOR)] if display else []
        return " ".join(word.decode(errors="replace") for word in words if word) or None
    return None


def _with_display() -> dict[str, Any]:
    from viewer.renderer.driver_code import code_trouble
    from viewer.renderer.gl_found import found_with_display

    found = found_with_display()
    if found is None:
        return {"error": "no OpenGL on this display"}
    if not found.enough:
        return {"error": found.complaint}
    if complaint := code_trouble(found.renderer):
        return {"error": complaint, "lacks": "code"}
    return {"version": found.version, "renderer": found.renderer}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
