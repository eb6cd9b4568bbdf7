"""Draws what a PictureView lists (passes 3, surfaces 4, 5, light 6)."""
