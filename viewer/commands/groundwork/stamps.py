"""What tells the files that a piece of work reads from what they were at another time."""

from __future__ import annotations

import errno
import os
import stat
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

import engine
import viewer
from engine.compiled_form import text_hash
from engine.files.below import files_below
from engine.named_tuple import NamedTuple
from viewer.user_error import UserError

DAT_FILES = (".dat",)
DUMP_FILES = (".json",)
WORLD_FILES = (*DAT_FILES, *DUMP_FILES)
SPAWN_FILES = (".sql",)
MOST_DIGESTED = 4 << 30  # bytes of a file: more than any of the game's has
PIECE = 1 << 20
SEEN = "stamped_files"  # what arguments keep of them
Look = tuple[int, ...] | None
LASTING = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.ELOOP)


def program_stamp() -> str:
    """What tells the program from one that would come to other results: its version and its modules' text."""
    from hashlib import blake2b

    roots = [Path(package).parent for package in (engine.__file__, viewer.__file__)]
    files = sorted((root, path) for root in roots for path in files_below(root) if path.suffix == ".py")
    texts = "".join(
        f"{root.name}/{path.relative_to(root).as_posix()} {text_hash(path)}\n" for root, path in files
    )
    return f"{engine.VERSION} {blake2b(texts.encode(), digest_size=16).hexdigest()}"


class _Folder(NamedTuple):
    """A folder, the endings of the files that are read from it, and whether from those below it as well."""

    path: Path
    endings: tuple[str, ...]
    below: bool

    def files(self) -> set[Path]:
        """What is read from it."""
        try:
            files = files_below(self.path) if self.below else self.path.iterdir()
            return {file for file in files if file.suffix.lower() in self.endings}
        except OSError:  # of a file that was there it is said by its look
            return set()


class _Seen(NamedTuple):
    """What the files that were stamped look like, by the names that they are read by, and what folders have.

    By those names, as what a link leads to is another file once the link is set anew.
    """

    looks: dict[Path, Look]
    folders: dict[_Folder, set[Path]]


def changed_since(args: Namespace) -> str:
    """The first file that is no longer what ``stamp`` was told of, by its times and size; empty for none.

    One that has come into a folder since is such a file.
    """
    seen: _Seen = getattr(args, SEEN, _Seen({}, {}))
    files = (path for path, look in seen.looks.items() if _look(path) != look)
    new = (file for folder, found in seen.folders.items() for file in folder.files() - found)
    return next((os.fspath(path) for paths in (files, new) for path in paths), "")


def _look(path: Path) -> Look:
    """What changes with whatever is written into a file, also where its time of change is put back."""
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns


def stamp(
    args: Namespace, paths: Iterable[Path], *, endings: tuple[str, ...] = (), below: bool = False
) -> list[list[object]]:
    """What tells files from those of another time: name, size and a digest, of folders' files too.

    One that a folder has by a link is told by that name as well, which may say what it is.
    In a folder, and with ``below`` in all folders below it, only files with the ``endings`` that are read
    count; the state of the work itself never does. Where no state is kept nothing is told. What the files
    look like is kept in ``args`` for ``changed_since``. UserError for a pipe: what it holds is gone once it
    was read.
    """
    found: list[list[object]] = []
    if not args.state:
        return found
    kept = os.path.realpath(args.state)
    seen: _Seen = vars(args).setdefault(SEEN, _Seen({}, {}))
    for path in paths:
        files = [path]
        if path.is_dir():
            folder = _Folder(path, endings, below)
            seen.folders[folder] = folder.files()
            files = sorted(seen.folders[folder])
        elif path.exists() and not path.is_file():
            raise UserError(f"{path}: is a pipe or device; with --state only files and folders are read")
        whole = [(file, os.path.realpath(file)) for file in files]
        # Before it is read for its digest.
        seen.looks.update((file, _look(file)) for file, name in whole if name != kept)
        found += [[name, *_of(file), *_named(file, path)] for file, name in whole if name != kept]
    return found


def _named(file: Path, folder: Path) -> Iterable[str]:
    """The name that a file has in a folder, where that is not its own."""
    if file != folder:
        name = os.fspath(file.relative_to(folder))
        if os.path.realpath(file) != os.path.join(os.path.realpath(folder), name):
            yield name


def _of(file: Path) -> tuple[object, object]:
    """A file's size and what it holds; why they can't be had is told by who reads the file.

    A time of change is none of it: copies keep it, and others change it and nothing else. UserError for what
    may be over the next time, as a fault of the disk: the state would be another world's from then on.
    """
    from hashlib import blake2b  # loaded only where a state is kept: every picture comes by this module

    digest = blake2b(digest_size=16)
    try:
        about = file.stat()
        if not stat.S_ISREG(about.st_mode):  # a pipe in a folder is nothing that a world is read from
            return None, None
        with file.open("rb") as opened:
            while opened.tell() < MOST_DIGESTED and (part := opened.read(PIECE)):
                digest.update(part)
    except OSError as error:
        if error.errno not in LASTING:
            raise UserError(f"{file}: can't be read: {error.strerror or error}") from error
        return None, error.strerror
    return about.st_size, digest.hexdigest()
