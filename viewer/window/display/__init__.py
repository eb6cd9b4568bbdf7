"""The window on its display: opened there, refused by it, lost with it."""
