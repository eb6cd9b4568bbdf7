"""Commands as they run where the program was started: not everybody has it installed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

NAME = "holtwalk"
CHECKOUT = Path(__file__).resolve().parents[1]


def runs_here(command: str) -> str:
    """A command that begins with ``holtwalk``, as it runs when it is pasted where the program was started."""
    return f"{' '.join(_quoted(word) for word in _words())}{command.removeprefix(NAME)}"


def _words() -> list[str]:
    """``holtwalk`` where that is this program, else its script, or its Python with the checkout's."""
    folder, here = Path(sys.executable).parent, _here()
    for name in (NAME, f"{NAME}.exe"):
        script = folder / name
        if script.is_file():
            found = shutil.which(NAME)
            return [NAME] if found is not None and _is_same(Path(found), script) else [_near(script, here)]
    found = shutil.which("python")
    python = Path(sys.executable)
    first = "python" if found is not None and _is_same(Path(found), python) else _near(python, here)
    run = CHECKOUT / "scripts" / "run.py"
    if here == CHECKOUT or not run.is_file():
        return [first, "-m", "viewer"]
    return [first, _near(run, here)]


def _here() -> Path:
    try:
        return Path.cwd()
    except OSError:  # it is gone: no path lies below it
        return Path(os.devnull)


def _is_same(a: Path, b: Path) -> bool:
    """Whether two paths are one file by its name: an environment's Python is a link to another's."""
    return os.path.normcase(os.path.abspath(a)) == os.path.normcase(os.path.abspath(b))


def _near(path: Path, here: Path) -> str:
    """A path as it is typed in a folder: from there where it lies below it. Slashes do everywhere."""
    path = Path(os.path.abspath(path))
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word
