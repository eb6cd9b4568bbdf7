"""What a mover met: a polygon or shape that changed the outcome of a sweep (promises 4)."""

from __future__ import annotations

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.native import mypyc_attr
from engine.physics.enums import HitKind, Response


@mypyc_attr(acyclic=True)
class Hit:
    """A polygon or shape that changed the outcome.

    ``owner`` is the id of the cell or entity; ``gfxobj`` is 0 and ``poly`` and ``part``, the index of the
    entity's part that was met, are -1 where there is none; ``normal`` is in block axes.
    """

    __slots__ = ("cell_id", "gfxobj", "kind", "normal", "owner", "part", "poly", "response")

    def __init__(
        self,
        kind: HitKind,
        owner: int,
        cell_id: int,
        *,
        gfxobj: int,
        poly: int,
        normal: Vec3,
        response: Response,
        part: int = -1,
    ) -> None:
        self.kind = kind
        self.owner = owner
        self.cell_id = cell_id
        self.gfxobj = gfxobj
        self.poly = poly
        self.normal = normal
        self.response = response
        self.part = part

    def is_same(self, other: Hit) -> bool:
        """Whether the other hit is of the same polygon or shape."""
        return (
            self.poly == other.poly
            and self.owner == other.owner
            and self.part == other.part
            and self.gfxobj == other.gfxobj
            and self.kind is other.kind
        )

    def to_json(self) -> dict[str, object]:
        """The form of a tick line: ``{kind, cell|entity, gfxobj, part, poly, normal, response}``."""
        owner = "entity" if self.kind is HitKind.ENTITY else "cell"
        return {
            "kind": self.kind.value,
            owner: hex_id(self.owner),
            "gfxobj": hex_id(self.gfxobj) if self.gfxobj else None,
            "part": self.part if self.part >= 0 else None,
            "poly": self.poly if self.poly >= 0 else None,
            "normal": list(self.normal),
            "response": self.response.value,
        }

    @property
    def name(self) -> str:
        """What was met, in words: ``entity 0x7A9B4015 part 0 gfxobj 0x010044B5 polygon 3``."""
        part = f" part {self.part}" if self.part >= 0 else ""
        model = f" gfxobj {hex_id(self.gfxobj)}" if self.gfxobj else ""
        polygon = f" polygon {self.poly}" if self.poly >= 0 else ""
        return f"{self.kind.value} {hex_id(self.owner)}{part}{model}{polygon}"

    def __repr__(self) -> str:
        part = f" part {self.part}" if self.part >= 0 else ""
        return f"Hit({self.kind.value} {hex_id(self.owner)}{part} poly {self.poly} {self.response.value})"
