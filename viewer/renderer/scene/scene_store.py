"""The loaded world on the GPU: one BlockMeshes a landblock, and the terrain of all of them.

A landblock's vertices go when it goes. Models, their images and the parts of entities stay for those that
come next, until they are too many: then all goes that nothing loaded or under way has.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

from engine.dat.errors import DatError
from engine.dat.records.region import Region
from engine.world.cells import Landblock
from engine.world.frame import Frame
from engine.world.loading.world import World
from viewer.renderer.gl.programs import Programs
from viewer.renderer.images.materials import RenderClass
from viewer.renderer.images.surfaces import SurfaceLibrary
from viewer.renderer.images.textures import TextureStore
from viewer.renderer.scene.block_bounds import BlockBounds
from viewer.renderer.scene.block_maker import Made, Meshes, NewImage, NewPage, OldPage
from viewer.renderer.scene.block_meshes import MOST_VERTICES_OF_ALL, BlockMeshes
from viewer.renderer.scene.entities import HUMAN, EntityMeshes
from viewer.renderer.scene.figure_mesh import figure_chunks, figure_image
from viewer.renderer.scene.mesh_library import MeshLibrary
from viewer.renderer.scene.meshes import Batch, Chunk
from viewer.renderer.scene.particles import ParticleMeshes
from viewer.renderer.scene.sight import Sight
from viewer.renderer.scene.terrain_drawer import Terrain

if TYPE_CHECKING:
    import moderngl

    from engine.world.loading.streaming import Streamer

MOST_VERTICES = 2_000_000  # of models and cells, in the process's own memory
MOST_TEXTURE_BYTES = 256 << 20
MORE = 1.25  # so much more than what was in use when last seen to is not too much


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
        self._making = Lock()
        self._in_sky: set[int] = set()
        self.most_vertices, self.most_texture_bytes = MOST_VERTICES, MOST_TEXTURE_BYTES
        self._in_use = (0, 0)
        self._came: Meshes | None = None
        self._lost = False
        self.textures = TextureStore(ctx)
        self._surfaces = SurfaceLibrary(world.source, self.textures, world.problems)
        self._library = MeshLibrary(world.source, self._surfaces, world.problems, model_of=world.model)
        self.bounds = BlockBounds(self._library.reach)
        self.entities = EntityMeshes(ctx, programs.mesh, self._library, self._figure)
        self.particles = ParticleMeshes(ctx, programs.particles, self._library)
        self.region: Region | None = None
        try:
            self.region = world.source.region()
        except DatError as error:
            world.problems.report(str(error))
        self.terrain = Terrain(ctx, programs.terrain, world.source, world.problems, region=self.region)

    def follow(self, streamer: Streamer) -> None:
        """Make and upload landblocks as they come, on the streamer's worker and bit by bit."""
        streamer.builders.append(self.prepare)
        streamer.takers.append(self.take)
        streamer.gates.append(self.stage)
        streamer.discards.append(self.discard)

    def update(
        self,
        first: int,
        limit: int | None = None,
        in_sight: Callable[[Landblock], bool] = lambda _: True,
        only: Sight | None = None,
    ) -> None:
        """Bring the GPU up to date with the blocks that are loaded, the block of ``first`` before others.

        ``limit`` is the most blocks that are made ready now; the rest follow with later calls, those in sight
        before the others. Without a limit all are that are in sight or prepared, and the others as they come
        into sight. ``only`` what is in that sight is drawn now: a landblock that isn't prepared has nothing
        else until something else comes into sight, and then all of it.
        """
        world = self._world
        version = (world.version, world.horizon_version)
        came = version != self._version
        if came:
            self._version = version
            for block_id, (block, meshes) in list(self._blocks.items()):
                if world.blocks.get(block_id) is not block:
                    meshes.release()
                    del self._blocks[block_id]
                    self._lost = True
            self._waiting = [i for i in world.blocks if i not in self._blocks]
            self.bounds.keep(set(world.blocks))
        if self.region is not None and (came or self.terrain.waits):
            # One picture alone spares ground: to look for it once a frame costs more than to make it once.
            spared = only if self.terrain.is_empty else None
            self.terrain.update([*world.blocks.values(), *world.horizon.values()], spared)
        for block_id in self._next(first & 0xFFFF0000, limit, in_sight) if self._waiting else ():
            block = world.blocks[block_id]
            self._blocks[block_id] = (block, self._load(block, only))
            self._waiting.remove(block_id)
        for block_id, (block, meshes) in self._blocks.items():
            if meshes.lacks(only):
                meshes.release()
                self._blocks[block_id] = (block, self._load(block))
        if self._lost:
            self._tidy()

    def _next(self, first: int, limit: int | None, in_sight: Callable[[Landblock], bool]) -> list[int]:
        """The blocks that are made ready now, the most wanted first."""
        made, blocks = self._made, self._world.blocks
        seen = {i for i in self._waiting if i == first or i in made or in_sight(blocks[i])}
        if limit is None:
            return sorted(seen, key=lambda block_id: block_id != first)
        return sorted(self._waiting, key=lambda i: (i != first, i not in seen))[:limit]

    def blocks(self) -> list[BlockMeshes]:
        """The meshes of all blocks that are ready."""
        return [meshes for _, meshes in self._blocks.values()]

    def block(self, cell_id: int) -> BlockMeshes | None:
        """The meshes of a cell's block."""
        found = self._blocks.get(cell_id & 0xFFFF0000)
        return found[1] if found is not None else None

    def model(self, model_id: int) -> list[Chunk]:
        """A model of the sky in its own space; nothing for one that is missing."""
        if self._world.model(model_id) is None:
            return []
        self._in_sky.add(model_id)
        return self._library.placed(model_id, Frame((0.0, 0.0, 0.0)))

    def prepare(self, block: Landblock) -> None:
        """Make everything of a landblock that needs no context."""
        if self.region is not None:
            self.terrain.prepare(block)
        if block.env_cells or block.statics or block.buildings:
            with self._making:
                made = BlockMeshes(block, self._world.source, self._library, most=self._left(block.id))
                self._made[block.id] = (block, made)

    def take(self, made: Made) -> None:
        """What another process has made, in the order in which it was."""
        match made:
            case NewPage():
                self.textures.adopt(made.number, made.size, made.layers, cut_out=made.cut_out)
            case NewImage():
                self.textures.put(made.page, made.layer, made.levels)
            case OldPage():
                self.textures.drop(made.number)
            case Meshes():
                self._came = made

    def stage(self, block: Landblock, deadline: float) -> bool:
        """Upload what was prepared of a landblock, until about a time; whether all of it is up.

        The parts of what moves there are made ready, too: no frame has to make them when it is first seen.
        """
        self._adopt(block)
        if not self.textures.upload_queued(deadline):
            return False
        if self.region is not None:
            self.terrain.prepare(block)
        made = self._made.get(block.id)
        if made is not None and made[0] is block:
            made[1].upload(self._ctx, self._programs.mesh)
        moving = (thing.model_id for thing in block.statics if self._library.moves(thing.model_id))
        models = dict.fromkeys((*(thing.model_id for thing in block.entities), *moving))
        return all(self.entities.prepare(model_id, deadline) for model_id in models)

    def _adopt(self, block: Landblock) -> None:
        """Take the meshes that came with a landblock for its own."""
        came, self._came = self._came, None
        if came is not None and came.block_id == block.id:
            self._made[block.id] = (block, came.meshes)

    def discard(self, block: Landblock) -> None:
        """A landblock that was prepared is not to be loaded after all."""
        self._adopt(block)
        self.terrain.discard(block)
        made = self._made.get(block.id)
        if made is not None and made[0] is block:
            del self._made[block.id]
            made[1].release()
            self._lost = True

    @property
    def bytes_held(self) -> int:
        """GPU memory of all that was uploaded."""
        meshes = [*self.blocks(), *(meshes for _, meshes in list(self._made.values()))]
        shared = self.textures.bytes_held + self.terrain.bytes_held + self.entities.bytes_held
        shared += self.particles.bytes_held
        return shared + sum(each.bytes_held for each in meshes)

    def _tidy(self) -> None:
        """Free what nothing has any more, once there is too much; later, where a landblock is being made."""
        held = (self._library.size(), self.textures.bytes_held)
        most = (self.most_vertices, self.most_texture_bytes)
        if any(n > max(m, MORE * before) for n, m, before in zip(held, most, self._in_use, strict=True)):
            if not self._making.acquire(blocking=False):
                return
            try:
                self._free_unused()
            finally:
                self._making.release()
            self._in_use = (self._library.size(), self.textures.bytes_held)
        self._lost = False

    def _free_unused(self) -> None:
        blocks = [*self._world.blocks.values(), *(block for block, _ in self._made.values())]
        models = {thing.model_id for block in blocks for thing in (*block.statics, *block.entities)}
        models.update(building.model_id for block in blocks for building in block.buildings)
        models |= self._in_sky | self.particles.models | {HUMAN}
        self.entities.keep(models)
        self._surfaces.keep(
            self._library.keep(models, [cell for block in blocks for cell in block.env_cells.values()])
        )

    def _figure(self) -> list[Chunk]:
        """The figure that is drawn from code, where a world has no human."""
        page, layer = self.textures.add(figure_image())
        return figure_chunks(Batch(RenderClass.OPAQUE, page, wrap=False), layer)

    def _left(self, block_id: int) -> int:
        """How many vertices a landblock may have beside those of the others."""
        others = [*list(self._blocks.values()), *list(self._made.values())]
        return MOST_VERTICES_OF_ALL - sum(meshes.count for block, meshes in others if block.id != block_id)

    def _load(self, block: Landblock, only: Sight | None = None) -> BlockMeshes:
        made, meshes = self._made.pop(block.id, (None, None))
        if made is not block or meshes is None:
            world = self._world
            most = self._left(block.id)
            meshes = BlockMeshes(block, world.source, self._library, world.under_way, only=only, most=most)
        meshes.upload(self._ctx, self._programs.mesh)
        return meshes
