"""What is drawn, on the GPU: meshes, terrain, objects, particles, lights."""
