"""Where panels stand: the dock space, the layout in it, and the file that keeps it."""
