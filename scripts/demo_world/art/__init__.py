"""Textures of the demo world, drawn by code."""
