"""The `holtwalk` program: finds the command, runs it, and turns every error into one line.

Nothing but the standard library is imported before the program knows what to do when it is interrupted.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import suppress
from importlib import import_module

from viewer.interrupts import ended_soon, leave_at_once, let_none_be_lost, raise_again
from viewer.leaving import INTERRUPTED
from viewer.unforeseen import tell_of_lost_errors, told_if_short, unforeseen

BAD_INPUT, NO_READER = 2, 141
SELDOM = (200_000, 10, 10)  # what is decoded stays: looking for garbage in it took an eighth of a start


def main(words: list[str] | None = None) -> int:
    """Run a command line; the exit code is 0 on success, 1 when a check failed, 2 on bad usage or input.

    It is 130 after an interrupt and 141 where who read the output has gone. Without words this is the
    program, with the words that it was called with.
    """
    usual = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    if words is not None:
        try:
            return _guarded(words)
        finally:
            gc.set_threshold(*usual)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's would end us where no more threads may start
    leave_at_once()  # modules that are being loaded would make a traceback of an interrupt
    let_none_be_lost()
    if hasattr(signal, "pthread_sigmask"):  # scripts/run.py holds interrupts back until here, others both
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        from viewer.memory_limits import refuse_without_room

        refuse_without_room()
        from engine.files.write import hold_standard_streams
        from engine.strangers import hush_warnings

        tell_of_lost_errors(verbose="--verbose" in sys.argv)
        hold_standard_streams()
        hush_warnings()
        return _guarded(sys.argv[1:])
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # what says in one line what is wrong could not be loaded either
        with suppress(Exception):
            from viewer.bytecode import told_if_cut

            told = told_if_cut(error) or told_if_short(error)
            told = told or f"a part of the program can't be loaded: {error}"
            text = ascii(told)[1:-1]  # harmless: what makes it so may be what can't be loaded
            os.write(2, f"holtwalk: {text}\n".encode())
        return BAD_INPUT
    finally:
        gc.freeze()  # the process ends: to look through all that it holds once more takes a tenth of its time
        leave_at_once()  # while threads and processes end


def _guarded(words: list[str]) -> int:
    from viewer.deaf_calls import ended_when_unheard
    from viewer.terminal import harmless_output, reader_has_gone

    with harmless_output():
        try:
            code = _tried(words)
            if code != INTERRUPTED:
                with ended_when_unheard():  # as where another thread has begun to say something there
                    code = _written(code)
                    reader_has_gone()  # of stderr, too: what it holds Python's own end would try again
        except KeyboardInterrupt:  # as something was about to be said
            code = INTERRUPTED
        if code == INTERRUPTED:
            leave_at_once()
            with ended_soon():
                reader_has_gone()
    return code


def _written(code: int) -> int:
    """The exit code once all that was printed is written, or can't be."""
    try:
        sys.stdout.flush()
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            return NO_READER if code == 0 else code
        if code != BAD_INPUT:  # else it was told of this, or of something worse
            return _complain(f"{error.filename}: {error.strerror}", verbose=False)
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
    except Exception as error:
        return _complain(unforeseen(error, verbose=verbose), verbose=verbose)


def _run(words: list[str]) -> int:
    from viewer.tables.arguments import overview, parse
    from viewer.terminal import say
    from viewer.user_error import UserError

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
    except UserError:
        from viewer.commands.groundwork.standard_streams import spare

        spare(words)
        raise
    from viewer.commands.groundwork.standard_streams import appended  # --help goes without the engine

    if any(option.writes for option in command.options) or appended():
        from viewer.commands.groundwork.outputs import check_outputs

        check_outputs(command, args)
    for line in args.repeated:
        say(line)
    opens_window = command.opens_window or getattr(args, "window", False)
    if opens_window:
        from viewer.renderer.memory_left import refuse_window

        refuse_window()  # before what it is made of is loaded, which may end the process by its own words
    module = import_module(f"viewer.commands.{command.module}")
    raise_again()
    if opens_window:
        return int(module.run(args))
    from viewer.deaf_calls import ended_when_unheard
    from viewer.report.still_there import still_there

    with still_there(command.name), ended_when_unheard():
        return int(module.run(args))


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
