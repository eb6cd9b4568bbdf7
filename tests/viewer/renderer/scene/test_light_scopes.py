"""Which light and fog falls on what, in pictures: light 6.2, 6.3, 6.5, 6.6."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.region_sky import DayGroup, SkyDesc
from engine.dat.records.setup import Light, Setup
from engine.dat.values import StoredFrame, Vec3
from engine.particles.effects import Bearer, Shown
from engine.visibility.picture_view import build_view
from engine.world.frame import Frame
from engine.world.ids import rebase
from engine.world.loading.world import World
from engine.world.sources.open_source import demo_source
from engine.world.under_way import UnderWay
from tests.places import DEMO
from tests.viewer.renderer.flat_shapes import COLORS, EXIT, SKY, quad, room
from tests.viewer.renderer.memory_source import BLOCK, LOW, MIDDLE
from tests.viewer.renderer.reading import window
from tests.viewer.renderer.render_scenes import DOOR, house
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.scene import block_meshes, point_lights
from viewer.renderer.scene.block_meshes import lights_by_cell
from viewer.renderer.scene.entities import DrawnObject, Particles, SceneObjects
from viewer.renderer.scene.lighting import FALLBACK_SKY, sky_light
from viewer.renderer.scene.point_lights import Lights, lights_by_cell_reached, vertex_light

LAMP = 0x02000100
FOG = (90, 60, 30)


def noon(scene: SceneBuilder, fog: tuple[float, float] | None = None) -> SceneBuilder:
    """The whole day is one moment: white light, and fog from a start to an end where they are given."""
    rgb = 0xFF000000 | FOG[0] << 16 | FOG[1] << 8 | FOG[2]
    key = FALLBACK_SKY[0]._replace(
begin=0.0, dir_bright=0.5, dir_heading=180.0, dir_pitch=45.0, dir_color=0xFFFFFFFF,
        amb_bright=0.5, amb_color=0xFFFFFFFF, fog_color=rgb,
        fog_mode=int(fog is not None), fog_min=(fog or (0.0,))[0], fog_max=(fog or (1.0,))[-1],
    )  # fmt: skip
    scene.source.sky = SkyDesc(1.0, 1.0, (DayGroup(1.0, "Noon", (), (key,)),))
    return scene


def lit(stage: Stage, low: int, *look: object, **changes: object) -> np.ndarray:
    """A picture with light, as integers that may be subtracted."""
    return stage.picture(low, *look, plain=False, **changes).astype(int)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("first", "second", "fog"), [(1, 1, True), (1, 0, False), (0, 1, False), (0, 0, False)]
)
def test_there_is_fog_only_if_both_keyframes_have_it(first, second, fog):
    keys = (
        FALLBACK_SKY[0]._replace(begin=0.0, fog_mode=first),
        FALLBACK_SKY[0]._replace(begin=0.5, fog_mode=second),
    )
    assert sky_light(keys, 0.25).fog_on is fog


# Three rooms in a row, south to north, with open arches between them; the lamp is in the northern one.
SOUTH_ARCH, NORTH_ARCH = (quad(y, -1.0, 1.0, z0=-1.5, z1=1.0) for y in (-2.0, 2.0))


def row_of_rooms(*, lamp: bool, falloff: float = 20.0) -> SceneBuilder:
    scene = noon(SceneBuilder())
    where = StoredFrame((0.0, 3.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    scene.put(
        "setup",
        LAMP,
        Setup(
            LAMP,
            0,
            (),
            lights=(Light(key=0, frame=where, color=0xFFFFFFFF, intensity=8.0, falloff=falloff, cone=0.0),),
        ),
    )
    cells = (0x100, 0x101, 0x102)
    north, middle, south = cells
    scene.cell(north, room(-2, 2, 2, 6, z0=-1.5, z1=1.5, back=NORTH_ARCH), [(NORTH_ARCH, 1, middle, 0)],
               exact=True, seen_outside=False, visible=cells, statics=[LAMP] if lamp else [])  # fmt: skip
    scene.cell(middle, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=NORTH_ARCH, back=SOUTH_ARCH),
               [(NORTH_ARCH, 0, north, 0), (SOUTH_ARCH, 1, south, 0)],
               exact=True, seen_outside=False, visible=cells)  # fmt: skip
    scene.cell(south, room(-2, 2, -6, -2, z0=-1.5, z1=1.5, front=SOUTH_ARCH), [(SOUTH_ARCH, 0, middle, 1)],
               exact=True, seen_outside=False, visible=cells)  # fmt: skip
    return scene


@pytest.mark.gl
@pytest.mark.parametrize(("falloff", "reaches"), [(20.0, True), (3.7, False)])
def test_a_lamp_lights_the_rooms_behind_openings_within_its_reach(ctx, falloff, reaches):
    """The second arch is 5 m from the lamp: 3.7 m reach 4.8, so that the first alone lets light through."""
    with_lamp, without = (Stage(ctx, row_of_rooms(lamp=lamp, falloff=falloff)) for lamp in (True, False))
    looks = {
        "its own": (0x100, (0.0, 4.0, 0.0), 0.0, -40.0),
        "the neighbour": (0x101, (0.0, 0.0, 0.0), 90.0, -40.0),
        "two doors away": (0x102, (0.0, -4.0, 0.0), 90.0, -40.0),
    }
    brighter = {
        name: float((lit(with_lamp, *look) - lit(without, *look)).mean()) for name, look in looks.items()
    }
    assert brighter["its own"] > (20.0 if reaches else 10.0)
    assert brighter["the neighbour"] > (5.0 if reaches else 0.1)
    assert (brighter["two doors away"] > 2.0) is reaches
    assert reaches or brighter["two doors away"] == 0.0


def test_on_both_sides_of_every_opening_of_the_dungeon_the_same_light_falls() -> None:
    world = World(demo_source(DEMO))
    block = world.load_block(0x01070000)
    reached = lights_by_cell_reached(block.env_cells, lights_by_cell(block, world.source))
    asked = 0
    for cell in block.env_cells.values():
        for portal in cell.portals:
            other = block.env_cells.get(portal.other_cell_id)
            if other is None:
                continue
            points = np.array([cell.frame.to_global(v) for v in portal.polygon.vertices])
            up = np.tile((0.0, 0.0, 1.0), (len(points), 1))
            ours, theirs = (vertex_light(points, up, Lights(reached.get(c.id, ()))) for c in (cell, other))
            assert np.allclose(ours, theirs, atol=1e-6), (hex(cell.id), hex(other.id))
            asked += bool(ours.any())
    assert asked > 20


def test_of_far_too_many_lights_the_last_are_left_out_or_kept_in_their_rooms(monkeypatch):
    world = World(demo_source(DEMO))
    block = world.load_block(0x01070000)
    told: list[str] = []
    lights = lights_by_cell(block, world.source, told.append)
    count = sum(map(len, lights.values()))
    whole = lights_by_cell_reached(block.env_cells, lights, report=told.append)
    assert told == [] and sum(map(len, whole.values())) > count > 2
    monkeypatch.setattr(point_lights, "MOST_TRIED", 300)
    shares: list[tuple[str, float]] = []
    under_way = UnderWay()
    under_way.hear = lambda *said: shares.append(said)
    kept_in = lights_by_cell_reached(block.env_cells, lights, report=told.append, under_way=under_way)
    assert sum(map(len, whole.values())) > sum(map(len, kept_in.values())) > count
    assert all(light in kept_in[home] for home, some in lights.items() for light in some)
    assert told.pop().endswith("light their own rooms alone") and not told
    assert [share for _, share in shares] == [n / count for n in range(count + 1)]
    monkeypatch.setattr(block_meshes, "MOST_LIGHTS", count - 2)
    fewer = lights_by_cell(block, world.source, told.append)
    assert sum(map(len, fewer.values())) == count - 2
    assert told == [f"its rooms have {count} lights, over {count - 2}: the last 2 are left out"]


@pytest.mark.gl
def test_a_lamp_lights_an_object_the_same_whichever_landblock_it_counts_its_place_in(ctx):
    """One that reaches in from over a border has its place in the neighbouring landblock's frame."""
    look = ((0.0, 2.5, 0.0), 0.0, -10.0)
    at = (MIDDLE[0], MIDDLE[1] + 4.0, MIDDLE[2] - 0.5)
    pictures = {}
    for lamp in (True, False):
        scene = row_of_rooms(lamp=lamp)
        board = scene.gfx_obj([(quad(0.0, -0.5, 0.5, z0=-0.5, z1=0.5), "leaf")])
        stage = Stage(ctx, scene)
        for owner in (BLOCK | 0x100, BLOCK + 0x01000000 | 0x01, BLOCK - 0x00010000 | 0x40):
            frame = Frame(rebase(at, BLOCK, owner))
            there = SceneObjects(
                [DrawnObject(object_id=7, model_id=board, cell_id=owner, frame=frame, cells=(BLOCK | 0x100,))]
            )
            pictures[lamp, owner] = stage.picture(0x100, *look, objects=there, plain=False).astype(int)
        home = pictures[lamp, BLOCK | 0x100]
        assert all((pictures[key] == home).all() for key in pictures if key[0] is lamp)
    lit_up, dark = (window(pictures[lamp, BLOCK | 0x100], 10) for lamp in (True, False))
    assert float((lit_up - dark).mean()) > 10.0


def one_particle(model: int, at: Vec3) -> Particles:
    """A single particle of a room that stands still, at a place of the scene's block."""

    def shown(eye: Vec3, _: object) -> Shown:
        x, y = (BLOCK >> 24) * 192.0, (BLOCK >> 16 & 0xFF) * 192.0
        place = np.array([[at[0] + x - eye[0], at[1] + y - eye[1], at[2] - eye[2]]])
        return Shown(
            places=place.astype(np.float32),
            axes=np.eye(3, dtype=np.float32)[None],
            alphas=np.ones(1, np.float32),
            models=np.array([model]),
            cells=np.array([BLOCK | 0x100]),
            middles=place,
            far=(place**2).sum(axis=1),
            born_by=np.zeros(1, np.int64),
            bearers=(Bearer(key="alone", cell=BLOCK | 0x100, emitter=0x32000001, part=-1, script=0),),
        )

    return shown


@pytest.mark.gl
def test_a_lamp_lights_particles_within_its_reach(ctx):
    """Their places are told from the eye, the lamp's in its landblock: 0.5 m and 2.7 m from it."""
    brightness = {}
    for lamp in (True, False):
        scene = row_of_rooms(lamp=lamp, falloff=2.0)
        board = scene.gfx_obj([(quad(0.0, -0.5, 0.5, z0=-0.5, z1=0.5), "leaf")])
        stage = Stage(ctx, scene)
        for y in (3.2, 5.7):
            at = (MIDDLE[0], MIDDLE[1] + y, MIDDLE[2] - 0.45)
            there = SceneObjects((), one_particle(board, at))
            picture = lit(stage, 0x100, (0.0, y - 1.0, -0.45), objects=there, sentinel=False)
            brightness[lamp, y] = float(window(picture, 10).mean())
    assert brightness[False, 3.2] == brightness[False, 5.7] == brightness[True, 5.7]
    assert brightness[True, 3.2] > brightness[False, 3.2] + 20.0


@pytest.mark.gl
def test_ambient_light_in_cells_follows_the_players_cell_and_not_the_views_root(ctx):
    """The player is in a room without daylight, the eye beyond the door in one that sees the outside."""
    scene = noon(SceneBuilder())
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, 0x101, 0)], exact=True,
               visible=[0x101])  # fmt: skip
    scene.cell(0x101, room(-2, 2, 2, 6, z0=-1.5, z1=1.5, back=DOOR), [(DOOR, 1, 0x100, 0)], exact=True,
               seen_outside=False, visible=[0x100])  # fmt: skip
    stage = Stage(ctx, scene)
    view = stage.seen(0x100, (0.0, 1.5, 0.0), 180.0).view
    x, y, z = stage.middle
    walls = {}
    for low in (0x100, 0x101):
        at = (x, y + (1.5 if low == 0x100 else 2.5), z)
        picture = build_view(stage.world, BLOCK | low, foot=at, pivot=at, eye=view.eye, view=view)
        assert picture.root == BLOCK | 0x100
        walls[low] = stage.draw(picture, plain=False)[100, 100].astype(int)
    day = 0.5 + 0.2 * 0.5
    assert np.abs(walls[0x100] - np.array(COLORS["wall"]) * day).max() <= 1.5
    assert np.abs(walls[0x101] - np.array(COLORS["wall"]) * 0.2).max() <= 1.5


@pytest.mark.gl
def test_the_sun_is_off_for_cells_and_on_again_for_what_is_drawn_after_a_look_in(ctx):
    """A wall faces the sun in a room, behind a house's door and out in the open, beside a leaf there."""
    inside = Stage(ctx, noon(SceneBuilder()).cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5)))
    assert (lit(inside, 0x100) == lit(inside, 0x100, sun=False)).all()
    scene = house(noon(SceneBuilder().ground(-1.0)))
    scene.outdoor_object(scene.gfx_obj([(quad(4.0, 1.5, 2.5, z0=-0.5, z1=1.5), "leaf")]))
    stage = Stage(ctx, scene)
    sunny, dull = (lit(stage, LOW, (0.0, 0.0, 0.5), sun=sun) for sun in (True, False))
    assert stage.renderer.stats.look_ins == 1
    door = (slice(92, 105), slice(90, 110))
    assert (sunny[door] == dull[door]).all()
    for place in ((100, 60), (100, 150)):  # the shell and, drawn after the look-in, the leaf
        assert (sunny[place] - dull[place]).min() > 5
    exit_room = noon(SceneBuilder().ground(-1.5))
    exit_room.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, EXIT, -1)])
    stage = Stage(ctx, exit_room)
    sunny, dull = (lit(stage, 0x100, sun=sun) for sun in (True, False))
    outside = np.zeros((200, 200), bool)
    outside[75:125, 75:125] = True
    assert (sunny[~outside] == dull[~outside]).all()
    assert (sunny[105:120, 80:120] != dull[105:120, 80:120]).any()


@pytest.mark.gl
def test_a_far_lit_room_does_not_glow_through_fog(ctx):
    """Fog lies on the cells of a look-in, and not on the cells around the player (light 6.6)."""
    start, end, away = 10.0, 110.0, 55.0
    scene = house(noon(SceneBuilder().ground(-1.0), (start, end)))
    stage = Stage(ctx, scene)
    picture = lit(stage, LOW, (0.0, -away, 0.5))
    seen = (end - (away + 9.0)) / (end - start)  # how much of the back wall, 9 m beyond the scene's middle
    wall = np.array(COLORS["wall"]) * (0.5 + 0.2 * 0.5)
    expected = wall * seen + np.array(FOG) * (1.0 - seen)
    assert stage.renderer.stats.look_ins == 1
    assert np.abs(picture[99, 100] - expected).max() <= 2.5
    assert np.abs(picture[99, 100] - wall).max() > 20  # what shows without fog
    within = Stage(ctx, house(noon(SceneBuilder().ground(-1.0), (0.5, 1.0))))
    near = lit(within, 0x200, (0.0, 6.0, 0.0), 0.0)
    assert np.abs(near[100, 100] - wall).max() <= 1.5


@pytest.mark.gl
@pytest.mark.parametrize(("start", "end", "share"), [(0.5, 1.0, 0.0), (1.0, 9.0, 0.5), (10.0, 20.0, 1.0)])
def test_what_only_adds_light_fades_to_black_in_fog(ctx, start, end, share):
    """The other classes fade to the fog's colour; with it an additive surface would brighten the fog."""
    glow = (60, 100, 40)
    scene = noon(SceneBuilder().ground(-40.0), (start, end))
    model = scene.gfx_obj([(quad(5.0, -0.05, 0.05, z0=-0.05, z1=0.05), "leaf")])
    surface = scene.color((*glow, 255), 0x10002)
    record = scene.source.records["gfx_obj", model]
    assert isinstance(record, GfxObj)
    scene.put("gfx_obj", model, record._replace(surfaces=(surface,)))
    stage = Stage(ctx, scene.outdoor_object(model))
    picture = lit(stage, LOW, (0.0, 0.0, 0.0))
    expected = np.array(SKY) + share * np.array(glow) * (0.5 + 0.2 * 0.5 + 0.5 * np.sqrt(0.5))
    assert np.abs(picture[99, 100] - np.minimum(expected, 255)).max() <= 2.0
