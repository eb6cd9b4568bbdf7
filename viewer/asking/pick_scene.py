"""What of a frame a ray can meet: the pieces of cells, buildings, ground and things, where they are drawn.

Everything comes from the frame's floods and the landblocks, as the passes draw it: no cell is looked up by
position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.world.bsp import BspNode
from engine.world.cells import EnvCell, Landblock, PlacedObject
from engine.world.frame import Frame
from engine.world.ids import is_outdoor
from engine.world.loading.world import World
from engine.world.models import Model
from engine.world.polygon import Polygon, bounding_sphere
from viewer.asking.drawn_faces import Faces, FaceStore
from viewer.renderer.scene.block_meshes import OUTDOORS, cells_reached
from viewer.renderer.scene.entities import FIGURE, DrawnObject, SceneObjects
from viewer.report.picked import PickKind


@dataclass(frozen=True, slots=True)
class Piece:
    """A part or shell where it stands: ``frame`` leads from its space, after scaling, to the block's frame.

    ``block`` is a cell of that block; ``cell`` the one that it is drawn with. ``physics`` are the polygons of
    its physics table and ``tree`` their tree.
    """

    kind: PickKind
    block: int
    cell: int
    owner: int
    name: str
    setup: int
    part: int
    gfxobj: int
    frame: Frame
    scale: Vec3
    faces: Faces
    physics: dict[int, Polygon]
    tree: BspNode | None
    building: int = -1


class _Standing(NamedTuple):
    """A part of a model that stands somewhere, by its number; ``frame`` in the block frame of its place."""

    part: int
    frame: Frame
    scale: Vec3
    faces: Faces
    model: Model

    def piece(
        self, kind: PickKind, *, block: int, cell: int, owner: int, name: str, building: int = -1
    ) -> Piece:
        """It as a piece of the scene."""
        found = self.model.parts[self.part]
        return Piece(
            kind=kind,
            block=block,
            cell=cell,
            owner=owner,
            name=name,
            setup=self.model.model_id,
            part=self.part,
            gfxobj=found.gfxobj_id,
            frame=self.frame,
            scale=self.scale,
            faces=self.faces,
            physics=found.physics_polygons,
            tree=found.physics_root,
            building=building,
        )


class PickScene:
    """The pieces of a world and the moving things of one frame; ``names`` are those of entities.

    What stands outdoors is put together once, for all rays through it: ``is_of`` tells how long it holds.
    """

    def __init__(
        self, world: World, store: FaceStore, objects: SceneObjects, names: Mapping[int, str]
    ) -> None:
        self._world = world
        self._store = store
        self._objects = objects
        self._names = dict(names)
        self._version = world.version
        self._shells: list[Piece] | None = None
        self._outdoors: list[Piece] | None = None
        self._statics: dict[int, list[tuple[PlacedObject, tuple[int, ...]]]] = {}

    def is_of(self, objects: SceneObjects, names: Mapping[int, str]) -> bool:
        """Whether this is still the scene of that frame's things under those names."""
        return objects is self._objects and names == self._names and self._world.version == self._version

    def cell(self, cell_id: int, *, also_outdoors: bool = True) -> Iterator[Piece]:
        """A cell's shell, and the statics and things that are drawn with it.

        Without ``also_outdoors`` things that stand outdoors too are left to the landscape.
        """
        cell = self._world.env_cell(cell_id)
        if cell is None:
            return
        s = cell.structure
        yield Piece(
            kind=PickKind.CELL,
            block=cell_id,
            cell=cell_id,
            owner=cell_id,
            name="",
            setup=0,
            part=-1,
            gfxobj=0,
            frame=cell.frame,
            scale=(1.0, 1.0, 1.0),
            faces=self._store.cell(cell),
            physics=s.physics_polygons,
            tree=s.physics_root,
        )
        block = self._world.blocks.get(cell_id & 0xFFFF0000)
        if block is not None:
            for placed, owners in self._indoor_statics(block):
                if cell_id in owners:
                    yield from self._placed(placed, cell_id)
        for thing in self._objects.in_cell(cell_id):
            if also_outdoors or not any(is_outdoor(c) for c in thing.cells):
                yield from self._thing(thing, cell_id)

    def shells(self) -> list[Piece]:
        """The outsides of all loaded buildings."""
        if self._shells is None:
            self._shells = list(self._all_shells())
        return self._shells

    def _all_shells(self) -> Iterator[Piece]:
        for block in self._world.blocks.values():
            for building in block.buildings:
                for standing in self._model(building.model_id, building.pos.frame, 1.0, shell=True):
                    yield standing.piece(
                        PickKind.BUILDING,
                        block=block.id,
                        cell=building.pos.cell_id,
                        owner=block.id,
                        name="",
                        building=building.index,
                    )

    def outdoor_things(self) -> list[Piece]:
        """Statics and things that stand outdoors or reach there."""
        if self._outdoors is None:
            self._outdoors = list(self._all_outdoor_things())
        return self._outdoors

    def _all_outdoor_things(self) -> Iterator[Piece]:
        for block in self._world.blocks.values():
            for placed in block.statics:
                if is_outdoor(placed.cell_id):
                    yield from self._placed(placed, placed.cell_id)
            for placed, owners in self._indoor_statics(block):
                if OUTDOORS in owners:
                    yield from self._placed(placed, placed.cell_id)
        for thing in self._objects.outdoors:
            yield from self._thing(thing, next(c for c in thing.cells if is_outdoor(c)))

    def statics(self, block_id: int) -> Iterator[Piece]:
        """The statics of a landblock, in its cells and outdoors."""
        block = self._world.blocks.get(block_id)
        for placed in block.statics if block is not None else ():
            yield from self._placed(placed, placed.cell_id)

    def entity(self, object_id: int) -> Iterator[Piece]:
        """A thing that moves or comes and goes, wherever it is."""
        for thing in self._objects.objects:
            if thing.object_id == object_id:
                yield from self._thing(thing, thing.cell_id)

    def ground(self) -> Iterator[tuple[int, Polygon]]:
        """Every triangle of the loaded ground with its landcell; its block's frame."""
        for block in self._world.blocks.values():
            for land in block.land_cells:
                for polygon in land.polygons:
                    yield land.id, polygon

    def _indoor_statics(self, block: Landblock) -> list[tuple[PlacedObject, tuple[int, ...]]]:
        """The statics of a block's cells, each with the cells that it is drawn with."""
        found = self._statics.get(block.id)
        if found is None:
            found = []
            for placed in block.statics:
                home = block.env_cells.get(placed.cell_id)
                if home is not None:
                    found.append((placed, self._owners(placed, home)))
            self._statics[block.id] = found
        return found

    def _owners(self, placed: PlacedObject, home: EnvCell) -> tuple[int, ...]:
        points = []
        for standing in self._model(placed.model_id, placed.frame, placed.scale):
            k = standing.scale
            points += [
                standing.frame.to_global((x * k[0], y * k[1], z * k[2]))
                for face in standing.faces.faces
                for x, y, z in face.points
            ]
        return tuple(cells_reached(home, *bounding_sphere(points)))

    def _placed(self, placed: PlacedObject, cell_id: int) -> Iterator[Piece]:
        for standing in self._model(placed.model_id, placed.frame, placed.scale):
            yield standing.piece(
                PickKind.OBJECT, block=placed.cell_id, cell=cell_id, owner=placed.object_id, name=placed.name
            )

    def _thing(self, thing: DrawnObject, cell_id: int) -> Iterator[Piece]:
        if thing.model_id == FIGURE:
            return
        for standing in self._model(thing.model_id, thing.frame, thing.scale, thing.part_frames):
            yield standing.piece(
                PickKind.ENTITY,
                block=thing.cell_id,
                cell=cell_id,
                owner=thing.object_id,
                name=self._name(thing),
            )

    def _name(self, thing: DrawnObject) -> str:
        return self._names.get(thing.object_id, "")

    def _model(
        self,
        model_id: int,
        frame: Frame,
        scale: float,
        poses: tuple[Frame, ...] | None = None,
        *,
        shell: bool = False,
    ) -> Iterator[_Standing]:
        """The parts of a model that stands somewhere."""
        model = self._world.model(model_id)
        if model is None:
            return
        for part, resting in enumerate(model.part_frames):
            pose = poses[part] if poses is not None and part < len(poses) else resting
            at = frame.combine(pose.scaled(scale))
            own = model.part_scales[part]
            size = (own[0] * scale, own[1] * scale, own[2] * scale)
            gfxobj = model.parts[part].gfxobj_id
            faces = self._store.part(gfxobj, shell=shell)
            yield _Standing(part=part, frame=at, scale=size, faces=faces, model=model)


def leaf_of(tree: BspNode | None, polygon: int) -> int:
    """The number of the leaf that holds a polygon; -1 where none does."""
    todo: list[BspNode] = [] if tree is None else [tree]
    while todo:
        node = todo.pop()
        if any(p.id == polygon for p in node.polygons):
            return node.index
        todo += [child for child in (node.neg, node.pos) if child is not None]
    return -1


def outlines(points: Iterable[Vec3], frame: Frame, scale: Vec3) -> tuple[Vec3, ...]:
    """Points of a piece's space where it stands."""
    kx, ky, kz = scale
    return tuple(frame.to_global((x * kx, y * ky, z * kz)) for x, y, z in points)
