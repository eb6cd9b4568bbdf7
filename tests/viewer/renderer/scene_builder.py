"""Small flat-coloured worlds made of records in memory: cells, models, buildings, ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.dat.pieces.bsp_record import BspNode, PortalRef
from engine.dat.pieces.geometry import Polygon, SWVertex, VertexArray
from engine.dat.records.env_cell import CellPortal, EnvCell
from engine.dat.records.environment import CellStruct, Environment
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import BldPortal, BuildingInfo, LandBlockInfo, Stab
from engine.dat.records.render_surface import PixelFormat, RenderSurface
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.dat.values import NO_SPHERE, Plane, StoredFrame, Vec3
from engine.world.loading.world import World
from tests.viewer.renderer.flat_shapes import COLORS, EXIT, GRASS, ROCK, Corners
from tests.viewer.renderer.memory_source import BLOCK, MIDDLE, MemorySource
from viewer.renderer.scene.terrain_mesh import RENDER_DROP


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
            physics_bsp=BspNode("LEAF", leaf_index=0, solid=0, sphere=NO_SPHERE, polys=()),
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
            drawn.append(polygon._replace(sides_type=sides))
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
