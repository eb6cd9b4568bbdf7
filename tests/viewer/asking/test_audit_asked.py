"""An audit from the window: other processes look, findings come in, one goes where they are."""

from __future__ import annotations

import gc
import shutil
import time
import weakref
from dataclasses import replace
from pathlib import Path

import pytest

from engine.dat.container.dat_file import DatFile
from engine.physics.simulation.simulation import Simulation
from engine.replay.audit.finding import Finding
from engine.replay.audit.spot import spot_of
from engine.visibility.region_shapes import CYAN, ORANGE
from engine.visibility.view import View
from engine.world.loading.world import World
from engine.world.sources.dats import DatsSource
from engine.world.sources.open_source import SourceArguments, demo_source
from tests.needed import posix
from tests.places import DEMO
from tests.viewer.broken_worlds import broken_world
from viewer.asking.audits.audit_run import _parts, _replaced
from viewer.asking.audits.finding_asked import FAR
from viewer.asking.audits.spot_shapes import spot_shapes
from viewer.places import put
from viewer.report.asked import AuditReport
from viewer.report.picture_report import plain
from viewer.window.walking.walk import STANDING, Walk

A, B = 0xA9B40100, 0xA9B40101
APART = "0xA9B40100 portal 0 and 0xA9B40101 portal 0: they don't touch"


@pytest.fixture
def walk(tmp_path: Path) -> Walk:
    source = SourceArguments(dumps=broken_world(tmp_path))
    simulation = Simulation(World(source.open()))
    put(simulation, "0xA9B40100 [50 50 94]")
    made = Walk(simulation)
    made.questions.audits.source = source
    return made


def wait_for_the_end(walk: Walk) -> None:
    until = time.monotonic() + 60.0
    while walk.questions.audits.report().running:
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.slow
def test_an_audit_runs_beside_the_window_and_lists_its_findings_by_kind(walk: Walk) -> None:
    walk.questions.audit(A)
    assert walk.questions.audits.report().running
    wait_for_the_end(walk)
    audit = walk.report().asked.audit
    assert (audit.share, audit.done, audit.blocks, audit.trouble) == (1.0, 1, 1, "")
    block = walk.simulation.world.load_block(A)
    assert block is not None and audit.cells == len(block.env_cells) > 1
    assert Finding("portals-do-not-meet", APART) in audit.findings
    assert audit.counts["portals-do-not-meet"] == 1
    walk.questions.show_kind("portals-do-not-meet")
    document = plain(walk.report())
    assert document["asked"]["audit"]["cells"] == audit.cells  # type: ignore[index]
    assert document["asked"]["audit"]["findings"] == [["portals-do-not-meet", APART]]  # type: ignore[index]


@pytest.mark.slow
def test_an_audit_can_be_stopped_and_a_source_that_is_gone_is_one_line(walk: Walk, tmp_path: Path) -> None:
    walk.questions.audit(None)
    walk.questions.stop_audit()
    assert not walk.questions.audits.report().running
    walk.questions.audits.source = SourceArguments(dumps=tmp_path / "gone")
    walk.questions.audit(None)
    wait_for_the_end(walk)
    assert walk.questions.audits.report().trouble == f"{tmp_path / 'gone'}: there is no such folder"
    walk.close()


def test_one_stands_across_the_room_from_a_finding_and_looks_at_it(walk: Walk) -> None:
    walk.turn(120.0, -30.0)
    walk.questions.ask_why(B)
    walk.questions.go_to_finding(Finding("portals-do-not-meet", APART))
    walk.advance(0.0, STANDING)
    x, y, _ = walk.simulation.position.frame.origin
    assert walk.simulation.position.cell_id == A
    assert (x, y) == pytest.approx((50.0, 48.6), abs=0.01)  # its wall is at 48
    walk.look_out((640, 480), 0.0)
    assert walk.camera.yaw % 360.0 == pytest.approx(0.0, abs=0.1)
    picture = walk.seen
    assert picture is not None
    (shapes,) = walk.questions.shapes(picture)
    assert {color[:3] for _, _, color in shapes.lines} == {CYAN, ORANGE}
    assert {p[1] for a, b, color in shapes.lines if color[:3] == CYAN for p in (a, b)} == {52.0}
    assert {round(p[1], 3) for a, b, c in shapes.lines if c[:3] == ORANGE for p in (a, b)} == {52.3}


def test_what_a_finding_is_about_is_framed_until_one_goes_elsewhere_and_the_next_comes_after_it(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [Finding("portals-do-not-meet", APART), Finding("gaps", f"0x{B:08X}: is open")]
    report = replace(AuditReport(), findings=tuple(found))
    monkeypatch.setattr(walk.questions.audits, "report", lambda: report)

    def framed() -> list[str]:
        walk.advance(0.0, STANDING)
        return [name for name, _ in walk.questions.named_shapes(walk.look_out((640, 480), 0.0))]

    before = walk.location()
    walk.questions.go_to_finding(found[0])
    assert framed() == ["the finding's outlines"]
    assert walk.teleport(before, remembers=False) == ""  # back to where one was, in the same cell
    assert framed() == []
    assert walk.questions.stands and walk.report().asked.audit.chosen == found[0]
    assert walk.questions.go_to_next(1) == ""
    assert walk.report().asked.audit.chosen == found[1]
    assert framed() == ["the finding's outlines"]
    walk.let_go()
    assert framed() == [] and walk.report().asked.audit.chosen is None


def test_from_far_off_the_outlines_of_a_finding_are_not_drawn(walk: Walk) -> None:
    walk.questions.go_to_finding(Finding("portals-do-not-meet", APART))
    walk.advance(0.0, STANDING)
    picture = walk.look_out((640, 480), 0.0)
    x, y, z = picture.view.eye
    for way, count in ((0.0, 1), (FAR + 12.0, 0)):
        view = View.from_angles((x - way, y, z), 0.0, 0.0, fov_y=60.0, width=640, height=480)
        elsewhere = picture._replace(view=view)
        assert len(walk.questions.shapes(elsewhere)) == count


def test_a_line_says_which_cells_portals_openings_and_point_it_is_about() -> None:
    assert spot_of(APART).portals == ((A, 0), (B, 0))
    assert spot_of("0xA9B40100 portal 3 names portal 2 of 0xA9B40101, which").portals == ((A, 3), (B, 2))
    spot = spot_of("building 2 of 0xA9B40031 portal 1 and 0xA9B40100 portal 0: they don't touch")
    assert spot.openings == ((0xA9B40031, 2, 1),)
    assert spot.portals == ((A, 0),)
    gap = "0xA9B40100: 3 of 9 spots of the face with normal [0.000 1.000 0.000] are open"
    assert spot_of(gap).point is None
    gap += ", such as [1.000 -2.000 3.500]"
    assert spot_of(gap).point == (1.0, -2.0, 3.5)
    both = spot_of("0xA9B40100 and 0xA9B40101 both hold [1.000 2.000 3.000], 0.200 m deep")
    assert both.cells == (A, B)
    assert spot_of("nothing to be seen") == spot_of("")


def test_two_cells_that_overlap_are_both_outlined_with_the_point_between(walk: Walk) -> None:
    spot = spot_of("0xA9B40100 and 0xA9B40101 both hold [50.000 52.000 95.000], 0.200 m deep")
    shapes = spot_shapes(walk.simulation.world, spot, A)
    colors = {color[:3] for _, _, color in shapes.lines}
    assert {CYAN, ORANGE} < colors and len(colors) == 3


def test_nothing_of_an_audit_stays_open_or_in_memory_in_the_windows_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each left two dat files open, and what was read of them, once a landblock came after it."""
    opened, closed = list[weakref.ref[object]](), list[object]()

    def noting(self: SourceArguments, *_: object) -> DatsSource:
        source = demo_source(DEMO)
        assert isinstance(source, DatsSource)
        opened.append(weakref.ref(source))
        return source

    monkeypatch.setattr(SourceArguments, "open", noting)
    monkeypatch.setattr(DatFile, "close", lambda file: closed.append(file))  # noqa: PLW0108
    gc.collect()
    gc.disable()
    try:
        assert _parts(SourceArguments(demo=DEMO), (A,))
    finally:
        gc.enable()
    assert [source() for source in opened] == [None]
    assert len(closed) == 2


@posix("files that are replaced while they are open")
def test_an_audit_of_dats_that_were_replaced_says_that_others_are_looked_over(tmp_path: Path) -> None:
    for dat in DEMO.glob("*.dat"):
        shutil.copy(dat, tmp_path)
    world = World(SourceArguments(dats=tmp_path).open())
    assert _replaced(world.source) == ""
    for dat in tmp_path.glob("*cell*.dat"):
        shutil.copy(dat, tmp_path / "new")
        (tmp_path / "new").replace(dat)
    assert _replaced(world.source).startswith(
        "client_cell_1.dat: replaced since it was opened; the audit is of"
    )
