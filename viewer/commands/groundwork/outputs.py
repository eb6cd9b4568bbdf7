"""An output never destroys an input: what a command is to write is compared with all that it reads, and more.

Which options read and which write files is said in the option table; nothing here knows a command.
"""

from __future__ import annotations

import os
import stat
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from engine.files.below import files_below
from engine.files.drafts import is_held
from engine.files.same_file import is_same_file, real_path, will_be_same_file
from engine.files.shown import shown
from engine.named_tuple import NamedTuple
from viewer.commands.groundwork.stamps import WORLD_FILES
from viewer.commands.groundwork.standard_streams import appended, is_printed_to, streams_into
from viewer.commands.groundwork.worlds import source_folder
from viewer.tables.option import Command, Option
from viewer.tables.option_values import PATH
from viewer.tables.shared_options import JSON, STREAM, options_of
from viewer.user_error import UserError
from viewer.user_folders import config_folder

ALONE_ON_STDOUT = (JSON, STREAM)
SETTINGS_FILES = (".toml", ".ini")


class _Named(NamedTuple):
    """A file, and what it is: an option or words."""

    what: str
    path: Path


def check_outputs(command: Command, args: Namespace) -> None:
    """Refuse, before any work, an output that is an input, another output or where the program prints to.

    Files are the same through links and under other cases of letters too, where the system takes them so.
    Raises UserError.
    """
    options = [option for option in options_of(command) if value_of(args, option)]
    for option in options:
        if option.writes and value_of(args, option) == "-":
            raise UserError(f"{option.name}: - names no file; /dev/stdout is standard output, ./- a file")
    outputs = [named for option in options if option.writes for named in _outputs(option, args)]
    for number, output in enumerate(outputs):
        for other in outputs[:number]:
            if _will_be_same(output.path, other.path):
                raise _refusal(output, f"what {other.what} writes as well")
    present = [(output, found) for output in outputs if (found := _regular(output.path)) is not None]
    for output, _ in present:
        if is_held(output.path):
            raise _refusal(output, "being written by another holtwalk")
    if present:
        _check_present(present, command, args, options)
    _refuse_to_append_to_inputs(command, args, options)
    for alone in (option.name for option in ALONE_ON_STDOUT if getattr(args, option.name[2:], False)):
        for output in outputs:
            if is_printed_to(output.path):
                raise _refusal(output, f"where standard output goes, and {alone} prints JSON alone there")
    for output in outputs:
        _refuse_to_become_input(output, command, args, options)


def _check_present(
    present: list[tuple[_Named, os.stat_result]], command: Command, args: Namespace, options: list[Option]
) -> None:
    """Refuse what is there already where it is read, or where the program prints to, or where it is a dat."""
    from engine.dat.container.dat_file import is_dat  # loaded only where something is there already

    for output, found in present:
        for what in streams_into(found):
            raise _refusal(output, f"where {what} goes")
    for source in _inputs(command, args, options):
        for output, _ in present:
            if output.what != source.what and is_same_file(source.path, output.path):
                raise _refusal(output, f"{source.what} ({shown(str(source.path), PATH)}), which is read")
    for output, _ in present:
        if is_dat(output.path):  # whether this command reads it or not: no command writes one
            raise _refusal(output, "a dat file of the game, and those are only ever read")


def _refuse_to_append_to_inputs(command: Command, args: Namespace, options: list[Option]) -> None:
    """What a shell appends to is an output, too; but a log among the settings is none of their files."""
    found = appended()
    for source in _inputs(command, args, options, settings=SETTINGS_FILES) if found else ():
        read = _regular(source.path)
        if read is not None and any(os.path.samestat(said, read) for said in found.values()):
            where = f"{shown(str(source.path), PATH)} is where {streams_into(read)[0]} goes"
            raise UserError(f"{source.what}: {where}; nothing was written")


def _refuse_to_become_input(output: _Named, command: Command, args: Namespace, options: list[Option]) -> None:
    """An output that isn't there yet would be read the next time, where it is put among what is read."""
    at = real_path(output.path)
    folders: list[tuple[str, Path, tuple[str, ...], bool]] = []
    if command.takes_world:
        folders.append(("the world", source_folder(args), WORLD_FILES, False))
    settings = config_folder()
    if settings is not None:
        folders.append(("the settings", settings, (), False))
    for option in options:
        if option.reads:
            folders += [(option.name, Path(v), option.reads, option.deep) for v in values_of(args, option)]
    for what, folder, endings, deep in folders:
        is_read = not endings or at.suffix.lower() in endings
        if is_read and any(_is_one_folder(parent, folder) for parent in at.parents[: None if deep else 1]):
            files = f"{at.suffix} files are read" if endings else "Holtwalk keeps its own"
            raise _refusal(output, f"in the folder of {what}, where {files}")


def value_of(args: Namespace, option: Option) -> str:
    """The path that an option has, empty where it has none; the first of many."""
    return next(iter(values_of(args, option)), "")


def values_of(args: Namespace, option: Option) -> list[str]:
    """The paths that an option has."""
    value = getattr(args, option.name.removeprefix("--").replace("-", "_"), None)
    values = value if isinstance(value, list) else [value]
    return [v for v in values if isinstance(v, str) and (option.writes or option.reads is not None)]


def _outputs(option: Option, args: Namespace) -> Iterator[_Named]:
    path = Path(value_of(args, option))
    for made in (path,) if option.makes is None else option.makes(path):
        yield _Named(option.name, made)


def _inputs(
    command: Command, args: Namespace, options: list[Option], *, settings: tuple[str, ...] = ()
) -> Iterator[_Named]:
    """All that is read; of the folder of settings the files of such endings, all where none are named."""
    for option in options:
        if option.reads is not None:
            for value in values_of(args, option):
                yield from _files(option.name, Path(value), option.reads, deep=option.deep)
    if command.takes_world:
        yield from _files("the world", source_folder(args), WORLD_FILES, deep=False)
    folder = config_folder()
    if folder is not None:
        yield from _files("a settings file", folder, settings, deep=False)


def _files(what: str, path: Path, endings: tuple[str, ...], *, deep: bool) -> Iterator[_Named]:
    """A file, or the files of such endings in a folder; all of them where none are named."""
    try:
        if not path.is_dir():
            yield _Named(what, path)
            return
        for file in files_below(path) if deep else path.iterdir():
            if not endings or file.suffix.lower() in endings:
                yield _Named(what, file)
    except OSError:  # whoever reads the folder says so
        return


def _regular(path: Path) -> os.stat_result | None:
    """What the system says of a file that is there; None for a device or a pipe, which holds nothing."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _will_be_same(a: Path, b: Path) -> bool:
    """Whether two outputs come to one file, also where it is not there yet."""
    if _regular(a) is not None and _regular(b) is not None:
        return is_same_file(a, b)
    return not a.exists() and not b.exists() and will_be_same_file(a, b)  # a device takes more than one


def _is_one_folder(parent: Path, folder: Path) -> bool:
    """Whether a path without links is a folder's, which need not be there."""
    inside = real_path(folder)
    is_alike = str(parent).casefold() == str(inside).casefold()
    return is_alike and (parent == inside or is_same_file(parent, inside))


def _refusal(output: _Named, what: str) -> UserError:
    return UserError(f"{output.what}: {shown(str(output.path), PATH)} is {what}; nothing was written")
