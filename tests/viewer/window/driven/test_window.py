"""The real window on a display of its own: keys move the body, the door's tick box lets it through."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.files.format_version import LAYOUT, stamp_line
from tests.needed import needs_tool
from tests.places import DEMO, ROOT
from tests.viewer.window.driven.dragging import Dragging
from tests.viewer.window.driven.windows import (
    DOOR,
    LIMIT,
    MAIN_ROOM,
    OUTDOORS,
    VESTIBULE,
    Report,
    Window,
    door_of,
    north,
)
from tests.viewer.window.driven.xvfb import xvfb


def distance(report: Report) -> float:
    """How far the camera is from the feet."""
    return math.dist(report["view"]["eye"], report["body"]["position"])


def drop(window: Window, folder: Path) -> None:
    """Drag a folder onto a window and let it go there, as a file manager does."""
    number = int(window.display.xdotool("search", "--name", "Holtwalk").split()[0])
    dragging = Dragging(window.display.environment["DISPLAY"], number)
    dragging.enter("text/uri-list")
    dragging.move()
    dragging.drop()
    while not dragging.hand_over(f"{folder.as_uri()}\r\n".encode()):
        window.wait_frames(1)
    window.wait_frames(1)
    dragging.close()


@pytest.mark.window
@pytest.mark.slow
def test_keys_move_the_body_and_the_tick_box_lets_it_through_the_door(window: Window) -> None:
    display = window.display
    start = window.wait_open()
    assert start["body"]["cell"] == OUTDOORS
    assert door_of(start)["state"] == "0x10008"

    display.key_down("w")
    stopped = window.wait_for(
        "the closed door stops the body",
        lambda report: any(hit["owner"] == DOOR for hit in report["sweep"]["hits"]),
    )
    window.wait_frames(2)
    display.key_up("w")
    blocked = window.wait_ticks(5)
    assert north(blocked) < north(start) - 0.5
    assert abs(north(blocked) - north(stopped)) < 0.1
    assert blocked["body"]["cell"] in (OUTDOORS, VESTIBULE)

    display.press("Tab")
    window.click("panel Doors")
    window.click(f"ethereal {DOOR}")
    opened = window.wait_for("the tick box is set", lambda report: door_of(report)["ethereal"])
    assert door_of(opened)["state"] == "0x1000C"

    # A sliding normal outlives what it came from: pushing straight on stays stuck, any other motion frees.
    display.key_down("s")
    window.wait_for("a step back", lambda report: north(report) > north(blocked) + 0.05)
    display.key_up("s")
    display.key_down("w")
    inside = window.wait_for("the body is inside", lambda report: report["body"]["cell"] == MAIN_ROOM)
    display.key_up("w")
    assert north(inside) < 16.0
    seen = window.wait_for(
        "the view starts from the cell the body is in",
        lambda report: report["view"]["root"] == report["body"]["cell"] == report["cell"]["cell"],
    )
    assert seen["view"]["cells"][0]["cell"] == seen["view"]["root"]
    assert window.close(escapes=1) == 0


@pytest.mark.window
@pytest.mark.slow
def test_e_uses_the_door_under_the_cross_hair_and_escape_alone_never_leaves(window: Window) -> None:
    window.wait_open()
    window.display.press("e")
    opened = window.wait_for("the door opens", lambda report: door_of(report)["phase"] == "opening")
    assert door_of(opened)["ethereal"]
    assert 29.0 < door_of(opened)["countdown"] <= 30.0
    window.wait_for("the door is open", lambda report: door_of(report)["phase"] == "open")

    for _ in range(5):  # free the mouse, ask, stay, ask, stay
        window.display.press("Escape")
        window.wait_frames(1)
    window.display.press("Return")
    window.wait_ticks(20)
    assert window.process.poll() is None
    window.display.press("Escape")
    window.wait_frames(1)
    window.display.press("KP_Enter")
    assert window.process.wait(timeout=LIMIT) == 0


@pytest.mark.window
@pytest.mark.slow
@pytest.mark.parametrize("window", [("--mode", "state")], indirect=True)
def test_keys_switch_the_drawing_modes(window: Window) -> None:
    started = window.wait_open()
    assert started["modes"] == ["state"]
    window.display.press("ctrl+F8")
    window.wait_for("the mode it began with is off", lambda report: report["modes"] == [])
    on: list[str] = []
    for key, modes in (
        ("F3", ["portals"]),
        ("ctrl+F3", ["portals", "all-portals"]),
        ("F3", ["all-portals"]),
        ("0", ["all-portals", "split"]),
        ("period", ["all-portals", "split", "first=1"]),
        ("comma", ["all-portals", "split"]),
        ("End", ["all-portals", "split", "solo="]),
        ("Home", ["all-portals", "split"]),
    ):
        window.display.press(key)
        seen = window.wait_for(
            f"{key} gives {modes} after {on}",
            lambda report, modes=modes: (  # type: ignore[misc]
                [m if "first" in m else m.split("=")[0] for m in report["modes"]]
                == [m.removesuffix("=") for m in modes]
            ),
        )
        on = seen["modes"]
    drop(window, DEMO)
    window.wait_for("the dropped folder is remembered", lambda r: r["settings"]["dats"] == str(DEMO))
    assert window.close(escapes=2) == 0


@pytest.mark.window
@pytest.mark.slow
@needs_tool("setxkbmap")
def test_keys_work_under_any_layout(window: Window) -> None:
    """The keys by their keycodes: 39 is that of S, 10 that of 1."""
    display = window.display
    window.wait_open()
    for layout in ("ru", "gr", "il", "fr", "us"):
        display.layout(layout)
        window.wait_frames(1)
        start = north(window.wait_ticks(1))
        display.key_down("39")
        window.wait_for(f"{layout}: a step back", lambda report, y=start: north(report) > y + 0.1)  # type: ignore[misc]
        display.key_up("39")
        for modes in (["physics-bsp"], []):
            display.press("10")
            window.wait_for(f"{layout}: {modes}", lambda report, modes=modes: report["modes"] == modes)  # type: ignore[misc]
    display.key_down("10")  # Shift changes what a key prints while it is down
    display.key_down("Shift_L")
    display.key_up("10")
    display.key_up("Shift_L")
    window.wait_for("a mode", lambda report: report["modes"] == ["physics-bsp"])
    display.press("10")
    window.wait_for("none", lambda report: report["modes"] == [])
    assert window.close(escapes=2) == 0


@pytest.mark.window
@pytest.mark.slow
def test_a_step_takes_the_held_keys_and_a_sideways_wheel_zooms_nothing(window: Window) -> None:
    display = window.display
    window.wait_open()
    display.press("v")
    display.press("p")
    display.key_down("s")
    for _ in range(3):
        display.press("n")
    stopped = window.wait_for("paused", lambda report: report["paused"])
    for _ in range(3):
        display.press("n")
    stepped = window.wait_for("3 steps", lambda report: report["tick"] >= stopped["tick"] + 3)
    display.key_up("s")
    assert north(stepped) > north(stopped) + 0.05
    display.press("p")
    before = window.wait_settled(distance)
    for button in ("6", "7", "6"):
        display.xdotool("click", button)
    assert window.wait_settled(distance) == pytest.approx(before, abs=0.02)
    display.xdotool("click", "5")
    window.wait_for("farther", lambda report: distance(report) > before + 0.1)
    assert window.close(escapes=2) == 0


@pytest.mark.window
@pytest.mark.slow
def test_the_mouse_turns_look_and_body_and_a_resize_turns_nothing_and_the_panels_follow(
    window: Window,
) -> None:
    started = window.wait_open()
    window.display.focus("Holtwalk")
    window.wait_frames(2)
    for _ in range(5):
        window.display.xdotool("mousemove_relative", "--", "20", "8")
        window.wait_frames(1)
    turned = window.wait_for("the look turns", lambda report: report["view"]["yaw"] > 190.0)
    assert turned["view"]["pitch"] < -3.0
    window.wait_for("the body turns with it", lambda report: report["body"]["heading"] > 190.0)

    before = window.wait_frames(1)
    number = window.display.xdotool("search", "--name", "Holtwalk").split()[0]
    for width, height in ((620, 471), (361, 301), (600, 430)):
        window.display.xdotool("windowsize", number, str(width), str(height))
        window.wait_frames(2)
        window.display.xdotool("mousemove_relative", "--", "3", "2")
        window.wait_frames(2)
    after = window.wait_frames(2)
    assert abs(after["view"]["yaw"] - before["view"]["yaw"]) < 3.0
    assert abs(after["view"]["pitch"] - before["view"]["pitch"]) < 3.0
    assert after["widgets"]["radius"][0] > started["widgets"]["radius"][0] + 50.0
    assert window.close(escapes=2) == 0


@pytest.mark.window
@pytest.mark.slow
def test_damaged_settings_keep_no_window_from_opening_and_are_named(tmp_path: Path) -> None:
    settings = tmp_path / "config" / "holtwalk"
    settings.mkdir(parents=True)
    (settings / "keys.toml").write_text("forward = " + 900 * "[")
    os.mkfifo(settings / "layout.ini")
    with xvfb("640x480x24") as display, Window(display, tmp_path) as opened:
        opened.wait_open()
        assert opened.close(escapes=2) == 0
        lines = opened.said()
    assert [line.split(": ")[1] for line in lines] == [
        str(settings / "keys.toml"), str(settings / "layout.ini"),
    ]  # fmt: skip


@pytest.mark.window
@pytest.mark.slow
def test_panels_of_a_larger_window_stand_in_a_smaller_one_and_keep_their_places(tmp_path: Path) -> None:
    settings = tmp_path / "config" / "holtwalk"
    settings.mkdir(parents=True)
    saved = "[Window][View]\nPos=1500,200\nSize=380,500\nCollapsed=0\n\n"
    (settings / "layout.ini").write_text(saved)
    with xvfb("640x480x24") as display, Window(display, tmp_path) as opened:
        opened.wait_open()
        shown = opened.wait_for(
            "pulled into the window",
            lambda r: (
                "radius" in r["widgets"]
                and 100 < r["widgets"]["radius"][0] < 480
                and 0 < r["widgets"]["radius"][1] < 360
            ),
        )
        left = shown["widgets"]["radius"][0]
        display.press("ctrl+r")
        first = opened.wait_for("back in its column", lambda r: r["widgets"].get("radius", (0, 0))[0] > left)
        assert first["widgets"]["radius"][0] > 256
        assert opened.close(escapes=2) == 0
    assert (settings / "layout.ini").read_text() == f"{stamp_line(LAYOUT)}\n"


def test_without_a_display_the_walk_says_so_in_one_line_and_names_what_works() -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-m", "viewer", "walk", "--demo"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "render` draws without one" in done.stderr
    assert "verify` checks without one" in done.stderr


@pytest.mark.window
@pytest.mark.slow
@pytest.mark.parametrize("window", [("--radius", "3", "--objects", "2")], indirect=True)
def test_the_view_panels_slider_lets_the_ground_reach_farther(window: Window) -> None:
    started = window.wait_open()
    assert started["distances"] == {"radius": 3, "objects": 2}
    window.display.press("Tab")
    window.click("radius")
    window.wait_for(
        "a click in its middle", lambda report: report["distances"] == {"radius": 13, "objects": 2}
    )
    assert window.close(escapes=1) == 0
