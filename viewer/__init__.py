"""The window, the renderer, the overlay and the command line."""
