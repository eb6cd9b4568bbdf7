"""What a pixel shows: the answer to "what is this?", its words and its JSON form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.files.json_form import Json
from viewer.renderer.gl.pixel_watch import BEFORE_LAND, IN_SKY, Painted
from viewer.report.ground_shown import Ground
from viewer.report.sky_shown import SkyShown

PARTICLES = "particles"  # as the pass that paints them calls them
FLYING_PASS = f"translucent: {PARTICLES}"  # what a draw of them is called


class PickKind(Enum):
    """What a picked face belongs to; the value is its name in reports."""

    CELL = "cell"
    TERRAIN = "terrain"
    BUILDING = "building"
    OBJECT = "object"
    ENTITY = "entity"


@dataclass(frozen=True, slots=True)
class Facet:
    """A face that a ray meets. Ids are 0 and numbers -1 where there is none.

    ``kind`` is cell, terrain, building, object or entity; ``cell`` the cell that it is drawn with; ``owner``
    the object's id, of a building its landblock's, else the cell's. ``setup`` and ``gfxobj`` are the model,
    ``part`` its part, ``polygon`` the drawing polygon and ``node`` the drawing tree's node that lists it.
    ``drawn_with`` is the EnvCell in whose pass it is painted, 0 for the landscape.
    ``how`` is the render class of its ``surface``; ``alpha`` how opaque it is there. Of the ground, which
    has no surface, ``ground`` tells what it is made of; ``texture`` is then the one that shows most.
    """

    kind: PickKind
    cell: int
    owner: int
    name: str
    setup: int
    part: int
    gfxobj: int
    polygon: int
    node: int
    back: bool
    surface: int
    texture: int
    image: int
    how: str
    alpha: float
    distance: float
    normal: Vec3
    corners: tuple[Vec3, ...]
    building: int = -1
    drawn_with: int = 0
    ground: Ground | None = None

    @property
    def title(self) -> str:
        """What it is, in a few words."""
        if self.kind is PickKind.TERRAIN:
            return f"ground of landcell {hex_id(self.cell)}"
        if self.kind is PickKind.CELL:
            return f"cell {hex_id(self.cell)}"
        return _thing(self.kind, self.owner, self.name, self.building)

    @property
    def words(self) -> str:
        """What it is, down to part, model and drawing polygon."""
        title = "its own wall or floor" if self.kind is PickKind.CELL else self.title
        return f"{title}{self.where('drawing polygon')}"

    def where(self, polygon_word: str) -> str:
        """Part, model and polygon, which is called so; each after a comma."""
        part = f", part {self.part}" if self.part >= 0 else ""
        model = f" ({hex_id(self.gfxobj)})" if self.gfxobj else ""
        return f"{part}{model}, {polygon_word} {self.polygon}" if self.polygon >= 0 else f"{part}{model}"

    def to_json(self) -> Json:
        """The form of ``pick --json``."""
        return {
            "kind": self.kind.value,
            "cell": hex_id(self.cell),
            "drawn_with": hex_id(self.drawn_with) if self.drawn_with else None,
            "owner": hex_id(self.owner),
            "name": self.name or None,
            "building": self.building if self.building >= 0 else None,
            "setup": hex_id(self.setup) if self.setup else None,
            "part": self.part if self.part >= 0 else None,
            "gfxobj": hex_id(self.gfxobj) if self.gfxobj else None,
            "polygon": self.polygon if self.polygon >= 0 else None,
            "node": self.node if self.node >= 0 else None,
            "side": "back" if self.back else "front",
            "surface": hex_id(self.surface) if self.surface else None,
            "texture": hex_id(self.texture) if self.texture else None,
            "image": hex_id(self.image) if self.image else None,
            "drawn_as": self.how,
            "alpha": self.alpha,
            "distance": self.distance,
            "normal": list(self.normal),
            "corners": [list(p) for p in self.corners],
            "ground": None if self.ground is None else self.ground.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Flying:
    """A particle that a pixel shows: the record of its emitter, what bears that, and what it looks like.

    ``kind`` is object, entity or building, ``part`` the part that bears the emitter, -1 for the whole;
    ``cell`` is its owner's. ``script`` is what started it, 0 for an animation. ``alpha`` is how much it
    paints; ``place``, where the ray meets it, and ``corners`` are in the block of the view root.
    """

    kind: PickKind
    cell: int
    owner: int
    name: str
    building: int
    part: int
    emitter: int
    script: int
    gfxobj: int
    surface: int
    texture: int
    image: int
    distance: float
    alpha: float
    place: Vec3
    corners: tuple[Vec3, ...]

    @property
    def borne_by(self) -> str:
        """What bears its emitter."""
        part = f", part {self.part}" if self.part >= 0 else ""
        return f"{_thing(self.kind, self.owner, self.name, self.building)}{part}"

    @property
    def title(self) -> str:
        """What it is, in a few words."""
        return f"particle of emitter {hex_id(self.emitter)} on {self.borne_by}"

    @property
    def rows(self) -> list[tuple[str, str, int]]:
        """As those of the whole answer."""
        ids = (
            ("emitter", self.emitter), ("its script", self.script), ("its model", self.gfxobj),
            ("its surface", self.surface), ("its texture", self.texture), ("its image", self.image),
        )  # fmt: skip
        rows = [(name, hex_id(record), record) for name, record in ids if record]
        rows.insert(1, ("borne by", self.borne_by, 0))
        return [*rows, ("in cell", hex_id(self.cell), 0)]

    def to_json(self) -> Json:
        """The form of ``pick --json``."""
        return {
            "kind": self.kind.value,
            "cell": hex_id(self.cell),
            "owner": hex_id(self.owner),
            "name": self.name or None,
            "building": self.building if self.building >= 0 else None,
            "part": self.part if self.part >= 0 else None,
            "emitter": hex_id(self.emitter),
            "script": hex_id(self.script) if self.script else None,
            "gfxobj": hex_id(self.gfxobj),
            "surface": hex_id(self.surface),
            "texture": hex_id(self.texture) if self.texture else None,
            "image": hex_id(self.image) if self.image else None,
            "distance": self.distance,
            "alpha": self.alpha,
            "place": list(self.place),
            "corners": [list(p) for p in self.corners],
        }


def _thing(kind: PickKind, owner: int, name: str, building: int) -> str:
    """A building, an object or an entity in words."""
    if kind is PickKind.BUILDING:
        return f"building {building} of {hex_id(owner)}"
    return f"{name or kind.value} {hex_id(owner)}"


@dataclass(frozen=True, slots=True)
class Solid:
    """The physics polygon of what a pixel shows that the same ray meets; ``leaf`` of its tree holds it.

    ``off`` are metres along the ray from the drawn face, ``walkable`` whether one stands on it.
    """

    polygon: int
    leaf: int
    off: float
    walkable: bool
    normal: Vec3
    corners: tuple[Vec3, ...]

    def to_json(self) -> Json:
        """The form of ``pick --json``."""
        return {
            "polygon": self.polygon,
            "leaf": self.leaf if self.leaf >= 0 else None,
            "off": self.off,
            "walkable": self.walkable,
            "normal": list(self.normal),
            "corners": [list(p) for p in self.corners],
        }


@dataclass(frozen=True, slots=True)
class PickedSpot:
    """Where the picked thing is: the cell, the place in the block of the view root, and that in words."""

    cell: int
    place: Vec3
    words: str


@dataclass(frozen=True, slots=True)
class PickAnswer:
    """What a pixel of a picture shows.

    ``pixel`` is from the picture's upper left corner, ``root`` the view root, in whose block corners and
    ``place`` are. ``facet`` is None for the sky; ``before`` are translucent faces that it is seen through,
    nearest first. ``solid`` is None where nothing of it collides. ``through`` are the openings that the pixel
    is seen through, in words. ``history`` are the draws that changed the pixel, in order. ``flying`` are
    particles before it, of each emitter the nearest. ``sky`` tells what hangs in the sky where that is seen.
    """

    pixel: tuple[int, int]
    root: int
    facet: Facet | None
    place: Vec3 | None
    solid: Solid | None
    before: tuple[Facet, ...] = ()
    through: tuple[str, ...] = ()
    history: tuple[Painted, ...] = ()
    note: str = ""
    flying: tuple[Flying, ...] = ()
    sky: SkyShown | None = None

    def with_history(self, history: tuple[Painted, ...]) -> PickAnswer:
        """The same with the draws that changed the pixel."""
        return replace(self, history=history)

    @property
    def verdict(self) -> str:
        """The answer in one line, as programs read it."""
        return self._line("polygon")

    @property
    def headline(self) -> str:
        """The answer in one line for people: what was met says physics polygons, this is a drawing one."""
        if not self.flying:
            return self._line("drawing polygon")
        first, behind = self.flying[0], replace(self, flying=(), history=())
        return f"{first.title}, {first.distance:.2f} m away; behind it {behind.headline}"

    @property
    def spot(self) -> PickedSpot | None:
        """Where that is which the headline names first: a particle before what is solid, else the solid."""
        if self.flying:
            first = self.flying[0]
            return PickedSpot(first.cell, first.place, f"at the {first.title}, {first.distance:.2f} m away")
        if self.facet is None or self.place is None:
            return None
        f = self.facet
        behind = ", behind what lets light through" if self.before else ""
        return PickedSpot(
            f.drawn_with or f.cell, self.place, f"at {f.title}, {f.distance:.2f} m away{behind}"
        )

    def _line(self, polygon_word: str) -> str:
        over = f", under {' and '.join(self._over)} before it" if self._over else ""
        if self.facet is None:
            shown = self.note or "the sky"
            hung = (
                " and what hangs in it"
                if any(p.colored and p.what.startswith(IN_SKY) for p in self.history)
                else ""
            )
            return f"the pixel {self.pixel[0]},{self.pixel[1]} shows {shown}{hung}{over}"
        f = self.facet
        return f"{f.title}{f.where(polygon_word)}, {f.distance:.2f} m away{over}"

    @property
    def _over(self) -> list[str]:
        """What painted the pixel after the last solid thing and is no face: its pass alone tells of it."""
        words: set[str] = set()
        for painted in reversed([painted for painted in self.history if painted.colored]):
            if painted.what.startswith(FLYING_PASS):
                words.add(f"{PARTICLES} that fly")
            elif painted.what.endswith(BEFORE_LAND):
                words.add("weather that is drawn")
            elif not painted.what.startswith("translucent: "):
                break
        return sorted(words)

    @property
    def words(self) -> list[str]:
        """The answer as lines, the headline first."""
        return [self.headline, *(f"{name}: {value}" for name, value, _ in self.rows), *self._lists()]

    @property
    def rows(self) -> list[tuple[str, str, int]]:
        """Name, value and, where it is one, the id of a record that ``dat show`` tells of."""
        f = self.facet
        flying = self.flying[0].rows if self.flying else []
        if f is None:
            return [*flying, *(self.sky.rows if self.sky is not None else [])]
        rows = [*flying, *([("behind it", f.title, 0)] if flying else []), ("cell", hex_id(f.cell), 0)]
        if f.drawn_with != f.cell:
            rows.append(("painted with", hex_id(f.drawn_with) if f.drawn_with else "the landscape", 0))
        if f.kind in (PickKind.OBJECT, PickKind.ENTITY):
            rows.append((f.kind.value, hex_id(f.owner), 0))
        if f.setup:
            is_setup = f.setup >> 24 == 0x02  # else a GfxObj that stands by itself
            rows.append(("Setup" if is_setup else "model", hex_id(f.setup), f.setup))
        if f.gfxobj:
            rows.append((f"part {f.part}", hex_id(f.gfxobj), f.gfxobj))
        node = f", node {f.node} of the drawing tree" if f.node >= 0 else ""
        rows.append(("drawing polygon", f"{f.polygon}{', its back' if f.back else ''}{node}", 0))
        if f.surface:
            rows.append(("surface", hex_id(f.surface), f.surface))
            rows.append(
                ("drawn as", f"{f.how}{f', {100 * f.alpha:.0f} % there' if f.alpha < 1.0 else ''}", 0)
            )
        if f.texture and f.ground is None:
            rows.append(("texture", hex_id(f.texture), f.texture))
        if f.image and f.ground is None:
            rows.append(("image", hex_id(f.image), f.image))
        rows.append(("physics polygon", self._solid_words(), 0))
        if f.ground is not None:
            rows += f.ground.rows
        if self.place is not None:
            x, y, z = self.place
            rows.append(("at", f"[{x:.3f} {y:.3f} {z:.3f}] of {hex_id(self.root & 0xFFFF0000)}", 0))
        x, y, z = f.normal
        rows.append(("normal", f"{x:z.3f} {y:z.3f} {z:z.3f}", 0))
        return rows

    def _solid_words(self) -> str:
        s = self.solid
        if s is None:
            return "none: nothing of it collides here"
        where = ""
        if abs(s.off) > 0.005:
            where = f", {abs(s.off):.2f} m {'behind' if s.off > 0.0 else 'before'} what is drawn"
        leaf = f", leaf {s.leaf}" if s.leaf >= 0 else ""
        return f"{s.polygon}{leaf}, {'walkable' if s.walkable else 'not walkable'}{where}"

    def _lists(self) -> list[str]:
        lines = [f"{title}: {line}" for title, lines in self.lists for line in lines]
        return lines + [f"painted by {painted.words}" for painted in self.history]

    @property
    def lists(self) -> tuple[tuple[str, list[str]], ...]:
        """What lies before it, each under its heading: further particles, translucent faces, portals."""
        return (
            ("under", [f"{flake.title}, {flake.distance:.2f} m away" for flake in self.flying[1:]]),
            (
                "in front of it, let through",
                [
                    f"{face.title}{face.where('drawing polygon')}, {face.how}, {face.distance:.2f} m away"
                    for face in self.before
                ],
            ),
            ("seen through", list(self.through)),
        )

    def to_json(self) -> Json:
        """The form of ``pick --json``."""
        return {
            "pixel": list(self.pixel),
            "root": hex_id(self.root),
            "verdict": self.verdict,
            "facet": None if self.facet is None else self.facet.to_json(),
            "place": None if self.place is None else list(self.place),
            "sky": None if self.sky is None else self.sky.to_json(),
            "physics": None if self.solid is None else self.solid.to_json(),
            "before": [facet.to_json() for facet in self.before],
            "particles": [flake.to_json() for flake in self.flying],
            "through": list(self.through),
            "history": [painted.to_json() for painted in self.history],
        }
