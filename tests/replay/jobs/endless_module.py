"""A module that no helping process gets to the end of: it says that it has begun, and goes on loading."""

from __future__ import annotations

import os
import time
from multiprocessing import current_process

from engine.replay.jobs.process_pool import Piece, Work, done_in_order

if current_process().name != "MainProcess":
    os.write(1, f"{os.getpid()}\n".encode())  # in one piece: another writes here as well
    time.sleep(120)


class Endless:
    """Work that is never reached."""

    def begin(self) -> Work:
        raise AssertionError


def main() -> None:
    """Wait for helpers that go on loading: to be killed."""
    list(done_in_order(Endless(), [Piece("a", 0), Piece("b", 0)], jobs=2))
