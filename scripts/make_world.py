"""Make a world of any size of the demo's parts: the same bytes every time.

    python scripts/make_world.py FOLDER [--size WxH] [--dungeons COLUMNS] [--cells FEWEST-MOST] [--seed N]

``--size 255x255`` is a whole map. A folder that has dat files already is refused: they may be
somebody's game. Walk in it with ``holtwalk --dats FOLDER``.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.start import RUNTIME, arguments_of, begin, finish, refuse_to_replace

begin(__name__, RUNTIME)

import argparse
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from engine.dat.container.building import stream_dat
from engine.dat.object_types import DatKind
from engine.files.shown import counted
from engine.files.together import whole_files
from scripts.made_world import dungeons
from scripts.made_world.world import DUNGEON_SHARE, LARGEST, MadeWorld

PORTAL, CELLS = "client_portal.dat", "client_cell_1.dat"
SAY_EVERY = 2.0


def main(arguments: list[str]) -> int:
    """Make the world that the arguments describe; 2 on bad usage."""
    parser = arguments_of(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=_pair("x", 1, LARGEST), default=(25, 25), metavar="WxH")
    parser.add_argument("--dungeons", type=int, metavar="COLUMNS", help="of landblocks, in the west")
    parser.add_argument(
        "--cells", type=_pair("-", 2, 0xFE00), default=(dungeons.FEWEST, dungeons.MOST),
        metavar="FEWEST-MOST", help="of a dungeon",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args(arguments)
    (width, height), (fewest, most) = told.size, told.cells
    columns = max(1, width // DUNGEON_SHARE) if told.dungeons is None else told.dungeons
    if not 0 <= columns <= width:
        parser.error(f"--dungeons {columns}: the world has {counted(width, 'column')}")
    if fewest > most:
        parser.error(f"--cells {fewest}-{most}: the fewest come first")
    refuse_to_replace(told.folder, (PORTAL, CELLS))
    told.folder.mkdir(parents=True, exist_ok=True)
    made = MadeWorld(
        width=width, height=height, dungeon_columns=columns, seed=told.seed, fewest=fewest, most=most
    )
    portal, cells = told.folder / PORTAL, told.folder / CELLS
    with whole_files(over=False) as both:
        with both.file(portal) as first:
            stream_dat(first, made.portal_records(), DatKind.PORTAL)
        with both.file(cells) as second:
            stream_dat(second, _telling(made.cell_records(), width), DatKind.CELL)
    for path in (portal, cells):
        print(f"{path}: {path.stat().st_size} bytes")
    return 0


def _pair(between: str, least: int, most: int) -> Callable[[str], tuple[int, int]]:
    def read(text: str) -> tuple[int, int]:
        found = re.fullmatch(rf"(\d{{1,5}}){between}(\d{{1,5}})", text)
        numbers = tuple(map(int, found.groups())) if found else ()
        if len(numbers) != 2 or not all(least <= number <= most for number in numbers):
            example = f"{least}{between}{most}"
            raise argparse.ArgumentTypeError(f"'{text}': two numbers of {least} to {most}, as in {example}")
        return numbers[0], numbers[1]

    return read


def _telling(records: Iterable[tuple[int, bytes]], width: int) -> Iterator[tuple[int, bytes]]:
    """The records, saying on stderr now and then how far they are."""
    due = time.monotonic() + SAY_EVERY
    for object_id, data in records:
        yield object_id, data
        if time.monotonic() >= due:
            due = time.monotonic() + SAY_EVERY
            print(f"column {(object_id >> 24) + 1} of {width}", file=sys.stderr)


if __name__ == "__main__":
    finish(main)
