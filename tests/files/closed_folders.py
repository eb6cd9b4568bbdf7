"""A folder that one may not enter, as another user's home: an administrator may enter any."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest


def close(folder: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the system say nothing of what is in a folder."""
    stat = os.stat

    def closed(path: Any, **how: Any) -> os.stat_result:
        if str(path).startswith(str(folder)):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return stat(path, **how)

    monkeypatch.setattr(os, "stat", closed)
