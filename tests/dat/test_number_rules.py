"""Every number of every record has a rule, and what loading refuses ``dat check`` finds."""

import math

import pytest

from engine.dat.number_rules import FARTHEST, all_sound, faults, place_fault, sphere_fault
from engine.dat.values import Sphere
from engine.world.loading.world import World
from engine.world.source import WorldSource
from tests.dat import sample_motions, sample_places, samples
from tests.dat.bad_numbers import BAD, planted
from tests.dat.small_world import found, opened
from tests.replay.audit.audit_world import house
from tests.world.world_records import BLOCK


@pytest.mark.parametrize("number", BAD, ids=str)
@pytest.mark.parametrize("record", samples.RECORDS, ids=samples.name_of)
def test_every_float_of_every_record_has_a_rule(record, number):
    assert list(faults(record)) == []
    for where, changed in planted(record, number):
        unset = ".drawing_bsp.neg_child.pos_child.pos_child.plane" in where
        last_level = type(record).__name__ == "GfxObjDegradeInfo" and math.isfinite(number)
        assert bool(list(faults(changed))) != (unset or last_level), where


def test_the_samples_have_floats_of_every_kind():
    floats = {samples.name_of(record): len(list(planted(record, 1.0))) for record in samples.RECORDS}
    assert sum(count > 0 for count in floats.values()) >= 12
    assert sum(floats.values()) > 400


def places_of(source: WorldSource):
    """The records of a source as (where it is kept, key, record)."""
    for kept in (source.cells, source.environments, source.models):  # type: ignore[attr-defined]
        for key, record in kept.items():
            yield kept, key, record


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("number", [math.nan, 1e30], ids=str)
def test_what_loading_refuses_the_check_finds(number):
    """One float after the other of a house's cells, rooms and shell; loading goes on without a warning."""
    refused = 0
    source = house().source
    for kept, key, record in places_of(source):
        for where, changed in planted(record, number):
            kept[key] = changed
            world = World(source)
            assert world.load_block(BLOCK) is not None
            if world.problems.lines:
                refused += 1
                assert list(faults(changed)), (where, world.problems.lines)
        kept[key] = record
    assert refused > 200


PORTAL_FAULTS = [
    (sample_places.GFX_OBJ._replace(sort_center=(0.0, math.nan, 0.0)), "sort_center is not finite"),
    (sample_motions.SETUP._replace(height=1e30), "height is over 1000000 m"),
]


@pytest.mark.parametrize(("record", "says"), PORTAL_FAULTS, ids=["GfxObj", "Setup"])
def test_the_check_names_the_number(tmp_path, record, says):
    detail = found(opened(tmp_path, portal={record.id: record}))
    assert detail["bad number", record.id] == says


def test_a_damaged_list_is_one_finding(tmp_path):
    vertices = tuple(
        vertex._replace(pos=(math.nan, 0.0, 0.0)) for vertex in sample_places.GFX_OBJ.vertex_array.vertices
    )
    array = sample_places.GFX_OBJ.vertex_array._replace(vertices=vertices)
    record = sample_places.GFX_OBJ._replace(vertex_array=array)
    detail = found(opened(tmp_path, portal={record.id: record}))
    assert detail["bad number", record.id] == (
        "vertex_array.vertices[0].pos is not finite, vertex_array.vertices[1].pos is not finite, "
        f"vertex_array.vertices[2].pos is not finite and {len(vertices) - 3} more"
    )


@pytest.mark.parametrize("number", BAD, ids=str)
@pytest.mark.parametrize("axis", range(3))
def test_one_look_at_many_places_finds_what_a_look_at_each_finds(number, axis):
    sound = [(1.0, -2.0, FARTHEST), (0.0, -FARTHEST, 0.0)]
    numbers = [0.0, 0.0, 0.0]
    numbers[axis] = number
    x, y, z = numbers
    place = (x, y, z)
    assert all_sound(sound)
    assert all_sound([])
    assert place_fault(place) is not None
    for at in range(3):
        assert not all_sound([*sound[:at], place, *sound[at:]])
    assert not all_sound([(math.inf, 0.0, 0.0), (-math.inf, 0.0, 0.0)])


@pytest.mark.parametrize("number", [*BAD, 1.001 * FARTHEST], ids=str)
def test_a_sphere_is_sound_where_each_of_its_numbers_is(number):
    far = FARTHEST
    assert sphere_fault(Sphere((far, far, -far), far)) is None
    assert place_fault((far, far, -far)) is None
    for at in range(4):
        x, y, z, radius = (number if k == at else 1.0 for k in range(4))
        assert sphere_fault(Sphere((x, y, z), radius)) is not None
