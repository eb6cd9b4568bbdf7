"""Choosing the folder of the user's dats: in the desktop's own dialog, or by dropping it on the window."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError
from engine.files.shown import is_utf8, shown
from viewer.tables.option_values import PATH

PROGRAMS: Final = ("zenity", "kdialog", "matedialog", "qarma")  # what draws the dialog on Linux
OTHERWISE: Final = "drop the folder on the window, or write it into settings.toml"


class Dialog(Protocol):
    """A folder dialog of portable_file_dialogs that is open beside the window."""

    def ready(self, timeout: int = 0) -> bool:
        """Whether it was answered."""

    def result(self) -> str:
        """The folder, empty for none."""

    def kill(self) -> bool:
        """Close it unanswered; whether that could be done."""


def open_dialog(start: str) -> Dialog:
    """Open the desktop's dialog for a folder."""
    from imgui_bundle import portable_file_dialogs

    dialog: Dialog = portable_file_dialogs.select_folder("The folder with client_portal.dat", start)
    return dialog


def dialog_trouble() -> str:
    """Why no dialog can be opened here, empty where one can."""
    if sys.platform in ("win32", "darwin") or any(map(shutil.which, PROGRAMS)):
        return ""
    return f"no program for dialogs is here ({' or '.join(PROGRAMS[:2])}): {OTHERWISE}"


class DatsDialog:
    """Asks for a folder beside the frames; ``chosen`` gets it, ``say`` a line where that can't be.

    ``opens`` and ``trouble`` are those above.
    """

    def __init__(
        self, chosen: Callable[[Path], None], say: Callable[[str], None],
        opens: Callable[[str], Dialog] = open_dialog, trouble: Callable[[], str] = dialog_trouble,
    ) -> None:  # fmt: skip
        self._chosen = chosen
        self._say = say
        self._opens = opens
        self._trouble = trouble
        self._dialog: Dialog | None = None

    def ask(self, start: str) -> None:
        """Open the dialog, unless it is open."""
        if self._dialog is not None:
            self._say("the dialog for the folder is open already")
        elif trouble := self._trouble():
            self._say(trouble)
        else:
            self._dialog = self._opens(start if is_utf8(start) else "")  # which the dialog takes alone

    def look(self) -> None:
        """See whether it was answered; once a frame."""
        if self._dialog is not None and self._dialog.ready(0):
            dialog, self._dialog = self._dialog, None
            try:
                folder = dialog.result()
            except UnicodeDecodeError as error:
                name = shown(os.fsdecode(error.object).strip(), PATH)
                self._say(f"{name}: its name is no UTF-8, and the dialog hands over no other: use --dats")
                return
            if folder:
                self._chosen(Path(folder))

    def close(self) -> None:
        """The window closes: nobody would hear an answer."""
        dialog, self._dialog = self._dialog, None
        if dialog is not None and not dialog.ready(0):
            dialog.kill()


def dats_trouble(folder: Path) -> str:
    """Why a folder is no folder of dats, in one line; empty where it is one."""
    try:
        DatFiles.open(folder).close()
    except DatError as error:
        return str(error)
    return ""
