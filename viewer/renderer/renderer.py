"""The renderer: draws exactly what a PictureView lists, into its own framebuffer (passes 3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.dat.values import Vec3
from engine.visibility.picture_view import PictureView
from engine.world.debug_shapes import DebugShapes
from engine.world.ids import is_outdoor
from engine.world.loading.world import World
from viewer.renderer.debug.readback import (
    depth_picture,
    difference_picture,
    holes_mask,
    holes_picture,
    stencil_picture,
)
from viewer.renderer.gl.context import RawGl
from viewer.renderer.gl.framebuffer import SceneTarget
from viewer.renderer.gl.gl_state import GlState
from viewer.renderer.gl.pixel_watch import Painted, PixelWatch
from viewer.renderer.gl.programs import Programs
from viewer.renderer.gl.resources import data_folder
from viewer.renderer.gl.stats import PictureStats
from viewer.renderer.gl.waiting import LONGEST, begin_picture, is_late
from viewer.renderer.passes.exit_depth import ExitDepth
from viewer.renderer.passes.interior_frame import draw_interior_frame
from viewer.renderer.passes.outdoor_frame import draw_outdoor_frame
from viewer.renderer.passes.painter import Painter
from viewer.renderer.passes.passes import ALL_BITS
from viewer.renderer.passes.picture_kit import PictureKit, draw_backdrop
from viewer.renderer.passes.picture_plan import Planner
from viewer.renderer.render_options import (
    BOX,
    DEPTH,
    DIFFERENCE,
    EXACT,
    HOLES,
    OVERDRAW_ALL,
    SCENE,
    STENCIL,
    UNCLIPPED,
    RenderOptions,
)
from viewer.renderer.scene.entities import SceneObjects
from viewer.renderer.scene.lighting import keyframes_of, sky_light
from viewer.renderer.scene.matrices import EyeSpace
from viewer.renderer.scene.mesh_drawer import MOST_TRIANGLES, MeshDrawer
from viewer.renderer.scene.scene_store import SceneStore
from viewer.renderer.scene.sight import Sight

if TYPE_CHECKING:
    import moderngl
    from numpy.typing import NDArray

    from viewer.renderer.debug.debug_draw import DebugDraw


class Renderer:
    """Draws a world. ``width`` and ``height`` are the picture's pixels and must be the view's.

    ``blocks_per_frame`` limits how many landblocks that were loaded since are made ready in one frame;
    None, the default, leaves none waiting.

    Raises MissingResourceError without shaders, NoGl where the driver cannot do it.
    """

    def __init__(
        self, ctx: moderngl.Context, world: World, width: int, height: int, *, shaders: Path | None = None
    ) -> None:
        self.ctx = ctx
        self.raw = RawGl(ctx)
        self.target = SceneTarget(ctx, self.raw, width, height)
        self._world = world
        self._state = GlState(self.raw)
        self._programs = Programs(ctx, shaders if shaders is not None else data_folder("shaders"))
        self.scene = SceneStore(ctx, self._programs, world)
        self._drawer = MeshDrawer(self._programs, self.scene.textures, self._state)
        self._painter = Painter(
            ctx, self._programs, self._state, self.scene, drawer=self._drawer, world=world
        )
        self._planner = Planner(ctx, world.blocks)
        self._exits = ExitDepth(ctx, self._programs.exits)
        self._debug: DebugDraw | None = None
        self.stats = PictureStats()
        self.blocks_per_frame: int | None = None

    def resize(self, width: int, height: int) -> None:
        """Draw pictures of another size from now on."""
        if (width, height) != (self.target.width, self.target.height):
            # The new one comes first: moderngl goes back to the framebuffer that was bound before.
            old, self.target = self.target, SceneTarget(self.ctx, self.raw, max(1, width), max(1, height))
            self.target.use()
            old.release()

    def draw(
        self,
        picture: PictureView,
        objects: SceneObjects | None = None,
        options: RenderOptions | None = None,
        shapes: Sequence[DebugShapes] = (),
    ) -> PictureStats:
        """Draw one frame, and debug shapes over it; the picture stays in ``target``. Returns its counters."""
        options = options if options is not None else RenderOptions()
        objects = objects if objects is not None else SceneObjects()
        if options.show == DIFFERENCE:
            # Against the mode that is on, or no clipping at all.
            mode = UNCLIPPED if options.clip_mode == EXACT else options.clip_mode
            # With one sample a pixel, as what it is compared with.
            self._scene(picture, objects, options._replace(show=SCENE, clip_mode=mode, samples=1))
            unclipped = self.read_rgba()[..., :3]
            options = options._replace(clip_mode=EXACT)
        eye, kit = self._scene(picture, objects, options, begins=options.show != DIFFERENCE)
        stats = self.stats
        if options.wants_sentinel:
            stats.sentinel = count_sentinel(self.read_rgba())
        alarm = ""
        if options.show == DIFFERENCE:
            self.target.write_rgb(difference_picture(self.read_rgba()[..., :3], unclipped))
        elif options.show == HOLES:
            self.target.write_rgb(holes_picture(self.read_rgba()[..., :3]))
            alarm = f"{stats.sentinel} pixels unpainted" if stats.sentinel else ""
        elif options.show == DEPTH:
            self.target.write_rgb(depth_picture(self.target.read_depth(), eye.near, eye.far))
        elif options.show == STENCIL:
            values = self.target.read_stencil()
            if kit.look_in_stencil is not None:
                values = np.where(kit.look_in_stencil != 0, kit.look_in_stencil, values)
            self.target.write_rgb(stencil_picture(values))
        state = self._state
        state.edges_only = state.edges_too = state.backs_too = state.adds_up = state.ignores_depth = False
        if shapes or alarm or options.draws_over:
            self._draws_over().draw(picture, eye, options, shapes=shapes, alarm=alarm)
        state.rest()
        self.target.resolve(self._programs)
        return stats

    def pixel_history(
        self,
        picture: PictureView,
        objects: SceneObjects,
        options: RenderOptions,
        pixel: tuple[int, int],
    ) -> tuple[Painted, ...]:
        """Draw a frame's passes and tell what changed a pixel, x and y from the picture's upper left corner.

        What is left in ``target`` is the scene without what is drawn over it.
        """
        options = options._replace(samples=1)
        self.target.sample(1)
        self.target.use()
        self._state.forget()  # every history begins with the same in the target
        self._state.clear_color((0.0, 0.0, 0.0))
        self._state.clear_depth()
        self._state.clear_stencil(0, ALL_BITS)
        watch = PixelWatch(self.target, pixel[0], self.target.height - 1 - pixel[1])
        self._state.watch = watch
        try:
            self._scene(picture, objects, options)
        finally:
            self._state.watch = None
        return tuple(watch.painted)

    def _scene(
        self, picture: PictureView, objects: SceneObjects, options: RenderOptions, *, begins: bool = True
    ) -> tuple[EyeSpace, PictureKit]:
        """The passes of a frame, which begins a picture or goes on with one."""
        stats = self.stats = PictureStats(path=picture.path)
        eye = EyeSpace(picture.view, picture.root)
        sight = Sight(picture, eye)
        self.scene.update(
            picture.root,
            self.blocks_per_frame,
            lambda block: (
                sight.shows_rooms(block.id) or sight.sees(block.id, *self.scene.bounds.sphere(block))
            ),
            # Where frame follows frame, none is to wait for what comes into sight.
            sight if self.blocks_per_frame is None else None,
        )
        if begins:
            begin_picture(self.ctx)  # its landblocks are ready
        body = self._world.get_visible(picture.body_cell)
        seen_outside = body.seen_outside if body is not None else True
        light = sky_light(keyframes_of(self.scene.region, options.day_group), options.day_fraction)
        width, height = self.target.width, self.target.height
        plan = self._planner.plan(picture, eye, width=width, height=height, boxes=options.clip_mode == BOX)
        if options.beyond_exits and plan.exits_box is not None and plan.exits.size:
            self._exits.draw(
                self._state, self._planner.deep, plan.exits, box=plan.exits_box, size=(width, height)
            )
        self.target.sample(options.drawn_samples)
        self._programs.many_samples(on=self.target.fbo_drawn is not self.target.fbo)
        self.target.use()
        self._state.edges_only = options.wire_only
        self._state.edges_too = options.edges
        self._state.backs_too = options.backs and not options.counts_paint
        self._state.adds_up = options.counts_paint
        self._state.ignores_depth = options.show == OVERDRAW_ALL
        self._state.forget()
        self._programs.set_view_projection(eye.view_projection)
        self._painter.body_outdoors = is_outdoor(picture.body_cell)
        self._painter.begin(
            eye,
            light,
            objects,
            options=options,
            seen_outside=seen_outside,
            stats=stats,
            sight=sight,
        )
        kit = PictureKit(
            self._state,
            self._programs,
            self._planner,
            self._painter,
            target=self.target,
            plan=plan,
            options=options,
            stats=stats,
            under_way=self._world.under_way,
        )
        if not options.visuals:
            draw_backdrop(kit)
        elif picture.flood is None:
            draw_outdoor_frame(kit)
        else:
            draw_interior_frame(kit, _background(light.fog_color, seen_outside=seen_outside))
        self._tell_of_the_rest()
        return eye, kit

    def _tell_of_the_rest(self) -> None:
        """Say what of the frame isn't drawn, where it is far too much."""
        if self.stats.is_cut:
            over = f"things of over {MOST_TRIANGLES:,} triangles are in one picture"
            self._painter.report(f"{over}: the rest isn't drawn")
        if is_late(self.ctx):
            took = f"over {LONGEST:.0f} s of processor time"
            self._painter.report(f"the picture took {took}: the rest of it isn't drawn")

    def _draws_over(self) -> DebugDraw:
        """What draws over the scene, made when something is: most pictures have nothing there."""
        if self._debug is None:
            from viewer.renderer.debug.debug_draw import DebugDraw

            self._debug = DebugDraw(
                self.ctx, self._programs, self._state, self.scene, drawer=self._drawer, world=self._world
            )
        return self._debug

    def read_rgba(self) -> NDArray[np.uint8]:
        """The picture, shape (height, width, 4), top row first."""
        return self.target.read_rgba()

    def gl_errors(self) -> list[int]:
        """What went wrong in GL since the last call; empty in a sound program."""
        return self.raw.errors()


def count_sentinel(rgba: NDArray[np.uint8]) -> int:
    """How many pixels nothing was drawn to, in a frame that began magenta."""
    return int(np.count_nonzero(holes_mask(rgba[..., :3])))


def _background(fog_color: Vec3, *, seen_outside: bool) -> Vec3:
    """What shows where a cell is missing: the fog's colour, black where no daylight comes (passes 3.3)."""
    return fog_color if seen_outside else (0.0, 0.0, 0.0)
