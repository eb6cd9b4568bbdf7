"""A film as a file's bytes: a GIF, or an MP4 where imageio is there."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engine.files.shown import shown
from engine.named_tuple import NamedTuple

if TYPE_CHECKING:
    from PIL import Image

COLOURS: Final = 128
_HEAD, _LONG = 8, 1  # of a box: its size and kind; the size that says that the true one follows


def gif_of(images: Sequence[Image.Image], rate: float) -> bytes:
    """Pictures, so many a second, as a GIF that goes round and round."""
    from PIL import Image

    small = [image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE) for image in images]
    out = io.BytesIO()
    milliseconds = round(100 / rate) * 10  # a GIF counts in hundredths
    small[0].save(
        out, "GIF", save_all=True, append_images=small[1:], duration=milliseconds, loop=0, optimize=False
    )
    return out.getvalue()


class Mp4(NamedTuple):
    """A film as an MP4; None with the reason, where it was wanted and could not be made."""

    data: bytes | None
    lack: str = ""


def mp4_of(images: Sequence[Image.Image], rate: float) -> Mp4:
    """Pictures, so many a second, as an MP4; no reason for none without the extra ``video`` that writes it.

    The encoder is a process of its own, with a temporary file of its own: that nothing is said of either says
    nothing, so what comes back is looked at.
    """
    try:
        import imageio.v3 as writer
        import numpy as np
    except ImportError:
        return Mp4(None)
    wide, high = images[0].width // 2 * 2, images[0].height // 2 * 2  # the codec wants even sides
    if not wide or not high:
        return Mp4(None, "it is one pixel wide or high")
    frames = np.stack([np.asarray(image.crop((0, 0, wide, high))) for image in images])
    try:
        data = bytes(writer.imwrite(
            "<bytes>", frames, plugin="FFMPEG", extension=".mp4", fps=rate,
            macro_block_size=2, ffmpeg_log_level="quiet",
        ))  # fmt: skip
    except Exception as error:
        return Mp4(None, f"the encoder failed ({shown(str(error) or type(error).__name__)})")
    if not is_whole(data):
        return Mp4(None, "the encoder's file was cut short (is there room for temporary files?)")
    return Mp4(data)


def is_whole(mp4: bytes) -> bool:
    """Whether an MP4 is complete: its boxes fill it to the last byte, one lists the pictures.

    The encoder writes that list last, and the size of the box of pictures just before.
    """
    kinds, at = set(), 0
    while at < len(mp4):
        size = int.from_bytes(mp4[at : at + 4], "big")
        if size == _LONG:
            size = int.from_bytes(mp4[at + 8 : at + 16], "big")
        if size < _HEAD or at + size > len(mp4):
            return False
        kinds.add(mp4[at + 4 : at + 8])
        at += size
    return {b"mdat", b"moov"} <= kinds
