"""What records are made of and share: geometry, BSP trees, animation hooks."""
