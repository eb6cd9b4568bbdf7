"""Which particles a pixel shows, and what bears them: by the models that this very frame draws of them."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.particles.effects import Bearer, Shown
from engine.particles.world_effects import ENTITY, PLACED
from engine.world.ids import rebase
from engine.world.loading.world import World
from viewer.asking.drawn_faces import Face, FaceStore, met_at, uv_at
from viewer.asking.pick_ray import PixelRay
from viewer.renderer.scene.entities import SceneObjects
from viewer.report.picked import Flying, PickKind

LEAST = 0.02  # what a particle must add to a pixel at least, of 1


class _Hit(NamedTuple):
    t: float
    share: float
    face: Face
    row: int


class ParticlePicker:
    """Finds the particles that a pixel shows before what is solid; ``names`` are those of entities."""

    def __init__(self, world: World, store: FaceStore, names: Mapping[int, str]) -> None:
        self._world = world
        self._store = store
        self._names = names

    def pick(self, ray: PixelRay, objects: SceneObjects, limit: float) -> tuple[Flying, ...]:
        """The nearest particle of each emitter that the pixel shows up to ``limit`` metres, nearest first."""
        if objects.particles is None:
            return ()
        eye = rebase(ray.eye, ray.root, 0)
        shown = objects.particles(eye, lambda cell: ray.stretch_of(cell) is not None)
        nearest: dict[int, _Hit] = {}
        for row in self._near(shown, ray.direction).tolist():
            stretch = ray.stretch_of(int(shown.cells[row]))
            if stretch is None:
                continue
            hit = self._hit(shown, row, ray.direction, stretch=(stretch[0], min(limit, stretch[1])))
            bearer = int(shown.born_by[row])
            if hit is not None and (bearer not in nearest or hit.t < nearest[bearer].t):
                nearest[bearer] = hit
        found = sorted(nearest.items(), key=lambda item: item[1].t)
        return tuple(self._told(shown, shown.bearers[bearer], hit, ray) for bearer, hit in found)

    def _near(self, shown: Shown, direction: Vec3) -> np.ndarray:
        """The rows whose spheres a ray from the eye goes through."""
        middles, radii = shown.places.astype(float), np.zeros(len(shown))
        for model in np.unique(shown.models).tolist():
            faces = self._store.part(int(model))
            some = np.flatnonzero(shown.models == model)
            axes = shown.axes[some].astype(float)
            middles[some] += axes @ np.array(faces.center)
            radii[some] = faces.radius * np.sqrt((axes**2).sum(axis=1)).max(axis=1)
        d = np.array(direction)
        along = np.maximum(middles @ d, 0.0)
        off = middles - along[:, None] * d
        return np.flatnonzero(np.einsum("ij,ij->i", off, off) <= radii**2)

    def _hit(self, shown: Shown, row: int, direction: Vec3, *, stretch: tuple[float, float]) -> _Hit | None:
        """Where a particle meets the ray, if it does and shows there."""
        axes = shown.axes[row].astype(float)
        if abs(np.linalg.det(axes)) < 1e-12:
            return None
        back = np.linalg.inv(axes)
        start, way = _vec(back @ -shown.places[row].astype(float)), _vec(back @ np.array(direction))
        best: _Hit | None = None
        for face in self._store.part(int(shown.models[row])).faces:
            t = met_at(start, way, face.points, either=True)
            if t is None or not stretch[0] <= t <= stretch[1] or (best is not None and best.t <= t):
                continue
            at = (start[0] + t * way[0], start[1] + t * way[1], start[2] + t * way[2])
            share = float(shown.alphas[row]) * self._store.paints(face.surface, uv_at(face, at))
            if share >= LEAST:
                best = _Hit(t, share, face, row)
        return best

    def _told(self, shown: Shown, bearer: Bearer, hit: _Hit, ray: PixelRay) -> Flying:
        texture, image = self._store.texture(hit.face.surface)
        kind, owner, name, building = self._owner(bearer)
        axes = shown.axes[hit.row].astype(float)
        middle = np.array(ray.eye) + shown.places[hit.row].astype(float)
        return Flying(
            kind=kind, cell=bearer.cell, owner=owner, name=name, building=building, part=bearer.part,
            emitter=bearer.emitter, script=bearer.script, gfxobj=int(shown.models[hit.row]),
            surface=hit.face.surface, texture=texture, image=image, distance=hit.t, alpha=hit.share,
            place=ray.place(hit.t),
            corners=tuple(_vec(middle + axes @ np.array(point)) for point in hit.face.points),
        )  # fmt: skip

    def _owner(self, bearer: Bearer) -> tuple[PickKind, int, str, int]:
        """What bears an emitter: its kind, id, name, and a building's number, -1 for another thing."""
        assert isinstance(bearer.key, tuple)
        word, number = bearer.key
        what, _, block_word = word.partition(" ")
        if what == ENTITY:
            return PickKind.ENTITY, number, self._names.get(number, ""), -1
        block_id = int(block_word, 16)
        if what == PLACED:
            placed = self._world.blocks[block_id].statics[number]
            return PickKind.OBJECT, placed.object_id, placed.name, -1
        return PickKind.BUILDING, block_id, "", number


def _vec(values: np.ndarray) -> Vec3:
    x, y, z = (float(value) for value in values)
    assert math.isfinite(x + y + z)
    return x, y, z
