"""Everything put together: the records of both files, and the files' bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from engine.dat.container.building import build_dat
from engine.dat.object_types import DatKind
from engine.dat.records.codecs import encode
from engine.dat.records.env_cell import EnvCell
from engine.dat.records.environment import Environment
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.land_block_info import BuildingInfo, LandBlockInfo
from engine.dat.values import StoredFrame
from engine.files.format_version import PLACES, stamp
from scripts.demo_world import ids, materials, outdoors, region, sky, terrain
from scripts.demo_world.building import QUARTERS, Cell, cell_struct
from scripts.demo_world.geometry import point
from scripts.demo_world.houses import cottage, croft, dungeon, inn, stab_lists
from scripts.demo_world.mesh import gfx_obj
from scripts.demo_world.people import human
from scripts.demo_world.places import places, scene
from scripts.demo_world.solids import box, inside_out
from scripts.demo_world.things import door, effects, furniture, landmarks, movers, plants, props

FIRST, LAST = 0x100, cottage.GABLE_WINDOW


@dataclass(frozen=True, slots=True)
class House:
    """A house's records: shell, Environment, cells and its entry in the village's landblock."""

    shell: GfxObj
    environment: Environment
    cells: tuple[EnvCell, ...]
    info: BuildingInfo


@cache
def houses() -> tuple[House, ...]:
    """The village's houses, made once."""
    made = []
    for building, shell in (
        (cottage.interior(), cottage.shell),
        (inn.interior(), inn.shell),
        (croft.interior(), croft.shell),
    ):
        model = shell(building)
        environment, cells = building.records(ids.VILLAGE)
        made.append(House(model, environment, tuple(cells), building.info(model.id)))
    return tuple(made)


NAMES = ("client_portal.dat", "client_cell_1.dat", "scene.json", "places.json")


def portal_records() -> dict[int, object]:
    """The records of the portal file. ValueError where two of them have one id."""
    made: list[tuple[int, object]] = [(region.REGION, region.region())]
    for room in (
        materials, sky, door, furniture, outdoors, plants, landmarks, props, effects, human, movers, croft
    ):  # fmt: skip
        made += room.records()
    for house in houses():
        made += [(house.shell.id, house.shell), (house.environment.id, house.environment)]
    made += [
        (ids.SCREEN, gfx_obj(ids.SCREEN, inn.screen())),
        (ids.DUNGEON_ENVIRONMENT, dungeon.records()[0]),
        (ids.SPARE_ENVIRONMENT, spare_structure()[0]),
    ]
    out: dict[int, object] = {}
    for number, record in made:
        if number in out:
            raise ValueError(f"two records have the id 0x{number:08X}")
        out[number] = record
    return out


def cell_records(dungeon_lists: Mapping[int, tuple[int, ...]] | None = None) -> dict[int, object]:
    """The records of the cell file; without lists every cell of the dungeon names every other."""
    out: dict[int, object] = {}
    for block in terrain.blocks():
        stabs = outdoors.stabs(block)
        is_village = block == ids.VILLAGE
        out[block | 0xFFFF] = terrain.land_block(block, has_objects=bool(stabs) or is_village)
        if is_village:
            infos = tuple(house.info for house in houses())
            stabs += effects.smoke()
            out[block | 0xFFFE] = LandBlockInfo(
                id=block | 0xFFFE, num_cells=LAST - FIRST + 1, objects=stabs, mask=0, buildings=infos
            )
            out |= {cell.id: cell for house in houses() for cell in house.cells}
        elif stabs:
            out[block | 0xFFFE] = LandBlockInfo(block | 0xFFFE, 0, stabs)
    for low in range(FIRST, LAST + 1):
        out.setdefault(ids.VILLAGE | low, spare_cell(low))
    cells = dungeon.records(dungeon_lists)[1]
    out |= {cell.id: cell for cell in cells}
    out[ids.DUNGEON | 0xFFFF] = terrain.flat_block(ids.DUNGEON)
    out[ids.DUNGEON | 0xFFFE] = LandBlockInfo(ids.DUNGEON | 0xFFFE, len(cells))
    return out


@cache
def spare_structure() -> tuple[Environment, tuple[int, ...]]:
    """A sealed chamber that fills numbers nobody uses, and its surfaces."""
    faces = inside_out(box((-1.5, -1.5, 0.0), (1.5, 1.5, 2.5), "ashlar"))
    struct, mesh = cell_struct(0, Cell(0, faces))
    return Environment(ids.SPARE_ENVIRONMENT, (struct,)), tuple(s & 0xFFFF for s in mesh.surfaces)


def spare_cell(low: int) -> EnvCell:
    """A chamber deep under the village: ids count on without gaps, so unused ones need a cell."""
    i, j = divmod(low - FIRST, 12)
    frame = StoredFrame(point((12.0 + 6.0 * i, 12.0 + 6.0 * j, 20.0)), QUARTERS[0])
    return EnvCell(
        id=ids.VILLAGE | low,
        flags=0,
        surfaces=spare_structure()[1],
        environment=ids.SPARE_ENVIRONMENT & 0xFFFF,
        structure=0,
        frame=frame,
    )


def files() -> dict[str, bytes]:
    """The demo world's files by name, those of ``NAMES``."""
    portal, cell, placed, named = NAMES
    draft = {
        portal: build_dat(_encoded(portal_records().items()), DatKind.PORTAL),
        cell: build_dat(_encoded(cell_records().items()), DatKind.CELL),
        placed: _text(scene()),
        named: _text({**stamp(PLACES), **places()}),
    }
    cells = cell_records(stab_lists.dungeon_lists(draft))
    return draft | {cell: build_dat(_encoded(cells.items()), DatKind.CELL)}


def _encoded(records: Iterable[tuple[int, object]]) -> dict[int, bytes]:
    return {number: encode(record) for number, record in records}


def _text(document: object) -> bytes:
    return (json.dumps(document, indent=1) + "\n").encode()
