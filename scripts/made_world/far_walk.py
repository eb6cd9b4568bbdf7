"""The part of the long walk over borders of a made world, off screen: frame times, memory, handles."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from engine.dat.container.building import stream_dat
from engine.dat.object_types import DatKind
from engine.files.together import whole_files
from engine.world.loading.process_builder import Site
from engine.world.loading.world import World
from engine.world.sources.open_source import SourceArguments, open_source
from scripts.made_world.land import HIGHWAY, SIDE, TILE_BLOCKS, Land
from scripts.made_world.world import MadeWorld
from viewer.renderer.scene.block_maker import BlockMaker
from viewer.report.progress import Progress
from viewer.verify.border_walk import BorderWalk, walk_over_borders

HEIGHT = 3 * TILE_BLOCKS  # landblocks to the north; the walk goes along the middle
COAST = 1  # a column of dungeons, and the shore east of it
INLAND = 3  # landblocks from there to the start
EAST = "0.7071068 0 0 -0.7071068"
SIZE = (64, 36)
FRAMES_A_BORDER = 700
SETTLED = 20  # borders after which memory should grow no more
GROWTH = 1.05


@dataclass
class FarWalk:
    """What a walk over many borders came to; memory in MB and open files at every border."""

    walk: BorderWalk
    borders: int
    memory: list[float] = field(default_factory=list)
    handles: list[int] = field(default_factory=list)

    def faults(self) -> dict[str, int]:
        """What must not be."""
        late = self.memory[SETTLED:]
        return {
            name: 1
            for name, wrong in (
                ("the walk was blocked", self.walk.borders < self.borders),
                ("memory grows", bool(late) and max(late) > GROWTH * late[0]),
                ("open files grow", bool(self.handles) and self.handles[-1] > self.handles[0] + 2),
            )
            if wrong
        }

    def to_json(self) -> dict[str, object]:
        """Milliseconds of frames by the thread's own clock, of that without drawing, and by the wall's."""
        return {
            "borders": self.walk.borders,
            "frames": len(self.walk.own),
            "landblocks_came": self.walk.loaded,
            **{f"{name}_ms": _spread(times) for name, times in (
                ("own", self.walk.own), ("without_drawing", self.walk.undrawn), ("wall", self.walk.clock)
            )},
            "memory_mb": _thinned(self.memory),
            "open_files": _thinned(self.handles),
            "faults": self.faults(),
        }  # fmt: skip


def walk_far(borders: int, objects: int = 1, radius: int = 2, folder: Path | None = None) -> FarWalk:
    """Make a world wide enough, unless ``folder`` holds one made alike, and run east over so many borders."""
    width = COAST + INLAND + borders + radius + 2
    with tempfile.TemporaryDirectory() as made:
        if folder is None:
            folder = Path(made)
            _make(folder, MadeWorld(width, HEIGHT, COAST, fewest=10, most=60))
            coast = COAST
        else:
            coast = 11
        world = World(open_source(dats=folder))
        out = FarWalk(BorderWalk(), borders)

        progress = Progress("borders", asked=False)
        progress.total = borders

        def at_border() -> None:
            progress(len(out.memory), f"border {len(out.memory)}")
            out.memory.append(_memory())
            out.handles.append(_handles())

        out.walk = walk_over_borders(
            world,
            _start(coast),
            borders=borders,
            reach=(objects, radius),
            size=SIZE,
            most_frames=FRAMES_A_BORDER * borders,
            at_border=at_border,
            site=Site(SourceArguments(dats=folder), BlockMaker),
        )
        progress.make_way()
    return out


def _make(folder: Path, made: MadeWorld) -> None:
    with whole_files() as both:
        for name, kind, records in (
            ("client_portal.dat", DatKind.PORTAL, made.portal_records()),
            ("client_cell_1.dat", DatKind.CELL, made.cell_records()),
        ):
            with both.file(folder / name) as file:
                stream_dat(file, records, kind)


def _start(coast: int) -> str:
    """A place on the road that leads straight on, looking east."""
    bx, by = coast + INLAND, TILE_BLOCKS
    height = Land(coast, 1).vertex(SIDE * bx + 4, SIDE * by + HIGHWAY)[1]
    return f"0x{bx:02X}{by:02X}{1 + 8 * 4 + HIGHWAY:04X} [96 {24 * HIGHWAY + 0.5} {2 * height}] {EAST}"


def _memory() -> float:
    """Resident memory in MB, 0 where the system does not tell."""
    try:
        text = Path("/proc/self/statm").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return round(int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def _handles() -> int:
    """Open files, 0 where the system does not tell."""
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return 0


def _spread(times: list[float]) -> dict[str, float]:
    ordered = sorted(times) or [0.0]
    return {
        "median": round(ordered[len(ordered) // 2], 2),
        "p99": round(ordered[-1 - len(ordered) // 100], 2),
        "worst": round(ordered[-1], 2),
    }


def _thinned(values: list[float] | list[int]) -> list[float]:
    """Every tenth value and the last."""
    return [*values[:-1:10], *values[-1:]]
