"""What the demo world is made of: its own geometry, textures and terrain, written with the project's dat writer."""
