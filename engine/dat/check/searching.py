"""Which objects of an installation name an id (``holtwalk dat grep``)."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from struct import Struct

from engine.dat.check.listing import Listed, Tell, list_entries
from engine.dat.check.references import mentions
from engine.dat.container.btree import Skipped
from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError, of_one_member
from engine.dat.records.codecs import CODECS, decode

MOST_PLACES = 10_000  # of one id in an object that is not decoded: a sound may be nothing but that id
_ID = Struct("<I")


@dataclass(frozen=True, slots=True)
class Mention:
    """An object that names an id: in the fields ``at``, or in a type that is not decoded at these ``bytes``.

    There the four bytes stand, which may be chance. ``is_cut`` says that they stand in more places than
    were looked for.
    """

    listed: Listed
    id: int
    at: tuple[str, ...] = ()
    bytes: tuple[int, ...] = ()
    is_cut: bool = False


def search(
    files: DatFiles, wanted: Set[int], object_type: str | None, skipped: Skipped, *, tell: Tell | None = None
) -> Iterator[Mention]:
    """The objects that name one of the ids, by file and ascending id; one of them is in memory at a time.

    Cells that are named by their low word count, and surfaces and environments by theirs. Damaged parts and
    records are told to ``skipped`` and passed over.
    """
    patterns = {number: _ID.pack(number) for number in sorted(wanted)}
    for listed in list_entries(files, object_type, skipped, tell):
        try:
            data = listed.file.read_entry(listed.entry)
            if listed.type in CODECS:
                yield from _fields(listed, data, wanted)
            else:
                yield from _bytes(listed, data, patterns)
        except DatError as error:
            skipped(error)
        except Exception as error:  # the objects after it are looked at all the same
            skipped(DatError(listed.file.name, listed.entry.id, None, of_one_member(error)))


def _fields(listed: Listed, data: bytes, wanted: Set[int]) -> Iterator[Mention]:
    record = decode(listed.type, data, listed.file.name, listed.entry.id)
    at: dict[int, list[str]] = {}
    for reference in mentions(record):
        if reference.id in wanted and reference.id:
            at.setdefault(reference.id, []).append(reference.at)
    for number, places in sorted(at.items()):
        yield Mention(listed, number, at=tuple(places))


def _bytes(listed: Listed, data: bytes, patterns: dict[int, bytes]) -> Iterator[Mention]:
    for number, pattern in patterns.items():
        places: list[int] = []
        found = data.find(pattern)
        while found >= 0 and len(places) <= MOST_PLACES:
            if found or listed.entry.id != number:  # its first bytes are its own id
                places.append(found)
            found = data.find(pattern, found + 1)
        if places:
            is_cut = len(places) > MOST_PLACES
            yield Mention(listed, number, bytes=tuple(places[:MOST_PLACES]), is_cut=is_cut)
