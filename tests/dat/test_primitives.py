"""The primitive encodings (dat-format 2)."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat.errors import DatError
from engine.dat.primitives import CUINT_MAX, Reader, Writer

QUIET = settings(derandomize=True, max_examples=100, deadline=None)

CUINTS = [
    (0x05, "05"),
    (0x7F, "7F"),
    (0x80, "80 80"),
    (0x1234, "92 34"),
    (0x3FFF, "BF FF"),
    (0x4000, "C0 00 00 40"),
    (0x12345678, "D2 34 78 56"),
]


def written(write, *values):
    writer = Writer()
    write(writer, *values)
    return bytes(writer.out)


@pytest.mark.parametrize(("value", "stored"), CUINTS)
def test_compressed_integers_of_the_table(value, stored):
    data = bytes.fromhex(stored)
    assert written(Writer.cuint, value) == data
    reader = Reader(data)
    assert reader.cuint() == value
    reader.finish()


@QUIET
@given(st.integers(0, CUINT_MAX))
def test_a_compressed_integer_reads_back(value):
    data = written(Writer.cuint, value)
    assert len(data) == (1 if value < 0x80 else 2 if value < 0x4000 else 4)
    assert Reader(data).cuint() == value


@pytest.mark.parametrize("value", [-1, CUINT_MAX + 1])
def test_a_compressed_integer_has_thirty_bits(value):
    with pytest.raises(OverflowError):
        written(Writer.cuint, value)


@pytest.mark.parametrize(
    ("offset", "stored"),
    [(0, "0000"), (0x3FFF, "FF3F"), (0x4000, "0080 0040"), (0x123456, "1280 5634")],
)
def test_packed_ids_are_short_below_0x4000(offset, stored):
    data = bytes.fromhex(stored)
    assert written(Writer.packed_id, 0x01000000 + offset, 0x01000000) == data
    assert Reader(data).packed_id(0x01000000) == 0x01000000 + offset


def test_a_short_packed_id_reaches_0x7fff_when_read():
    assert Reader(bytes.fromhex("FF7F")).packed_id(0x01000000) == 0x01007FFF


@pytest.mark.parametrize(
    "text", ["", "a", "ab", "Dereth", "10 P.Y.", "é€", "x\0", "\x81".encode().decode()[:0]]
)
def test_strings_are_padded_to_four(text):
    data = written(Writer.pstring16, text)
    assert len(data) % 4 == 0
    reader = Reader(data)
    assert reader.pstring16() == text
    reader.finish()


def test_every_byte_of_a_string_survives():
    data = struct.pack("<H", 256) + bytes(range(256)) + bytes(2)
    assert written(Writer.pstring16, Reader(data).pstring16()) == data


def test_a_long_string_has_a_long_length():
    text = "x" * 0x10000
    data = written(Writer.pstring16, text)
    assert data[:6] == bytes.fromhex("FFFF 00000100")
    assert Reader(data).pstring16() == text


def test_alignment_counts_from_the_record_and_skips_stale_bytes():
    reader = Reader(bytes.fromhex("01 CD CD CD 02"))
    assert reader.u8() == 1
    reader.align4()
    assert (reader.pos, reader.u8()) == (4, 2)


def test_quaternions_are_stored_w_first():
    data = struct.pack("<7f", 1, 2, 3, 0.5, 0.25, 0.125, 0.75)
    frame = Reader(data).frame()
    assert frame.origin == (1, 2, 3)
    assert frame.orientation == (0.5, 0.25, 0.125, 0.75)
    assert written(Writer.frame, frame) == data


@pytest.mark.parametrize("bits", [0x80000000, 0xCDCDCDCD, 0x7F800000, 0x00000001, 0x7FC00001])
def test_floats_keep_their_bits(bits):
    data = struct.pack("<I", bits)
    assert written(Writer.f32, Reader(data).f32()) == data


def test_running_past_the_end_names_file_id_and_offset():
    reader = Reader(b"\1\2\3\4\5\6", "client_portal.dat", 0x01000001)
    reader.u32()
    with pytest.raises(DatError) as caught:
        reader.u32()
    error = caught.value
    assert (error.file, error.object_id, error.offset) == ("client_portal.dat", 0x01000001, 4)
    assert str(error) == "client_portal.dat, object 0x01000001, offset 0x4: 4 bytes needed, 2 left"


def test_an_absurd_count_is_refused_before_anything_is_read():
    reader = Reader(b"\0" * 64)
    with pytest.raises(DatError, match="a count of 4294967295 items"):
        reader.many(0xFFFFFFFF, 16, Reader.sphere)
    with pytest.raises(DatError, match="a count of -1 items"):
        reader.array("I", -1)


def test_a_record_must_end_where_its_bytes_end():
    reader = Reader(b"\0" * 5)
    reader.u32()
    with pytest.raises(DatError, match="1 bytes after the record's last field"):
        reader.finish()
