"""All that is asked in the window: it looks at every frame, and gives answers, shapes and a report."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import platformdirs

from engine.dat.hex_id import hex_id
from engine.physics.simulation.simulation import Simulation
from engine.replay.audit.finding import Finding
from engine.replay.audit.spot import Spot, spot_of
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.world.debug_shapes import DebugShapes
from engine.world.frame import Position
from engine.world.ids import rebase
from viewer.asking.audit_run import AuditRun
from viewer.asking.door_probe import ProbeAsked, stand_of
from viewer.asking.door_stage import DoorStage, is_placed
from viewer.asking.followed import follow
from viewer.asking.map_asked import MapAsked
from viewer.asking.near_cells import NearCells
from viewer.asking.pick import Picker, names_in
from viewer.asking.pick_shapes import is_in_view, pick_shapes
from viewer.asking.spot_shapes import spot_shapes
from viewer.asking.why_cell import WhyAsked, typed_cell
from viewer.asking.why_shapes import why_shapes
from viewer.picture.picture_to_draw import PictureToDraw
from viewer.renderer.renderer import Renderer
from viewer.report.asked import AskedReport, FollowedReport
from viewer.report.frame_times import FrameTimes
from viewer.report.log_lines import Log
from viewer.report.picked import PickAnswer
from viewer.report.timeline_report import tick_name
from viewer.tables.option_values import object_id
from viewer.user_error import UserError

WHY, INSPECT, PROBE, AUDIT = "Why", "Inspect", "Probe", "Audit"
MOVED = 0.05  # metres of a body from where it picked, from which that is told


class Questions:
    """What is asked of one simulation; ``to_show`` are panels that an answer wants to be seen in.

    ``openings`` may be shared with who makes the frames.
    """

    def __init__(self, simulation: Simulation, openings: OpeningIndex) -> None:
        self.to_show: list[str] = []
        self.why = WhyAsked(simulation.world, openings)
        self.why_text = ""
        self._why_complaint = ""
        self._near = NearCells(simulation)
        self.pointed: tuple[int, int] | None = None
        self.picked: PickAnswer | None = None
        self._picker = Picker(simulation.world, openings)
        self._picked_elsewhere = False
        self._pick_number = 0
        self._pick_as_of: tuple[int, Position, object] | None = None
        self._followed: FollowedReport | None = None
        self._followed_number = 0
        self._probe = ProbeAsked(simulation)
        self.doors = DoorStage(simulation)
        self.audits = AuditRun(simulation.world)
        self._kind = ""
        self._finding: Finding | None = None
        self._spot: Spot | None = None
        self.going: Spot | None = None
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
        return self.why.cell != 0 or self.pointed is not None

    def look(self, picture: PictureView) -> None:
        """Answer about a picture."""
        self._picture = picture
        self.map.begin_frame()
        self._root = picture.root
        self.why.look(picture)

    def inspect(self, pixel: tuple[int, int]) -> None:
        """Ask what a pixel of the picture shows; the next picture that keeps accounts is looked at."""
        self.pointed = pixel

    def inspect_nothing(self) -> None:
        """Let go of what was picked."""
        self.pointed = self.picked = self._followed = None

    def look_closer(self, seen: PictureToDraw, renderer: Renderer) -> None:
        """Answer about a pixel of a picture that is about to be drawn, where one is asked about."""
        if self.pointed is None or not _has_accounts(seen.picture):
            return
        pixel, self.pointed = self.pointed, None
        view = seen.picture.view
        pixel = min(pixel[0], int(view.width) - 1), min(pixel[1], int(view.height) - 1)
        answer = self._picker.pick(
            seen.picture, seen.objects, names_in(self._simulation), pixel,
            particles=seen.options.particles, options=seen.options,
        )  # fmt: skip
        renderer.resize(int(view.width), int(view.height))
        history = renderer.pixel_history(seen.picture, seen.objects, seen.options, pixel)
        names, told = names_in(self._simulation), answer.with_history(history)
        self._answer(self._picker.told(seen.picture, seen.objects, names, told))

    def _answer(self, answer: PickAnswer) -> None:
        self.picked, self._picked_elsewhere = answer, False
        simulation = self._simulation
        self._pick_as_of = (simulation.tick, simulation.position, self._pick_stand(answer))
        self._followed = None  # it belongs to the answer that it was followed from
        self._pick_number += 1
        self.to_show.append(INSPECT)

    def _pick_stand(self, answer: PickAnswer) -> object:
        """How what is picked stands, where it is a thing that can stand otherwise."""
        facet = answer.facet
        return None if facet is None else stand_of(self._simulation, facet.owner)

    @property
    def _pick_has_moved(self) -> bool:
        """Whether what is picked stands another way by now."""
        if self.picked is None or self._pick_as_of is None:
            return False
        return self._pick_stand(self.picked) != self._pick_as_of[2]

    @property
    def pick_note(self) -> str:
        """Why the answer about what is picked is one of the past, in words; empty where it holds."""
        if self.picked is None or self._pick_as_of is None:
            return ""
        tick, place, _ = self._pick_as_of
        if self._pick_has_moved:
            return f"as of {tick_name(tick)}: it stands another way now, and is outlined no longer"
        here = self._simulation.position
        way = math.dist(rebase(place.frame.origin, place.cell_id, here.cell_id), here.frame.origin)
        return f"as of {tick_name(tick)}: you stood {way:.1f} m from here" if way > MOVED else ""

    def arrive(self) -> None:
        """The body was put elsewhere: what was picked is told of on, and drawn no longer.

        The cell that was asked about still is, from there; what was typed and not asked is forgotten.
        """
        self._picked_elsewhere = True
        self._why_complaint = ""
        self.why_text = f"{self.why.cell:08X}" if self.why.cell else ""
        self.why.ask(self.why.cell)

    @property
    def stands(self) -> bool:
        """Whether anything is asked that ``let_go`` would end."""
        asked = self.why.cell or self.pointed or self.picked or self._finding or self._probe.answer
        return bool(asked or self._probe.complaint)

    def let_go(self) -> None:
        """Ask nothing any longer: whatever a question left in the picture or in a panel goes."""
        self.ask_why(0)
        self.inspect_nothing()
        self.probe(0)
        self._finding = self._spot = None

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
        self._kind, self._finding, self._spot = "", None, None
        self.audits.start(None if block is None else (block,))

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
        self._kind = kind

    def go_to_finding(self, finding: Finding) -> None:
        """Go where a finding is and frame what it is about, with no other answer drawn there."""
        self.ask_why(0)
        self._probe.yields = True
        self._finding = finding
        self._spot = self.going = spot_of(finding.text)

    def go_to_next(self, by: int) -> str:
        """Go to the finding so many after the one that is framed; a line that says what is missing for it."""
        shown = self.audits.report().changed(kind=self._kind).shown
        if not shown:
            return "there is no finding to go to: audit the world or this landblock first"
        first = -1 if by > 0 else 0
        at = shown.index(self._finding) if self._finding in shown else first
        self.go_to_finding(shown[(at + by) % len(shown)])
        self.to_show.append(AUDIT)
        return ""

    @property
    def probed(self) -> int:
        """What was probed last, 0 for nothing."""
        return 0 if self._probe.answer is None else self._probe.answer.entity

    @property
    def followed(self) -> FollowedReport | None:
        """The record whose fields are shown."""
        return self._followed

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
        picked = 0 if self.picked is None or self.picked.facet is None else self.picked.facet.owner
        self.notice = self.doors.remove(entity or (picked if is_placed(picked) else 0))

    def save_scene(self) -> None:
        """Save every entity as it stands into a scene file among the user's documents."""
        folder = platformdirs.user_documents_path()
        self.notice = self.doors.save_scene(folder if os.path.isdir(folder) else Path.cwd())

    def follow(self, record: int) -> None:
        """Show the fields of a record, 0 for none."""
        self._followed = follow(self._simulation.world.source, record) if record else None
        self._followed_number += bool(record)

    def ask_why(self, cell: int) -> None:
        """Ask why a cell is seen or not, 0 to ask no more."""
        self.why.ask(cell)
        self._why_complaint = ""
        self.why_text = f"{cell:08X}" if cell else ""
        if cell:
            self.to_show.append(WHY)

    def type_why(self, text: str, *, entered: bool = False) -> None:
        """What is typed into the box; entered it is asked about."""
        self.why_text = text
        if not entered:
            return
        try:
            self.ask_why(typed_cell(self._simulation.world, self._root, text))
        except UserError as error:
            self._why_complaint = str(error)

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
        out = []
        if self.why.answer is not None:
            out.append(("the openings of Why", why_shapes(self.why.answer, picture)))
        is_drawn = not (self._picked_elsewhere or self._pick_has_moved)
        if self.picked is not None and is_drawn and is_in_view(self.picked, picture):
            out.append(("the outline of what was picked", pick_shapes(self.picked)))
        probed = self._probe.shapes(picture)
        if probed is not None:
            out.append(("the probe's pins", probed))
        if self._spot is not None:
            finding = spot_shapes(self._simulation.world, self._spot, picture.root)
            out.append(("the finding's outlines", finding))
        return out

    def near_hidden(self) -> list[int]:
        """The interior cells near the body that are not visible, nearest first."""
        return self._near.but(set() if self._picture is None else {row.cell for row in self._picture.cells})

    def report(self, selected: int = 0, lit: int = 0) -> AskedReport:
        """Questions and answers; the map shows the cells that are selected and lit."""
        shown = self.map.report(self._picture, selected=selected, lit=lit, picked=self.picked)
        return AskedReport(
            why=self.why.answer,
            why_text=self.why_text,
            why_complaint=self._why_complaint,
            stands=self.stands,
            pick=self.picked,
            pick_number=self._pick_number,
            pick_note=self.pick_note,
            followed=self._followed,
            followed_number=self._followed_number,
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
            audit=self.audits.report().changed(kind=self._kind, chosen=self._finding),
        )


def _has_accounts(picture: PictureView) -> bool:
    """Whether a picture tells through which openings it is seen; a detached one need not."""
    return picture.frozen is not None or all(flood.log is not None for flood in picture.floods)
