"""What every process that helps this one needs: it hears no Ctrl+C, and ends when this one has ended.

What it is to do is sent sealed: nothing but this module is loaded before it follows its parent, so that the
time that loading takes is no time that it outlives its parent by.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context, parent_process, spawn
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from threading import Condition, Lock, Thread
from types import ModuleType
from typing import Any, Final

from engine.cut_bytecode import repaired
from engine.files.ended_in_order import REQUESTS, held_back
from engine.strangers import hush_warnings

SAFE_PATH: Final = "PYTHONSAFEPATH"
BEREFT: Final = (
    "import sys; sys.excepthook = lambda kind, *rest: "
    "kind.__name__ in ('EOFError', 'UnpicklingError', 'MemoryError') or sys.__excepthook__(kind, *rest); "
)
"""How a helping process begins: one whose parent is killed before it has told all ends without a word, and so
does one that has no memory: its parent says so."""
_STARTING: Final = Lock()  # what is put aside for a start belongs to the whole process


def start_helper(name: str, serve: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Start a process that calls a function with arguments, connections too; it ends with this one.

    It is spawned, so that it begins the same on every system, and without the script that this one was begun
    with: neither may come from there. Raises what sending them raises, and OSError.
    """
    sealed = _Sealed((serve, arguments))
    process = get_context("spawn").Process(target=_serve_parent, args=(sealed,), name=name, daemon=True)
    with _STARTING, _only_our_modules(), _without_main(), _as_we_start_it(), _deaf_to_signals():
        process.start()
    return process


def end_helpers(processes: Iterable[BaseProcess], patience: float) -> None:
    """End processes at once; one that has not heard of it in so many seconds, as it is stopped, by force.

    Else the end of this one would wait for them.
    """
    there = list(processes)
    for process in there:
        process.terminate()
    until = time.monotonic() + patience
    for process in there:
        process.join(max(0.0, until - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join(patience)


class Outbox:
    """Words for another process, which a thread sends: nobody waits for one that does not listen.

    ``failed`` is called, on that thread, where words can't be sent to a process that is there.
    """

    def __init__(self, connection: Connection[Any, Any], failed: Callable[[], None]) -> None:
        self._connection = connection
        self._failed = failed
        self._words: list[tuple[Any, ...]] = []
        self._changed = Condition()
        self._closed = False
        self._thread = Thread(target=self._send, name="words for a helper", daemon=True)
        self._thread.start()

    def put(self, kind: str, *words: Any, instead: bool = False) -> None:
        """Send words behind all others; ``instead`` of those of their kind that have not been sent yet."""
        with self._changed:
            if instead:
                self._words = [other for other in self._words if other[0] != kind]
            self._words.append((kind, *words))
            self._changed.notify_all()

    def close(self, patience: float) -> None:
        """Send nothing more, and wait so many seconds at most for what is being sent."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(patience)

    @property
    def is_sending(self) -> bool:
        """Whether the thread runs, and so may use the connection."""
        return self._thread.is_alive()

    def _send(self) -> None:
        while True:
            with self._changed:
                while not self._words and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                words = self._words.pop(0)
            try:
                self._connection.send(words)
            except ConnectionError:
                return  # who listens to it notices that it has ended
            except OSError:  # it would wait for words that can't be sent
                self._failed()
                return


class _Sealed:
    """Something on its way to another process: there it is bytes until it is opened."""

    def __init__(self, content: object) -> None:
        self._content = content

    def __reduce__(self) -> tuple[Callable[[bytes], _Arrived], tuple[bytes]]:
        return _Arrived, (bytes(ForkingPickler.dumps(self._content)),)


class _Arrived:
    """What was sealed, in the process that it was sent to."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def open(self) -> Any:
        """The thing itself: loads the modules that it is made of."""
        return pickle.loads(self._data)


def _serve_parent(sealed: _Arrived) -> None:
    """In a helping process: be deaf to Ctrl+C for good, end as soon as the parent has, and do the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        Thread(target=_end_with_parent, daemon=True).start()
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_UNBLOCK, REQUESTS)
        hush_warnings()
        serve, arguments = sealed.open()
    except Exception as error:  # the parent learns that this one has ended, and nobody else would say why
        reason = repaired(error) or " ".join(str(error).split()) or type(error).__name__
        print(f"holtwalk: a helping process can't begin: {reason}", file=sys.stderr, flush=True)
        sys.exit(1)
    serve(*arguments)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _only_our_modules() -> Iterator[None]:
    """Let a process that starts meanwhile find no modules in the folder that the user works in.

    A file of theirs may be called as one of Python's own; where this process finds its modules, the other
    is told once it runs.
    """
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


@contextmanager
def _without_main() -> Iterator[None]:
    """Let a process that starts meanwhile not run the script that this one was begun with once more."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _as_we_start_it() -> Iterator[None]:
    """Let a process that starts meanwhile be quiet where its parent is gone, and stay where it is.

    That is in this one's folder anyway, and Python has it go there by name; who was put into a folder may not
    be allowed to enter it.
    """
    usual: Callable[[str], dict[str, object]] = spawn.get_preparation_data
    usual_words: Callable[..., list[str]] = spawn.get_command_line

    def without_folder(name: str) -> dict[str, object]:
        return {what: told for what, told in usual(name).items() if what != "dir"}

    def quiet_words(**given: object) -> list[str]:
        *options, program, last = usual_words(**given)
        return [*options, BEREFT + program, last]

    vars(spawn).update(get_preparation_data=without_folder, get_command_line=quiet_words)
    try:
        yield
    finally:
        vars(spawn).update(get_preparation_data=usual, get_command_line=usual_words)


@contextmanager
def _deaf_to_signals() -> Iterator[None]:
    """Let a process that starts meanwhile know of no interrupt from the keyboard, from the first moment.

    Nor is this one ended meanwhile: the other would be left with half of its words, and say so at length.
    """
    if sys.platform == "win32":
        yield  # there it learns so in its first lines
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # starting it would let interrupts through again
    with held_back():  # what one thread holds back the system gives to another, and Python tells the main one
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *REQUESTS})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
