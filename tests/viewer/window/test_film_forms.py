"""A film's bytes: GIF and MP4, and an encoder that fails without a word."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL import Image

from viewer.window.sharing.film_forms import Mp4, gif_of, is_whole, mp4_of
from viewer.window.sharing.movie import RATE


def box(kind: bytes, inside: bytes = b"") -> bytes:
    return (8 + len(inside)).to_bytes(4, "big") + kind + inside


WHOLE = box(b"ftyp", b"isom") + box(b"mdat", bytes(100)) + box(b"moov", bytes(20))


def stand_in(monkeypatch: pytest.MonkeyPatch, imwrite: Callable[..., bytes]) -> None:
    """Stands for imageio, as it is called."""
    writer = ModuleType("imageio.v3")
    writer.imwrite = imwrite  # type: ignore[attr-defined]
    package = ModuleType("imageio")
    package.v3 = writer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "imageio", package)
    monkeypatch.setitem(sys.modules, "imageio.v3", writer)


def test_a_gif_has_every_picture_and_takes_as_long_as_it_took(tmp_path: Path) -> None:
    images = [Image.new("RGB", (32, 32), (n * 20, 255 - n * 20, 0)) for n in range(10)]
    (tmp_path / "a.gif").write_bytes(gif_of(images, RATE))
    with Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames == 10  # type: ignore[attr-defined]
        assert film.info["duration"] == 70
        assert film.info["loop"] == 0


def test_an_mp4_gets_even_sides_and_the_films_speed_and_without_a_codec_it_is_a_gif(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the true one wrote was played once by hand."""
    asked: dict[str, object] = {}

    def imwrite(place: str, frames: Any, **words: object) -> bytes:
        asked.update(words, place=place, shape=frames.shape)
        return WHOLE

    stand_in(monkeypatch, imwrite)
    images = [Image.new("RGB", (131, 97)) for _ in range(3)]
    assert mp4_of(images, RATE) == Mp4(WHOLE)
    assert asked == {
        "place": "<bytes>", "shape": (3, 96, 130, 3), "extension": ".mp4", "fps": 15.0, "macro_block_size": 2,
        "plugin": "FFMPEG", "ffmpeg_log_level": "quiet",
    }  # fmt: skip

    def broken(*_: object, **__: object) -> bytes:
        raise OSError("no codec")

    stand_in(monkeypatch, broken)
    assert mp4_of(images, RATE) == Mp4(None, "the encoder failed (no codec)")


@pytest.mark.parametrize("left", [0, 12, 16, 60, len(WHOLE) - 28, len(WHOLE) - 20, len(WHOLE) - 1])
def test_a_film_cut_by_a_full_disk_for_temporary_files_is_not_saved_as_one(
    monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    """The encoder says nothing of it, and what it had written comes back."""
    stand_in(monkeypatch, lambda *_, **__: WHOLE[:left])
    video = mp4_of([Image.new("RGB", (4, 4))], RATE)
    assert video.data is None and "cut short" in video.lack


def test_an_mp4_is_whole_with_a_box_whose_size_takes_eight_bytes_and_not_with_one_of_none() -> None:
    long = b"\0\0\0\1mdat" + (16 + 5).to_bytes(8, "big") + bytes(5)
    assert is_whole(long + box(b"moov"))
    assert not is_whole(bytes(4) + b"mdat" + box(b"moov"))
    assert not is_whole(box(b"mdat"))


def test_a_film_of_one_row_is_a_gif_and_says_why() -> None:
    stand = Image.new("RGB", (16, 1))
    assert mp4_of([stand], RATE).data is None
    assert gif_of([stand, stand], RATE)
