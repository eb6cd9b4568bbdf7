"""Nothing in the window raises to the user: what fails is one line, and the rest goes on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from engine.files.shown import shown
from viewer.unforeseen import NO_MEMORY

LONGEST: Final = 300  # letters of a reason
LONGEST_PATH: Final = 200  # of a path in it, which may be as long as a drop has it
Result = TypeVar("Result")


class Guard:
    """Does parts of frames and events; ``show`` shows a failure's line, ``note`` keeps it, once for each."""

    def __init__(self, show: Callable[[str], None], note: Callable[[str], None]) -> None:
        self._show = show
        self._note = note
        self._noted: set[str] = set()

    def __call__(self, what: str, do: Callable[[], Result]) -> Result | None:
        """Do a part; None where it fails."""
        try:
            return do()
        except Exception as error:
            told = _of_file(error) if isinstance(error, OSError) else str(error)
            nameless = NO_MEMORY if isinstance(error, MemoryError) else type(error).__name__
            reason = " ".join(told.split()) or nameless
            line = f"{what} failed: {shown(reason, LONGEST)}"
            self._show(line)
            if line not in self._noted:
                self._noted.add(line)
                self._note(line)
            return None

    def around(self, what: str, do: Callable[..., object]) -> Callable[..., None]:
        """The same as somebody else calls it: an event's handler that never fails."""

        def handle(*words: object) -> None:
            self(what, partial(do, *words))

        return handle


def _of_file(error: OSError) -> str:
    """What is wrong with a file, as the lines of commands say it."""
    if not (error.filename and error.strerror):
        return str(error)
    return f"{shown(str(error.filename), LONGEST_PATH)}: {error.strerror}"
