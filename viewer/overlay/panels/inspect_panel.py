"""Inspect: what a pixel shows, down to its polygons and the passes that painted it."""

from __future__ import annotations

import re

from imgui_bundle import imgui

from engine.dat.hex_id import hex_id
from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import (
    AMBER,
    GREEN,
    GREY,
    Widgets,
    beside,
    button,
    copy,
    copyable,
    heading,
    is_another,
    scaled,
    tip,
)
from viewer.report.asked import FollowedReport
from viewer.report.pass_words import pass_words
from viewer.report.picked import PickAnswer
from viewer.report.picture_report import PictureReport

ID_IN_LINE = re.compile(r"\b(0x[0-9A-F]{8})\b")


def draw_inspect(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """The answer about the pixel that was pointed at, and the record that was followed from it."""
    answer = report.asked.pick
    if answer is None:
        imgui.text_colored(GREY, "point at something and press I; or free the mouse and Alt+click it")
        return
    if is_another("answer", report.asked.pick_number):
        imgui.set_scroll_y(0.0)
    _deeds(answer, actions, widgets)
    if report.asked.pick_note:
        imgui.text_colored(AMBER, report.asked.pick_note)
    imgui.push_style_color(imgui.Col_.text, GREEN if answer.facet is not None else GREY)
    imgui.text_wrapped(answer.headline)
    imgui.pop_style_color()
    copyable(answer.headline, actions)
    widgets.mark("inspect headline")
    for number, (name, value, record) in enumerate(answer.rows):
        imgui.text_colored(GREY, name)
        beside(imgui.calc_text_size(value).x)
        if record:
            _id_button(f"{value}##{number}", record, actions, widgets)
        else:
            imgui.text(value)
            copyable(value, actions)
    _lists(answer, actions)
    if report.asked.followed is not None:
        if is_another("record", report.asked.followed_number):
            imgui.set_scroll_here_y(0.0)
        _record(report.asked.followed, actions, widgets)


def _deeds(answer: PickAnswer, actions: OverlayActions, widgets: Widgets) -> None:
    """Above the answer and in one order, so that they stand where they stood."""
    facet = answer.facet
    if button("copy", "inspect copy", widgets, action="copy_pick", small=True):
        copy("\n".join(answer.words), "all that is told of it", actions)
    tip("all that is told below, as lines")
    beside(scaled(40.0))
    if button("let go", "inspect let go", widgets, action="inspect_nothing", small=True):
        actions.questions.inspect_nothing()
    tip("ask no more what it is")
    if facet is None:
        return
    beside(scaled(50.0))
    if button("copy id", "inspect copy id", widgets, action="copy_id", small=True):
        copy(hex_id(facet.owner), hex_id(facet.owner), actions)
    tip(f"{hex_id(facet.owner)} alone")
    if facet.cell & 0xFFFF >= 0x100:
        beside(scaled(95.0))
        text = f"select cell {facet.cell & 0xFFFF:04X}"
        if button(text, "inspect select", widgets, action="select", small=True):
            actions.select(facet.cell)
        tip("outline it in the picture, in Visible and on the Map; again: no longer")


def _id_button(label: str, record: int, actions: OverlayActions, widgets: Widgets) -> None:
    """An id that is followed by a click and copied by a right click."""
    if button(label, f"follow {hex_id(record)}", widgets, action="follow", small=True):
        actions.questions.follow(record)
    copyable(hex_id(record), actions, click="click: its fields, as dat show prints them")


def _lists(answer: PickAnswer, actions: OverlayActions) -> None:
    for title, lines in answer.lists:
        if lines:
            heading(title)
            for number, line in enumerate(lines, 1):
                imgui.text_wrapped(f"{number}. {line}")
                copyable(line, actions)
    if answer.history:
        heading("painted by")
        for number, painted in enumerate(answer.history, 1):
            imgui.text_wrapped(f"{number}. {painted.words}")
            copyable(painted.words, actions, click=pass_words(painted))


def _record(followed: FollowedReport, actions: OverlayActions, widgets: Widgets) -> None:
    heading(hex_id(followed.id))
    if button("copy id##followed", "follow copy id", widgets, action="copy_followed", small=True):
        copy(hex_id(followed.id), hex_id(followed.id), actions)
    beside(scaled(40.0))
    if button("close", "follow close", widgets, action="follow_nothing", small=True):
        actions.questions.follow(0)
    clipper = imgui.ListClipper()
    clipper.begin(len(followed.lines))
    imgui.push_text_wrap_pos(-1.0)
    while clipper.step():
        for number in range(clipper.display_start, clipper.display_end):
            line = followed.lines[number]
            if line.startswith("…"):
                imgui.text_colored(AMBER, line)
            else:
                _line(line, number, followed, actions=actions, widgets=widgets)
    imgui.pop_text_wrap_pos()


def _line(
    line: str, number: int, followed: FollowedReport, *, actions: OverlayActions, widgets: Widgets
) -> None:
    """A field's line; the ids in it that lead to records are buttons."""
    for place, words in enumerate(ID_IN_LINE.split(line)):
        if place:
            imgui.same_line(0.0, 0.0)
        if place % 2 and int(words, 16) in followed.ids:
            _id_button(f"{words}##{number} {place}", int(words, 16), actions, widgets)
        else:
            imgui.text(words)
