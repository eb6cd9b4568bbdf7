"""What is this? One pixel of a picture, by the real polygons of what the picture's floods show there."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from engine.physics.simulation.simulation import Simulation
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.visibility.why.explain import why
from engine.world.ids import is_outdoor, rebase
from engine.world.loading.world import World
from viewer.asking.drawn_faces import FaceStore
from viewer.asking.land_and_sky.pick_ground import GroundFinder
from viewer.asking.land_and_sky.pick_sky import SkyPicker
from viewer.asking.pick_particles import ParticlePicker
from viewer.asking.pick_ray import Met, PixelRay
from viewer.asking.pick_scene import PickScene
from viewer.renderer.gl.pixel_watch import Painted
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.entities import SceneObjects
from viewer.report.picked import FLYING_PASS, Facet, Flying, PickAnswer

HALF = 0.5  # a pixel's middle


def names_in(simulation: Simulation) -> dict[int, str]:
    """What things are called: by their own name, a door that has none ``door``."""
    names = {simulation.body.id: "your own figure", **dict.fromkeys(simulation.doors, "door")}
    return names | {n: placed.name for n, placed in simulation.objects.placed.items() if placed.name}


class Picker:
    """Answers about the pictures of one world; faces that were needed once are kept, and the last scene."""

    def __init__(self, world: World, openings: OpeningIndex) -> None:
        self._world = world
        self._openings = openings
        self._faces = FaceStore(world)
        self._last: PickScene | None = None
        self._sky = SkyPicker(world, self._faces)
        self._grounds = GroundFinder(world, self._faces)

    def pick(
        self, picture: PictureView, objects: SceneObjects, names: Mapping[int, str], pixel: tuple[int, int],
        *, particles: bool = True, options: RenderOptions | None = None,
    ) -> PickAnswer:  # fmt: skip
        """What a pixel shows, x and y from the picture's upper left corner.

        Through which openings it is seen is told where the picture's floods kept accounts. Particles
        are none of it without ``particles``; what hangs in the sky is told with ``options``, the picture's.
        """
        x, y = _ndc(picture, pixel)
        scene = self._scene(objects, names)
        ray = PixelRay(self._world, picture, scene, self._faces, at=(x, y))
        met = ray.met()
        if not met or not met[-1].is_solid:
            before = tuple(ray.facet(m) for m in met)
            shown = self._through(picture, 0x0001, (x, y)) if picture.outside_visible else ()
            outside = any(v.contains_point(x, y) for v in picture.outside)
            above = (
                self._sky.pick(picture, options, ray.direction) if outside and options is not None else None
            )
            return PickAnswer(
                pixel=pixel,
                root=picture.root,
                facet=None,
                place=None,
                solid=None,
                before=before,
                through=shown,
                note="the sky" if outside else "nothing drawn",
                flying=self._flying(ray, objects, names, limit=math.inf) if particles else (),
                sky=above,
            )
        last = met[-1]
        facet = self._grounded(ray, last)
        seen_in = facet.cell if last.room else picture.root & 0xFFFF0000 | 1
        return PickAnswer(
            pixel=pixel, root=picture.root, facet=facet, place=ray.place(last.t), solid=ray.solid(last),
            before=tuple(map(ray.facet, met[:-1])), through=self._through(picture, seen_in, (x, y)),
            flying=self._flying(ray, objects, names, limit=last.t) if particles else (),
        )  # fmt: skip

    def told(
        self, picture: PictureView, objects: SceneObjects, names: Mapping[int, str], answer: PickAnswer
    ) -> PickAnswer:
        """An answer that has its history, with the thing that the pixel shows of each draw."""
        scene = self._scene(objects, names)
        ray = PixelRay(self._world, picture, scene, self._faces, at=_ndc(picture, answer.pixel))
        return answer.with_history(tuple(_named(ray, painted, answer.flying) for painted in answer.history))

    def _scene(self, objects: SceneObjects, names: Mapping[int, str]) -> PickScene:
        """What there is in a frame, that of the pick before where it is the same."""
        if self._last is None or not self._last.is_of(objects, names):
            self._last = PickScene(self._world, self._faces, objects, names)
        return self._last

    def _grounded(self, ray: PixelRay, met: Met) -> Facet:
        """The face that was met; of the ground also what ground it is."""
        facet = ray.facet(met)
        block = self._world.blocks.get(met.land & 0xFFFF0000)
        if met.triangle is None or block is None:
            return facet
        land = block.land_cells[(met.land & 0xFFFF) - 1]
        place = rebase(ray.place(met.t), ray.root, met.land)
        ground = self._grounds.ground(land, met.triangle.id, place)
        layer = None if ground is None else ground.foremost
        if layer is None:
            return facet
        return replace(facet, ground=ground, texture=layer.texture, image=layer.image)

    def _flying(
        self, ray: PixelRay, objects: SceneObjects, names: Mapping[int, str], *, limit: float
    ) -> tuple[Flying, ...]:
        return ParticlePicker(self._world, self._faces, names).pick(ray, objects, limit)

    def _through(self, picture: PictureView, cell_id: int, at: tuple[float, float]) -> tuple[str, ...]:
        """The openings of the chain that shows a cell, or the outdoors, at a place of the screen."""
        picture = picture.frozen if picture.frozen is not None else picture
        if any(flood.log is None for flood in picture.floods):
            return ()
        if is_outdoor(cell_id) and picture.flood is None:
            return ()
        for chain in why(self._world, picture, cell_id, self._openings).chains:
            if not chain.arrives or not chain.gates:
                continue
            if any(_holds(outline, at) for outline in chain.gates[-1].after):
                return tuple(gate.name for gate in chain.gates)
        return ()


def _ndc(picture: PictureView, pixel: tuple[int, int]) -> tuple[float, float]:
    view = picture.view
    return 2.0 * (pixel[0] + HALF) / view.width - 1.0, 1.0 - 2.0 * (pixel[1] + HALF) / view.height


def _named(ray: PixelRay, painted: Painted, flying: tuple[Flying, ...]) -> Painted:
    if painted.colored and painted.what.startswith(FLYING_PASS) and flying:
        # One draw paints particles of several emitters: each that the pixel shows may be among them.
        owners = {flake.owner for flake in flying}
        thing = " or ".join(flake.title for flake in flying)
        return painted._replace(thing=thing, owner=owners.pop() if len(owners) == 1 else 0)
    met = ray.painter(painted.group, painted.of) if painted.colored else None
    if met is None:
        return painted
    facet = ray.facet(met)
    return painted._replace(thing=facet.words, owner=facet.owner)


def _holds(outline: tuple[tuple[float, float], ...], at: tuple[float, float]) -> bool:
    """Whether a convex counter-clockwise region of the screen holds a place, its border included."""
    x, y = at
    return all(
        (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= -1e-9
        for (ax, ay), (bx, by) in zip((outline[-1], *outline[:-1]), outline, strict=True)
    )
