"""Things that move or come and go: doors with their leaves' poses, spawned objects, the player's figure.

What they are and which cells hold them is the physics' business; this module draws what it is told.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.particles.appearance import AS_IT_IS, Appearance
from engine.particles.effects import Shown
from engine.world.frame import Frame
from engine.world.ids import is_outdoor
from viewer.renderer.scene.matrices import EyeSpace, turn_columns
from viewer.renderer.scene.mesh_buffer import BufferBuilder, MeshGroup, bytes_held, release
from viewer.renderer.scene.mesh_drawer import MeshDrawer
from viewer.renderer.scene.mesh_library import MeshLibrary
from viewer.renderer.scene.meshes import Chunk

if TYPE_CHECKING:
    import moderngl

Particles = Callable[[Vec3, Callable[[int], bool]], Shown]


class SkyOwner(Protocol):
    """A thing of the sky as its effects need it: which it is, its model, how it stands about the eye."""

    @property
    def number(self) -> int:
        """Its place in the day group."""

    @property
    def model_id(self) -> int:
        """Its Setup or GfxObj."""

    @property
    def heading(self) -> float:
        """Degrees clockwise."""

    @property
    def angle(self) -> float:
        """Degrees about its own y."""

    @property
    def height(self) -> float | None:
        """Metres of its origin, None at the eye."""


SkyParticles = Callable[[Vec3, Sequence[SkyOwner]], Shown]

FIGURE = 0  # the model id of the figure that stands for the player in a world without a human
HUMAN = 0x02000001
_MOST_STANCES = 10_000


class DrawnObject(NamedTuple):
    """One object of a frame.

    ``frame`` is its place in the block frame of ``cell_id``, ``cells`` the full ids of the cells that
    hold it. ``part_frames`` are the poses of its parts relative to the object, its resting pose if None.
    ``alpha`` below 1 fades it out; ``appearance`` is what hooks have made of how it looks, None for nothing.
    """

    object_id: int
    model_id: int
    cell_id: int
    frame: Frame
    cells: tuple[int, ...]
    scale: float = 1.0
    part_frames: tuple[Frame, ...] | None = None
    alpha: float = 1.0
    appearance: Appearance | None = None

    @property
    def translucent(self) -> bool:
        """Whether any of it is drawn as translucent though its surfaces are not."""
        if self.appearance is None:
            return self.alpha < 1.0
        looks = (self.appearance.whole, *self.appearance.parts.values())
        return self.alpha < 1.0 or any(look.translucency > 0.0 for look in looks)


class SceneObjects:
    """The objects of a frame, by the cells that hold them. Landcells count as one place: outdoors.

    ``particles`` tells what flies about as seen from an eye (block 0,0's frame) in some cells,
    ``sky_particles`` what does about things of the sky, None where nothing does.
    """

    def __init__(
        self,
        objects: Iterable[DrawnObject] = (),
        particles: Particles | None = None,
        sky_particles: SkyParticles | None = None,
    ) -> None:
        self.objects = list(objects)
        self.particles = particles
        self.sky_particles = sky_particles
        self._by_cell: dict[int, list[DrawnObject]] = {}
        self.outdoors: list[DrawnObject] = []
        for thing in self.objects:
            stands_outdoors = False
            for cell_id in thing.cells:
                if is_outdoor(cell_id):
                    stands_outdoors = True
                else:
                    self._by_cell.setdefault(cell_id, []).append(thing)
            if stands_outdoors:
                self.outdoors.append(thing)

    def in_cell(self, cell_id: int) -> list[DrawnObject]:
        """The objects that an EnvCell holds."""
        return self._by_cell.get(cell_id, [])


class _Part(NamedTuple):
    vao: moderngl.VertexArray | None
    group: MeshGroup


def _reach(group: MeshGroup) -> float:
    return math.hypot(*group.center) + group.radius


class _StandingPart(NamedTuple):
    """A part, how it is turned and scaled (``turn_columns``), and its origin in its object's block frame."""

    part: _Part
    turn: bytes
    origin: Vec3


class _Stance:
    """A thing as it stood when last drawn: its parts, how far they reach, whether any is translucent."""

    __slots__ = ("_thing", "blended", "parts", "reach")

    def __init__(
        self, thing: DrawnObject, parts: list[_StandingPart], *, reach: float, blended: bool
    ) -> None:
        self._thing = thing
        self.parts = parts
        self.reach = reach
        self.blended = blended

    def holds(self, thing: DrawnObject) -> bool:
        """Whether a thing still stands so; asked several times a frame, mostly of the same object."""
        was = self._thing
        if was is not thing:
            if not (
                was.frame is thing.frame
                and was.part_frames == thing.part_frames
                and was.model_id == thing.model_id
                and was.scale == thing.scale
            ):
                return False
            self._thing = thing
        return True


class EntityMeshes:
    """Parts of models on the GPU, each once, drawn wherever an object stands; ``figure`` is FIGURE's."""

    def __init__(
        self,
        ctx: moderngl.Context,
        program: moderngl.Program,
        library: MeshLibrary,
        figure: Callable[[], list[Chunk]],
    ) -> None:
        self._ctx = ctx
        self._program = program
        self._library = library
        self._make_figure = figure
        self._made_figure: _Part | None = None
        self._stances: dict[int, _Stance] = {}
        self._parts: dict[int, _Part] = {}
        self._models: dict[int, list[tuple[_Part, Frame, Vec3]]] = {}

    def draw(self, drawer: MeshDrawer, eye: EyeSpace, thing: DrawnObject, *, blended: bool) -> None:
        """Draw the opaque or the blended ranges of an object; a faded one counts as blended.

        Of a faded one only what is in front is seen: its depths are drawn first, or its inside would show.
        """
        if blended and 0.0 < thing.alpha < 1.0 and drawer.only_depth(on=True):
            self._draw(drawer, eye, thing, blended=True)
            drawer.only_depth(on=False)
        self._draw(drawer, eye, thing, blended=blended)

    def _draw(self, drawer: MeshDrawer, eye: EyeSpace, thing: DrawnObject, *, blended: bool) -> None:
        for number, (part, turn, origin) in enumerate(self._stance(thing).parts):
            alpha = thing.alpha
            if thing.appearance is not None:
                look = thing.appearance.part(number)
                alpha *= 1.0 - look.translucency
                drawer.look(look)
            ranges = part.group.blended if blended else part.group.opaque
            if alpha < 1.0:
                ranges = (*part.group.opaque, *part.group.blended) if blended else ()
            if part.vao is not None and ranges and alpha > 0.0:
                drawer.model(eye.placed(turn, thing.cell_id, origin))
                drawer.draw_of_thing(part.vao, ranges, alpha)
        if thing.appearance is not None:
            drawer.look(AS_IT_IS)

    def draw_together(self, drawer: MeshDrawer, eye: EyeSpace, things: Iterable[DrawnObject]) -> None:
        """Draw the opaque ranges of objects, a part of all that have it at a time.

        Those that hooks have changed are left out: each looks as it alone does.
        """
        found: dict[int, tuple[_Part, list[bytes], list[float], list[float]]] = {}
        for thing in things:
            if thing.alpha >= 1.0 and thing.appearance is None:
                shift = eye.shift(thing.cell_id)
                for part, turn, origin in self._stance(thing).parts:
                    places = found.get(id(part))
                    if places is None:
                        places = found[id(part)] = part, [], [], []
                    places[1].append(turn)
                    places[2].extend(origin)
                    places[3].extend(shift)
        for part, turns, origins, shifts in found.values():
            if part.vao is not None and part.group.opaque:
                drawer.draw_all(part.vao, part.group.opaque, eye.placed_all(turns, origins, shifts))

    def reach(self, thing: DrawnObject) -> float:
        """How far from its place a thing as it is posed reaches at most, metres.

        Before its meshes are made its model tells it: none is made for what is out of sight.
        """
        if thing.model_id == FIGURE or thing.model_id in self._models:
            return self._stance(thing).reach
        return abs(thing.scale) * self._library.reach_posed(thing.model_id, thing.part_frames or ())

    def prepare(self, model_id: int, deadline: float) -> bool:
        """Make the parts of a model ready until about a time (``time.perf_counter``); whether all are.

        One is in any case.
        """
        for gfx_obj_id, _, _ in self._library.parts_of(model_id):
            if gfx_obj_id not in self._parts:
                self._part(gfx_obj_id)
                if time.perf_counter() > deadline:
                    break
        return all(part in self._parts for part, _, _ in self._library.parts_of(model_id))

    def keep(self, models: set[int]) -> None:
        """Forget all models but these, and give back the GPU memory of parts that none of them has."""
        for model_id in [model_id for model_id in self._models if model_id not in models]:
            del self._models[model_id]
        used = {part for model_id in self._models for part, _, _ in self._library.parts_of(model_id)}
        self._stances.clear()  # they hold parts
        for part in [part for part in self._parts if part not in used]:
            release(self._parts.pop(part).vao)

    @property
    def bytes_held(self) -> int:
        """GPU memory of the parts."""
        parts = [*self._parts.values(), *filter(None, [self._made_figure])]
        return sum(bytes_held(part.vao) for part in parts)

    def any_blended(self, thing: DrawnObject) -> bool:
        """Whether anything of an object is translucent."""
        return thing.translucent or self._stance(thing).blended

    def _stance(self, thing: DrawnObject) -> _Stance:
        """How a thing stands, worked out anew when it has moved or is posed in another way."""
        found = self._stances.get(thing.object_id)
        if found is None or not found.holds(thing):
            if len(self._stances) >= _MOST_STANCES:
                self._stances.clear()
            found = self._stances[thing.object_id] = self._stand(thing)
        return found

    def _stand(self, thing: DrawnObject) -> _Stance:
        k = thing.scale
        if thing.model_id == FIGURE:
            figure = self._figure()
            turn = turn_columns(thing.frame, (k, k, k))
            reach, blended = abs(k) * _reach(figure.group), bool(figure.group.blended)
            standing = [_StandingPart(figure, turn, thing.frame.origin)]
            return _Stance(thing, standing, reach=reach, blended=blended)
        model = self._model(thing.model_id)
        parts: list[_StandingPart] = []
        reach = 0.0
        for index, (part, resting, scale) in enumerate(model):
            pose = resting
            if thing.part_frames is not None and index < len(thing.part_frames):
                pose = thing.part_frames[index]
            at = thing.frame.combine(pose.scaled(k))
            turn = turn_columns(at, (scale[0] * k, scale[1] * k, scale[2] * k))
            parts.append(_StandingPart(part, turn, at.origin))
            reach = max(reach, math.hypot(*pose.origin) + _reach(part.group) * max(map(abs, scale)))
        blended = any(part.group.blended for part, _, _ in model)
        return _Stance(thing, parts, reach=abs(k) * reach, blended=blended)

    def _model(self, model_id: int) -> list[tuple[_Part, Frame, Vec3]]:
        found = self._models.get(model_id)
        if found is None:
            parts = self._library.parts_of(model_id)
            found = [(self._part(gfx_obj_id), frame, scale) for gfx_obj_id, frame, scale in parts]
            self._models[model_id] = found
        return found

    def _part(self, gfx_obj_id: int) -> _Part:
        found = self._parts.get(gfx_obj_id)
        if found is None:
            found = self._parts[gfx_obj_id] = self._upload(self._library.part(gfx_obj_id))
        return found

    def _figure(self) -> _Part:
        if self._made_figure is None:
            self._made_figure = self._upload(self._make_figure())
        return self._made_figure

    def _upload(self, chunks: list[Chunk]) -> _Part:
        builder = BufferBuilder()
        group = builder.add(chunks)
        return _Part(builder.upload(self._ctx, self._program), group)
