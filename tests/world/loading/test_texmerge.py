"""Ground textures of a cell: T2-T4 of surfaces 11.5 and the palette codes of dat-format 7."""

from __future__ import annotations

from itertools import product

import pytest

from engine.dat.records.region_terrain import TerrainAlphaMap, TerrainTex, TexMerge
from engine.world.loading.texmerge import (
    ROAD_TYPE,
    CellGround,
    GroundMerger,
    MaskedLayer,
    base_and_overlays,
    cell_palette_code,
    corner_types,
    mask_choice,
    mask_hash,
    merge,
    palette_code,
    road_codes,
    road_mask,
    terrain_texture,
    turns_to,
)
from tests.calls import calls_of

CORNERS = tuple(TerrainAlphaMap(code, 0x05000010 + i) for i, code in enumerate((8, 8, 1, 4)))
SIDES = tuple(TerrainAlphaMap(code, 0x05000020 + i) for i, code in enumerate((9, 9)))
ROADS = tuple(TerrainAlphaMap(code, 0x05000030 + i) for i, code in enumerate((8, 9, 10)))


def texture(kind: int, number: int = 1) -> TerrainTex:
    return TerrainTex(kind, 0x05000000 + number, 4, *(0,) * 8)


MERGE = TexMerge(
    base_size=256,
    corner=CORNERS,
    side=SIDES,
    road=ROADS,
    terrain=(texture(0, 1), texture(9, 2), texture(ROAD_TYPE, 3)),
)


@pytest.mark.parametrize(
    ("types", "roads", "pcode", "number"),
    [
        ((1, 1, 1, 9), (0, 0, 0, 0), 0x10008429, 0xF910BB04),
        ((1, 9, 9, 1), (0, 0, 0, 0), 0x1000A521, None),
        ((3, 3, 3, 3), (1, 1, 0, 0), 0x15018C63, 0x2F4618D0),
    ],
)
def test_palette_codes_and_mask_hashes(types, roads, pcode, number):
    assert palette_code(types, roads) == pcode
    assert corner_types(pcode) == types
    assert road_mask(pcode) == sum(1 << i for i, r in enumerate(roads) if r)
    if number is not None:
        assert mask_hash(pcode) == number


def test_the_hash_chooses_the_last_of_four_masks():
    assert mask_choice(mask_hash(0x10008429), 4) == 3
    assert mask_choice(0, 4) == 0
    assert mask_choice(0x3FFFFFFF, 4) == 1  # single precision rounds it up to a quarter
    assert mask_choice(0x3FFFFF00, 4) == 0
    assert mask_choice(0xFFFFFFFF, 4) == 0  # rounds up to the count, and so to the first


@pytest.mark.parametrize(
    ("types", "base", "overlays"),
    [
        ((1, 1, 1, 1), 1, []),
        ((1, 2, 1, 1), 1, [(2, 2)]),
        ((1, 2, 2, 1), 1, [(2, 6)]),
        ((1, 2, 3, 4), 1, [(2, 2), (3, 4), (4, 8)]),
        ((1, 2, 1, 3), 1, [(2, 2), (3, 8)]),
        ((1, 1, 1, 9), 1, [(9, 8)]),
        ((1, 9, 9, 1), 1, [(9, 6)]),
        ((2, 1, 1, 3), 1, [(2, 1), (3, 8)]),
        ((1, 2, 1, 2), 1, [(2, 2), (2, 8)]),
        ((2, 1, 1, 1), 1, [(2, 1)]),
        ((1, 1, 2, 2), 1, [(2, 12)]),
    ],
)
def test_T2_base_and_overlays(types, base, overlays):
    assert base_and_overlays(types) == (base, tuple(overlays))


def walked(t: tuple[int, ...]) -> tuple[int, tuple[tuple[int, int], ...]]:
    """The walk of dat-format 4.6, word for word."""
    if len(set(t)) == 4:
        return t[0], ((t[1], 2), (t[2], 4), (t[3], 8))
    base = next(t[i] for i in range(4) if t[i] in t[i + 1 :])
    codes: list[int] = []
    texs: list[int] = []
    for k in range(4):
        if t[k] == base:
            continue
        if not codes:
            codes, texs = [1 << k], [t[k]]
            continue
        if t[k] == texs[0] and codes[0] == 1 << (k - 1):
            codes[0] += 1 << k
        else:
            codes.append(1 << k)
            texs.append(t[k])
        break
    return base, tuple(zip(texs, codes, strict=True))


def test_T2_every_arrangement_of_types_agrees_with_the_walk():
    for types in product((4, 0, 31, 7), repeat=4):
        base, overlays = base_and_overlays(types)
        assert (base, overlays) == walked(types)
        covered = sum(code for _, code in overlays)
        assert covered == sum(1 << k for k in range(4) if types[k] != base)
        assert all(types[k] == kind for kind, code in overlays for k in range(4) if code >> k & 1)
        assert {code for _, code in overlays} <= {1, 2, 4, 8, 6, 12}


@pytest.mark.parametrize(
    ("mask", "codes"),
    [(0, ()), (0xE, (6, 12)), (0xD, (9, 12)), (0xB, (9, 3)), (0x7, (3, 6))]
    + [(m, (m,)) for m in (1, 2, 3, 4, 5, 6, 8, 9, 10, 12)],
)
def test_T3_road_masks(mask, codes):
    assert road_codes(mask) == codes
    assert sum({1 << k for code in codes for k in range(4) if code >> k & 1}) == mask


def test_T3_road_at_all_corners_is_the_whole_cell():
    pcode = palette_code((1, 2, 3, 4), (1, 2, 3, 1))
    assert merge(pcode, MERGE) == CellGround(ROAD_TYPE)


def test_T3_two_roads_and_an_overlay():
    ground = merge(palette_code((1, 9, 1, 1), (1, 1, 1, 0)), MERGE)
    assert ground.base == 1
    assert [(o.type, o.code) for o in ground.overlays] == [(9, 2)]
    assert [(r.type, r.code, r.rotation) for r in ground.roads] == [(ROAD_TYPE, 3, 1), (ROAD_TYPE, 6, 2)]


def test_T4_rotations():
    assert turns_to(8, 2) == 2
    assert turns_to(9, 6) == 2
    assert [turns_to(8, code) for code in (8, 1, 2, 4)] == [0, 1, 2, 3]
    assert [turns_to(9, code) for code in (9, 3, 6, 12)] == [0, 1, 2, 3]
    assert [turns_to(10, code) for code in (10, 5, 9, 1)] == [0, 1, None, None]


def test_an_overlay_takes_the_chosen_mask_or_none():
    pcode = 0x10008429
    assert merge(pcode, MERGE).overlays == (MaskedLayer(9, 8, 0x05000013, 1),)
    wrong = TexMerge(
        base_size=256, corner=(TerrainAlphaMap(9, 5),), side=SIDES, road=ROADS, terrain=MERGE.terrain
    )
    assert merge(pcode, wrong) == CellGround(1)
    assert merge(pcode, TexMerge(base_size=256, corner=(), side=(), road=(), terrain=())) == CellGround(1)


def test_a_road_tries_all_masks_from_the_chosen_one_on():
    for mask, texture_id in ((8, 0x30), (3, 0x31), (5, 0x32)):
        roads = tuple(mask >> k & 1 for k in range(4))
        for kind in range(6):
            ground = merge(palette_code((kind,) * 4, roads), MERGE)
            assert [r.mask for r in ground.roads] == [0x05000000 + texture_id]
    assert (
        merge(
            palette_code((1,) * 4, (1, 0, 0, 0)),
            TexMerge(base_size=256, corner=(), side=(), road=(), terrain=()),
        ).roads
        == ()
    )


def test_masks_that_fit_nothing_are_tried_once_and_not_for_each_kind_of_cell():
    """Twenty thousand of them took seventeen seconds of a picture."""
    roads = (TerrainAlphaMap(0, 5),) * 300 + ROADS
    codes = [palette_code((kind,) * 4, (1, 0, 0, 0)) for kind in range(32)]
    merger = GroundMerger(MERGE._replace(road=roads))
    found = []
    assert calls_of(lambda: found.extend(map(merger.ground, codes))) < 2000
    assert found == [merge(code, MERGE._replace(road=roads)) for code in codes]
    assert {road.mask for ground in found for road in ground.roads} == {0x05000030}


def test_the_first_mask_that_fits_from_the_chosen_one_on_is_taken():
    kinds = (8, 9, 10, 0, 4, 3, 2, 5, 1)
    maps = tuple(TerrainAlphaMap(code, number) for number, code in enumerate(kinds))
    merger = GroundMerger(MERGE._replace(road=maps))
    taken = set()
    for types in product(range(6), repeat=2):
        pcode = palette_code((*types, *types), (1, 0, 0, 1))
        first = mask_choice(mask_hash(pcode), len(maps))
        fits = next(m for m in (*maps[first:], *maps[:first]) if turns_to(m.code, 9) is not None)
        (road,) = merger.ground(pcode).roads
        assert (road.mask, road.rotation) == (fits.texture, turns_to(fits.code, 9))
        taken.add(road.mask)
    assert taken == {1, 5}


def test_a_missing_terrain_type_takes_the_first_entry():
    assert terrain_texture(MERGE, 9) is MERGE.terrain[1]
    assert terrain_texture(MERGE, 5) is MERGE.terrain[0]
    assert terrain_texture(TexMerge(base_size=256, corner=(), side=(), road=(), terrain=()), 5) is None


def test_the_corners_of_a_landcell():
    terrain = [0] * 81
    for corner, place in enumerate(((3, 5), (4, 5), (4, 6), (3, 6))):
        terrain[9 * place[0] + place[1]] = (corner + 1) << 2 | (corner & 3) | 0x8000
    assert cell_palette_code(terrain, 3, 5) == palette_code((1, 2, 3, 4), (0, 1, 2, 3))
