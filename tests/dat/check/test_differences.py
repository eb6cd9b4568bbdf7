"""What differs between two dats and between two records, and which records name an id (promises 9)."""

import json
import struct
import tracemalloc

import pytest

from engine.dat.check.differences import (
    CHANGED,
    LETTERS_A_BYTE,
    ONLY_A,
    ONLY_B,
    UNKNOWN,
    Differences,
)
from engine.dat.check.field_differences import (
    NOTHING,
    field_differences,
    first_difference,
)
from engine.dat.check.record_json import to_fields
from engine.dat.check.references import mentions
from engine.dat.check.searching import search
from engine.dat.container.btree import BRANCHES
from engine.dat.container.building import build_dat
from engine.dat.container.dat_file import DatFile
from engine.dat.container.installation import DatFiles
from engine.dat.object_types import DatKind, type_of
from engine.dat.records.codecs import decode, encode
from engine.dat.records.palette import Palette
from tests.dat import sample_places, samples
from tests.dat.small_world import CELL, PORTAL
from tests.dat_writing import write_dat
from tests.places import DEMO


def fields(a, b):
    return [tuple(item) for item in field_differences(to_fields(a), to_fields(b))]


def test_a_changed_number_is_one_field_by_its_path():
    cell = sample_places.ENV_CELL
    portals = (cell.portals[0]._replace(other_portal=7), *cell.portals[1:])
    before = cell.portals[0].other_portal
    assert fields(cell, cell._replace(portals=portals)) == [("portals[0].other_portal", before, 7)]


def test_an_item_put_into_a_list_is_one_difference_and_not_a_shift_of_all_after_it():
    a = {"parts": [{"id": n} for n in range(6)]}
    b = {"parts": [{"id": n} for n in (0, 1, 2, 99, 3, 4, 5)]}
    assert list(field_differences(a, b)) == [("parts[3]", NOTHING, {"id": 99})]
    assert list(field_differences(b, a)) == [("parts[3]", {"id": 99}, NOTHING)]
    assert list(field_differences({"v": [1, 1]}, {"v": [1, 1, 1]})) == [("v[2]", NOTHING, 1)]


def test_a_field_that_only_one_has_is_nothing_in_the_other():
    assert list(field_differences({"a": 1}, {"a": 1, "b": None})) == [("b", NOTHING, None)]
    assert list(field_differences({"x": 1}, {"x": 1.0})) == [("x", 1, 1.0)]


def test_trees_deeper_than_any_recursion_are_compared():
    def deep(last):
        tree = {"leaf": last}
        for _ in range(20_000):
            tree = {"pos": tree}
        return tree

    found = list(field_differences(deep(1), deep(2)))
    assert [(item.a, item.b) for item in found] == [(1, 2)]
    found = list(field_differences({"t": [deep(1), 5]}, {"t": [deep(1), 4, 5]}))
    assert found == [("t[1]", NOTHING, 4)]


@pytest.mark.parametrize(
    ("a", "b", "at"), [(b"abc", b"abd", 2), (b"abc", b"abcd", 3), (b"", b"x", 0), (b"xa", b"ya", 0)]
)
def test_the_first_byte_that_differs_is_found(a, b, at):
    assert first_difference(a, b) == at
    assert first_difference(b, a) == at


def compared(a, b, **options):
    told = []
    differences = Differences(a, b, told.append, **options)
    return list(differences.found()), differences.counts, told


def dat(records, kind=DatKind.PORTAL):
    data = {key: r if isinstance(r, bytes) else encode(r) for key, r in records.items()}
    return DatFile(build_dat(data, kind), "made.dat")


def palette(number, color=0xFF000000):
    return Palette(number, (color,))


def test_objects_of_one_side_and_changed_ones_are_told_and_the_rest_is_not():
    ids = [0x04000000 + n for n in range(5)]
    a = dat({key: palette(key) for key in ids[:4]})
    b = dat({key: palette(key, 0xFF0000FF if key == ids[2] else 0xFF000000) for key in ids[1:]})
    found, counts, told = compared(a, b)
    assert [(d.id, d.change) for d in found if d.type == "Palette"] == [
        (ids[0], ONLY_A),
        (ids[2], CHANGED),
        (ids[4], ONLY_B),
    ]
    assert [tuple(item) for item in found[1].fields] == [("colors[0]", 0xFF000000, 0xFF0000FF)]
    assert (counts[CHANGED], counts[ONLY_A], counts[ONLY_B], counts[UNKNOWN], told) == (1, 1, 1, 0, [])


def test_objects_that_are_not_decoded_are_compared_by_their_bytes():
    found, _, _ = compared(dat({0x0A000001: b"RIFF1234"}), dat({0x0A000001: b"RIFF12x4"}))
    assert [(d.type, d.change, d.fields, d.byte) for d in found] == [("Wave", CHANGED, (), 6)]


def test_a_record_that_is_damaged_on_one_side_is_changed_and_told():
    good = encode(palette(0x04000001))
    found, _, told = compared(dat({0x04000001: good}), dat({0x04000001: good[:-2]}))
    assert [(d.change, d.fields, d.byte) for d in found] == [(CHANGED, (), len(good) - 2)]
    assert [error.object_id for error in told] == [0x04000001]


def test_of_ids_in_a_damaged_part_of_a_directory_nothing_is_claimed():
    ids = [0x04000000 + n for n in range(400)]
    whole = build_dat({key: encode(palette(key)) for key in ids}, DatKind.PORTAL)
    a = DatFile(whole, "a.dat")
    root = a.tree.node(a.header.root)
    damaged = bytearray(whole)
    struct.pack_into("<I", damaged, root.children[1] + 4 + 4 * BRANCHES, 5000)
    b = DatFile(bytes(damaged), "b.dat")
    lost = [key for key in ids if root.ids[0] < key < root.ids[1]]
    for one, other in ((a, b), (b, a)):
        found, counts, told = compared(one, other)
        assert found == []
        assert counts == {UNKNOWN: len(lost)}
        assert len(told) == 1
    assert len(lost) > 10


def test_entries_are_compared_only_where_asked():
    data = build_dat({0x04000001: encode(palette(0x04000001))}, DatKind.PORTAL)
    a = DatFile(data, "a.dat")
    entry = a.entry(0x04000001)
    patched = bytearray(data)
    at = data.index(struct.pack("<III", entry.id, entry.offset, entry.size)) - 4
    struct.pack_into("<I", patched, at + 20, 42)
    b = DatFile(bytes(patched), "b.dat")
    assert compared(a, b)[0] == []
    [found] = compared(a, b, entries=True)[0]
    assert [tuple(item) for item in found.entry] == [("iteration", entry.iteration, 42)]
    assert (found.fields, found.byte) == ((), None)


def test_differences_come_one_by_one_whatever_the_size():
    records = {0x04000000 + n: encode(Palette(0x04000000 + n, (n,) * 2048)) for n in range(100)}
    other = {key: data[:-4] + b"\1\2\3\4" for key, data in records.items()}
    a, b = (DatFile(build_dat(part, DatKind.PORTAL), "made.dat") for part in (records, other))
    tracemalloc.start()
    try:
        count = sum(1 for _ in Differences(a, b, lambda _: None).found())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 100
    assert peak < 1_500_000


def at_path(value, path):
    for part in path.replace("[", ".[").split("."):
        value = value[int(part[1:-1])] if part.startswith("[") else value[part]
    return value


def leaves(value, path=""):
    if isinstance(value, dict):
        for name, item in value.items():
            yield from leaves(item, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from leaves(item, f"{path}[{number}]")
    else:
        yield path, value


@pytest.mark.parametrize("record", samples.RECORDS, ids=samples.name_of)
def test_every_mention_stands_in_the_field_that_it_names(record):
    shown = to_fields(record)
    for reference in mentions(record):
        if reference.id:
            assert at_path(shown, reference.at) & 0xFFFF == reference.id & 0xFFFF, reference


def test_no_field_that_holds_the_id_of_a_stored_object_is_passed_over():
    """Over the whole demo: a number that is an object's id is a mention, but the record's own id."""
    own = ("id", "id_again")
    found = 0
    with DatFiles.open(DEMO) as files:
        known = {e.id for file in files.files() for e in file.entries() if e.id >= 0x01000000}
        for file in files.files():
            for entry in file.entries():
                record = decode(type_of(entry.id, file.kind), file.read_entry(entry), file.name, entry.id)
                named = {reference.at for reference in mentions(record)}
                for path, value in leaves(to_fields(record)):
                    if isinstance(value, int) and value in known and path not in own:
                        assert path in named, (hex(entry.id), path, hex(value))
                        found += 1
    assert found > 700


def write_world(folder, portal):
    for name, kind, records in (
        ("client_portal.dat", DatKind.PORTAL, PORTAL | portal),
        ("client_cell_1.dat", DatKind.CELL, CELL),
    ):
        data = {key: r if isinstance(r, bytes) else encode(r) for key, r in records.items()}
        write_dat(folder / name, data, kind)


def test_search_finds_full_ids_low_words_and_bytes_of_what_is_not_decoded(tmp_path):
    write_world(tmp_path, {0x10000001: struct.pack("<III", 0x10000001, 7, 0x01000010)})
    told = []
    with DatFiles.open(tmp_path) as files:

        def found(wanted):
            return [(m.listed.entry.id, m.at, m.bytes) for m in search(files, {wanted}, None, told.append)]

        assert (0x02000001, ("parts[0]",), ()) in [(i, a[:1], b) for i, a, b in found(0x01000010)]
        assert (0x10000001, (), (8,)) in found(0x01000010)
        assert found(0x10000001) == []
        assert (0x12340100, ("visible[0]",), ()) in found(0x12340101)
        assert [i for i, _, _ in found(0x0D000001)] == [0x12340100, 0x12340101]
        assert (0x12340101, ("surfaces[0]",), ()) in found(0x08000001)
        assert found(0) == []
    assert told == []


def test_the_plain_values_of_a_difference_are_json():
    [item] = field_differences({"x": [1]}, {"x": [2]})
    assert json.loads(json.dumps([item.at, item.a, item.b])) == ["x[0]", 1, 2]


def of_one_tree(depth, value):
    """An Environment whose cell's tree has so many nodes, each below the one before."""
    first, *rest = sample_places.ENVIRONMENT.cells
    tree = first.cell_bsp
    for _ in range(depth):
        tree = first.cell_bsp._replace(plane=first.cell_bsp.plane._replace(d=value), pos_child=tree)
    return sample_places.ENVIRONMENT._replace(cells=(first._replace(cell_bsp=tree), *rest))


def test_of_very_many_fields_with_long_paths_the_first_are_kept_and_how_many_more_is_said(monkeypatch):
    """Thirteen trees four thousand deep took four gigabytes; one of 83 kB was printed as 321 MB."""
    a, b = (dat({sample_places.ENVIRONMENT.id: of_one_tree(9, value)}) for value in (0.0, 1.0))
    [whole] = compared(a, b)[0]
    assert (len(whole.fields), whole.left_out) == (9, 0)
    letters = [len(item.at) for item in whole.fields]
    monkeypatch.setattr("engine.dat.check.differences.MOST_LETTERS", sum(letters[:4]))
    [some] = compared(a, b)[0]
    assert (some.fields, some.left_out) == (whole.fields[:4], 5)


def test_paths_take_letters_by_the_size_of_their_record():
    a, b = (dat({sample_places.ENVIRONMENT.id: of_one_tree(900, value)}) for value in (0.0, 1.0))
    [found] = compared(a, b)[0]
    assert len(found.fields) + found.left_out == 900
    assert found.left_out
    size = a.entry(sample_places.ENVIRONMENT.id).size
    assert sum(len(item.at) for item in found.fields) <= LETTERS_A_BYTE * size
