"""What triangles share is one vertex: fewer of them are worked out, and the triangles stay as they are."""

from __future__ import annotations

import numpy as np

from engine.dat.pieces.geometry import Polygon, SWVertex, VertexArray
from engine.dat.values import Vec3
from engine.world.frame import Frame
from viewer.renderer.images.materials import Material, RenderClass
from viewer.renderer.scene.mesh_buffer import BufferBuilder
from viewer.renderer.scene.meshes import Chunk, Side, chunks_of, place_all, sides_of

PLACES = [(x, 0.0, z) for x, z in ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (2.0, 0.0), (2.0, 1.0))]
UP = (0.0, -1.0, 0.0)
LEFT, RIGHT = (0, 1, 2, 3), (1, 4, 5, 2)  # two squares side by side


def material(layer: int) -> Material:
    return Material(
        render_class=RenderClass.OPAQUE, page=0, layer=layer, textured=True, factors=(0, 255, 255, 0)
    )


def square(key: int, ring: tuple[int, ...], slot: int = 0, *, uv: int = 0, sides: int = 0) -> Polygon:
    return Polygon(
        key=key, stippling=0, sides_type=sides, pos_surface=slot, neg_surface=-1, vertex_ids=ring,
        pos_uv_indices=(uv,) * 4,
    )  # fmt: skip


def vertices_of(normal: Vec3) -> tuple[SWVertex, ...]:
    """The corners of both squares, with a UV of the texture's left half and one of its right."""
    return tuple(SWVertex(key, place, normal, ((0.25, 0.5), (0.75, 0.5))) for key, place in enumerate(PLACES))


def squares(*, slots: tuple[int, int] = (0, 0), normal: Vec3 = UP) -> list[Chunk]:
    """Both squares as chunks, each with the material of its slot."""
    polygons = [
        square(n, ring, slot) for n, (ring, slot) in enumerate(zip((LEFT, RIGHT), slots, strict=True))
    ]
    return chunks_of(_sides(vertices_of(normal), polygons), [material(0), material(1)])


def _sides(vertices: tuple[SWVertex, ...], polygons: list[Polygon]) -> list[Side]:
    return sides_of(VertexArray(1, vertices), polygons, 2, lambda slot: True)


def places_of(chunk: Chunk) -> list[tuple[float, float, float]]:
    return [tuple(p) for p in chunk.corners["position"].tolist()]


FANNED = [PLACES[k] for ring in (LEFT, RIGHT) for k in (ring[0], ring[1], ring[2], ring[0], ring[2], ring[3])]


def test_polygons_share_the_vertices_that_are_the_same_in_all_and_keep_their_triangles():
    (chunk,) = squares()
    assert len(chunk.vertices) == 6
    assert places_of(chunk) == FANNED


def test_what_has_another_material_shares_no_vertex_with_it():
    (chunk,) = squares(slots=(0, 1))
    assert len(chunk.vertices) == 8
    assert chunk.corners["layer"].tolist() == [0.0] * 6 + [1.0] * 6
    assert places_of(chunk) == FANNED


def test_a_vertex_without_a_direction_has_each_of_its_faces_normals():
    (chunk,) = squares(normal=(0.0, 0.0, 0.0))
    assert len(chunk.vertices) == 8
    assert (chunk.vertices["normal"] == (0.0, -1.0, 0.0)).all()


def test_a_uv_or_a_side_of_its_own_makes_a_vertex_of_its_own():
    turned = [square(0, LEFT, uv=0), square(1, LEFT, uv=1)]
    (chunk,) = chunks_of(_sides(vertices_of(UP), turned), [material(0), material(1)])
    assert chunk.corners["uv"][:, 0].tolist() == [0.25] * 6 + [0.75] * 6
    sides = _sides(vertices_of(UP), [square(0, LEFT, sides=1)])
    (chunk,) = chunks_of(sides, [material(0), material(1)])
    assert len(chunk.vertices) == 8
    assert np.allclose(chunk.corners["normal"][:6], -chunk.corners["normal"][6:])


def test_several_placings_and_several_chunks_keep_to_their_own_vertices():
    (chunk,) = squares()
    moved = place_all(chunk, [Frame((0.0, 0.0, 0.0)), Frame((10.0, 0.0, 0.0))])
    assert len(moved.vertices) == 12
    assert places_of(moved) == FANNED + [(x + 10.0, y, z) for x, y, z in FANNED]
    builder = BufferBuilder()
    group = builder.add([chunk, moved])
    builder.pack()
    vertices, indices = builder._packed
    rows = np.frombuffer(vertices, chunk.vertices.dtype)[np.frombuffer(indices, np.uint32)]
    assert [tuple(p) for p in rows["position"].tolist()] == FANNED + places_of(moved)
    assert [(r.first, r.size) for r in group.opaque] == [(0, 36)]
