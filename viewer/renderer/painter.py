"""Draws the things of a frame as the passes ask for them; the passes alone decide where and when."""

from __future__ import annotations

import moderngl

from engine.world.cells import EnvCell
from engine.world.world import World
from viewer.renderer.block_meshes import MeshGroup
from viewer.renderer.camera import EyeSpace
from viewer.renderer.entities import SceneObjects
from viewer.renderer.lighting import SkyLight, cell_block, landscape_block, plain_block
from viewer.renderer.mesh_drawer import NO_OVERRIDE, MeshDrawer
from viewer.renderer.options import RenderOptions
from viewer.renderer.point_lights import place_light
from viewer.renderer.programs import LIGHT_BINDING, Programs
from viewer.renderer.scene_store import SceneStore
from viewer.renderer.sky import Sky
from viewer.renderer.stats import FrameStats

LANDSCAPE, CELLS, LOOK_IN = 0, 1, 2  # scopes of light (rendering 6.6)
_BLOCK_BYTES = 112
_STRIDE = 256  # uniform buffer offsets must be multiples of up to that
_HIGHLIGHT = (1.0, 0.85, 0.2, 0.45)
_BLACK = (0.0, 0.0, 0.0, 1.0)


def cell_color(cell_id: int) -> tuple[float, float, float]:
    """A colour that tells a cell's id: different for ids that differ in their low 24 bits."""
    n = (cell_id * 0x9E3779B1) & 0xFFFFFF
    return ((n >> 16) / 255.0, (n >> 8 & 0xFF) / 255.0, (n & 0xFF) / 255.0)


class Painter:
    """One for a renderer; ``begin`` sets it up for a frame."""

    def __init__(
        self, ctx: moderngl.Context, programs: Programs, scene: SceneStore, drawer: MeshDrawer, world: World
    ) -> None:
        self._programs = programs
        self._scene = scene
        self._drawer = drawer
        self._world = world
        self._sky = Sky(ctx, programs.sky)
        self._lights = ctx.buffer(reserve=3 * _STRIDE)
        self.options = RenderOptions()
        self.stats = FrameStats()

    def begin(
        self,
        eye: EyeSpace,
        light: SkyLight,
        objects: SceneObjects,
        options: RenderOptions,
        seen_outside: bool,
        stats: FrameStats,
    ) -> None:
        """Set up a frame. ``seen_outside`` is that of the player's cell, whatever the view's root is."""
        self._eye = eye
        self._light = light
        self._objects = objects
        self.options = options
        self.stats = stats
        self._drawer.begin(stats)
        if options.plain:
            blocks = [plain_block()] * 3
        else:
            t, fog = options.textures, options.fog
            blocks = [
                landscape_block(light, options.sun, fog, t),
                cell_block(light, seen_outside, False, t),
                cell_block(light, seen_outside, fog, t),
            ]
        self._lights.write(b"".join(b.ljust(_STRIDE, b"\0") for b in blocks))

    def light(self, scope: int) -> None:
        """Switch between the lights of the landscape, the cells and the cells of a look-in."""
        self._lights.bind_to_uniform_block(LIGHT_BINDING, offset=scope * _STRIDE, size=_BLOCK_BYTES)

    def sky(self) -> None:
        """The sky, over all that the stencil lets through."""
        flat = (0.0, 0.0, 0.0) if self.options.cell_ids else self.options.flat_sky
        self.stats.draws += self._sky.draw(self._eye, self._light, flat)
        self.stats.landscape_draws += 1

    def terrain(self) -> None:
        """The ground of all loaded blocks."""
        override = _BLACK if self.options.cell_ids else NO_OVERRIDE
        self._programs.terrain["u_override"].value = override  # type: ignore[union-attr]
        self.stats.draws += self._scene.terrain.draw(self._eye)

    def shells(self) -> None:
        """The outsides of all buildings."""
        self._drawer.override(_BLACK if self.options.cell_ids else NO_OVERRIDE)
        for meshes in self._scene.blocks() if self.options.shells else ():
            if meshes.vao is not None and self._sees(meshes.block_id, meshes.all_shells):
                self._drawer.model(self._eye.block_matrix(meshes.block_id))
                self._drawer.draw(meshes.vao, meshes.all_shells.opaque)

    def outdoor_things(self, blended: bool) -> None:
        """Objects and entities outdoors; with the blended ones also what is blended on shells."""
        if blended and self.options.cell_ids:
            return
        drawer, eye = self._drawer, self._eye
        drawer.override(_BLACK if self.options.cell_ids else NO_OVERRIDE)
        for meshes in self._scene.blocks():
            if meshes.vao is None:
                continue
            ranges = meshes.outdoor.opaque
            if blended:
                ranges = meshes.outdoor.blended + (meshes.all_shells.blended if self.options.shells else ())
            if ranges:
                drawer.model(eye.block_matrix(meshes.block_id))
                drawer.draw(meshes.vao, ranges)
        self._scene.entities.draw(drawer, eye, self._objects.outdoors, blended)

    def has_blended(self, cell_id: int) -> bool:
        """Whether a cell or what stands in it has anything translucent."""
        if self.options.cell_ids:
            return False
        group = self._group(cell_id)
        if group is not None and group.blended:
            return True
        return self._scene.entities.any_blended(self._objects.in_cell(cell_id))

    def cell(self, cell_id: int, blended: bool) -> None:
        """A cell's shell with its statics, and the entities that it holds."""
        drawer, eye = self._drawer, self._eye
        override = NO_OVERRIDE
        if self.options.cell_ids:
            override = (*cell_color(cell_id), 1.0)
        elif cell_id in self.options.highlight:
            override = _HIGHLIGHT
        drawer.override(override)
        group = self._group(cell_id)
        meshes = self._scene.block(cell_id)
        if group is not None and meshes is not None and meshes.vao is not None:
            ranges = group.blended if blended else group.opaque
            if ranges:
                drawer.model(eye.block_matrix(cell_id))
                drawer.draw(meshes.vao, ranges)
        for thing in self._objects.in_cell(cell_id):
            cell = self._world.env_cell(cell_id)
            if meshes is not None and isinstance(cell, EnvCell) and meshes.lights:
                lights = meshes.lights_near(cell)
                drawer.object_light(place_light(thing.frame.origin, lights) if lights else (0.0, 0.0, 0.0))
            self._scene.entities.draw(drawer, eye, (thing,), blended)
        drawer.object_light((0.0, 0.0, 0.0))
        if not blended:
            self.stats.cells_drawn += 1

    def _group(self, cell_id: int) -> MeshGroup | None:
        meshes = self._scene.block(cell_id)
        return meshes.cells.get(cell_id) if meshes is not None else None

    def _sees(self, block_id: int, group: MeshGroup) -> bool:
        return bool(group.opaque) and self._eye.sees_sphere(block_id, group.center, group.radius)
