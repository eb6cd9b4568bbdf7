"""What the packages that we use have to say to their developers is kept from our users' terminals."""

from __future__ import annotations

import warnings
from typing import Final

OURS: Final = r"(engine|viewer)\b"


def hush_warnings() -> None:
    """Let no warning be seen from now on that is about the code of others, however Python was started."""
    warnings.filterwarnings("ignore", module=rf"(?!{OURS})")


def hush_loggers() -> None:
    """Let loggers say nothing where nobody listens, who would take stderr then.

    It loads Python's logging: only for what comes with loggers, and has it loaded anyway.
    """
    import logging

    logging.lastResort = logging.NullHandler()
