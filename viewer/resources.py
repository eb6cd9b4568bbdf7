"""Where shaders and the demo world lie: at the top of a checkout, or inside the installed package."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(name: str) -> Path:
    """The folder of a resource (``shaders`` or ``assets/demo``)."""
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
