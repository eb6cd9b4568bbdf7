"""Whatever a panel's button does is an action of the table, which a key can do and the palette finds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.places import ROOT
from tests.viewer.overlay.panels import Panels, report
from viewer.tables.keys import ACTION_BY_NAME

PANELS = ROOT / "viewer" / "overlay" / "panels"
MADE_BY_THE_KIT = {"button", "small_button", "checkbox"}
OF_A_SETTING = "setting"


def calls() -> Iterator[tuple[str, ast.Call, str]]:
    """Every call in the panels: the module, the call, and what is called."""
    for path in sorted(PANELS.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                yield path.stem, node, ast.unparse(node.func)


def test_every_button_and_tick_box_of_a_panel_is_made_with_the_action_that_does_as_much() -> None:
    by_hand = [
        (where, called)
        for where, _, called in calls()
        if called.split(".")[-1] in MADE_BY_THE_KIT and "." in called
    ]
    assert by_hand == []
    named = [
        (where, keyword.value.value)
        for where, call, called in calls()
        if called in {"button", "tick_box", "_button_beside"}
        for keyword in call.keywords
        if keyword.arg == "action" and isinstance(keyword.value, ast.Constant)
    ]
    assert len(named) > 30
    unknown = [(where, name) for where, name in named if name not in ACTION_BY_NAME]
    assert {where for where, name in unknown if name == OF_A_SETTING} == {"settings_panel"}
    assert [name for _, name in unknown if name != OF_A_SETTING] == []


@pytest.mark.gl
def test_what_is_drawn_in_the_panels_names_actions_of_the_table(panels: Panels) -> None:
    from imgui_bundle import imgui

    from viewer.overlay.panel_kit import Widgets
    from viewer.overlay.panel_table import PANELS as TABLE

    widgets = Widgets()

    def every() -> None:
        for panel in TABLE:
            imgui.begin(panel.title)
            panel.draw(report(), panels.actions, widgets)  # type: ignore[arg-type]
            imgui.end()

    panels.host.draw((1000, 760), 1 / 60, every)
    actions = set(widgets.actions.values()) - {OF_A_SETTING}
    assert actions - {*ACTION_BY_NAME} == set()
    assert {"step_back", "mark_next", "draw-portals", "draw-solo-back", "door_pose_on", "why"} <= actions
