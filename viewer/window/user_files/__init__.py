"""What the user keeps: settings, keys, and the window's place."""
