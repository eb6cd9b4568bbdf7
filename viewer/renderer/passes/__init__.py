"""The passes of a frame, in their order."""
