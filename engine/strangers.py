"""What the packages that we use have to say to their developers is kept from our users' terminals."""

from __future__ import annotations

import sys
import warnings
from typing import Final

OURS: Final = r"(engine|viewer)\b"


def hush_warnings() -> None:
    """Let no warning be seen from now on; where Python was told to show some, none about the code of others.

    What others say may count as one about us, who load or call them: numpy's of its variables do.
    """
    module = rf"(?!{OURS})" if sys.warnoptions else ""
    warnings.filterwarnings("ignore", module=module)


def hush_loggers() -> None:
    """Let loggers say nothing where nobody listens, who would take stderr then.

    It loads Python's logging: only for what comes with loggers, and has it loaded anyway.
    """
    import logging

    logging.lastResort = logging.NullHandler()
