"""Inputs are tried one after the other, within a time and a memory, and what became of them is counted."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from engine.dat.errors import DatError

SECONDS, MEGABYTES = 5.0, 512
PATIENCE = 20.0  # times SECONDS by the clock, as the machine may have other work
LONGEST = 1000  # characters of a reason


class TooSlowError(BaseException):
    """An input took more than SECONDS of work; no Exception, so that nothing on the way takes it for one."""


@dataclass(slots=True)
class Tally:
    """What became of the inputs of one kind; ``documented`` are the errors that one may be refused with."""

    read: int = 0
    refused: int = 0
    slowest: float = 0.0
    wrong: list[str] = field(default_factory=list)
    documented: tuple[type[Exception], ...] = (DatError,)

    @property
    def inputs(self) -> int:
        """How many inputs there were."""
        return self.read + self.refused + len(self.wrong)

    def try_one(self, name: str, use: Callable[[], None]) -> None:
        """Use one input and note what became of it."""
        start = time.perf_counter()
        try:
            with _time_limit():
                use()
        except self.documented as error:
            self.refused += 1
            reason = error.reason if isinstance(error, DatError) else str(error)
            if not reason or len(reason) > LONGEST or "\n" in reason:
                self.wrong.append(f"{name}: {type(error).__name__} with the reason {reason[:100]!r}")
        except (Exception, TooSlowError) as error:
            self.wrong.append(f"{name}: {type(error).__name__}: {error}")
        else:
            self.read += 1
        self.slowest = max(self.slowest, time.perf_counter() - start)


@contextmanager
def _time_limit() -> Iterator[None]:
    """Raise TooSlowError after SECONDS of work, or so many by the clock, where the system has timers."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, _: object) -> None:
        what = "of work" if number == signal.SIGPROF else "of waiting"
        raise TooSlowError(f"more than {limits[number][1]:g} s {what}")

    limits: dict[int, tuple[int, float]] = {
        signal.SIGPROF: (signal.ITIMER_PROF, SECONDS),
        signal.SIGALRM: (signal.ITIMER_REAL, SECONDS * PATIENCE),
    }
    before = {number: signal.signal(number, ring) for number in limits}
    for timer, seconds in limits.values():
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for timer, _ in limits.values():
            signal.setitimer(timer, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def limit_memory() -> None:
    """Let the process take MEGABYTES more address space than it has now, where the system can do that."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        return
    limit = pages * resource.getpagesize() + (MEGABYTES << 20)
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    if most == resource.RLIM_INFINITY or limit < most:  # else there is less than that anyway
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))
