"""Answers about a pixel, for panels and pictures to show."""

from __future__ import annotations

from viewer.report.picked import Facet, PickAnswer, PickKind, Solid

OUTDOORS = 0xA9B40031
SQUARE = ((154.0, 16.6, 94.0), (156.0, 16.6, 94.0), (156.0, 16.6, 97.0))


def picked(drawn_with: int = 0) -> PickAnswer:
    """A door's face that the landscape's pass paints, or a cell's."""
    facet = Facet(
        kind=PickKind.ENTITY, cell=OUTDOORS, owner=0x7A9B4015, name="door", setup=0x020019FF, part=2,
        gfxobj=0x010044B6, polygon=1, node=3, back=False, surface=0, texture=0, image=0, how="opaque",
        alpha=1.0, distance=0.45, normal=(0.0, 1.0, 0.0), corners=SQUARE, drawn_with=drawn_with,
    )  # fmt: skip
    solid = Solid(polygon=3, leaf=2, off=0.0, walkable=False, normal=(0.0, 1.0, 0.0), corners=SQUARE)
    return PickAnswer(pixel=(1, 2), root=OUTDOORS, facet=facet, place=(155.0, 16.6, 95.0), solid=solid)
