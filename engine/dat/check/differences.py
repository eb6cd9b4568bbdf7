"""Which objects differ between two installations, or between two dat files (``holtwalk dat diff``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from engine.dat.check.field_differences import FieldDifference, first_difference, first_fields
from engine.dat.check.listing import listed_as
from engine.dat.check.record_json import to_fields
from engine.dat.container.btree import DatEntry, Skipped
from engine.dat.container.dat_file import DatFile
from engine.dat.errors import DatError, of_one_member
from engine.dat.object_types import DatKind, id_range
from engine.dat.records.codecs import CODECS, decode

# What can be said of an object; UNKNOWN where a damaged part of one directory may hold it.
ONLY_A, ONLY_B, CHANGED, UNKNOWN = "only in a", "only in b", "changed", "unknown"
MOST_LETTERS: Final = 16_000_000  # of an object's paths: one in a tree of 4,000 levels has 40,000
LETTERS_A_BYTE: Final = 128  # of the record: were all fields to differ, the demo's models would have 85
ENTRY_FIELDS = ("flags", "version", "size", "date", "iteration")  # of a directory entry; offsets mean nothing


@dataclass(frozen=True, slots=True)
class ObjectDifference:
    """One object that differs.

    ``fields`` are those of its record, ``entry`` those of its directory entry; ``byte`` is the first one in
    which the records' bytes differ, None where they are the same or only one has the object. ``left_out``
    is how many fields more differ, whose paths would take too much memory.
    """

    kind: DatKind
    id: int
    type: str
    change: str
    fields: tuple[FieldDifference, ...] = ()
    entry: tuple[FieldDifference, ...] = ()
    byte: int | None = None
    left_out: int = 0


class Differences:
    """The differences of two files of one kind, found as they are asked for; one object's are in memory.

    Records are compared by their bytes, decompressed, and where these differ by their fields. What is
    damaged is told to ``skipped``: a record that can't be read is passed over, one that can't be decoded
    is compared by its bytes alone, and of ids that a damaged part of one directory may hold nothing is
    claimed but their number, ``counts["unknown"]``. ``tell`` hears how many stored bytes were compared, and
    at which id.
    """

    def __init__(
        self, a: DatFile, b: DatFile, skipped: Skipped, *, entries: bool = False,
        tell: Callable[[int, int], None] | None = None,
    ) -> None:  # fmt: skip
        self.counts: Counter[str] = Counter()
        self.compared = 0
        self._a, self._b = a, b
        self._skipped = skipped
        self._entries = entries
        self._tell = tell
        self._bytes = 0

    def found(self, object_type: str | None = None) -> Iterator[ObjectDifference]:
        """What differs, ascending by id; all types or one. With ``entries`` also where only entries do."""
        for one, other, is_sure in _pairs(self._a, self._b, object_type, self._skipped):
            entry = one or other
            assert entry is not None
            kind = listed_as(self._a, entry).type
            if object_type is not None and kind != object_type:
                continue
            self.compared += 1
            self._bytes += (one.size if one else 0) + (other.size if other else 0)
            if self._tell is not None:
                self._tell(self._bytes, entry.id)
            if one is not None and other is not None:
                difference = self._compared(one, other, kind)
                if difference is None:
                    continue
            elif not is_sure:
                self.counts[UNKNOWN] += 1
                continue
            else:
                change = ONLY_A if other is None else ONLY_B
                difference = ObjectDifference(self._a.kind, entry.id, kind, change)
            self.counts[difference.change] += 1
            yield difference

    def _compared(self, one: DatEntry, other: DatEntry, kind: str) -> ObjectDifference | None:
        entry = tuple(
            FieldDifference(name, getattr(one, name), getattr(other, name))
            for name in ENTRY_FIELDS
            if getattr(one, name) != getattr(other, name)
        )
        try:
            data, changed = self._a.read_entry(one), self._b.read_entry(other)
        except DatError as error:
            self._skipped(error)
            self.counts[UNKNOWN] += 1
            return None
        if data == changed:
            if not (self._entries and entry):
                return None
            return ObjectDifference(self._a.kind, one.id, kind, CHANGED, entry=entry)
        a = self._fields(self._a, one.id, data, kind)
        b = self._fields(self._b, one.id, changed, kind)
        most = min(MOST_LETTERS, LETTERS_A_BYTE * max(len(data), len(changed)))
        fields, left_out = first_fields(a, b, most) if a is not None and b is not None else ((), 0)
        at = first_difference(data, changed)
        return ObjectDifference(
            kind=self._a.kind, id=one.id, type=kind, change=CHANGED, fields=fields, entry=entry, byte=at,
            left_out=left_out,
        )  # fmt: skip

    def _fields(self, file: DatFile, object_id: int, data: bytes, kind: str) -> dict[str, Any] | None:
        if kind not in CODECS:
            return None
        try:
            return to_fields(decode(kind, data, file.name, object_id))
        except DatError as error:
            self._skipped(error)
        except Exception as error:  # the objects after it are compared all the same
            self._skipped(DatError(file.name, object_id, None, of_one_member(error)))
        return None


Pair = tuple[DatEntry | None, DatEntry | None, bool]


def _pairs(a: DatFile, b: DatFile, object_type: str | None, skipped: Skipped) -> Iterator[Pair]:
    """The entries of two files side by side, and whether the one that is missing is known not to be there."""
    left, right = _Side(a, object_type, skipped), _Side(b, object_type, skipped)
    while left.entry is not None or right.entry is not None:
        if right.entry is None or (left.entry is not None and left.entry.id < right.entry.id):
            yield left.entry, None, not right.after_damage
            left.step()
        elif left.entry is None or right.entry.id < left.entry.id:
            yield None, right.entry, not left.after_damage
            right.step()
        else:
            yield left.entry, right.entry, True
            left.step()
            right.step()


class _Side:
    """The next entry of a file, and whether a damaged part of its directory lies between it and the last."""

    def __init__(self, file: DatFile, object_type: str | None, skipped: Skipped) -> None:
        self._file: Final = file
        self._told: Final = skipped
        self.after_damage = False
        first, last = (0, 0xFFFFFFFF) if object_type is None else id_range(object_type)
        self._entries = file.entries(first, last, self._skip)
        self.entry: DatEntry | None = None
        self.step()

    def step(self) -> None:
        """Go on to the next entry, None behind the last one."""
        self.after_damage = False
        self.entry = next(self._entries, None)

    def _skip(self, error: DatError) -> None:
        self.after_damage = True
        self._told(error)
