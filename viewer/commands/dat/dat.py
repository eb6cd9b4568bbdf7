"""``holtwalk dat``: what is in the dat files - ls, show, grep, extract, check (promises 9)."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.dat.check.everything import PART, Check, Finding, count, look_at, parts
from engine.dat.check.listing import find, found_by_precedence, list_entries, show, show_all
from engine.dat.check.record_json import dumps
from engine.dat.container.btree import Skipped
from engine.dat.container.installation import OPTIONAL, DatFiles
from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.records.codecs import CODECS
from engine.files.json_form import Json
from engine.files.shown import shown
from engine.replay.jobs.process_pool import Piece, Work
from engine.replay.jobs.result_shape import Shape
from viewer.commands.dat.damage import Damage
from viewer.commands.dat.dat_extract import extract
from viewer.commands.dat.dat_grep import grep
from viewer.commands.dat.dat_types import type_named
from viewer.commands.dat.objects_told import Told
from viewer.commands.groundwork.long_work import Plan, check_forms, in_pieces, print_line
from viewer.commands.groundwork.stamps import DAT_FILES, stamp
from viewer.commands.groundwork.worlds import dats_folder
from viewer.report.field_text import field_lines
from viewer.terminal import say
from viewer.user_error import UserError

WORTH_A_PROCESS = 8  # parts
NAME = 255  # characters of a file's name


def run(args: Namespace) -> int:
    """Run one of the five."""
    with _files(args) as files:
        if args.command == "dat check":
            return _check(files, args)
        with Damage(verbose=args.verbose) as damage:
            skipped = _Skipped(files, damage)
            if args.command == "dat extract":
                extract(files, find(files, args.id, args.type), Path(args.out))
            elif args.command == "dat show" and not args.all:
                _show(files, args)
            else:
                _go_through(files, args, damage, skipped)
            return 2 if damage.any else 0


def _go_through(files: DatFiles, args: Namespace, damage: Damage, skipped: Skipped) -> None:
    """Run one of those that look at every object, and say how far it is."""
    if args.command == "dat show":
        _check_show(args)
    with Told(files, args) as told:
        damage.before = told.make_way
        match args.command:
            case "dat ls":
                _list(files, args, skipped, told)
            case "dat show":
                _print(files, args, show_all(files, args.type, skipped, told), told.make_way)
            case _:
                grep(files, args, skipped, told)


@contextmanager
def _files(args: Namespace) -> Iterator[DatFiles]:
    if args.dumps:
        raise UserError("--dumps: a folder of dumps holds no dat files")
    for name in (args.scene, args.spawns):  # which place nothing in dat files
        if name and not Path(name).exists():
            raise UserError(f"{name}: there is no such file or folder")
    args.type = type_named(getattr(args, "type", None))
    with DatFiles.open(dats_folder(args), incomplete=True) as files:
        yield files


class _Skipped:
    """Hears what was damaged and passed over. Optional files are named once each, and are no ``damage``."""

    def __init__(self, files: DatFiles, damage: Damage) -> None:
        self._files = files
        self._damage = damage
        self._named: set[str] = set()
        files.on_passed_over = self
        for error in files.passed_over:
            self(error)

    def __call__(self, error: DatError) -> None:
        if not self._files.is_optional(error.file):
            self._damage(error)
        elif error.file not in self._named:
            self._named.add(error.file)
            self._damage.before()
            say(f"{error}; {OPTIONAL}")


def _list(files: DatFiles, args: Namespace, skipped: Skipped, told: Told) -> None:
    for listed in list_entries(files, args.type, skipped, told):
        told.make_way()
        entry = listed.entry
        if args.json:
            document = {"file": listed.file.name, "id": hex_id(entry.id), "type": listed.type}
            print(json.dumps({**document, "size": entry.size, "iteration": entry.iteration}))
        else:
            name = shown(Path(listed.file.name).name, NAME)
            print(f"{hex_id(entry.id)}  {listed.type:<18}  {entry.size:>9}  {name}")


def _show(files: DatFiles, args: Namespace) -> None:
    _check_show(args)
    _print(files, args, iter([show(files, args.id, args.type)]), lambda: None)


def _check_show(args: Namespace) -> None:
    if args.all == (args.id is not None):
        raise UserError("dat show: name an object, or --all")
    if args.type is not None and args.type not in CODECS:
        raise UserError(f"--type: objects of the type {args.type} are not decoded")


def _print(files: DatFiles, args: Namespace, documents: Iterator[Json], make_way: Callable[[], None]) -> None:
    for document in documents:
        make_way()
        if args.json:
            print(dumps(document))
            continue
        print(f"{document['id']}  {document['type']}  in {document['file']}{_others(files, document, args)}")
        print("  entry: " + ", ".join(f"{name} {value}" for name, value in document["entry"].items()))
        for line in field_lines(document["fields"]):
            print(line)


def _others(files: DatFiles, document: Json, args: Namespace) -> str:
    """Which files hold the object as well, where one of several was taken."""
    if args.all:
        return ""
    found = found_by_precedence(files, args.id, document["type"])
    others = [listed.file.name for listed in found if listed.file.name != document["file"]]
    return f"; also in {', '.join(others)}, which --all shows" if others else ""


def _check(files: DatFiles, args: Namespace) -> int:
    for kind in sorted(files.absent, key=lambda kind: kind.name):
        folder = Path(files.portal.name).parent
        say(f"{folder}: no {kind.name.lower()} file here; nothing is looked for in it")
    check_forms(args)
    folder = dats_folder(args)
    whole = Check(files)
    report = whole.report
    work: dict[str, object] = {"files": stamp(args, [folder], endings=DAT_FILES)}
    for finding in report.findings if args.jsonl else ():
        print_line(_finding_document(finding))
    for piece, document in in_pieces(
        args, CheckTask(folder), Pieces(files), work, shape=FOUND, least=WORTH_A_PROCESS
    ):
        new = whole.add(piece.item, document)
        for finding in new if args.jsonl else ():
            print_line(_finding_document(finding))
    if args.json or args.jsonl:
        print_line({"ok": report.ok, "results": report.results()})
        return 0 if report.ok else 1
    total = sum(report.objects.values())
    kinds = ", ".join(f"{count} {name}" for name, count in sorted(report.objects.items()))
    print(f"{total} objects: {kinds}")
    for finding in report.findings:
        print(finding)
    left_out = sum(report.counts.values()) - len(report.findings)
    if left_out:
        print(f"and {left_out} more")
    counted = ", ".join(f"{count} {kind}" for kind, count in report.counts.items())
    print(f"found: {counted}" if counted else "nothing is wrong")
    return 0 if report.ok else 1


def _finding_document(finding: Finding) -> dict[str, object]:
    """One finding, a line of ``--jsonl``."""
    object_id = None if finding.object_id is None else hex_id(finding.object_id)
    figures = {"file": finding.file, "id": object_id}
    return {"name": finding.kind, "ok": False, "figures": figures, "detail": finding.detail}


FOUND: Final[Shape] = {"found": [(int, str, str)]}
"""What a part's result looks like."""


@dataclass(frozen=True, slots=True)
class CheckTask:
    """Looking at the parts of a folder's dat files; a process opens them for itself."""

    folder: Path

    def begin(self) -> Work:
        """Open the files; raises DatError."""
        files = DatFiles.open(self.folder, incomplete=True)
        return lambda part, tell: look_at(files, part, tell)


class Pieces(Plan):
    """The entries of dat files in parts, listed as they are taken."""

    def __init__(self, files: DatFiles) -> None:
        self._files = files

    def size(self) -> tuple[int, float]:
        """How many parts there are, at least, and how many objects."""
        objects = count(self._files)
        return -(-objects // PART), float(objects)

    def __iter__(self) -> Iterator[Piece]:
        for part in parts(self._files):
            name = Path(tuple(self._files.files())[part.file].name).name
            yield Piece(f"{name}:{part.number}", part, float(len(part.entries)))
