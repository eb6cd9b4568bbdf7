"""The GL state the passes need, set through one place that remembers what is set (passes 3.1).

Most stencil bugs are inherited state, so a pass is entered with all of its state at once:
stencil, depth, colour, culling, clamping and offset.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from engine.named_tuple import NamedTuple
from viewer.renderer.gl.context import RawGl, ready

NEVER, LESS, EQUAL, LEQUAL, ALWAYS = 0x0200, 0x0201, 0x0202, 0x0203, 0x0207
KEEP, REPLACE = 0x1E00, 0x1E01
ZERO, ONE, SRC_ALPHA, ONE_MINUS_SRC_ALPHA = 0, 1, 0x0302, 0x0303
COLOR_BIT, DEPTH_BIT, STENCIL_BIT = 0x4000, 0x0100, 0x0400

_STENCIL_TEST, _DEPTH_TEST, _CULL_FACE, _BLEND = 0x0B90, 0x0B71, 0x0B44, 0x0BE2
_SCISSOR_TEST, _DEPTH_CLAMP, _OFFSET_FILL, _OFFSET_LINE = 0x0C11, 0x864F, 0x8037, 0x2A02
_FRONT_AND_BACK, _LINE, _FILL = 0x0408, 0x1B01, 0x1B02
_FRONT, _BACK, _CCW, _FUNC_ADD = 0x0404, 0x0405, 0x0901, 0x8006
_ALPHA_TO_COVERAGE = 0x809E


Call = tuple[Any, ...]  # a GL call and what it is called with
Calls = dict[str, Call]  # by what they set
Way = tuple[Calls, list[Callable[[], int]]]  # what differs between passes, and what sets it

_OF_NO_PASS = {"stencil func", "scissor", "scissor box", "blend", "blend factors", "covers"}


class PassState(NamedTuple):
    """The state of one pass: ``S(func, ref, read, zpass, write)``, depth, colour, culling and more.

    ``ref`` is given on entering. ``blended`` says whether the pass draws the blended classes.
    """

    name: str
    func: int
    read: int
    zpass: int
    write: int
    depth_test: bool
    depth_write: bool
    depth_func: int
    color: bool
    cull: bool
    clamp: bool = False
    offset: float = 0.0


class Watch(Protocol):
    """Who looks at a pixel after every draw; ``pass_name`` is the pass that is under way."""

    pass_name: str

    def note(self, what: str, group: str = "", of: int = 0) -> None:
        """Something was drawn, of a group of things that go by an id."""


class Switch(Protocol):
    """What is switched on and off."""

    def __call__(self, *, on: bool) -> None:
        """Set it."""


class GlState:
    """Cached state setters over raw GL; ``forget`` makes the next setting of everything real."""

    def __init__(self, raw: RawGl) -> None:
        self.raw = raw
        self.adds_up = False  # every fragment is added to its pixel (overdraw views)
        self.ignores_depth = False  # what writes colour is not tested against depth
        self.edges_only = False  # what writes colour is drawn as edges
        self.edges_too = False  # what is opaque is drawn once more, as edges
        self.backs_too = False  # what is opaque is drawn once more, from behind
        self.watch: Watch | None = None  # who looks at a pixel after every draw
        self._last: dict[str, object] = {}
        self._at: PassState | None = None  # the pass that all is set for, but for reference and blending
        self._entered: dict[int, tuple[PassState, Calls]] = {}
        self._entered_how = (False, False)  # edges_only and ignores_depth, for which they were made
        self._ways: dict[tuple[int, int], Way] = {}  # from one pass to another

    @property
    def order_shows(self) -> bool:
        """Whether one sees in which order opaque things were drawn, and not only which of them is nearest."""
        return self.watch is not None or self.adds_up or self.draws_again

    @property
    def draws_again(self) -> bool:
        """Whether what is opaque is drawn once more, in another way."""
        return self.edges_too or self.backs_too

    def stage(self, name: str) -> None:
        """A pass that is no more than clearing begins: tell who watches."""
        if self.watch is not None:
            self.watch.pass_name = name

    def note(self, what: str, group: str = "", of: int = 0) -> None:
        """Something was drawn, of a group of things that go by an id: tell who watches."""
        if self.watch is not None:
            self.watch.note(what, group, of)

    def forget(self) -> None:
        """Assume nothing about the current state: other code may have drawn."""
        self._last.clear()
        self._at = None
        how = self.edges_only, self.ignores_depth
        if self._entered_how != how:
            self._entered_how = how
            self._entered.clear()
            self._ways.clear()
        self.raw.glFrontFace(_CCW)
        self.raw.glCullFace(_BACK)
        self.raw.glBlendEquation(_FUNC_ADD)
        self.scissor(None)
        self.blend(None)
        self.edges(on=False)

    def enter(self, state: PassState, ref: int = 0) -> None:
        """Set everything a pass needs."""
        self.stage(state.name)
        if self._at is None:
            for name, call in self._calls_of(state).items():
                if self._last.get(name) != call:
                    self._last[name] = call
                    call[0](*call[1:])
        elif self._at is not state:
            calls, to_do = self._way(self._at, state)
            self._last.update(calls)
            for do in to_do:
                do()
        self._at = state
        self._call("stencil func", self.raw.glStencilFunc, state.func, ref, state.read)
        self.blend(None)

    def _way(self, at: PassState, state: PassState) -> Way:
        """What has to be set from pass to pass, worked out once."""
        key = id(at), id(state)
        way = self._ways.get(key)
        if way is None:
            known = self._calls_of(at)  # and not what was set last: that depends on the passes before
            calls = {name: call for name, call in self._calls_of(state).items() if known.get(name) != call}
            way = self._ways[key] = calls, [ready(call[0], *call[1:]) for call in calls.values()]
        return way

    def _calls_of(self, state: PassState) -> Calls:
        """What sets a pass's state but for the reference."""
        found = self._entered.get(id(state))
        if found is None:
            found = self._entered[id(state)] = state, self._make_calls(state)
        return found[1]

    def _make_calls(self, state: PassState) -> Calls:
        raw = self.raw
        tested = state.depth_test and not (self.ignores_depth and state.color)
        lines = self.edges_only and state.color and state.depth_test
        calls: Calls = {
            "stencil": (raw.glEnable, _STENCIL_TEST),
            "stencil op": (raw.glStencilOp, KEEP, KEEP, state.zpass),
            "stencil mask": (raw.glStencilMask, state.write),
            "depth": (raw.glEnable if tested else raw.glDisable, _DEPTH_TEST),
            "depth write": (raw.glDepthMask, int(state.depth_write)),
            "depth func": (raw.glDepthFunc, state.depth_func),
            "wireframe": (raw.glPolygonMode, _FRONT_AND_BACK, _LINE if lines else _FILL),
            "color": (raw.glColorMask, *(int(state.color),) * 4),
            "cull": (raw.glEnable if state.cull else raw.glDisable, _CULL_FACE),
            "clamp": (raw.glEnable if state.clamp else raw.glDisable, _DEPTH_CLAMP),
            "offset": (raw.glEnable if state.offset else raw.glDisable, _OFFSET_FILL),
        }
        if state.offset:
            calls["offset amount"] = raw.glPolygonOffset, state.offset, state.offset
        return calls

    def stencil(self, func: int, ref: int, *, read: int, zpass: int, write: int) -> None:
        """Stencil test and update; sfail and zfail keep."""
        self._switch("stencil", _STENCIL_TEST, on=True)
        self._call("stencil func", self.raw.glStencilFunc, func, ref, read)
        self._call("stencil op", self.raw.glStencilOp, KEEP, KEEP, zpass)
        self._stencil_mask(write)

    def no_stencil(self) -> None:
        """Switch the stencil test off, for overlays after the scene."""
        self._switch("stencil", _STENCIL_TEST, on=False)

    def rest(self) -> None:
        """What a frame ends with: triangles are filled, every fragment is drawn, and nothing blended."""
        self.no_stencil()
        self.scissor(None)
        self.wireframe(on=False)
        self.color(on=True)
        self.cull(on=False)
        self.depth(test=False, write=False)
        self.blend(None)

    def depth(self, *, test: bool, write: bool, func: int = LEQUAL) -> None:
        """Depth test, writing and comparison. Writing needs the test on in GL: ALWAYS stands for off."""
        self._switch("depth", _DEPTH_TEST, on=test)
        self._call("depth write", self.raw.glDepthMask, int(write))
        self._call("depth func", self.raw.glDepthFunc, func)

    def color(self, *, on: bool) -> None:
        """Writing to the colour buffer."""
        v = int(on)
        self._call("color", self.raw.glColorMask, v, v, v, v)

    def only_depth(self, *, on: bool) -> bool:
        """In a pass that blends: write depths and no colour, or blend again. False where that would show.

        Views that add up what is drawn, pass over depth or show edges have no use for it.
        """
        if self.adds_up or self.ignores_depth or self.edges_only:
            return False
        self.color(on=not on)
        self._call("depth write", self.raw.glDepthMask, int(on))
        return True

    def cull(self, *, on: bool) -> None:
        """Culling of back faces (clockwise on screen)."""
        self._switch("cull", _CULL_FACE, on=on)

    def blend(self, factors: tuple[int, int] | None, *, covers: bool = False) -> None:
        """Blending with source and destination factors, or none.

        Of what ``covers``, alpha is the share of a pixel's samples that it is drawn to.
        """
        factors = (ONE, ONE) if self.adds_up else factors
        if self._last.get("blended", 0) == (factors, covers):
            return  # mostly: ranges follow one another in one way
        self._last["blended"] = factors, covers
        self._switch("covers", _ALPHA_TO_COVERAGE, on=covers)
        self._switch("blend", _BLEND, on=factors is not None)
        if factors is not None:
            self._call("blend factors", self.raw.glBlendFunc, *factors)

    def offset(self, slope: float, units: float | None = None) -> None:
        """Polygon offset by a polygon's slope and in steps of depth, as many where not said; 0 for none."""
        self._switch("offset", _OFFSET_FILL, on=slope != 0.0)
        if slope != 0.0:
            self._offset_amount(slope, slope if units is None else units)

    def wireframe(self, *, on: bool) -> None:
        """Draw triangles as their edges."""
        self._call("wireframe", self.raw.glPolygonMode, _FRONT_AND_BACK, _LINE if on else _FILL)

    def edges(self, *, on: bool) -> None:
        """Draw triangles as their edges, just in front of what was filled."""
        self._switch("offset line", _OFFSET_LINE, on=on)
        if on:
            self._offset_amount(-1.0, -1.0)
        self.wireframe(on=on)

    def backs(self, *, on: bool) -> None:
        """Draw triangles from behind, just after the fronts that lie where they do; off as a pass draws."""
        self.raw.glCullFace(_FRONT if on else _BACK)
        self.offset(1.0 if on else 0.0, 4.0)

    def scissor(self, box: tuple[int, int, int, int] | None) -> None:
        """Restrict drawing and clearing to x, y, width, height in pixels from the lower left, or not."""
        self._switch("scissor", _SCISSOR_TEST, on=box is not None)
        if box is not None:
            self._call("scissor box", self.raw.glScissor, *box)

    def clear_color(self, rgb: tuple[float, float, float]) -> None:
        """Fill the colour buffer; only ever done at a frame's start (P0)."""
        self.color(on=True)
        self.raw.glClearColor(rgb[0], rgb[1], rgb[2], 1.0)
        self.raw.glClear(COLOR_BIT)
        self.note("colour cleared")

    def clear_depth(self) -> None:
        """Set depth to far, and nothing else (P0, P8)."""
        self._call("depth write", self.raw.glDepthMask, 1)
        self.raw.glClearDepth(1.0)
        self.raw.glClear(DEPTH_BIT)
        self.note("depth cleared")

    def clear_stencil(self, value: int, mask: int) -> None:
        """Set the stencil bits of a mask to those of a value (P0, P7)."""
        self._stencil_mask(mask)
        self.raw.glClearStencil(value)
        self.raw.glClear(STENCIL_BIT)
        self.note("stencil bits cleared")

    def _offset_amount(self, slope: float, units: float) -> None:
        self._call("offset amount", self.raw.glPolygonOffset, slope, units)

    def _stencil_mask(self, mask: int) -> None:
        self._call("stencil mask", self.raw.glStencilMask, mask)

    def _switch(self, name: str, capability: int, *, on: bool) -> None:
        self._call(name, self.raw.glEnable if on else self.raw.glDisable, capability)

    def _call(self, name: str, call: Callable[..., int], *values: float) -> None:
        """Set something, where it is not set so."""
        whole = (call, *values)
        if self._last.get(name) != whole:
            self._last[name] = whole
            if name not in _OF_NO_PASS:
                self._at = None
            call(*values)
