"""Whether two paths lead to one file: through links, and under small and capital letters."""

from __future__ import annotations

import os
from pathlib import Path


def is_same_file(a: Path, b: Path) -> bool:
    """Whether what is at two paths is one thing; False where nothing is at one of them.

    Some systems that take ``A`` for ``a`` (exFAT by FUSE) say that they are two, each with a number of its
    own; but a folder's list has one of them only.
    """
    try:
        if os.path.samefile(a, b):
            return True
    except (OSError, ValueError):
        return False
    if a.name.casefold() != b.name.casefold() and not (a.is_symlink() or b.is_symlink()):
        return False  # as of thousands of files most are: nothing more is asked of the system
    a, b = real_path(a), real_path(b)
    if a == b or str(a).casefold() != str(b).casefold():
        return a == b
    is_one_name = a.name == b.name or not {a.name, b.name} <= _names_in(a.parent)
    return is_one_name and is_same_file(a.parent, b.parent)


def will_be_same_file(a: Path, b: Path) -> bool:
    """Whether two paths at which nothing is would lead to one file."""
    a, b = real_path(a), real_path(b)
    return a == b or (str(a).casefold() == str(b).casefold() and ignores_case(a.parent))


def real_path(path: Path) -> Path:
    """A path without links; as it is where no file can have such a name."""
    try:
        return Path(os.path.realpath(path))
    except ValueError:
        return path


def ignores_case(folder: Path) -> bool:
    """Whether a folder's system takes small and capital letters for the same, by a name that is there."""
    while True:
        names = _names_in(folder)
        other = next((name for name in names if name.isascii() and name.swapcase() not in names), "")
        if other:
            return os.path.lexists(folder / other.swapcase())
        if folder == folder.parent:
            return False
        folder = folder.parent


def _names_in(folder: Path) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()
