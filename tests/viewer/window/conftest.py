"""The program on no window, made once for the tests of a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.viewer.window.bare_window import bare_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from viewer.window.app import App


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    monkeypatch = pytest.MonkeyPatch()
    with bare_app(tmp_path_factory.mktemp("config"), monkeypatch) as app:
        yield app
    monkeypatch.undo()
