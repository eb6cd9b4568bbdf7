"""All that is asked in the window: it looks at every frame, and gives answers, shapes and a report."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from engine.dat.hex_id import hex_id
from engine.physics.simulation.simulation import Simulation
from engine.visibility.frame_view import FrameView
from engine.visibility.openings import OpeningIndex
from engine.world.debug_shapes import DebugShapes
from viewer.asking.why_cell import WhyAsked, known_cell
from viewer.asking.why_shapes import why_shapes
from viewer.errors import UserError
from viewer.report.asked import AskedReport

WHY = "Why"


class Questions:
    """What is asked of one simulation; ``to_show`` are panels that an answer wants to be seen in.

    ``openings`` may be shared with who makes the frames.
    """

    def __init__(self, simulation: Simulation, openings: OpeningIndex) -> None:
        self.to_show: list[str] = []
        self.why = WhyAsked(simulation.world, openings)
        self.why_text = ""
        self._why_complaint = ""
        self._simulation = simulation
        self._root = simulation.position.cell_id

    @property
    def wants_accounts(self) -> bool:
        """Whether the frames' floods must keep their accounts."""
        return self.why.cell != 0

    def look(self, frame: FrameView) -> None:
        """Answer about a frame."""
        self._root = frame.root
        self.why.look(frame)

    def ask_why(self, cell: int) -> None:
        """Ask why a cell is seen or not, 0 to ask no more."""
        self.why.ask(cell)
        self._why_complaint = ""
        if cell:
            self.why_text = f"{cell:08X}"
            self.to_show.append(WHY)

    def type_why(self, text: str, entered: bool = False) -> None:
        """What is typed into the box; entered it is asked about."""
        self.why_text = text
        if not entered:
            return
        try:
            self.ask_why(known_cell(self._simulation.world, self._root, int(text.strip(), 16)))
        except UserError as error:
            self._why_complaint = str(error)
        except ValueError:
            self._why_complaint = f"'{text.strip()}' is no cell: write 0xA9B40171, or 0171"

    def offers(self, text: str) -> list[tuple[str, Callable[[], object]]]:
        """What the palette can ask: about the cells of the stab list, and about one that is typed."""
        cell = self._simulation.body.cell
        cells = [] if cell is None else list(cell.stab_list)
        with suppress(UserError, ValueError):
            cells.append(known_cell(self._simulation.world, self._root, int((text.split() or ["-"])[-1], 16)))
        return [
            (f"Why is {hex_id(cell)} seen, or not", partial(self.ask_why, cell))
            for cell in dict.fromkeys(cells)
        ]

    def shown_panels(self) -> list[str]:
        """The panels that are to come to the front; asked once."""
        wanted, self.to_show = self.to_show, []
        return wanted

    def shapes(self, frame: FrameView) -> list[DebugShapes]:
        """What the answers show in the picture."""
        out = []
        if self.why.answer is not None:
            out.append(why_shapes(self.why.answer, frame))
        return out

    def report(self) -> AskedReport:
        """Questions and answers."""
        return AskedReport(why=self.why.answer, why_text=self.why_text, why_complaint=self._why_complaint)
