"""What ``holtwalk dat ls`` and ``holtwalk dat show`` print: entries and decoded records as plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.dat.check.record_json import to_fields
from engine.dat.container.btree import DatEntry, Skipped
from engine.dat.container.dat_file import DatFile
from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError, of_one_member
from engine.dat.hex_id import hex_id
from engine.dat.object_types import id_range, type_of
from engine.dat.records.codecs import CODECS, decode


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry of one of the files; ``type`` is "unknown" for an id outside every range."""

    file: DatFile
    entry: DatEntry
    type: str


Tell = Callable[[Listed], None]
"""Hears each object before it is looked at."""


def list_entries(
    files: DatFiles, object_type: str | None = None, skipped: Skipped | None = None, tell: Tell | None = None
) -> Iterator[Listed]:
    """The entries of all files, by file and ascending id, all or those of one type.

    Walks only the parts of a B-tree that can hold the type; what is damaged there is told to ``skipped``
    and passed over, or raised as a DatError without it.
    """
    for file in files.files():
        for listed in list_file(file, object_type, skipped):
            if tell is not None:
                tell(listed)
            yield listed


def list_file(
    file: DatFile, object_type: str | None = None, skipped: Skipped | None = None
) -> Iterator[Listed]:
    """The entries of one file, all or those of one type."""
    first, last = (0, 0xFFFFFFFF) if object_type is None else id_range(object_type)
    for entry in file.entries(first, last, skipped):
        listed = listed_as(file, entry)
        if object_type is None or listed.type == object_type:
            yield listed


def listed_as(file: DatFile, entry: DatEntry) -> Listed:
    """An entry of a file with its type."""
    return Listed(file, entry, _type_or_unknown(entry.id, file))


def find(files: DatFiles, object_id: int, object_type: str | None = None) -> Listed:
    """The entry that an id stands for; where several files hold it, the one that the game would take.

    That is highres before portal before cell, or the one where it is of ``object_type``; a damaged part of
    highres is passed over. Raises DatError when there is none.
    """
    for listed in found_by_precedence(files, object_id, object_type):
        return listed
    wanted = "such an object" if object_type is None else f"an object of that id and the type {object_type}"
    raise DatError("", object_id, None, f"no file has {wanted}")


def found_by_precedence(files: DatFiles, object_id: int, object_type: str | None = None) -> Iterator[Listed]:
    """The entries of an id, all or those of one type, as they come before one another; see ``find``."""
    for file in files.by_precedence(object_id):
        entry = file.entry(object_id) if files.holds(file, object_id) else None
        if entry is None:
            continue
        name = type_of(object_id, file.kind)
        if object_type is None or name == object_type:
            yield Listed(file, entry, name)


def show(files: DatFiles, object_id: int, object_type: str | None = None) -> dict[str, Any]:
    """An object as ``{"file", "id", "type", "entry", "fields"}`` (promises 9).

    Where it is damaged in highres and another file holds it, that one's is shown, as it is drawn. Raises
    DatError when there is none, or it is damaged or of a type that is not decoded.
    """
    first = find(files, object_id, object_type)
    try:
        return describe(first)
    except DatError as error:
        others = found_by_precedence(files, object_id, object_type)
        other = next((listed for listed in others if listed.file is not first.file), None)
        if other is None:
            raise
        files.pass_over(first.file, error)
    return describe(other)


def show_all(
    files: DatFiles, object_type: str | None = None, skipped: Skipped | None = None, tell: Tell | None = None
) -> Iterator[dict[str, Any]]:
    """Every object that can be decoded, or those of one type, in the form of ``show``.

    What is damaged is told to ``skipped`` and passed over, or raised as a DatError without it.
    """
    for listed in list_entries(files, object_type, skipped, tell):
        if listed.type not in CODECS:
            continue
        try:
            shown = describe(listed)
        except DatError as error:
            if skipped is None:
                raise
            skipped(error)
        except Exception as error:  # the objects after it are shown all the same
            if skipped is None:
                raise
            skipped(DatError(listed.file.name, listed.entry.id, None, of_one_member(error)))
        else:
            yield shown


def describe(listed: Listed) -> dict[str, Any]:
    """One entry in the form of ``show``."""
    entry, file = listed.entry, listed.file
    record = decode(listed.type, file.read_entry(entry), file.name, entry.id)
    return {
        "file": file.name,
        "id": hex_id(entry.id),
        "type": listed.type,
        "entry": {
            "flags": entry.flags,
            "version": entry.version,
            "offset": entry.offset,
            "size": entry.size,
            "date": entry.date,
            "iteration": entry.iteration,
        },
        "fields": to_fields(record),
    }


def _type_or_unknown(object_id: int, file: DatFile) -> str:
    try:
        return type_of(object_id, file.kind)
    except DatError:
        return "unknown"
