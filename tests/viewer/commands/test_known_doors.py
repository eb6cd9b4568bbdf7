"""Holtburg has its doors with a user's own dats, by a list that the program brings."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.dat.container.building import build_dat
from engine.dat.container.dat_file import DatFile
from engine.dat.object_types import DatKind
from engine.dat.records.codecs import encode
from engine.dat.records.env_cell import EnvCell
from engine.dat.values import StoredFrame
from engine.world.loading.world import World
from engine.world.sources.dats import DatsSource
from engine.world.sources.open_source import open_source
from tests.world.spawn_rows import instance, weenie
from viewer.commands.groundwork.worlds import open_world, world_words
from viewer.main import main
from viewer.tables.arguments import parse

ROOT = Path(__file__).resolve().parents[3]
DEMO, LIST = ROOT / "assets" / "demo", ROOT / "assets" / "scenes" / "holtburg-doors.json"
BLOCK = 0xA9B40000
WORDS = "23 doors of Holtburg are taken from a built-in list; --no-doors leaves them out"
# Where the cells are that the list's indoor doors stand in.
CELLS = {0x100: (84.0, 131.0, 66.0), 0x154: (107.0, 31.0, 94.0), 0x155: (107.0, 31.0, 94.0)}


def dats(folder: Path, cells: dict[int, tuple[float, float, float]] | None = None) -> Path:
    """The demo's files under another name, some of its cells moved."""
    folder.mkdir()
    shutil.copy(DEMO / "client_portal.dat", folder)
    with DatFile.open(DEMO / "client_cell_1.dat") as file:
        records = {entry.id: file.read_entry(entry) for entry in file.entries()}
    source = open_source(demo=DEMO)
    for low, origin in (cells or {}).items():
        cell = source.env_cell(BLOCK | low)
        assert isinstance(cell, EnvCell)
        records[cell.id] = encode(cell._replace(frame=StoredFrame(origin, cell.frame.orientation)))
    (folder / "client_cell_1.dat").write_bytes(build_dat(records, DatKind.CELL))
    return folder


@pytest.fixture
def holtburg(tmp_path: Path) -> Path:
    return dats(tmp_path / "holtburg", CELLS)


def opened(*words: str) -> World:
    return open_world(parse(["walk", *words])[1])


def doors(world: World) -> set[int]:
    return {entity.object_id for entity in world.load_block(BLOCK).entities}


def test_a_holtburg_has_its_doors_and_one_line_says_so(holtburg: Path, capsys: pytest.CaptureFixture[str]):
    listed = {int(entry["entity"], 16) for entry in json.loads(LIST.read_text())["objects"]}
    args = parse(["walk", "--dats", str(holtburg)])[1]
    world = open_world(args)
    assert doors(world) == listed and len(listed) == 23
    open_world(args)
    assert [line for line in capsys.readouterr().err.splitlines() if "Holtburg" in line] == [
        f"holtwalk: {WORDS}"
    ]


def test_scene_spawns_and_no_doors_say_otherwise(
    holtburg: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    scene, spawns = tmp_path / "scene.json", tmp_path / "spawns.sql"
    scene.write_text('{"objects": []}')
    spawns.write_text(instance(0x7A9B4016) + weenie(412, 19, "theirs", d_i_d={1: 0x020019FF}))
    for words in (["--scene", str(scene)], ["--spawns", str(spawns)], ["--no-doors"]):
        assert doors(opened("--dats", str(holtburg), *words)) <= {0x7A9B4016}
    assert "Holtburg" not in capsys.readouterr().err


def test_another_world_under_the_same_numbers_has_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The demo's cells have the numbers of Holtburg's, but lie elsewhere."""
    folder = dats(tmp_path / "other")
    assert doors(opened("--dats", str(folder))) == set()
    own = json.loads((DEMO / "scene.json").read_text())["objects"]
    placed = {int(entry["entity"], 16) for entry in own if int(entry["at"][:10], 16) & 0xFFFF0000 == BLOCK}
    assert doors(opened("--demo")) == placed != set()
    assert capsys.readouterr().err == ""


def test_a_cell_that_is_not_there_or_damaged_is_no_holtburg(tmp_path: Path):
    folder = dats(tmp_path / "half", {k: CELLS[k] for k in (0x100, 0x154)})
    assert doors(opened("--dats", str(folder))) == set()


def test_the_copied_words_open_the_same_world(holtburg: Path):
    args = parse(["walk", "--dats", str(holtburg), "--no-doors"])[1]
    assert world_words(args)[-1] == "--no-doors"
    assert "--no-doors" not in world_words(parse(["walk", "--dats", str(holtburg)])[1])


def test_a_command_with_json_says_it_on_standard_error_alone(
    holtburg: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["cell", "--dats", str(holtburg), "--at", "0xA9B40031 [150 20 94]", "--json"]) == 0
    out, err = capsys.readouterr()
    json.loads(out)
    assert WORDS in err


def test_the_list_is_in_the_package_and_of_doors_alone():
    source = open_source(demo=DEMO)
    assert isinstance(source, DatsSource) and source.known_objects == 0
    for entry in json.loads(LIST.read_text())["objects"]:
        assert (entry["setup"], entry["state"]) == ("0x020019FF", "0x10008")
    assert "graft assets" in (ROOT / "MANIFEST.in").read_text()
