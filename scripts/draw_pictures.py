"""Draw the pictures of the README, off screen, on the demo world.

    python scripts/draw_pictures.py

Run it in the project's environment.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from engine.physics.simulation import Simulation  # noqa: E402
from engine.world.sources import demo_source  # noqa: E402
from engine.world.world import World  # noqa: E402
from viewer.commands.session import put  # noqa: E402
from viewer.offscreen import Studio  # noqa: E402
from viewer.walk import Walk  # noqa: E402

SIZE = (1280, 720)
PLACE = "0xA9B40171 [155.4 12.6 94.0] 1 0 0 0"
DOOR = 0x7A9B4015


def main() -> None:
    """The main room of the cottage, looking out through its open door, with the panels."""
    simulation = Simulation(World(demo_source(ROOT / "assets" / "demo")))
    put(simulation, PLACE)
    walk = Walk(simulation)
    simulation.use(DOOR)
    simulation.wait(2.0)
    frame = walk.look_out(SIZE, 0.0)
    walk.timings.clear()
    Studio(simulation, SIZE).picture(frame, walk.objects(), ROOT / "docs" / "walk.png", report=walk.report())


if __name__ == "__main__":
    main()
