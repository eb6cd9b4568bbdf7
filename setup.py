"""What a build finds by itself: the packages, and the folders that the wheel holds inside the viewer's."""

from __future__ import annotations

from pathlib import Path

from setuptools import find_packages, setup

INSIDE = {"shaders": "viewer._data.shaders", "assets": "viewer._data.assets"}
"""Folders at the top level of a checkout, and the packages that they are in a wheel."""


def found(root: Path) -> dict[str, object]:
    """The arguments of a build: every package of the engine and the viewer, and the data, however deep."""
    code = find_packages(str(root), include=["engine", "engine.*", "viewer", "viewer.*"])
    data = {
        ".".join((package, *folder.relative_to(root / top).parts)): folder.relative_to(root).as_posix()
        for top, package in INSIDE.items()
        for folder in (root / top, *sorted((root / top).rglob("*")))
        if folder.is_dir()
    }
    files = {package: ["*"] for package in data}
    return {"packages": [*code, *data], "package_dir": data, "package_data": files}


if __name__ == "__main__":
    setup(**found(Path(__file__).parent))
