"""A folder of dumps: which objects it holds, and its cells, each read once (sources 2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.world.ids import block_of
from engine.world.sources.dump_openings import AlikeError, DumpOpenings
from engine.world.sources.dump_records import EXIT, CellDump, DumpPortal, parse_cell, read_dump

_MOST_OPENINGS: Final = 1024  # cells whose portals are kept by where they lie: many more than are neighbours

_CELL_FILE = re.compile(r"^0x([0-9a-f]{8})\.json$", re.IGNORECASE)
_GFXOBJ_FILE = re.compile(r"^0x([0-9a-f]{8})\.gfxobj\.json$", re.IGNORECASE)
_SETUP_FILE = re.compile(r"^0x([0-9a-f]{8})\.setup\.json$", re.IGNORECASE)
_RECORD_FILE = re.compile(r"^0x([0-9a-f]{8})\.record\.json$", re.IGNORECASE)


class DumpFolder:
    """The dumps of a folder by kind. Files are read on first use, cells only once."""

    def __init__(self, folder: Path) -> None:
        names = sorted(path.name for path in folder.iterdir())
        self.cells = DumpFiles(folder, names, _CELL_FILE)
        self.gfx_objs = DumpFiles(folder, names, _GFXOBJ_FILE)
        self.setups = DumpFiles(folder, names, _SETUP_FILE)
        self.records = DumpFiles(folder, names, _RECORD_FILE)
        self._dumps: dict[int, CellDump | DatError] = {}
        self._openings = lru_cache(_MOST_OPENINGS)(self._openings_of)
        self._exits: dict[int, bool] = {}

    def cell(self, cell_id: int) -> CellDump:
        """A cell's dump, read once. Raises DatError each time it is asked for a damaged one."""
        if cell_id not in self._dumps:
            try:
                path = self.cells.get(cell_id)
                assert path is not None  # who asks has looked
                dump = read_dump(path, cell_id, parse_cell)
                if dump.cell_id != cell_id:
                    raise DatError(str(path), cell_id, None, f"CellId is {hex_id(dump.cell_id)}")
                self._dumps[cell_id] = dump
            except DatError as error:
                self._dumps[cell_id] = error
        known = self._dumps[cell_id]
        if isinstance(known, DatError):
            raise known
        return known

    def sound_cell(self, cell_id: int) -> CellDump | None:
        """A cell's dump; None for one that is not there or damaged."""
        if cell_id not in self.cells:
            return None
        try:
            return self.cell(cell_id)
        except DatError:
            return None

    def seen_outside(self, dump: CellDump) -> bool:
        """Whether one sees outside from a cell, said by it or found by its neighbours."""
        if dump.seen_outside is not None:
            return dump.seen_outside
        return dump.has_exit or any(map(self._has_exit, dict.fromkeys(dump.visible)))

    def _has_exit(self, cell_id: int) -> bool:
        """Whether a cell is there, sound, and some portal of it leads outdoors; looked for once."""
        known = self._exits.get(cell_id)
        if known is None:
            dump = self.sound_cell(cell_id)
            known = self._exits[cell_id] = dump is not None and dump.has_exit
        return known

    def other_portal(self, dump: CellDump, portal: DumpPortal) -> int:
        """The index of the neighbour's portal, -1 for none: as it is given, else through the same opening.

        DatError where more lie there than can be told apart.
        """
        if portal.other_portal is not None:
            return portal.other_portal
        if portal.other_cell == EXIT:
            return -1
        other = self.sound_cell(block_of(dump.cell_id) | portal.other_cell)
        if other is None:
            return -1
        try:
            return self._openings(other.cell_id).leading_back(portal, self._openings(dump.cell_id))
        except AlikeError as error:
            where = str(self.cells.get(other.cell_id))
            words = f"{error}: OtherPortalId says which is which"
            raise DatError(where, other.cell_id, None, words) from None

    def _openings_of(self, cell_id: int) -> DumpOpenings:
        return DumpOpenings(self.cell(cell_id))


class DumpFiles:
    """The dumps of one kind in a folder, by id in order; names differ by case alone where one has two."""

    def __init__(self, folder: Path, names: list[str], pattern: re.Pattern[str]) -> None:
        found: dict[int, list[Path]] = {}
        for name in names:
            match = pattern.match(name)
            if match is not None:
                found.setdefault(int(match[1], 16), []).append(folder / name)
        self._paths = dict(sorted(found.items()))

    def __iter__(self) -> Iterator[int]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __contains__(self, object_id: int) -> bool:
        return object_id in self._paths

    def get(self, object_id: int) -> Path | None:
        """The only file of an id. Raises DatError where there are two: nobody knows which one counts."""
        paths = self._paths.get(object_id, [])
        if len(paths) > 1:
            others = ", ".join(path.name for path in paths[1:])
            raise DatError(str(paths[0]), object_id, None, f"given twice: {others} is a dump of it, too")
        return paths[0] if paths else None
