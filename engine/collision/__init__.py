"""Polygon, sphere, cylinder and BSP tests: pure functions over the world's geometry."""
