"""What a collision does to a velocity (sweep 3.20)."""

from __future__ import annotations

from engine.dat.values import Vec3


def reflect(velocity: Vec3, normal: Vec3, elasticity: float) -> Vec3:
    """Throw back the part of a velocity that goes into a collision normal."""
    vx, vy, vz = velocity
    nx, ny, nz = normal
    k = vx * nx + vy * ny + vz * nz
    if k >= 0.0:
        return velocity
    k *= 1.0 + elasticity
    return (vx - nx * k, vy - ny * k, vz - nz * k)
