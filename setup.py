"""What a build finds by itself: the packages, and the folders that the wheel holds inside the viewer's.

With HOLTWALK_COMPILE=1 the wheel holds the hot packages compiled as well, and is one system's and one
Python's; mypy and a C compiler are needed then (scripts/compile_hot.py).
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from setuptools import Distribution, find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.errors import FileError

ROOT = Path(__file__).resolve().parent
INSIDE = {"shaders": "viewer._data.shaders", "assets": "viewer._data.assets"}
"""Folders at the top level of a checkout, and the packages that they are in a wheel."""
COMPILE = "HOLTWALK_COMPILE"


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


class OfThisPython(Distribution):
    """A wheel with compiled modules in it: of one system and one Python."""

    def has_ext_modules(self) -> bool:
        """Whether there are some, which are made after the sources were copied."""
        return True


class Anew(build_py):
    """Copies the sources into empty folders: what an earlier build left there may have moved or gone.

    In a folder of the user's choice that is his to remove: it may be something else.
    """

    def run(self) -> None:
        """Remove what is left there, then copy."""
        place = Path(self.build_lib).resolve()
        is_own = place.parent == (ROOT / "build").resolve() and place.name.startswith("lib")
        for top in ("engine", "viewer"):
            left = place / top
            if left.resolve() == (ROOT / top).resolve() or not os.path.lexists(left):
                continue
            if is_own:
                shutil.rmtree(left, ignore_errors=True)
            elif not left.is_dir() or any(left.iterdir()):
                raise FileError(f"{left}: is there already and stays as it is; build into another folder")
        super().run()


class CompiledToo(Anew):
    """Compiles the hot packages and puts them beside the sources that they were made from."""

    def run(self) -> None:
        """Copy the sources, then compile."""
        super().run()
        sys.path.insert(0, str(ROOT))
        from scripts.compile_hot import MANIFEST, OURS, compile_hot, sources

        compile_hot(ROOT, sources(ROOT))
        made, place = ROOT / "engine" / "_compiled", Path(self.build_lib) / "engine" / "_compiled"
        place.mkdir(exist_ok=True)
        for path in made.iterdir():
            if path.name == MANIFEST or OURS.fullmatch(path.name):
                shutil.copy2(path, place)


if __name__ == "__main__":
    compiled = {"distclass": OfThisPython, "cmdclass": {"build_py": CompiledToo}}
    setup(**found(ROOT), **(compiled if os.environ.get(COMPILE) == "1" else {"cmdclass": {"build_py": Anew}}))
