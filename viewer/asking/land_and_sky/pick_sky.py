"""Which objects of the sky a pixel shows: by the models that this very frame hangs about the eye."""

from __future__ import annotations

from dataclasses import replace

from engine.dat.errors import DatError
from engine.dat.records.region import Region
from engine.dat.values import Vec3
from engine.visibility.picture_view import PictureView
from engine.world.frame import Frame
from engine.world.ids import is_outdoor
from engine.world.loading.world import World
from viewer.asking.drawn_faces import Face, FaceStore, met_at, uv_at
from viewer.renderer.images.materials import RenderClass
from viewer.renderer.passes.paints import land_paint
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.lighting import day_group_of, keyframes_of, sky_light
from viewer.renderer.sky.sky_things import SkyThing, rotation_of, sky_things
from viewer.report.sky_shown import SkyObjectShown, SkyShown

HAZE = (-0.015, 0.2)  # how high a ray goes where a thing of the sky begins to show, and where it shows whole


class SkyPicker:
    """Tells of the sky of one world."""

    def __init__(self, world: World, store: FaceStore) -> None:
        self._world = world
        self._store = store

    def pick(self, picture: PictureView, options: RenderOptions, direction: Vec3) -> SkyShown:
        """The sky of a picture, and what of it a ray from its eye meets; ``direction`` is a unit vector."""
        region = self._region()
        group = day_group_of(region, options.day_group)
        light = sky_light(keyframes_of(region, options.day_group), options.day_fraction)
        plain = options.flat_sky is None and not land_paint(options)[3]
        falls = options.weather and is_outdoor(picture.body_cell)
        up = sky_things(group, options.day_fraction, options.seconds, weather=options.weather)
        drawn = [thing for thing in up if plain and (falls or not thing.foreground)]
        shown = [
            self._shown(thing, picture.view.eye[2], direction, fog=light.fog_on)
            for thing in sorted(drawn, key=lambda thing: thing.foreground)
        ]
        return SkyShown(options.day_group, group.name, tuple(shown))

    def _region(self) -> Region | None:
        try:
            return self._world.source.region()
        except DatError:
            return None  # who draws has said so

    def _shown(self, thing: SkyThing, eye: float, direction: Vec3, *, fog: bool) -> SkyObjectShown:
        out = SkyObjectShown(index=thing.number, model=thing.model_id, foreground=thing.foreground)
        model = self._world.model(thing.model_id)
        if model is None:
            return out
        raised = 0.0 if thing.height is None else thing.height - eye
        whole = Frame((0.0, 0.0, raised), rotation_of(thing))
        seen = thing.opacity
        if fog and thing.height is None and not thing.foreground:
            seen *= _clear(direction[2])
        left, most = 1.0, 0.0
        for part, pose in enumerate(model.part_frames):
            kx, ky, kz = model.part_scales[part]
            if not kx or not ky or not kz:
                continue
            frame = whole.combine(pose)
            x, y, z = frame.to_local((0.0, 0.0, 0.0))
            dx, dy, dz = frame.to_local_vec(direction)
            start, way = (x / kx, y / ky, z / kz), (dx / kx, dy / ky, dz / kz)
            gfxobj = model.parts[part].gfxobj_id
            for face in self._store.part(gfxobj).faces:
                alpha = seen * self._paints(face, start, way, scroll=thing.scroll)
                left *= 1.0 - alpha
                if alpha > most:
                    most = alpha
                    texture, image = self._store.texture(face.surface)
                    out = replace(
                        out, gfxobj=gfxobj, polygon=face.polygon, surface=face.surface, texture=texture,
                        image=image,
                    )  # fmt: skip
        return replace(out, alpha=1.0 - left)

    def _paints(self, face: Face, start: Vec3, way: Vec3, *, scroll: tuple[float, float]) -> float:
        """How much a face paints where a ray meets it, from either side: the sky's faces are not culled."""
        t = met_at(start, way, face.points, either=True)
        if t is None:
            return 0.0
        if self._store.how(face.surface) is RenderClass.OPAQUE:
            return 1.0
        u, v = uv_at(face, (start[0] + t * way[0], start[1] + t * way[1], start[2] + t * way[2]))
        return self._store.paints(face.surface, (u + scroll[0], v + scroll[1]))


def _clear(rise: float) -> float:
    """How much of a thing shows through the haze at the horizon, by how steeply one looks up at it."""
    share = min(1.0, max(0.0, (rise - HAZE[0]) / (HAZE[1] - HAZE[0])))
    return share * share * (3.0 - 2.0 * share)
