"""``holtwalk dat``: what is in the dat files - ls, show, check, extract (design 4, decision 38)."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.dat.check.everything import check
from engine.dat.check.listing import Listed, find, list_entries, show, show_all
from engine.dat.check.record_json import dumps
from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError
from engine.dat.ids import TYPES
from engine.dat.records.codecs import CODECS
from engine.files.shown import shown
from viewer.commands.dat_extract import extract
from viewer.errors import UserError
from viewer.report.field_text import field_lines
from viewer.terminal import say
from viewer.worlds import dats_folder

PROGRESS_SECONDS = 5.0
NAME = 255  # characters of a file's name


def run(args: Namespace) -> int:
    """Run one of the four."""
    with _files(args) as files:
        match args.command:
            case "dat ls":
                return _list(files, args)
            case "dat show":
                return _show(files, args)
            case "dat extract":
                _Skipped(files)
                extract(files, find(files, args.id, args.type), Path(args.out))
                return 0
            case _:
                return _check(files, args)


@contextmanager
def _files(args: Namespace) -> Iterator[DatFiles]:
    if args.dumps:
        raise UserError("--dumps: a folder of dumps holds no dat files")
    args.type = _type_named(getattr(args, "type", None))
    with DatFiles.open(dats_folder(args), incomplete=True) as files:
        yield files


def _type_named(name: str | None) -> str | None:
    """A type of object, however its letters are cased."""
    if name is None:
        return None
    by_lower = {known.lower(): known for known in TYPES}
    if name.lower() not in by_lower:
        raise UserError(f"--type: no type '{shown(name)}'; there are {', '.join(sorted(CODECS))} and others")
    return by_lower[name.lower()]


class _Skipped:
    """Says on stderr what was damaged and passed over; the exit code is 2 where there was any."""

    def __init__(self, files: DatFiles) -> None:
        self.code = 0
        files.on_passed_over = self
        for error in files.passed_over:
            self(error)

    def __call__(self, error: DatError) -> None:
        say(error)
        self.code = 2


def _list(files: DatFiles, args: Namespace) -> int:
    skipped = _Skipped(files)
    for listed in list_entries(files, args.type, skipped):
        entry = listed.entry
        if args.json:
            document = {"file": listed.file.name, "id": f"0x{entry.id:08X}", "type": listed.type}
            print(json.dumps({**document, "size": entry.size, "iteration": entry.iteration}))
        else:
            name = shown(Path(listed.file.name).name, NAME)
            print(f"0x{entry.id:08X}  {listed.type:<18}  {entry.size:>9}  {name}")
    return skipped.code


def _show(files: DatFiles, args: Namespace) -> int:
    if args.all == (args.id is not None):
        raise UserError("dat show: name an object, or --all")
    if args.type is not None and args.type not in CODECS:
        raise UserError(f"--type: objects of the type {args.type} are not decoded")
    skipped = _Skipped(files)
    documents = show_all(files, args.type, skipped) if args.all else iter([show(files, args.id, args.type)])
    for document in documents:
        if args.json:
            print(dumps(document))
            continue
        print(f"{document['id']}  {document['type']}  in {document['file']}")
        print("  entry: " + ", ".join(f"{name} {value}" for name, value in document["entry"].items()))
        for line in field_lines(document["fields"]):
            print(line)
    return skipped.code


class _Progress:
    """Says on stderr how far a long check is, now and then."""

    def __init__(self) -> None:
        self._due = time.monotonic() + PROGRESS_SECONDS

    def __call__(self, done: int, listed: Listed) -> None:
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + PROGRESS_SECONDS
            where = f"0x{listed.entry.id:08X} in {Path(listed.file.name).name}"
            say(f"{done} objects checked, at {where}")


def _check(files: DatFiles, args: Namespace) -> int:
    for kind in sorted(files.absent, key=lambda kind: kind.name):
        folder = Path(files.portal.name).parent
        say(f"{folder}: no {kind.name.lower()} file here; nothing is looked for in it")
    report = check(files, _Progress())
    if args.json:
        print(json.dumps({"ok": report.ok, "results": report.results()}))
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
