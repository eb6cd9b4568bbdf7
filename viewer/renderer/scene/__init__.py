"""What is drawn, on the GPU: meshes, textures, materials, terrain, lights."""
