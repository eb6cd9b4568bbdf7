"""What fails between ImGui's begin and end leaves things open: they are closed, and the frame goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from imgui_bundle import imgui

Result = TypeVar("Result")


class Openable(Protocol):
    """A box that can be closed."""

    is_open: bool


def recovered(do: Callable[[], Result]) -> Result:
    """Do a part of a frame; where it fails all that it began is ended, and the error goes on."""
    state = imgui.internal.ErrorRecoveryState()
    imgui.internal.error_recovery_store_state(state)
    try:
        return do()
    except BaseException:  # an interrupt too, that has waited for long enough
        io = imgui.get_io()
        asserts, io.config_error_recovery_enable_assert = io.config_error_recovery_enable_assert, False
        logs, io.config_error_recovery_enable_debug_log = io.config_error_recovery_enable_debug_log, False
        tells, io.config_error_recovery_enable_tooltip = io.config_error_recovery_enable_tooltip, False
        imgui.internal.error_recovery_try_to_recover_state(state)
        io.config_error_recovery_enable_tooltip = tells
        io.config_error_recovery_enable_assert, io.config_error_recovery_enable_debug_log = asserts, logs
        raise


def in_window(box: Openable, title: str, flags: int, content: Callable[[], Result]) -> Result | None:
    """Draw a box's window; None where nothing of it is seen.

    Where its content fails the window is ended all the same, its cross closes it, and the error goes on.
    """
    shown, kept = imgui.begin(title, p_open=True, flags=flags)
    try:
        return recovered(content) if shown else None
    finally:
        imgui.end()
        box.is_open = box.is_open and bool(kept)
