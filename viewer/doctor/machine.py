"""Python, the packages that the program needs, and the form that the hot packages run in."""

from __future__ import annotations

import platform
import struct
import sys
from importlib import import_module, metadata
from typing import Final

from engine import FORM
from viewer.doctor.machine_finding import Finding

OLDEST: Final = (3, 11)
# The distributions that the program needs, and what is imported of each (a test compares with pyproject).
PACKAGES: Final[dict[str, str]] = {
    "moderngl": "moderngl",
    "moderngl-window": "moderngl_window",
    "pyglet": "pyglet",
    "glcontext": "glcontext",
    "PyGLM": "pyglm",
    "numpy": "numpy",
    "imgui-bundle": "imgui_bundle",
    "pillow": "PIL",
    "platformdirs": "platformdirs",
    "shtab": "shtab",
    "trimesh": "trimesh",
}


def python_found() -> Finding:
    """Which Python runs, where."""
    version, bits = platform.python_version(), struct.calcsize("P") * 8
    ok = sys.version_info[:2] >= OLDEST and bits == 64
    figures = {
        "version": version,
        "implementation": platform.python_implementation(),
        "bits": bits,
        "executable": sys.executable,
        "system": platform.platform(),
    }
    detail = f"{figures['implementation']} {version}, {bits} bits, on {figures['system']}"
    return Finding(name="python", ok=ok, detail=detail, figures=figures, lacks="" if ok else "python")


def packages_found() -> Finding:
    """The packages with their versions, and which are missing or can't be loaded."""
    versions: dict[str, str | None] = {}
    wrong: list[str] = []
    for name, module in PACKAGES.items():
        try:
            versions[name] = metadata.version(name)
            import_module(module)
        except metadata.PackageNotFoundError:
            versions[name] = None
            wrong.append(f"{name} is not installed")
        except Exception as error:  # a library that it needs in turn, or a wheel of another machine
            wrong.append(f"{name} can't be loaded ({' '.join(str(error).split())[:120]})")
    detail = ", ".join(wrong or [f"{name} {version}" for name, version in versions.items()])
    return Finding(
        name="packages",
        ok=not wrong,
        detail=detail,
        figures={"versions": versions},
        lacks="packages" if wrong else "",
    )


def form_found() -> Finding:
    """Whether the hot packages run compiled; interpreted they do the same, more slowly."""
    figures = {"form": FORM.name, "stale": bool(FORM.problem)}
    if FORM.compiled:
        return Finding("hot packages", ok=True, detail="compiled", figures=figures)
    return Finding(
        name="hot packages",
        ok=None,
        detail=FORM.problem or "interpreted: the same, slower",
        figures=figures,
        lacks="compiled",
    )
