"""An error that no code foresaw: one line of words, wherever it was raised.

Nothing is imported here but the standard library: ``viewer.main`` needs this before all else.
"""

from __future__ import annotations

import signal
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from threading import ExceptHookArgs

NO_MEMORY: Final = "no memory is left: the machine, or a limit set for it, gives no more"
PASSED_OVER: Final = " ignored due to race condition"
"""Python's words, after the signal's number: one came as what it does was being set anew."""
NO_THREAD: Final = "can't start new thread"
"""Python's words, in an error that has no kind of its own."""


def unforeseen(error: BaseException, *, verbose: bool) -> str:
    """What an error means that has no kind of its own here."""
    if told := told_if_short(error):
        return told  # nor is there any memory to load what follows
    from viewer.bytecode import told_if_cut

    if told := told_if_cut(error):
        return told
    from engine.files.shown import is_utf8
    from engine.told_in_a_line import is_told_in_a_line
    from viewer.how_started import runs_here
    from viewer.interrupts import was_loading

    if isinstance(error, ImportError) or was_loading(error) or _misses_a_module(error):
        if not is_utf8(sys.prefix):  # imgui-bundle can't be loaded there
            return f"a part of the program can't be loaded from a folder whose name is no UTF-8: {sys.prefix}"
        kind = "" if isinstance(error, ImportError) else f"{type(error).__name__}: "
        reason = f"{kind}{error}; `{runs_here('holtwalk doctor')}` says what is missing"
        return f"a part of the program can't be loaded: {reason}"
    if isinstance(error, RuntimeError) and str(error) == NO_THREAD:
        return "no more threads can be started: the machine, or a limit (ulimit -u), allows no more"
    if is_told_in_a_line(error):
        return str(error)
    hint = "" if verbose else " (--verbose shows where)"
    return f"internal error: {type(error).__name__}: {error}{hint}"


def told_if_short(error: BaseException) -> str:
    """What a want of memory means, by the limit that it comes of where it says so; empty for other errors."""
    from viewer.memory_limits import OF_LIMIT, is_for_want_of_memory  # loaded since the program began

    if isinstance(error, MemoryError) and str(error).startswith(OF_LIMIT):
        return f"no memory is left: {error}"
    is_unloadable = isinstance(error, ImportError) and is_for_want_of_memory(error)
    return NO_MEMORY if is_unloadable or isinstance(error, MemoryError) else ""


def _misses_a_module(error: BaseException) -> bool:
    """Whether a file of Python's that could not be read came to light only where its module was used."""
    if isinstance(error, AttributeError):
        return isinstance(error.obj, ModuleType)  # its folder was taken for a package without a file
    return isinstance(error, LookupError) and str(error).startswith("unknown encoding")


def tell_of_lost_errors(*, verbose: bool) -> None:
    """Have errors that reach nobody told in one line, once of each kind, where Python prints a traceback.

    They are those that end a thread, and those that are raised while an object is dropped.
    """
    import threading

    told: set[type] = set()
    hear_interrupts = sys.unraisablehook

    def tell(error: BaseException | None) -> None:
        from viewer.terminal import say

        if not isinstance(error, Exception) or type(error) in told:  # what ends a program is no error
            return
        told.add(type(error))
        if verbose:
            import traceback

            traceback.print_exception(error)
        say(unforeseen(error, verbose=verbose))

    def tell_of_thread(args: ExceptHookArgs) -> None:
        tell(args.exc_value)

    def tell_of_dropped(args: sys.UnraisableHookArgs) -> None:
        if isinstance(args.exc_value, KeyboardInterrupt):
            hear_interrupts(args)
        elif str(args.exc_value).endswith(PASSED_OVER):
            number = str(args.exc_value).removeprefix("Signal ").removesuffix(PASSED_OVER)
            signal.raise_signal(int(number))  # which does what it would have done a moment later
        else:
            tell(args.exc_value)

    threading.excepthook = tell_of_thread
    sys.unraisablehook = tell_of_dropped
