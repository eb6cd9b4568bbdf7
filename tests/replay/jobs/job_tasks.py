"""Work for the tests of shared work: other processes import it from here."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Final

from engine.dat.errors import DatError
from engine.files.json_form import Json
from engine.replay.jobs.process_pool import Piece, Tell, Work, done_in_order

FAULTS: Final[dict[int, Exception]] = {
    -1: ArithmeticError("a negative number"),
    -2: DatError("portal.dat", 0x01000001, 4, "can't be read"),
    -3: MemoryError(),
    -4: ImportError("PLEASE READ THIS\nfailed to map segment"),
}


@dataclass(frozen=True)
class Squares:
    """Numbers squared, each after so many seconds; None ends the process, what FAULTS names fails."""

    slow: float = 0.0

    def begin(self) -> Work:
        def work(item: int | None, tell: Tell) -> Json:
            if item is None:
                os._exit(7)
            if item in FAULTS:
                raise FAULTS[item]
            for part in range(10):
                time.sleep(self.slow * (1 + item % 3) / 10)
                tell(part / 10)
            return {"square": item * item, "pid": os.getpid()}

        return work


def pieces(count: int) -> list[Piece]:
    return [Piece(f"n{n}", n, 2.0) for n in range(count)]


def main() -> None:
    """Work for a long time, saying which processes help: to be killed."""
    for _, result in done_in_order(Squares(0.2), pieces(1000), jobs=2):
        print(result["pid"], flush=True)
