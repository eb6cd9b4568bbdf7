"""How far a ``dat`` command is that goes through the objects of dat files, in stored bytes."""

from __future__ import annotations

import sys
from argparse import Namespace
from types import TracebackType
from typing import Final, Self

from engine.dat.check.listing import Listed, list_entries
from engine.dat.container.installation import DatFiles
from engine.dat.hex_id import hex_id
from viewer.report.progress import QUIET, Progress

PRINTS_ALL: Final = ("dat ls", "dat show")  # commands whose own lines say how far they are, on a terminal


class Told:
    """Hears each object before it is looked at; the line that it leaves on a terminal goes with the block.

    The whole is the files' size, or with a type what its objects take, for which its directory is walked
    beforehand; not so for ``dat ls``, which does nothing but that.
    """

    def __init__(self, files: DatFiles, args: Namespace) -> None:
        prints_all = args.command in PRINTS_ALL
        self._progress = Progress(
            args.command, asked=args.progress, quiet=QUIET if prints_all and not args.progress else 0.0
        )
        self._hushes = prints_all and sys.stdout.isatty()
        self._done = 0
        self._progress.total = float(sum(file.size for file in files.files()))
        if args.type is not None and args.command != "dat ls":
            listed = list_entries(files, args.type, lambda _: None)
            self._progress.total = float(sum(one.entry.size for one in listed))

    def __call__(self, listed: Listed) -> None:
        """The next object is looked at."""
        self._progress(float(self._done), hex_id(listed.entry.id))
        self._done += listed.entry.size

    def make_way(self) -> None:
        """Take the line from the terminal, for something else to be printed."""
        self._progress.make_way()
        if self._hushes:
            self._progress.hush(QUIET)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.make_way()
