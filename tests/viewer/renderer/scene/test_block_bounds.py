"""The sphere around what stands in a landblock holds all that is drawn of it."""

from __future__ import annotations

import math

import pytest

from engine.world.loading.world import World
from engine.world.sources.open_source import demo_source
from tests.places import DEMO
from viewer.renderer.renderer import Renderer
from viewer.renderer.scene.block_bounds import BlockBounds

pytestmark = pytest.mark.gl


def test_a_landblocks_sphere_holds_its_shells_and_all_that_stands_outdoors_or_reaches_out(ctx):
    world = World(demo_source(DEMO))
    world.load_around(0xA9B40031)
    scene = Renderer(ctx, world, 32, 32).scene
    scene.update(0xA9B40031)
    groups = 0
    for meshes in scene.blocks():
        center, radius = scene.bounds.sphere(world.blocks[meshes.block_id])
        for group in (meshes.outdoor, meshes.reaching, meshes.all_shells):
            if group.opaque:
                groups += 1
                # The group's own sphere is around its box: half its diagonal may stick out of the other.
                assert math.dist(center, group.center) <= radius
                assert group.radius <= radius + 1e-3
    assert groups > 9


def test_a_landblock_with_nothing_in_it_has_no_size():
    world = World(demo_source(DEMO))
    block = world.load_block(0xA9B40000)
    assert block is not None
    block.statics.clear()
    block.buildings.clear()
    assert BlockBounds(lambda _: 1.0).sphere(block) == ((0.0, 0.0, 0.0), 0.0)
