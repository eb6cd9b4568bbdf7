"""Timeline: the ticks that are kept, with marks where something happened; drag to go there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from imgui_bundle import imgui

from engine.physics.enums import TICKS_PER_SECOND
from engine.replay.history.marks import DIFFERS
from engine.replay.replay import COMPARED
from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import (
    GREY,
    Widgets,
    beside,
    button,
    panel_bounds,
    scaled,
    tell_beside,
    tip_beside,
)
from viewer.report.picture_report import PictureReport
from viewer.report.timeline_report import NO_TIMELINE, TimelineReport, place_in_time, tick_name

LANES: Final = {
    "cell": (120, 200, 255), "step up": (150, 230, 150), "step down": (90, 190, 120),
    "hit": (255, 190, 90), "refused": (255, 110, 100), "door": (220, 160, 255),
    "look-up": (255, 120, 200), "put": (220, 220, 220), "differs": (255, 255, 0),
}  # fmt: skip
"""Kinds of marks from top to bottom, with their colours (red, green, blue)."""
MARK_BUTTONS: Final = {"mark back": -1, "mark on": 1}
OTHER_WORDS: Final = {"pause": ("pause", "go on"), "play": ("show", "hold")}
"""What else buttons say: they are as wide as their widest words, so that those behind them stay in place."""
LANE_HEIGHTS: Final = (3.0, 9.0)  # least and most, pixels at scale 1

LOW: Final = 4.0  # heights of a button: below that the bar comes first, to be seen without scrolling

COUNTED: Final = (
    "the same tick in the capture: its line of the file, counted from 1, and the number that the client "
    "which wrote it gave it; everywhere else in the window ticks are counted from 0, a record each"
)


def draw_timeline(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """Buttons, the bar with its marks, what lies at the tick shown, branches and what all of it takes.

    A low panel begins with the bar.
    """
    timeline = report.timeline
    if imgui.get_content_region_avail().y < LOW * imgui.get_frame_height():
        _bar(timeline, actions, widgets)
        _buttons(report, timeline, actions, widgets)
    else:
        _buttons(report, timeline, actions, widgets)
        _bar(timeline, actions, widgets)
    imgui.text(_where(timeline))
    if report.recorded_as:
        text = ", ".join(f"{name} {number}" for name, number in report.recorded_as.items())
        beside(imgui.calc_text_size(text).x)
        imgui.text_colored(GREY, text)
        tip_beside(COUNTED, panel_bounds())
    for number, (fork, count) in enumerate(timeline.branches):
        text = f"branch at {tick_name(fork)}, {count / TICKS_PER_SECOND:.1f} s"
        beside(imgui.calc_text_size(text).x)
        if button(f"{text}##{number}", f"branch {number}", widgets, action="branch", small=True):
            actions.travel.take_branch(number)
        tip_beside(
            "go to where it left, with its ticks ahead; those ahead now become a branch", panel_bounds()
        )
    imgui.push_style_color(imgui.Col_.text, GREY)
    imgui.text_wrapped(_kept(timeline))
    imgui.pop_style_color()
    tip_beside("the last minute is always kept, and more as far as there is room", panel_bounds())
    _legend(timeline, actions, widgets)


def _legend(timeline: TimelineReport, actions: OverlayActions, widgets: Widgets) -> None:
    """The kinds of marks that are in the bar, in their colours; a click goes to the last of one."""
    for kind in _kinds(timeline):
        red, green, blue = LANES[kind]
        beside(imgui.calc_text_size(kind).x)
        imgui.text_colored(imgui.ImVec4(red / 255.0, green / 255.0, blue / 255.0, 1.0), kind)
        for mouse_button, by in ((0, -1), (1, 1)):
            if imgui.is_item_hovered() and imgui.is_mouse_clicked(mouse_button):
                actions.questions.tell(actions.travel.to_mark(by, kind))
        meaning = f"\n{COMPARED}" if kind == DIFFERS else ""
        tip_beside(f"click: to the one before; right click: to the next{meaning}", panel_bounds())
        widgets.mark(f"timeline kind {kind}")


def _kinds(timeline: TimelineReport) -> list[str]:
    """The kinds of marks that there are, in the order of their lanes."""
    there = {kind for kind, _, _ in timeline.marks}
    return [kind for kind in LANES if kind in there]


def _choose_kind(timeline: TimelineReport, by: int, actions: OverlayActions, widgets: Widgets) -> None:
    """The right button on the item drawn last lists the kinds, to go to a mark of one alone."""
    if not imgui.begin_popup_context_item():
        return
    for kind in _kinds(timeline):
        clicked, _ = imgui.menu_item(kind, "", p_selected=False)
        widgets.mark(f"timeline {'next' if by > 0 else 'before'} {kind}")
        if clicked:
            actions.questions.tell(actions.travel.to_mark(by, kind))
    imgui.end_popup()


def _buttons(
    report: PictureReport, timeline: TimelineReport, actions: OverlayActions, widgets: Widgets
) -> None:
    travel, tell = actions.travel, actions.questions.tell
    pause = "go on" if report.paused else "pause"
    rows: tuple[tuple[str, str, str, str, Callable[[], object]], ...] = (
        ("|<", "first", "first_tick", "to the first tick that is kept", lambda: travel.show(timeline.first)),
        ("<<", "mark back", "mark_back", "to the mark before; right click: to one of a kind",
         lambda: tell(travel.to_mark(-1))),
        ("blocked", "blocked back", "blocked", "back to where something stood in the way last",
         lambda: tell(travel.to_blocked())),
        ("<", "tick back", "step_back", "one tick back", travel.back),
        (pause, "pause", "pause", "stop, or go on from the tick shown: as a branch where others follow it",
         actions.toggle_pause),
        ("show" if not timeline.playing else "hold", "play", "play", "play the kept ticks from here, or stop",
         travel.toggle_play),
        (">", "tick on", "step", "one tick on; after the last one by the keys that are held",
         actions.step_on),
        (">>", "mark on", "mark_next", "to the next mark; right click: to one of a kind",
         lambda: tell(travel.to_mark(1))),
        (">|", "last", "last_tick", "to the last tick", lambda: travel.show(timeline.last)),
        ("slower", "slower", "slower", "let time pass more slowly", lambda: travel.change_speed(-1)),
        ("faster", "faster", "faster", "let time pass faster", lambda: travel.change_speed(1)),
    )  # fmt: skip
    if DIFFERS in _kinds(timeline):
        difference = "to where the recorded client differs next, from the first on again after the last"
        rows += (
            (
                "next difference",
                "difference",
                "difference",
                difference,
                lambda: tell(travel.to_mark(1, DIFFERS)),
            ),
        )
    padding = 2.0 * imgui.get_style().frame_padding.x
    for number, (text, name, action, help_text, act) in enumerate(rows):
        wide = max(imgui.calc_text_size(words).x for words in (text, *OTHER_WORDS.get(name, ())))
        if number:
            beside(wide)
        if button(f"{text}##{name}", f"timeline {name}", widgets, action=action, wide=wide + padding):
            act()
        key = actions.key_of(action)
        tip_beside(f"{help_text} ({key})" if key else help_text, panel_bounds())
        if name in MARK_BUTTONS and timeline.marks:
            _choose_kind(timeline, MARK_BUTTONS[name], actions, widgets)


def _bar(timeline: TimelineReport, actions: OverlayActions, widgets: Widgets) -> None:
    room = imgui.get_content_region_avail()
    width = max(20.0, room.x)
    below = 2.0 * imgui.get_text_line_height_with_spacing() + imgui.get_style().item_spacing.y
    least, most = (scaled(side) for side in LANE_HEIGHTS)
    lane = max(least, min(most, (room.y - below - 4.0) // len(LANES)))
    height = lane * len(LANES) + 4.0
    corner = imgui.get_cursor_screen_pos()
    imgui.invisible_button("##bar", imgui.ImVec2(width, height))
    widgets.mark("timeline bar")
    count = max(1, timeline.last - timeline.first)
    pointed = timeline.first + round((imgui.get_mouse_pos().x - corner.x) / width * count)
    pointed = max(timeline.first, min(pointed, timeline.last))
    if imgui.is_item_active() and pointed != timeline.shown:
        actions.travel.show(pointed)
    lines = imgui.get_window_draw_list()
    low = imgui.ImVec2(corner.x, corner.y)
    high = imgui.ImVec2(corner.x + width, corner.y + height)
    lines.add_rect_filled(low, high, imgui.IM_COL32(20, 22, 28, 255), 2.0)

    def at(tick: float) -> float:
        return float(corner.x + (tick - timeline.first) / count * width)

    second = timeline.first + (-timeline.first) % TICKS_PER_SECOND
    every = TICKS_PER_SECOND * max(1, round(60.0 * count / TICKS_PER_SECOND / width))
    for tick in range(second, timeline.last + 1, every):
        lines.add_line(
            imgui.ImVec2(at(tick), low.y),
            imgui.ImVec2(at(tick), high.y),
            imgui.IM_COL32(60, 64, 74, 255),
            1.0,
        )
    lanes = {kind: number for number, kind in enumerate(LANES)}
    for kind, first, last in timeline.marks:
        top = low.y + 2.0 + lane * lanes[kind]
        left = at(max(first, timeline.first)) - 1.0
        right = max(left + 2.0, at(last) + 1.0)
        colour = imgui.IM_COL32(*LANES[kind], 255)
        lines.add_rect_filled(imgui.ImVec2(left, top), imgui.ImVec2(right, top + lane - 1.0), colour)
    x = at(timeline.shown)
    lines.add_line(imgui.ImVec2(x, low.y), imgui.ImVec2(x, high.y), imgui.IM_COL32(255, 255, 255, 255), 2.0)
    if imgui.is_item_hovered():
        tell_beside("\n".join((tick_name(pointed), *_at(timeline, pointed))), panel_bounds())


def _at(timeline: TimelineReport, tick: int) -> list[str]:
    return list(dict.fromkeys(kind for kind, first, last in timeline.marks if first <= tick <= last))


def _where(timeline: TimelineReport) -> str:
    if timeline == NO_TIMELINE:
        return "no tick is kept"
    marks = ", ".join(_at(timeline, timeline.shown))
    speed = "" if timeline.speed == 1.0 else f", time at {timeline.speed:g}"
    where = place_in_time(timeline.shown, timeline.last)
    return f"{where}{speed}{f': {marks}' if marks else ''}"


def _kept(timeline: TimelineReport) -> str:
    if timeline == NO_TIMELINE:
        return "time has not run here: this is one picture of a place"
    seconds = (timeline.last - timeline.first) / TICKS_PER_SECOND
    count = len(timeline.branches)
    branches = f" and {count} branch{'es' if count > 1 else ''}" if count else ""
    used, most = timeline.bytes / 1e6, timeline.most_bytes / 1e6
    return f"{seconds:.1f} s{branches} kept in {used:.1f} of {most:.0f} MB"
