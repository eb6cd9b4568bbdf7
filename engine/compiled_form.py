"""Which form of the hot packages runs: the source as it stands, or what was compiled from it.

``scripts/compile_hot.py`` leaves extension modules in a folder of their own beside a list of the source files
they were made from, each with the hash of its text. Python finds modules in that folder only through the
finder here, which is put in place when every hash still fits: what was made from other text never runs.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = "_compiled"
MANIFEST: Final = "made_from.json"
GROUP: Final = "holtwalk_hot"
LIBRARY: Final = f"{GROUP}__mypyc"
SUFFIX: Final = EXTENSION_SUFFIXES[0]
VARIABLE: Final = "HOLTWALK_INTERPRETED"
AGAIN: Final = "running interpreted; compile again with scripts/compile_hot.py, or remove it with --clean"


class Form(NamedTuple):
    """Which form runs; ``problem`` is one line on why a compiled form that is there does not, else empty."""

    compiled: bool
    problem: str = ""

    @property
    def name(self) -> str:
        """``compiled`` or ``interpreted``."""
        return "compiled" if self.compiled else "interpreted"


class CompiledModules:
    """Finds the extension modules of a folder, named by their full names."""

    def __init__(self, folder: Path, names: frozenset[str]) -> None:
        self._folder = folder
        self._names = names

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Where a compiled module lies; None for every other module."""
        if fullname not in self._names:
            return None
        return spec_from_file_location(fullname, self._folder / f"{fullname}{SUFFIX}")


def text_hash(path: Path) -> str:
    """The hash of a source file's text, the same whatever ends its lines; empty where there is none."""
    import hashlib  # only where there is a compiled form: every start of the program comes by here

    try:
        return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
    except OSError:
        return ""


def changed_sources(root: Path, made_from: dict[str, str]) -> list[str]:
    """Which files, named from the folder that holds the package, are not what was compiled."""
    return [name for name, known in made_from.items() if text_hash(root / name) != known]


def use_compiled_form(root: Path) -> Form:
    """Use the compiled form of the package under ``root``, where there is one made from this very source.

    Call it once, before any module of the hot packages is imported.
    """
    folder = root / "engine" / FOLDER
    if os.environ.get(VARIABLE) or not folder.is_dir():
        return Form(compiled=False)
    import json  # as above

    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        suffix, modules = str(manifest["suffix"]), [str(name) for name in manifest["modules"]]
        changed = changed_sources(root, dict(manifest["made_from"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Form(compiled=False, problem=f"{folder / MANIFEST}: can't be read: {AGAIN}")
    if suffix != SUFFIX:
        return Form(compiled=False, problem=f"{folder}: compiled for another Python ({suffix}): {AGAIN}")
    lost = next((name for name in modules if not (folder / f"{name}{SUFFIX}").is_file()), "")
    if lost:
        return Form(compiled=False, problem=f"{folder}: {lost}{SUFFIX} is not there: {AGAIN}")
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        return Form(
            compiled=False, problem=f"{folder}: compiled from other text of {changed[0]}{more}: {AGAIN}"
        )
    finder = CompiledModules(folder, frozenset(modules))
    sys.meta_path.insert(0, finder)
    try:
        import_module(LIBRARY)
    except ImportError as error:
        sys.meta_path.remove(finder)
        return Form(compiled=False, problem=f"{folder}: {error}: {AGAIN}")
    return Form(compiled=True)
