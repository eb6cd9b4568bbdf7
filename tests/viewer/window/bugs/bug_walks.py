"""Bug folders of a walk, as tests write and change them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PIL import Image

from viewer.window.sharing import bug_report
from viewer.window.walking.walk import Walk

SIZE = (64, 48)
DOOR = 0x7A9B4015


def write(walk: Walk, *, with_dumps: bool = False) -> str:
    picture = Image.new("RGBA", SIZE)
    return bug_report.write_bug(walk, lambda: picture, size=SIZE, driver="a driver", with_dumps=with_dumps)


def changed_bug(walk: Walk, tmp_path: Path) -> tuple[Path, dict[str, Any], Path]:
    """A file of the user's, a bug folder, and what its facts say."""
    victim = tmp_path / "mine.txt"
    victim.write_text("mine")
    folder = Path(write(walk).split("; ")[0].removeprefix("saved "))
    return victim, json.loads((folder / "bug.json").read_text()), folder


def folder_of(said: str) -> Path:
    return Path(said.split("; ", maxsplit=1)[0].removeprefix("saved "))
