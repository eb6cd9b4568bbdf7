"""Compile the packages where time goes with mypyc; the interpreted files stay the reference.

    python scripts/compile_hot.py [--clean]

Needs a C compiler and what `requirements-test.lock` names, and takes some minutes. The compiled modules go
into engine/_compiled and run wherever the engine is imported from this checkout, until some source file that
they were made from changes: then the program says so and runs interpreted. `--clean` removes them.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.start import CHECKS, arguments_of, begin, finish, reason_of

begin(__name__, CHECKS)

import ast
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

if __name__ == "__main__":  # else whoever imports it would have its helping processes run another form
    os.environ["HOLTWALK_INTERPRETED"] = "1"  # modules in use can't be removed everywhere

from engine.compiled_form import FOLDER, GROUP, LIBRARY, MANIFEST, SUFFIX, text_hash
from engine.files.shown import shown
from engine.files.write import write_bytes, write_text
from scripts.environment import ROOT

HOT = ("collision", "physics", "visibility")
COLD = {
    "physics/objects/motion_clip", "physics/objects/near_place", "physics/objects/world_objects",
    "physics/simulation/blocked", "physics/simulation/last_move", "physics/simulation/movement",
    "physics/simulation/residency", "physics/simulation/body_shapes",
    "physics/simulation/inputs", "physics/simulation/static_comparison", "physics/simulation/tell",
    "physics/transition/picks", "physics/transition/trace",
    "visibility/camera", "visibility/report", "visibility/region_shapes", "visibility/view_modes",
    "visibility/why/explain", "visibility/why/gates", "visibility/why/why_answer", "visibility/why/ways",
}  # fmt: skip
"""Modules of the hot packages that run seldom or only to show something."""

SHARED = ("box", "bsp", "cell_graph", "cells", "frame", "ids", "loading/world", "polygon", "terrain", "way")
"""Modules of engine/world whose classes the hot packages read in their inner loops."""

POSIX_ARGUMENTS = (
    "-ffp-contract=off",  # no multiplication and addition in one: that rounds once and not twice
    "-fvisibility=hidden",  # functions that no other library may replace are put in place
)


class CompileError(Exception):
    """Nothing was compiled; the text says why."""


def sources(root: Path) -> list[str]:
    """The modules to compile, as paths from the project's root."""
    paths = [root / "engine" / "world" / f"{name}.py" for name in SHARED]
    for package in HOT:
        for path in sorted((root / "engine" / package).rglob("*.py")):
            name = path.relative_to(root / "engine").with_suffix("").as_posix()
            if path.stem != "__init__" and name not in COLD:
                paths.append(path)
    return [path.relative_to(root).as_posix() for path in paths]


def made_from(root: Path, names: Sequence[str]) -> dict[str, str]:
    """The hashes of modules and of what they import of the engine: its constants are compiled into them."""
    known = dict.fromkeys(names)
    for name in names:
        for node in ast.walk(ast.parse((root / name).read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("engine."):
                module = node.module.replace(".", "/")
                rooms = [f"{module}/{alias.name}.py" for alias in node.names]  # of a package, by themselves
                known.update(dict.fromkeys(rooms if (root / module).is_dir() else [f"{module}.py"]))
    return {name: text_hash(root / name) for name in known}


OURS = re.compile(rf"(engine(\.\w+)+|{LIBRARY})\.([\w-]+\.)?(so|pyd)", re.ASCII)
"""The files of compiled modules, of this Python or another."""


def clean(root: Path) -> int:
    """Remove what was compiled; the number of modules. What else is in the folder stays, and that is said.

    Raises OSError for what can't be removed.
    """
    folder = root / "engine" / FOLDER
    if folder.is_symlink():
        folder.unlink()  # what it leads to is somebody's own
    if not folder.exists():
        return 0
    compiled = [path for path in folder.iterdir() if OURS.fullmatch(path.name)]
    (folder / MANIFEST).unlink(missing_ok=True)  # first: what is left where this is broken off is not used
    for path in compiled:
        path.unlink()
    others = sorted(path.name for path in folder.iterdir())
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        told = f"{folder}: holds {shown(others[0])}{more}, not made by this script: left there"
        print(f"holtwalk: {told}", file=sys.stderr)
    else:
        folder.rmdir()
    return sum(not path.name.startswith(LIBRARY) for path in compiled)


def compile_hot(root: Path, names: Sequence[str]) -> int:
    """Compile modules anew; their number. CompileError where that can't be done."""
    with TemporaryDirectory(prefix="holtwalk-compile-") as folder:
        _compile(root, names, Path(folder))
    return len(names)


def _compile(root: Path, names: Sequence[str], build: Path) -> None:
    try:
        from mypyc.build import mypycify
        from setuptools import Distribution
        from setuptools.errors import BaseError, CCompilerError
    except ImportError as error:
        raise CompileError(f"{error.name} is missing: pip install -r requirements-test.lock") from error
    clean(root)
    os.chdir(root)  # the modules are named by their paths from here
    hashes = made_from(root, names)
    # What pyproject.toml says about the program does not matter here: only extension modules are built.
    extensions = mypycify([str(name) for name in names], target_dir=str(build), group_name=GROUP)
    for extension in extensions:
        if os.name == "posix":
            extension.extra_compile_args.extend(POSIX_ARGUMENTS)
    distribution = Distribution({"name": GROUP, "ext_modules": extensions})
    command = distribution.get_command_obj("build_ext")
    command.build_temp = str(build / "objects")
    command.build_lib = str(build / "modules")
    try:
        distribution.run_command("build_ext")
    except (BaseError, CCompilerError) as error:
        raise CompileError(f"the C compiler failed or is missing: {error}") from error
    _gather(build / "modules", root / "engine" / FOLDER, hashes)


def _gather(built: Path, folder: Path, hashes: dict[str, str]) -> None:
    """Put the extension modules into one folder, under their full names; the list of sources goes last."""
    folder.mkdir(exist_ok=True)
    modules = []
    for path in sorted(built.rglob(f"*{SUFFIX}")):
        name = ".".join(path.relative_to(built).parts).removesuffix(SUFFIX)
        write_bytes(folder / f"{name}{SUFFIX}", path.read_bytes())
        modules.append(name)
    manifest = {"suffix": SUFFIX, "modules": modules, "made_from": hashes}
    write_text(folder / MANIFEST, json.dumps(manifest, indent=1))


def main(arguments: list[str]) -> int:
    """Compile or clean."""
    parser = arguments_of(__doc__)
    parser.add_argument("--clean", action="store_true", help="remove what was compiled")
    try:
        if parser.parse_args(arguments).clean:
            print(f"{clean(ROOT)} compiled modules removed")
        else:
            print(f"{compile_hot(ROOT, sources(ROOT))} modules compiled")
    except CompileError as error:
        print(f"holtwalk: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"holtwalk: {reason_of(error)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    finish(main)
