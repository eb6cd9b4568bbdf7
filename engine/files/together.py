"""Files that take their places together: all of them, or none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from engine.files.draft_file import DraftFile, StrPath
from engine.files.ended_in_order import ended_in_order, held_back


class Together:
    """Files that are written one after the other, and wait to be put in their places."""

    def __init__(self) -> None:
        self._drafts: list[DraftFile] = []

    @contextmanager
    def file(self, path: StrPath) -> Iterator[BinaryIO]:
        """A file to be written piece by piece within the block."""
        draft = DraftFile(path)
        self._drafts.append(draft)
        with draft.opened() as file:
            yield file

    def put(self, *, over: bool) -> None:
        """Put all in their places; where one can't be, those that nothing stood in the way of go again."""
        try:
            for draft in self._drafts:
                draft.put(over=over)
        except BaseException:
            for draft in () if over else self._drafts:
                draft.take_away()
            raise

    def discard(self) -> None:
        """Close all; those that have not been put in their places are gone."""
        for draft in self._drafts:
            draft.discard()


@contextmanager
def whole_files(*, over: bool = True) -> Iterator[Together]:
    """Files to be written one after the other; they take their places when the block ends without an error.

    ``over`` what stands there, else FileExistsError where something does, even if it came meanwhile, and then
    none of them is there. Interrupts and requests to end wait while they are put.
    """
    with ended_in_order():
        together = Together()
        try:
            yield together
            with held_back():
                together.put(over=over)
        finally:
            together.discard()
