"""Going to places: at once where they are loaded, else when they are; and looking at spots."""

from __future__ import annotations

import math
import re
from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.simulation.simulation import Simulation
from engine.replay.audit.spot import Spot
from engine.visibility.camera import MAX_PITCH, pivot_of
from engine.world.ids import rebase
from engine.world.location import format_location, parse_location
from viewer.asking.audits.spot_shapes import look_at, stand_for
from viewer.asking.why_cell import known_cell
from viewer.places import put
from viewer.user_error import UserError
from viewer.window.walking.going import Visited
from viewer.window.walking.outlook import Outlook

LOW_WORD: Final = re.compile(r"(?:0[xX])?[0-9a-fA-F]{4}")


class Traveller(Outlook):
    """An outlook whose body is put at places.

    ``destination`` is the place that one is on the way to, as it was asked for, and its cell; None on no way.
    ``refused`` is the last one that could not be gone to once its landblocks were there, and why; whoever
    tells of it takes it away. ``anywhere`` also takes places where nobody could stand. ``visited`` are the
    places that one has left by going elsewhere at once, however that was asked for.
    """

    def __init__(
        self, simulation: Simulation, *, third_person: bool = False, strict_root: bool = False
    ) -> None:
        super().__init__(simulation, third_person=third_person, strict_root=strict_root)
        self.destination: tuple[str, int] | None = None
        self.refused: tuple[str, str] | None = None
        self.visited = Visited()
        self.anywhere = False
        self._levels = True
        self._finds_cell = False
        self._spot: Spot | None = None

    def meant(self, text: str) -> str:
        """A place as it is meant: four digits are a cell of the landblock that one is in, where it has that.

        Else they are a landblock, as everywhere.
        """
        if not LOW_WORD.fullmatch(text.strip()):
            return text
        try:
            here = self.simulation.position.cell_id
            return hex_id(known_cell(self.simulation.world, here, int(text.strip(), 16)))
        except UserError:
            return text

    def teleport(
        self,
        place: str,
        *,
        levels: bool = True,
        finds_cell: bool = False,
        remembers: bool = True,
        spot: Spot | None = None,
    ) -> str:
        """Go to a place as the game prints it, when its landblocks are there.

        A place tells where one faces and not how steeply one looks: ``levels`` looks straight on there. With
        ``finds_cell`` nobody has named the cell, and nothing is said where it is another; without
        ``remembers`` the place that is left is not among those ``visited``. A ``spot`` is looked at there.

        Returns a complaint, empty where it went well or is under way; ``notice`` tells of one that comes
        later, and of a place that is not quite the one.
        """
        place = self.meant(place)
        try:
            cell_id = parse_location(place).cell_id
        except ValueError as error:
            return str(error)
        left, self.refused = format_location(self.simulation.position), None
        self.destination = (place, cell_id)
        self._levels, self._finds_cell, self._spot = levels, finds_cell, spot
        complaint = self._go_on()
        self.refused = None
        self.notice = "" if complaint else self.notice
        if remembers and not complaint:
            self.visited.leave(left)
        return complaint

    def _go_to_spot(self) -> None:
        """Go where somebody asks for a spot, and look at it once one is there."""
        found = self.questions.found
        place, self.questions.going_place = self.questions.going_place, ""
        if place and (complaint := self.teleport(place)):
            self.notice = complaint
        spot, found.going = found.going, None
        if spot is not None and spot.cells:
            if complaint := self.teleport(stand_for(self.simulation.world, spot), spot=spot):
                self.notice = complaint

    def _look_at_spot(self) -> None:
        """Turn to the spot that one came for."""
        spot, self._spot = self._spot, None
        target = None if spot is None else look_at(self.simulation.world, spot)
        if target is not None:
            self.look_toward(*target)

    def look_toward(self, cell_id: int, place: Vec3) -> None:
        """Turn body and look to a place in the block frame of a cell, metres."""
        position = self.simulation.position
        x, y, z = rebase(place, cell_id, position.cell_id)
        ex, ey, ez = pivot_of(position.frame.origin)
        east, north = x - ex, y - ey
        self.camera.target_yaw = math.degrees(math.atan2(east, north))
        pitch = math.degrees(math.atan2(z - ez, math.hypot(east, north)))
        self.camera.target_pitch = max(-MAX_PITCH, min(MAX_PITCH, pitch))
        self.simulation.face(self.camera.target_yaw)
        self.camera.settle()

    def _go_on(self) -> str:
        """End a journey that can be ended; a complaint, which is the notice, too."""
        if self.destination is None:
            return ""
        place, cell_id = self.destination
        if not self.simulation.residency.approach(cell_id):
            return ""
        self.destination = None
        complaint = self._arrive(place)
        self.refused = (place, complaint) if complaint else None
        self.notice = complaint or self.notice
        return complaint

    def _arrive(self, place: str) -> str:
        try:
            self.notice = put(
                self.simulation, place, anywhere=self.anywhere, finds_cell=self._finds_cell
            ).words
        except UserError as error:
            return str(error)
        self.flight = None
        self.questions.arrive(at_finding=self._spot is not None)
        self.camera.target_yaw = self.simulation.position.frame.heading()
        if self._levels:
            self.camera.level()
        self.camera.settle()
        self._look_at_spot()
        return ""
