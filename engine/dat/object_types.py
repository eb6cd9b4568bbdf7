"""Which type of object an id stands for (dat-format 1.11)."""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum

from engine.dat.errors import DatError

ITERATION_ID = 0xFFFF0001
HIGHRES_SUBSET = 0x69466948  # "HiFi"


class DatKind(Enum):
    """The four files of the game: data set, subset, block size and engine version of each."""

    PORTAL = (1, 0, 1024, 110)
    HIGHRES = (1, HIGHRES_SUBSET, 1024, 110)
    CELL = (2, 1, 256, 22)
    LOCAL = (3, 1, 1024, 110)

    @property
    def data_set(self) -> int:
        """The header's data set."""
        return self.value[0]

    @property
    def subset(self) -> int:
        """The header's subset, as shipped."""
        return self.value[1]

    @property
    def block_size(self) -> int:
        """The block size of shipped files, bytes."""
        return self.value[2]

    @property
    def engine_version(self) -> int:
        """The engine pack version of shipped files."""
        return self.value[3]


# First id, last id, type of portal, highres and local files; in ascending order.
RANGES: tuple[tuple[int, int, str], ...] = (
    (0x01000000, 0x0100FFFF, "GfxObj"),
    (0x02000000, 0x0200FFFF, "Setup"),
    (0x03000000, 0x0300FFFF, "Animation"),
    (0x04000000, 0x0400FFFF, "Palette"),
    (0x05000000, 0x05FFFFFF, "SurfaceTexture"),
    (0x06000000, 0x07FFFFFF, "RenderSurface"),
    (0x08000000, 0x0800FFFF, "Surface"),
    (0x09000000, 0x0900FFFF, "MotionTable"),
    (0x0A000000, 0x0A00FFFF, "Wave"),
    (0x0D000000, 0x0D00FFFF, "Environment"),
    (0x0E000002, 0x0E000002, "CharGen"),
    (0x0E000003, 0x0E000003, "VitalTable"),
    (0x0E000004, 0x0E000004, "SkillTable"),
    (0x0E000007, 0x0E000007, "ChatPoseTable"),
    (0x0E00000D, 0x0E00000D, "ObjectHierarchy"),
    (0x0E00000E, 0x0E00000E, "SpellTable"),
    (0x0E00000F, 0x0E00000F, "SpellComponentTable"),
    (0x0E000018, 0x0E000018, "ExperienceTable"),
    (0x0E00001A, 0x0E00001A, "BadDataTable"),
    (0x0E00001B, 0x0E00001B, "QuestDefs"),
    (0x0E00001D, 0x0E00001D, "ContractTable"),
    (0x0E00001E, 0x0E00001E, "TabooTable"),
    (0x0E00001F, 0x0E00001F, "FileToId"),
    (0x0E000020, 0x0E000020, "NameFilterTable"),
    (0x0E010000, 0x0E01FFFF, "QualityFilter"),
    (0x0E020000, 0x0E02FFFF, "MonitoredProperties"),
    (0x0F000000, 0x0F00FFFF, "PalSet"),
    (0x10000000, 0x1000FFFF, "Clothing"),
    (0x11000000, 0x1100FFFF, "GfxObjDegradeInfo"),
    (0x12000000, 0x1200FFFF, "Scene"),
    (0x13000000, 0x1300FFFF, "Region"),
    (0x14000000, 0x1400FFFF, "Keymap"),
    (0x15000000, 0x15FFFFFF, "RenderTexture"),
    (0x16000000, 0x16FFFFFF, "RenderMaterial"),
    (0x17000000, 0x17FFFFFF, "MaterialModifier"),
    (0x18000000, 0x18FFFFFF, "MaterialInstance"),
    (0x19000000, 0x19FFFFFF, "RenderMesh"),
    (0x20000000, 0x2000FFFF, "SoundTable"),
    (0x21000000, 0x21FFFFFF, "LayoutDesc"),
    (0x22000000, 0x22FFFFFF, "EnumMapper"),
    (0x23000000, 0x24FFFFFF, "StringTable"),
    (0x25000000, 0x25FFFFFF, "DataIdMapper"),
    (0x26000000, 0x2600FFFF, "ActionMap"),
    (0x27000000, 0x27FFFFFF, "DualDataIdMapper"),
    (0x30000000, 0x3000FFFF, "CombatTable"),
    (0x31000000, 0x3100FFFF, "String"),
    (0x32000000, 0x3200FFFF, "ParticleEmitter"),
    (0x33000000, 0x3300FFFF, "PhysicsScript"),
    (0x34000000, 0x3400FFFF, "PhysicsScriptTable"),
    (0x39000000, 0x39FFFFFF, "MasterProperty"),
    (0x40000000, 0x40000FFF, "Font"),
    (0x40001000, 0x40FFFFFF, "FontLocal"),
    (0x41000000, 0x41FFFFFF, "LanguageInfo"),
    (0x78000000, 0x7FFFFFFF, "DBProperties"),
)
CELL_TYPES = ("LandBlock", "LandBlockInfo", "EnvCell")
TYPES = (*(name for _, _, name in RANGES), *CELL_TYPES, "Iteration")
_STARTS = [first for first, _, _ in RANGES]

LAND_BLOCK, LAND_BLOCK_INFO = 0xFFFF, 0xFFFE  # low words of the cell file
FIRST_ENV_CELL, LAST_ENV_CELL = 0x0100, 0xFFFD


def type_of(object_id: int, kind: DatKind) -> str:
    """The type of an id in a file of that kind. Raises DatError for an id outside every range."""
    if object_id == ITERATION_ID:
        return "Iteration"
    name = _cell_type(object_id) if kind is DatKind.CELL else _portal_type(object_id)
    if name is None:
        raise DatError("", object_id, None, f"no type of object has this id in a {kind.name.lower()} file")
    return name


def id_range(object_type: str) -> tuple[int, int]:
    """First and last id of a type; all ids for the types of the cell file, which its low words tell apart."""
    for first, last, name in RANGES:
        if name == object_type:
            return first, last
    if object_type == "Iteration":
        return ITERATION_ID, ITERATION_ID
    return 0, 0xFFFFFFFF


def _cell_type(object_id: int) -> str | None:
    low = object_id & 0xFFFF
    if low == LAND_BLOCK:
        return "LandBlock"
    if low == LAND_BLOCK_INFO:
        return "LandBlockInfo"
    return "EnvCell" if FIRST_ENV_CELL <= low <= LAST_ENV_CELL else None


def _portal_type(object_id: int) -> str | None:
    index = bisect_right(_STARTS, object_id) - 1
    if index >= 0 and object_id <= RANGES[index][1]:
        return RANGES[index][2]
    return None
