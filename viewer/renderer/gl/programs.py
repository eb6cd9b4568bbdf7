"""The shader programs of the renderer, compiled once from the shaders folder."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.renderer.gl.read_back import ensure_room
from viewer.renderer.gl.resources import shader_source

if TYPE_CHECKING:
    import moderngl

LIGHT_BINDING = 1
EXIT_UNIT = 4  # the texture unit of the exits' depths
PARTICLE_UNIT = 5  # that of the rows of particles
SAMPLES_UNIT = 6  # that of a picture with several samples a pixel

EVERYWHERE, BEYOND_EXITS, BEHIND_SEALS = 0, 1, 2
"""Where the landscape is drawn: all over; from the exits of an interior frame on; where their seals hide
what a cell draws."""


class Programs:
    """All but those of marks and text take positions relative to the eye.

    ``mesh_beyond`` is ``mesh`` for what may have to begin at the exits: that costs a look at their depths a
    fragment, which cells and outdoor frames are spared. ``mesh_several`` is ``mesh`` for one thing in several
    places: to look its place up costs every vertex. Those of what few pictures show are linked when they
    are first asked for; their shaders are read before, so that one that is missing is told at the start.
    """

    def __init__(self, ctx: moderngl.Context, folder: Path) -> None:
        self._ctx = ctx
        self._folder = folder
        self.mark = self._link("mark/mark.vert", "mark/mark.frag")
        self._mean = self._read("samples/mean.vert", "samples/mean.frag")
        self._punch_2d = self._read("mark/mark.vert", "mark/punch.frag")
        self.portal = self._link("portal/portal.vert", "mark/mark.frag")
        self.punch = self._link("portal/portal.vert", "mark/punch.frag")
        self.opening = self._link("portal/portal.vert", "portal/opening.frag", define="BEGINS_AT_EXITS")
        self.exits = self._link("exits/exits.vert", "exits/exits.frag")
        self.mesh = self._link("mesh/mesh.vert", "mesh/mesh.frag")
        self.mesh_beyond = self._link("mesh/mesh.vert", "mesh/mesh.frag", define="BEGINS_AT_EXITS")
        self.mesh_several = self._link("mesh/mesh.vert", "mesh/mesh.frag", define="SEVERAL")
        self.terrain = self._link("terrain/terrain.vert", "terrain/terrain.frag", define="BEGINS_AT_EXITS")
        self.particles = self._link(
            "particles/particles.vert", "particles/particles.frag", define="BEGINS_AT_EXITS"
        )
        self.sky = self._link("sky/sky.vert", "sky/sky.frag")
        self.sky_thing = self._link("sky/thing.vert", "sky/thing.frag")
        self._hatch = self._read("mark/mark.vert", "mark/hatch.frag")
        self._text = self._read("text/text.vert", "text/text.frag")
        self._faces = self._read("lines/lines.vert", "lines/lines.frag")
        self._wide_lines = self._read("lines/lines.vert", "lines/wide.frag", "lines/lines.geom")
        for program in (self.mesh, self.mesh_beyond, self.mesh_several, self.terrain, self.particles):
            program["Light"].binding = LIGHT_BINDING  # type: ignore[union-attr]
        self.particles["u_particles"].value = PARTICLE_UNIT  # type: ignore[union-attr]
        self.particles["u_textures"].value = 0  # type: ignore[union-attr]
        for program in (self.mesh_beyond, self.terrain, self.opening, self.particles):
            program["u_exits"].value = EXIT_UNIT  # type: ignore[union-attr]
        self.begin_landscape(EVERYWHERE)

    @cached_property
    def mean(self) -> moderngl.Program:
        """The mean of a pixel's samples, over the whole picture."""
        return self._made(self._mean)

    @cached_property
    def punch_2d(self) -> moderngl.Program:
        """Puts a part of the screen at the far end of the depth."""
        return self._made(self._punch_2d)

    @cached_property
    def hatch(self) -> moderngl.Program:
        """Hatches what the stencil lets through."""
        return self._made(self._hatch)

    @cached_property
    def text(self) -> moderngl.Program:
        """Words."""
        return self._made(self._text)

    @cached_property
    def faces(self) -> moderngl.Program:
        """Coloured triangles."""
        return self._made(self._faces)

    @cached_property
    def wide_lines(self) -> moderngl.Program:
        """Coloured lines of a width in pixels."""
        return self._made(self._wide_lines)

    def set_view_projection(self, matrix: bytes) -> None:
        """Give all programs that project the matrix of a frame, 16 floats column by column."""
        for program in (
            self.portal, self.opening, self.punch, self.mesh, self.mesh_beyond, self.mesh_several,
            self.terrain, self.particles,
        ):  # fmt: skip
            program["u_view_projection"].write(matrix)  # type: ignore[union-attr]

    def begin_landscape(self, where: int) -> None:
        """Draw from now on everywhere, or only beyond the exits of the frame; all but ``mesh`` do."""
        self._where = where
        for program in (self.mesh_beyond, self.terrain, self.opening, self.particles):
            program["u_beyond"].value = where  # type: ignore[union-attr]

    def many_samples(self, *, on: bool) -> None:
        """Whether a pixel has several samples.

        Some of them lie nearer or farther than its middle, and the edge of a cut-out has some on either side.
        """
        for program in (self.mesh_beyond, self.terrain, self.opening, self.particles):
            program["u_reach"].value = 0.5 if on else 0.0  # type: ignore[union-attr]
        for program in (self.mesh, self.mesh_beyond, self.mesh_several):
            program["u_finer"].value = -0.5 if on else 0.0  # type: ignore[union-attr]

    def behind_seals(self, *, on: bool) -> None:
        """Draw meshes only behind the exits' seals, or not, if the landscape begins at exits at all."""
        if self._where != EVERYWHERE:
            self.mesh_beyond["u_beyond"].value = BEHIND_SEALS if on else self._where  # type: ignore[union-attr]

    def _link(self, vertex: str, fragment: str, *, define: str = "") -> moderngl.Program:
        sources = self._read(vertex, fragment)
        if define:
            sources = [
                source.replace("\n", f"\n#define {define}\n", 1) for source in sources
            ]  # after #version
        return self._made(sources)

    def _read(self, *names: str) -> list[str]:
        return [shader_source(self._folder, name) for name in names]

    def _made(self, sources: list[str]) -> moderngl.Program:
        vertex, fragment, *geometry = sources
        ensure_room()
        return self._ctx.program(
            vertex_shader=vertex,
            fragment_shader=fragment,
            geometry_shader=geometry[0] if geometry else None,
        )
