"""The world that more than one of these modules works on."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.dat.container.installation import DatFiles
from engine.dat.object_types import DatKind
from scripts import make_world
from scripts.demo_world import ids
from tests.dat_writing import write_dat


@pytest.fixture(scope="session")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A made world in which a structure that all dungeons need, and some cells, are damaged."""
    sound, folder = tmp_path_factory.mktemp("sound"), tmp_path_factory.mktemp("damaged")
    make_world.main([str(sound), "--size", "4x6", "--dungeons", "3", "--cells", "10-40"])
    with DatFiles.open(sound) as files:
        for file, kind in ((files.portal, DatKind.PORTAL), (files.cell, DatKind.CELL)):
            records = {entry.id: file.read_entry(entry) for entry in file.entries()}
            for object_id in list(records):
                if object_id == ids.ARCH or object_id & 0xFFFF == 0x103:
                    records[object_id] = records[object_id][:-3]
            write_dat(folder / Path(file.name).name, records, kind)
    return str(folder)
