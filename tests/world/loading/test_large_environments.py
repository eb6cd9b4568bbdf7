"""An Environment that no cache can hold is read once a landblock, not once a cell."""

import pytest

from engine.dat.container import installation
from engine.dat.container.installation import DatFiles
from engine.dat.object_types import DatKind
from engine.dat.records.codecs import decode, encode
from engine.dat.records.env_cell import EnvCell
from engine.dat.records.environment import Environment
from engine.dat.records.land_block_info import LandBlockInfo
from engine.world.loading.world import World
from engine.world.sources import plain_looks
from engine.world.sources.dats import DatsSource
from engine.world.sources.scene_file import SceneFile
from tests.dat_writing import write_dat
from tests.world.world_records import BLOCK, TABLE, cell, room
from viewer.renderer.scene.mesh_library import MeshLibrary

CELLS = 30


class NoSurfaces:
    """Stands in for the surfaces: nothing is textured."""

    textured = False

    @property
    def textures(self):
        return self

    def settle(self):
        pass

    def material(self, surface):
        return self


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Cells that name the structures of three Environments in turn, and next to no cache."""
    kinds = []
    for number in (1, 2, 3):
        one = room(number)
        structures = tuple(one.cells[0]._replace(key=key) for key in range(CELLS))
        kinds.append(one._replace(cells=structures))
    cells = [
        cell(0x100 + n, origin=(60.0, 60.0, 94.0), environment=1 + n % 3)._replace(structure=n)
        for n in range(CELLS)
    ]
    portal = {one.id: encode(one) for one in kinds} | {0x13000000: encode(plain_looks.region(TABLE))}
    stored = {one.id: encode(one) for one in cells}
    stored[BLOCK | 0xFFFE] = encode(LandBlockInfo(BLOCK | 0xFFFE, CELLS))
    write_dat(tmp_path / "client_portal.dat", portal, DatKind.PORTAL)
    write_dat(tmp_path / "client_cell_1.dat", stored, DatKind.CELL)
    monkeypatch.setattr(installation, "CACHE_BYTES", 1)
    monkeypatch.setattr(installation, "LARGE_BYTES", 1)
    with DatFiles.open(tmp_path) as opened:
        yield opened


def test_the_last_record_that_no_cache_can_hold_is_kept_beside_the_others(files, monkeypatch):
    monkeypatch.setattr(installation, "CACHE_BYTES", 8000)
    large = files.get(0x0D000001, Environment)
    for n in range(CELLS):
        assert files.get(BLOCK | 0x100 + n, EnvCell) is not None
        assert files.get(0x0D000001, Environment) is large
    assert files.get(0x0D000002, Environment) is not None
    assert files.get(0x0D000001, Environment) is not large


def test_a_few_such_records_that_are_asked_for_in_turn_do_not_push_each_other_out(files, monkeypatch):
    monkeypatch.setattr(installation, "CACHE_BYTES", 8000)
    first = files.get(0x0D000001, Environment)
    size = next(size for _, size in files._large.values())
    monkeypatch.setattr(installation, "LARGE_BYTES", 2 * size)
    second = files.get(0x0D000002, Environment)
    for _ in range(3):
        assert files.get(0x0D000001, Environment) is first
        assert files.get(0x0D000002, Environment) is second
    assert files.get(0x0D000003, Environment) is not None
    assert files.get(0x0D000002, Environment) is second
    assert files.get(0x0D000001, Environment) is not first


def test_an_environment_is_decoded_once_for_all_cells_of_a_landblock(files, monkeypatch):
    read = []

    def counted(name, data, file, object_id):
        read.append(name)
        return decode(name, data, file, object_id)

    monkeypatch.setattr(installation, "decode", counted)
    world = World(DatsSource(files, "dats", SceneFile()))
    block = world.load_block(BLOCK)
    assert len(block.env_cells) == CELLS
    assert world.problems.lines == []
    assert read.count("Environment") == 3
    surfaces = NoSurfaces()
    library = MeshLibrary(world.source, surfaces, world.problems, model_of=world.model)
    for env_cell in block.env_cells.values():
        library.cell(env_cell)
    assert read.count("Environment") == 6
    library.let_go()
    assert library.size() == 0
    assert world.problems.lines == []
