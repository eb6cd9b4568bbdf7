"""A hit names the thing that was met, down to the part, whatever was tested on the way."""

import pytest

from engine.physics.enums import OI_CONTACT, OI_PATH_CLIPPED, OI_PERFECT_CLIP, HitKind, Response
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.simulation.sweep import make_transition
from engine.world.frame import Frame, Position
from tests.physics.models import cylinder_model, model, part, slab_model, sphere_model
from tests.physics.rooms import ROOM, box_polygons
from tests.physics.scenes import flat_floor
from tests.physics.stage import grounded_body, push, staged_room
from tests.physics.transition.probes import AT_HOME_AND_TURNED, SHAPES, cylinder

FIRST, SECOND = 0x7A9B4015, 0x7A9B4016


def thing(entity, m, at, state=0x8):
    return PhysicsObject(entity, m, Position(ROOM, Frame(at)), state=state)


def two_leaves():
    """A door of two parts of one gfxobj, side by side with a gap of 2 cm."""
    leaf = part(box_polygons((-0.5, 0.0, 0.0), (0.5, 0.1, 2.5)), 0x010044B6)
    return model(0x02000020, parts=[leaf, leaf], frames=[Frame((-0.51, 0.0, 0.0)), Frame((0.51, 0.0, 0.0))])


@pytest.mark.parametrize(("x", "index"), [(-0.6, 0), (0.6, 1)])
def test_a_hit_names_the_part_that_was_met(x, index):
    world, _ = staged_room(thing(FIRST, two_leaves(), (0.0, 2.0, 0.0), 0x10008))
    results = push(world, grounded_body(world, (x, 1.2, 0.005)), (0.0, 0.1, 0.0), 5)
    hits = [hit for result in results for hit in result.hits]
    assert {(h.owner, h.part, h.gfxobj) for h in hits} == {(FIRST, index, 0x010044B6)}
    assert {h.to_json()["part"] for h in hits} == {index}
    assert f"part {index} gfxobj 0x010044B6" in hits[0].name


def test_parts_of_one_gfxobj_are_hits_of_their_own():
    world, _ = staged_room()
    t = make_transition(world, grounded_body(world, (0.0, 0.0, 0.005)))
    for index in (1, 2, 1):
        t.under_test = (HitKind.ENTITY, FIRST, 0x010044B6, index)
        t.note_hit(1, (0.0, 1.0, 0.0), Response.SLID)
    assert [(h.gfxobj, h.part, h.poly) for h in t.hits] == [(0x010044B6, 1, 1), (0x010044B6, 2, 1)]


@pytest.mark.parametrize(
    "low", [cylinder_model(0.3, 0.3), sphere_model(0.0, 0.3)], ids=["cylinder", "sphere"]
)
def test_what_a_failed_step_up_tested_last_is_not_what_was_met(low):
    world, _ = staged_room(
        thing(FIRST, low, (0.0, 2.0, 0.0)),
        thing(SECOND, slab_model(), (0.0, 1.3, 1.9), 0x10008),  # over the head: no room to step up
    )
    body = grounded_body(world, (0.0, 1.15, 0.005))
    results = push(world, body, (0.0, 0.05, 0.0), 8)
    failed = [h for r in results for h in r.hits if h.response == Response.STEP_UP_FAILED]
    assert {h.owner for h in failed} == {FIRST}


def test_an_edge_is_that_of_the_ground_whatever_was_tested_after_it():
    world, _ = staged_room(
        thing(FIRST, cylinder_model(0.3, 2.0), (-0.8, 1.2, 5.0)), polygons=[flat_floor(-20, 0, 5.0)]
    )
    body = grounded_body(world, (0.15, 0.0, 5.005))
    (result,) = push(world, body, (0.2, 0.1, 0.0))
    assert [(h.kind, h.owner, h.response) for h in result.hits] == [(HitKind.CELL, ROOM, Response.EDGE)]


@AT_HOME_AND_TURNED
@SHAPES
@pytest.mark.parametrize(
    ("told", "flags"),
    [
        (Response.COLLIDE, 0),
        (Response.COLLIDE_WITH_POINT, OI_PATH_CLIPPED),
        (Response.CLIP, OI_PATH_CLIPPED | OI_PERFECT_CLIP),
        (Response.SLIDE, OI_CONTACT),
    ],
)
def test_a_hit_says_what_came_of_it_and_names_no_polygon(scene, shape, told, flags):
    t = scene.trying((-1.3, 0.4, 0.0), (0.3, 0.4, 0.0))
    t.object_info.state |= flags
    t.object_info.step_up_height = 0.1
    shape(scene, t)
    (hit,) = t.hits
    assert (hit.response, hit.poly) == (told, -1)
    assert scene.normal(hit.normal)[0] < -0.9


@AT_HOME_AND_TURNED
@SHAPES
def test_a_landing_is_a_hit_too_and_so_is_a_step_that_failed(scene, shape):
    t = scene.landing((0.0, 0.0, 0.8 if shape is cylinder else 1.3), (0.0, 0.0, -0.5))
    shape(scene, t)
    assert [(hit.response, hit.poly) for hit in t.hits] == [(Response.LAND, -1)]
    t = scene.trying((-1.3, 0.0, 0.0), (0.3, 0.0, 0.0), grounded=True)
    t.object_info.step_up_height = 1.6
    shape(scene, t)
    assert (Response.STEP_UP_FAILED, -1) in [(hit.response, hit.poly) for hit in t.hits]
