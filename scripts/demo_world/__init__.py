"""What the demo world is made of: geometry, textures and terrain, written with the project's dat writer."""
