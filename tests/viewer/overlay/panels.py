"""The real overlay on an off-screen framebuffer, and reports for it to show."""

from __future__ import annotations

from collections.abc import Callable

from viewer.overlay.rect import Rect
from viewer.report.picture_report import (
    BodyReport,
    CellFacts,
    CellId,
    DoorReport,
    HitReport,
    PictureReport,
    ShapeReport,
    SweepReport,
    ViewReport,
    VisibleRow,
)
from viewer.tables.keys import default_keys
from viewer.tables.modes import key_name

ROOM, HALL, DOOR = CellId(0xA9B40170), CellId(0xA9B40171), CellId(0x7A9B4015)
SIZE = (1000, 760)


def report(state: int = 0x10008) -> PictureReport:
    door = DoorReport(
        entity=DOOR,
        setup=CellId(0x020019FF),
        cell=ROOM,
        position=(1.0, 2.0, 3.0),
        distance=1.5,
        state=state,
        flags=("ReportCollisions",),
        phase="closed",
        countdown=None,
        shapes=(
            ShapeReport(kind="BSP", part=0, gfxobj=CellId(0x010044B5), collides=True, does="collides"),
            ShapeReport(kind="SPHERE", part=-1, gfxobj=CellId(0), collides=False, does="not asked"),
        ),
        cells=(ROOM, HALL),
        does="closed, opens in 2.5 s",
    )
    body = BodyReport(
        cell=ROOM,
        location="0xA9B40170 [1.0 2.0 3.0] 1 0 0 0",
        position=(1.0, 2.0, 3.0),
        heading=0.0,
        velocity=(0.0, 1.0, 0.0),
        feet_velocity=(0.0, 3.12, 0.0),
        on_ground=True,
        contact_plane=(0.0, 0.0, 1.0, -3.0),
        contact_cell=ROOM,
        cells=(ROOM,),
    )
    hit = HitReport(
        kind="entity",
        owner=DOOR,
        cell=ROOM,
        gfxobj=CellId(0x010044B5),
        polygon=4,
        normal=(0.0, -1.0, 0.0),
        response="slid",
    )
    sweep = SweepReport(
        ok=True,
        collided=True,
        normal=(0.0, -1.0, 0.0),
        changed=False,
        hits=(hit,),
        candidates=((HALL, "portal 0", False, False),),
        steps=(),
    )
    view = ViewReport(
        person="first",
        eye=(1.0, 2.0, 4.5),
        yaw=0.0,
        pitch=0.0,
        body_cell=ROOM,
        drawn_cell=ROOM,
        root=ROOM,
        carried=(),
        outside_visible=True,
        cells=(
            VisibleRow(order=0, cell=ROOM, distance=0.0, area=1.0, regions=1, via=()),
            VisibleRow(order=1, cell=HALL, distance=2.5, area=0.25, regions=2, via=((ROOM, 0),)),
        ),
    )
    facts = CellFacts(
        cell=ROOM,
        outdoor=False,
        seen_outside=True,
        environment=0x0D000001,
        portals=((0, HALL, 1, 1),),
        stab_list=(ROOM, HALL),
    )
    return PictureReport(
        tick=7,
        time=0.25,
        paused=False,
        body=body,
        cell=facts,
        sweep=sweep,
        view=view,
        doors=(door,),
        timings={"tick": 1.0},
        counts={"cells": 2},
    )


class Asked:
    """Stands for what can be asked: notes every question, and answers none."""

    def __init__(self, calls: list[tuple[object, ...]]) -> None:
        self._calls = calls

    def shown_panels(self) -> list[str]:
        return []

    def __getattr__(self, name: str) -> Callable[..., object]:
        return lambda *asked: self._calls.append((name, *asked))


class Recorder:
    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.questions = Asked(self.calls)
        self.travel = Asked(self.calls)

    def toggle_pause(self) -> None:
        self.calls.append(("pause", 0, True))

    def step_on(self) -> None:
        self.calls.append(("step on", 0, True))

    def use(self, entity: int) -> None:
        self.calls.append(("use", entity, True))

    def set_ethereal(self, entity: int, *, ethereal: bool) -> object:  # type: ignore[return]
        self.calls.append(("ethereal", entity, ethereal))

    def toggle_mode(self, name: str) -> None:
        self.calls.append((name, 0, True))

    def modes_off(self) -> None:
        self.calls.append(("modes off", 0, True))

    def select(self, cell: int) -> None:
        self.calls.append(("select", cell, True))

    def light_up(self, cell: int) -> None:
        self.calls.append(("light", cell, True))

    def do(self, action: str) -> None:
        self.calls.append(("do", action, True))

    def key_of(self, action: str) -> str:
        return key_name(default_keys()[action])

    def filter_list(self, text: str) -> None:
        self.calls.append((text, 0, True))

    def set_setting(self, name: str, value: object) -> None:
        self.calls.append((name, 0, value))

    def set_distance(self, name: str, landblocks: int) -> None:
        self.calls.append((name, 0, landblocks))


class Panels:
    """The real overlay on an off-screen framebuffer."""

    def __init__(self) -> None:
        from viewer.overlay.dock.layout import PanelLayout
        from viewer.overlay.host import OverlayHost
        from viewer.renderer.gl.context import create_headless

        self.ctx = create_headless()
        self.target = self.ctx.simple_framebuffer(SIZE)
        self.host = OverlayHost()
        self.actions = Recorder()
        self.places: dict[str, tuple[float, float]] = {}
        self.size = SIZE
        self.layout = PanelLayout()
        self.picture = (0, 0, 1, 1)
        self.line = ""  # over the picture: what was just done

    def restart(self, text: str, size: tuple[int, int]) -> None:
        """As a window that opens anew in a size, with a kept layout."""
        from viewer.overlay.dock.layout import PanelLayout
        from viewer.overlay.dock.layout_file import parse_layout
        from viewer.overlay.host import OverlayHost

        saved = parse_layout(text)
        self.host.close()
        self.host, self.layout, self.size = OverlayHost(saved.rest), PanelLayout(saved), size
        self.places.clear()

    def frames(self, shown: PictureReport) -> None:
        """So many frames that everything has found its place; the last one is to be seen."""
        for _ in range(5):
            self._lay_out(shown)
        self.frame(shown)

    def frame(self, shown: PictureReport) -> None:
        """One frame, which is to be seen."""
        self._lay_out(shown)
        self.target.use()
        self.target.clear(0.0, 0.0, 0.0)
        self.host.paint()

    def _lay_out(self, shown: PictureReport) -> None:
        from viewer.overlay.boxes import draw_lines
        from viewer.overlay.panel_table import draw_panels

        self.host.begin(self.size, 1 / 60)
        try:
            self.places.update(draw_panels(shown, self.actions, self.size, self.layout))
            draw_lines(Rect(*self.layout._picture), "", self.line)
        finally:
            self.host.finish()
        self.picture = tuple(self.layout._picture)

    def windows(self) -> dict[str, tuple[float, float, float, float]]:
        """Where the panels stand."""
        return dict(self.layout._seen)

    def scroll_on(self, title: str) -> bool:
        """Scroll a panel down by a third of its height, from the next frame on; false where it ends."""
        from imgui_bundle import imgui

        window = imgui.internal.find_window_by_name(title)
        before, most = window.scroll.y, window.scroll_max.y
        imgui.internal.set_scroll_y(window, min(most, before + window.size.y / 3.0))
        return bool(before < most)

    def drag(self, start: tuple[float, float], end: tuple[float, float], shown: PictureReport) -> None:
        self.host.mouse_move(*start)
        self.frame(shown)
        self.host.mouse_button(1, down=True)
        self.frame(shown)
        for k in range(1, 9):
            self.host.mouse_move(*(a + (b - a) * k / 8 for a, b in zip(start, end, strict=True)))
            self.frame(shown)
        self.host.mouse_button(1, down=False)
        self.frame(shown)

    def click(self, name: str, shown: PictureReport) -> None:
        for _ in range(3):
            self.frame(shown)
        self.host.mouse_move(*self.places[name])
        self.frame(shown)
        for down in (True, False):
            self.host.mouse_button(1, down=down)
            self.frame(shown)
