"""The file that keeps where the user put the panels: ImGui's own form, checked before ImGui sees it.

ImGui believes what such a file says: of a damaged one nothing is taken.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.files.format_version import LAYOUT, without_stamp_line
from engine.files.shown import shown
from viewer.settings_files import NewerFileError, SettingsError, read_settings, write_whole

Place = tuple[float, float, float, float]  # left, top, width, height

_WINDOW = re.compile(r"\[Window\]\[([^\]\n]{1,100})\]")
_HEADERS = (_WINDOW, re.compile(r"\[Table\]\[0x[0-9A-F]{8},[0-9]{1,2}\]"), re.compile(r"\[Docking\]\[Data\]"))
_WORDS = r"( +[A-Za-z]+=[-0-9A-Fa-fxvXY.,^!]{1,40})*"
_LINES = (
    re.compile(
        r"Pos=-?[0-9]{1,5},-?[0-9]{1,5}|Size=[0-9]{1,5},[0-9]{1,5}|Collapsed=[01]"
        r"|DockId=0x(?!0{8})[0-9A-F]{8}(,-?[0-9]{1,3})?|(?!Pos|Size|Coll|DockId)[A-Za-z]{1,20}=[-0-9A-Fx,]{1,40}"
    ),
    re.compile(r"RefScale=[0-9.]{1,9}|Column +[0-9]{1,2}" + _WORDS),
    re.compile(
        r" *Dock(?:Node|(?P<space>Space)) +ID=(?P<id>0x(?!0{8})[0-9A-F]{8})(?(space) Window=0x[0-9A-F]{8})"
        r"( Pos=-?[0-9]{1,5},-?[0-9]{1,5} Size=[1-9][0-9]{0,4},[1-9][0-9]{0,4}"
        r"| Parent=(?P<parent>0x[0-9A-F]{8}) SizeRef=[1-9][0-9]{0,4},[1-9][0-9]{0,4})"
        r"(?P<split> Split=[XY])?( CentralNode=1| NoTabBar=1| HiddenTabBar=1| NoWindowMenuButton=1"
        r"| NoCloseButton=1)*( Selected=0x[0-9A-F]{8})? *"
    ),
)
_DOCKING = 2
MOST_SECTIONS = 500
"""Windows and tables of a file; ours has some forty, and ImGui takes the square of tables to keep them."""
SPACE = "0x484F4C54"
"""The dock space that the picture lies in, of which there is one."""
_DOCK_ID = re.compile(r"DockId=(0x[0-9A-F]{8})")
AS_AT_FIRST = "the panels stand where they first stood"
CLOSED, FRONT = "Closed=1", "Front=1"  # ImGui passes over what it does not know
_FARTHEST = 32_767  # ImGui keeps places in 16 bits


@dataclass(frozen=True, slots=True)
class SavedLayout:
    """What a layout file says.

    ``places`` are those of the panels that the user moved, as the user put them; ``docked`` the panels
    that lie in another's tabs or beside it, which is told with the ``rest``, as ImGui takes it. ``closed``
    are not shown, those in ``front`` are in front of their tabs.
    """

    places: Mapping[str, Place] = field(default_factory=dict)
    collapsed: frozenset[str] = frozenset()
    docked: frozenset[str] = frozenset()
    rest: str = ""
    closed: frozenset[str] = frozenset()
    front: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of the file: its lines, and its title where it is a window's."""

    title: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n\n"

    @property
    def is_window(self) -> bool:
        return bool(self.title)

    def closed_if(self, *, closed: bool) -> _Section:
        """The same that says, or does not, that its panel is closed."""
        lines = tuple(line for line in self.lines if line not in (CLOSED, FRONT))
        return _Section(self.title, (*lines, CLOSED) if closed and self.is_window else lines)

    def is_docked_in(self, nodes: Container[str]) -> bool:
        """Whether it lies in one of these; what ImGui remembers of one that is no more counts as none."""
        found = (_DOCK_ID.match(line) for line in self.lines)
        return any(one[1] in nodes for one in found if one)


def parse_layout(text: str) -> SavedLayout:
    """Read a layout file; ValueError, naming the line, for one that ImGui should not see."""
    nodes = _check(text)
    places: dict[str, Place] = {}
    collapsed: set[str] = set()
    docked: set[str] = set()
    closed: set[str] = set()
    front: set[str] = set()
    rest = ""
    for section in _sections(text):
        front.update({section.title} if section.is_window and FRONT in section.lines else ())
        closed.update({section.title} if section.is_window and CLOSED in section.lines else ())
        if not section.is_window or section.is_docked_in(nodes):
            docked.update({section.title} - {""})
            rest += section.text
        elif (place := _place(section)) is not None and "##" not in section.title:
            places[section.title] = place
            collapsed.update({section.title} if "Collapsed=1" in section.lines else ())
    return SavedLayout(
        places=places,
        collapsed=frozenset(collapsed),
        docked=frozenset(docked),
        rest=rest,
        closed=frozenset(closed),
        front=frozenset(front),
    )


def layout_text(
    imgui_text: str,
    *,
    docked: Container[str],
    places: Mapping[str, Place],
    collapsed: Container[str],
    closed: Container[str] = (),
) -> str:
    """A layout file: what ImGui keeps of docked panels, where the user put the others, which are closed."""
    sections = list(_sections(imgui_text))
    is_docked = any(section.title in docked for section in sections)
    text = "".join(
        section.closed_if(closed=section.title in closed).text
        for section in sections
        if (section.title in docked if section.is_window else is_docked and len(section.lines) > 1)
    )
    for title, (left, top, width, height) in places.items():
        text += f"[Window][{title}]\nPos={left:.0f},{top:.0f}\nSize={width:.0f},{height:.0f}\n"
        text += f"Collapsed={int(title in collapsed)}\n" + (f"{CLOSED}\n\n" if title in closed else "\n")
    return text


def front_lines(titles: Iterable[str]) -> str:
    """What is added to a layout file for the panels in front of their tabs."""
    return "".join(f"[Window][{title}]\n{FRONT}\n\n" for title in sorted(titles))


class LayoutFile:
    """A layout file at a path, None to keep none; ``complaint`` is one line where it can't be used."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.saved = SavedLayout()
        self.complaint = ""
        try:
            text = read_settings(path, LAYOUT) if path is not None else None
            self.saved = parse_layout(without_stamp_line(text or ""))
        except SettingsError as error:
            self._path = None if isinstance(error, NewerFileError) else path
            self.complaint = f"{error}; {AS_AT_FIRST}"
        except ValueError as error:
            self.complaint = f"{path}:{error}; {AS_AT_FIRST}"
        saved = self.saved
        self._kept = layout_text(
            saved.rest,
            docked=saved.docked,
            places=saved.places,
            collapsed=saved.collapsed,
            closed=saved.closed,
        ) + front_lines(saved.front)

    def refuse(self) -> str:
        """Take nothing of it: ImGui can't use it all the same; the complaint. It stays to be mended."""
        self.saved, self._kept = SavedLayout(), ""
        self.complaint = f"{self._path}: its docked panels make no sense; {AS_AT_FIRST}"
        return self.complaint

    def keep(self, text: str) -> str:
        """Write it where it says something new; a complaint, empty where all is well."""
        if self._path is None or text == self._kept:
            return ""
        try:
            write_whole(self._path, LAYOUT, text)
        except NewerFileError as error:
            self._path = None
            return f"{error}; not written"
        except OSError as error:
            return f"{self._path}: not written: {error.strerror}"
        self._kept = text
        return ""


def _sections(text: str) -> Iterator[_Section]:
    lines: list[str] = []
    for line in filter(str.strip, text.splitlines()):
        if line.startswith("[") and lines:
            yield _section(lines)
            lines = []
        lines.append(line)
    if lines:
        yield _section(lines)


def _section(lines: list[str]) -> _Section:
    found = _WINDOW.fullmatch(lines[0])
    return _Section(found[1] if found else "", tuple(lines))


def _check(text: str) -> set[str]:
    """The dock nodes that panels can lie in; ValueError, naming the line, for what ImGui should not see."""
    at, kind, sections = 0, -1, 0
    nodes: dict[str, bool] = {}  # by id, whether it is split
    children: dict[str, int] = {}
    in_space: set[str] = set()
    has_middle = False
    for at, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        forms = _LINES
        if line.startswith("["):
            forms = _HEADERS
            kind = next((k for k, header in enumerate(_HEADERS) if header.fullmatch(line)), -1)
            sections += 1
            if sections > MOST_SECTIONS:
                raise ValueError(f"{at}: has more than {MOST_SECTIONS} windows and tables")
        found = forms[kind].fullmatch(line) if kind >= 0 else None
        if found is None or any(int(n) > _FARTHEST for n in re.findall(r"\b[0-9]{5}\b", line)):
            raise ValueError(f"{at}: '{shown(line)}' makes no sense")
        if kind == _DOCKING and forms is _LINES:
            node, parent = found["id"], found["parent"]
            if node in nodes or (parent is not None and not nodes.get(parent)) or len(nodes) >= 64:
                raise ValueError(f"{at}: a dock node that belongs nowhere")
            if (found["space"] is not None) != (node == SPACE) or (node == SPACE and parent is not None):
                raise ValueError(f"{at}: a dock space that is not the picture's")
            if node == SPACE or parent in in_space:
                in_space.add(node)
            if "CentralNode=1" in line:
                if has_middle or node not in in_space or found["split"] is not None:
                    raise ValueError(f"{at}: a dock node in the middle of nothing")
                has_middle = True
            nodes[node] = found["split"] is not None
            children[parent or ""] = children.get(parent or "", 0) + 1
    if any(children.get(node, 0) != (2 if split else 0) for node, split in nodes.items()):
        raise ValueError(f"{at}: a dock node that is not split in two")
    return {node for node, is_split in nodes.items() if not is_split}


def _place(section: _Section) -> Place | None:
    values = {}
    for line in section.lines[1:]:
        name, _, numbers = line.partition("=")
        values[name] = numbers.split(",")
    if "Pos" not in values or "Size" not in values:
        return None
    left, top = map(float, values["Pos"])
    width, height = map(float, values["Size"])
    return left, top, width, height
