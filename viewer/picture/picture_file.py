"""Pictures as files: encoded in memory, then written whole."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image

from engine.files.write import write_bytes

COMPRESSION = 3  # of PNG files: a third of the time of the usual 6 for a tenth more bytes


def write_picture(image: Image.Image, path: Path, *, smallest: bool = False) -> None:
    """Write a picture in the form that the file's ending names; OSError, naming it, where that fails."""
    write_bytes(path, picture_bytes(image, path.suffix.lower(), smallest=smallest))


def load_writer(path: Path) -> None:
    """Have Pillow load what writes a file's form, which takes a while: what a single pixel in it needs."""
    picture_bytes(Image.new("RGB", (1, 1)), path.suffix.lower())


def picture_bytes(image: Image.Image, ending: str, *, smallest: bool = False) -> bytes:
    """A picture in the form that an ending names, with its dot."""
    encoded = _Named(f"picture{ending}")
    image.save(encoded, compress_level=COMPRESSION, optimize=smallest)
    return encoded.getvalue()


class _Named(BytesIO):
    """Memory with a file's name: by it Pillow loads what writes that form and none of the others."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
