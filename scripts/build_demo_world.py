"""Build the demo world's files into ``assets/demo``: the same bytes every time.

python scripts/build_demo_world.py [FOLDER]

Another folder that has files of these names already is refused: they may be somebody's game.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.start import RUNTIME, arguments_of, begin, finish, refuse_to_replace

begin(__name__, RUNTIME)

from pathlib import Path

from engine.files.together import whole_files
from scripts.demo_world.world import NAMES, files
from scripts.environment import ROOT


def main(arguments: list[str]) -> int:
    """Write the files into the folder that is named, by default ``assets/demo``."""
    parser = arguments_of(__doc__)
    own = ROOT / "assets" / "demo"
    parser.add_argument("folder", type=Path, nargs="?", default=own)
    folder: Path = parser.parse_args(arguments).folder
    is_own = folder.resolve() == own.resolve()
    if not is_own:
        refuse_to_replace(folder, NAMES)
    folder.mkdir(parents=True, exist_ok=True)
    made = files()
    with whole_files(over=is_own) as whole:  # one of another folder may have come meanwhile
        for name, data in made.items():
            with whole.file(folder / name) as file:
                file.write(data)
    for name, data in made.items():
        print(f"{folder / name}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    finish(main)
