"""The `holtwalk` program: finds the command, runs it, and turns every error into one line."""

from __future__ import annotations

import sys
import traceback
from importlib import import_module, metadata

from engine import FORM
from engine.dat.errors import DatError
from engine.files.write import write_nowhere
from viewer.errors import UserError
from viewer.tables.arguments import overview, parse
from viewer.terminal import harmless_output, say


def main(words: list[str] | None = None) -> int:
    """Run a command line; the exit code is 0 on success, 1 when a check failed, 2 on bad usage or input."""
    if words is None:
        words = sys.argv[1:]
    verbose = "--verbose" in words
    with harmless_output():
        if FORM.problem:
            say(FORM.problem)
        try:
            code = _run(words)
            sys.stdout.flush()
            return code
        except (UserError, DatError) as error:
            return _complain(str(error), verbose=False)
        except BrokenPipeError as error:
            if error.filename:
                return _complain(f"{error.filename}: {error.strerror}", verbose)
            write_nowhere(sys.stdout.fileno())
            return 1
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            return _complain(f"{where}{error.strerror or error}", verbose)
        except KeyboardInterrupt:
            return 130
        except Exception as error:
            hint = "" if verbose else " (--verbose shows where)"
            return _complain(f"internal error: {type(error).__name__}: {error}{hint}", verbose)


def _run(words: list[str]) -> int:
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
    from viewer.outputs import check_outputs  # --help goes without the engine

    check_outputs(command, args)
    module = import_module(f"viewer.commands.{command.module}")
    return int(module.run(args))


def _version() -> str:
    try:
        return metadata.version("holtwalk")
    except metadata.PackageNotFoundError:
        return "from a checkout"


def _complain(line: str, verbose: bool) -> int:
    if verbose:
        traceback.print_exc()
    say(line)
    return 2


if __name__ == "__main__":
    sys.exit(main())
