"""What the ground is at a place: terrain types of its landcell's corners, textures over one another, road."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.hex_id import hex_id
from engine.files.json_form import Json

LEAST_SHARE = 0.005  # of the colour that a texture is told with in words


@dataclass(frozen=True, slots=True)
class GroundCorner:
    """A corner of a landcell: its terrain type with the Region's name for it, whether it has a road.

    ``scene_type`` is the index into the Region's scene types, -1 for none, ``scene`` the Scene that grows
    there, 0 for none; ``in_triangle`` tells that it is one of the triangle's.
    """

    corner: str
    type: int
    name: str
    road: bool
    scene_type: int
    scene: int
    in_triangle: bool

    @property
    def short(self) -> str:
        """SW for south-west."""
        return "".join(word[0].upper() for word in self.corner.split("-"))

    def to_json(self) -> Json:
        """The form of ``pick --json``."""
        return {
            "corner": self.corner,
            "type": self.type,
            "name": self.name or None,
            "road": self.road,
            "scene_type": self.scene_type if self.scene_type >= 0 else None,
            "scene": hex_id(self.scene) if self.scene else None,
            "in_triangle": self.in_triangle,
        }


@dataclass(frozen=True, slots=True)
class GroundLayer:
    """A terrain type's texture in a landcell, and the mask by which it lies over others, 0 for the lowest.

    ``share`` is how much of the colour at the place is its, 0 to 1.
    """

    type: int
    name: str
    texture: int
    image: int
    mask: int
    share: float

    def to_json(self) -> Json:
        """The form of ``pick --json``."""
        return {
            "type": self.type,
            "name": self.name or None,
            "texture": hex_id(self.texture) if self.texture else None,
            "image": hex_id(self.image) if self.image else None,
            "mask": hex_id(self.mask) if self.mask else None,
            "share": self.share,
        }


@dataclass(frozen=True, slots=True)
class Ground:
    """The ground at a place; ``layers`` lie from the lowest to the topmost.

    ``road`` tells that the place is on the road, ``water`` how far one sinks in there, metres.
    """

    corners: tuple[GroundCorner, ...]
    layers: tuple[GroundLayer, ...]
    road: bool
    water: float

    @property
    def foremost(self) -> GroundLayer | None:
        """The layer that has most of the colour."""
        return max(self.layers, key=lambda layer: layer.share, default=None)

    @property
    def rows(self) -> list[tuple[str, str, int]]:
        """As those of the whole answer: textures from the topmost down, then types and what grows there."""
        rows = [("surface", "none, by terrain type", 0)]
        for layer in reversed(self.layers):
            if layer.share < LEAST_SHARE:
                continue
            name = f"texture of {_called(layer.type, layer.name)}, {100.0 * layer.share:.0f} % here"
            found = (name, layer.texture), ("its image", layer.image), ("its mask", layer.mask)
            rows += [(word, hex_id(record), record) for word, record in found if record]
        rows += [("terrain type", words, 0) for words in self._types()]
        at = [corner.short for corner in self.corners if corner.road]
        runs = f"; the cell has one at {', '.join(at)}" if at else ""
        rows.append(("on a road", f"{'yes' if self.road else 'no'}{runs}", 0))
        if self.water > 0.0:
            rows.append(("water", f"one sinks in {self.water:.2f} m", 0))
        scenes: dict[int, list[GroundCorner]] = {}
        for corner in self.corners:
            scenes.setdefault(corner.scene, []).append(corner)
        for scene, corners in scenes.items():
            if scene:
                kinds = ", ".join(f"{kind}" for kind in dict.fromkeys(c.scene_type for c in corners))
                where = ", ".join(c.short for c in corners)
                rows.append((f"scene (type {kinds}) at {where}", hex_id(scene), scene))
        return rows

    def _types(self) -> list[str]:
        """The types with the corners that have each, the triangle's first."""
        found: dict[str, list[GroundCorner]] = {}
        for corner in sorted(self.corners, key=lambda corner: not corner.in_triangle):
            found.setdefault(_called(corner.type, corner.name), []).append(corner)
        if len(found) == 1:
            return [f"{name}, at all corners" for name in found]
        titles = {c: c.short if c.in_triangle else f"{c.short} (other triangle)" for c in self.corners}
        return [f"{name}, at {', '.join(titles[c] for c in at)}" for name, at in found.items()]

    def to_json(self) -> Json:
        """The form of ``pick --json``."""
        return {
            "corners": [corner.to_json() for corner in self.corners],
            "layers": [layer.to_json() for layer in self.layers],
            "road": self.road,
            "water": self.water,
        }


def _called(kind: int, name: str) -> str:
    return f"{name} 0x{kind:02X}" if name else f"0x{kind:02X}"
