"""What hangs in the sky at a moment, and what of it a pixel shows."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.hex_id import hex_id
from engine.files.json_form import Json


@dataclass(frozen=True, slots=True)
class SkyObjectShown:
    """An object of the day group that is drawn: ``model`` is its Setup or GfxObj.

    ``foreground`` ones are drawn after the land. ``alpha`` is how much it paints of the pixel, 0 to 1; of
    what it paints there with most, ``gfxobj``, drawing ``polygon``, ``surface``, ``texture`` and ``image``
    tell, 0 and -1 where there is none.
    """

    index: int
    model: int
    foreground: bool
    alpha: float = 0.0
    gfxobj: int = 0
    polygon: int = -1
    surface: int = 0
    texture: int = 0
    image: int = 0

    def to_json(self) -> Json:
        """The form of ``pick --json``."""
        return {
            "index": self.index,
            "model": hex_id(self.model),
            "foreground": self.foreground,
            "alpha": self.alpha,
            "gfxobj": hex_id(self.gfxobj) if self.gfxobj else None,
            "polygon": self.polygon if self.polygon >= 0 else None,
            "surface": hex_id(self.surface) if self.surface else None,
            "texture": hex_id(self.texture) if self.texture else None,
            "image": hex_id(self.image) if self.image else None,
        }


@dataclass(frozen=True, slots=True)
class SkyShown:
    """The sky of a picture: the day group by its number, and its objects that are up, in drawing order."""

    day_group: int
    name: str
    objects: tuple[SkyObjectShown, ...]

    @property
    def rows(self) -> list[tuple[str, str, int]]:
        """As those of the whole answer: what paints the pixel from the topmost down, then what else is up."""
        rows = [("day group", f"{self.day_group}{f', {self.name}' if self.name else ''}", 0)]
        for found in reversed(self.objects):
            if found.alpha <= 0.0:
                continue
            what = f"sky object {found.index}, {100.0 * found.alpha:.0f} % here"
            rows.append((what, hex_id(found.model), found.model))
            part = found.gfxobj if found.gfxobj != found.model else 0
            rows += [
                (name, hex_id(record), record)
                for name, record in (
                    ("its part", part), ("its surface", found.surface), ("its texture", found.texture),
                    ("its image", found.image),
                )
                if record
            ]  # fmt: skip
        rows += [
            (f"sky object {found.index}, not at this pixel", hex_id(found.model), found.model)
            for found in self.objects
            if found.alpha <= 0.0
        ]
        if not self.objects:
            rows.append(("sky objects", "none is up", 0))
        return rows

    def to_json(self) -> Json:
        """The form of ``pick --json``."""
        return {
            "day_group": self.day_group,
            "name": self.name or None,
            "objects": [found.to_json() for found in self.objects],
        }
