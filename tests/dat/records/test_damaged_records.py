"""Damaged records raise DatError and nothing else (dat-format 2.6)."""

import random
import struct
import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat.errors import DatError
from engine.dat.records.codecs import CODECS, decode, encode
from engine.dat.records.palette import Palette
from engine.dat.records.pixels import decode_pixels
from engine.dat.records.render_surface import RenderSurface
from tests.dat import samples

MUTATIONS = 80  # of each of the sample records
PALETTE = Palette(0x04000001, tuple(range(256)))


@pytest.mark.parametrize("record", samples.RECORDS, ids=samples.name_of)
def test_a_record_cut_short_anywhere_is_refused(record):
    name, data = type(record).__name__, encode(record)
    for length in range(len(data)):
        with pytest.raises(DatError) as caught:
            decode(name, data[:length], "portal.dat", getattr(record, "id", None))
        assert caught.value.offset is not None
        assert caught.value.offset <= length


def test_mutated_bytes_give_a_record_or_a_dat_error():
    dice = random.Random(1)
    refused = accepted = 0
    for record in samples.RECORDS:
        name, data = type(record).__name__, encode(record)
        for _ in range(MUTATIONS):
            damaged = bytearray(data)
            for _ in range(dice.randint(1, 4)):
                spot = dice.randrange(len(data))
                damaged[spot] = dice.choice((0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)))
            try:
                back = decode(name, bytes(damaged), "portal.dat")
                if isinstance(back, RenderSurface):
                    decode_pixels(back, PALETTE)
            except DatError as error:
                refused += 1
                assert str(error)
            else:
                accepted += 1
                again = encode(back)
                assert encode(decode(name, again)) == again
    assert refused > 300
    assert accepted > 300


@pytest.mark.parametrize("record", samples.RECORDS, ids=samples.name_of)
def test_an_absurd_number_anywhere_takes_no_memory(record):
    """Counts are refused before anything is made of them: the peak stays within some records' worth."""
    name, data = type(record).__name__, encode(record)
    places = range(0, len(data) - 3, max(1, len(data) // 200))
    tracemalloc.start()
    try:
        for place in places:
            for word in (0xFFFFFFFF, 0x7FFFFFFF, 0x00FFFFFF, 0x0000FFFF):
                damaged = bytearray(data)
                struct.pack_into("<I", damaged, place, word)
                with suppress(DatError):
                    decode(name, bytes(damaged), "portal.dat")
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


words = st.sampled_from([0, 1, 0x7FFFFFFF, 0x80000000, 0xCDCDCDCD, 0xFFFFFFFF]) | st.integers(0, 0xFFFFFFFF)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.sampled_from(samples.RECORDS), st.data())
def test_words_set_anywhere_give_a_record_or_a_dat_error(record, data):
    name, damaged = type(record).__name__, bytearray(encode(record))
    for _ in range(data.draw(st.integers(1, 5))):
        struct.pack_into("<I", damaged, data.draw(st.integers(0, len(damaged) - 4)), data.draw(words))
    damaged = damaged[: data.draw(st.integers(0, len(damaged)) | st.just(len(damaged)))]
    with suppress(DatError):
        decode(name, bytes(damaged), "portal.dat", getattr(record, "id", None))


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.sampled_from(sorted(CODECS)), st.binary(max_size=400))
def test_any_bytes_give_a_record_or_a_dat_error(name, data):
    with suppress(DatError):
        record = decode(name, data)
        assert decode(name, encode(record)) is not None
