"""The report of a frame and its words."""
