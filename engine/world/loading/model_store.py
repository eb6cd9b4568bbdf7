"""Setups and GfxObjs into models: parts with physics trees, placement frames and shapes (dat-format 4.9)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

from engine.dat.hex_id import hex_id
from engine.dat.number_rules import (
    FARTHEST,
    LEAST_SCALE,
    cylsphere_fault,
    length_fault,
    place_fault,
    sphere_fault,
)
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.physics_script import PhysicsScript
from engine.dat.records.setup import Setup
from engine.dat.values import IDENTITY_FRAME, NO_SPHERE, Sphere, Vec3
from engine.world.bsp import BspNode
from engine.world.frame import Frame
from engine.world.loading.env_cells import checked_frame
from engine.world.loading.script_looks import changes_looks
from engine.world.loading.trees import Corners, physics_tree, polygon_table
from engine.world.models import Model, PartModel
from engine.world.polygon import Polygon, bounding_sphere
from engine.world.source import Problems, WorldSource

DEFAULT_STEP = 0.01
GFXOBJ_TYPE, SETUP_TYPE = 0x01, 0x02
PLAIN_SCALE = (1.0, 1.0, 1.0)
T = TypeVar("T")

NO_BOX = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


MOST_OF_MODEL = 10_000  # and parts of a model: what people wear has some dozens


class ModelStore:
    """Builds each model and each part once; what is missing or damaged is reported once, and None.

    Any thread may ask.
    """

    def __init__(self, source: WorldSource, problems: Problems) -> None:
        self.source = source
        self.problems = problems
        self._models: dict[int, Model | None] = {}
        self._parts: dict[int, PartModel | None] = {}
        self._looks: dict[int, bool] = {}

    def model(self, model_id: int) -> Model | None:
        """The model of a Setup (0x02...) or of a GfxObj (0x01...) as a one-part Setup."""
        try:
            return self._models[model_id]
        except KeyError:
            return self._models.setdefault(model_id, self._build(model_id))

    def known(self, model_id: int) -> Model | None:
        """A model that has been built; None for others, which are not built now."""
        return self._models.get(model_id)

    def has(self, model_id: int) -> bool:
        """Whether a model, or a part, has been built and is one."""
        return self._models.get(model_id) is not None or self._parts.get(model_id) is not None

    def part(self, gfxobj_id: int) -> PartModel | None:
        """The collision side of a GfxObj."""
        try:
            return self._parts[gfxobj_id]
        except KeyError:
            return self._parts.setdefault(gfxobj_id, self._build_part(gfxobj_id))

    def adopt(self, model_id: int, model: Model | None) -> None:
        """A model that was built elsewhere from the same source; one that is here stays."""
        self._models.setdefault(model_id, model)

    def size(self) -> int:
        """How many polygons the parts hold that are kept."""
        return sum(len(part.physics_polygons) for part in list(self._parts.values()) if part is not None)

    def keep(self, used: Collection[int]) -> None:
        """Forget all models but these, and the parts that none of them has."""
        parts: set[int] = set(used)
        for model_id, model in list(self._models.items()):
            if model_id not in used:
                self._models.pop(model_id, None)
            elif model is not None:
                parts.update(part.gfxobj_id for part in model.parts)
        for gfxobj_id in [key for key in list(self._parts) if key not in parts]:
            self._parts.pop(gfxobj_id, None)

    def _build(self, model_id: int) -> Model | None:
        kind = model_id >> 24
        if kind == GFXOBJ_TYPE:
            part = self.part(model_id)
            return None if part is None else _one_part(model_id, part)
        if kind != SETUP_TYPE:
            self._report(model_id, "is neither a Setup nor a GfxObj")
            return None
        setup = self.problems.require(self.source.setup, model_id, self._missing(model_id, "Setup"))
        if setup is None:
            return None
        shapes = len(setup.parts) + len(setup.cylspheres) + len(setup.spheres)
        if shapes > MOST_OF_MODEL:
            self._report(model_id, f"{shapes} parts and shapes, over {MOST_OF_MODEL}: nothing is made of it")
            return None
        return self._of_setup(model_id, setup)

    def _of_setup(self, model_id: int, setup: Setup) -> Model:
        frames = setup.resting_frames()
        scales = setup.scales or ()
        parts: list[PartModel] = []
        part_frames: list[Frame] = []
        part_scales: list[Vec3] = []
        for index, gfxobj_id in enumerate(setup.parts):
            part = self.part(gfxobj_id) if gfxobj_id else None
            stored = frames[index] if index < len(frames) else IDENTITY_FRAME
            frame = checked_frame(
                stored, f"part {index}: its placement frame", lambda line: self._report(model_id, line)
            )
            if frame is None:
                part, frame = None, Frame.stored(IDENTITY_FRAME)
            scale = scales[index] if index < len(scales) else PLAIN_SCALE
            fault = place_fault(scale)
            if fault is not None:
                self._report(model_id, f"part {index}: its scale {fault}; taken as 1")
                scale = PLAIN_SCALE
            if part is not None and part.physics_root is not None and abs(scale[2]) < LEAST_SCALE:
                self._report(
                    model_id, f"part {index}: its scale {scale[2]:g} along z: nothing collides with it"
                )
            parts.append(
                part
                or PartModel(
                    gfxobj_id=gfxobj_id, physics_root=None, physics_polygons={}, sphere=None, box=NO_BOX
                )
            )
            part_frames.append(frame)
            part_scales.append(scale)
        cylspheres = self._sound(model_id, "cylinder", setup.cylspheres, cylsphere_fault)
        spheres = self._sound(model_id, "sphere", setup.spheres, sphere_fault)
        sorting = self._sound(model_id, "sorting sphere", (setup.sorting,), sphere_fault)
        height, radius, step_up, step_down = (
            self._length(model_id, name, value)
            for name, value in (
                ("height", setup.height),
                ("radius", setup.radius),
                ("step-up height", setup.step_up),
                ("step-down height", setup.step_down),
            )
        )
        return Model(
            model_id=model_id,
            parts=tuple(parts),
            part_frames=tuple(part_frames),
            part_scales=tuple(part_scales),
            cylspheres=cylspheres,
            spheres=spheres,
            height=height,
            radius=radius,
            step_up=step_up,
            step_down=step_down,
            sorting_sphere=sorting[0] if sorting else NO_SPHERE,
            motion_table=setup.motion_table,
            script=setup.script,
            script_table=setup.script_table,
            animation=setup.animation,
            changes_looks=self._changes_looks(setup.script),
        )

    def _changes_looks(self, script_id: int) -> bool:
        """Whether a script changes looks, 0 for none; looked for once: many models may name a long one."""
        known = self._looks.get(script_id)
        if known is None:
            known = self._looks[script_id] = script_id != 0 and changes_looks(self._script, script_id)
        return known

    def _script(self, script_id: int) -> PhysicsScript | None:
        return self.problems.fetch(self.source.physics_script, script_id)

    def _sound(
        self, model_id: int, what: str, shapes: Iterable[T], fault_of: Callable[[T], str | None]
    ) -> tuple[T, ...]:
        """The shapes without a fault; those with one are reported and left out."""
        kept: list[T] = []
        for shape in shapes:
            fault = fault_of(shape)
            if fault is None:
                kept.append(shape)
            else:
                self._report(model_id, f"a {what} {fault}; left out")
        return tuple(kept)

    def _length(self, model_id: int, name: str, value: float) -> float:
        fault = length_fault(value)
        if fault is not None:
            self._report(model_id, f"its {name} {fault}; taken as 0")
        return 0.0 if fault is not None else value

    def _build_part(self, gfxobj_id: int) -> PartModel | None:
        record = self.problems.require(self.source.gfx_obj, gfxobj_id, self._missing(gfxobj_id, "GfxObj"))
        if record is None:
            return None
        physics_polygons: dict[int, Polygon] = {}
        physics_root: BspNode | None = None
        corners = Corners(record.vertex_array)
        if record.physics_bsp is not None:
            records = record.physics_polygons or ()
            physics_polygons = polygon_table(
                records, corners, "physics", lambda line: self._report(gfxobj_id, line)
            )
            physics_root = physics_tree(
                record.physics_bsp, physics_polygons, records, lambda line: self._report(gfxobj_id, line)
            )
        sound = list(corners.places.values())
        if corners.faults:
            sound = [place for key, place in corners.places.items() if key not in corners.faults]
            self._report(
                gfxobj_id,
                f"{len(corners.faults)} vertices are not finite or over {FARTHEST:.0f} m off: its box leaves"
                " them out",
            )
        return PartModel(
            gfxobj_id=gfxobj_id,
            physics_root=physics_root,
            physics_polygons=physics_polygons,
            sphere=_part_sphere(record, corners, physics_root),
            box=_box(sound),
        )

    def _missing(self, object_id: int, kind: str) -> str:
        return f"{self.source.name}, object {hex_id(object_id)}: {kind} is missing; a marker stands in"

    def _report(self, object_id: int, reason: str) -> None:
        self.problems.report(f"{self.source.name}, object {hex_id(object_id)}: {reason}")


def _one_part(model_id: int, part: PartModel) -> Model:
    """A lone GfxObj: an identity frame, no shapes of its own, the default step heights."""
    return Model(
        model_id=model_id,
        parts=(part,),
        part_frames=(Frame((0.0, 0.0, 0.0)),),
        part_scales=((1.0, 1.0, 1.0),),
        cylspheres=(),
        spheres=(),
        height=max(0.0, part.box[1][2]),
        radius=part.sphere.radius if part.sphere is not None else 0.0,
        step_up=DEFAULT_STEP,
        step_down=DEFAULT_STEP,
        sorting_sphere=part.sphere or NO_SPHERE,
        motion_table=0,
    )


def _part_sphere(record: GfxObj, corners: Corners, physics_root: BspNode | None) -> Sphere | None:
    """What bounds a part: the root of its physics tree, else its drawing polygons."""
    if physics_root is not None:
        return Sphere(physics_root.center, physics_root.radius)
    places, faults = corners.places, corners.faults
    used = {key for polygon in record.polygons or () for key in polygon.vertex_ids}
    points = [places[key] for key in sorted(used) if key in places and key not in faults]
    return Sphere(*bounding_sphere(points)) if points else None


def _box(points: list[Vec3]) -> tuple[Vec3, Vec3]:
    if not points:
        return NO_BOX
    xs, ys, zs = zip(*points, strict=True)
    return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))
