"""The passes of a frame and their exact GL state (passes 3.2, 3.3).

Stencil bits: 7 (OUT) the landscape's region, 6 (BLD) the look-in being drawn, 5…0 (CELL) the id of
the cell region being drawn.
"""

from __future__ import annotations

from viewer.renderer.gl.gl_state import ALWAYS, EQUAL, KEEP, LEQUAL, LESS, REPLACE, PassState

OUT, BLD, CELL = 0x80, 0x40, 0x3F
ALL_BITS = 0xFF
LAST_CELL_ID = 63

EXIT_DEPTHS = PassState(
    name="exits", func=ALWAYS, read=ALL_BITS, zpass=KEEP, write=0,
    depth_test=True, depth_write=True, depth_func=LESS, color=True, cull=False, clamp=True,
)  # fmt: skip
P1_MARK_LANDSCAPE = PassState(
    name="P1", func=ALWAYS, read=ALL_BITS, zpass=REPLACE, write=OUT,
    depth_test=False, depth_write=False, depth_func=LEQUAL, color=False, cull=False,
)  # fmt: skip
P2_SKY = PassState(
    name="P2 sky", func=EQUAL, read=OUT, zpass=KEEP, write=0,
    depth_test=False, depth_write=False, depth_func=LEQUAL, color=True, cull=False,
)  # fmt: skip
P2_LANDSCAPE = PassState(
    name="P2", func=EQUAL, read=OUT, zpass=KEEP, write=0,
    depth_test=True, depth_write=True, depth_func=LEQUAL, color=True, cull=True,
)  # fmt: skip
P2_BLENDED = PassState(
    name="P2 blended", func=EQUAL, read=OUT, zpass=KEEP, write=0,
    depth_test=True, depth_write=False, depth_func=LEQUAL, color=True, cull=True,
)  # fmt: skip
# Towards the eye, or trim in the plane of the opening would hide it. Clamped, or the near plane would cut a
# strip off an opening that the eye is nearer to than 10 cm.
P3_MARK_LOOK_IN = PassState(
    name="P3", func=EQUAL, read=OUT, zpass=REPLACE, write=BLD,
    depth_test=True, depth_write=False, depth_func=LEQUAL, color=False, cull=False,
    clamp=True, offset=-1.0,
)  # fmt: skip
P3_MARK_STRADDLED = PassState(
    name="P3 straddled", func=EQUAL, read=OUT, zpass=REPLACE, write=BLD,
    depth_test=False, depth_write=False, depth_func=LEQUAL, color=False, cull=False,
)  # fmt: skip
P4_PUNCH = PassState(
    name="P4", func=EQUAL, read=BLD, zpass=KEEP, write=0,
    depth_test=True, depth_write=True, depth_func=ALWAYS, color=False, cull=False, clamp=True,
)  # fmt: skip
P5_MARK_CELL = PassState(
    name="P5", func=EQUAL, read=BLD, zpass=REPLACE, write=CELL,
    depth_test=False, depth_write=False, depth_func=LEQUAL, color=False, cull=False,
)  # fmt: skip
P6_CELL = PassState(
    name="P6", func=EQUAL, read=BLD | CELL, zpass=KEEP, write=0,
    depth_test=True, depth_write=True, depth_func=LEQUAL, color=True, cull=True,
)  # fmt: skip
P6_BLENDED = PassState(
    name="P12 in a look-in", func=EQUAL, read=BLD | CELL, zpass=KEEP, write=0,
    depth_test=True, depth_write=False, depth_func=LEQUAL, color=True, cull=True,
)  # fmt: skip
# Away from the eye: a door's leaf in the plane of the exit is before it.
P9_SEAL = PassState(
    name="P9", func=EQUAL, read=OUT, zpass=KEEP, write=0,
    depth_test=True, depth_write=True, depth_func=LESS, color=False, cull=False,
    clamp=True, offset=1.0,
)  # fmt: skip
P10_MARK_CELL = PassState(
    name="P10", func=ALWAYS, read=ALL_BITS, zpass=REPLACE, write=CELL,
    depth_test=False, depth_write=False, depth_func=LEQUAL, color=False, cull=False,
)  # fmt: skip
P11_CELL = PassState(
    name="P11", func=EQUAL, read=CELL, zpass=KEEP, write=0,
    depth_test=True, depth_write=True, depth_func=LEQUAL, color=True, cull=True,
)  # fmt: skip
P11_BLENDED = PassState(
    name="P12", func=EQUAL, read=CELL, zpass=KEEP, write=0,
    depth_test=True, depth_write=False, depth_func=LEQUAL, color=True, cull=True,
)  # fmt: skip
