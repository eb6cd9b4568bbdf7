"""Folders with a part of the files, and with optional files that are damaged."""

import shutil
from pathlib import Path

import pytest

from engine.dat.check.everything import check
from engine.dat.check.listing import list_entries, show
from engine.dat.container.building import build_dat
from engine.dat.container.installation import OPTIONAL, DatFiles
from engine.dat.errors import DatError
from engine.dat.object_types import DatKind
from engine.dat.records.codecs import encode
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.render_surface import RenderSurface
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.dat.container.dat_folders import FINE, IMAGE, write_folder
from tests.dat.sample_places import GFX_OBJ
from tests.dat_writing import write_dat
from tests.places import DEMO
from viewer.main import main

FILES = ("client_portal.dat", "client_cell_1.dat", "client_highres.dat")
MANY = {0x06000001 + n: encode(FINE._replace(id=0x06000001 + n)) for n in range(400)}


@pytest.fixture
def no_dats(monkeypatch):
    monkeypatch.delenv("HOLTWALK_DATS", raising=False)


@pytest.mark.usefixtures("no_dats")
@pytest.mark.parametrize(
    ("kept", "object_id"), [(FILES[0], 0x01000010), (FILES[1], 0x12340100), (FILES[2], 0x06000001)]
)
def test_a_folder_with_one_file_is_listed_shown_checked_and_extracted(tmp_path, capsys, kept, object_id):
    write_folder(tmp_path, highres=FILES[2])
    for name in FILES:
        if name != kept:
            (tmp_path / name).unlink()
    name = f"0x{object_id:08X}"
    for words in (
        ("ls",),
        ("show", name),
        ("show", "--all"),
        ("extract", name, "--out", str(tmp_path / "a.bin")),
    ):
        assert main(["dat", *words, "--dats", str(tmp_path)]) == 0, words
        out, err = capsys.readouterr()
        assert err == ""
        assert words[0] == "extract" or name in out
    assert (tmp_path / "a.bin").stat().st_size > 0
    main(["dat", "check", "--dats", str(tmp_path)])
    out, err = capsys.readouterr()
    looked_for = any(f"missing: {name} 0x" in out for name in ("Environment", "Surface", "Animation"))
    assert looked_for == (kept == FILES[0])
    assert all("file here; nothing is looked for in it" in line for line in err.splitlines())
    assert kept == FILES[2] or len(err.splitlines()) == 1


@pytest.mark.usefixtures("no_dats")
def test_a_cells_model_wants_the_portal_file_and_says_so(tmp_path, capsys):
    shutil.copy(DEMO / FILES[1], tmp_path)
    words = ["dat", "extract", "0xA9B40171", "--dats", str(tmp_path), "--out", str(tmp_path / "a.glb")]
    assert main(words) == 2
    assert capsys.readouterr().err == (
        "holtwalk: object 0xA9B40171: a cell's geometry is in the portal file, and this folder has none\n"
    )


@pytest.mark.usefixtures("no_dats")
def test_a_local_file_alone_is_listed(tmp_path, capsys):
    write_dat(tmp_path / "client_local_English.dat", {0x23000001: b"\1\0\0#"}, DatKind.LOCAL)
    assert main(["dat", "ls", "--dats", str(tmp_path)]) == 0
    assert "0x23000001  StringTable" in capsys.readouterr().out


def test_a_folder_without_any_file_is_still_refused(tmp_path):
    with pytest.raises(DatError, match="no portal file in this folder"):
        DatFiles.open(tmp_path, incomplete=True)


def test_an_incomplete_folder_is_no_world(tmp_path):
    write_folder(tmp_path)
    (tmp_path / FILES[1]).unlink()
    with pytest.raises(DatError, match="no cell file in this folder"):
        DatFiles.open(tmp_path)


def half(data):
    """The first half of a file, as a download that was cut leaves it."""
    return data[: len(data) // 2]


def zeroed(data):
    """A file that was made in its full size and filled from the front."""
    return half(data) + bytes(len(data) - len(half(data)))


@pytest.mark.parametrize(
    "cut", [half, zeroed, lambda data: data[:100], lambda data: b"", lambda data: b"GET /"]
)
def test_a_damaged_highres_file_is_passed_over_and_told_once(tmp_path, cut):
    for file in DEMO.glob("*.dat"):
        shutil.copy(file, tmp_path)
    (tmp_path / FILES[2]).write_bytes(cut(build_dat(MANY, DatKind.HIGHRES)))
    world = World(open_source(dats=tmp_path))
    block = world.load_block(0xA9B40000)
    sound = World(open_source(demo=DEMO)).load_block(0xA9B40000)
    assert block.env_cells.keys() == sound.env_cells.keys()
    assert len(block.buildings) == len(sound.buildings)
    for surface_id in range(0x06000001, 0x06000010):
        world.source.render_surface(surface_id)
    (line,) = world.problems.lines
    assert str(tmp_path / FILES[2]) in line
    assert line.endswith("this file is optional, what can't be read in it is passed over")
    assert "0x0D" not in line


def test_a_damaged_record_in_highres_gives_way_to_the_portals(tmp_path):
    write_folder(tmp_path)
    write_dat(tmp_path / FILES[2], {IMAGE.id: encode(IMAGE)[:-1]}, DatKind.HIGHRES)
    heard = []
    with DatFiles.open(tmp_path) as files:
        files.on_passed_over = heard.append
        for _ in range(3):
            assert files.get(IMAGE.id, RenderSurface) == IMAGE
    (error,) = heard
    assert error.file.endswith(FILES[2])


@pytest.mark.parametrize("kind", [DatKind.PORTAL, DatKind.CELL])
def test_damage_of_what_a_world_needs_is_still_an_error(tmp_path, kind):
    write_folder(tmp_path, highres=FILES[2])
    path = tmp_path / {DatKind.PORTAL: FILES[0], DatKind.CELL: FILES[1]}[kind]
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(DatError, match=path.name):
        DatFiles.open(tmp_path)


def test_a_damaged_highres_file_is_a_finding_and_named_when_listed(tmp_path, capsys):
    write_folder(tmp_path)
    (tmp_path / FILES[2]).write_bytes(b"GET /")
    with DatFiles.open(tmp_path, incomplete=True) as files:
        assert [f.file for f in check(files).findings if f.kind == "damaged"] == [str(tmp_path / FILES[2])]
        assert len(list(list_entries(files))) > 3
        assert show(files, GFX_OBJ.id)["type"] == "GfxObj"
        assert files.get(GFX_OBJ.id, GfxObj) == GFX_OBJ


OF_DATS = ("ls", "show 0x01000010", "show --all", "grep 0x08000001", "extract 0x01000010 --out {}")
OF_WORLDS = ("cell --at 0xA9B40171", "pvs --at 0xA9B40171")


@pytest.mark.parametrize("command", [*(f"dat {command}" for command in OF_DATS), *OF_WORLDS])
@pytest.mark.parametrize("broken", ["cut", "torn tree", "other file"])
def test_every_command_names_an_optional_file_that_cannot_be_read_once_and_does_without(
    tmp_path, capsys, command, broken
):
    folder = tmp_path / "dats"
    if command in OF_WORLDS:
        shutil.copytree(DEMO, folder)
    else:
        folder.mkdir()
        write_folder(folder)
    whole = build_dat(MANY, DatKind.HIGHRES)
    data = {"cut": b"GET /", "torn tree": zeroed(whole), "other file": (folder / FILES[0]).read_bytes()}
    (folder / FILES[2]).write_bytes(data[broken])
    words = command.format(tmp_path / "object.bin").split()
    assert main([*words, "--dats", str(folder)]) == 0
    out, err = capsys.readouterr()
    lines = [line for line in err.splitlines() if "moved" not in line]
    if broken != "torn tree" or "ls" in words or "--all" in words:  # else nothing may be looked for in it
        assert len(lines) == 1
    assert all(FILES[2] in line and line.endswith(OPTIONAL) for line in lines)
    assert len(lines) <= 1
    assert out or (tmp_path / "object.bin").stat().st_size > 0


def test_a_damaged_local_file_hinders_nobody(tmp_path):
    write_folder(tmp_path)
    (tmp_path / "client_local_English.dat").write_bytes(b"GET /")
    with DatFiles.open(tmp_path) as files:
        assert files.get(GFX_OBJ.id, GfxObj) == GFX_OBJ


def test_a_portal_file_under_the_name_of_highres_takes_nobodys_place(tmp_path):
    write_folder(tmp_path)
    shutil.copy(tmp_path / FILES[0], tmp_path / FILES[2])
    with DatFiles.open(tmp_path) as files:
        assert Path(files.portal.name).name == FILES[0] and files.highres is None
        (error,) = files.passed_over
        assert FILES[2] in str(error) and "header is that of a portal file" in str(error)


def test_an_audit_names_an_optional_file_that_cannot_be_opened(tmp_path, capsys):
    folder = shutil.copytree(DEMO, tmp_path / "dats")
    (folder / FILES[2]).write_bytes(b"GET /")
    assert main(["audit", "--landblock", "0x01070000", "--dats", str(folder)]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert FILES[2] in line and line.endswith(OPTIONAL)
