"""How every script begins and ends: its environment, what Ctrl+C does, one line for what went wrong.

A script puts the checkout on the path, calls ``begin(__name__, …)`` before it imports anything that is not
Python's own, and ends with ``finish(main)``. Only the standard library is used, and hardly any of it is
loaded before it is known what an interrupt does.
"""

from __future__ import annotations

import _signal as early  # type: ignore[import-not-found]  # as in viewer.leaving
import os
import sys

if __name__ == "__main__":
    sys.stderr.write("holtwalk: this is a part of the other scripts; run.py, beside it, starts the program\n")
    sys.exit(2)

if sys.version_info < (3, 11):  # noqa: UP036 - before anything that an older one can't read is loaded
    sys.stderr.write("holtwalk: Python 3.11 or later is needed; this is " + sys.version.split()[0] + "\n")
    sys.exit(2)

TYPE_CHECKING = False  # as typing has it, which takes as long to load as all the rest
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager
    from pathlib import Path
    from types import TracebackType
    from typing import NoReturn

RUNTIME = "requirements.lock"
CHECKS = "requirements-test.lock"
MOST_OPTIONS = 2000  # argparse looks through all that are left for each
UNHEARD = 141  # as shells count one that was ended because who read what it prints had gone


def begin(name: str, lock_name: str = "") -> None:
    """Begin a script; nothing where its module is imported and ``name`` is not ``__main__``.

    Where this Python lacks something that the lock file names, the script runs again in the project's own
    environment, which is made or filled first, and its exit code is handed on.
    """
    if name != "__main__":
        return
    if early.getsignal(early.SIGINT) is early.default_int_handler:  # else the caller wants it ignored
        early.signal(early.SIGINT, early.SIG_DFL)  # what says more of it is loaded only now
    sys.excepthook = _told_in_a_line
    from scripts.interrupts import leave_at_once

    leave_at_once()
    try:
        from viewer.bytecode import keep_none_without_room

        keep_none_without_room()
        from engine.files.write import hold_standard_streams

        hold_standard_streams()  # what is opened from here on, and handed on, would be one of them
        from viewer.memory_limits import refuse_without_room

        if lock_name:  # else none of the libraries are needed
            refuse_without_room()
    except ImportError:
        pass  # run.py starts a damaged program as well, which says what is wrong
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's would end us where no more threads may start
    if not sys.warnoptions:
        import warnings

        warnings.simplefilter("ignore")  # what others say of themselves tells nobody here anything
    from scripts.environment import SetupError, lacks

    try:
        is_lacking = bool(lock_name) and lacks(lock_name)
    except SetupError as error:
        sys.exit(complain(str(error)))
    except OSError as error:
        sys.exit(complain(reason_of(error)))
    if is_lacking:
        finish(lambda _: _again(lock_name))


def _told_in_a_line(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say that no memory is left, or where byte code was cut, rather than the traceback of what is loaded."""
    before = sys.pycache_prefix, sys.dont_write_bytecode
    sys.pycache_prefix, sys.dont_write_bytecode = os.devnull, True  # what says so may be what was cut
    from viewer.bytecode import told_if_cut
    from viewer.unforeseen import told_if_short

    sys.pycache_prefix, sys.dont_write_bytecode = before
    told = told_if_cut(error) or told_if_short(error)
    if not told:
        sys.__excepthook__(kind, error, trace)
        return
    os.write(2, f"holtwalk: {ascii(told)[1:-1]}\n".encode())
    os._exit(2)


def finish(main: Callable[[list[str]], int]) -> NoReturn:
    """Run a script's ``main`` on the arguments and leave with its code: 2 and one line for bad input."""
    from scripts.environment import SetupError
    from scripts.interrupts import INTERRUPTED, leave_at_once, raise_again, told_to_shell

    try:
        raise_again()  # within: the next interrupt may come before it is back
        with _without_control_characters():
            code = main(sys.argv[1:])
            _write_out()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except SetupError as error:
        code = complain(str(error))
    except BrokenPipeError:
        code = UNHEARD
    except OSError as error:
        code = complain(reason_of(error))
    except SystemExit as left:  # argparse has said what is wrong with the words, or tried to
        code = left.code if isinstance(left.code, int) else 0 if left.code is None else complain(left.code)
    except Exception as error:
        from engine.told_in_a_line import is_told_in_a_line

        if not is_told_in_a_line(error):
            raise
        code = complain(str(error))
    leave_at_once()
    _let_the_rest_vanish()
    sys.exit(told_to_shell(code))


def _let_the_rest_vanish() -> None:
    """Leave nothing in the buffers that can't be written: Python's own end would try, and complain."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:  # it was told, or can't be
            from engine.files.write import write_nowhere

            write_nowhere(stream.fileno())


def _without_control_characters() -> AbstractContextManager[None]:
    """Keep them out of what is printed meanwhile, as the program does."""
    from contextlib import nullcontext

    try:
        from viewer.terminal import harmless_output
    except ImportError:  # run.py starts a damaged program as well, which says what is wrong
        return nullcontext()
    return harmless_output()


def reason_of(error: OSError) -> str:
    """What is wrong, with the file's name where it has one."""
    return f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)


def _write_out(text: str = "") -> None:
    """Print a text and write what has been printed, so that it is known whether that can be."""
    try:
        print(text, end="", flush=True)
    except OSError as error:
        error.filename = "standard output"
        raise


def complain(line: str) -> int:
    """Say on stderr what is wrong with what was given; the exit code for it."""
    from contextlib import suppress

    from engine.files.shown import one_line

    with suppress(OSError):  # nobody can be told
        print(f"holtwalk: {one_line(line)}", file=sys.stderr)
    return 2


def arguments_of(doc: str | None) -> ArgumentParser:
    """A parser whose help begins with what the script's docstring says first; a ``Path`` must have a name.

    Raises SetupError where the command line has more options than anybody needs.
    """
    from argparse import ArgumentParser, ArgumentTypeError
    from pathlib import Path

    from engine.files.shown import one_line
    from scripts.environment import SetupError

    if sum(word.startswith("-") for word in sys.argv) > MOST_OPTIONS:
        raise SetupError(f"there are more than {MOST_OPTIONS:,} options")

    class Parser(ArgumentParser):
        def print_help(self, _: object = None) -> None:
            _write_out(self.format_help())  # argparse tells nobody where that fails

        def error(self, message: str) -> NoReturn:
            super().error(one_line(message))  # which quotes arguments as they came

    def named(text: str) -> Path:
        if not text:  # as a Path that is the folder one stands in
            raise ArgumentTypeError("'' is empty and names nothing")
        return Path(text)

    parser = Parser(description=(doc or "").partition("\n")[0])
    parser.register("type", Path, named)
    return parser


def refuse_to_replace(folder: Path, names: Iterable[str]) -> None:
    """Raise SetupError where ``folder`` has one of the files that a script is about to make there.

    Worlds are made under the names that the game's own files have, so what is there may be somebody's game,
    and pictures under numbers, as cameras do.
    """
    from scripts.environment import SetupError

    for name in names:
        if (folder / name).exists() or (folder / name).is_symlink():
            raise SetupError(f"{folder / name}: is there already and stays as it is; name another folder")


def _again(lock_name: str) -> int:
    from scripts.environment import child_environment, prepare
    from scripts.interrupts import hand_over

    python = prepare(lock_name)
    return hand_over([str(python), *sys.argv], child_environment())
