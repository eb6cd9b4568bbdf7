"""Write the golden transcripts of what is seen from the demo world's places.

    python scripts/write_golden.py

Run it in the project's environment after changing the demo world, and read the differences: each file of
tests/golden/pvs is the visible list with portal chains, areas and regions from one place of places.json.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.start import RUNTIME, arguments_of, begin, finish

begin(__name__, RUNTIME)

import re
from collections.abc import Collection

from engine.files.read import ReadError, read_text
from engine.files.shown import shown
from engine.files.write import write_text
from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import Camera
from engine.visibility.openings import OpeningIndex
from engine.visibility.report import pvs_transcript
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import demo_source
from engine.world.sources.places_file import read_places
from scripts.environment import ROOT
from viewer.picture.eye_line import eye_line, see

SIZE = (640, 360)
FOLDER = ROOT / "tests" / "golden" / "pvs"
TRANSCRIPT = re.compile(r".+: 0x[0-9A-F]{8} \[[^\n]+\nroot 0x[0-9A-F]{8} ")
"""How every one begins."""


def file_name(place: str) -> str:
    """A place's name as one of a file, in the folder of transcripts and nowhere else."""
    return re.sub(r"[^\w-]+", "-", place, flags=re.ASCII)


def transcripts() -> dict[str, str]:
    """File names and texts, one for each place of the demo, first person, along the place's heading."""
    demo = ROOT / "assets" / "demo"
    simulation = Simulation(World(demo_source(demo)))
    out: dict[str, str] = {}
    for name, place in read_places(demo).items():
        simulation.teleport(parse_location(place).position)
        camera = Camera(simulation.position.frame.heading())
        index = OpeningIndex()
        line = eye_line(simulation.world, index, simulation.body, drawn=simulation.drawn(), camera=camera)
        cell_id = simulation.position.cell_id
        picture = see(simulation.world, index, cell_id, line, look=(camera.yaw, camera.pitch), size=SIZE)
        out[f"{file_name(name)}.txt"] = f"{name}: {place}\n{pvs_transcript(picture)}"
    return out


def clear_but(texts: Collection[str]) -> None:
    """Remove the transcripts of places that are no more; a text that is none stays, and that is said."""
    for path in sorted(FOLDER.glob("*.txt")):
        if path.name in texts:
            continue
        try:
            is_ours = TRANSCRIPT.match(read_text(path, lossy=True, pipes=False)) is not None
        except ReadError:
            is_ours = False
        if is_ours:
            path.unlink()
        else:
            print(f"holtwalk: {FOLDER}: {shown(path.name)} is no transcript: left there", file=sys.stderr)


def main(arguments: list[str]) -> int:
    """Write them, and remove those of places that are no more."""
    arguments_of(__doc__).parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    texts = transcripts()
    clear_but(texts)
    for name, text in texts.items():
        write_text(FOLDER / name, text)
    return 0


if __name__ == "__main__":
    finish(main)
