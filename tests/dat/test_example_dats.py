"""The example dats read as two independent readers read them, and are written back to the byte."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from engine.dat.check.listing import show_all
from engine.dat.check.record_json import to_fields
from engine.dat.container import building as build
from engine.dat.container.btree import DatEntry
from engine.dat.container.dat_file import DatFile
from engine.dat.container.installation import DatFiles
from engine.dat.object_types import DatKind, type_of
from engine.dat.records.codecs import CODECS, decode, encode
from engine.dat.records.palette import Palette
from engine.dat.records.pixels import decode_pixels
from engine.dat.records.render_surface import BLOCK_BYTES, RenderSurface
from tests.needed import needs

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "examples" / "dats"
pytestmark = [
    pytest.mark.shared,
    needs(FOLDER.is_dir(), "no example dats beside the project"),
]
KINDS = {"portal": DatKind.PORTAL, "cell": DatKind.CELL}


@pytest.fixture(scope="module")
def expected():
    return json.loads((FOLDER / "EXPECTED.json").read_text())


@pytest.fixture(params=list(KINDS))
def dat(request, expected):
    with DatFile.open(FOLDER / f"{request.param}.dat") as file:
        yield file, expected[request.param], KINDS[request.param]


def test_header_and_tree(dat):
    file, wanted, kind = dat
    assert file.kind is kind
    header = {name: getattr(file.header, name) for name in wanted["header"]}
    assert header | {"major_version": file.header.major_version.hex()} == wanted["header"]
    levels = [
        {"level": level.level, "nodes": level.nodes, "entries": level.entries} for level in file.levels()
    ]
    assert levels == wanted["tree"]


def test_entries_and_bytes(dat):
    file, wanted, kind = dat
    entries = list(file.entries())
    assert [f"{entry.id:08X}" for entry in entries] == list(wanted["records"])
    for entry in entries:
        record = wanted["records"][f"{entry.id:08X}"]
        assert file.entry(entry.id) == entry
        assert type_of(entry.id, kind) == record["type"]
        stored = [entry.flags, entry.version, entry.offset, entry.size, entry.date, entry.iteration]
        assert stored == record["entry"]
        assert hashlib.sha1(file.read_entry(entry)).hexdigest()[:16] == record["sha1"]


def test_every_record_has_the_expected_fields_in_order_and_is_written_back(dat):
    file, wanted, _ = dat
    for object_id, record in wanted["records"].items():
        data = file.read(int(object_id, 16))
        decoded = decode(record["type"], data, file.name, int(object_id, 16))
        assert json.dumps(to_fields(decoded)) == json.dumps(record["fields"]), object_id
        assert encode(decoded) == data, object_id


OF_THE_DEMO_ALONE = {"ParticleEmitter", "PhysicsScriptTable"}


def test_the_examples_hold_every_type_that_has_a_codec(expected):
    types = {record["type"] for file in expected.values() for record in file["records"].values()}
    assert types == set(CODECS) - OF_THE_DEMO_ALONE


def test_the_container_is_written_back(dat, monkeypatch):
    file, _, kind = dat
    dates = {entry.id: entry.date for entry in file.entries()}

    def dated(**values):
        entry = DatEntry(**values)
        return entry._replace(date=dates[entry.id])

    monkeypatch.setattr(build, "DatEntry", dated)
    rebuilt = build.build_dat({entry.id: file.read_entry(entry) for entry in file.entries()}, kind)
    assert rebuilt == Path(file.name).read_bytes()


def test_pixels(expected):
    with DatFiles.open(FOLDER) as files:
        seen = 0
        for object_id, record in expected["portal"]["records"].items():
            if "rgba" not in record:
                continue
            surface = files.get(int(object_id, 16), RenderSurface)
            palette = files.get(surface.palette, Palette) if surface.palette else None
            image = decode_pixels(surface, palette)
            wanted = np.frombuffer(bytes.fromhex(record["rgba"]), np.uint8).reshape(image.shape)
            off = np.abs(image.astype(int) - wanted.astype(int)).max()
            assert off <= (1 if surface.format in BLOCK_BYTES else 0), object_id
            seen += 1
        assert seen == 5


def test_show_all_prints_the_expected_fields(expected):
    with DatFiles.open(FOLDER) as files:
        shown = list(show_all(files))
    assert len(shown) == sum(len(file["records"]) for file in expected.values())
    for item in shown:
        record = expected[Path(item["file"]).stem]["records"][item["id"][2:]]
        assert item["type"] == record["type"]
        assert list(item["entry"].values()) == record["entry"]
        assert item["fields"] == record["fields"]
