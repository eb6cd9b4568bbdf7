"""How a picture is drawn: switches for looking closer, and for tests."""

from __future__ import annotations

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple

# How strictly cells are clipped to their regions (passes 3.9).
EXACT, BOX, UNCLIPPED = "exact", "box", "off"
SCENE, DEPTH, STENCIL, HOLES, DIFFERENCE = "scene", "depth", "stencil", "holes", "difference"
OVERDRAW, OVERDRAW_ALL = "overdraw", "overdraw-all"


class RenderOptions(NamedTuple):
    """Switches of one frame.

    ``day_fraction`` 0 is midnight, 0.5 noon; ``seconds`` move the clouds. ``view_distance`` is where the
    landscape ends, in metres: fog hides that, None leaves the fog as it is. ``sentinel`` fills the frame
    with magenta first and counts what is left of it. ``plain`` shows textures without light and fog,
    ``flat_sky`` one colour instead of the gradient. ``terrain_apart`` draws each landblock's ground by
    itself. ``beyond_exits`` keeps the landscape of an interior frame beyond its exits. ``cell_ids``
    colours cells by their id, ``highlight`` lights up those cells. ``wireframe``, ``portals`` and
    ``regions`` are drawn over the scene, ``all_portals`` adds those that no flood came to, ``regions_of``
    keeps one cell's regions; ``landscape_mask`` hatches where the stencil lets the landscape through.
    ``wire_only`` draws the whole scene as edges, ``edges`` the edges over it, ``backs`` what is seen from
    behind, which else is not drawn; without ``visuals`` shapes alone are drawn. ``caption`` is written at
    the upper edge, ``caption_at`` of the width from the left; ``state`` asks for one that says what the
    frame starts from.

    ``show`` is what the picture shows: the scene, its depth or stencil, how often each pixel was painted,
    holes, or where clipping to regions matters. ``shapes`` names the debug shapes that are wanted; who
    draws a frame gathers them. ``cells`` chooses the cells: ``pview``, ``stab``, ``all`` or ``root``;
    ``solo`` (a cell id) and ``first`` (that many of the order) leave out others. ``split`` asks for the
    detached picture beside this one; who draws a frame draws both. ``samples`` are those of a pixel, for the
    edges: what is counted or shown as numbers is drawn with one. ``text_scale`` is that of all words in it.
    """

    day_fraction: float = 0.5
    day_group: int = 0
    seconds: float = 0.0
    view_distance: float | None = None
    sentinel: bool = False
    check_stencil: bool = False
    clip_mode: str = EXACT
    sun: bool = True
    fog: bool = True
    plain: bool = False
    textures: bool = True
    flat_sky: Vec3 | None = None
    shells: bool = True
    beyond_exits: bool = True
    terrain_apart: bool = False
    cell_ids: bool = False
    highlight: frozenset[int] = frozenset()
    wireframe: bool = False
    portals: bool = False
    all_portals: bool = False
    regions: bool = False
    regions_of: int | None = None
    landscape_mask: bool = False
    wire_only: bool = False
    edges: bool = False
    backs: bool = False
    state: bool = False
    caption: str = ""
    caption_at: float = 0.5
    visuals: bool = True
    terrain: bool = True
    objects: bool = True
    particles: bool = True
    weather: bool = True
    show: str = SCENE
    shapes: frozenset[str] = frozenset()
    cells: str = "pview"
    solo: int | None = None
    first: int | None = None
    split: bool = False
    samples: int = 1
    text_scale: float = 1.0

    @property
    def counts_paint(self) -> bool:
        """Whether every fragment adds the same to its pixel, instead of being the scene."""
        return self.show in (OVERDRAW, OVERDRAW_ALL)

    @property
    def draws_over(self) -> bool:
        """Whether anything is drawn over the scene, besides shapes that are given and alarms."""
        return bool(self.landscape_mask or self.wireframe or self.portals or self.regions or self.caption)

    @property
    def drawn_samples(self) -> int:
        """How many samples a pixel has in this frame."""
        is_counted = self.wants_sentinel or self.counts_paint or self.check_stencil or self.cell_ids
        return 1 if is_counted or self.show != SCENE else self.samples

    @property
    def wants_sentinel(self) -> bool:
        """Whether the frame begins magenta."""
        return self.sentinel or self.show == HOLES
