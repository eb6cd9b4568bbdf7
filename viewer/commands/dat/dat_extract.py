"""``holtwalk dat extract``: an object as a file; the name's ending says in which form."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from engine.dat.check.listing import Listed
from engine.dat.container.installation import DatFiles
from engine.dat.hex_id import hex_id
from engine.dat.object_types import DatKind
from engine.files.write import write_bytes
from engine.strangers import hush_loggers
from engine.world.sources.dats import DatsSource
from engine.world.sources.scene_file import SceneFile
from engine.world.under_way import UnderWay
from viewer.picture.picture_file import write_picture
from viewer.renderer.images import images
from viewer.report.progress import PartsTold
from viewer.terminal import say
from viewer.user_error import UserError

RAW, PICTURE, MODEL = (".bin", ".dat"), (".png",), (".glb", ".gltf")
PICTURES, MODELS = ("RenderSurface", "SurfaceTexture", "Surface"), ("GfxObj", "Setup", "EnvCell")


def extract(files: DatFiles, listed: Listed, out: Path) -> None:
    """Write an object: its record's bytes (.bin, .dat), its pixels (.png) or its geometry (.glb, .gltf).

    Raises UserError where the object has no such form or cannot be shown, DatError for damaged records,
    OSError where the file can't be written.
    """
    form = out.suffix.lower()
    name = f"object {hex_id(listed.entry.id)}"
    if form in RAW:
        data = listed.file.read_entry(listed.entry)
    elif form in PICTURE and listed.type in PICTURES:
        _write_picture(files, listed, name, out)
        return
    elif form in MODEL and listed.type in MODELS:
        data = _model(files, listed, name, binary=form == ".glb")
    elif form in PICTURE + MODEL:
        forms = RAW + (PICTURE if listed.type in PICTURES else MODEL if listed.type in MODELS else ())
        raise UserError(f"{name}: a {listed.type} can be written as {', '.join(forms)}, not as {form}")
    else:
        known = ", ".join(RAW + PICTURE + MODEL)
        raise UserError(f"--out: {out.name} should end in one of {known}")
    write_bytes(out, data)


def _write_picture(files: DatFiles, listed: Listed, name: str, out: Path) -> None:
    source, object_id = _source(files), listed.entry.id
    try:
        if listed.type == "Surface":
            surface = source.surface(object_id)
            if surface is None or surface.texture is None:
                raise UserError(f"{name}: a Surface without an image")
            pixels = images.surface_image(source, surface)
        elif listed.type == "SurfaceTexture":
            pixels = images.texture_image(source, object_id)
        else:
            record = source.render_surface(object_id)
            assert record is not None  # it was listed
            pixels = images.decode(source, record, clip_map=False, additive=False)
    except images.MissingImageError as error:
        raise UserError(f"{name}: {error}") from error
    write_picture(Image.fromarray(pixels, "RGBA"), out)


def _model(files: DatFiles, listed: Listed, name: str, *, binary: bool) -> bytes:
    from viewer.picture.model_export import ModelExport, gltf_bytes  # its library takes a second to load

    if listed.type == "EnvCell" and DatKind.PORTAL in files.absent:
        raise UserError(f"{name}: a cell's geometry is in the portal file, and this folder has none")
    hush_loggers()  # trimesh's
    source, object_id = _source(files), listed.entry.id
    get = {"GfxObj": source.gfx_obj, "Setup": source.setup, "EnvCell": source.env_cell}[listed.type]
    record = get(object_id)
    assert record is not None  # it was listed
    under_way = UnderWay()
    under_way.hear = told = PartsTold("dat extract")

    def report(line: str) -> None:
        told.make_way()
        say(f"{name}: {line}")

    try:
        return gltf_bytes(ModelExport(source, report, under_way).scene(record), binary=binary)
    finally:
        told.make_way()


def _source(files: DatFiles) -> DatsSource:
    return DatsSource(files, str(Path(files.portal.name).parent), SceneFile())
