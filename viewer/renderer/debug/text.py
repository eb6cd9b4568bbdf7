"""Text in the picture itself: letters from Pillow's own font in one texture, drawn as quads."""

from __future__ import annotations

import string
from array import array
from typing import TYPE_CHECKING

import moderngl

from engine.named_tuple import NamedTuple
from engine.world.debug_shapes import Rgba
from viewer.renderer.gl.programs import Programs

if TYPE_CHECKING:
    from PIL import ImageDraw, ImageFont

ATLAS_UNIT = 3
ARROW = "→"  # not in the font
LETTERS = string.printable[:95] + ARROW
HEIGHT = 720.0  # of the picture that letters are LETTER pixels high in
LETTER = 15.0
SMALLEST = 10
PLATE: Rgba = (0.04, 0.05, 0.06, 0.72)  # behind the letters
BLANK = 0.6  # of a figure's width: the font's own blank is hardly wider than the gap between letters
_MARGIN = 2  # pixels of the plate around the letters
_COLUMNS = 16

Box = tuple[float, float, float, float]  # left, top, right, bottom


class Glyph(NamedTuple):
    """Where a letter is in the atlas (pixels from the upper left) and how far the next one is."""

    x: int
    y: int
    width: int
    advance: int


class Atlas:
    """All letters at one size, white; the texel at (0, 0) is solid."""

    def __init__(self, ctx: moderngl.Context, size: int) -> None:
        from PIL import Image, ImageDraw, ImageFont  # loading them takes long, and most pictures have no text

        font = ImageFont.load_default(size)
        ascent, descent = font.getmetrics() if isinstance(font, ImageFont.FreeTypeFont) else (size, 0)
        self.line = ascent + descent
        wide = max(self._advance(font, letter) for letter in LETTERS) + 2
        rows = -(-len(LETTERS) // _COLUMNS)
        image = Image.new("L", (_COLUMNS * wide, 2 + rows * (self.line + 2)), 0)
        draw = ImageDraw.Draw(image)
        draw.rectangle((0, 0, 1, 0), fill=255)
        self.glyphs: dict[str, Glyph] = {}
        for k, letter in enumerate(LETTERS):
            x, y = k % _COLUMNS * wide + 1, 2 + k // _COLUMNS * (self.line + 2)
            advance = self._advance(font, letter)
            if letter == ARROW:
                self._arrow(draw, x, y, advance)
            else:
                draw.text((x, y), letter, fill=255, font=font)
            self.glyphs[letter] = Glyph(x, y, advance + 1, advance)
        self.texture = ctx.texture(image.size, 1, image.tobytes(), alignment=1)

    def width(self, text: str) -> int:
        """Pixels that a line takes."""
        return sum(self.glyphs.get(letter, self.glyphs["?"]).advance for letter in text)

    def release(self) -> None:
        """Give the texture back."""
        self.texture.release()

    @staticmethod
    def _advance(font: ImageFont.FreeTypeFont | ImageFont.ImageFont, letter: str) -> int:
        width: float = font.getlength("M" if letter == ARROW else letter)
        return round(max(width, BLANK * font.getlength("0")) if letter == " " else width)

    def _arrow(self, draw: ImageDraw.ImageDraw, x: int, y: int, advance: int) -> None:
        middle, tip, head = y + round(0.55 * self.line), x + advance - 2, max(2, advance // 4)
        draw.line((x + 1, middle, tip, middle), fill=255)
        for side in (-1, 1):
            draw.line((tip, middle, tip - head, middle + side * head), fill=255)


class TextBatch:
    """The text of one frame, in a picture of a size; places are pixels from the upper left."""

    def __init__(self, ctx: moderngl.Context, programs: Programs) -> None:
        self._ctx = ctx
        self._program = programs.text
        self._program["u_atlas"].value = ATLAS_UNIT  # type: ignore[union-attr]
        self._made: Atlas | None = None
        self._letter = SMALLEST
        self._size = (1, 1)
        self._data = array("f")
        self._boxes: list[Box] = []

    def begin(self, size: tuple[int, int], scale: float = 1.0) -> None:
        """Start a frame in a picture of that size; ``scale`` is that of the words."""
        letter = max(1, round(scale * max(SMALLEST, LETTER * size[1] / HEIGHT)))
        if self._made is not None and letter != self._letter:
            self._made.release()
            self._made = None
        self._letter = letter
        self._size = size
        self._boxes.clear()
        del self._data[:]

    def put(self, x: float, y: float, text: str, *, color: Rgba, middle: bool = True) -> bool:
        """A line of text: its middle, else its upper left corner, at a place, wholly within the picture.

        False, and nothing, where it would lie on one that was put before.
        """
        atlas = self._atlas
        width, height = self.width(text), self.line_height
        if middle:
            x, y = x - width / 2.0, y - height / 2.0
        left = float(round(min(max(0.0, x), max(0.0, self._size[0] - width))))
        top = float(round(min(max(0.0, y), max(0.0, self._size[1] - height))))
        box = (left, top, left + width, top + height)
        if any(_overlap(box, other) for other in self._boxes):
            return False
        self._boxes.append(box)
        self._quad(box, (0.5, 0.5, 0.5, 0.5), PLATE)
        at = left + _MARGIN
        for letter in text:
            glyph = atlas.glyphs.get(letter, atlas.glyphs["?"])
            place = (at, top + _MARGIN, at + glyph.width, top + _MARGIN + atlas.line)
            texels = (glyph.x, glyph.y, glyph.x + glyph.width, glyph.y + atlas.line)
            self._quad(place, texels, color)
            at += glyph.advance
        return True

    def width(self, text: str) -> int:
        """Pixels that a line takes with its plate."""
        return self._atlas.width(text) + 2 * _MARGIN

    @property
    def line_height(self) -> int:
        """Pixels from one line to the next below it."""
        return self._atlas.line + 2 * _MARGIN

    def draw(self) -> None:
        """Draw what was put; depth and stencil tests off, blending on."""
        if not self._data:
            return
        buffer = self._ctx.buffer(self._data.tobytes())
        vao = self._ctx.vertex_array(
            self._program, [(buffer, "2f4 2f4 4f4", "in_position", "in_texel", "in_color")]
        )
        self._atlas.texture.use(ATLAS_UNIT)
        vao.render(moderngl.TRIANGLES)
        vao.release()
        buffer.release()

    @property
    def _atlas(self) -> Atlas:
        """The letters; made when the first one is drawn, most frames have none."""
        if self._made is None:
            self._made = Atlas(self._ctx, self._letter)
        return self._made

    def _quad(self, place: Box, texels: Box, color: Rgba) -> None:
        width, height = self._size
        corners = [
            (px / width * 2.0 - 1.0, 1.0 - py / height * 2.0, tx, ty)
            for px, tx in ((place[0], texels[0]), (place[2], texels[2]))
            for py, ty in ((place[1], texels[1]), (place[3], texels[3]))
        ]
        for k in (0, 1, 2, 2, 1, 3):
            self._data.extend((*corners[k], *color))


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
