"""Bytes packed by hand, unusual but legal, read as the fields that dat-format's tables give them."""

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from engine.dat.check.record_json import to_fields
from engine.dat.pieces.bsp_record import KNOWN_TAGS
from engine.dat.records.codecs import decode, encode
from tests.dat.records.packers import CASES

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


@pytest.mark.parametrize("name", sorted(CASES))
@settings(derandomize=True, max_examples=40, deadline=None, suppress_health_check=SLOW)
@given(data=st.data())
def test_bytes_packed_by_hand_read_as_their_fields(name, data):
    stored, fields = data.draw(CASES[name])
    record = decode(name, stored, "hand.dat", fields["id"])
    assert to_fields(record) == fields
    written = encode(record)
    assert decode(name, written, "hand.dat", fields["id"]) == record
    # What we write has zeros for padding and shortest forms: written again, nothing moves.
    assert encode(decode(name, written)) == written


REACHED = {
    "GfxObj": {
        *(("uvs", pos, neg) for pos in (False, True) for neg in (False, True)),
        *(("sides", sides) for sides in (-1, 0, 1, 2, 3)),
        *(("tag", tag) for tag in KNOWN_TAGS),
        ("portals", True),
        *(("polygons", there) for there in (False, True)),
    },
    "LandBlockInfo": {("stabs", length) for length in range(5)},
    "EnvCell": {("statics at", residue) for residue in (0, 2)},
    "Region": {("text", residue) for residue in range(4)},
    "Animation": {("long id", there) for there in (False, True)},
}


@pytest.mark.parametrize("name", sorted(REACHED))
def test_the_cases_reach_what_is_unusual(name):
    """Both UV lists, every tag, empty lists, every residue before an alignment, both lengths of an id."""
    seen = set()
    for number in range(8):

        @seed(number)
        @settings(max_examples=60, deadline=None, database=None, suppress_health_check=SLOW)
        @given(CASES[name])
        def look(case):
            seen.update(noted(case[1]))

        look()
        if REACHED[name] <= seen:  # type: ignore[operator]
            return
    assert REACHED[name] <= seen  # type: ignore[operator]


def noted(value):
    """What kinds of polygons, nodes, texts and ids there are in some fields."""
    if isinstance(value, list):
        for item in value:
            yield from noted(item)
    if not isinstance(value, dict):
        return
    if "sides_type" in value:
        yield "uvs", "pos_uv_indices" in value, "neg_uv_indices" in value
        yield "sides", value["sides_type"]
    if "tag" in value:
        yield "tag", value["tag"]
        if "portals" in value:
            yield "portals", bool(value["portals"])
    if "physics_polygons" in value:
        yield "polygons", bool(value["physics_polygons"])
    if "stabs" in value:
        yield "stabs", len(value["stabs"])
    if "statics" in value:
        yield "statics at", 2 * (value["num_surfaces"] + value["num_visible"]) % 4
    if "name" in value:
        yield "text", len(value["name"]) % 4
    if "gfxobj" in value:
        yield "long id", value["gfxobj"] > 0x01007FFF
    for item in value.values():
        yield from noted(item)
