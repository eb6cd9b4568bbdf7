"""The first process of a container: it starts the program in another one, and hands signals on to that.

The kernel passes over whatever would end the first process of a container by default, even SIGKILL from
within. So there SIGTERM (``docker stop``) was heard by no command, and no watcher could end a window.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from contextlib import suppress

FIRST = 1
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")


def start_another() -> None:
    """Come back in a child of the first process; the first process itself ends here, as the child ends.

    Its exit code is the child's, or 128 and the signal's number. Processes that nobody waits for any more
    become children of the first one: it waits for them.
    """
    handed_on = {getattr(signal, name) for name in _NAMES}
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:  # then nobody would hear of the child's end
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*handed_on, signal.SIGCHLD})
    try:
        child = os.fork()
    except OSError:  # there may be one process only: this one does it all
        child = 0
        _end_by(handed_on)
    if child == 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return
    while True:
        came = signal.sigwaitinfo({*handed_on, signal.SIGCHLD})
        if came.si_signo == signal.SIGCHLD:
            _wait_for(child)
        elif came.si_code <= 0:  # from a process: what a terminal sends comes to the child as well
            with suppress(ProcessLookupError):
                os.kill(child, came.si_signo)


def _end_by(numbers: Iterable[int]) -> None:
    """Have signals end this process that would by default, which the kernel passes over for the first one."""
    for number in numbers:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, lambda number, _: os._exit(128 + number))


def _wait_for(child: int) -> None:
    """Let go of all that has ended, and end with the child."""
    while True:
        ended, status = os.waitpid(-1, os.WNOHANG)
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
        if ended == 0:
            return
