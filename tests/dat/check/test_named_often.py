"""``dat check`` decodes a record that no cache can hold once for many that name it, and says the same."""

from collections import Counter

import pytest

from engine.dat.check.facts import Facts
from engine.dat.container import installation
from engine.dat.records.codecs import decode, encode
from tests.dat.sample_motions import ANIMATION, MOTION_TABLE, STRETCH
from tests.dat.sample_places import ENVIRONMENT
from tests.dat.small_world import CELLS, GFX_OBJ, INFO, SETUP, found, opened

TIMES = 6
SECOND = 0x01000011, 0x03000002, 0x0D000002


@pytest.fixture
def read(monkeypatch):
    """How often each record was decoded for another's sake, with next to no cache."""
    counts = Counter()

    def counted(name, data, file, object_id):
        counts[object_id] += 1
        return decode(name, data, file, object_id)

    monkeypatch.setattr(installation, "CACHE_BYTES", 1)
    monkeypatch.setattr(installation, "LARGE_BYTES", 1)
    monkeypatch.setattr(installation, "decode", counted)
    return counts


def in_turn(folder, *, broken=False):
    """Two animations, models and Environments, each named in turn with the other."""
    gfx_obj, animation, environment = SECOND
    stretches = (STRETCH, STRETCH._replace(id=animation, high=7)) * TIMES
    portal = {
        0x09000001: MOTION_TABLE._replace(cycles=(MOTION_TABLE.cycles[0]._replace(anims=stretches),)),
        0x03000001: ANIMATION,
        animation: ANIMATION._replace(id=animation),
        gfx_obj: GFX_OBJ._replace(id=gfx_obj),
        0x02000001: SETUP._replace(flags=0, parts=(0x01000010, gfx_obj) * TIMES, parents=None, scales=None,
                                   placements=()),
        environment: ENVIRONMENT._replace(
            id=environment, cells=tuple(cell._replace(key=1 - cell.key) for cell in ENVIRONMENT.cells)
        ),
    }  # fmt: skip
    if broken:
        return opened(folder, portal | {key: encode(portal[key])[:-1] for key in SECOND}, _cells())
    return opened(folder, portal, _cells())


def _cells():
    cells = {
        0x12340100 + n: CELLS[1]._replace(id=0x12340100 + n, environment=1 + n % 2) for n in range(2 * TIMES)
    }
    info = INFO._replace(num_cells=2 * TIMES, buildings=INFO.buildings * 2)
    return cells | {info.id: info}


def test_records_named_in_turn_are_decoded_once(tmp_path, read):
    kinds = found(in_turn(tmp_path))
    assert [read[key] for key in (0x01000010, 0x03000001, 0x0D000001, *SECOND)] == [1] * 6
    assert kinds["out of range", 0x09000001] == "frames 0 to 7 of animation 0x03000002, of 2"
    assert "don't name the structure's portal polygons" in kinds["inconsistent", 0x12340101]
    assert ("inconsistent", 0x12340102) not in kinds


def test_what_is_damaged_is_found_damaged_once(tmp_path, read):
    kinds = found(in_turn(tmp_path, broken=True))
    assert [read[key] for key in SECOND] == [1] * 3
    assert ("out of range", 0x09000001) not in kinds
    assert ("inconsistent", 0x12340101) not in kinds
    assert [kinds["damaged", key][:6] for key in SECOND] == ["offset"] * 3


def test_no_more_is_kept_than_may_be(tmp_path, read, monkeypatch):
    monkeypatch.setattr("engine.dat.check.facts.MOST_KEPT", 1)
    with in_turn(tmp_path) as files:
        facts = Facts(files)
        assert [facts.frames(0x03000001 + n % 2) for n in (0, 0, 1, 1, 0)] == [2] * 5
        assert (read[0x03000001], read[0x03000002]) == (2, 1)
        assert facts.frames(0x03000003) is None


def test_of_structures_with_one_key_that_at_its_place_is_taken(tmp_path):
    first, second = ENVIRONMENT.cells
    twice = ENVIRONMENT._replace(cells=(first._replace(key=1), second, first._replace(key=1)))
    with opened(tmp_path, {twice.id: twice}) as files:
        known = Facts(files).structures(twice.id)
    assert known is not None and known[1].portals == twice.cell(1).portals == second.portals
