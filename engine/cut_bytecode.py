"""Byte code that a full disk cut short: Python puts it in place all the same, and fails at it from then on.

(Python 3.11 to 3.13 look only at whether something was written.) Nothing is imported here but the standard
library: ``viewer.entry`` and the scripts may need this before all else.
"""

from __future__ import annotations

import os
from types import TracebackType

KINDS = (EOFError, ValueError, TypeError)  # what Python says of such a file
OURS = ("viewer", "engine")
_READER, _PATH = "_compile_bytecode", "bytecode_path"  # a function of importlib's, its name for the file


def repaired(error: BaseException, root: str = "") -> str:
    """A line where an error came of cut byte code, else ""; it is removed, and all of ours below ``root``.

    Where the disk was full for one file it was for others: Python makes them all anew.
    """
    found = _file_of(error.__traceback__) if isinstance(error, KINDS) else ""
    if not found:
        return ""
    root = root or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        os.unlink(found)
        for package in OURS:
            for folder, _, names in os.walk(os.path.join(root, package)):
                if os.path.basename(folder) == "__pycache__":
                    for name in names:
                        os.unlink(os.path.join(folder, name))
    except OSError as reason:
        return (
            f"{found}: is cut short, as by a full disk; {reason.filename} can't be removed: {reason.strerror}"
        )
    return f"{found}: is cut short, as by a full disk; removed: start it once more"


def _file_of(trace: TracebackType | None) -> str:
    """The file of byte code that was being read, "" for none."""
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_code.co_name == _READER:
            return str(frame.f_locals.get(_PATH) or "")
        trace = trace.tb_next
    return ""
