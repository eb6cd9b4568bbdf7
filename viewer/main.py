"""The `holtwalk` program: finds the command, runs it, and turns every error into one line.

Nothing but the standard library is imported before the program knows what to do when it is interrupted.
"""

from __future__ import annotations

import _thread
import gc
import os
import signal
import sys
import time
from importlib import import_module

BAD_INPUT, INTERRUPTED, NO_READER = 2, 130, 141
SELDOM = (200_000, 10, 10)  # what is decoded stays: looking for garbage in it took an eighth of a start
AGAIN = 0.01  # seconds after which an interrupt that got lost comes once more


def main(words: list[str] | None = None) -> int:
    """Run a command line; the exit code is 0 on success, 1 when a check failed, 2 on bad usage or input.

    It is 130 after an interrupt and 141 where who read the output has gone. Without words this is the
    program, with the words that it was called with.
    """
    if words is not None:
        return _guarded(words)
    _leave_at_once_when_interrupted()
    sys.unraisablehook = _interrupt_again
    if hasattr(signal, "pthread_sigmask"):  # scripts/run.py holds interrupts back until here
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        from engine.files.write import hold_standard_streams

        hold_standard_streams()
        return _guarded(sys.argv[1:])
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        gc.freeze()  # the process ends: to look through all that it holds once more takes a tenth of its time
        _leave_at_once_when_interrupted()  # while threads and processes end


def _guarded(words: list[str]) -> int:
    from viewer.terminal import harmless_output, reader_has_gone

    with harmless_output():
        usual = gc.get_threshold()
        gc.set_threshold(*SELDOM)
        try:
            code = _tried(words)
        finally:
            gc.set_threshold(*usual)
        try:
            sys.stdout.flush()
        except OSError as error:
            reader_has_gone()
            if not isinstance(error, BrokenPipeError):
                return _complain(f"{error.filename}: {error.strerror}", verbose=False)
            return NO_READER if code == 0 else code
    return code


def _lost_folder() -> str:
    """What an error that names no file is about, where the folder that we were started in is gone."""
    try:
        os.getcwd()
    except OSError:
        return "the folder that holtwalk was started in: "
    return ""


def _tried(words: list[str]) -> int:
    from engine import FORM
    from engine.dat.errors import DatError
    from viewer.terminal import reader_has_gone, say
    from viewer.user_error import UserError

    verbose = "--verbose" in words
    if FORM.problem:
        say(FORM.problem)
    try:
        return _run(words)
    except (UserError, DatError) as error:
        return _complain(str(error), verbose=False)
    except OSError as error:
        if isinstance(error, BrokenPipeError) and not error.filename:
            reader_has_gone()
            return NO_READER
        where = f"{error.filename}: " if error.filename else _lost_folder()
        return _complain(f"{where}{error.strerror or error}", verbose=verbose)
    except KeyboardInterrupt:
        return INTERRUPTED
    except MemoryError:
        return _complain(
            "no memory is left: the machine, or a limit set for it, gives no more", verbose=verbose
        )
    except ImportError as error:
        reason = f"{error}; `holtwalk doctor` says what is missing"
        return _complain(f"a part of the program can't be loaded: {reason}", verbose=verbose)
    except Exception as error:
        hint = "" if verbose else " (--verbose shows where)"
        return _complain(f"internal error: {type(error).__name__}: {error}{hint}", verbose=verbose)


def _run(words: list[str]) -> int:
    from viewer.tables.arguments import overview, parse

    if words in (["--help"], ["-h"], ["help"]):
        print(overview())
        return 0
    if words == ["--version"]:
        print(f"holtwalk {_version()}")
        return 0
    try:
        command, args = parse(words)
    except SystemExit as stop:
        return int(stop.code or 0)
    if any(option.writes for option in command.options):
        from viewer.commands.groundwork.outputs import check_outputs  # --help goes without the engine

        check_outputs(command, args)
    module = import_module(f"viewer.commands.{command.module}")
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return int(module.run(args))


def _leave_at_once_when_interrupted() -> None:
    """Modules that are being loaded, and threads that end, would make a traceback of an interrupt."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else the caller wants it ignored
        signal.signal(signal.SIGINT, _leave)


def _leave(*_: object) -> None:
    os._exit(INTERRUPTED)


def _interrupt_again(unraisable: sys.UnraisableHookArgs) -> None:
    """An interrupt that comes while Python drops an object is lost, with a traceback: let it come again."""
    if unraisable.exc_type is KeyboardInterrupt:
        _thread.start_new_thread(_interrupt_soon, (_thread.get_ident(),))
    else:
        sys.__unraisablehook__(unraisable)


def _interrupt_soon(main_thread: int) -> None:
    time.sleep(AGAIN)
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main_thread, signal.SIGINT)  # ends what it waits for, too


def _version() -> str:
    from importlib import metadata

    from engine import VERSION

    try:
        metadata.version("holtwalk")
    except metadata.PackageNotFoundError:
        return f"{VERSION}, from a checkout"
    return VERSION


def _complain(line: str, *, verbose: bool) -> int:
    from viewer.terminal import say

    if verbose:
        import traceback

        traceback.print_exc()
    say(line)
    return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
