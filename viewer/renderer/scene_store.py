"""The loaded world on the GPU: one BlockMeshes a landblock, and the terrain of all of them."""

from __future__ import annotations

import moderngl

from engine.dat.errors import DatError
from engine.dat.region import Region
from engine.world.cells import Landblock
from engine.world.frame import Frame
from engine.world.world import World
from viewer.renderer.block_meshes import BlockMeshes
from viewer.renderer.entities import EntityMeshes
from viewer.renderer.figure import figure_chunks, figure_image
from viewer.renderer.materials import RenderClass
from viewer.renderer.mesh_library import MeshLibrary
from viewer.renderer.meshes import Batch, Chunk
from viewer.renderer.programs import Programs
from viewer.renderer.surfaces import SurfaceLibrary
from viewer.renderer.terrain import Terrain
from viewer.renderer.textures import TextureStore


class SceneStore:
    """Follows the world's version; what is drawn is decided elsewhere.

    ``prepare`` makes the meshes of a landblock on any thread, ahead of its time, ``stage`` uploads them
    bit by bit before it is loaded. Without these it is all done in the frame after the load.
    """

    def __init__(self, ctx: moderngl.Context, programs: Programs, world: World) -> None:
        self._ctx = ctx
        self._programs = programs
        self._world = world
        self._version = (-1, -1)
        self._made: dict[int, tuple[Landblock, BlockMeshes]] = {}
        self._waiting: list[int] = []
        self._blocks: dict[int, tuple[Landblock, BlockMeshes]] = {}
        self.textures = TextureStore(ctx)
        surfaces = SurfaceLibrary(world.source, self.textures, world.problems)
        self._library = MeshLibrary(world.source, surfaces, world.problems, world.model)
        page, layer = self.textures.add(figure_image())
        figure = figure_chunks(Batch(RenderClass.OPAQUE, page, False), layer)
        self.entities = EntityMeshes(ctx, programs.mesh, self._library, figure)
        self.region: Region | None = None
        try:
            self.region = world.source.region()
        except DatError as error:
            world.problems.report(str(error))
        self.terrain = Terrain(ctx, programs.terrain, world.source, world.problems, self.region)

    def update(self, first: int, limit: int | None = None) -> None:
        """Bring the GPU up to date with the blocks that are loaded, the block of ``first`` before others.

        ``limit`` is the most blocks that are made ready now; the rest follow with later calls.
        """
        world = self._world
        version = (world.version, world.horizon_version)
        if version != self._version:
            self._version = version
            for block_id, (block, meshes) in list(self._blocks.items()):
                if world.blocks.get(block_id) is not block:
                    meshes.release()
                    del self._blocks[block_id]
                    self._library.trim(world.blocks.values())
            self._waiting = [i for i in world.blocks if i not in self._blocks]
            self._waiting.sort(key=lambda block_id: block_id != first & 0xFFFF0000)
            if self.region is not None:
                self.terrain.update([*world.blocks.values(), *world.horizon.values()])
        now = len(self._waiting) if limit is None else limit
        for block_id in self._waiting[:now]:
            block = world.blocks[block_id]
            self._blocks[block_id] = (block, self._load(block))
        del self._waiting[:now]
        self.textures.finish_uploads()

    def blocks(self) -> list[BlockMeshes]:
        """The meshes of all loaded blocks."""
        return [meshes for _, meshes in self._blocks.values()]

    def block(self, cell_id: int) -> BlockMeshes | None:
        """The meshes of a cell's block."""
        found = self._blocks.get(cell_id & 0xFFFF0000)
        return found[1] if found is not None else None

    def model(self, model_id: int) -> list[Chunk]:
        """A model of the sky in its own space; nothing for one that is missing."""
        if self._world.model(model_id) is None:
            return []
        return self._library.placed(model_id, Frame((0.0, 0.0, 0.0)))

    def prepare(self, block: Landblock) -> None:
        """Make everything of a landblock that needs no context."""
        if self.region is not None:
            self.terrain.prepare(block)
        if block.env_cells or block.statics or block.buildings:
            self._made[block.id] = (block, BlockMeshes(block, self._world.source, self._library))

    def stage(self, block: Landblock, deadline: float) -> bool:
        """Upload what was prepared of a landblock, until about a time; whether all of it is up."""
        if not self.textures.upload_queued(deadline):
            return False
        made = self._made.get(block.id)
        if made is not None and made[0] is block:
            made[1].upload(self._ctx, self._programs.mesh)
        return True

    def discard(self, block: Landblock) -> None:
        """A landblock that was prepared is not to be loaded after all."""
        self.terrain.discard(block)
        made = self._made.get(block.id)
        if made is not None and made[0] is block:
            del self._made[block.id]
            made[1].release()

    def _load(self, block: Landblock) -> BlockMeshes:
        made, meshes = self._made.pop(block.id, (None, None))
        if made is not block or meshes is None:
            meshes = BlockMeshes(block, self._world.source, self._library)
        meshes.upload(self._ctx, self._programs.mesh)
        return meshes
