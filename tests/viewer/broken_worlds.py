"""Worlds with something wrong in them for the audit to find."""

from __future__ import annotations

from pathlib import Path

from tests.world.dump_folders import rigid, room, write


def broken_world(folder: Path) -> Path:
    """Two rooms whose portals lie 30 cm apart."""
    write(
        folder,
        room(0x100, rigid(50, 50, 94), [(3, 0x101, 0)], (0x101,)),
        room(0x101, rigid(50, 54.3, 94), [(2, 0x100, 0)], (0x100,)),
    )
    return folder
