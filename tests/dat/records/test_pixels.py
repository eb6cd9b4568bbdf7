"""Pixel formats to RGBA (dat-format 3.11)."""

import io
import struct

import numpy as np
import pytest
from PIL import Image

from engine.dat.errors import DatError
from engine.dat.records.codecs import decode, encode
from engine.dat.records.palette import Palette
from engine.dat.records.pixels import decode_pixels
from engine.dat.records.render_surface import PixelFormat, RenderSurface, data_size

P = PixelFormat
PALETTE = Palette(
    0x04000001, tuple(0x80000000 | index << 16 | index + 1 << 8 | index + 2 for index in range(200))
)


def surface(code, data, width=1, height=1):
    return RenderSurface(
        id=0x06000001, category=0, width=width, height=height, format=code, data=bytes.fromhex(data)
    )


def pixel(code, data, **options):
    return tuple(int(value) for value in decode_pixels(surface(code, data), **options)[0, 0])


@pytest.mark.parametrize(
    ("code", "stored", "rgba"),
    [
        (P.R8G8B8, "010203", (3, 2, 1, 255)),
        (P.A8R8G8B8, "01020304", (3, 2, 1, 4)),
        (P.X8R8G8B8, "01020304", (3, 2, 1, 255)),
        (P.R5G6B5, "FFFF", (255, 255, 255, 255)),
        (P.R5G6B5, "00F8", (255, 0, 0, 255)),
        (P.R5G6B5, "2008", (8, 4, 0, 255)),
        (P.X1R5G5B5, "007C", (255, 0, 0, 255)),
        (P.A1R5G5B5, "1F80", (0, 0, 255, 255)),
        (P.A1R5G5B5, "E003", (0, 255, 0, 0)),
        (P.A4R4G4B4, "2143", (51, 34, 17, 68)),
        (P.X4R4G4B4, "2143", (51, 34, 17, 255)),
        (P.R3G3B2, "E0", (255, 0, 0, 255)),
        (P.R3G3B2, "25", (36, 36, 85, 255)),
        (P.A8R3G3B2, "1C80", (0, 255, 0, 128)),
        (P.A8, "40", (255, 255, 255, 64)),
        (P.CUSTOM_LSCAPE_ALPHA, "40", (255, 255, 255, 64)),
        (P.CUSTOM_LSCAPE_R8G8B8, "010203", (3, 2, 1, 255)),
        (P.CUSTOM_B8G8R8, "010203", (1, 2, 3, 255)),
        (P.A8B8G8R8, "01020304", (1, 2, 3, 4)),
        (P.X8B8G8R8, "01020304", (1, 2, 3, 255)),
        (P.CUSTOM_A8B8G8R8, "01020304", (1, 2, 3, 4)),
        (P.CUSTOM_R8G8B8A8, "01020304", (4, 3, 2, 1)),
        (P.A2B10G10R10, "FF0300C0", (255, 0, 0, 255)),
        (P.A2R10G10B10, "FF030040", (0, 0, 255, 85)),
        (P.L8, "40", (64, 64, 64, 255)),
        (P.A8L8, "4080", (64, 64, 64, 128)),
        (P.A4L4, "F1", (17, 17, 17, 255)),
    ],
)
def test_direct_formats(code, stored, rgba):
    assert pixel(code, stored) == rgba


@pytest.mark.parametrize(("code", "stored"), [(P.P8, "09"), (P.INDEX16, "0900"), (P.INDEX32, "09000000")])
def test_indexed_formats_take_the_palette_as_it_is(code, stored):
    assert pixel(code, stored, palette=PALETTE) == (9, 10, 11, 0x80)


def test_a8p8_has_its_own_alpha():
    assert pixel(P.A8P8, "0940", palette=PALETTE) == (9, 10, 11, 0x40)


@pytest.mark.parametrize(("index", "clear"), [(0, True), (7, True), (8, False)])
def test_a_clip_map_hides_the_first_eight_indices(index, clear):
    stored = struct.pack("<H", index).hex()
    hidden = pixel(P.INDEX16, stored, palette=PALETTE, clip_map=True) == (0, 0, 0, 0)
    assert hidden == clear
    assert pixel(P.INDEX16, stored, palette=PALETTE) == (index, index + 1, index + 2, 0x80)


def test_an_additive_mask_is_its_own_colour():
    assert pixel(P.A8, "40", additive=True) == (64, 64, 64, 64)


def test_rows_run_from_the_top_and_are_not_padded():
    image = decode_pixels(surface(P.R8G8B8, "00000A 00000B 00000C 00000D 00000E 00000F", 3, 2))
    assert image[..., 0].tolist() == [[10, 11, 12], [13, 14, 15]]


def dxt1(first, second, codes):
    return struct.pack("<HHI", first, second, codes).hex()


def test_dxt1_has_four_colours_when_the_first_is_greater():
    image = decode_pixels(surface(P.DXT1, dxt1(0xF800, 0x001F, 0b11100100), 4, 4))
    assert image[0].tolist() == [[255, 0, 0, 255], [0, 0, 255, 255], [170, 0, 85, 255], [85, 0, 170, 255]]


def test_dxt1_has_three_colours_and_a_hole_otherwise():
    image = decode_pixels(surface(P.DXT1, dxt1(0x001F, 0xF800, 0b11100100), 4, 4))
    assert image[0].tolist() == [[0, 0, 255, 255], [255, 0, 0, 255], [127, 0, 127, 255], [0, 0, 0, 0]]


def test_dxt3_has_explicit_alpha_and_always_four_colours():
    stored = "10325476 98BADCFE" + dxt1(0x001F, 0xF800, 0xFFFFFFFF)
    image = decode_pixels(surface(P.DXT3, stored, 4, 4))
    assert (image[..., 3] == np.arange(16).reshape(4, 4) * 17).all()
    assert image[0, 0, :3].tolist() == [170, 0, 85]


@pytest.mark.parametrize(
    ("first", "second", "levels"),
    [
        (210, 0, [210, 0, 180, 150, 120, 90, 60, 30]),
        (0, 200, [0, 200, 40, 80, 120, 160, 0, 255]),
    ],
)
def test_dxt5_interpolates_alpha(first, second, levels):
    codes = sum(index % 8 << 3 * index for index in range(16)).to_bytes(6, "little")
    stored = bytes((first, second)).hex() + codes.hex() + dxt1(0xFFFF, 0, 0)
    image = decode_pixels(surface(P.DXT5, stored, 4, 4))
    assert image[..., 3].ravel().tolist() == levels * 2
    assert (image[..., :3] == 255).all()


def test_dxt_blocks_past_the_edge_are_cut_off():
    white, red = dxt1(0xFFFF, 0, 0), dxt1(0xF800, 0, 0)
    image = decode_pixels(surface(P.DXT1, white + red, 5, 2))
    assert image.shape == (2, 5, 4)
    assert image[1, 3].tolist() == [255, 255, 255, 255]
    assert image[1, 4].tolist() == [255, 0, 0, 255]


def test_a_clip_map_hides_black_dxt_texels():
    image = decode_pixels(surface(P.DXT1, dxt1(0xF800, 0, 0b0100), 4, 4), clip_map=True)
    assert image[0, 0].tolist() == [255, 0, 0, 255]
    assert image[0, 1].tolist() == [0, 0, 0, 0]


def pillow(data):
    try:
        with Image.open(io.BytesIO(data)) as image:
            return np.asarray(image.convert("RGBA"))
    except OSError as error:
        raise ValueError(str(error)) from error


def test_a_jpeg_is_decoded_by_whoever_can():
    out = io.BytesIO()
    Image.new("RGB", (8, 4), (200, 100, 50)).save(out, "JPEG", quality=95)
    stored = RenderSurface(
        id=0x06000001, category=0, width=0, height=0, format=P.CUSTOM_RAW_JPEG, data=out.getvalue()
    )
    image = decode_pixels(stored, jpeg=pillow)
    assert image.shape == (4, 8, 4)
    assert np.abs(image[0, 0].astype(int) - (200, 100, 50, 255)).max() <= 3
    with pytest.raises(DatError, match="no decoder for it"):
        decode_pixels(stored)
    with pytest.raises(DatError, match="0x06000001: the JPEG image is damaged"):
        decode_pixels(surface(P.CUSTOM_RAW_JPEG, "FFD8FF00"), jpeg=pillow)


@pytest.mark.parametrize(
    ("bad", "options", "reason"),
    [
        (surface(P.INDEX16, "0900"), {}, "needs its palette"),
        (surface(P.INDEX16, "C800"), {"palette": PALETTE}, "palette index 200 in a palette of 200"),
        (surface(0x77, "00"), {}, "pixel format 0x77 is unknown"),
        (surface(P.A8, "0000"), {}, "2 bytes where 1 by 1 pixels take 1"),
    ],
)
def test_what_does_not_fit_its_format_is_refused(bad, options, reason):
    with pytest.raises(DatError, match=reason):
        decode_pixels(bad, **options)


@pytest.mark.parametrize("code", [code for code in P if code is not P.CUSTOM_RAW_JPEG])
def test_every_format_decodes_any_bytes_of_the_right_length(code):
    size = data_size(code, 5, 3)
    stored = RenderSurface(
        id=0x06000001,
        category=0,
        width=5,
        height=3,
        format=code,
        data=bytes(index * 37 % 101 for index in range(size)),
    )
    if code is P.INDEX32:
        stored = RenderSurface(
            id=0x06000001, category=0, width=5, height=3, format=code, data=struct.pack("<15I", *range(15))
        )
    if code is P.INDEX16:
        stored = RenderSurface(
            id=0x06000001,
            category=0,
            width=5,
            height=3,
            format=code,
            data=struct.pack("<15H", *range(15)),
            palette=0x04000001,
        )
    image = decode_pixels(stored, PALETTE)
    assert (image.shape, image.dtype) == ((3, 5, 4), np.uint8)


def test_stored_images_decode_to_what_they_were():
    rgba = (np.arange(5 * 3 * 4) * 7 % 256).astype(np.uint8).reshape(3, 5, 4)
    solid = rgba.copy()
    solid[..., 3] = 255
    blue_first = rgba[..., (2, 1, 0, 3)].tobytes()
    for code, data, wanted in (
        (P.A8R8G8B8, blue_first, rgba),
        (P.R8G8B8, rgba[..., 2::-1].tobytes(), solid),
        (P.CUSTOM_LSCAPE_R8G8B8, rgba[..., 2::-1].tobytes(), solid),
    ):
        stored = RenderSurface(id=0x06000001, category=0, width=5, height=3, format=code, data=data)
        back = decode("RenderSurface", encode(stored), object_id=stored.id)
        assert (decode_pixels(back) == wanted).all(), code
    data = rgba[..., 0].tobytes()
    mask = RenderSurface(id=0x06000003, category=0, width=5, height=3, format=P.A8, data=data)
    assert (decode_pixels(mask)[..., 3] == rgba[..., 0]).all()
    indices = np.arange(15, dtype="<u2")
    indexed = RenderSurface(
        id=0x06000004,
        category=0,
        width=5,
        height=3,
        format=P.INDEX16,
        data=indices.tobytes(),
        palette=PALETTE.id,
    )
    assert (decode_pixels(indexed, PALETTE)[..., 0] == indices.reshape(3, 5)).all()
