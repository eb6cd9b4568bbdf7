"""What fails between ImGui's begin and end leaves things open: they are closed, and the frame goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from imgui_bundle import imgui

Result = TypeVar("Result")


def recovered(do: Callable[[], Result]) -> Result:
    """Do a part of a frame; where it fails all that it began is ended, and the error goes on."""
    state = imgui.internal.ErrorRecoveryState()
    imgui.internal.error_recovery_store_state(state)
    try:
        return do()
    except Exception:
        io = imgui.get_io()
        asserts, io.config_error_recovery_enable_assert = io.config_error_recovery_enable_assert, False
        logs, io.config_error_recovery_enable_debug_log = io.config_error_recovery_enable_debug_log, False
        imgui.internal.error_recovery_try_to_recover_state(state)
        io.config_error_recovery_enable_assert, io.config_error_recovery_enable_debug_log = asserts, logs
        raise
