"""``holtwalk dat check``: every object decoded, every reference followed, every index looked at."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from engine.dat.check.blocks import BlockUse, FindingText
from engine.dat.check.cell_checks import cell_findings
from engine.dat.check.effect_checks import effect_findings
from engine.dat.check.facts import Facts
from engine.dat.check.listing import Listed, listed_as
from engine.dat.check.model_checks import model_findings
from engine.dat.check.references import references
from engine.dat.container.btree import DatEntry
from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError, of_one_member
from engine.dat.hex_id import hex_id
from engine.dat.number_rules import faults
from engine.dat.object_types import DatKind, type_of
from engine.dat.records.codecs import CODECS, decode
from engine.dat.records.surface_texture import SurfaceTexture

# What can be wrong, and what each kind of finding says.
KINDS = {
    "damaged": "records that can't be decoded, or a tree that leads nowhere",
    "unknown": "ids that stand for no type of object",
    "missing": "objects that are named and not there",
    "wrong type": "ids that are named where another type belongs",
    "out of range": "indices and keys that name nothing in their list",
    "bad number": "numbers that are not finite or too large, planes and frames without a direction",
    "cyclic": "parts that are their own ancestors",
    "inconsistent": "records that disagree with themselves or each other",
}
EXAMPLES = 20
PART = 256  # objects that are looked at together
SHOWN_NUMBERS = 3
MOST_OF_ONE = 1000  # findings of an object that are told one by one


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with one object, or with a whole file (``object_id`` None)."""

    kind: str
    file: str
    object_id: int | None
    detail: str

    def __str__(self) -> str:
        where = "" if self.object_id is None else f", object {hex_id(self.object_id)}"
        return f"{self.file}{where}: {self.kind}: {self.detail}"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Objects by type, findings by kind (counts of all, the first few of each in full)."""

    objects: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.counts

    def add(self, finding: Finding) -> None:
        """Count a finding, and keep it if there are not many of its kind yet."""
        self.counts[finding.kind] += 1
        if self.counts[finding.kind] <= EXAMPLES:
            self.findings.append(finding)

    def results(self) -> list[dict[str, Any]]:
        """One entry a kind of finding, and one with the objects by type, in the commands' JSON form."""
        out: list[dict[str, Any]] = [
            {
                "name": "objects",
                "ok": True,
                "figures": dict(sorted(self.objects.items())),
                "detail": "by type",
            }
        ]
        for kind, meaning in KINDS.items():
            examples = [str(finding) for finding in self.findings if finding.kind == kind]
            count = self.counts[kind]
            figures = {"count": count, "examples": examples}
            out.append({"name": kind, "ok": not count, "figures": figures, "detail": meaning})
        return out


@dataclass(frozen=True, slots=True)
class Part:
    """Some entries of one file, to be looked at together; ``damaged`` are parts of its tree passed over,
    each with the number of entries of this part before it."""

    file: int
    number: int
    entries: tuple[DatEntry, ...]
    damaged: tuple[tuple[int, int | None, str], ...] = ()


def parts(files: DatFiles) -> Iterator[Part]:
    """All entries of all files, file by file in ascending order of ids; every file has a part."""
    for index, file in enumerate(files.files()):
        entries: list[DatEntry] = []
        damaged: list[tuple[int, int | None, str]] = []
        number = 0

        def skipped(
            error: DatError,
            into: list[tuple[int, int | None, str]] = damaged,
            before: list[DatEntry] = entries,
        ) -> None:
            into.append((len(before), error.object_id, _place(error)))

        for entry in file.entries(skipped=skipped):
            entries.append(entry)
            if len(entries) == PART:
                yield Part(index, number, tuple(entries), tuple(damaged))
                number += 1
                entries.clear()
                damaged.clear()
        yield Part(index, number, tuple(entries), tuple(damaged))


def count(files: DatFiles) -> int:
    """How many entries there are, as far as the files' trees can be read."""
    return sum(1 for file in files.files() for _ in file.entries(skipped=lambda _: None))


def look_at(files: DatFiles, part: Part, tell: Callable[[float], None] | None = None) -> dict[str, Any]:
    """What is wrong with the objects of a part, as a document for ``Check.add``; tells its share, 0 to 1."""
    file = tuple(files.files())[part.file]
    found: list[tuple[int, str, str]] = []
    facts = Facts(files)
    for number, entry in enumerate(part.entries):
        try:
            texts = _object_findings(facts, listed_as(file, entry))
            found += [(number, *text) for text in islice(texts, MOST_OF_ONE)]
            more = Counter(kind for kind, _ in texts)
            found += [(number, kind, f"and {times} more in it") for kind, times in sorted(more.items())]
        except Exception as error:  # the objects after it are looked at all the same
            found.append((number, "damaged", of_one_member(error)))
        if tell is not None:
            tell((number + 1) / len(part.entries))
    return {"found": found}


class Check:
    """Puts together what was found in parts, in the parts' order, and looks at the files' blocks."""

    def __init__(self, files: DatFiles) -> None:
        self.report = CheckReport()
        self._files = files
        self._blocks: BlockUse | None = None
        for error in files.passed_over:
            self.report.add(Finding("damaged", error.file, None, _place(error)))

    def add(self, part: Part, document: dict[str, Any]) -> list[Finding]:
        """Add the next part's findings; those that are new."""
        file = tuple(self._files.files())[part.file]
        new: list[Finding] = []
        if part.number == 0 or self._blocks is None:
            self._blocks = BlockUse(file)
            new += [Finding(kind, file.name, None, detail) for kind, detail in self._blocks.header_findings()]
        by_number: dict[int, list[FindingText]] = {}
        for number, kind, detail in document["found"]:
            by_number.setdefault(number, []).append((kind, detail))
        damaged = deque(part.damaged)
        for number, entry in enumerate((*part.entries, None)):
            while damaged and damaged[0][0] <= number:
                _, object_id, detail = damaged.popleft()
                new.append(Finding("damaged", file.name, object_id, detail))
            if entry is None:
                break
            self.report.objects[listed_as(file, entry).type] += 1
            texts = chain(self._blocks.entry_findings(entry), by_number.get(number, ()))
            new += [Finding(kind, file.name, entry.id, detail) for kind, detail in texts]
        for finding in new:
            self.report.add(finding)
        return new


def check(files: DatFiles) -> CheckReport:
    """Look over every object of the files."""
    whole = Check(files)
    for part in parts(files):
        whole.add(part, look_at(files, part))
    return whole.report


def _object_findings(facts: Facts, listed: Listed) -> Iterator[FindingText]:
    """Kind and detail of everything that is wrong with one object."""
    files, file, entry = facts.files, listed.file, listed.entry
    if listed.type == "unknown":
        yield "unknown", f"no type has this id in a {file.kind.name.lower()} file"
        return
    if listed.type not in CODECS:
        return
    try:
        record = decode(listed.type, file.read_entry(entry), file.name, entry.id)
    except DatError as error:
        yield "damaged", _place(error)
        return
    yield from _number_findings(record)
    try:
        for reference in references(record):
            yield from _reference_findings(files, reference.id, reference.types)
        if isinstance(record, SurfaceTexture):
            images = (files.file_of("RenderSurface", image) for image in record.textures)
            if DatKind.PORTAL not in files.absent and not any(images):
                yield "missing", "none of its images is there"
        yield from model_findings(facts, record)
        yield from effect_findings(files, record)
        yield from cell_findings(facts, record)
    except DatError as error:
        yield "damaged", f"what it names can't be looked up: {error}"


def _number_findings(record: Any) -> Iterator[FindingText]:
    """One finding for all bad numbers of a record: a damaged list has thousands."""
    bad = faults(record)
    shown = [f"{where} {fault}" for where, fault in islice(bad, SHOWN_NUMBERS)]
    more = sum(1 for _ in bad)
    if shown:
        yield "bad number", ", ".join(shown) + (f" and {more} more" if more else "")


def _place(error: DatError) -> str:
    return error.reason if error.offset is None else f"offset 0x{error.offset:X}: {error.reason}"


def _reference_findings(files: DatFiles, wanted: int, types: tuple[str, ...]) -> Iterator[FindingText]:
    if wanted == 0:
        return
    try:
        name = type_of(wanted, DatKind.PORTAL)
    except DatError:
        name = "object of no type"
    if name not in types:
        yield "wrong type", f"{hex_id(wanted)} is a {name}, not a {' or '.join(types)}"
    elif DatKind.PORTAL not in files.absent and files.file_of(name, wanted) is None:
        yield "missing", f"{name} {hex_id(wanted)}"
