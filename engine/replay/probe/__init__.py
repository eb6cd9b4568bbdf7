"""Probing an object with sweeps: what of a doorway, or of its own width and height, it blocks."""
