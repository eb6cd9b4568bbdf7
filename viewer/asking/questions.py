"""All that is asked in the window: it looks at every frame, and gives answers, shapes and a report."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from engine.dat.hex_id import hex_id
from engine.physics.simulation.simulation import Simulation
from engine.replay.audit.finding import Finding
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.world.debug_shapes import DebugShapes
from engine.world.ids import rebase
from viewer.asking.audits.audit_run import AuditRun
from viewer.asking.audits.finding_asked import FindingAsked
from viewer.asking.door_probe import ProbeAsked
from viewer.asking.door_stage import DoorStage, is_placed
from viewer.asking.map_asked import MapAsked
from viewer.asking.near_cells import NearCells
from viewer.asking.pick_asked import PickAsked
from viewer.asking.why_cell import WhyAsked, typed_cell
from viewer.asking.why_shapes import why_shapes
from viewer.picture.picture_to_draw import PictureToDraw
from viewer.renderer.renderer import Renderer
from viewer.report.asked import AskedReport, FollowedReport
from viewer.report.frame_times import FrameTimes
from viewer.report.log_lines import Log
from viewer.report.picked import PickAnswer
from viewer.tables.option_values import object_id
from viewer.user_error import UserError
from viewer.user_folders import documents_folder

WHY, INSPECT, PROBE, AUDIT = "Why", "Inspect", "Probe", "Audit"


class Questions:
    """What is asked of one simulation; ``to_show`` are panels that an answer wants to be seen in.

    ``openings`` may be shared with who makes the frames.
    """

    def __init__(self, simulation: Simulation, openings: OpeningIndex) -> None:
        self.to_show: list[str] = []
        self.why = WhyAsked(simulation.world, openings)
        self._near = NearCells(simulation)
        self.pick = PickAsked(simulation, openings)
        self._probe = ProbeAsked(simulation)
        self.doors = DoorStage(simulation)
        self.found = FindingAsked(simulation.world)
        self.map = MapAsked(simulation)
        self.going_place = ""
        self._picture: PictureView | None = None
        self._drawn_into: PictureView | None = None
        self.log = Log()
        self.times = FrameTimes()
        self.notice = ""
        self._simulation = simulation
        self._root = simulation.position.cell_id

    @property
    def wants_accounts(self) -> bool:
        """Whether the pictures' floods must keep their accounts."""
        return self.why.cell != 0 or self.pick.pointed is not None

    def look(self, picture: PictureView) -> None:
        """Answer about a picture."""
        self._picture = picture
        self.map.begin_frame()
        self._root = picture.root
        self.why.look(picture)

    def inspect(self, pixel: tuple[int, int]) -> None:
        """Ask what a pixel of the picture shows; the next picture that keeps accounts is looked at."""
        self.pick.pointed = pixel

    def inspect_nothing(self) -> None:
        """Let go of what was picked."""
        self.pick.let_go()

    def look_closer(self, seen: PictureToDraw, renderer: Renderer) -> None:
        """Answer about a pixel of a picture that is about to be drawn, where one is asked about."""
        if self.pick.look_closer(seen, renderer):
            self.to_show.append(INSPECT)

    @property
    def picked(self) -> PickAnswer | None:
        """What was picked last."""
        return self.pick.picked

    @property
    def audits(self) -> AuditRun:
        """The audits that are run beside the window."""
        return self.found.audits

    def arrive(self, *, at_finding: bool = False) -> None:
        """The body was put elsewhere, for a finding or not: what was picked is told of on, and not drawn.

        The cell that was asked about still is, from there; what was typed and not asked is forgotten.
        """
        self.pick.arrive()
        if not at_finding:
            self.found.arrive_elsewhere()
        self.why.ask(self.why.cell)

    @property
    def stands(self) -> bool:
        """Whether anything is asked that ``let_go`` would end."""
        asked = self.why.cell or self.pick.pointed or self.picked or self.found.chosen or self._probe.answer
        return bool(asked or self._probe.complaint)

    def let_go(self) -> None:
        """Ask nothing any longer: whatever a question left in the picture or in a panel goes."""
        self.ask_why(0)
        self.inspect_nothing()
        self.probe(0)
        self.found.let_go()

    def tell(self, line: str) -> None:
        """Say what came of a click."""
        self.notice = line

    def probe(self, entity: int) -> None:
        """Probe a doorway, 0 to let go of the last probe."""
        self._probe.ask(entity)
        if entity:
            self.to_show.append(PROBE)

    def audit(self, block: int | None) -> None:
        """Look over a landblock, or the whole world for None, beside the window."""
        self.found.start(block)

    def stop_audit(self) -> None:
        """End the audit that is under way."""
        self.audits.stop()

    def look_at_map(self, size: tuple[float, float]) -> None:
        """The map is looked at, in so many pixels."""
        self.map.want(size)

    def zoom_map(self, notches: float, at: tuple[float, float]) -> None:
        """The wheel turned over a place of the map."""
        self.map.zoom(notches, at)

    def drag_map(self, right: float, down: float) -> None:
        """The map was pulled."""
        self.map.drag(right, down)

    def center_map(self) -> None:
        """Let the map follow the body."""
        self.map.follow()

    def show_world(self) -> None:
        """Let the map show the whole world."""
        self.map.show_world()

    def raise_map(self, metres: float) -> None:
        """Look at a slice of heights so much higher or lower."""
        self.map.raise_slice(metres)

    def cell_on_map(self, at: tuple[float, float]) -> int:
        """The cell at a place of the map; 0 for none."""
        return self.map.cell_at(at)

    def go_on_map(self, at: tuple[float, float]) -> None:
        """Go to a place of the map."""
        self.going_place = self.map.place_at(at)

    def filter_log(self, text: str) -> None:
        """Show the lines of the log alone that hold a text."""
        self.log.want(text)

    def show_kind(self, kind: str) -> None:
        """Show findings of one kind alone, all for an empty one."""
        self.found.show_kind(kind)

    def go_to_finding(self, finding: Finding) -> None:
        """Go where a finding is and frame what it is about, with no other answer drawn there."""
        self.ask_why(0)
        self._probe.yields = True
        self.found.go_to(finding)

    def go_to_next(self, by: int) -> str:
        """Go to the finding so many after the one that is framed; a line that says what is missing for it."""
        finding = self.found.after(by)
        if finding is None:
            return "there is no finding to go to: audit the world or this landblock first"
        self.go_to_finding(finding)
        self.to_show.append(AUDIT)
        return ""

    @property
    def probed(self) -> int:
        """What was probed last, 0 for nothing."""
        return 0 if self._probe.answer is None else self._probe.answer.entity

    @property
    def followed(self) -> FollowedReport | None:
        """The record whose fields are shown."""
        return self.pick.followed

    def lock_door(self, entity: int, *, locked: bool) -> None:
        """Lock a door, or unlock it."""
        self.doors.lock(entity, locked=locked)

    def pose_door(self, entity: int, share: float) -> None:
        """Pose a door, 0 closed to 1 open; its state word stays."""
        self.doors.set_pose(entity, share)

    def type_door_state(self, entity: int, text: str) -> None:
        """Give a door the state word that was typed; its pose stays."""
        try:
            self.doors.set_word(entity, object_id(text))
        except ValueError:
            self.notice = f"'{text.strip()}' is no state word: write 0x10008"

    def place_door(self) -> None:
        """Put a door down where the picked thing is, else before the body."""
        heading = self._simulation.position.frame.heading()
        picked = self.picked
        spot = None if picked is None else picked.spot
        if picked is None or spot is None:
            self.notice = self.doors.place_ahead(heading)
        else:
            place = rebase(spot.place, picked.root, spot.cell)
            self.notice = self.doors.place_door(spot.cell, place, heading, spot.words)

    def remove_door(self, entity: int = 0) -> None:
        """Take a door away that was put down by hand: this one, else the picked one, else the last."""
        picked = self.pick.entity
        self.notice = self.doors.remove(entity or (picked if is_placed(picked) else 0))

    def save_scene(self) -> None:
        """Save every entity as it stands into a scene file among the user's documents."""
        self.notice = self.doors.save_scene(documents_folder())

    def follow(self, record: int) -> None:
        """Show the fields of a record, 0 for none."""
        self.pick.follow(record)

    def ask_why(self, cell: int) -> None:
        """Ask why a cell is seen or not, 0 to ask no more."""
        self.why.ask(cell)
        if cell:
            self.to_show.append(WHY)

    def type_why(self, text: str, *, entered: bool = False) -> None:
        """What is typed into the box; entered it is asked about."""
        self.why.text = text
        if not entered:
            return
        try:
            self.ask_why(typed_cell(self._simulation.world, self._root, text))
        except UserError as error:
            self.why.complaint = str(error)

    def offers(self, text: str) -> list[tuple[str, Callable[[], object]]]:
        """What the palette can ask: the cells of the stab list, those near by, and one that is typed."""
        cell = self._simulation.body.cell
        cells = [] if cell is None else list(cell.stab_list)
        cells += self._near.but(cells)
        if "[" not in text:  # the last word of a location is no cell
            with suppress(UserError):
                cells.append(typed_cell(self._simulation.world, self._root, (text.split() or [""])[-1]))
        return [
            (f"Why is {hex_id(cell)} seen, or not", partial(self.ask_why, cell))
            for cell in dict.fromkeys(cells)
        ]

    def close(self) -> None:
        """End what goes on beside the window."""
        self.audits.stop()
        self.map.world.close()

    def taken_notice(self) -> str:
        """A line for the user about what was asked last; told once."""
        notice, self.notice = self.notice, ""
        return notice

    def shown_panels(self) -> list[str]:
        """The panels that are to come to the front; asked once."""
        wanted, self.to_show = self.to_show, []
        return wanted

    def shapes(self, picture: PictureView) -> list[DebugShapes]:
        """What the answers show in the picture."""
        self._drawn_into = picture
        return [shapes for _, shapes in self.named_shapes(picture)]

    def named_shapes(self, picture: PictureView) -> list[tuple[str, DebugShapes]]:
        """The same, each with what it is called."""
        why = self.why.answer
        named = (
            ("the openings of Why", None if why is None else why_shapes(why, picture)),
            ("the outline of what was picked", self.pick.shapes(picture)),
            ("the probe's pins", self._probe.shapes(picture)),
            ("the finding's outlines", self.found.shapes(picture)),
        )
        return [(name, shapes) for name, shapes in named if shapes is not None]

    def near_hidden(self) -> list[int]:
        """The interior cells near the body that are not visible, nearest first."""
        return self._near.but(set() if self._picture is None else {row.cell for row in self._picture.cells})

    def report(self, selected: int = 0, lit: int = 0) -> AskedReport:
        """Questions and answers; the map shows the cells that are selected and lit."""
        shown = self.map.report(self._picture, selected=selected, lit=lit, picked=self.picked)
        return AskedReport(
            why=self.why.answer,
            why_text=self.why.text,
            why_complaint=self.why.complaint,
            stands=self.stands,
            pick=self.picked,
            pick_number=self.pick.number,
            pick_note=self.pick.note,
            followed=self.pick.followed,
            followed_number=self.pick.followed_number,
            probe=self._probe.shown,
            probe_state=self._probe.state,
            probe_tick=self._probe.tick,
            probe_number=self._probe.number,
            probe_is_past=self._probe.is_past,
            probe_not_drawn=self._probe.not_drawn(self._drawn_into),
            probe_complaint=self._probe.complaint,
            map=shown,
            log=self.log.report(),
            times=self.times.report(),
            audit=self.found.report(),
        )
