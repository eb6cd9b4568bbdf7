"""``holtwalk dat ls``, ``dat show`` and ``dat check``: what is in the dat files (design 4, decision 38)."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.dat.check import check
from engine.dat.codecs import CODECS
from engine.dat.dat_files import DatFiles
from engine.dat.inspect import list_entries, show, show_all
from viewer.errors import UserError
from viewer.worlds import dats_folder

Json = dict[str, object]


def run(args: Namespace) -> int:
    """Run one of the three."""
    with _files(args) as files:
        if args.command == "dat ls":
            return _list(files, args)
        if args.command == "dat show":
            return _show(files, args)
        return _check(files, args)


@contextmanager
def _files(args: Namespace) -> Iterator[DatFiles]:
    if args.dumps:
        raise UserError("--dumps: a folder of dumps holds no dat files")
    kind = getattr(args, "type", None)
    if kind is not None and kind not in CODECS:
        raise UserError(f"--type: no type '{kind}'; there are {', '.join(sorted(CODECS))}")
    files = DatFiles.open(dats_folder(args))
    try:
        yield files
    finally:
        files.close()


def _list(files: DatFiles, args: Namespace) -> int:
    for listed in list_entries(files, args.type):
        entry = listed.entry
        if args.json:
            document = {"file": listed.file.name, "id": f"0x{entry.id:08X}", "type": listed.type}
            print(json.dumps({**document, "size": entry.size, "iteration": entry.iteration}))
        else:
            print(f"0x{entry.id:08X}  {listed.type:<16}  {entry.size:>9}  {Path(listed.file.name).name}")
    return 0


def _show(files: DatFiles, args: Namespace) -> int:
    if args.all == (args.id is not None):
        raise UserError("dat show: name an object, or --all")
    documents = show_all(files, args.type) if args.all else iter([show(files, args.id, args.type)])
    for document in documents:
        if args.json:
            print(json.dumps(document))
        else:
            print(f"{document['id']}  {document['type']}  in {document['file']}")
            entry = ", ".join(f"{name} {value}" for name, value in document["entry"].items())
            print(f"  entry: {entry}")
            for name, value in document["fields"].items():
                print("\n".join(_field(name, value, "  ")))
    return 0


def _field(name: str, value: object, indent: str) -> list[str]:
    """A field as lines: scalars and short lists on one, what holds records indented below."""
    text = json.dumps(value)
    if len(indent) + len(name) + len(text) < 110 or not value or not isinstance(value, (list, dict)):
        return [f"{indent}{name}: {text}"]
    items = list(value.items()) if isinstance(value, dict) else [(str(n), v) for n, v in enumerate(value)]
    lines = [f"{indent}{name}: {len(items) if isinstance(value, list) else ''}".rstrip(" ")]
    for key, item in items:
        lines += _field(key, item, indent + "  ")
    return lines


def _check(files: DatFiles, args: Namespace) -> int:
    report = check(files)
    if args.json:
        print(json.dumps({"ok": report.ok, "results": report.results()}))
    else:
        total = sum(report.objects.values())
        kinds = ", ".join(f"{count} {name}" for name, count in sorted(report.objects.items()))
        print(f"{total} objects: {kinds}")
        for finding in report.findings:
            print(finding)
        for kind, count in report.counts.items():
            print(f"{kind}: {count}")
    return 0 if report.ok else 1
