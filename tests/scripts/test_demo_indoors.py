"""What the demo's rooms, furniture and figure promise to an eye close by: grain, seams, limbs, fires."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.dat.records.gfx_obj import GfxObj
from engine.world.frame import Frame
from scripts.demo_world import ids, materials, outdoors
from scripts.demo_world.art import art_furnishings, art_ground, art_wonders, paint
from scripts.demo_world.building import Building, turned
from scripts.demo_world.houses import cottage, croft, dungeon, inn
from scripts.demo_world.mesh import gfx_obj, mapped
from scripts.demo_world.people import figure, gait, human
from scripts.demo_world.solids import quad
from scripts.demo_world.things import furniture, movers, props

Points = NDArray[np.float64]
Shown = tuple[Points, Points, int]

MODELS = {
    number: record
    for number, record in (
        *furniture.records(),
        *props.records(),
        *outdoors.records(),
        *movers.records(),
        (ids.SCREEN, gfx_obj(ids.SCREEN, inn.screen())),
        *croft.records(),
    )
    if isinstance(record, GfxObj)
}
CUT_OUTS = {materials.surface_id(cutout.name) for cutout in materials.CUTOUTS}
METRES = {materials.surface_id(m.name): m.metres for m in materials.MATERIALS}


@cache
def shown(number: int) -> tuple[Shown, ...]:
    """Corners, texture coordinates and surface of what is drawn, but for cut-outs and what looks down."""
    model = MODELS[number]
    places = {vertex.key: vertex for vertex in model.vertex_array.vertices}
    out = []
    for polygon in model.polygons or ():
        surface = model.surfaces[polygon.pos_surface]
        points = np.array([places[k].pos for k in polygon.vertex_ids])
        if surface not in CUT_OUTS and normal(points)[2] > -0.9:
            out.append((points, np.array([places[k].uvs[0] for k in polygon.vertex_ids]), surface))
    return tuple(out)


def normal(points: Points) -> Points:
    n = np.cross(points[1] - points[0], points[2] - points[0])
    return n / max(float(np.linalg.norm(n)), 1e-12)


def overlap(a: Points, b: Points) -> bool:
    """Whether two convex polygons of a plane, as (n, 2), have more than three millimetres in common."""
    for ring in (a, b):
        edges = np.roll(ring, -1, 0) - ring
        across = np.stack((edges[:, 1], -edges[:, 0]), 1)
        across = across / np.linalg.norm(across, axis=1)[:, None]
        first, second = a @ across.T, b @ across.T
        common = np.minimum(first.max(0), second.max(0)) - np.maximum(first.min(0), second.min(0))
        if (common < 0.003).any():
            return False
    return True


def fights(faces: Iterable[Shown]) -> list[tuple[Points, Points]]:
    """Faces that lie in each other, look the same way and show something else there."""
    planes: defaultdict[tuple[float, ...], list[Shown]] = defaultdict(list)
    for face in faces:
        n = normal(face[0])
        planes[*(np.round(n, 2) + 0.0).tolist(), round(float(n @ face[0][0]), 3)].append(face)
    out = []
    for group in planes.values():
        n = normal(group[0][0])
        right = group[0][0][1] - group[0][0][0]
        right = right / np.linalg.norm(right)
        axes = np.stack((right, np.cross(n, right)), 1)
        for i, (points, texture, surface) in enumerate(group):
            a = points @ axes
            for others, other_texture, other_surface in group[:i]:
                b = others @ axes
                if not overlap(a, b):
                    continue
                apart = seen_at(a, texture, a) - seen_at(b, other_texture, a)
                if surface != other_surface or np.abs(apart - np.round(apart)).max() > 0.02:
                    out.append((points, others))
    return out


def seen_at(corners: Points, texture: Points, at: Points) -> Points:
    """The texture coordinates that a face's mapping has at points of its plane."""
    by = np.linalg.lstsq(np.c_[corners, np.ones(len(corners))], texture, rcond=None)[0]
    return np.c_[at, np.ones(len(at))] @ by


@pytest.mark.parametrize("number", MODELS, ids=[f"{n:08X}" for n in MODELS])
def test_no_two_faces_of_a_thing_lie_in_each_other(number: int):
    assert fights(shown(number)) == []


def in_room(building: Building, cell: int) -> list[Shown]:
    out = []
    for model, at, turns in building.cells[cell].statics:
        number = model & 0xFFFFFF | 0x01000000
        for points, texture, surface in shown(number) if number in MODELS else ():
            placed = [(*turned(tuple(p), turns), p[2]) for p in points.tolist()]
            out.append((np.array(placed) + at, texture, surface))
    return out


@pytest.mark.parametrize("made", (cottage, inn, croft), ids=("cottage", "inn", "croft"))
def test_no_two_things_of_a_room_lie_in_each_other(made):
    building = made.interior()
    assert sum(len(in_room(building, cell)) for cell in building.cells) > 400
    for cell in building.cells:
        assert fights(in_room(building, cell)) == [], f"{cell:04X}"


def test_grain_runs_along_what_is_made_of_a_beam():
    trim = materials.surface_id("trim")
    across, along = METRES[trim]
    seen = 0
    for number in MODELS:
        for points, texture, surface in shown(number):
            sides = np.roll(points, -1, 0) - points
            lengths = np.linalg.norm(sides, axis=1)
            if surface != trim or len(points) != 4 or lengths.max() < 1.5 * np.sort(lengths)[1]:
                continue
            if number == ids.CART and np.isclose(np.ptp(points[:, 0]), 0.1):
                continue  # its wheels' rims
            k = int(lengths.argmax())
            u, v = np.abs(np.roll(texture, -1, 0) - texture)[k]
            assert v * along > 2.0 * u * across, (f"{number:08X}", points.tolist())
            seen += 1
    assert seen > 200


def test_grain_follows_a_board_that_slopes():
    board = quad((0.0, 0.0, 0.0), (2.0, 0.0, 1.2), (2.0, 0.0, 1.4), (0.0, 0.0, 0.2), material="trim")
    (u0, v0), (u1, v1), *_ = mapped(board)
    assert u0 == pytest.approx(u1, abs=1e-4)
    assert abs(v1 - v0) == pytest.approx(math.hypot(2.0, 1.2))


def test_the_dungeons_chest_looks_into_its_room():
    kept = [thing for tile in dungeon.TILES for thing in tile.facing if thing[0] == ids.CHEST]
    assert kept
    for _, (x, y, _), turns in kept:
        front = turned((0.0, -1.0, 0.0), turns)
        assert front[0] * x + front[1] * y < -4.0


def test_a_beam_goes_on_over_the_border_of_its_picture():
    wood = paint.plain(64, 48, (100, 100, 100))
    level, upright, wrapped = (paint.plain(64, 48, (200, 200, 200)) for _ in range(3))
    paint.bar(level, 0, 8, x1=64, y1=20, wood=wood)
    paint.bar(upright, 8, 0, x1=20, y1=48, wood=wood)
    paint.bar(wrapped, -6, 4, x1=6, y1=40, wood=wood)
    assert (level[9:19] == 100.0).all() and (level[[8, 19]] < 60.0).all()
    assert (upright[:, 9:19] == 100.0).all() and (upright[:, [8, 19]] < 60.0).all()
    assert (wrapped[5:39, :5] == 100.0).all() and (wrapped[5:39, -5:] == 100.0).all()
    assert (wrapped[5:39, [5, -6]] < 60.0).all() and (wrapped[5:39, 6:-6] == 200.0).all()


def test_a_chest_has_its_lock_in_front_alone():
    locks = [face for face in props.chest() if face.uvs and min(u for u, _ in face.uvs) < 0.45]
    locks = [face for face in locks if max(u for u, _ in face.uvs) > 0.55 and face.material == "chest"]
    assert len(locks) == 1
    assert max(p[1] for p in locks[0].points) == pytest.approx(-0.3)


def test_a_blankets_sides_go_on_from_its_border():
    border = art_furnishings.blanket()
    for edge in (border[:2], border[-2:], border[:, :2], border[:, -2:]):
        assert edge.std(axis=(0, 1)).max() < 15.0
    assert border[:, :, 1].std() > 40.0


def test_a_flame_has_no_edge_where_it_stands():
    assert art_wonders.fire()[-1, :, 3].max() < 0.3 * 255
    brazier = shown(ids.BRAZIER)
    (coals,) = [points for points, _, s in brazier if s == materials.surface_id("embers")]
    feet = [p[:, 2].min() for p, _, s in brazier if s == materials.surface_id("fire")]
    assert feet and min(feet) > coals[:, 2].max() - 0.02


def test_the_braziers_iron_is_nowhere_drawn_out():
    iron = materials.surface_id("iron")
    across, up = METRES[iron]
    for points, texture, surface in shown(ids.BRAZIER):
        if surface != iron or abs(normal(points)[2]) > 0.1:
            continue
        height, width = np.ptp(points[:, 2]), np.linalg.norm(points[1, :2] - points[0, :2])
        by_height, by_width = np.ptp(texture[:, 1]) * up / height, np.ptp(texture[:, 0]) * across / width
        if height > 0.5:  # the pole
            assert 0.4 < by_width / by_height < 2.5


def test_bones_are_no_warmer_than_the_stones_they_lie_on():
    red, _, blue = art_furnishings.bone().mean(axis=(0, 1))
    assert red / blue < 1.25


def test_leads_are_no_coarser_than_half_a_centimetre_a_pixel():
    assert 1.3 / art_ground.lattice().shape[0] < 0.0055


def test_a_threshold_covers_the_seam_of_the_dungeons_floors():
    treads = [f for f in props.arch() if {round(p[2], 3) for p in f.points} == {0.012}]
    assert len(treads) == 1
    xs, ys, _ = zip(*treads[0].points, strict=True)
    assert (min(xs), max(xs), min(ys)) == (-1.5, 1.5, 0.0)


def test_nothing_is_seen_through_the_draught_screen():
    (left, _, _), (_, _, top) = inn.SCREEN
    boards = [f for f in inn.screen() if f.material == "wainscot"]
    assert max(p[2] for f in boards for p in f.points) == pytest.approx(top)
    at_the_wall = [f for f in boards if min(p[1] for p in f.points) == 0.0]
    assert min(p[0] for f in at_the_wall for p in f.points) == pytest.approx(left)


def test_a_sleeve_ends_within_the_bracer():
    shirt, bracer = figure._RIGHT[figure.FOREARM_R][:2]
    rings = np.array(bracer.rings)
    covered = [ring for ring in shirt.rings if ring[2] < rings[-1][2]]
    assert covered
    for x, y, z, wide, deep in covered:
        at = [np.interp(z, rings[:, 2], rings[:, k]) for k in (0, 1, 3, 4)]
        assert abs(x - at[0]) + wide <= at[2] and abs(y - at[1]) + deep <= at[3]


@pytest.mark.parametrize("part", (figure.FOREARM_R, figure.SHIN_R), ids=("elbow", "knee"))
def test_what_turns_within_another_limb_ends_round(part: int):
    """A flat end would come out behind as the joint bends, and catch the light."""
    pivot = figure.PIVOTS[part][1]
    inner = [limb for limb in figure._RIGHT[part] if limb.rings[-1][2] > pivot[2]]
    assert inner
    for limb in inner:
        breadths = [max(ring[3:]) for ring in limb.rings if ring[2] > pivot[2]]
        assert breadths[-1] <= 0.025 and breadths == sorted(breadths, reverse=True)


def out_of_the_tunic(pose: gait.Pose) -> float:
    """How far a thigh comes through the tunic above its hem, metres."""
    skirt = figure.LIMBS[figure.PELVIS][0]
    rings = np.array(skirt.rings)
    frames = gait.frames_of(pose)
    pelvis = Frame(frames[figure.PELVIS].origin, frames[figure.PELVIS].orientation)
    most = 0.0
    for part in (figure.THIGH_R, figure.THIGH_L):
        thigh = Frame(frames[part].origin, frames[part].orientation)
        for p in {p for face in figure.part_faces(part) for p in face.points}:
            x, y, z = pelvis.to_local(thigh.to_global(p))
            z += figure.PIVOTS[figure.PELVIS][1][2]
            if rings[0, 2] < z < 1.0:
                wide, deep = (np.interp(z, rings[:, 2], rings[:, k]) for k in (3, 4))
                off = (abs(x / wide) ** skirt.square + abs(y / deep) ** skirt.square) ** (1.0 / skirt.square)
                most = max(most, float((off - 1.0) * min(wide, deep)))
    return most


@pytest.mark.parametrize("number", (ids.HUMAN_READY, ids.HUMAN_WALK, ids.HUMAN_SIDE, ids.HUMAN_TURN))
def test_thighs_stay_under_the_tunic(number: int):
    count, pose_at = next((c, p) for n, c, p, _, _ in human.CYCLES if n == number)
    assert max(out_of_the_tunic(pose_at(k / 8)) for k in range(8)) < 0.005, count


@pytest.mark.parametrize("number", (ids.HUMAN_READY, ids.HUMAN_WALK, ids.HUMAN_SIDE, ids.HUMAN_TURN))
def test_one_foot_is_on_the_ground_and_beside_the_other(number: int):
    count, pose_at = next((c, p) for n, c, p, _, _ in human.CYCLES if n == number)
    for k in range(0, count, max(1, count // 16)):
        frames = gait.frames_of(pose_at(k / count))
        soles, across = [], []
        for part in (figure.FOOT_R, figure.FOOT_L):
            foot = Frame(frames[part].origin, frames[part].orientation)
            soles.append(min(foot.to_global(p)[2] for face in figure.part_faces(part) for p in face.points))
            across.append(foot.origin[0])
        assert -0.005 < min(soles) < 0.015, k
        assert across[0] - across[1] > 0.12, k
