"""The whole world from above, a few pixels a landblock: made once by other processes, kept as a picture."""

from __future__ import annotations

import hashlib
from contextlib import closing, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import moderngl
import numpy as np
import PIL.Image
from numpy.typing import NDArray

from engine.dat.errors import DatError
from engine.dat.records.region import Region
from engine.files.json_form import Json
from engine.files.read import read_bytes
from engine.replay.jobs.process_pool import JobError, Piece, Tell, Work, cores, done_in_order
from engine.world.source import WorldSource
from engine.world.sources.open_source import SourceArguments, SourceError
from engine.world.terrain import is_water, terrain_type
from viewer.picture.picture_file import write_picture
from viewer.renderer.images.images import MissingImageError, render_surface, texture_image

BLOCKS: Final = 255  # on a side
DOTS: Final = 2  # a landblock has so many pixels on a side
SIDE: Final = BLOCKS * DOTS
VERSION: Final = 1  # of how it is drawn: another one is made anew
NOWHERE: Final = (13, 16, 22)
SHADE: Final = 0.9  # how much steepness darkens or brightens

Pixels = NDArray[np.uint8]
Color = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class MapTask:
    """Drawing columns of landblocks; results are their pixels in hexadecimal, south to north."""

    source: SourceArguments

    def begin(self) -> Work:
        """Open the source, and find each terrain's colour."""
        source = self.source.open()
        region = source.region()
        colors = terrain_colors(source, region)
        table = region.land.heights

        def work(east: int, _: Tell) -> Json:
            return {"pixels": column(source, east, colors, table).tobytes().hex()}

        return work


def terrain_colors(source: WorldSource, region: Region) -> dict[int, Color]:
    """The mean colour of each terrain type's texture; without one the colour that its type names."""
    out: dict[int, Color] = {}
    for number, kind in enumerate(region.terrain.types):
        color = kind.color
        out[number] = (float(color >> 16 & 0xFF), float(color >> 8 & 0xFF), float(color & 0xFF))
    means: dict[int, Color | None] = {}
    for tex in region.terrain.texmerge.terrain:
        with suppress(DatError, MissingImageError):
            image = render_surface(source, tex.texture).id
            if image not in means:  # many textures may name the same
                means[image] = None
                red, green, blue = texture_image(source, tex.texture)[..., :3].reshape(-1, 3).mean(axis=0)
                means[image] = (float(red), float(green), float(blue))
            mean = means[image]
            if mean is not None:
                out[tex.type] = mean
    return out


def column(
    source: WorldSource,
    east: int,
    colors: dict[int, Color],
    table: tuple[float, ...],
) -> Pixels:
    """The landblocks of one column, south to north: DOTS pixels wide, SIDE high, RGB."""
    out = np.empty((SIDE, DOTS, 3), np.uint8)
    out[:] = NOWHERE
    for north in range(BLOCKS):
        try:
            record = source.land_block((east << 24) | (north << 16) | 0xFFFF)
        except DatError:
            record = None
        if record is None:
            continue
        for i in range(DOTS):
            for j in range(DOTS):
                x, y = 2 + 4 * i, 2 + 4 * j
                word = record.terrain[9 * x + y]
                height = [table[record.height[9 * (x + k) + y + k]] for k in (-2, 0, 2)]
                color = np.array(colors.get(terrain_type(word), (128.0, 128.0, 128.0)))
                slope = (height[0] - height[2]) / 68.0  # metres of fall over the diagonal, to the north-east
                lit = 1.0 if is_water(word) else 1.0 + SHADE * max(-0.6, min(0.6, -slope))
                lit *= 0.85 + 0.3 * min(1.0, height[1] / 600.0)
                out[DOTS * north + j, i] = np.clip(color * lit, 0.0, 255.0)
    return out


class WorldMap:
    """The picture of one world: read where it is kept, else made beside the window."""

    def __init__(self) -> None:
        self.source: SourceArguments | None = None
        self.folder: Path | None = None
        self.share = 0.0
        self.trouble = ""
        self.texture: moderngl.Texture | None = None
        self._pixels: Pixels | None = None
        self._thread: Thread | None = None
        self._stop = Event()

    def want(self) -> None:
        """Somebody looks at it: read it, or begin to make it."""
        if self._thread is None and self._pixels is None and self.texture is None and self.source is not None:
            self._thread = Thread(target=self._run, args=(self.source,), daemon=True)
            self._thread.start()

    def upload(self, ctx: moderngl.Context) -> None:
        """Bring it onto the GPU once it is there; on the context's thread."""
        if self._pixels is None:
            return
        pixels, self._pixels = self._pixels, None
        if self.texture is not None:
            self.texture.release()
        self.texture = ctx.texture((SIDE, SIDE), 3, np.ascontiguousarray(pixels).tobytes(), alignment=1)
        self.texture.filter = (moderngl.LINEAR, moderngl.NEAREST)

    def close(self) -> None:
        """End what goes on beside the window."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(5.0)

    def _run(self, source: SourceArguments) -> None:
        try:
            path = None if self.folder is None else _place(source, self.folder)
            kept = None if path is None else _read(path)
            pixels = self._make(source) if kept is None else kept
        except (SourceError, JobError, DatError, OSError) as error:
            self.trouble = "" if self._stop.is_set() else f"no map of the world: {error}"
            return
        self._pixels, self.share = pixels, 1.0
        if kept is None and path is not None:
            self._keep(source, pixels, path)

    def _keep(self, source: SourceArguments, pixels: Pixels, path: Path) -> None:
        """Keep a picture that was made, if it is of the world that its file is named after to its end."""
        try:
            if path == _place(source, path.parent):
                write_picture(PIL.Image.fromarray(pixels[::-1]), path)
        except OSError as error:
            self.trouble = f"the map of the world is made anew next time: {error}"

    def _make(self, source: SourceArguments) -> Pixels:
        """South to north, as a texture has its rows."""
        out = np.empty((SIDE, SIDE, 3), np.uint8)

        def watch(done: float, key: str) -> None:  # noqa: ARG001 - a watcher is handed both
            self.share = done / BLOCKS
            if self._stop.is_set():
                raise JobError("stopped")

        parts = [Piece(str(east), east) for east in range(BLOCKS)]
        jobs = max(2, cores() - 1)  # one would do its work in this thread, and in the way of the frames
        with closing(done_in_order(MapTask(source), parts, jobs=jobs, watcher=watch)) as results:
            for piece, document in results:
                strip = np.frombuffer(bytes.fromhex(document["pixels"]), np.uint8).reshape(SIDE, DOTS, 3)
                out[:, DOTS * piece.item : DOTS * (piece.item + 1)] = strip
        return out


def _place(source: SourceArguments, folder: Path) -> Path:
    """Where the picture of a world as it is now is kept."""
    return folder / f"world-{digest_of(source)}.png"


def digest_of(source: SourceArguments) -> str:
    """What tells a world's files from others: their names, sizes and times of change, which copies keep."""
    found: list[Any] = [VERSION, SIDE]
    for folder in (source.demo, source.dats, source.dumps):
        if folder is not None:
            for path in sorted(folder.iterdir()):
                if path.suffix.lower() in (".dat", ".json"):
                    about = path.stat()
                    changed = about.st_mtime_ns, about.st_ctime_ns  # of which nobody sets the second
                    found.append((str(path.resolve()), about.st_size, *changed))
    return hashlib.sha256(repr(found).encode()).hexdigest()[:16]


def _read(path: Path) -> Pixels | None:
    """A kept picture, south to north; None where there is none that fits."""
    try:
        with PIL.Image.open(BytesIO(read_bytes(path, pipes=False))) as image:
            if image.size != (SIDE, SIDE):
                return None
            return np.asarray(image.convert("RGB"))[::-1]
    except Exception:  # Pillow raises many kinds for what is damaged
        return None
