"""What a picture of a place takes: eye line, objects, debug shapes, and taking it off screen."""
