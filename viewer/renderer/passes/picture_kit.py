"""What the three frame routines share: entering passes, drawing marks, handing out cell ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from engine.dat.values import Vec3
from engine.world.under_way import UnderWay
from viewer.renderer.gl.framebuffer import SceneTarget
from viewer.renderer.gl.gl_state import ALWAYS, EQUAL, KEEP, GlState, PassState
from viewer.renderer.gl.programs import Programs
from viewer.renderer.gl.stats import PictureStats
from viewer.renderer.passes.painter import Painter
from viewer.renderer.passes.passes import ALL_BITS, BLD, CELL, LAST_CELL_ID
from viewer.renderer.passes.picture_plan import PicturePlan, PlannedCell, Planner
from viewer.renderer.passes.regions import Span, box_around
from viewer.renderer.render_options import BOX, EXACT, STENCIL, RenderOptions

if TYPE_CHECKING:
    import moderngl
    from numpy.typing import NDArray

BACKDROP = (0.12, 0.14, 0.17)
SENTINEL = (1.0, 0.0, 1.0)
PACE = 64  # things after which the driver catches up where it is told how far they are

T = TypeVar("T")


class PictureKit:
    """The tools of one frame."""

    def __init__(  # noqa: PLR0913 - all that a frame is drawn with, by keyword
        self,
        state: GlState,
        programs: Programs,
        planner: Planner,
        painter: Painter,
        *,
        target: SceneTarget,
        plan: PicturePlan,
        options: RenderOptions,
        stats: PictureStats,
        under_way: UnderWay,
    ) -> None:
        self.state = state
        self.programs = programs
        self.painter = painter
        self.target = target
        self.plan = plan
        self.options = options
        self.stats = stats
        self._planner = planner
        self._under_way = under_way
        self._last_id = 0
        self.look_in_stencil: NDArray[np.uint8] | None = None

    def fill(self, background: Vec3) -> Vec3:
        """The colour that the frame begins with in place of ``background``, if any (passes 3.3)."""
        if self.options.counts_paint:
            return (0.0, 0.0, 0.0)
        return SENTINEL if self.options.wants_sentinel else background

    def flat(self, program: moderngl.Program, span: Span) -> None:
        """Draw 2-D regions."""
        if span.size:
            self._planner.flat.draw(program, span)
            self.stats.marks += 1
            self.state.note("regions")

    def solid(self, program: moderngl.Program, span: Span) -> None:
        """Draw portal polygons in space."""
        if span.size:
            self._planner.solid.draw(program, span)
            self.stats.marks += 1
            self.state.note("openings")

    def through(self, what: str, items: Sequence[T]) -> Iterable[T]:
        """These things, each to be drawn; of many it is told how far they are, where somebody hears it.

        Then the driver draws them as they come: it would gather gigabytes first, and be silent afterwards.
        """
        return items if self._under_way.hear is None or len(items) <= PACE else self._paced(what, items)

    def _paced(self, what: str, items: Sequence[T]) -> Iterator[T]:
        for number, item in enumerate(self._under_way.through(what, items), 1):
            yield item
            if number % PACE == 0:
                self.state.raw.glFinish()

    def restart_ids(self) -> None:
        """Begin counting cell ids anew; the caller has cleared bits 0-5."""
        self._last_id = 0

    def next_id(self) -> int:
        """The id of the next cell region, 1…63; clears bits 0-5 before an id comes again."""
        if self._last_id == LAST_CELL_ID:
            self.state.clear_stencil(0, CELL)
            self._last_id = 0
        self._last_id += 1
        return self._last_id

    def enter_cells(
        self, cells: Sequence[PlannedCell], drawing: PassState, *, mark: PassState, within: int = 0
    ) -> None:
        """Mark the cells' regions with the next cell id, then the state to draw in them.

        ``within`` is the bit that the ground they are seen on bears; 0 for all of the picture. Where regions
        do not clip, depth alone decides between cells, within the boxes around their regions or everywhere
        that the bit stands (passes 3.9).
        """
        if self.options.clip_mode == EXACT:
            ref = within | self.next_id()
            self.state.enter(mark, ref)
            for cell in cells:
                self.flat(self.programs.mark, cell.mark)
            self.state.enter(drawing, ref)
        else:
            self.state.enter(drawing)
            self.state.stencil(
                EQUAL if within else ALWAYS, within, read=within or ALL_BITS, zpass=KEEP, write=0
            )
            self.keep_to_boxes(cells)

    def keep_to_boxes(self, cells: Sequence[PlannedCell]) -> None:
        """In the box mode, draw only within the box around the regions of cells."""
        if self.options.clip_mode == BOX:
            self.state.scissor(box_around(cell.box for cell in cells))

    def note_look_in(self) -> None:
        """Keep the stencil of a look-in before P7 clears it, for the view that shows it."""
        if self.options.show != STENCIL:
            return
        values = self.target.read_stencil()
        if self.look_in_stencil is None:
            self.look_in_stencil = np.zeros_like(values)
        marked = values & BLD != 0
        self.look_in_stencil[marked] = values[marked]

    def check_stencil(self) -> None:
        """Note which stencil values there are, where asked for."""
        if self.options.check_stencil:
            values = self.target.read_stencil()
            self.stats.stencil_residue = frozenset(int(v) for v in set(values.ravel().tolist()))


def draw_backdrop(kit: PictureKit) -> None:
    """A frame without anything in it, for what is drawn over it."""
    kit.state.clear_color(kit.fill(BACKDROP))
    kit.state.clear_depth()
    kit.state.clear_stencil(0, ALL_BITS)
