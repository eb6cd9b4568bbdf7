"""What tests can't do without: the one place where a test is left out, or fails where none may be."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest

NO_SKIPS = os.environ.get("HOLTWALK_NO_SKIPS") == "1"


def left_out(why: str) -> NoReturn:
    """Leave out the test under way for want of something; it fails where nothing may be skipped."""
    if NO_SKIPS:
        pytest.fail(why, pytrace=False)
    pytest.skip(why)


def of_another_form(why: str) -> NoReturn:
    """Leave out the test under way in the compiled form, which is tested only where one asks for it."""
    pytest.skip(why)


def needs(there: object, why: str) -> pytest.MarkDecorator:
    """Marks a test that needs what may be missing here and could be installed or allowed."""
    return pytest.mark.needs(bool(there), why)


def needs_tool(name: str) -> pytest.MarkDecorator:
    """Marks a test that runs a program."""
    return needs(shutil.which(name), f"{name} is not installed")


def interpreted_only(why: str) -> pytest.MarkDecorator:
    """Marks a test of what can't be replaced or counted in the compiled form; the reason is shown."""
    return pytest.mark.interpreted_only(why)


breaks_a_rule = interpreted_only("breaks a rule on purpose, which compiled code does not allow")
"""Marks a test that replaces part of the program to see a check go red: it can be done in one form only."""


def only_where(*, so: bool, why: str) -> pytest.MarkDecorator:
    """Marks a test of what only some systems have: nothing that one installs would make it run elsewhere."""
    return pytest.mark.skipif(not so, reason=why)


def posix(what: str) -> pytest.MarkDecorator:
    """Marks a test of what Windows has not, or otherwise."""
    return only_where(so=os.name != "nt", why=f"{what} as POSIX has them")


full_device = needs(os.path.exists("/dev/full"), "no /dev/full here")
