"""A renderer of a scene that is asked for pictures, each of them checked."""

from __future__ import annotations

import ctypes
from ctypes import c_int, c_uint, c_void_p
from typing import TYPE_CHECKING

import numpy as np

from engine.dat.values import Vec3
from engine.visibility.picture_view import PictureView, ViewOptions, build_view
from engine.visibility.view import View, basis
from tests.viewer.renderer.flat_shapes import SKY
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.gl.context import create_headless
from viewer.renderer.images.surfaces import SurfaceLibrary
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.renderer import Renderer
from viewer.renderer.scene.entities import SceneObjects
from viewer.renderer.scene.mesh_library import MeshLibrary

if TYPE_CHECKING:
    import moderngl

    from engine.world.loading.world import World
    from viewer.renderer.gl.array_texture import ArrayTexture
    from viewer.renderer.images.textures import TextureStore

_ARRAY, _RGBA, _BYTES = 0x8C1A, 0x1908, 0x1401


def first_level(array: ArrayTexture, size: tuple[int, int, int]) -> np.ndarray:
    """The first level of an array of four components: layers, height and width as in ``size``."""
    out = np.empty((*size, 4), np.uint8)
    array.texture.use(0)
    load = array.texture.ctx.mglo._context.load_opengl_function
    read = ctypes.CFUNCTYPE(None, c_uint, c_int, c_uint, c_uint, c_void_p)(load("glGetTexImage"))
    read(_ARRAY, 0, _RGBA, _BYTES, out.ctypes.data)
    return out


def free_what_nobody_holds(ctx: moderngl.Context) -> None:
    """Release the GL objects that were let go of; one that was released by hand stands there as nothing."""
    while True:
        try:
            ctx.gc()
            return
        except AttributeError:
            continue


def library_of(world: World, store: TextureStore) -> MeshLibrary:
    """The meshes of a world whose textures are kept in ``store``."""
    surfaces = SurfaceLibrary(world.source, store, world.problems)
    return MeshLibrary(world.source, surfaces, world.problems, model_of=world.model)


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

    def seen(
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
        picture = self.seen(cell, eye, yaw, pitch, foot=foot)
        return self.draw(picture, objects, **changes)

    def draw(
        self, picture: PictureView, objects: SceneObjects | None = None, **changes: object
    ) -> np.ndarray:
        options = self.options._replace(**changes)
        stats = self.renderer.draw(picture, objects, options)
        assert self.renderer.gl_errors() == []
        assert stats.path == picture.path
        return self.renderer.read_rgba()[..., :3]

    def checked(self, cell: int, eye: Vec3 = (0.0, 0.0, 0.0), yaw: float = 0.0, **more: object) -> np.ndarray:
        """The same, which must also be whole and leave the stencil as it should be."""
        picture = self.picture(cell, eye, yaw, **more)  # type: ignore[arg-type]
        stats = self.renderer.stats
        assert stats.sentinel == 0
        expected = {"outdoor": {0x80}, "interior": {0, 0x80}, "sealed": {0}}[stats.path]
        assert stats.stencil_residue <= expected and stats.stencil_residue
        return picture


def context() -> moderngl.Context:
    """A context that lets go of what nobody holds any more whenever a new stage is set up in it."""
    made = create_headless()
    made.gc_mode = "context_gc"
    return made
