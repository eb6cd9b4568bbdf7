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


def picture_bytes(image: Image.Image, ending: str, *, smallest: bool = False) -> bytes:
    """A picture in the form that an ending names, with its dot."""
    Image.preinit()  # the usual forms: to load all of them takes as long as to write a small picture
    form = Image.EXTENSION.get(ending) or Image.registered_extensions()[ending]
    encoded = BytesIO()
    image.save(encoded, form, compress_level=COMPRESSION, optimize=smallest)
    return encoded.getvalue()
