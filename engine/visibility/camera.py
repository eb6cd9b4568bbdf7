"""The camera's own rules: pivot, eye, zoom and smoothing (visibility 1.5). Its sweep is done elsewhere."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Vec3

PIVOT_HEIGHT: Final = 1.5
FIRST_PERSON_FORWARD: Final = 0.18
DEFAULT_BACK: Final = 2.5
DEFAULT_UP: Final = 0.75
DEFAULT_DISTANCE: Final = math.hypot(DEFAULT_BACK, DEFAULT_UP)
DEFAULT_PITCH: Final = -math.degrees(math.atan2(DEFAULT_UP, DEFAULT_BACK))
STEP_BACK: Final = (0.6, 0.5)  # back and up, metres: third person entered from first
ZOOM_STEP: Final = 1.2
MIN_DISTANCE: Final = 0.5
MAX_HORIZONTAL: Final = 10.0
MIN_VERTICAL: Final = -1.8
MAX_VERTICAL: Final = 450.0
SMOOTHING: Final = 4.5  # 0.45 * 10 a second
SNAP_METRES: Final = 0.0004  # below this it is there: a parked camera has the same bits in every frame
SNAP_RADIANS: Final = 0.0002
COLLISION_RADIUS: Final = 0.3
FADE_NEAR: Final = 0.20
FADE_FAR: Final = 0.45
MAX_PITCH: Final = 89.0


def pivot_of(feet: Vec3, height: float = PIVOT_HEIGHT) -> Vec3:
    """The point a camera turns about: head height above the feet, metres."""
    return (feet[0], feet[1], feet[2] + height)


def first_person_eye(pivot: Vec3, yaw: float) -> Vec3:
    """The eye in first person: at the pivot, 0.18 m towards the heading (degrees)."""
    return offset_eye(pivot, yaw, FIRST_PERSON_FORWARD, 0.0)


def offset_eye(pivot: Vec3, yaw: float, forward: float, up: float) -> Vec3:
    """A place ``forward`` metres towards the heading and ``up`` metres above the pivot."""
    a = math.radians(yaw)
    return (pivot[0] + math.sin(a) * forward, pivot[1] + math.cos(a) * forward, pivot[2] + up)


def player_alpha(distance: float) -> float:
    """How solid the player's model is drawn, by the metres between eye and head."""
    return min(1.0, max(0.0, (distance - FADE_NEAR) / (FADE_FAR - FADE_NEAR)))


def clamp_offset(forward: float, up: float) -> tuple[float, float]:
    """A third-person offset within the limits of zoom: distance, horizontal and vertical reach."""
    length = math.hypot(forward, up)
    if length < 1e-9:
        return -MIN_DISTANCE, 0.0
    if length < MIN_DISTANCE:
        forward *= MIN_DISTANCE / length
        up *= MIN_DISTANCE / length
    if abs(forward) > MAX_HORIZONTAL:
        up *= MAX_HORIZONTAL / abs(forward)
        forward = math.copysign(MAX_HORIZONTAL, forward)
    return forward, min(MAX_VERTICAL, max(MIN_VERTICAL, up))


def approach(current: float, target: float, dt: float, snap: float) -> float:
    """One step of smoothing; exactly ``target`` once the rest is below ``snap``.

    A camera that is left alone so comes to bit-identical values from frame to frame.
    """
    rest = target - current
    if abs(rest) < snap:
        return target
    return current + rest * min(1.0, SMOOTHING * dt)


class Camera:
    """Look angles (degrees) and the offset of the eye from the pivot, smoothed towards their targets.

    The offset is (forward, up) in the frame of the heading, metres: (0.18, 0) in first person,
    (-2.5, 0.75) by default in third.
    """

    __slots__ = ("distance", "offset", "pitch", "target_pitch", "target_yaw", "third_person", "yaw")

    def __init__(self, yaw: float = 0.0, pitch: float = 0.0, *, third_person: bool = False) -> None:
        self.third_person = third_person
        self.target_yaw = yaw
        self.target_pitch = DEFAULT_PITCH if third_person and pitch == 0.0 else pitch
        self.distance = DEFAULT_DISTANCE
        self.yaw: float = self.target_yaw
        self.pitch: float = self.target_pitch
        self.offset: tuple[float, float] = self.target_offset()

    def target_offset(self) -> tuple[float, float]:
        """The offset that the mode, the pitch and the zoom ask for."""
        if not self.third_person:
            return FIRST_PERSON_FORWARD, 0.0
        a = math.radians(self.target_pitch)
        return clamp_offset(-self.distance * math.cos(a), -self.distance * math.sin(a))

    def turn(self, yaw: float, pitch: float) -> None:
        """Turn the look by degrees; pitch stops short of straight up and down."""
        self.target_yaw += yaw
        self.target_pitch = min(MAX_PITCH, max(-MAX_PITCH, self.target_pitch + pitch))

    def toggle(self) -> None:
        """Change between first and third person; third starts with the default offset."""
        self.third_person = not self.third_person
        self.distance = DEFAULT_DISTANCE
        self.level()

    def level(self) -> None:
        """Look straight on, or in third person as steeply as that begins with."""
        self.target_pitch = DEFAULT_PITCH if self.third_person else 0.0

    def zoom(self, steps: int) -> None:
        """Come nearer (positive) or go away by steps; in nearest first person begins, as it ends outward."""
        if not self.third_person:
            if steps < 0:
                self.third_person = True
                self.distance = math.hypot(*STEP_BACK)
                self.target_pitch = -math.degrees(math.atan2(STEP_BACK[1], STEP_BACK[0]))
            return
        distance = self.distance * ZOOM_STEP**-steps
        if distance < MIN_DISTANCE:
            self.third_person = False
            self.target_pitch = 0.0
            return
        limit = MAX_HORIZONTAL / max(1e-6, math.cos(math.radians(self.target_pitch)))
        self.distance = min(distance, limit)

    def update(self, dt: float) -> None:
        """Move a frame of ``dt`` seconds towards the targets; in first person the look follows at once."""
        if self.third_person:
            snap = math.degrees(SNAP_RADIANS)
            self.yaw = approach(self.yaw, self.target_yaw, dt, snap)
            self.pitch = approach(self.pitch, self.target_pitch, dt, snap)
        else:
            self.yaw = self.target_yaw
            self.pitch = self.target_pitch
        forward, up = self.target_offset()
        self.offset = (
            approach(self.offset[0], forward, dt, SNAP_METRES),
            approach(self.offset[1], up, dt, SNAP_METRES),
        )

    def settle(self) -> None:
        """Take the targets at once, as after a teleport."""
        self.yaw = self.target_yaw
        self.pitch = self.target_pitch
        self.offset = self.target_offset()

    def desired_eye(self, pivot: Vec3) -> Vec3:
        """Where the eye wants to be, before anything stands in its way."""
        return offset_eye(pivot, self.yaw, self.offset[0], self.offset[1])
