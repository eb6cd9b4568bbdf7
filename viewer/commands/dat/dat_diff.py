"""``holtwalk dat diff``: which objects differ between two installations or dat files (promises 9)."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from engine.dat.check.differences import CHANGED, ONLY_A, ONLY_B, UNKNOWN, Differences, ObjectDifference
from engine.dat.check.field_differences import LONGEST, NOTHING, FieldDifference
from engine.dat.check.record_json import dumps
from engine.dat.container.dat_file import DatFile
from engine.dat.container.installation import find_dats
from engine.dat.hex_id import hex_id
from engine.dat.object_types import DatKind
from engine.files.shown import shown
from viewer.commands.dat.damage import Damage
from viewer.commands.dat.dat_types import type_named
from viewer.report.field_text import value_text
from viewer.report.progress import Progress
from viewer.user_error import UserError

SHOWN = 20  # fields of one object that are printed as text
PATH = 255  # characters of a path
CHANGES = (CHANGED, ONLY_A, ONLY_B)
Files = dict[DatKind, DatFile]


def run(args: Namespace) -> int:
    """Compare the two; 0 where nothing differs, 1 where something does, 2 where something was damaged."""
    object_type = type_named(args.type)
    progress = Progress("dat diff", asked=args.progress)
    files: list[dict[str, Any]] = []
    with ExitStack() as stack:
        told = stack.enter_context(Damage(verbose=args.verbose))
        told.before = progress.make_way
        a, b = _open(args.a, stack, told), _open(args.b, stack, told)
        if not Path(args.a).is_dir() or not Path(args.b).is_dir():
            _check_kinds(args, a, b)
        pairs = [kind for kind in DatKind if kind in a and kind in b]
        progress.total = float(sum(file[kind].size for file in (a, b) for kind in pairs))
        done = 0
        for kind in DatKind:
            if kind in a and kind in b:
                differences = Differences(
                    a[kind], b[kind], told, entries=args.entries, tell=partial(_tell, progress, done)
                )
                done += a[kind].size + b[kind].size
                for difference in differences.found(object_type):
                    progress.make_way()
                    print(dumps(_document(difference)) if args.json else "\n".join(_lines(difference)))
                files.append(_file_document(kind, a, b, differences))
            elif kind in a or kind in b:
                files.append(_file_document(kind, a, b, None))
        progress.make_way()
    ok = all(file["a"] and file["b"] and not file["differ"] + file["unknown"] for file in files)
    if args.json:
        print(dumps({"ok": ok, "files": files}))
    else:
        print("\n".join(map(_summary, files)))
    return 2 if told.any else 0 if ok else 1


def _tell(progress: Progress, before: int, compared: int, object_id: int) -> None:
    progress(float(before + compared), hex_id(object_id))


def _open(name: str, stack: ExitStack, told: Damage) -> Files:
    """The dat files of a folder, or the one that is named."""
    path = Path(name)
    if not path.is_dir() and path.exists():
        file = stack.enter_context(DatFile.open(path))
        return {file.kind: file}
    found, passed_over = find_dats(path)
    for file in found.values():
        stack.enter_context(file)
    for error in passed_over:
        told(error)
    if not found:
        raise UserError(f"{shown(name, PATH)}: no dat file of the game in this folder")
    return found


def _check_kinds(args: Namespace, a: Files, b: Files) -> None:
    """Where a file is named, only its kind is compared; raises UserError where the other has none of it."""
    common = a.keys() & b.keys()
    if not common:
        have = [", ".join(sorted(kind.name.lower() for kind in files)) for files in (a, b)]
        raise UserError(
            f"{shown(args.a, PATH)} is {have[0]}, {shown(args.b, PATH)} is {have[1]}: nothing to compare"
        )
    for files in (a, b):
        for kind in files.keys() - common:
            del files[kind]


def _document(difference: ObjectDifference) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": difference.kind.name.lower(), "id": hex_id(difference.id)}
    document |= {"type": difference.type, "change": difference.change}
    document["fields"] = [_field_document(item) for item in difference.fields]
    if difference.left_out:
        document["fields_left_out"] = difference.left_out
    document["entry"] = [_field_document(item) for item in difference.entry]
    return document | {"byte": difference.byte}


def _field_document(item: FieldDifference) -> dict[str, Any]:
    """A field: ``a`` and ``b``, each left out where it has none; of long texts, images, only the lengths."""
    document: dict[str, Any] = {"at": item.at}
    for name, value in (("a", item.a), ("b", item.b)):
        if isinstance(value, str) and len(value) > LONGEST:
            document[f"{name}_letters"] = len(value)
        elif value is not NOTHING:
            document[name] = value
    return document


def _lines(difference: ObjectDifference) -> Iterator[str]:
    kind = difference.kind.name.lower()
    yield f"{hex_id(difference.id)}  {difference.type:<18}  {kind:<7}  {difference.change}"
    for item in difference.fields[:SHOWN]:
        yield f"  {item.at}: {_text(item.a)} -> {_text(item.b)}"
    count = len(difference.fields)
    if count + difference.left_out > SHOWN:
        also = f"{count - min(count, SHOWN)} of them" if difference.left_out else "all"
        yield f"  and {count + difference.left_out - min(count, SHOWN)} more fields ({also} with --json)"
    if difference.byte is not None and not difference.fields:
        yield f"  the bytes differ from offset 0x{difference.byte:X} on"
    if difference.entry:
        yield "  entry: " + ", ".join(f"{item.at} {item.a} -> {item.b}" for item in difference.entry)


def _text(value: Any) -> str:
    return "nothing" if value is NOTHING else value_text(value)


def _file_document(kind: DatKind, a: Files, b: Files, differences: Differences | None) -> dict[str, Any]:
    """What came of one kind of file; a kind that only one side has was not compared."""
    document: dict[str, Any] = {"kind": kind.name.lower()}
    document |= {name: files[kind].name if kind in files else None for name, files in (("a", a), ("b", b))}
    counts = differences.counts if differences else {}
    named = {change.replace(" ", "_"): counts.get(change, 0) for change in CHANGES}
    compared = differences.compared if differences else 0
    return document | {
        "objects": compared,
        "differ": sum(named.values()),
        **named,
        "unknown": counts.get(UNKNOWN, 0),
    }


def _summary(file: dict[str, Any]) -> str:
    if file["a"] is None or file["b"] is None:
        return f"{file['kind']}: only {'a' if file['a'] else 'b'} has this file; it was not compared"
    counted = [f"{file[change.replace(' ', '_')]} {change}" for change in CHANGES]
    counted += [f"{file['unknown']} unknown, for what is damaged"] if file["unknown"] else []
    return f"{file['kind']}: {', '.join(counted)}; {file['objects']} objects compared"
