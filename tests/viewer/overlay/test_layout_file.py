"""The layout file: what is kept comes back; a damaged one is one line, and ImGui never sees it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.files.format_version import LAYOUT, stamp_line
from tests.places import SHARED
from tests.viewer.broken_files import NO_FILES, put_broken
from viewer.overlay.dock.layout_file import MOST_SECTIONS, LayoutFile, SavedLayout, layout_text, parse_layout

WHOLE = """[Window][Cell]
Pos=1500,-20
Size=380,600
Collapsed=1

[Window][Doors]
Pos=60,60
Size=400,400
Collapsed=0
DockId=0x00000002,0

[Window][Debug##Default]
Pos=60,60
Size=400,400
Collapsed=0

[Table][0xC9935533,3]
RefScale=13
Column 0  Width=30
Column 1  Weight=1.0000 Sort=0v

[Docking][Data]
DockNode    ID=0x00000001 Pos=60,60 Size=400,400 Split=X
  DockNode  ID=0x00000002 Parent=0x00000001 SizeRef=200,400 Selected=0x8B93E3BD
  DockNode  ID=0x00000003 Parent=0x00000001 SizeRef=200,400

"""

AROUND = """[Window][Cell]
Collapsed=0
DockId=0x00000001,0

[Window][Doors]
Collapsed=0
DockId=0x00000004,0

[Window][View]
DockId=0x00000004,1
Closed=1

[Docking][Data]
DockSpace       ID=0x484F4C54 Window=0x1BBC0F80 Pos=0,19 Size=1280,701 Split=X
  DockNode      ID=0x00000001 Parent=0x484F4C54 SizeRef=281,720 Selected=0xC2882BB0
  DockNode      ID=0x00000002 Parent=0x484F4C54 SizeRef=997,720 Split=X
    DockNode    ID=0x00000003 Parent=0x00000002 SizeRef=706,720 CentralNode=1
    DockNode    ID=0x00000004 Parent=0x00000002 SizeRef=289,720 Selected=0x8DA1385A

"""


def test_panels_around_the_picture_and_closed_ones_come_back() -> None:
    saved = parse_layout(AROUND)
    assert saved.docked == {"Cell", "Doors", "View"}
    assert saved.closed == {"View"}
    assert layout_text(AROUND, docked=saved.docked, places={}, collapsed=(), closed=saved.closed) == AROUND
    assert "Closed" not in layout_text(AROUND, docked=saved.docked, places={}, collapsed=())


def test_a_layout_comes_back_as_it_was_kept() -> None:
    saved = parse_layout(WHOLE)
    assert saved.places == {"Cell": (1500.0, -20.0, 380.0, 600.0)}
    assert saved.collapsed == {"Cell"}
    assert saved.docked == {"Doors"}
    text = layout_text(saved.rest, docked=saved.docked, places=saved.places, collapsed=saved.collapsed)
    assert parse_layout(text) == saved
    assert "Debug" not in text
    assert layout_text(WHOLE, docked={"Doors"}, places={}, collapsed=()) == saved.rest
    assert layout_text(WHOLE, docked=(), places={}, collapsed=()) == ""


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        (1, "[Window][Cell]", "[Windows][Cell]"),
        (2, "Pos=1500,-20", "Pos=1500"),
        (2, "Pos=1500,-20", "Pos=99999,0"),
        (2, "Pos=1500,-20", "Pos=nan,nan"),
        (2, "Pos=1500,-20", "Pos=" + "9" * 5000 + ",0"),
        (3, "Size=380,600", "Size=-380,600"),
        (19, "Column 0  Width=30", "Column 100000  Width=30"),
        (17, "[Table][0xC9935533,3]", "[Table][0xC9935533,2147483647]"),
        (25, "ID=0x00000003 Parent=0x00000001", "ID=0x00000002 Parent=0x00000001"),
        (25, "ID=0x00000003 Parent=0x00000001", "ID=0x00000003 Parent=0x00000009"),
        (25, "  DockNode  ID=0x00000003 Parent=0x00000001 SizeRef=200,400\n", ""),
        (1, "[Window][Cell]\n", ""),
        (25, "SizeRef=200,400\n\n", "SizeRef=0,400\n\n"),
        (25, "ID=0x00000003", "ID=0x00000000"),  # which ends the process
        (24, "Size=400,400 Split=X", "Size=400,400"),
    ],
)
def test_what_makes_no_sense_is_named_by_its_line_and_nothing_is_taken(
    tmp_path: Path, line: int, old: str, new: str
) -> None:
    assert old in WHOLE
    path = tmp_path / "layout.ini"
    text = WHOLE.replace(old, new, 1)
    path.write_text(text)
    file = LayoutFile(path)
    assert file.saved == SavedLayout()
    assert file.complaint.startswith(f"{path}:{line}: ")
    assert len(file.complaint) < len(str(path)) + 200
    assert file.complaint.isprintable()
    assert file.keep("") == ""  # nothing was moved since: the file stays for its user to mend
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        (14, "ID=0x484F4C54", "ID=0x00000009"),
        (17, "DockNode    ID=0x00000003", "DockSpace   ID=0x00000003 Window=0x1BBC0F80"),
        (17, "SizeRef=281,720", "SizeRef=281,720 CentralNode=1"),  # one more than the one in line 17
        (16, "SizeRef=997,720 Split=X", "SizeRef=997,720 Split=X CentralNode=1"),
        (14, "DockSpace       ID=0x484F4C54 Window=0x1BBC0F80", "DockNode ID=0x484F4C54"),
        (14, "DockSpace ", "DockNode ID=0x00000009 Pos=0,0 Size=9,9 CentralNode=1\nDockSpace "),
    ],
)
def test_there_is_one_dock_space_with_one_middle(line: int, old: str, new: str) -> None:
    """ImGui ends everything, or leaves a picture of nothing, where a file says otherwise."""
    assert old in AROUND
    parse_layout(AROUND)
    with pytest.raises(ValueError, match=rf"^{line}: a dock "):
        parse_layout(AROUND.replace(old, new, 1))


@pytest.mark.parametrize("node", ["0x00000009", "0x00000002"], ids=["not there", "split"])
def test_a_panel_in_a_dock_node_that_is_none_is_not_docked(node: str) -> None:
    saved = parse_layout(AROUND.replace("DockId=0x00000001", f"DockId={node}", 1))
    assert saved.docked == {"Doors", "View"}
    assert "[Window][Cell]" not in saved.rest


UNREADABLE = {"not UTF-8": b"\xc3(", "huge": b"\n" * (1 << 21)}


@pytest.mark.parametrize("how", [*NO_FILES, *UNREADABLE])
def test_whatever_stands_in_its_place_is_one_line(tmp_path: Path, how: str) -> None:
    path = tmp_path / "layout.ini"
    put_broken(path, how, UNREADABLE)
    file = LayoutFile(path)
    assert file.saved == SavedLayout()
    assert file.complaint.startswith(f"{path}: ")
    assert file.complaint.endswith("; the panels stand where they first stood")


def test_it_is_written_once_something_was_moved_and_a_failure_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "layout.ini"
    file = LayoutFile(path)
    assert (file.saved, file.complaint) == (SavedLayout(), "")
    assert file.keep("") == ""
    assert not path.exists()
    assert file.keep(WHOLE) == ""
    assert path.read_text() == f"{stamp_line(LAYOUT)}\n{WHOLE}"
    assert LayoutFile(path).saved == parse_layout(WHOLE)
    path.unlink()
    path.mkdir()
    for _ in range(2):
        assert file.keep("[Window][Cell]\n") == f"{path}: not written: Is a directory"
    path.rmdir()
    assert file.keep("[Window][Cell]\n") == ""
    assert path.exists()
    assert LayoutFile(None).keep(WHOLE) == ""


@pytest.mark.gl
def test_no_damage_reaches_imgui(tmp_path: Path) -> None:
    """What is let through of random damage is drawn for some frames."""
    from tests.viewer.overlay.panels import Panels, report
    from viewer.overlay.dock.layout import PanelLayout
    from viewer.overlay.host import OverlayHost

    panels = Panels()
    random_ = random.Random(7)
    passed = 0
    for number in range(800):
        damaged = bytearray((WHOLE, AROUND)[number % 2].encode())
        for _ in range(random_.choice((1, 1, 2, 5))):
            at = random_.randrange(len(damaged))
            if random_.random() < 0.3:
                del damaged[at : at + random_.randrange(1, 60)]
            else:
                damaged[at] = random_.choice(b"0123456789ABCDEF\n[],=x\x00\xff")
        path = tmp_path / "layout.ini"
        path.write_bytes(damaged)
        file = LayoutFile(path)
        if file.complaint:
            assert "\n" not in file.complaint
            continue
        passed += 1
        panels.host.close()
        panels.host = OverlayHost(file.saved.rest)
        panels.layout = PanelLayout(file.saved)
        for _ in range(2):
            panels.frame(report())
        parse_layout(panels.layout.text(panels.host.layout()))
        assert panels.picture[2] > 100, damaged.decode()
    assert passed > 40
    panels.host.close()
    panels.ctx.release()


@pytest.mark.shared
def test_the_layout_that_left_a_strip_of_15_pixels_is_read() -> None:
    saved = LayoutFile(SHARED / "faults" / "layout" / "layout.ini").saved
    assert saved.places["Cells"] == (1450.0, 100.0, 380.0, 400.0)


def test_a_layout_of_very_many_tables_is_refused_and_stays(tmp_path: Path) -> None:
    """ImGui took minutes to keep a megabyte of them, and the window could not be left meanwhile."""
    table = "[Table][0x{:08X},99]\nColumn 98 Width=1\n\n"
    few, many = (
        "".join(table.format(n) for n in range(count)) for count in (MOST_SECTIONS, MOST_SECTIONS + 1)
    )
    parse_layout(few)
    path = tmp_path / "layout.ini"
    path.write_text(many)
    assert "has more than 500 windows and tables; the panels stand where" in LayoutFile(path).complaint
    assert path.read_text() == many
