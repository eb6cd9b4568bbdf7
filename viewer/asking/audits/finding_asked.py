"""The findings of an audit: of which kind are listed, which one was gone to, and what it is about."""

from __future__ import annotations

import math
from typing import Final

from engine.replay.audit.finding import Finding
from engine.replay.audit.spot import Spot, spot_of
from engine.visibility.picture_view import PictureView
from engine.world.debug_shapes import DebugShapes
from engine.world.ids import rebase
from engine.world.loading.world import World
from viewer.asking.audits.audit_run import AuditRun
from viewer.asking.audits.spot_shapes import look_at, spot_shapes
from viewer.report.asked import AuditReport

FAR: Final = 25.0  # metres: from farther off the outlines belong to nothing that is looked at


class FindingAsked:
    """The audits of one world; ``going`` is the spot that somebody is to go to, ``chosen`` its finding.

    What it is about is framed as long as one is near by, and until one goes elsewhere at once; it stays
    chosen all the same, for the next one to be found after it.
    """

    def __init__(self, world: World) -> None:
        self.audits = AuditRun(world)
        self.chosen: Finding | None = None
        self.going: Spot | None = None
        self._world = world
        self._kind = ""
        self._spot: Spot | None = None

    def start(self, block: int | None) -> None:
        """Look over a landblock, or the whole world for None, beside the window."""
        self._kind = ""
        self.let_go()
        self.audits.start(None if block is None else (block,))

    def let_go(self) -> None:
        """Choose none."""
        self.chosen = self._spot = None

    def show_kind(self, kind: str) -> None:
        """Show findings of one kind alone, all for an empty one."""
        self._kind = kind

    def go_to(self, finding: Finding) -> None:
        """Go where a finding is and frame what it is about."""
        self.chosen = finding
        self._spot = self.going = spot_of(finding.text)

    def after(self, by: int) -> Finding | None:
        """The finding so many after the chosen one, of those that are listed; None where none is."""
        shown = self.audits.report().changed(kind=self._kind).shown
        if not shown:
            return None
        first = -1 if by > 0 else 0
        at = shown.index(self.chosen) if self.chosen in shown else first
        return shown[(at + by) % len(shown)]

    def arrive_elsewhere(self) -> None:
        """One went somewhere at once, and not for the finding: it is framed no longer."""
        self._spot = None

    def shapes(self, picture: PictureView) -> DebugShapes | None:
        """What the finding is about, in a picture that is taken near by."""
        if self._spot is None or not self._is_near(self._spot, picture):
            return None
        return spot_shapes(self._world, self._spot, picture.root)

    def _is_near(self, spot: Spot, picture: PictureView) -> bool:
        seen = {picture.root, *(row.cell for row in picture.cells)}
        target = look_at(self._world, spot)
        if target is None:
            return not seen.isdisjoint(spot.cells)
        cell, place = target
        return math.dist(picture.view.eye, rebase(place, cell, picture.root)) <= FAR

    def report(self) -> AuditReport:
        """How far the audit is, and what it found."""
        return self.audits.report().changed(kind=self._kind, chosen=self.chosen)
