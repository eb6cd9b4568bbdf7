"""Textures of what lies in stores and on tables: straw, sacks, jars, mugs, bread, and a lamp's dull panes."""

from __future__ import annotations

import numpy as np

from scripts.demo_world.art.noise import cloudy, grid
from scripts.demo_world.art.paint import Picture, blend, plain, planks, ramp, shade, strokes


def straw() -> Picture:
    """Cut straw, stalk by stalk: 1 m."""
    picture = ramp((120, 92, 42), (178, 146, 80), cloudy(128, 128, across=16, down=8, seed=281, octaves=3))
    strokes(picture, 900, 282, reach=(8, 18), lean=3.0, dark=(104, 78, 34), light=(216, 186, 116))
    return picture


def sackcloth() -> Picture:
    """Coarse cloth: 0.5 m."""
    x, y = grid(64, 64)
    weave = 0.86 + 0.1 * ((x + y) % 2) + 0.08 * (x % 4 == 0) + 0.08 * (y % 4 == 0)
    return shade(
        ramp((112, 90, 60), (156, 132, 94), cloudy(64, 64, across=4, down=4, seed=291, octaves=4)), weave
    )


def stoneware() -> Picture:
    """Glazed jars, brown above: 0.5 m, mapped once around and up."""
    _, y = grid(64, 64)
    glaze = np.clip((34.0 + 8.0 * cloudy(64, 64, across=6, down=6, seed=296, octaves=2) - y) / 4.0, 0.0, 1.0)
    body = ramp((150, 136, 112), (188, 176, 150), cloudy(64, 64, across=8, down=8, seed=297, octaves=3))
    brown = ramp((70, 44, 24), (112, 74, 42), cloudy(64, 64, across=8, down=4, seed=298, octaves=3))
    return blend(body, brown, glaze)


def bottle() -> Picture:
    """Green glass with one bright streak."""
    x, _ = grid(32, 32)
    picture = ramp((24, 48, 26), (44, 78, 40), cloudy(32, 32, across=4, down=4, seed=301, octaves=3))
    return shade(picture, np.where(x % 16 == 4, 1.9, 1.0))


def mug() -> Picture:
    """Staves between two hoops of pewter, shown once around."""
    x, y = grid(64, 32)
    staves = planks(64, 32, 8, 306, dark=(96, 62, 34), light=(150, 106, 62), ends=False)
    hoop = ((y > 3) & (y < 9)) | ((y > 22) & (y < 28))
    metal = shade(plain(64, 32, (138, 134, 126)), 0.85 + 0.15 * ((y % 6) == 5) + 0.1 * (x % 16 == 3))
    return blend(staves, metal, hoop.astype(np.float64))


def beer() -> Picture:
    """Foam."""
    return ramp((206, 190, 150), (244, 236, 212), cloudy(32, 32, across=6, down=6, seed=311, octaves=3))


def loaf() -> Picture:
    """A crust."""
    return ramp((138, 86, 40), (206, 152, 86), cloudy(32, 32, across=4, down=4, seed=316, octaves=3))


def pane() -> Picture:
    """A lamp's panes by day: dull amber glass in a frame, shown once."""
    x, y = grid(32, 32)
    glass = ramp((104, 84, 54), (142, 122, 84), cloudy(32, 32, across=3, down=4, seed=321, octaves=2))
    rim = (np.minimum(x, 31 - x) < 2) | (np.minimum(y, 31 - y) < 2) | (np.abs(2 * x - 31) < 2)
    return blend(glass, plain(32, 32, (40, 38, 38)), rim.astype(np.float64))
