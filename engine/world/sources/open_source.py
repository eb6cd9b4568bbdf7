"""Opening the source of a world by what the command line says (sources 1, promises 1)."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError
from engine.dat.records.region import REGION_ID
from engine.named_tuple import NamedTuple
from engine.world.ids import is_outdoor
from engine.world.source import SceneObject
from engine.world.sources.dats import DatsSource
from engine.world.sources.json_node import JsonError
from engine.world.sources.scene_file import SceneFile, read_scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.world.sources.dumps import DumpsSource

    Hear = Callable[[str, float], object]

SCENE_NAME = "scene.json"
NEAR = 30.0  # metres of an object from its cell's origin


class SourceError(Exception):
    """A source that can't be opened: one line saying what and why."""


def open_source(
    *,
    demo: Path | None = None,
    dats: Path | None = None,
    dumps: Path | None = None,
    scene: Path | None = None,
    spawns: Path | None = None,
    split_trees: bool = False,
    known: Path | None = None,
    hear: Hear | None = None,
) -> DatsSource | DumpsSource:
    """Open one of the three sources: the demo's folder, a folder of dats or a folder of dumps.

    ``spawns`` is a spawn list, a file or a folder of ``.sql`` files, laid over the source's own
    ``scene.json`` (sources 5), ``scene`` a further ``scene.json`` laid over both. ``split_trees`` makes
    built physics trees of dumps instead of one leaf in file order (sources 3). ``known`` is a ``scene.json``
    for dats whose cells lie where its objects say: it is laid under everything else. ``hear``
    is told what is under way and what share of it is done, 0 to 1. Raises SourceError.
    """
    given = [folder for folder in (demo, dats, dumps) if folder is not None]
    if len(given) != 1:
        raise SourceError("name one source: the demo, a folder of dats or a folder of dumps")
    folder = given[0]
    if not folder.is_dir():
        raise SourceError(f"{folder}: {'is no folder' if folder.exists() else 'there is no such folder'}")
    over = SceneFile() if spawns is None else _spawns(spawns, hear)
    over = over if scene is None else over.overlaid(_scene(scene))
    if dats is not None:
        source = _dats(dats, str(dats), over)
        under = _scene(known, pipes=False) if known is not None else None
        if under is None or not fits(under, source):
            return source
        return DatsSource(source.files, source.name, under.overlaid(over), len(under.objects))
    beside = folder / SCENE_NAME
    has_own = os.path.lexists(beside)  # a link that leads nowhere is told, not passed over
    own = _scene(beside, pipes=False) if has_own else SceneFile()
    if demo is not None:
        return _dats(demo, "demo", own.overlaid(over))
    return _dumps(folder, own.overlaid(over), has_scene=has_own, split_trees=split_trees)


class SourceArguments(NamedTuple):
    """What ``open_source`` takes, to be handed to other processes, each of which opens it for itself."""

    demo: Path | None = None
    dats: Path | None = None
    dumps: Path | None = None
    scene: Path | None = None
    spawns: Path | None = None
    known: Path | None = None

    def open(self, hear: Hear | None = None) -> DatsSource | DumpsSource:
        """The source; ``hear`` as for ``open_source``. Raises SourceError."""
        return open_source(
            demo=self.demo, dats=self.dats, dumps=self.dumps, scene=self.scene, spawns=self.spawns,
            known=self.known, hear=hear,
        )  # fmt: skip


def fits(scene: SceneFile, source: DatsSource) -> bool:
    """Whether a source has the cells in which a scene's objects stand indoors, about where they stand."""
    indoors = [item for item in scene.objects if not is_outdoor(item.cell_id)]
    return bool(indoors) and all(_is_near(item, source) for item in indoors)


def _is_near(item: SceneObject, source: DatsSource) -> bool:
    try:
        cell = source.env_cell(item.cell_id)
    except DatError:
        return False  # reported where it is loaded
    return cell is not None and math.dist(cell.frame.origin, item.frame.origin) < NEAR


def demo_source(folder: Path, scene: Path | None = None) -> DatsSource | DumpsSource:
    """The demo world of a folder that holds its dats and its ``scene.json``."""
    return open_source(demo=folder, scene=scene)


def _spawns(path: Path, hear: Hear | None) -> SceneFile:
    from engine.world.sources.spawns import SpawnError, read_spawns  # most worlds are opened without

    def told(share: float) -> None:
        if hear is not None:
            hear("reading the spawn list", share)

    told(0.0)
    try:
        spawns = read_spawns(path, told)
    except SpawnError as error:
        raise SourceError(str(error)) from None
    objects = spawns.scene_objects()
    return SceneFile(
        path=str(path), objects=objects, problems=tuple(spawns.problems), unkept=spawns.noted.unkept
    )


def _scene(path: Path, *, pipes: bool = True) -> SceneFile:
    try:
        return read_scene(path, pipes=pipes)
    except JsonError as error:
        raise SourceError(str(error)) from None


def _dats(folder: Path, name: str, scene: SceneFile) -> DatsSource:
    try:
        files = DatFiles.open(folder)
        try:
            if REGION_ID not in files.portal:
                raise DatError(files.portal.name, REGION_ID, None, "there is no region in this file")
        except DatError:
            files.close()
            raise
    except DatError as error:
        raise SourceError(str(error)) from None
    return DatsSource(files, name, scene)


def _dumps(folder: Path, scene: SceneFile, *, has_scene: bool, split_trees: bool) -> DumpsSource:
    from engine.world.sources.dumps import DumpsSource  # most worlds are dats

    try:
        source = DumpsSource(folder, scene, split_trees=split_trees)
    except OSError as error:
        raise SourceError(f"{folder}: can't be read ({error.strerror})") from None
    if not has_scene and not source.has_dumps:
        inner = folder / "dumps"
        hint = f"; {inner} is a folder, is it meant?" if inner.is_dir() else ""
        raise SourceError(f"{folder}: holds no dumps (0x........json) and no {SCENE_NAME}{hint}")
    return source
