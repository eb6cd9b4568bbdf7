"""A folder of dat files as one store of decoded records."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self, TypeVar

from engine.dat.container.building import build_dat
from engine.dat.container.dat_file import DatFile
from engine.dat.errors import DatError
from engine.dat.object_types import CELL_TYPES, ITERATION_ID, DatKind, type_of
from engine.dat.records.codecs import decode

T = TypeVar("T")

# The client's own names; a file of one of these names is taken before another of its kind.
CLIENT_NAMES = {
    DatKind.PORTAL: "client_portal.dat",
    DatKind.HIGHRES: "client_highres.dat",
    DatKind.CELL: "client_cell_1.dat",
    DatKind.LOCAL: "client_local_english.dat",
}
# Files that a world can do without: what is damaged in them is passed over.
OPTIONAL = "this file is optional, what can't be read in it is passed over"
OPTIONAL_NAMES = (CLIENT_NAMES[DatKind.HIGHRES], "highres.dat", CLIENT_NAMES[DatKind.LOCAL])
CACHE_BYTES = 48 << 20
LARGE_BYTES = 4 * CACHE_BYTES  # of records that are larger than the cache; the last one stays in any case
# How many bytes a decoded record takes for each stored one: numbers become objects, pixels stay as they are.
EXPANSION = 12


class DatFiles:
    """Portal and cell file of one folder, and highres where there is one; records decoded on demand.

    Records are kept while the cache's budget lasts, and the last few that are larger than all of it.
    What is damaged in highres, which a world can do without, is passed over: ``passed_over`` has the first
    such error of each file, ``on_passed_over`` hears of it. ``absent`` are the kinds that an incomplete
    folder lacks; empty files stand in for them. Safe to use from several threads.
    """

    def __init__(
        self,
        portal: DatFile,
        cell: DatFile,
        *,
        highres: DatFile | None = None,
        local: DatFile | None = None,
        absent: frozenset[DatKind] = frozenset(),
    ) -> None:
        self.portal = portal
        self.cell = cell
        self.highres = highres
        self.local = local
        self.absent = absent
        self.passed_over: list[DatError] = []
        self.on_passed_over: Callable[[DatError], None] | None = None
        self._cache: OrderedDict[tuple[str, int], tuple[Any, int]] = OrderedDict()
        self._cached_bytes = 0
        self._large: OrderedDict[tuple[str, int], tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    @classmethod
    def open(cls, folder: str | PathLike[str], *, incomplete: bool = False) -> DatFiles:
        """Open the dat files of a folder, told apart by their headers.

        Raises DatError when the folder has no portal or no cell file, or two of a kind under other than
        the client's names. An ``incomplete`` folder may lack either, or hold a local file alone.
        """
        found, passed_over = find_dats(Path(folder))
        needed = (DatKind.PORTAL, DatKind.CELL)
        local = found.pop(DatKind.LOCAL, None)
        if local is not None and (found or not incomplete):
            local.close()
            local = None
        absent = frozenset(kind for kind in needed if kind not in found)
        if absent and (not incomplete or not (found or local)):
            for file in found.values():
                file.close()
            if passed_over:
                raise passed_over[0]
            kind = next(kind for kind in needed if kind in absent)
            reason = f"no {kind.name.lower()} file in this folder ({CLIENT_NAMES[kind]})"
            raise DatError(str(folder), None, None, reason)
        for kind in absent:
            found[kind] = DatFile(build_dat({}, kind), str(Path(folder) / CLIENT_NAMES[kind]))
        portal, cell, highres = found[DatKind.PORTAL], found[DatKind.CELL], found.get(DatKind.HIGHRES)
        files = cls(portal, cell, highres=highres, local=local, absent=absent)
        files.passed_over += passed_over
        return files

    def close(self) -> None:
        """Close all files."""
        for file in self.files():
            file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def files(self) -> Iterator[DatFile]:
        """Portal, highres and cell, those that are there."""
        if DatKind.PORTAL not in self.absent:
            yield self.portal
        if self.highres is not None:
            yield self.highres
        if DatKind.CELL not in self.absent:
            yield self.cell
        if self.local is not None:
            yield self.local

    def by_precedence(self, object_id: int) -> Iterator[DatFile]:
        """The files in the order in which an id is looked for: highres before portal (dat-format 1.10).

        Every file has its own iteration record, so that the portal file's comes first there.
        """
        files = list(self.files())
        if self.highres is not None and object_id != ITERATION_ID:
            files.remove(self.highres)
            files.insert(0, self.highres)
        yield from files

    def holds(self, file: DatFile, object_id: int) -> bool:
        """Whether a file has an object; a highres file whose part of the tree is damaged has not."""
        try:
            return object_id in file
        except DatError as error:
            self.pass_over(file, error)
            return False

    def is_optional(self, name: str) -> bool:
        """Whether a file, by the name it is opened under, is one that a world does without."""
        return Path(name).name.lower() in OPTIONAL_NAMES or (
            self.highres is not None and name == self.highres.name
        )

    def files_of(self, object_type: str, object_id: int) -> Iterator[DatFile]:
        """The files that hold an object, the one that the game would take first."""
        in_cell = object_type in CELL_TYPES
        for file in self.by_precedence(object_id):
            if (file is self.cell) == in_cell and self.holds(file, object_id):
                yield file

    def file_of(self, object_type: str, object_id: int) -> DatFile | None:
        """The file that holds an object, None when none does."""
        return next(self.files_of(object_type, object_id), None)

    def get(self, object_id: int, record_type: type[T]) -> T | None:
        """The record of an id, None when no file has it.

        Raises DatError for a damaged record and for an id that is not one of ``record_type``.
        """
        name = record_type.__name__
        key = (name, object_id)
        with self._lock:
            for cache in (self._cache, self._large):
                cached = cache.get(key)
                if cached is not None:
                    cache.move_to_end(key)
                    record: T = cached[0]
                    return record
        kind = DatKind.CELL if name in CELL_TYPES else DatKind.PORTAL
        stored_type = type_of(object_id, kind)
        if stored_type != name:
            raise DatError("", object_id, None, f"the id of {_a(stored_type)}, not of {_a(name)}")
        for file in self.files_of(name, object_id):
            try:
                data = file.read(object_id)
                record = decode(name, data, file.name, object_id)
            except DatError as error:
                self.pass_over(file, error)
                continue
            self._keep(key, record, len(data) * (1 if name == "RenderSurface" else EXPANSION))
            return record
        return None

    def pass_over(self, file: DatFile, error: DatError) -> None:
        """Go on without a part of an optional file, which is told once; damage of another file is raised."""
        if file is not self.highres:
            raise error
        with self._lock:
            known = any(other.file == error.file for other in self.passed_over)
            if not known:
                self.passed_over.append(error)
        if not known and self.on_passed_over is not None:
            self.on_passed_over(error)

    def _keep(self, key: tuple[str, int], record: Any, size: int) -> None:
        with self._lock:
            if key in self._cache:
                return
            if size > CACHE_BYTES:  # it would push out all others, and be pushed out by the next of them
                self._large[key] = (record, size)
                while len(self._large) > 1 and sum(held for _, held in self._large.values()) > LARGE_BYTES:
                    self._large.popitem(last=False)
            else:
                self._cache[key] = (record, size)
                self._cached_bytes += size
            while self._cached_bytes > CACHE_BYTES:
                _, (_, dropped) = self._cache.popitem(last=False)
                self._cached_bytes -= dropped


def find_dats(folder: Path) -> tuple[dict[DatKind, DatFile], list[DatError]]:
    """The dat files of a folder by kind, and why optional ones can't be opened.

    Files that are no dats of the game are passed over.
    """
    if not folder.is_dir():
        reason = (
            "this is no folder; name the one it lies in" if folder.exists() else "there is no such folder"
        )
        raise DatError(str(folder), None, None, reason)
    known = set(CLIENT_NAMES.values()) | {"portal.dat", "cell.dat", "highres.dat"}
    paths = [path for path in folder.iterdir() if path.suffix.lower() == ".dat" and path.is_file()]
    # The client's names come first, so that a copy beside them does not count.
    paths.sort(
        key=lambda path: (path.name.lower() not in CLIENT_NAMES.values(), path.name.lower(), path.name)
    )
    found: dict[DatKind, DatFile] = {}
    passed_over: list[DatError] = []
    try:
        for path in paths:
            try:
                file = DatFile.open(path)
            except DatError as error:
                if path.name.lower() in OPTIONAL_NAMES:
                    passed_over.append(error)
                elif path.name.lower() in known:
                    raise
                continue
            kind = file.header.kind
            if path.name.lower() in OPTIONAL_NAMES and kind is not None and not _is_named(path, kind):
                # It would take the place of a file that a world needs.
                file.close()
                reason = f"its header is that of a {kind.name.lower()} file"
                passed_over.append(DatError(str(path), None, None, reason))
                continue
            if kind is None or kind in found:
                file.close()
                if kind is None:
                    continue
                for one in (path, Path(found[kind].name)):
                    if not _is_named(one, kind):  # a copy over the file of another kind
                        reason = f"its header is that of a {kind.name.lower()} file, and there is another one"
                        raise DatError(str(one), None, None, reason)
                if Path(found[kind].name).name.lower() not in CLIENT_NAMES.values():
                    reason = f"another {kind.name.lower()} file beside {found[kind].name}"
                    raise DatError(str(path), None, None, reason)
                continue
            found[kind] = file
    except DatError:
        for file in found.values():
            file.close()
        raise
    return found, passed_over


def _is_named(path: Path, kind: DatKind) -> bool:
    """Whether a file's name is the client's for its kind, or none of the client's names."""
    names = {name: other for other, name in CLIENT_NAMES.items()} | {"highres.dat": DatKind.HIGHRES}
    return names.get(path.name.lower(), kind) is kind


def _a(word: str) -> str:
    """A type's name with its article."""
    return f"{'an' if word[0] in 'AEIO' else 'a'} {word}"
