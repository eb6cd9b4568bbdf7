"""Results that a state keeps once the files that they come of are seen to be what they were."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Callable, Iterator

from engine.dat.errors import may_pass
from engine.files.ended_in_order import held_back
from engine.files.json_form import Json
from engine.replay.jobs.process_pool import Piece
from engine.replay.jobs.work_state import WorkState
from viewer.commands.groundwork.stamps import changed_since

REST = 20.0  # times what a look at the files takes: what it takes is a twentieth of the work, however many
MOST_REST = 60.0  # seconds: a look also takes what the program was stopped amid it


class KeptResults:
    """Where results wait for a look at the files; ``tell`` hears, once, why none is kept any more.

    A look at tens of thousands of files takes longer than many a result: those of some seconds share one.
    """

    def __init__(self, state: WorkState, args: Namespace, tell: Callable[[str], object]) -> None:
        self._state, self._args, self._tell = state, args, tell
        self._waiting: list[tuple[str, Json]] = []
        self._changed = ""
        self._due = 0.0

    def through(self, results: Iterator[tuple[Piece, Json]]) -> Iterator[tuple[Piece, Json]]:
        """Pieces with their results as they come; they are kept, wherever this is stopped.

        What failed by the machine's fault is not: it is done again.
        """
        try:
            try:
                for piece, result in results:
                    if piece.key not in self._state.results and not may_pass(json.dumps(result)):
                        self.add(piece.key, result)
                    yield piece, result
            finally:
                self.keep_all()
        finally:  # a signal that comes as the first of these begins ends it; another one then raises nothing
            self.keep_all()

    def keep_all(self) -> None:
        """Keep what waits, however often one asks for the end meanwhile."""
        with held_back():
            self.keep()

    def add(self, key: str, result: Json) -> None:
        """Keep a piece's result, now or with the next ones."""
        if not self._changed:
            self._waiting.append((key, result))
            if time.monotonic() >= self._due:
                self.keep()

    def keep(self) -> None:
        """Keep what waits, unless a file is no longer what it was."""
        if not self._waiting or self._changed:
            return
        began = time.monotonic()
        self._changed = changed_since(self._args)  # an interrupt leaves what waits
        ended = time.monotonic()
        self._due = ended + min(REST * (ended - began), MOST_REST)
        if self._changed:
            self._tell(self._changed)
            return
        with held_back():
            waiting, self._waiting = self._waiting, []  # also where they can't be written
            for key, result in waiting:
                self._state.keep(key, result)
