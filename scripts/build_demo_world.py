"""Build the demo world's files into ``assets/demo``: the same bytes every time."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from engine.files.write import write_bytes  # noqa: E402
from scripts.demo_world.world import files  # noqa: E402


def main(arguments: list[str]) -> int:
    """Write the files into the folder that is named, by default ``assets/demo``."""
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print("usage: build_demo_world.py [FOLDER]", file=sys.stderr)
        return 2
    folder = Path(arguments[0]) if arguments else ROOT / "assets" / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files().items():
        write_bytes(folder / name, data)
        print(f"{folder / name}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
