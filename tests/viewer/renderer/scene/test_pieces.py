"""Of what stands outdoors only those pieces are drawn that may be in the picture, in their order."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from engine.dat.values import Vec3
from engine.physics.simulation.simulation import Simulation
from engine.visibility.cull import RegionCuller
from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon, bounding_box, full_view
from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from tests.viewer.renderer.memory_source import BLOCK
from viewer.places import put
from viewer.renderer.images.materials import RenderClass
from viewer.renderer.scene.matrices import EyeSpace
from viewer.renderer.scene.mesh_buffer import BufferBuilder
from viewer.renderer.scene.meshes import Batch, Chunk, box_chunk, place_all
from viewer.renderer.scene.sight import RegionSight, Sight
from viewer.verify.picture_stage import Onlooker

EVERY_METRE = range(0, 60, 6)
SIZE = (64, 36)
STREET, HALL = "0xA9B40031 [150 20 94] 1 0 0 0", "0xA9B40170 [155.4 16.2 94.0] 1 0 0 0"


def box(page: int = 0) -> Chunk:
    batch = Batch(RenderClass.OPAQUE, page, wrap=False)
    return box_chunk(batch, 0, (-0.5, -0.5, 0.0), (0.5, 0.5, 1.0))


def row(page: int = 0) -> Chunk:
    """A box at each of ten places."""
    return place_all(box(page), [Frame((float(x), 0.0, 0.0)) for x in EVERY_METRE])


def test_a_group_is_made_of_a_piece_a_place_each_within_its_sphere():
    lone = place_all(box(), [Frame((0.0, 30.0, 0.0))])
    builder = BufferBuilder()
    _, group = builder.add_many([[row(), row(1)], [], [lone]])
    builder.pack()
    pieces = group.pieces
    assert pieces is not None
    assert pieces.centers[:, :2].tolist() == [*([float(x), 0.0] for x in EVERY_METRE), [0.0, 30.0]]
    assert pieces.radii == pytest.approx([math.sqrt(0.75)] * 11)
    vertices = np.frombuffer(builder._packed[0], box().vertices.dtype)
    indices = np.frombuffer(builder._packed[1], np.uint32)
    assert [list(r.numbers) for r in pieces.ranges] == [list(range(11)), list(range(10))]
    for whole, piece in zip(group.opaque, pieces.ranges, strict=True):
        assert piece.offsets.tolist() == [4 * (whole.first + 36 * n) for n in range(len(piece.sizes))]
        for number, offset, size in zip(*piece, strict=True):
            places = vertices[indices[offset // 4 : offset // 4 + size]]["position"]
            away = np.linalg.norm(places - pieces.centers[number], axis=1)
            assert away.max() <= pieces.radii[number] + 1e-6


def test_what_is_one_piece_is_drawn_whole():
    assert BufferBuilder().add([box(), box(1)]).pieces is None


def views() -> list[tuple[View, tuple[ViewPolygon, ...]]]:
    small = ViewPolygon([(-0.3, -0.2), (0.1, -0.2), (0.1, 0.4), (-0.3, 0.4)])
    far = ViewPolygon([(0.6, -0.9), (0.9, -0.9), (0.8, 0.1)])
    out = []
    for yaw, pitch in ((0.0, 0.0), (130.0, -30.0), (250.0, 60.0)):
        view = View.from_angles((80.0, 70.0, 12.0), yaw, pitch, fov_y=60.0, width=64.0, height=36.0)
        out += [(view, (full_view(),)), (view, (small, far)), (view, ())]
    return out


class FakePicture:
    """As much of a picture as tells what is in sight."""

    def __init__(self, view: View, outside: tuple[ViewPolygon, ...]) -> None:
        self.view, self.outside = view, outside
        self.flood = None if outside == (full_view(),) else object()
        self.path, self.cells, self.loose, self.look_ins = "", (), (), ()


def test_no_sphere_is_left_out_that_one_by_one_is_seen_and_none_drawn_far_outside():
    dice = np.random.default_rng(3)
    centers = dice.uniform(-150.0, 350.0, (400, 3))
    radii = dice.uniform(0.0, 20.0, 400)
    seen = 0
    for beside in (BLOCK, BLOCK + 0x01000000, BLOCK + 0x00010000):
        for view, outside in views():
            sight = Sight(FakePicture(view, outside), EyeSpace(view, BLOCK))  # type: ignore[arg-type]
            each = sight.sees_each(beside, centers, radii)
            spheres = [(moved(c, beside), r) for c, r in zip(centers.tolist(), radii.tolist(), strict=True)]
            culler = RegionCuller(view, outside)
            assert each[[culler.sphere_visible(c, r) for c, r in spheres]].all()
            wide = [
                culler.sphere_visible(c, r + 0.02 + 0.1 * (math.dist(c, view.eye) + r)) for c, r in spheres
            ]
            assert not each[~np.array(wide)].any()
            assert outside or not each.any()
            assert not each.all()
            seen += int(each.sum())
    assert seen > 500


def test_a_cells_regions_leave_out_no_sphere_that_they_show_and_keep_none_far_beside_them():
    dice = np.random.default_rng(4)
    kept = left = inside = 0
    for view, regions in views():
        flood = SimpleNamespace(view=view, root=BLOCK | 0x100)
        boxes = RegionCuller(view, [bounding_box([region]) for region in regions])
        for beside in (BLOCK, BLOCK + 0x01000000):
            sight = RegionSight(flood, regions)  # type: ignore[arg-type]
            for _ in range(150):
                center, r = dice.uniform(-150.0, 350.0, 3).tolist(), float(dice.uniform(0.0, 20.0))
                place = moved(center, beside)
                shown = sight.sees(beside | 0x105, (center[0], center[1], center[2]), r)
                for way in dice.normal(size=(12, 3)):
                    dx, dy, dz = (way * r * dice.uniform() / np.linalg.norm(way)).tolist()
                    x, y, w = view.project((place[0] + dx, place[1] + dy, place[2] + dz))
                    if w > view.near and any(v.contains_point(x / w, y / w) for v in regions):
                        inside += 1
                        assert shown
                wide = 2.0 * r + 0.1 + 0.2 * (math.dist(place, view.eye) + r)
                assert not shown or boxes.sphere_visible(place, wide)
                kept, left = kept + shown, left + (not shown)
    assert min(kept, left, inside) > 100


def moved(center: list[float], block_id: int) -> Vec3:
    dx = 192.0 * ((block_id >> 24) - (BLOCK >> 24))
    dy = 192.0 * ((block_id >> 16 & 0xFF) - (BLOCK >> 16 & 0xFF))
    return (center[0] + dx, center[1] + dy, center[2])


@pytest.mark.gl
def test_drawing_the_pieces_in_sight_draws_what_drawing_all_does(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = Simulation(World(open_source(demo=DEMO)))
    own, every = Sight.sees_each, lambda sight, block_id, centers, radii: np.ones(len(radii), bool)
    put(simulation, STREET)
    with Onlooker(simulation, SIZE) as onlooker:
        for place, most in ((STREET, 0.6), (HALL, 0.9)):
            put(simulation, place)
            saved = total = 0
            for heading in (10.0, 100.0, 190.0, 280.0):
                picture, objects = onlooker.view(heading)
                pictures, triangles = [], []
                for rule in (own, every):
                    monkeypatch.setattr(Sight, "sees_each", rule)
                    triangles.append(onlooker.renderer.draw(picture, objects).triangles)
                    pictures.append(onlooker.renderer.read_rgba().copy())
                assert np.array_equal(*pictures)
                total += triangles[1]
                saved += triangles[1] - triangles[0]
            assert total - saved < most * total
        assert onlooker.renderer.gl_errors() == []
