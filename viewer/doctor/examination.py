"""The whole of it: every look at the machine, none of which stops the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from engine.dat.errors import in_one_line
from viewer.doctor.drawing import clipboard_found, display_found, drawing_found
from viewer.doctor.folders import dats_found, files_found, folders_found
from viewer.doctor.machine import form_found, packages_found, python_found
from viewer.doctor.machine_finding import Finding

Look = Callable[[], Finding | Iterable[Finding]]


def examine(dats: str | None = None) -> Iterator[Finding]:
    """Look at everything, one after the other; a look that fails is a finding too."""
    yield from _looked("python", python_found)
    yield from _looked("packages", packages_found)
    yield from _looked("hot packages", form_found)
    yield from _looked("OpenGL without a window", drawing_found)
    display = next(_looked("OpenGL on a display", display_found))
    yield display
    yield from _looked("clipboard", lambda: clipboard_found(display))
    yield from _looked("files", files_found)
    yield from _looked("folders", folders_found)
    yield from _looked("dats", lambda: dats_found(dats))


def _looked(name: str, look: Look) -> Iterator[Finding]:
    try:
        found = look()
        yield from [found] if isinstance(found, Finding) else found
    except ImportError as error:  # said by "packages", with what to do
        yield Finding(
            name=name, ok=False, detail=f"can't be looked at: {error}", figures={}, lacks="packages"
        )
    except Exception as error:
        yield Finding(name, ok=False, detail=in_one_line(error))
