"""What scripts that take long have in common."""
