"""The panels, a module each: they show the frame report and keep nothing."""
