"""Particles: scripts that start emitters, emitters that bear particles, particles that fly and fade."""
