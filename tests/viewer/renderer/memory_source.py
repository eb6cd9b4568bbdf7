"""A source of worlds over records in memory, and where the scenes in it stand."""

from __future__ import annotations

from engine.dat.records.region import HAS_SKY, GameTime, LandDefs, Region
from engine.dat.records.region_sky import SkyDesc
from engine.dat.records.region_terrain import TerrainDesc, TerrainTex, TerrainType, TexMerge
from engine.world.source import Report, Scene

BLOCK = 0xA9B40000


MIDDLE = (84.0, 84.0, 0.0)  # the scenes' origin in the block frame, within one landcell


OUTDOORS = BLOCK | (3 * 8 + 3 + 1)


LOW = OUTDOORS & 0xFFFF


class MemorySource:
    """A WorldSource over dictionaries of records."""

    name = "memory"

    def __init__(self) -> None:
        self.records: dict[tuple[str, int], object] = {}
        self.heights = [0.0] * 256
        grounds = tuple(TerrainTex(kind, 0x05001000 + kind, 1, *(0,) * 8) for kind in (0, 1))
        self.tex_merge = TexMerge(base_size=256, corner=(), side=(), road=(), terrain=grounds)
        self.sky: SkyDesc | None = None

    def __getattr__(self, kind: str):  # type: ignore[no-untyped-def]
        if kind.startswith("_"):
            raise AttributeError(kind)
        return lambda object_id: self.records.get((kind, object_id))

    def land_block(self, block_id: int):  # type: ignore[no-untyped-def]
        return self.records.get(("land_block", block_id & 0xFFFF0000))

    def land_block_info(self, block_id: int):  # type: ignore[no-untyped-def]
        return self.records.get(("land_block_info", block_id & 0xFFFF0000))

    def cell_ids(self, block_id: int) -> list[int]:
        block = block_id & 0xFFFF0000
        return sorted(i for kind, i in self.records if kind == "env_cell" and i & 0xFFFF0000 == block)

    def scene(self) -> Scene:
        return Scene()

    def listen(self, report: Report) -> None:
        pass

    def home(self) -> str:
        return f"0x{OUTDOORS:08X} [84 84 0] 1 0 0 0"

    def region(self) -> Region:
        types = tuple(TerrainType(n, 0xFF000000, ()) for n in ("Grass", "Rock"))
        terrain = TerrainDesc(types, 0, self.tex_merge)
        land = LandDefs.usual(tuple(self.heights))
        time = GameTime(
            zero_time=0.0,
            zero_year=10,
            day_length=7620.0,
            days_per_year=360,
            suffix="P.Y.",
            times=(),
            days=(),
            seasons=(),
        )
        parts = HAS_SKY if self.sky is not None else 0
        return Region(
            id=0x13000000,
            number=1,
            version=3,
            name="Test",
            land=land,
            time=time,
            parts=parts,
            sky=self.sky,
            sound=None,
            scene=None,
            terrain=terrain,
        )
