"""Pictures as files: encoded in memory, then written whole."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image

from engine.files.write import write_bytes

COMPRESSION = 3  # of PNG files: a third of the time of the usual 6 for a tenth more bytes


def write_picture(image: Image.Image, path: Path, *, smallest: bool = False) -> None:
    """Write a picture in the form that the file's ending names; OSError, naming it, where that fails."""
    Image.preinit()  # the usual forms: to load all of them takes as long as to write a small picture
    ending = path.suffix.lower()
    form = Image.EXTENSION.get(ending) or Image.registered_extensions()[ending]
    encoded = BytesIO()
    image.save(encoded, form, compress_level=COMPRESSION, optimize=smallest)
    write_bytes(path, encoded.getvalue())
