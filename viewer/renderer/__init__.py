"""Draws what a FrameView lists (rendering 3 to 6)."""
