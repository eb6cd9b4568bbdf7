"""What ground a pixel shows: its types are those of the terrain words, its textures those that paint it."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from engine.dat.hex_id import hex_id
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import ViewOptions
from engine.world.ids import CELL_SIDE
from engine.world.source import WorldSource
from engine.world.terrain import CORNERS, VERTICES
from tests.viewer.answers import picked
from tests.viewer.demo_places import standing
from viewer.asking.followed import follow
from viewer.asking.land_and_sky.pick_ground import NAMES
from viewer.asking.pick import Picker
from viewer.picture.look import Look
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.still import StillRequest, make_ready
from viewer.renderer.gl.array_texture import Image
from viewer.renderer.images import ground_textures
from viewer.renderer.images.images import texture_image
from viewer.report.ground_shown import Ground, GroundCorner, GroundLayer
from viewer.report.picked import Facet, PickKind

SIZE = (320, 180)
STREET = "0xA9B40031 [155.4 23.0 94.0] 0 0 0 1"
PAINTS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (0, 255, 255), (255, 0, 255))


def corner(number: int, kind: int = 7, *, road: bool = False, scene: int = 0) -> GroundCorner:
    return GroundCorner(
        corner=NAMES[number], type=kind, name=f"Kind{kind}", road=road, scene_type=4 if scene else -1,
        scene=scene, in_triangle=number != 1,
    )  # fmt: skip


def layer(kind: int, share: float, mask: int = 0) -> GroundLayer:
    texture = 0x05000200 + kind
    return GroundLayer(
        type=kind, name=f"Kind{kind}", texture=texture, image=texture + 0x01000000, mask=mask, share=share
    )


@pytest.mark.gl
def test_the_shares_of_the_grounds_textures_are_those_that_paint_the_pixel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each terrain texture in a colour of its own, drawn without light: the pixel is what the shares mix."""
    simulation = standing(STREET)
    region = simulation.world.source.region()
    textures = list(dict.fromkeys(entry.texture for entry in region.terrain.texmerge.terrain))
    paints = {texture: PAINTS[k % len(PAINTS)] for k, texture in enumerate(textures)}
    real = texture_image

    def painted(source: WorldSource, texture: int) -> Image:
        if texture not in paints:
            return real(source, texture)
        return np.full((4, 4, 4), (*paints[texture], 255), np.uint8)

    monkeypatch.setattr(ground_textures, "texture_image", painted)
    look = Look(yaw=180.0, pitch=-20.0, size=SIZE, options=ViewOptions(logged=True))
    seen = make_ready(simulation, StillRequest(look=look, radius=0, objects=0, modes=("no-particles",))).seen
    options = seen.options._replace(plain=True, fog=False, caption="", samples=1)
    with OffscreenRenderer(simulation, SIZE) as screen:
        screen.renderer.draw(seen.picture, seen.objects, options._replace(shapes=frozenset()))
        colors = screen.renderer.read_rgba()[..., :3].astype(float)
    picker, numbers = Picker(simulation.world, OpeningIndex()), random.Random(2)
    off, mixed, looked = [], 0, 0
    for _ in range(70):
        x, y = numbers.randrange(SIZE[0]), numbers.randrange(SIZE[1] // 3, SIZE[1])
        facet = picker.pick(seen.picture, seen.objects, {}, (x, y), particles=False).facet
        if facet is None or facet.kind is not PickKind.TERRAIN or facet.distance > 40.0:
            continue  # far off the masks are drawn smaller
        assert facet.ground is not None
        looked += 1
        layers = facet.ground.layers
        mixed += max(part.share for part in layers) < 0.9
        assert sum(part.share for part in layers) == pytest.approx(1.0)
        color = sum(part.share * np.array(paints[part.texture], float) for part in layers)
        if np.abs(color - colors[y, x]).max() > 8.0:
            off.append((x, y, colors[y, x].tolist(), facet.ground))
        foremost = max(layers, key=lambda part: part.share)
        assert (facet.texture, facet.image) == (foremost.texture, foremost.image)
    assert looked >= 25 and mixed >= 6
    assert len(off) <= 2, off[:2]  # edges of things


def ground_below(place: str, yaw: float) -> Facet:
    """The ground in the middle of a look down."""
    simulation = standing(place)
    look = Look(yaw=yaw, pitch=-60.0, size=SIZE, options=ViewOptions(logged=True))
    seen = make_ready(simulation, StillRequest(look=look, radius=0, objects=0)).seen
    facet = Picker(simulation.world, OpeningIndex()).pick(seen.picture, seen.objects, {}, (160, 90)).facet
    assert facet is not None
    assert facet.kind is PickKind.TERRAIN
    return facet


@pytest.mark.parametrize(("place", "grows"), [(STREET, False), ("0xA9B40001 [12.0 12.0 98.0] 0 0 0 1", True)])
def test_the_corners_of_the_ground_are_its_cells_and_those_of_its_triangle_the_polygons(
    place: str, *, grows: bool
) -> None:
    facet = ground_below(place, 90.0)
    world = standing(place).world
    region, block = world.source.region(), world.blocks[facet.cell & 0xFFFF0000]
    cx, cy = divmod((facet.cell & 0xFFFF) - 1, 8)
    assert facet.ground is not None
    inside = {(round(x / CELL_SIDE) - cx, round(y / CELL_SIDE) - cy) for x, y, _ in facet.corners}
    for step, told in zip(CORNERS, facet.ground.corners, strict=True):
        word = block.terrain[VERTICES * (cx + step[0]) + cy + step[1]]
        kind = region.terrain.types[word >> 2 & 0x1F]
        assert (told.type, told.name, told.road) == (word >> 2 & 0x1F, kind.name, bool(word & 3))
        assert told.in_triangle is (step in inside)
        assert told.scene_type == kind.scenes[word >> 11]
        if told.scene:
            assert region.scene is not None
            assert told.scene in region.scene[told.scene_type].scenes
    assert any(told.scene for told in facet.ground.corners) is grows
    assert [told.corner for told in facet.ground.corners] == list(NAMES)


def test_a_place_beside_the_road_is_told_from_one_on_it() -> None:
    assert _is_on_road("0xA9B40031 [157.3 20.5 94.0] 0 0 0 1")
    assert not _is_on_road("0xA9B40031 [155.4 18.4 94.0] 0 0 0 1")


def _is_on_road(place: str) -> bool:
    facet = ground_below(place, 90.0)
    assert facet.ground is not None
    return facet.ground.road


def test_people_read_the_grounds_types_textures_and_scenes_and_follow_them() -> None:
    ground = Ground(
        corners=(corner(0), corner(1, 8), corner(2, road=True), corner(3, scene=0x12000005)),
        layers=(layer(7, 0.25), layer(8, 0.75, 0x05000303), layer(9, 0.0, 0x05000304)),
        road=False,
        water=0.0,
    )
    assert ground.rows == [
        ("surface", "none, by terrain type", 0),
        ("texture of Kind8 0x08, 75 % here", "0x05000208", 0x05000208),
        ("its image", "0x06000208", 0x06000208),
        ("its mask", "0x05000303", 0x05000303),
        ("texture of Kind7 0x07, 25 % here", "0x05000207", 0x05000207),
        ("its image", "0x06000207", 0x06000207),
        ("terrain type", "Kind7 0x07, at SW, NE, NW", 0),
        ("terrain type", "Kind8 0x08, at SE (other triangle)", 0),
        ("on a road", "no; the cell has one at NE", 0),
        ("scene (type 4) at NW", "0x12000005", 0x12000005),
    ]
    wet = replace(ground, corners=(corner(0),), layers=(), road=True, water=0.45)
    assert wet.rows[1:] == [
        ("terrain type", "Kind7 0x07, at all corners", 0),
        ("on a road", "yes", 0),
        ("water", "one sinks in 0.45 m", 0),
    ]
    door = picked()
    assert door.facet is not None
    facet = replace(door.facet, kind=PickKind.TERRAIN, ground=ground, texture=0x05000208, image=0x06000208)
    answer = replace(door, facet=facet)
    assert f"texture of Kind8 0x08, 75 % here: {hex_id(0x05000208)}" in answer.words
    assert [name for name, _, _ in answer.rows if name in ("texture", "image")] == []


def test_a_scene_is_followed_to_what_grows_there() -> None:
    source = standing(STREET).world.source
    region = source.region()
    assert region.scene is not None
    scene = next(scene for kind in region.scene for scene in kind.scenes)
    assert any("objects" in line for line in follow(source, scene).lines)
