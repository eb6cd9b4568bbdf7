"""A folder of dats as one store of decoded records."""

import tracemalloc
from threading import Thread

import pytest

from engine.dat.check.listing import find
from engine.dat.container import installation as dat_files
from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError
from engine.dat.object_types import ITERATION_ID, DatKind
from engine.dat.records.codecs import decode, encode
from engine.dat.records.env_cell import EnvCell
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.palette import Palette
from engine.dat.records.render_surface import RenderSurface
from engine.dat.records.setup import Setup
from tests.dat.container.dat_folders import FINE, IMAGE, packed, write_folder
from tests.dat.sample_motions import SETUP
from tests.dat.sample_places import ENV_CELL, GFX_OBJ
from tests.dat_writing import write_dat


@pytest.mark.parametrize(
    "names",
    [
        {},
        {"highres": "client_highres.dat"},
        {"portal": "portal.dat", "cell": "cell.dat"},
        {"portal": "a.DAT", "cell": "b.dat", "highres": "c.dat"},
        {"portal": "client_cell_1.dat", "cell": "client_portal.dat"},
    ],
)
def test_files_are_told_apart_by_their_headers(tmp_path, names):
    with DatFiles.open(write_folder(tmp_path, **names)) as files:
        assert files.portal.kind is DatKind.PORTAL
        assert files.cell.kind is DatKind.CELL
        assert (files.highres is not None) == ("highres" in names)
        assert files.get(0x12340100, EnvCell) == ENV_CELL
        assert files.get(0x01000010, GfxObj) == GFX_OBJ


@pytest.mark.parametrize("incomplete", [False, True])
@pytest.mark.parametrize(("over", "of"), [("client_cell_1", "portal"), ("client_portal", "cell")])
def test_a_file_that_was_copied_over_that_of_another_kind_is_named(tmp_path, over, of, *, incomplete):
    """A check said that nothing was wrong, and that there was no cell file."""
    write_folder(tmp_path)
    names = {"portal": "client_portal.dat", "cell": "client_cell_1.dat"}
    (tmp_path / f"{over}.dat").write_bytes((tmp_path / names[of]).read_bytes())
    with pytest.raises(DatError, match=rf"{over}\.dat: its header is that of a {of} file, and there is"):
        DatFiles.open(tmp_path, incomplete=incomplete)


def test_highres_comes_before_portal_for_images(tmp_path):
    with DatFiles.open(write_folder(tmp_path, highres="client_highres.dat")) as files:
        assert files.get(0x06000001, RenderSurface).data == b"\2"
    (tmp_path / "client_highres.dat").unlink()
    with DatFiles.open(tmp_path) as files:
        assert files.get(0x06000001, RenderSurface).data == b"\1"


def test_what_is_not_there_is_none(tmp_path):
    with DatFiles.open(write_folder(tmp_path)) as files:
        assert files.get(0x01000011, GfxObj) is None
        assert files.get(0x12340101, EnvCell) is None
        assert files.get(0x04000001, Palette) is None


def test_an_id_of_another_type_is_refused(tmp_path):
    refused = pytest.raises(DatError, match="0x01000010: the id of a GfxObj, not of a Setup")
    with DatFiles.open(write_folder(tmp_path)) as files, refused:
        files.get(0x01000010, Setup)


def test_a_damaged_record_names_file_id_and_offset(tmp_path):
    write_folder(tmp_path)
    write_dat(tmp_path / "client_portal.dat", {0x01000010: encode(GFX_OBJ)[:-1]}, DatKind.PORTAL)
    refused = pytest.raises(DatError, match=r"client_portal\.dat, object 0x01000010, offset 0x")
    with DatFiles.open(tmp_path) as files, refused:
        files.get(0x01000010, GfxObj)


def test_records_are_kept_within_the_budget(tmp_path, monkeypatch):
    with DatFiles.open(write_folder(tmp_path)) as files:
        gfx_obj = files.get(0x01000010, GfxObj)
        assert files.get(0x01000010, GfxObj) is gfx_obj
        monkeypatch.setattr(dat_files, "CACHE_BYTES", 3600)
        files.get(0x02000001, Setup)
        again = files.get(0x01000010, GfxObj)
        assert again == gfx_obj
        assert again is not gfx_obj


def test_reading_from_several_threads(tmp_path):
    out = []
    with DatFiles.open(write_folder(tmp_path)) as files:
        threads = [
            Thread(target=lambda: out.extend(files.get(0x01000010, GfxObj) for _ in range(50)))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert out == [GFX_OBJ] * 200


def test_folders_that_will_not_do_are_said_in_one_line(tmp_path):
    with pytest.raises(DatError, match="there is no such folder"):
        DatFiles.open(tmp_path / "none")
    (tmp_path / "file.txt").write_text("hello")
    with pytest.raises(DatError, match="this is no folder; name the one it lies in"):
        DatFiles.open(tmp_path / "file.txt")
    with pytest.raises(DatError, match=r"no portal file in this folder \(client_portal\.dat\)"):
        DatFiles.open(tmp_path)
    write_dat(tmp_path / "client_portal.dat", {}, DatKind.PORTAL)
    with pytest.raises(DatError, match=r"no cell file in this folder \(client_cell_1\.dat\)"):
        DatFiles.open(tmp_path)
    (tmp_path / "client_cell_1.dat").write_bytes(bytes(2000))
    with pytest.raises(DatError, match=r"client_cell_1\.dat.*no dat file"):
        DatFiles.open(tmp_path)


def test_other_files_are_passed_over_and_copies_beside_the_client_files_too(tmp_path):
    write_folder(tmp_path)
    (tmp_path / "notes.dat").write_bytes(b"hello")
    (tmp_path / "readme.txt").write_text("hello")
    write_dat(tmp_path / "backup.dat", {}, DatKind.PORTAL)
    write_dat(tmp_path / "client_local_English.dat", {}, DatKind.LOCAL)
    with DatFiles.open(tmp_path) as files:
        assert files.get(0x01000010, GfxObj) == GFX_OBJ


def test_two_of_a_kind_under_other_names_are_refused(tmp_path):
    write_folder(tmp_path, portal="a.dat", cell="b.dat")
    write_dat(tmp_path / "c.dat", {}, DatKind.PORTAL)
    with pytest.raises(DatError, match=r"c\.dat: another portal file beside .*a\.dat"):
        DatFiles.open(tmp_path)


def test_any_portal_id_is_looked_for_in_highres_first(tmp_path):
    finer = SETUP._replace(height=9.0)
    write_folder(tmp_path)
    write_dat(tmp_path / "client_highres.dat", packed(finer), DatKind.HIGHRES)
    with DatFiles.open(tmp_path) as files:
        assert files.get(SETUP.id, Setup).height == 9.0
        assert find(files, SETUP.id).file is files.highres
        assert find(files, ITERATION_ID).file is files.portal


def test_a_portal_file_serves_what_highres_lacks(tmp_path):
    write_folder(tmp_path)
    write_dat(tmp_path / "client_highres.dat", packed(FINE._replace(id=0x06000002)), DatKind.HIGHRES)
    with DatFiles.open(tmp_path) as files:
        assert files.get(0x06000001, RenderSurface).data == b"\1"
        assert files.get(0x06000002, RenderSurface).data == b"\2"
        assert files.get(0x06000003, RenderSurface) is None


def test_the_budget_counts_what_decoded_records_take(tmp_path):
    """A record is charged at least a third and at most three times of the memory it takes."""
    for record in (GFX_OBJ, SETUP, ENV_CELL, IMAGE._replace(width=100, height=100, data=bytes(10000))):
        name, data = type(record).__name__, encode(record)
        charged = len(data) * (1 if name == "RenderSurface" else dat_files.EXPANSION)
        decode(name, data)
        tracemalloc.start()
        kept = [decode(name, bytes(bytearray(data))) for _ in range(20)]
        taken = tracemalloc.get_traced_memory()[0] / len(kept)
        tracemalloc.stop()
        assert charged / 3 < taken < charged * 3, name
