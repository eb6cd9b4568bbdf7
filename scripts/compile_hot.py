"""Compile the packages where time goes, in place, with mypyc; the interpreted files stay the reference.

    python scripts/compile_hot.py [--clean]

Needs a C compiler and what `requirements-test.lock` names, and takes some minutes. Python prefers the
compiled form of a module: after a change of a source file compile again, or remove it with `--clean`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "hot"
GROUP = "holtwalk_hot"
HOT = ("collision", "physics", "visibility")
COLD = {
    "physics": {
        "debug_shapes", "doors", "motion_clip", "movement", "residency", "simulation", "static_lookup",
        "tick_report", "trace", "world_objects",
    },
    "visibility": {"camera", "debug_shapes", "report", "view_modes"},
}  # fmt: skip
"""Modules of the hot packages that run once a tick or only to show something."""

SHARED = ("bsp", "cells", "frame", "ids", "polygon", "terrain")
"""Modules of engine/world whose classes the hot packages read in their inner loops."""


class CompileError(Exception):
    """Nothing was compiled; the text says why."""


def sources() -> list[str]:
    """The modules to compile, as paths from the project's root."""
    paths = [ROOT / "engine" / "world" / f"{name}.py" for name in SHARED]
    for package in HOT:
        left_out = COLD.get(package, set()) | {"__init__"}
        folder = ROOT / "engine" / package
        paths += [path for path in sorted(folder.glob("*.py")) if path.stem not in left_out]
    return [path.relative_to(ROOT).as_posix() for path in paths]


def compiled_files() -> list[Path]:
    """The extension modules that a compilation leaves in the checkout."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
    return [*ROOT.glob(f"{GROUP}__mypyc*{suffix}"), *(ROOT / "engine").glob(f"*/*{suffix}")]


def clean() -> int:
    """Remove what was compiled; the number of extension modules that there were."""
    files = compiled_files()
    for path in files:
        path.unlink()
    shutil.rmtree(BUILD, ignore_errors=True)
    return len(files)


def compile_hot() -> int:
    """Compile everything anew; the number of modules. CompileError where that can't be done."""
    try:
        from mypyc.build import mypycify
        from setuptools import Distribution
        from setuptools.errors import BaseError, CCompilerError
    except ImportError as error:
        raise CompileError(
            f"{error.name} is missing: pip install -r requirements-test.lock setuptools"
        ) from error
    clean()
    os.chdir(ROOT)  # the modules are named by their paths from here
    names = sources()
    # What pyproject.toml says about the program does not matter here: only extension modules are built.
    extensions = mypycify(names, target_dir=str(BUILD), group_name=GROUP)
    distribution = Distribution({"name": GROUP, "ext_modules": extensions})
    command = distribution.get_command_obj("build_ext")
    command.inplace = True
    command.build_temp = command.build_lib = str(BUILD)
    try:
        distribution.run_command("build_ext")
    except (BaseError, CCompilerError) as error:
        clean()
        raise CompileError(f"the C compiler failed or is missing: {error}") from error
    return len(names)


def main() -> int:
    """Compile or clean."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--clean", action="store_true", help="remove what was compiled")
    if parser.parse_args().clean:
        print(f"{clean()} compiled modules removed")
        return 0
    try:
        print(f"{compile_hot()} modules compiled")
    except CompileError as error:
        print(f"holtwalk: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
