"""What a folder of dumps holds, and what its own cells and objects name that is not in it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.records.env_cell import OUTSIDE
from engine.world.sources.dumps import DumpsSource

SETUP_TYPE = 0x02
NAMED = 4  # ids that a line names; of more it says how many


@dataclass(frozen=True, slots=True)
class Inventory:
    """Ids of the cells and of the objects' models that are there, and of those that are named and are not."""

    cells: tuple[int, ...]
    models: tuple[int, ...]
    missing_cells: tuple[int, ...]
    missing_models: tuple[int, ...]
    has_objects: bool

    @property
    def lines(self) -> tuple[str, ...]:
        """What was found, and what is missing, in words."""
        found = f"found: {_count(self.cells, 'cell')} and {_count(self.models, 'model')} that stand in them"
        missing = []
        if self.missing_cells:
            missing.append(f"{_named(self.missing_cells, 'cell')} that portals or lists name")
        if self.missing_models:
            missing.append(f"{_named(self.missing_models, 'model')} that objects name")
        if not self.has_objects:
            missing.append("a scene.json with doors and objects")
        return (found, f"missing: {'; '.join(missing) or 'nothing that these name'}")


def inventory(source: DumpsSource) -> Inventory:
    """Look through a folder of dumps; damaged files count as missing, they are told where they are loaded."""
    cells: set[int] = set()
    named: set[int] = set()
    for block_id in source.block_ids():
        for cell_id in source.cell_ids(block_id):
            try:
                cell = source.env_cell(cell_id)
            except DatError:
                cell = None
            if cell is None:
                named.add(cell_id)
                continue
            cells.add(cell_id)
            low = [portal.other_cell for portal in cell.portals if portal.other_cell != OUTSIDE]
            named.update(block_id | word for word in (*low, *cell.visible))
    objects = source.scene().objects
    buildings = [b.model for block in source.block_ids() if (info := source.land_block_info(block))
                 for b in info.buildings]  # fmt: skip
    wanted = {item.model_id for item in objects} | set(buildings)
    models = {model_id for model_id in wanted if _is_there(source, model_id)}
    return Inventory(
        cells=tuple(sorted(cells)),
        models=tuple(sorted(models)),
        missing_cells=tuple(sorted(named - cells)),
        missing_models=tuple(sorted(wanted - models)),
        has_objects=bool(objects),
    )


def _is_there(source: DumpsSource, model_id: int) -> bool:
    """Whether a model is there with all its parts."""
    try:
        if model_id >> 24 != SETUP_TYPE:
            return source.gfx_obj(model_id) is not None
        setup = source.setup(model_id)
        return setup is not None and all(
            part == 0 or source.gfx_obj(part) is not None for part in setup.parts
        )
    except DatError:
        return False


def _count(ids: tuple[int, ...], word: str) -> str:
    return f"{len(ids)} {word}{'' if len(ids) == 1 else 's'}"


def _named(ids: tuple[int, ...], word: str) -> str:
    names = ", ".join(map(hex_id, ids[:NAMED]))
    return f"{_count(ids, word)} ({names}{', …' if len(ids) > NAMED else ''})"
