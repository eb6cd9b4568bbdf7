"""The primitive encodings of dat records (dat-format 2): one Reader, one Writer.

Everything is little-endian. Offsets and alignment count from the record's own first byte.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from struct import Struct, calcsize
from struct import error as StructError  # noqa: N812 - it is a class
from typing import Any, NoReturn, TypeVar

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.values import CylSphere, Plane, Quat, Sphere, StoredFrame, Vec3, whole

T = TypeVar("T")

U8, U16, I16, U32, I32, F32, F64 = (Struct("<" + code) for code in "BHhIifd")
VEC3, FOUR, FIVE, FRAME = (Struct(f"<{n}f") for n in (3, 4, 5, 7))
ENCODING = "cp1252"
codecs.lookup(ENCODING)  # now: where no more files can be opened, it could not be loaded with the first text
# Windows-1252 leaves five bytes undefined; surrogates carry them through a round trip.
ENCODING_ERRORS = "surrogateescape"
CUINT_MAX = 0x3FFFFFFF


@lru_cache(maxsize=512)
def _array_layout(code: str, count: int) -> Struct:
    return Struct(f"<{count}{code}")


class Reader:
    """A cursor over one record that raises DatError instead of running past its end.

    ``object_id`` is the id the record is stored under, None when that is not known.
    """

    __slots__ = ("data", "end", "file", "object_id", "pos")

    def __init__(self, data: bytes, file: str = "", object_id: int | None = None) -> None:
        self.data = data
        self.pos = 0
        self.end = len(data)
        self.file = file
        self.object_id = object_id

    def fail(self, reason: str, offset: int | None = None) -> NoReturn:
        """Raise a DatError at ``offset``, by default the cursor."""
        raise DatError(self.file, self.object_id, self.pos if offset is None else offset, reason)

    def unpack(self, layout: Struct) -> tuple[Any, ...]:
        """The values of a fixed layout."""
        pos = self.pos
        try:
            values = layout.unpack_from(self.data, pos)
        except StructError:
            self._take(layout.size)  # which says what is lacking
            raise
        self.pos = pos + layout.size
        return values

    def array(self, code: str, count: int) -> tuple[Any, ...]:
        """``count`` numbers of one struct code back to back."""
        if count == 0:
            return ()
        if not 0 < count <= self.end:
            self.check_count(count, calcsize("<" + code))
        return self.unpack(_array_layout(code, count))

    def rows(self, layout: Struct, most: int) -> Iterator[tuple[Any, ...]]:
        """Rows of a fixed layout that lie ahead, at least one and at most ``most``; the cursor stays."""
        size = layout.size
        start = self.pos = self._take(size)
        last = start + min(most, (self.end - start) // size) * size
        return layout.iter_unpack(memoryview(self.data)[start:last])

    def u8(self) -> int:
        """An unsigned byte."""
        return int(self.unpack(U8)[0])

    def u16(self) -> int:
        """An unsigned 16-bit number."""
        return int(self.unpack(U16)[0])

    def i16(self) -> int:
        """A signed 16-bit number."""
        return int(self.unpack(I16)[0])

    def u32(self) -> int:
        """An unsigned 32-bit number."""
        return int(self.unpack(U32)[0])

    def i32(self) -> int:
        """A signed 32-bit number."""
        return int(self.unpack(I32)[0])

    def f32(self) -> float:
        """A single-precision number, widened exactly."""
        return float(self.unpack(F32)[0])

    def f64(self) -> float:
        """A double-precision number."""
        return float(self.unpack(F64)[0])

    def raw(self, size: int) -> bytes:
        """``size`` bytes as they are."""
        pos = self._take(size)
        return bytes(self.data[pos : pos + size])

    def align4(self) -> None:
        """Skip to the next multiple of four of the record, whatever the skipped bytes hold."""
        self._take(-self.pos % 4)

    def cuint(self) -> int:
        """A compressed unsigned integer (dat-format 2.2)."""
        first = self.u8()
        if first < 0x80:
            return first
        if first < 0xC0:
            return (first & 0x3F) << 8 | self.u8()
        high = (first & 0x3F) << 24 | self.u8() << 16
        return high | self.u16()

    def packed_id(self, base: int) -> int:
        """An id of the known type ``base`` in two or four bytes (dat-format 2.3)."""
        value = self.u16()
        if value & 0x8000:
            value = (value & 0x3FFF) << 16 | self.u16()
        return base + value

    def pstring16(self) -> str:
        """A length-prefixed Windows-1252 string, then align4 (dat-format 2.4)."""
        size = self.u16()
        if size == 0xFFFF:
            size = self.u32()
        text = self.raw(size).decode(ENCODING, ENCODING_ERRORS)
        self.align4()
        return text

    def vec3(self) -> Vec3:
        """Three single-precision numbers."""
        x, y, z = self.unpack(VEC3)
        return (x, y, z)

    def quat(self) -> Quat:
        """A quaternion, w first."""
        w, x, y, z = self.unpack(FOUR)
        return (w, x, y, z)

    def frame(self) -> StoredFrame:
        """An origin and a quaternion."""
        x, y, z, qw, qx, qy, qz = self.unpack(FRAME)
        return StoredFrame((x, y, z), (qw, qx, qy, qz))

    def plane(self) -> Plane:
        """A normal and its d."""
        x, y, z, d = self.unpack(FOUR)
        return whole(Plane, ((x, y, z), d))

    def sphere(self) -> Sphere:
        """A centre and a radius."""
        x, y, z, radius = self.unpack(FOUR)
        return whole(Sphere, ((x, y, z), radius))

    def cylsphere(self) -> CylSphere:
        """A bottom centre, a radius and a height."""
        x, y, z, radius, height = self.unpack(FIVE)
        return CylSphere((x, y, z), radius, height)

    def header_id(self) -> int:
        """The id a record begins with; it must be the one the record is stored under."""
        value = self.u32()
        if self.object_id is not None and value != self.object_id:
            self.fail(f"the record says it is {hex_id(value)}", self.pos - 4)
        return value

    def check_count(self, count: int, item_size: int) -> int:
        """``count`` itself, if that many items of at least ``item_size`` bytes can still follow."""
        left = self.end - self.pos
        if count < 0 or count * item_size > left:
            self.fail(f"a count of {count} items of {item_size} bytes or more, but {left} bytes are left")
        return count

    def many(self, count: int, item_size: int, read: Callable[[Reader], T]) -> tuple[T, ...]:
        """``count`` items read one after another, each at least ``item_size`` bytes long."""
        self.check_count(count, item_size)
        return tuple([read(self) for _ in range(count)])

    def finish(self) -> None:
        """Raise unless the cursor stands exactly at the record's end."""
        if self.pos != self.end:
            self.fail(f"{self.end - self.pos} bytes after the record's last field")

    def _take(self, size: int) -> int:
        pos = self.pos
        if size < 0 or pos + size > self.end:
            self.fail(f"{size} bytes needed, {self.end - pos} left")
        self.pos = pos + size
        return pos


class Writer:
    """The bytes of one record in the making; the mirror image of Reader.

    A value that does not fit its field raises ``struct.error`` or ``OverflowError`` here;
    ``engine.dat.records.codecs.encode`` turns those into a DatError that names the object.
    """

    __slots__ = ("out",)

    def __init__(self) -> None:
        self.out = bytearray()

    def pack(self, layout: Struct, *values: float) -> None:
        """The values of a fixed layout."""
        self.out += layout.pack(*values)

    def array(self, code: str, values: Iterable[float]) -> None:
        """Numbers of one struct code back to back."""
        items = tuple(values)
        self.out += _array_layout(code, len(items)).pack(*items)

    def u8(self, value: int) -> None:
        """An unsigned byte."""
        self.out += U8.pack(value)

    def u16(self, value: int) -> None:
        """An unsigned 16-bit number."""
        self.out += U16.pack(value)

    def i16(self, value: int) -> None:
        """A signed 16-bit number."""
        self.out += I16.pack(value)

    def u32(self, value: int) -> None:
        """An unsigned 32-bit number."""
        self.out += U32.pack(value)

    def i32(self, value: int) -> None:
        """A signed 32-bit number."""
        self.out += I32.pack(value)

    def f32(self, value: float) -> None:
        """A single-precision number, rounded to nearest."""
        self.out += F32.pack(value)

    def f64(self, value: float) -> None:
        """A double-precision number."""
        self.out += F64.pack(value)

    def raw(self, data: bytes) -> None:
        """Bytes as they are."""
        self.out += data

    def align4(self) -> None:
        """Zeros up to the next multiple of four of the record."""
        self.out += bytes(-len(self.out) % 4)

    def cuint(self, value: int) -> None:
        """A compressed unsigned integer in its shortest form (dat-format 2.2)."""
        if not 0 <= value <= CUINT_MAX:
            raise OverflowError(f"{value} does not fit a compressed integer")
        if value < 0x80:
            self.u8(value)
        elif value < 0x4000:
            self.u8(0x80 | value >> 8)
            self.u8(value & 0xFF)
        else:
            self.u8(0xC0 | value >> 24)
            self.u8(value >> 16 & 0xFF)
            self.u16(value & 0xFFFF)

    def packed_id(self, value: int, base: int) -> None:
        """An id of the known type ``base`` (dat-format 2.3)."""
        offset = value - base
        if not 0 <= offset <= CUINT_MAX:
            raise OverflowError(f"{hex_id(value)} is no id of the type {hex_id(base)}")
        if offset < 0x4000:
            self.u16(offset)
        else:
            self.u16(offset >> 16 | 0x8000)
            self.u16(offset & 0xFFFF)

    def pstring16(self, text: str) -> None:
        """A length-prefixed Windows-1252 string, then align4 (dat-format 2.4)."""
        data = text.encode(ENCODING, ENCODING_ERRORS)
        if len(data) < 0xFFFF:
            self.u16(len(data))
        else:
            self.u16(0xFFFF)
            self.u32(len(data))
        self.out += data
        self.align4()

    def vec3(self, value: Vec3) -> None:
        """Three single-precision numbers."""
        self.out += VEC3.pack(*value)

    def quat(self, value: Quat) -> None:
        """A quaternion, w first."""
        self.out += FOUR.pack(*value)

    def frame(self, value: StoredFrame) -> None:
        """An origin and a quaternion."""
        self.out += FRAME.pack(*value.origin, *value.orientation)

    def plane(self, value: Plane) -> None:
        """A normal and its d."""
        self.out += FOUR.pack(*value.normal, value.d)

    def sphere(self, value: Sphere) -> None:
        """A centre and a radius."""
        self.out += FOUR.pack(*value.center, value.radius)

    def cylsphere(self, value: CylSphere) -> None:
        """A bottom centre, a radius and a height."""
        self.out += FIVE.pack(*value.low_point, value.radius, value.height)

    def many(self, items: Iterable[T], write: Callable[[Writer, T], None]) -> None:
        """Items one after another, without a count."""
        for item in items:
            write(self, item)

    def require(self, ok: bool, reason: str) -> None:  # noqa: FBT001 -- reads as an assertion: what must hold
        """Raise ValueError unless a record agrees with itself."""
        if not ok:
            raise ValueError(reason)

    def need(self, value: T | None, reason: str) -> T:
        """A value that the layout stores; raise ValueError where the record has none."""
        if value is None:
            raise ValueError(reason)
        return value
