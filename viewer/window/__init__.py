"""The window and the walk in it: keys, flight, picking."""
