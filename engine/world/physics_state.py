"""The PhysicsState word of an object, as the server sends it (sweep 2.2)."""

from __future__ import annotations

from typing import Final

STATIC: Final = 0x1
ETHEREAL: Final = 0x4
REPORT_COLLISIONS: Final = 0x8
IGNORE_COLLISIONS: Final = 0x10
NO_DRAW: Final = 0x20
MISSILE: Final = 0x40
ALIGN_PATH: Final = 0x100
PATH_CLIPPED_STATE: Final = 0x200
GRAVITY: Final = 0x400
HIDDEN: Final = 0x4000
HAS_PHYSICS_BSP: Final = 0x10000
INELASTIC: Final = 0x20000
REPORT_AS_ENVIRONMENT: Final = 0x200000
EDGE_SLIDE_STATE: Final = 0x400000
SLEDDING: Final = 0x800000
PLAYER_STATE: Final = EDGE_SLIDE_STATE | GRAVITY | REPORT_COLLISIONS
CLOSED_DOOR: Final = HAS_PHYSICS_BSP | REPORT_COLLISIONS
