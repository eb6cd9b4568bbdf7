"""Cells that are stored and that no LandBlockInfo announces: seen, and named wherever they are asked for."""

import json
import shutil

import pytest

from engine.dat.check.everything import check
from engine.dat.container.dat_file import DatFile
from engine.dat.container.installation import DatFiles
from engine.dat.object_types import DatKind
from engine.dat.records.codecs import decode, encode
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.dat_writing import write_dat
from tests.places import DEMO
from viewer.main import main

CELL_FILE = "client_cell_1.dat"
BLOCK, INFO = 0xA9B40000, 0xA9B4FFFE


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Makes the demo's dats with another LandBlockInfo: without one, a damaged one, or with so many cells."""
    monkeypatch.delenv("HOLTWALK_DATS", raising=False)

    def make(announced):
        for path in DEMO.iterdir():
            shutil.copy(path, tmp_path)
        with DatFile.open(DEMO / CELL_FILE) as file:
            records = {entry.id: file.read_entry(entry) for entry in file.entries()}
        info = decode("LandBlockInfo", records.pop(INFO), CELL_FILE, INFO)
        if announced == "damaged":
            records[INFO] = encode(info)[:-1]
        elif announced is not None:
            records[INFO] = encode(info._replace(num_cells=announced))
        write_dat(tmp_path / CELL_FILE, records, DatKind.CELL)
        return tmp_path

    return make


def stored():
    with DatFile.open(DEMO / CELL_FILE) as file:
        return [entry.id for entry in file.entries(BLOCK | 0x100, BLOCK | 0xFFFD)]


SAID = [(None, "there is no LandBlockInfo"), (16, "it announces 16 cells")]


@pytest.mark.parametrize(("announced", "says"), SAID)
def test_stored_cells_are_loaded_and_named(folder, announced, says):
    world = World(open_source(dats=folder(announced)))
    block = world.load_block(BLOCK)
    assert list(block.env_cells) == stored()
    (line,) = world.problems.lines
    beyond = stored()[announced or 0 :]
    assert f"{CELL_FILE}, object 0x{INFO:08X}: {says}, but {len(beyond)} " in line
    assert line.endswith(f"are stored, from 0x{beyond[0]:08X} to 0x{beyond[-1]:08X}")
    assert BLOCK in world.source.block_ids()
    assert len(set(world.source.block_ids())) == len(world.source.block_ids())


def test_cells_under_a_damaged_record_are_loaded(folder):
    world = World(open_source(dats=folder("damaged")))
    assert list(world.load_block(BLOCK).env_cells) == stored()
    (line,) = world.problems.lines
    assert f"{CELL_FILE}, object 0x{INFO:08X}, offset 0x" in line


def test_a_cell_without_a_landblock_info_is_a_place(folder, capsys):
    words = ["cell", "--dats", str(folder(None)), "--at", "0xA9B40171 [155.4 12 94]", "--json"]
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["cell"] == "0xA9B40171"
    assert err.count("\n") == 1
    assert "there is no LandBlockInfo" in err


@pytest.mark.parametrize("which", [(), ("--landblock", "0xA9B4")], ids=["all", "one"])
def test_an_audit_looks_at_them_and_finds_the_record_missing(folder, capsys, which):
    assert main(["audit", "--dats", str(folder(None)), "--json", *which]) == 1
    results = {result["name"]: result for result in json.loads(capsys.readouterr().out)["results"]}
    assert "there is no LandBlockInfo" in " ".join(results["damaged-record"]["figures"]["examples"])
    assert results["one-way-portal"]["figures"]["count"] > 0  # exits without their buildings


@pytest.mark.parametrize(
    ("announced", "object_id", "says"),
    [
        (None, BLOCK | 0x100, "LandBlockInfo 0xA9B4FFFE of 122 stored cells"),
        (16, INFO, "16 cells announced, 122 stored or not contiguous"),
    ],
)
def test_the_check_names_them_once(folder, announced, object_id, says):
    with DatFiles.open(folder(announced)) as files:
        found = [f for f in check(files).findings if f.object_id == object_id]
    assert [f.detail for f in found] == [says]
