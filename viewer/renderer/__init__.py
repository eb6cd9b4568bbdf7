"""Draws what a FrameView lists (passes 3, surfaces 4, 5, light 6)."""
