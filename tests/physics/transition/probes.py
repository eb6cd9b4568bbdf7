"""A mover at an object's sphere or cylinder, in any place and at any heading, and what becomes of it."""

from __future__ import annotations

import pytest

from engine.dat.values import Sphere
from engine.physics.transition.cylsphere_object import intersects_cylsphere
from engine.physics.transition.sphere_object import intersects_sphere
from engine.world.frame import Frame, quat_of_heading
from tests.physics.scenes import cells, origin, transition
from tests.physics.scripted_rules import OnlyRules

SPHERES = (Sphere((0.0, 0.0, 0.5), 0.5), Sphere((0.0, 0.0, 1.5), 0.5))
CENTER = (0.0, 0.0, 0.5)


class Climb(OnlyRules):
    """A step up that notes what it is asked with and fails."""

    def __init__(self):
        super().__init__(step_up=self._fail)
        self.normals = []

    def _fail(self, t, normal):
        self.normals.append(normal)
        return False


class Scene:
    """A place and a heading: all coordinates of a test are those of its own space, that of the shape."""

    def __init__(self, at, heading):
        self.frame = Frame(at, quat_of_heading(heading))

    def trying(self, to, move=(0.0, 0.0, 0.0), *, grounded=False, spheres=SPHERES):
        """A mover that came by ``move`` to ``to``, its feet's place."""
        start = tuple(a - b for a, b in zip(to, move, strict=True))
        way = self.frame.to_global_vec(move)
        return transition(cells(), self.frame.to_global(start), way, grounded=grounded, spheres=spheres)

    def probing_down(self, to, amount=0.5, interp=1.0, *, spheres=SPHERES):
        t = self.trying(to, spheres=spheres)
        path = t.sphere_path
        path.step_down, path.step_down_amt, path.walk_interp = True, amount, interp
        return t

    def landing(self, to, move, interp=1.0):
        t = self.trying(to, move)
        t.sphere_path.collide = True
        t.sphere_path.walk_interp = interp
        t.collision_info.contact = None
        return t

    def cylinder(self, t, base=(0.0, 0.0, 0.0), height=1.0):
        return intersects_cylsphere(t, self.frame.to_global(base), 1.0, height)

    def ball(self, t, center=CENTER, radius=1.0):
        return intersects_sphere(t, self.frame.to_global(center), radius)

    def origin(self, t):
        return self.frame.to_local(origin(t))

    def normal(self, normal):
        return self.frame.to_local_vec(normal)

    def stands_on(self, t, normal, d):
        """The contact is an object's plane, which counts as water, in the cell that was tried."""
        contact = t.collision_info.contact
        n, at = contact.plane.normal, self.frame.origin
        return (
            self.normal(n) == pytest.approx(normal)
            and contact.plane.d + n[0] * at[0] + n[1] * at[1] + n[2] * at[2] == pytest.approx(d)
            and contact.is_water
            and contact.cell_id == t.sphere_path.check_pos.cell_id
            and t.ground is not None
        )


cylinder, ball = Scene.cylinder, Scene.ball
SHAPES = pytest.mark.parametrize("shape", [cylinder, ball])
AT_HOME_AND_TURNED = pytest.mark.parametrize(
    "scene", [Scene((0.0, 0.0, 0.0), 0.0), Scene((3.0, -2.0, 7.0), 37.0)], ids=["at home", "turned"]
)
