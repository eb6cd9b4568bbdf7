"""Draws the things of a frame as the passes ask for them; the passes alone decide where and when."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.particles.effects import Shown, joined
from engine.world.ids import is_outdoor, rebase
from engine.world.loading.world import World
from viewer.renderer.gl.gl_state import GlState
from viewer.renderer.gl.pixel_watch import (
    BEFORE_LAND,
    BLENDED,
    CELL,
    ENTITY,
    GROUND,
    IN_SKY,
    OUTDOORS,
    REACHING,
    SHELLS,
)
from viewer.renderer.gl.programs import EVERYWHERE, LIGHT_BINDING, Programs
from viewer.renderer.gl.stats import PictureStats
from viewer.renderer.passes.blended_items import BlendedFinder, BlendedItem
from viewer.renderer.passes.paints import cell_paint, land_paint
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.block_meshes import BlockMeshes
from viewer.renderer.scene.entities import DrawnObject, SceneObjects
from viewer.renderer.scene.lighting import (
    SkyLight,
    cell_block,
    day_group_of,
    landscape_block,
    plain_block,
    within,
)
from viewer.renderer.scene.matrices import EyeSpace
from viewer.renderer.scene.mesh_buffer import MeshGroup
from viewer.renderer.scene.mesh_drawer import BEHIND, EDGE, NO_OVERRIDE, MeshDrawer
from viewer.renderer.scene.point_lights import place_light
from viewer.renderer.scene.scene_store import SceneStore
from viewer.renderer.scene.sight import Sight
from viewer.renderer.sky.sky import Sky
from viewer.renderer.sky.sky_things import cell_of, sky_things

if TYPE_CHECKING:
    import moderngl

LANDSCAPE, CELLS, LOOK_IN = 0, 1, 2  # scopes of light (light 6.6)
_BLOCK_BYTES = 112
_LIT_HEIGHT = 1.0  # metres above an object's origin where its light is taken
_STRIDE = 256  # uniform buffer offsets must be multiples of up to that


class Painter:
    """One for a renderer; ``begin`` sets it up for a frame."""

    def __init__(
        self,
        ctx: moderngl.Context,
        programs: Programs,
        state: GlState,
        scene: SceneStore,
        *,
        drawer: MeshDrawer,
        world: World,
    ) -> None:
        self._programs = programs
        self._state = state
        self._scene = scene
        self._drawer = drawer
        self._world = world
        self._sky = Sky(ctx, programs, scene)
        self._lights = ctx.buffer(reserve=3 * _STRIDE)
        self.options = RenderOptions()
        self.stats = PictureStats()
        self.body_outdoors = True
        """Whether the body of the frame is in a landcell, wherever one looks from."""

    def begin(
        self,
        eye: EyeSpace,
        light: SkyLight,
        objects: SceneObjects,
        *,
        options: RenderOptions,
        seen_outside: bool,
        stats: PictureStats,
        sight: Sight,
    ) -> None:
        """Set up a frame. ``seen_outside`` is that of the player's cell, whatever the view's root is."""
        if options.view_distance is not None:
            light = within(light, options.view_distance)
        self._eye = eye
        self._light = light
        self._day = day_group_of(self._scene.region, options.day_group)
        self._in_sky = sky_things(self._day, options.day_fraction, options.seconds, weather=options.weather)
        self._objects = objects
        self._shown: dict[int, bool] = {}
        self._sight = sight
        self.options = options
        self.stats = stats
        self._blended = BlendedFinder(
            scene=self._scene, eye=eye, objects=objects, options=options, shows=self._shows
        )
        self._drawer.begin(stats)
        self._scene.particles.begin(self._flying(objects, sight.shows), self._light_at)
        if options.plain:
            blocks = [plain_block()] * 3
        else:
            t, fog = options.textures, options.fog
            blocks = [
                landscape_block(light, sun=options.sun, fog=fog, textures=t),
                cell_block(light, seen_outside=seen_outside, fog=False, textures=t),
                cell_block(light, seen_outside=seen_outside, fog=fog, textures=t),
            ]
        self._lights.write(b"".join(b.ljust(_STRIDE, b"\0") for b in blocks))

    def _flying(self, objects: SceneObjects, in_picture: Callable[[int], bool]) -> Shown | None:
        """The particles of the frame, those of things in the sky among them."""
        if not self.options.particles or self.options.wants_sentinel:
            return None
        x, y, z = self._eye.relative(0)
        eye = (-x, -y, -z)
        shown = objects.particles(eye, in_picture) if objects.particles is not None else None
        above = objects.sky_particles(eye, self._in_sky) if objects.sky_particles is not None else None
        return joined(shown, above) if shown is not None and above is not None else shown or above

    def light(self, scope: int) -> None:
        """Switch between the lights of the landscape, the cells and the cells of a look-in."""
        self._lights.bind_to_uniform_block(LIGHT_BINDING, offset=scope * _STRIDE, size=_BLOCK_BYTES)

    def begin_landscape(self, where: int) -> None:
        """Draw from now on everywhere, or only beyond the exits of the frame."""
        self._programs.begin_landscape(where)
        self._drawer.begin_at_exits(on=where != EVERYWHERE)

    def is_ready(self, block_id: int) -> bool:
        """Whether a landblock's meshes are on the GPU: until then it has no shells and no insides."""
        return self._scene.block(block_id) is not None

    def sky(self) -> None:
        """The sky, over all that the stencil lets through."""
        override = land_paint(self.options)
        flat = override[:3] if override[3] else self.options.flat_sky
        self.stats.draws += self._sky.draw(self._eye, self._light, flat, sun=not self._day.objects)
        self.stats.landscape_draws += 1
        self._state.note("sky")
        if flat is None:
            self._draw_in_sky(foreground=False)

    def weather(self) -> None:
        """What of the sky is drawn after the landscape: only while the body is outdoors (particles 8.5)."""
        shown = self.body_outdoors and self.options.weather
        if shown and not land_paint(self.options)[3] and self.options.flat_sky is None:
            self._draw_in_sky(foreground=True)

    def terrain(self) -> None:
        """The ground of all loaded blocks."""
        if not self.options.terrain:
            return
        self._programs.terrain["u_override"].value = land_paint(self.options)  # type: ignore[union-attr]
        self.stats.draws += self._scene.terrain.draw(self._eye, apart=self.options.terrain_apart)
        for on, switch, color in (
            (self._state.backs_too, self._state.backs, BEHIND),
            (self._state.edges_too, self._state.edges, EDGE),
        ):
            if on:
                self._programs.terrain["u_override"].value = color  # type: ignore[union-attr]
                switch(on=True)
                self._scene.terrain.draw(self._eye)
                switch(on=False)
        self._state.note("ground", GROUND)

    def shells(self) -> None:
        """The outsides of all buildings."""
        self._drawer.override(land_paint(self.options))
        for meshes in self._scene.blocks() if self.options.shells else ():
            if meshes.vao is not None and self._sees(meshes.block_id, meshes.all_shells):
                self._drawer.model(self._eye.block_matrix(meshes.block_id))
                self._draw_in_sight(meshes, meshes.all_shells)
                self._state.note(f"shells of {hex_id(meshes.block_id)}", SHELLS, meshes.block_id)

    def outdoor_things(self) -> None:
        """The opaque part of objects and entities outdoors."""
        if not self.options.objects:
            return
        drawer, eye = self._drawer, self._eye
        drawer.override(land_paint(self.options))
        for meshes in self._scene.blocks():
            if meshes.vao is not None and self._sees(meshes.block_id, meshes.outdoor):
                drawer.model(eye.block_matrix(meshes.block_id))
                self._draw_in_sight(meshes, meshes.outdoor)
                block_id = meshes.block_id
                self._state.note(f"outdoor objects of {hex_id(block_id)}", OUTDOORS, block_id)
        self._reaching_out()
        things = [thing for thing in self._objects.outdoors if self._shows(thing)]
        if self._state.order_shows or drawer.at_exits:
            for thing in things:
                self._scene.entities.draw(drawer, eye, thing, blended=False)
                self._state.note(f"entity {hex_id(thing.object_id)}", ENTITY, thing.object_id)
        else:
            for thing in things:
                if thing.appearance is not None:
                    self._scene.entities.draw(drawer, eye, thing, blended=False)
            drawer.begin_several()
            drawer.override(land_paint(self.options))
            self._scene.entities.draw_together(drawer, eye, things)
            drawer.begin_at_exits(on=False)

    def _draw_in_sight(self, meshes: BlockMeshes, group: MeshGroup) -> None:
        """Those opaque pieces of a landblock's group that may be in the picture."""
        assert meshes.vao is not None
        if group.pieces is None:
            self._drawer.draw(meshes.vao, group.opaque)
        else:
            seen = self._sight.sees_each(meshes.block_id, group.pieces.centers, group.pieces.radii)
            self._drawer.draw_seen(meshes.vao, group, seen)

    def _reaching_out(self) -> None:
        """What cells hold near their exits, in the light of the cells: no sun for a chair by a window.

        Where the shells are left out, it stays with its cells: a window's leads would hang in mid-air.
        """
        if not self.options.shells:
            return
        found = [m for m in self._scene.blocks() if m.reaching.opaque and self._sees(m.block_id, m.reaching)]
        if not found:
            return
        self.light(LOOK_IN)
        for meshes in found:
            if meshes.vao is not None:
                self._drawer.model(self._eye.block_matrix(meshes.block_id))
                self._drawer.draw(meshes.vao, meshes.reaching.opaque)
                block_id = meshes.block_id
                self._state.note(f"what reaches out of the cells of {hex_id(block_id)}", REACHING, block_id)
        self.light(LANDSCAPE)

    def outdoor_blended(self) -> None:
        """What is translucent outdoors, on shells too: far to near, what only adds light last (passes 3.11).

        Of what stands indoors as well, an interior frame shows here what is beyond the exits' seals: the rest
        is drawn with its cells, and nothing twice.
        """
        if self.options.cell_ids:
            return
        self._drawer.override(land_paint(self.options))
        for block_id, item in self._blended.outdoors():
            self._programs.behind_seals(on=not all(is_outdoor(c) for c in item.cells))
            self.light(LOOK_IN if item.lit_indoors else LANDSCAPE)
            self._draw_blended(item, block_id)
        self._programs.behind_seals(on=False)
        self.light(LANDSCAPE)

    def cell(self, cell_id: int, *, also_outdoors: bool = True) -> None:
        """The opaque part of a cell: its shell with its statics, and the entities that it holds.

        Without ``also_outdoors`` entities that stand outdoors too are left to the landscape.
        """
        drawer, eye = self._drawer, self._eye
        drawer.override(cell_paint(self.options, cell_id))
        group = self._group(cell_id)
        meshes = self._scene.block(cell_id)
        if group is not None and meshes is not None and meshes.vao is not None and group.opaque:
            drawer.model(eye.block_matrix(cell_id))
            drawer.draw(meshes.vao, group.opaque)
            self._state.note(f"cell {hex_id(cell_id)}", CELL, cell_id)
        for thing in self._objects.in_cell(cell_id) if self.options.objects else ():
            if not self._shows(thing) or (not also_outdoors and any(is_outdoor(c) for c in thing.cells)):
                continue
            drawer.object_light(self._light_on(thing, cell_id))
            self._scene.entities.draw(drawer, eye, thing, blended=False)
            object_id = thing.object_id
            self._state.note(f"entity {hex_id(object_id)} in {hex_id(cell_id)}", ENTITY, object_id)
        drawer.object_light((0.0, 0.0, 0.0))
        self.stats.cells_drawn += 1

    def blended_in(self, cell_id: int) -> list[BlendedItem]:
        """What is translucent in a cell, far to near, each with all the cells that it reaches into."""
        return [] if self.options.cell_ids else self._blended.in_cell(cell_id)

    def work_in(self, cell_id: int) -> int:
        """How much there is to draw in a cell, about as many things."""
        return self._blended.work_in(cell_id)

    def report(self, reason: str) -> None:
        """Note that something of the frame is left out."""
        self._world.problems.report(f"{self._world.source.name}: {reason}")

    def blended(self, item: BlendedItem, cell_id: int) -> None:
        """Draw a translucent item with the light of a cell."""
        self._drawer.override(cell_paint(self.options, cell_id))
        if item.thing is not None:
            self._drawer.object_light(self._light_on(item.thing, cell_id))
        self._draw_blended(item, cell_id)
        self._drawer.object_light((0.0, 0.0, 0.0))

    def _draw_blended(self, item: BlendedItem, cell_id: int) -> None:
        """The translucent ranges of an item; a group's vertices are those of the block of ``cell_id``."""
        drawer, eye = self._drawer, self._eye
        meshes = self._scene.block(cell_id)
        if item.group is not None and meshes is not None and meshes.vao is not None:
            drawer.model(eye.block_matrix(cell_id))
            drawer.draw(meshes.vao, item.group.blended)
        if item.thing is not None:
            self._scene.entities.draw(drawer, eye, item.thing, blended=True)
        if item.run is not None:
            indoors = item.cells and not is_outdoor(cell_id)
            override = cell_paint(self.options, cell_id) if indoors else land_paint(self.options)
            self._scene.particles.draw(drawer, item.run, override)
        kind, of = item.key
        name = kind if item.run is not None else f"{kind} {hex_id(of)}"  # a run's is no id of anything
        self._state.note(f"translucent: {name}", f"{BLENDED}{kind}", of)

    def _draw_in_sky(self, *, foreground: bool) -> None:
        """Things of one of the sky's passes, each with what flies about it (particles 8.6).

        What is behind the land has no fog on it, and no sun: it is farther than both.
        """
        for thing in [thing for thing in self._in_sky if thing.foreground is foreground]:
            self.stats.draws += self._sky.draw_things(self._eye, self._light, (thing,), self._drawer)
            runs = self._scene.particles.runs(cell_of(thing))
            if runs:
                self.light(LANDSCAPE if foreground else CELLS)
                for run in runs:
                    self._scene.particles.draw(self._drawer, run, NO_OVERRIDE)
                self.light(LANDSCAPE)
        self._state.note(f"{IN_SKY}, {BEFORE_LAND}" if foreground else IN_SKY)

    def _light_on(self, thing: DrawnObject, cell_id: int) -> Vec3:
        """The point lights on an object as it stands in a cell."""
        meshes = self._scene.block(cell_id)
        cell = self._world.env_cell(cell_id)
        if meshes is None or cell is None or not meshes.lights:
            return (0.0, 0.0, 0.0)
        place = rebase(thing.frame.origin, thing.cell_id, cell_id)
        return place_light((place[0], place[1], place[2] + _LIT_HEIGHT), meshes.lights_near(cell))

    def _light_at(self, cell_id: int, place: Vec3) -> Vec3:
        """The point lights in a room at a place relative to the eye."""
        meshes, cell = self._scene.block(cell_id), self._world.env_cell(cell_id)
        if meshes is None or cell is None or not meshes.lights:
            return (0.0, 0.0, 0.0)
        x, y, z = self._eye.relative(cell_id)
        return place_light((place[0] - x, place[1] - y, place[2] - z), meshes.lights_near(cell))

    def _group(self, cell_id: int) -> MeshGroup | None:
        meshes = self._scene.block(cell_id)
        return meshes.cells.get(cell_id) if meshes is not None else None

    def _shows(self, thing: DrawnObject) -> bool:
        """Whether anything of an entity may be in the picture; worked out once a frame."""
        found = self._shown.get(thing.object_id)
        if found is None:
            reach = self._scene.entities.reach(thing)
            found = self._eye.sees_sphere(thing.cell_id, thing.frame.origin, reach)
            self._shown[thing.object_id] = found
        return found

    def _sees(self, block_id: int, group: MeshGroup) -> bool:
        return bool(group.opaque) and self._sight.sees(block_id, group.center, group.radius)
