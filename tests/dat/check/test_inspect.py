"""What ``dat ls``, ``dat show`` and ``dat check`` say (promises 9)."""

import json

import pytest

from engine.dat.check.everything import check, look_at, parts
from engine.dat.check.listing import list_entries, show, show_all
from engine.dat.check.record_json import dumps, to_fields
from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError
from engine.dat.pieces.bsp_record import BspNode
from engine.dat.records.codecs import encode
from engine.dat.records.env_cell import CellPortal
from engine.dat.records.land_block_info import LandBlockInfo
from engine.dat.records.setup import NO_PARENT
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from tests.dat import sample_motions, sample_pieces, sample_places, samples
from tests.dat.small_world import CELL, CELLS, GFX_OBJ, INFO, PORTAL, SETUP, found, opened


def test_a_sound_world_has_no_findings(tmp_path):
    with opened(tmp_path) as files:
        report = check(files)
    assert report.findings == []
    assert report.ok
    assert report.objects == {
        "GfxObj": 1, "Setup": 1, "Surface": 2, "Environment": 1, "Iteration": 2, "LandBlock": 1,
        "LandBlockInfo": 1, "EnvCell": 2,
    }  # fmt: skip
    assert all(result["ok"] for result in report.results())
    json.dumps(report.results())


@pytest.mark.parametrize(
    ("object_id", "record", "kind", "detail"),
    [
        (0x01000010, encode(GFX_OBJ)[:-1], "damaged", "offset 0x"),
        (0x0B000000, b"", "unknown", "no type has this id in a portal file"),
        (0x01000010, GFX_OBJ._replace(surfaces=(0x08000001, 0x08000009)), "missing", "Surface 0x08000009"),
        (
            0x02000001,
            SETUP._replace(parts=(0x01000010, 0x02000001)),
            "wrong type",
            "0x02000001 is a Setup, not a GfxObj",
        ),
        (0x02000001, SETUP._replace(parents=(1, 0)), "cyclic", "descends from itself"),
        (0x02000001, SETUP._replace(parents=(NO_PARENT, 7)), "out of range", "part 1: parent 7"),
        (
            0x01000010,
            GFX_OBJ._replace(physics_polygons=(sample_pieces.FLOOR._replace(vertex_ids=(0, 1, 9, 3)),)),
            "out of range",
            "physics polygon 0: vertex 9",
        ),
        (
            0x01000010,
            GFX_OBJ._replace(surfaces=(0x08000001,)),
            "out of range",
            "polygon 1: surface slot 1",
        ),
        (
            0x01000010,
            GFX_OBJ._replace(physics_bsp=sample_pieces.leaf(1, 1, (4,))),
            "out of range",
            "physics tree: polygon 4 in a LEAF",
        ),
        (
            0x01000010,
            GFX_OBJ._replace(
                drawing_bsp=BspNode("Zzzz", sample_pieces.UP, sphere=sample_pieces.BALL, polys=())
            ),
            "inconsistent",
            "unknown tag Zzzz",
        ),
        (0x05000001, samples.RECORDS[9]._replace(textures=(0x06000077,)), "missing", "none of its images"),
        (0x09000001, sample_motions.MOTION_TABLE, "missing", "Animation 0x03000001"),
    ],
)
def test_portal_findings(*, tmp_path, object_id, record, kind, detail):
    assert detail in found(opened(tmp_path, {object_id: record}))[kind, object_id]


def test_of_one_object_so_many_findings_are_told_and_the_rest_counted(tmp_path, monkeypatch):
    """A landblock of 65,000 openings into nothing, by many names, was 5 GB of words."""
    monkeypatch.setattr("engine.dat.check.everything.MOST_OF_ONE", 3)
    surfaces = tuple(range(0x08000100, 0x08000110))
    files = opened(tmp_path, {0x01000010: GFX_OBJ._replace(surfaces=surfaces)})
    part = next(part for part in parts(files) if part.entries)
    found_in = [(kind, detail) for number, kind, detail in look_at(files, part)["found"] if number == 0]
    assert found_in[:3] == [("missing", f"Surface 0x{number:08X}") for number in surfaces[:3]]
    assert ("missing", "and 13 more in it") in found_in[3:]


def test_frames_past_an_animation_are_found(tmp_path):
    anims = (sample_motions.STRETCH._replace(high=2),)
    cycles = (sample_motions.MOTION_TABLE.cycles[0]._replace(anims=anims),)
    table = sample_motions.MOTION_TABLE._replace(cycles=cycles)
    files = opened(tmp_path, {0x09000001: table, 0x03000001: sample_motions.ANIMATION})
    assert "frames 0 to 2 of animation 0x03000001" in found(files)["out of range", 0x09000001]


@pytest.mark.parametrize(
    ("object_id", "record", "kind", "detail"),
    [
        (
            0x1234FFFF,
            sample_places.LAND_BLOCK._replace(has_objects=0),
            "inconsistent",
            "LandBlockInfo is there",
        ),
        (0x1234FFFE, INFO._replace(num_cells=3), "inconsistent", "3 cells announced, 2 stored"),
        (
            0x1234FFFE,
            INFO._replace(buildings=(INFO.buildings[0]._replace(portals=()),)),
            "out of range",
            "PORT nodes name portal 0",
        ),
        (
            0x12340100,
            CELLS[0]._replace(portals=(CellPortal(3, 1, 0xFFFF, -1),)),
            "inconsistent",
            "flags 3, other cell 0xFFFF",
        ),
        (0x12340100, CELLS[0]._replace(portals=(CellPortal(3, 1, 0x109, 0),)), "missing", "cell 0x12340109"),
        (
            0x12340100,
            CELLS[0]._replace(portals=(CellPortal(3, 1, 0x101, 0),)),
            "out of range",
            "portal 0 of cell 0x12340101",
        ),
        (0x12340100, CELLS[0]._replace(portals=()), "inconsistent", "portal polygons in order"),
        (0x12340100, CELLS[0]._replace(structure=7), "out of range", "structure 7"),
        (0x12340100, CELLS[0]._replace(surfaces=(1,)), "out of range", "surface slot 1"),
        (0x12340100, CELLS[0]._replace(visible=(0x155,)), "missing", "visible cell 0x12340155"),
    ],
)
def test_cell_findings(*, tmp_path, object_id, record, kind, detail):
    assert detail in found(opened(tmp_path, cell={object_id: record}))[kind, object_id]


def test_a_portal_that_a_buildings_model_names_in_many_parts_is_told_once(tmp_path):
    """A thousand buildings of five thousand parts, 60 kB, took 4 GB."""
    many = SETUP._replace(parts=SETUP.parts[:1] * 50, parents=None, scales=None, flags=0, placements=())
    bare = INFO._replace(buildings=(INFO.buildings[0]._replace(model=many.id, portals=()),))
    with opened(tmp_path, {many.id: many}, {INFO.id: bare}) as files:
        told = [one.detail for one in check(files).findings if one.object_id == INFO.id]
    assert len([detail for detail in told if "PORT nodes name portal 0" in detail]) == 1


def test_buildings_and_cells_without_their_landblock_are_a_finding(tmp_path):
    detail = found(opened(tmp_path, cell={0x1234FFFF: None}))
    assert detail["missing", 0x1234FFFE] == "LandBlock 0x1234FFFF: no ground for what stands on it"


def test_a_damaged_tree_is_a_finding(tmp_path):
    opened(tmp_path).close()
    path = tmp_path / "client_cell_1.dat"
    data = bytearray(path.read_bytes())
    with DatFiles.open(tmp_path) as files:
        root = files.cell.header.root
    data[root + 252 : root + 256] = b"\xff" * 4
    path.write_bytes(data)
    with DatFiles.open(tmp_path) as files:
        report = check(files)
    assert not report.ok
    assert any("a B-tree node with" in finding.detail for finding in report.findings)


def test_entries_are_listed_by_type(tmp_path):
    with opened(tmp_path) as files:
        assert [listed.entry.id for listed in list_entries(files, "EnvCell")] == [0x12340100, 0x12340101]
        assert [listed.entry.id for listed in list_entries(files, "Surface")] == [0x08000001, 0x08000002]
        assert {listed.type for listed in list_entries(files)} == {
            *(type(record).__name__ for record in (*PORTAL.values(), *CELL.values())), "Iteration",
        }  # fmt: skip


def test_an_object_is_shown_with_its_entry_and_fields(tmp_path):
    with opened(tmp_path) as files:
        shown = show(files, 0x08000002)
        assert list(shown) == ["file", "id", "type", "entry", "fields"]
        assert shown["file"].endswith("client_portal.dat")
        assert (shown["id"], shown["type"]) == ("0x08000002", "Surface")
        assert list(shown["entry"]) == ["flags", "version", "offset", "size", "date", "iteration"]
        assert shown["fields"] == {
            "type": 17, "color": 0, "translucency": 1.0, "luminosity": 0.0, "diffuse": 1.0,
        }  # fmt: skip
        assert show(files, 0x12340100)["type"] == "EnvCell"
        assert len(list(show_all(files))) == len(PORTAL) + len(CELL) + 2
        assert [item["id"] for item in show_all(files, "GfxObj")] == ["0x01000010"]
        with pytest.raises(DatError, match="object 0x12340155: no file has such an object"):
            show(files, 0x12340155)


def test_an_id_in_two_files_can_be_asked_for_by_type(tmp_path):
    cell = CELLS[0]._replace(id=0x01000110)
    gfx_obj = GFX_OBJ._replace(id=0x01000110)
    with opened(tmp_path, {gfx_obj.id: gfx_obj}, {cell.id: cell}) as files:
        assert show(files, 0x01000110)["type"] == "GfxObj"
        assert show(files, 0x01000110, "EnvCell")["type"] == "EnvCell"


def test_fields_hold_only_what_json_knows():
    for record in samples.RECORDS:
        assert json.loads(json.dumps(to_fields(record), allow_nan=False)) == to_fields(record)
    odd = Surface(
        type=1,
        texture=None,
        palette=None,
        color=0,
        translucency=float("nan"),
        luminosity=float("inf"),
        diffuse=float("-inf"),
    )
    assert list(to_fields(odd).values())[2:] == ["nan", "inf", "-inf"]


def test_counts_that_repeat_a_length_are_shown_in_their_place():
    assert list(to_fields(sample_places.ENV_CELL))[:6] == [
        "id", "flags", "id_again", "num_surfaces", "num_portals", "num_visible",
    ]  # fmt: skip
    shown = to_fields(LandBlockInfo(0x1234FFFE, 0))
    assert list(shown) == ["id", "num_cells", "objects", "num_buildings", "mask", "buildings"]


def test_a_deep_tree_is_shown_without_recursion():
    root = BspNode("BPFL", sample_pieces.UP)
    for _ in range(3000):
        root = BspNode("BPnn", sample_pieces.UP, root)
    cell = sample_places.ENVIRONMENT.cells[0]._replace(cell_bsp=root)
    shown = to_fields(sample_places.ENVIRONMENT._replace(cells=(cell,)))["cells"][0]["cell_bsp"]
    assert dumps(shown).count('"pos_child"') == 3000
    depth = 0
    while "pos_child" in shown:
        shown, depth = shown["pos_child"], depth + 1
    assert depth == 3000


@pytest.mark.parametrize("record", samples.RECORDS, ids=samples.name_of)
def test_json_text_is_that_of_the_library(record):
    document = {"empty": {}, "none": [], "nested": [[], [1, "é"], {}], "fields": to_fields(record)}
    assert dumps(document) == json.dumps(document)


def test_what_is_damaged_is_passed_over_where_that_is_asked_for(tmp_path):
    """One leaf of two cannot be read: the other's entries and the damage are told all the same."""
    images = {0x05000000 + number: SurfaceTexture(0x05000000 + number, 0, 2, (1,)) for number in range(70)}
    images[0x05000003] = b"short"
    opened(tmp_path, images).close()
    path = tmp_path / "client_portal.dat"
    data = bytearray(path.read_bytes())
    with DatFiles.open(tmp_path) as files:
        every = [listed.entry.id for listed in list_entries(files)]
        leaf = files.portal.tree.node(files.portal.header.root).children[1]
        lost = set(files.portal.tree.node(leaf).ids)
    data[leaf + 252 : leaf + 256] = b"\xff" * 4
    path.write_bytes(data)
    with DatFiles.open(tmp_path) as files:
        told = []
        left = [listed.entry.id for listed in list_entries(files, skipped=told.append)]
        assert set(left) == set(every) - lost | {0xFFFF0001}
        assert [error.reason for error in told] == ["a B-tree node with 4294967295 entries"]
        assert len(list(show_all(files, skipped=told.append))) == len(left) - 1
        assert [error.object_id for error in told[1:]] == [0x05000003, None]
        with pytest.raises(DatError):
            list(show_all(files))
        report = check(files)
    assert report.counts["damaged"] >= 2
    assert report.objects["EnvCell"] == 2
