"""A module that no helping process gets to the end of: it says that it has begun, and goes on loading."""

from __future__ import annotations

import os
import sys
import time
from multiprocessing import parent_process

from engine.replay.jobs.pool import Piece, Work, done_in_order

if parent_process() is not None:
    print(os.getpid(), flush=True)
    sys.stdout.close()
    time.sleep(120)


class Endless:
    """Work that is never reached."""

    def begin(self) -> Work:
        raise AssertionError


def main() -> None:
    """Wait for helpers that go on loading: to be killed."""
    from tests.replay import endless_module

    list(done_in_order(endless_module.Endless(), [Piece("a", 0), Piece("b", 0)], jobs=2))


if __name__ == "__main__":
    main()
