"""A small world of two cells, its records by id, and dat files made of them."""

from engine.dat.check.everything import check
from engine.dat.container.installation import DatFiles
from engine.dat.object_types import DatKind
from engine.dat.records.codecs import encode
from engine.dat.records.env_cell import CellPortal, EnvCell
from engine.dat.records.surface import Surface
from engine.dat.values import IDENTITY_FRAME
from tests.dat import sample_motions, sample_pieces, sample_places
from tests.dat_writing import write_dat

# A world without a single loose end: two cells behind a landblock's one building.
CELLS = (
    EnvCell(
        id=0x12340100,
        flags=1,
        surfaces=(1, 2),
        environment=1,
        structure=0,
        frame=IDENTITY_FRAME,
        portals=(CellPortal(7, 1, 0xFFFF, -1),),
        visible=(0x101,),
    ),
    EnvCell(id=0x12340101, flags=0, surfaces=(1,), environment=1, structure=1, frame=IDENTITY_FRAME),
)
INFO = sample_places.LAND_BLOCK_INFO._replace(
    num_cells=2,
    objects=(),
    buildings=(
        sample_places.LAND_BLOCK_INFO.buildings[0]._replace(
            portals=(sample_places.LAND_BLOCK_INFO.buildings[0].portals[0]._replace(stabs=(0x100, 0x101)),),
        ),
    ),
)
GFX_OBJ = sample_places.GFX_OBJ._replace(
    flags=3, surfaces=(0x08000001, 0x08000002), degrade=None,
    polygons=(
        sample_pieces.FLOOR, sample_pieces.PORTAL,
        sample_pieces.TWO_SIDED._replace(pos_uv_indices=(0, 1, 0)),
    ),
)  # fmt: skip
SETUP = sample_motions.SETUP._replace(
    holding=(), connection=(), animation=0, script=0, motion_table=0, sound_table=0, script_table=0,
    placements=sample_motions.SETUP.placements[:1],
)  # fmt: skip
PORTAL = {
    0x01000010: GFX_OBJ,
    0x02000001: SETUP,
    0x08000001: Surface(1, None, None, 0xFF808080),
    0x08000002: Surface(type=0x11, texture=None, palette=None, color=0, translucency=1.0),
    0x0D000001: sample_places.ENVIRONMENT,
}
CELL = {record.id: record for record in (sample_places.LAND_BLOCK, INFO, *CELLS)}


def opened(folder, portal=None, cell=None):
    """The small world with some records replaced, left out (None) or given as bytes."""
    for name, kind, records in (
        ("client_portal.dat", DatKind.PORTAL, PORTAL | (portal or {})),
        ("client_cell_1.dat", DatKind.CELL, CELL | (cell or {})),
    ):
        stored = {
            object_id: record if isinstance(record, bytes) else encode(record)
            for object_id, record in records.items()
            if record is not None
        }
        write_dat(folder / name, stored, kind)
    return DatFiles.open(folder)


def found(files):
    with files:
        return {(finding.kind, finding.object_id): finding.detail for finding in check(files).findings}
