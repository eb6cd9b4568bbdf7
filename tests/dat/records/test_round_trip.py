"""Write, read, write gives the same record and the same bytes, for every type."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.dat.errors import DatError
from engine.dat.pieces.bsp_record import MAX_DEPTH, BspNode, TreeKind, read_bsp, write_bsp
from engine.dat.primitives import Reader, Writer
from engine.dat.records.codecs import CODECS, decode, encode
from tests.dat import sample_motions, sample_pieces, sample_places, samples
from tests.dat.records.strategies import RECORDS

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


def round_trip(record):
    name, data = type(record).__name__, encode(record)
    back = decode(name, data, object_id=getattr(record, "id", None))
    assert encode(back) == data
    return back


def test_every_codec_has_a_sample_and_a_strategy():
    assert {type(record).__name__ for record in samples.RECORDS} == set(CODECS)
    assert set(RECORDS) == set(CODECS)


@pytest.mark.parametrize("record", samples.RECORDS, ids=samples.name_of)
def test_samples_come_back(record):
    # Region samples hold decimal fractions that single precision rounds once; after that nothing moves.
    back = round_trip(record)
    assert round_trip(back) == back


@pytest.mark.parametrize("name", sorted(CODECS))
@settings(derandomize=True, max_examples=25, deadline=None, suppress_health_check=SLOW)
@given(data=st.data())
def test_made_records_come_back_equal(name, data):
    record = data.draw(RECORDS[name])
    assert round_trip(record) == record


@pytest.mark.parametrize("kind", list(TreeKind))
def test_trees_are_read_to_their_greatest_depth_and_no_further(kind):
    def chain(length):
        root = sample_pieces.leaf() if kind is TreeKind.PHYSICS else BspNode("LEAF", leaf_index=0)
        for _ in range(length):
            sphere = None if kind is TreeKind.CELL else sample_pieces.BALL
            polys = () if kind is TreeKind.DRAWING else None
            root = BspNode(
                tag="BPnn", plane=sample_pieces.UP, pos_child=root, neg_child=None, sphere=sphere, polys=polys
            )
        writer = Writer()
        write_bsp(writer, root, kind)
        return bytes(writer.out)

    deepest = MAX_DEPTH[kind]
    data = chain(deepest - 1)
    reader = Reader(data)
    root = read_bsp(reader, kind)
    reader.finish()
    assert sum(1 for _ in root.walk()) == deepest
    writer = Writer()
    write_bsp(writer, root, kind)
    assert bytes(writer.out) == data
    with pytest.raises(DatError, match=f"deeper than {deepest} nodes"):
        read_bsp(Reader(chain(deepest)), kind)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (sample_places.LAND_BLOCK._replace(terrain=(0,) * 80), "81 vertices"),
        (sample_places.ENV_CELL._replace(statics=None), "flags and statics disagree"),
        (sample_places.ENV_CELL._replace(surfaces=(0x10000,)), "EnvCell can't be written"),
        (sample_places.GFX_OBJ._replace(physics_bsp=None), "flag 1 and what is there disagree"),
        (sample_places.GFX_OBJ._replace(flags=3), "flag 8 and what is there disagree"),
        (sample_motions.SETUP._replace(scales=((1.0, 1.0, 1.0),)), "one entry a part"),
        (sample_motions.ANIMATION._replace(num_parts=1), "a pose of 2 parts instead of 1"),
        (sample_places.LAND_BLOCK_INFO._replace(mask=0), "mask and restrictions disagree"),
        (sample_places.REGION._replace(sky=None), "part bit 0x10 disagrees"),
        (sample_motions.SETUP._replace(height=1e300), "Setup can't be written"),
        ("no record", "str is no record that can be written"),
    ],
)
def test_a_record_that_does_not_agree_with_itself_is_not_written(record, reason):
    with pytest.raises(DatError, match=reason):
        encode(record)
