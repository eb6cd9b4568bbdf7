"""A picture that shows less than there is, or not as it is, says by which modes; one key ends them all."""

from __future__ import annotations

import pytest

from tests.viewer.debug_walks import MAIN_ROOM, SIZE, VALUES, picture, seen, walking
from viewer.renderer.render_options import RenderOptions
from viewer.report.caption import captioned
from viewer.tables.keys import ACTIONS, default_keys
from viewer.tables.modes import ALL_OFF, MODES, OVER, PICTURE, restrictions, with_modes

RESTRICTING = [m.name for m in MODES if m.group not in (OVER, PICTURE) or m.value]


def caption_of(*modes: str) -> str:
    walk = walking(MAIN_ROOM)
    return captioned(with_modes(RenderOptions(), modes), seen(walk), 12.0).caption


@pytest.mark.parametrize("name", [m.name for m in MODES])
def test_the_caption_names_each_mode_that_restricts_and_no_other(name):
    written = VALUES.get(name, name)
    said = restrictions(with_modes(RenderOptions(), (written,)))
    assert said == ([written] if name in RESTRICTING else [])


def test_several_are_named_together_with_the_state():
    lines = caption_of("solo=0170", "first=2", "no-terrain", "state").splitlines()
    assert lines[:2] == ["modes: solo=0170, first=2,", "no-terrain"]
    assert lines[2].startswith("body 0x")
    assert caption_of("portals", "depth") == ""


def test_a_caption_is_no_wider_than_its_picture():
    lines = caption_of(*[m.name for m in MODES if m.name.startswith("no-")]).splitlines()
    assert len(lines) > 1
    assert all(len(line) * 9 <= SIZE[0] for line in lines)


def test_one_key_switches_every_mode_off():
    walk = walking(MAIN_ROOM)
    for name in ("portals", "solo", "no-terrain", "depth", "stab"):
        walk.switch_mode(name)
    assert len(walk.modes) == 5
    walk.modes_off()
    assert walk.modes == ()
    assert default_keys()["modes_off"] == ALL_OFF
    keys = [action.key for action in ACTIONS]
    assert keys.count(ALL_OFF) == 1


@pytest.mark.gl
@pytest.mark.parametrize("mode", ["solo=0171", "first=1", "region=0170", "no-sun", "unclipped", "stab"])
def test_the_words_are_in_the_picture(tmp_path, mode):
    """In white at the upper edge, in the middle; without a restriction there is no caption."""
    heads = []
    for name in ("portals", f"portals,{mode}"):
        shown = picture(tmp_path / "a.png", "--at", MAIN_ROOM, "--mode", name)
        heads.append(int((shown[8:24, 80:240] > 225).all(axis=-1).sum()))
    assert heads[1] - heads[0] > 40
