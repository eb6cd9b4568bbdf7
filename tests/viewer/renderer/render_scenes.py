"""Small flat-coloured worlds for the image cases of passes 11.4, made of records in memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.dat.pieces.bsp_record import BspNode, PortalRef
from engine.dat.pieces.geometry import Polygon, SWVertex, VertexArray
from engine.dat.records.env_cell import CellPortal, EnvCell
from engine.dat.records.environment import CellStruct, Environment
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import BldPortal, BuildingInfo, LandBlockInfo, Stab
from engine.dat.records.region import HAS_SKY, GameTime, LandDefs, Region
from engine.dat.records.region_sky import SkyDesc
from engine.dat.records.region_terrain import TerrainDesc, TerrainTex, TerrainType, TexMerge
from engine.dat.records.render_surface import PixelFormat, RenderSurface
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.dat.values import NO_SPHERE, Plane, StoredFrame, Vec3
from engine.visibility.picture_view import PictureView, ViewOptions, build_view
from engine.visibility.view import View, basis
from engine.world.loading.world import World
from engine.world.polygon import make_plane
from engine.world.source import Report, Scene
from viewer.renderer.gl.context import create_headless
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.renderer import Renderer
from viewer.renderer.scene.entities import SceneObjects
from viewer.renderer.scene.terrain_mesh import RENDER_DROP

if TYPE_CHECKING:
    import moderngl

BLOCK = 0xA9B40000
MIDDLE = (84.0, 84.0, 0.0)  # the scenes' origin in the block frame, within one landcell
OUTDOORS = BLOCK | (3 * 8 + 3 + 1)
LOW = OUTDOORS & 0xFFFF
EXIT = 0xFFFF

SKY = (120, 170, 255)
GRASS = (40, 160, 40)
ROCK = (90, 90, 90)
COLORS = {
    "wall": (200, 180, 150), "floor": (130, 90, 50), "ceiling": (230, 230, 220),
    "wall2": (60, 60, 200), "floor2": (20, 120, 160), "ceiling2": (10, 10, 90),
    "shell": (180, 40, 30), "roof": (110, 50, 20), "leaf": (250, 220, 20), "hump": (70, 110, 30),
    "box": (240, 120, 240), "white": (255, 255, 255),
}  # fmt: skip

Corners = Sequence[Vec3]


def quad(y: float, x0: float, x1: float, *, z0: float, z1: float) -> list[Vec3]:
    """Q(y; x0,x1; z0,z1) of visibility 11.1: normal (0, −1, 0)."""
    return [(x0, y, z0), (x1, y, z0), (x1, y, z1), (x0, y, z1)]


def floor_at(z: float, x0: float, x1: float, *, y0: float, y1: float) -> list[Vec3]:
    """A rectangle facing up."""
    return [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]


def flipped(corners: Corners) -> list[Vec3]:
    return list(reversed(corners))


def frame_wall(outer: Corners, hole: Corners) -> list[list[Vec3]]:
    """A wall with a hole as trapezoids from corner to corner, so that no edge ends inside another."""
    n = len(outer)
    sides = [[outer[k], outer[(k + 1) % n], hole[(k + 1) % n], hole[k]] for k in range(n)]
    return [s for s in sides if make_plane(s)[0] != (0.0, 0.0, 0.0)]


Painted = tuple[Corners, str]


def room(
    x0: float, x1: float, y0: float, y1: float, *, z0: float, z1: float,
    front: Corners | None = None, back: Corners | None = None, suffix: str = "",
) -> list[Painted]:  # fmt: skip
    """An inward box; ``front`` is a hole in the far (y1) wall, ``back`` one in the near wall.

    Holes are given as Q quads, normal (0, −1, 0).
    """
    wall = "wall" + suffix
    out: list[Painted] = [
        (floor_at(z0, x0, x1, y0=y0, y1=y1), "floor" + suffix),
        (flipped(floor_at(z1, x0, x1, y0=y0, y1=y1)), "ceiling" + suffix),
        ([(x0, y0, z0), (x0, y1, z0), (x0, y1, z1), (x0, y0, z1)], wall),
        ([(x1, y1, z0), (x1, y0, z0), (x1, y0, z1), (x1, y1, z1)], wall),
    ]
    far = quad(y1, x0, x1, z0=z0, z1=z1)
    near = quad(y0, x0, x1, z0=z0, z1=z1)
    out += [(p, wall) for p in (frame_wall(far, front) if front else [far])]
    out += [(flipped(p), wall) for p in (frame_wall(near, back) if back else [near])]
    return out


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


class SceneBuilder:
    """Puts a scene together; coordinates are those of visibility 11.1, moved to MIDDLE."""

    def __init__(self, block: int = BLOCK, middle: Vec3 = MIDDLE) -> None:
        self.block = block
        self.middle = middle
        self.source = MemorySource()
        self._colors: dict[tuple[int, ...], int] = {}
        self._structures: list[CellStruct] = []
        self._objects: list[Stab] = []
        self._buildings: list[BuildingInfo] = []
        self._next_gfx = 0x01000100
        self.color(GRASS)  # the ground textures
        self.color(ROCK)

    def color(self, rgb: tuple[int, ...], flags: int = 2, translucency: float = 0.0) -> int:
        """The surface of a flat colour, textured with one texel."""
        key = (*rgb, flags, round(translucency * 100))
        if key not in self._colors:
            n = 0x1000 + len(self._colors)
            r, g, b = rgb[:3]
            a = rgb[3] if len(rgb) > 3 else 255
            self.image(n, 1, 1, bytes((b, g, r, a)))
            self.put(
                "surface",
                0x08000000 | n,
                Surface(
                    type=flags,
                    texture=0x05000000 | n,
                    palette=0,
                    color=None,
                    translucency=translucency,
                    luminosity=0.0,
                    diffuse=1.0,
                ),
            )
            self._colors[key] = 0x08000000 | n
        return self._colors[key]

    def image(self, n: int, width: int, height: int, bgra: bytes) -> None:
        """A texture chain of an A8R8G8B8 image."""
        self.put(
            "render_surface",
            0x06000000 | n,
            RenderSurface(
                id=0x06000000 | n,
                category=0,
                width=width,
                height=height,
                format=PixelFormat.A8R8G8B8,
                data=bgra,
            ),
        )
        self.put("surface_texture", 0x05000000 | n, SurfaceTexture(0x05000000 | n, 0, 2, (0x06000000 | n,)))

    def put(self, kind: str, object_id: int, record: object) -> None:
        self.source.records[kind, object_id] = record

    def ground(self, z: float | None, around: int = 1) -> SceneBuilder:
        """Flat terrain on the block and its neighbours that is *drawn* at that height."""
        if z is not None:
            self.source.heights[1] = z + RENDER_DROP
            bx, by = self.block >> 24, self.block >> 16 & 0xFF
            for x in range(max(0, bx - around), min(254, bx + around) + 1):
                for y in range(max(0, by - around), min(254, by + around) + 1):
                    block = x << 24 | y << 16
                    self.put("land_block", block, LandBlock(block | 0xFFFF, 1, (0,) * 81, (1,) * 81))
        return self

    def cell(
        self,
        low: int,
        polygons: Sequence[tuple[Corners, str]],
        portals: Sequence[tuple[Corners, int, int, int]] = (),
        *,
        exact: bool = False,
        seen_outside: bool = True,
        statics: Sequence[int] = (),
        visible: Sequence[int] = (),
    ) -> SceneBuilder:
        """A cell. Portals: corners, portal_side, low word of the neighbour or EXIT, its portal or −1."""
        vertices, drawn, slots = self._polygons(polygons)
        openings: list[CellPortal] = []
        for corners, side, other, other_portal in portals:
            key = len(drawn)
            drawn.append(self._polygon(vertices, key, corners, 0))
            flags = (0 if side else 2) | (1 if exact else 0) | (4 if other == EXIT else 0)
            openings.append(CellPortal(flags, key, other, other_portal))
        struct = CellStruct(
            key=len(self._structures),
            vertex_array=VertexArray(1, tuple(vertices)),
            polygons=tuple(drawn),
            portals=tuple(p.polygon for p in openings),
            cell_bsp=BspNode("BPFL", Plane((0.0, 0.0, 1.0), 1000.0)),
            physics_polygons=(),
            physics_bsp=BspNode("LEAF", index=0, solid=0, sphere=NO_SPHERE, polys=()),
        )
        self._structures.append(struct)
        stabs = tuple(Stab(i, StoredFrame(self.middle, (1.0, 0.0, 0.0, 0.0))) for i in statics)
        record = EnvCell(
            id=self.block | low,
            flags=(1 if seen_outside else 0) | (2 if stabs else 0),
            surfaces=tuple(s & 0xFFFF for s in slots),
            environment=1,
            structure=struct.key,
            frame=StoredFrame(self.middle, (1.0, 0.0, 0.0, 0.0)),
            portals=tuple(openings),
            visible=tuple(visible),
            statics=stabs or None,
        )
        self.put("env_cell", self.block | low, record)
        return self

    def gfx_obj(
        self,
        polygons: Sequence[tuple[Corners, str]],
        openings: Sequence[tuple[Corners, int]] = (),
        flags: int = 2,
        translucency: float = 0.0,
        *,
        sides: int = 0,
    ) -> int:
        """A model; openings are (corners, portal index) in a PORT node of its drawing tree."""
        vertices, drawn, slots = self._polygons(polygons, flags, translucency, sides)
        keys = tuple(p.key for p in drawn)
        leaf = BspNode("BPOL", Plane((0.0, 0.0, 1.0), 0.0), sphere=NO_SPHERE, polys=keys)
        tree = leaf
        if openings:
            refs: list[PortalRef] = []
            for corners, index in openings:
                refs.append(PortalRef(len(drawn), index))
                drawn.append(self._polygon(vertices, len(drawn), corners, 0))
            end = BspNode("BPOL", Plane((0.0, 0.0, 1.0), 0.0), sphere=NO_SPHERE, polys=())
            plane = Plane((0.0, 1.0, 0.0), 0.0)
            tree = BspNode(
                tag="PORT",
                plane=plane,
                pos_child=leaf,
                neg_child=end,
                sphere=NO_SPHERE,
                polys=(),
                portals=tuple(refs),
            )
        object_id = self._next_gfx
        self._next_gfx += 1
        array = VertexArray(1, tuple(vertices))
        record = GfxObj(object_id, 2, tuple(slots), array, polygons=tuple(drawn), drawing_bsp=tree)
        self.put("gfx_obj", object_id, record)
        return object_id

    def building(self, model: int, portals: Sequence[tuple[int, int, int]]) -> SceneBuilder:
        """A building at the scene's origin. Portals: portal_side, low word of the cell, its portal."""
        openings = tuple(BldPortal(0 if side else 2, low, k, ()) for side, low, k in portals)
        self._buildings.append(
            BuildingInfo(model, StoredFrame(self.middle, (1.0, 0.0, 0.0, 0.0)), 0, openings)
        )
        return self

    def outdoor_object(self, model: int) -> SceneBuilder:
        self._objects.append(Stab(model, StoredFrame(self.middle, (1.0, 0.0, 0.0, 0.0))))
        return self

    def world(self, *, problems: bool = False) -> World:
        """The world, loaded; without a problem unless they are expected."""
        self.put("environment", 0x0D000001, Environment(0x0D000001, tuple(self._structures)))
        cells = len(self.source.cell_ids(self.block))
        info = LandBlockInfo(
            id=self.block | 0xFFFE,
            num_cells=cells,
            objects=tuple(self._objects),
            mask=0,
            buildings=tuple(self._buildings),
        )
        self.put("land_block_info", self.block, info)
        world = World(self.source)
        world.load_around(self.block | 1, 1)
        assert problems or not world.problems.lines, world.problems.lines
        return world

    def _polygons(
        self,
        polygons: Sequence[tuple[Corners, str]],
        flags: int = 2,
        translucency: float = 0.0,
        sides: int = 0,
    ) -> tuple[list[SWVertex], list[Polygon], list[int]]:
        vertices: list[SWVertex] = []
        drawn: list[Polygon] = []
        slots: list[int] = []
        for corners, name in polygons:
            surface = self.color(COLORS[name], flags, translucency)
            if surface not in slots:
                slots.append(surface)
            polygon = self._polygon(vertices, len(drawn), corners, slots.index(surface))
            drawn.append(replace(polygon, sides_type=sides))
        return vertices, drawn, slots

    @staticmethod
    def _polygon(vertices: list[SWVertex], key: int, corners: Corners, slot: int) -> Polygon:
        a, b, c = (np.array(p) for p in corners[:3])
        normal = np.cross(b - a, c - a)
        normal = tuple(float(v) for v in normal / np.linalg.norm(normal))
        first = len(vertices)
        vertices.extend(SWVertex(first + k, p, normal, ((0.5, 0.5),)) for k, p in enumerate(corners))
        ids = tuple(range(first, first + len(corners)))
        return Polygon(
            key=key,
            stippling=0,
            sides_type=0,
            pos_surface=slot,
            neg_surface=-1,
            vertex_ids=ids,
            pos_uv_indices=(0,) * len(corners),
        )


def record_of(scene: SceneBuilder, model: int):  # type: ignore[no-untyped-def]
    """A scene's model as it is on disk."""
    return scene.source.records["gfx_obj", model]


def free_what_nobody_holds(ctx: moderngl.Context) -> None:
    """Release the GL objects that were let go of; one that was released by hand stands there as nothing."""
    while True:
        try:
            ctx.gc()
            return
        except AttributeError:
            continue


class Stage:
    """A renderer of a synthetic world, asked for pictures from places in its scene."""

    def __init__(
        self, ctx: moderngl.Context, scene: SceneBuilder, size: int = 200, *, problems: bool = False
    ) -> None:
        self.world = scene.world(problems=problems)
        self.middle = scene.middle
        self.block = scene.block
        self.size = size
        free_what_nobody_holds(ctx)
        self.renderer = Renderer(ctx, self.world, size, size)
        self.options = RenderOptions(
            sentinel=True, check_stencil=True, plain=True, flat_sky=tuple(c / 255 for c in SKY)
        )

    def frame(
        self,
        cell: int,
        eye: Vec3 = (0.0, 0.0, 0.0),
        yaw: float = 0.0,
        pitch: float = 0.0,
        *,
        view_options: ViewOptions | None = None,
        foot: Vec3 | None = None,
    ) -> PictureView:
        """What is seen from an eye with the field of C0 (90° by 90°); ``cell`` is a low word.

        The foot, which lies in the cell, is where the eye is unless it is given.
        """
        right, up, forward = basis(yaw, pitch)
        m = self.middle
        at = (eye[0] + m[0], eye[1] + m[1], eye[2] + m[2])
        f = eye if foot is None else foot
        view = View(
            at, right=right, up=up, forward=forward, tan_x=1.0, tan_y=1.0, width=self.size, height=self.size
        )
        body = (f[0] + m[0], f[1] + m[1], f[2] + m[2])
        return build_view(
            self.world, self.block | cell, foot=body, pivot=at, eye=at, view=view, options=view_options
        )

    def picture(
        self,
        cell: int,
        eye: Vec3 = (0.0, 0.0, 0.0),
        yaw: float = 0.0,
        pitch: float = 0.0,
        *,
        objects: SceneObjects | None = None,
        foot: Vec3 | None = None,
        **changes: object,
    ) -> np.ndarray:
        """The picture as rgb, after checking what every picture must satisfy."""
        frame = self.frame(cell, eye, yaw, pitch, foot=foot)
        return self.draw(frame, objects, **changes)

    def draw(self, frame: PictureView, objects: SceneObjects | None = None, **changes: object) -> np.ndarray:
        options = replace(self.options, **changes)  # type: ignore[arg-type]
        stats = self.renderer.draw(frame, objects, options)
        assert self.renderer.gl_errors() == []
        assert stats.path == frame.path
        return self.renderer.read_rgba()[..., :3]

    def checked(self, cell: int, eye: Vec3 = (0.0, 0.0, 0.0), yaw: float = 0.0, **more: object) -> np.ndarray:
        """The same, which must also be whole and leave the stencil as it should be."""
        picture = self.picture(cell, eye, yaw, **more)  # type: ignore[arg-type]
        stats = self.renderer.stats
        assert stats.sentinel == 0
        expected = {"outdoor": {0x80}, "interior": {0, 0x80}, "sealed": {0}}[stats.path]
        assert stats.stencil_residue <= expected and stats.stencil_residue
        return picture


def count(picture: np.ndarray, *colors: tuple[int, ...] | str) -> int:
    """How many pixels have one of these colours, ±1 a channel."""
    total = 0
    for color in colors:
        rgb = np.array(COLORS[color] if isinstance(color, str) else color, np.int16)
        total += int((np.abs(picture.astype(np.int16) - rgb) <= 1).all(axis=-1).sum())
    return total


def window(picture: np.ndarray, half: int = 25) -> np.ndarray:
    """The middle of a picture."""
    n = picture.shape[0] // 2
    return picture[n - half : n + half, n - half : n + half]


def outside_window(picture: np.ndarray, half: int = 25) -> np.ndarray:
    """A picture's pixels beside its middle, as a list."""
    mask = np.ones(picture.shape[:2], bool)
    n = picture.shape[0] // 2
    mask[n - half : n + half, n - half : n + half] = False
    return picture[mask]


DOOR = quad(2.0, -0.5, 0.5, z0=-0.5, z1=0.5)


def room_a(**more: object) -> SceneBuilder:
    """I1: room A with DOOR to the outside and terrain at −0.2 everywhere."""
    ground = more.pop("ground", -0.2)
    statics = more.pop("statics", ())
    scene = SceneBuilder(**more)  # type: ignore[arg-type]
    scene.ground(ground)  # type: ignore[arg-type]
    polygons = room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR)
    return scene.cell(0x100, polygons, [(DOOR, 0, EXIT, -1)], statics=statics)  # type: ignore[arg-type]


HOUSE_DOOR = quad(5.0, -1.0, 1.0, z0=-1.0, z1=1.0)


def house(scene: SceneBuilder, y: float = 5.0, low: int = 0x200, extra: Sequence[tuple[Corners, str]] = (),
          *, suffix: str = "") -> SceneBuilder:  # fmt: skip
    """I6: a front wall x∈[−3,3], z∈[−1,3] with a door x±1, z±1 and an interior box 4 m deep, floor −1.2."""
    door = quad(y, -1.0, 1.0, z0=-1.0, z1=1.0)
    front = frame_wall(quad(y, -3.0, 3.0, z0=-1.0, z1=3.0), door)
    model = scene.gfx_obj([*((p, "shell") for p in front), *extra], [(door, 0)])
    inside = room(-2.5, 2.5, y, y + 4.0, z0=-1.2, z1=2.0, back=door, suffix=suffix)
    scene.cell(low, inside, [(door, 1, EXIT, -1)])
    return scene.building(model, [(0, low, 0)])


def context() -> moderngl.Context:
    """A context that lets go of what nobody holds any more whenever a new stage is set up in it."""
    made = create_headless()
    made.gc_mode = "context_gc"
    return made


def angle_range(step: float) -> list[float]:
    return [math.fmod(-180.0 + step * k, 360.0) for k in range(int(360 / step) + 1)]
