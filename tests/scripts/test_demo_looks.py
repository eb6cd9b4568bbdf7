"""What the demo's builder promises to the eye: textures' scales, grounds without landmarks, lamps' hours."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import numpy as np
import pytest

from engine.dat.records.gfx_obj import GfxObj
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import StaticComparison
from engine.world.day_time import is_between
from engine.world.frame import Frame, Position
from engine.world.loading.world import World
from engine.world.sources.open_source import demo_source
from scripts.demo_world import ids, materials, outdoors, region, sky
from scripts.demo_world.art import art_ground, art_sky
from scripts.demo_world.geometry import normal_of
from scripts.demo_world.houses import cottage, inn
from scripts.demo_world.houses.shells import Shell
from scripts.demo_world.mesh import WRAP
from scripts.demo_world.people import figure
from scripts.demo_world.solids import cylinder
from scripts.demo_world.things import effects, furniture, landmarks, movers, plants, props
from scripts.demo_world.world import houses
from tests.places import DEMO
from viewer.renderer.scene.lighting import sky_light

ROUND = ("rubble", "ashlar", "bark", "trim", "boulder")
ROOM, DOORWAY, BEDROOM = 0xA9B40101, 0xA9B40103, 0xA9B40104


def materials_named():
    return {m.name: m.picture for m in materials.MATERIALS}


@pytest.mark.parametrize("house", houses(), ids=("cottage", "inn", "croft"))
def test_a_texture_on_a_wall_keeps_its_metres_within_a_third(house):
    names = {materials.surface_id(m.name): m for m in materials.MATERIALS}
    places = {v.key: v for v in house.shell.vertex_array.vertices}
    seen = 0
    for polygon in house.shell.polygons:
        if polygon.pos_surface < 0:
            continue
        material = names.get(house.shell.surfaces[polygon.pos_surface])
        if material is None or material.name not in ("timbered", "whitewash", "rubble"):
            continue
        corners = [places[k] for k in polygon.vertex_ids]
        if abs(corners[0].normal[2]) > 0.01:
            continue  # no wall
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
            across = math.dist(a.pos[:2], b.pos[:2])
            if across < 0.05 or abs(a.pos[2] - b.pos[2]) > 1e-3:
                continue
            repeats = abs(a.uvs[0][0] - b.uvs[0][0])
            seen += 1
            assert 0.74 < repeats * material.metres[0] / across < 1.35, (material.name, a.pos, b.pos)
    assert seen > 20


@pytest.mark.parametrize("name", [name for name, _ in materials.GROUNDS if name != "snow"])
def test_nothing_broad_in_a_ground_is_known_again_in_its_next_repeat(name):
    picture = dict(materials.GROUNDS)[name]()
    grey = picture.mean(axis=2)
    parts = 8
    step = grey.shape[0] // parts
    blocks = picture.reshape(parts, step, parts, step, 3).mean(axis=(1, 3))
    assert blocks.mean(axis=2).std() < 2.0
    assert (blocks[..., 0] - blocks[..., 1]).std() < 2.0  # no redder or greener place
    assert grey.std() > 4.0  # and it is no plain colour either


@pytest.mark.parametrize(
    "name", ["grass", "lush", "patchy", "dirt", "forest", "marsh", "rock", "sand", "water"]
)
def test_a_ground_has_something_to_see_in_every_hand_of_its_breadth(name):
    grey = dict(materials.GROUNDS)[name]().mean(axis=2)
    metres = next(24.0 / tiling for _, texture, tiling in region.TYPES if texture == name)
    side = max(2, int(0.12 * grey.shape[0] / metres))  # pixels
    count = grey.shape[0] // side
    hands = grey[: count * side, : count * side].reshape(count, side, count, side)
    assert np.percentile(hands.std(axis=(1, 3)), 5) > 1.0


def test_a_wall_of_field_stones_has_nothing_broad_that_is_known_again():
    colours = materials_named()["rubble"]()
    parts, step = 4, colours.shape[0] // 4
    blocks = colours.reshape(parts, step, parts, step, 3).mean(axis=(1, 3))
    hue = blocks[..., 1] - (blocks[..., 0] + blocks[..., 2]) / 2.0  # how green: moss
    assert hue.std() < 0.8
    assert blocks.mean(axis=2).std() < 3.6


@pytest.mark.parametrize("name", ["timbered", "panelled"])
def test_a_beam_at_a_textures_border_is_one_with_its_half_in_the_next_repeat(name):
    grey = materials_named()[name]().mean(axis=2)
    for lines in (grey[100:160], grey.T[100:160]) if name == "timbered" else (grey[30:160],):
        border = lines[:, [0, -1]].mean()
        assert border > 0.8 * lines[:, [2, 3, -4, -3]].mean()  # no dark seam along its middle


def test_braces_have_smooth_edges():
    brace = materials_named()["timbered"]().mean(axis=2)[140:240, 40:91]  # with plaster above and below it
    light, dark = np.percentile(brace, 90, axis=0), np.percentile(brace, 10, axis=0)
    share = (brace - dark) / (light - dark)
    assert ((share > 0.3) & (share < 0.7)).sum(axis=0).mean() > 0.4


def test_boards_have_no_band_across():
    rows = materials_named()["wainscot"]().mean(axis=(1, 2))
    assert rows.min() > 0.85 * rows.mean()


@pytest.mark.parametrize("made", [plants.tree, plants.bush], ids=["tree", "bush"])
def test_leaves_stand_or_lie_and_do_not_slope(made):
    leaves = [face for face in made() if face.material == "foliage"]
    ups = [abs(normal_of(face.points)[2]) for face in leaves]
    assert any(up > 0.999 for up in ups)
    assert all(up < 1e-3 or up > 0.999 for up in ups)


@pytest.mark.parametrize("made", [plants.tree, plants.bush, plants.pine], ids=["tree", "bush", "pine"])
def test_leaves_are_no_coarser_than_five_centimetres_a_pixel(made):
    pictures = {cutout.name: cutout.indices() for cutout in materials.CUTOUTS}
    for face in made():
        if face.material in pictures:
            height, width = pictures[face.material].shape
            (u0, v0), (u1, v1) = np.min(face.uvs, axis=0), np.max(face.uvs, axis=0)
            across = math.dist(face.points[0], face.points[1])
            up = math.dist(face.points[1], face.points[2])
            assert across / (width * (u1 - u0)) < 0.05 and up / (height * (v1 - v0)) < 0.05


def test_a_conifer_is_closed_along_its_stem_and_its_tiers_stand_out():
    shown = {c.name: c.indices for c in materials.CUTOUTS}["pine"]() >= 8
    middle = shown[16:230, 54:74]
    assert middle.mean() > 0.85
    half = shown.sum(axis=1)[20:230].astype(float)
    assert (np.diff(half) < -2.0).sum() >= 6


def test_the_two_sides_of_a_roof_meet_at_its_ridge():
    shell = Shell(())
    shell.gable_roof((0.0, 0.0), (5.0, 4.0), eave=2.0, ridge=4.0, material="thatch")
    slopes = [face for face in shell.extras if face.material == "thatch"]
    ridges = [sorted(sorted(face.points, key=lambda p: p[2])[2:]) for face in slopes]
    assert len(ridges) == 2
    assert ridges[0] == ridges[1]


def test_no_sign_has_its_picture_squeezed_onto_an_edge():
    for made, name in ((inn.sign(), "sign"), (landmarks.town_sign(), "town sign")):
        shown = [face for face in made if face.material == name]
        assert len(shown) == 2
        assert all(math.dist(a, b) > 0.4 for f in shown for a, b in pairwise((*f.points, f.points[0])))


def test_light_passes_over_the_edges_of_what_is_round():
    for made in (
        cylinder((1.0, 2.0, 0.0), 1.0, 2.0, side="bark", ends="bark", bulge=0.2, top=0.5),
        props.casks(),
    ):
        facing = {}
        for face in made:
            for p, normal in zip(face.points, face.normals or (), strict=False):
                facing.setdefault(p, set()).add(normal)
        assert len(facing) >= 36
        assert all(len(normals) == 1 for normals in facing.values())
    lying = [face for face in props.casks() if face.normals]
    assert all(
        sum(a * b for a, b in zip(normal, normal_of(face.points), strict=True)) > 0.9
        for face in lying
        for normal in face.normals
    )


def test_a_texture_on_what_is_round_keeps_its_metres():
    metres = {m.name: m.metres for m in materials.MATERIALS}
    for made in (
        outdoors.well(),
        plants.tree(),
        plants.pine(),
        landmarks.lifestone(),
        movers.pole(),
        movers.stone(),
    ):
        sides = [f for f in made if f.uvs and len(f.points) == 4 and f.material in ROUND]
        assert len(sides) >= 6
        for face in sides:
            (a, b, c, _), (ua, ub, uc, _) = face.points, face.uvs
            assert 0.4 < abs(ua[0] - ub[0]) * metres[face.material][0] / math.dist(a, b) < 2.5
            assert 0.74 < abs(ub[1] - uc[1]) * metres[face.material][1] / math.dist(b, c) < 1.35


def test_a_portal_is_seen_from_all_sides_and_has_no_streak():
    glow = next(emitter for emitter in effects.EMITTERS if emitter.id == ids.PORTAL_GLOW)
    assert effects.CARDS[glow.gfxobj][3] == effects.TO_THE_EYE and glow.start_scale >= 1.1
    started = next(script for script in effects.scripts() if script.id == ids.PORTAL_SCRIPT)
    assert ids.PORTAL_GLOW in {item.hook.values[0] for item in started.items}
    # A card seen along its plane is a bright line before the others: all of them look the same way.
    assert {b[0] - a[0] > 0.0 and b[1] == a[1] for a, b, *_ in (f.points for f in landmarks.portal())} == {
        True
    }


def test_clouds_pass_from_shade_to_shade_and_a_cover_has_no_holes():
    for picture in (art_sky.day_clouds(), art_sky.dusk_clouds(), art_sky.grey_clouds()):
        seen = picture[picture[..., 3] > 0]
        assert all(np.diff(np.unique(seen[:, k])).max() <= 3 for k in (0, 3))
    assert art_sky.grey_clouds()[..., 3].min() > 150


def test_a_chimney_is_open():
    shell = Shell(())
    shell.chimney((0.0, 0.0, 0.0), (0.7, 0.9, 5.0))
    top = max(shell.extras, key=lambda face: min(p[2] for p in face.points))
    assert top.material == "iron"  # dark, and narrower than the stack
    assert max(p[0] for p in top.points) < 0.6


def test_fissures_of_rock_are_lines_and_no_rows_of_dots():
    for across in (7, 14):
        is_open = art_ground.fissures(256, across, 351 + across) > 0.4
        near = sum(np.roll(is_open, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1)) - 1
        assert 0.005 < is_open.mean() < 0.1
        assert (near[is_open] >= 2).mean() > 0.95


@pytest.mark.parametrize("hour", [0.0, 0.25, 0.5, 0.75])
def test_a_drop_of_rain_is_not_darker_than_the_sky_that_it_falls_before(hour):
    day = next(group for group in region.region().sky.groups if group.name == "Rainy")
    light = sky_light(day.times, hour)
    drop = next(glow for glow in materials.GLOWS if glow.name == "drop")
    colour = drop.picture()[-1, 4, :3] / 255.0
    shown = colour * np.clip(drop.shine + np.array(light.mesh_ambient()), 0.0, 1.0)
    assert (shown > np.array(light.fog_color) - 0.04).all()


def test_fences_that_meet_have_a_post_in_common():
    tops = [face.points for face in outdoors.fence() if min(p[2] for p in face.points) > 1.1]
    posts = sorted(sum(p[0] for p in top) / len(top) for top in tops)
    assert posts[0] + 3.0 == pytest.approx(posts[-1])


def test_the_draught_screen_is_drawn_where_it_stops_somebody_and_joins_the_wall():
    low, high = inn.SCREEN
    points = np.array([p for face in inn.screen() for p in face.points])
    assert points[:, 1].min() == 0.0  # the wall that the door is in
    assert (points[:, :2].min(axis=0) >= np.array((low[0] - 0.03, 0.0))).all()
    assert (points.max(axis=0) <= np.array(high) + 0.07).all()
    boards = [f for f in inn.screen() if min(p[1] for p in f.points) >= low[1] - 0.03]
    assert max(p[0] for f in boards for p in f.points) >= high[0]


def test_no_drop_falls_right_before_the_eye():
    drops = next(e for e in effects.EMITTERS if e.id == ids.RAINDROPS)
    assert drops.min_offset >= 1.5


def test_leaves_that_are_shown_once_do_not_come_in_again_at_the_other_edge():
    for number, record in plants.records():
        if isinstance(record, GfxObj) and number in (ids.PINE, ids.TREE, ids.BUSH):
            leaves = {materials.surface_id(name) for name in ("pine", "foliage")}
            shown = [p for p in record.polygons or () if record.surfaces[p.pos_surface] in leaves]
            assert shown and all(not p.stippling & WRAP for p in shown)


def test_a_bush_stands_on_stems_and_is_wider_than_high():
    faces = plants.bush()
    points = np.array([p for face in faces for p in face.points])
    wide, deep, high = points.max(axis=0) - np.array((*points.min(axis=0)[:2], 0.0))
    assert min(wide, deep) > 1.2 * high
    stems = [face for face in faces if face.material == "bark"]
    assert len(stems) >= 9
    assert min(p[2] for face in stems for p in face.points) < -0.2


def test_a_sleeve_stays_within_the_jerkins_shoulder():
    shirt, jerkin = figure._RIGHT[figure.ARM_R]
    outside = np.array(jerkin.rings)
    covered = [ring for ring in shirt.rings if ring[2] > outside[0][2]]
    assert len(covered) >= 3
    for x, y, z, wide, deep in covered:
        at = [np.interp(z, outside[:, 2], outside[:, k]) for k in (0, 1, 3, 4)]
        assert z < outside[-1][2]
        assert abs(x - at[0]) + wide <= at[2] and abs(y - at[1]) + deep <= at[3], z


def test_straw_is_straw_and_mugs_hold_beer():
    bale = furniture.bale()
    assert {face.material for face in bale} == {"straw", "sackcloth"}
    assert sum(face.material == "straw" for face in bale) == 6
    straw = next(m for m in materials.MATERIALS if m.name == "straw")
    assert max(straw.metres) <= 1.0  # a bale is little more than a metre long
    mug = props.mug(0.0, 0.0)
    level = [face for face in mug if len({p[2] for p in face.points}) == 1]
    assert {face.material for face in level} == {"beer"}
    assert {face.material for face in mug} == {"mug", "beer", "trim"}


def test_the_cellar_is_stored_full_and_lit():
    statics = cottage.interior().cells[cottage.CELLAR].statics
    stored = {model for model, _, _ in statics}
    assert len(statics) >= 9
    assert {ids.CRATE, ids.CHEST, ids.RACK, ids.SACKS, ids.CASKS, ids.setup_of(ids.BARREL)} <= stored
    assert ids.setup_of(ids.LAMP) in stored


def test_the_streets_lamps_burn_from_dusk_till_dawn_and_not_at_noon():
    scene = json.loads((DEMO / "scene.json").read_text(encoding="utf-8"))
    burning = [item for item in scene["objects"] if item["setup"] == f"0x{ids.LAMP_LIGHT:08X}"]
    assert len(burning) == len(outdoors.lamps()) == 7
    for item in burning:
        hours = tuple(item["hours"])
        assert [is_between(hours, hour) for hour in (0.0, 6.0, 8.0, 12.0, 17.0, 18.0, 23.9)] == [
            True, True, False, False, False, True, True,
        ]  # fmt: skip
    assert not any(face.material in ("flame", "halo", "light on the ground") for face in outdoors.lantern())


def test_light_on_the_ground_lies_too_low_to_light_the_foot_of_what_stands_in_it():
    pools = [face for face in outdoors.burning() if face.material == "light on the ground"]
    assert len(pools) == 1
    assert all(0.0 < z < 0.015 for _, _, z in pools[0].points)


@pytest.mark.parametrize(
    ("keys", "changes"),
    ((region.GREY, sky.grey_changes), (region.RAINY, sky.rainy_changes)),
    ids=("grey", "rainy"),
)
def test_a_mountain_in_the_fog_is_as_bright_as_the_covered_sky_behind_it(keys, changes):
    for number, key in enumerate(keys):
        fog = np.array([key[-1] >> shift & 0xFF for shift in (16, 8, 0)], float)
        seen = fog  # behind the clouds the sky has the fog's colour
        for change, sheet in zip(changes(number), (art_sky.grey_clouds(), art_sky.far_rain()), strict=False):
            share = sheet[..., 3:] / 255.0
            own = (sheet[..., :3] * share).mean((0, 1)) * change.luminosity / 100.0
            seen = own + seen * (1.0 - share.mean())
        assert np.abs(seen - fog).max() < 1.5, f"key frame {number}: {seen} behind {fog}"


def test_a_fireplaces_chimney_goes_on_up_to_the_ceiling_of_its_room():
    hearths = {ids.setup_of(number): number for number in (ids.HEARTH, ids.HIGH_HEARTH, ids.HALL_HEARTH)}
    source = demo_source(DEMO)
    world = World(source)
    village = world.load_block(ids.VILLAGE)
    assert village is not None
    seen = 0
    for thing in village.statics:
        if thing.model_id in hearths:
            cell = village.env_cells[thing.cell_id]
            corners = [v for polygon in cell.structure.polygons.values() for v in polygon.vertices]
            model = source.gfx_obj(hearths[thing.model_id])
            assert model is not None
            ceiling = max(v[2] for v in corners) + cell.pos.frame.origin[2]
            top = max(v.pos[2] for v in model.vertex_array.vertices) + thing.frame.origin[2]
            assert ceiling - 0.01 <= top <= ceiling + 0.11, f"{thing.cell_id:08X}: {top} below {ceiling}"
            seen += 1
    assert seen == 4


def test_hours_may_run_over_midnight_or_not():
    assert [is_between((8.0, 18.0), h) for h in (7.9, 8.0, 17.9, 18.0)] == [False, True, True, False]
    assert [is_between((18.0, 6.0), h) for h in (17.9, 18.0, 0.0, 5.9, 6.0)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert is_between(None, 12.0)


def test_in_the_doorway_that_overlaps_only_the_way_there_tells_the_cell():
    simulation = Simulation(World(demo_source(DEMO)))
    simulation.teleport(Position(ROOM, Frame((130.86, 35.55, 94.005))))
    assert simulation.position.cell_id == ROOM
    comparison = StaticComparison(simulation)
    seen: dict[float, list[int]] = {1.0: [], -1.0: []}
    both: dict[float, set[int]] = {1.0: set(), -1.0: set()}
    for way, cells in seen.items():
        for _ in range(60):
            simulation.move_tick((way * 0.02, 0.0, 0.0))
            cell, x = simulation.position.cell_id, simulation.position.frame.origin[0]
            if not cells or cells[-1] != cell:
                cells.append(cell)
            if 131.43 < x < 131.49:
                both[way].add(cell)
    assert seen[1.0] == [ROOM, DOORWAY, BEDROOM]
    assert seen[-1.0] == [BEDROOM, DOORWAY, ROOM]
    assert (both[1.0], both[-1.0]) == ({ROOM}, {DOORWAY})  # the same places, by the way there
    assert 3 <= comparison.disagreements <= 6  # the ticks of the way back that end in both
