"""What a JSON object is to the code that makes or reads one."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
"""A JSON object by its keys; a value read back is what its form says, so whoever reads one names its type."""
