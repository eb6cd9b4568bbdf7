"""Folders of small dat files: a portal, a cell and a highres file."""

from engine.dat.object_types import DatKind
from engine.dat.records.codecs import encode
from engine.dat.records.render_surface import PixelFormat, RenderSurface
from tests.dat.sample_motions import SETUP
from tests.dat.sample_places import ENV_CELL, GFX_OBJ
from tests.dat_writing import write_dat

IMAGE = RenderSurface(id=0x06000001, category=0, width=1, height=1, format=PixelFormat.A8, data=b"\1")
FINE = IMAGE._replace(data=b"\2")


def packed(*records):
    return {record.id: encode(record) for record in records}


def write_folder(folder, portal="client_portal.dat", cell="client_cell_1.dat", highres=None):
    write_dat(folder / portal, packed(GFX_OBJ, SETUP, IMAGE), DatKind.PORTAL)
    write_dat(folder / cell, packed(ENV_CELL), DatKind.CELL)
    if highres:
        write_dat(folder / highres, packed(FINE), DatKind.HIGHRES)
    return folder
