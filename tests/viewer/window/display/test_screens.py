"""How fine letters are by the X resources: a fraction, which pyglet does not take, kept windows away."""

from __future__ import annotations

import pytest

from viewer.window.display.screens import dots_an_inch


@pytest.mark.parametrize(
    ("resources", "dots"),
    [
        (b"", 96), (b"Xft.dpi:\t144\n", 144), (b"Xft.dpi: 109.68\n", 110),
        (b"Xft.antialias: 1\nXft.dpi:192", 192),
        (b"Xft.dpi: abc\n", 96), (b"Xft.dpi: 0\n", 96), (b"Xft.dpi: -96\n", 96), (b"Xft.dpi: 1e400\n", 96),
        (b"Xft.dpi: 99999999999\n", 96), (b"Xft.dpi: 120\nXft.dpi: 144\n", 144), (b"*Xft.dpi.x: 12\n", 96),
    ],
)  # fmt: skip
def test_dots_an_inch_of_any_resources(resources: bytes, dots: int) -> None:
    assert dots_an_inch(resources) == dots
