"""What is wrong in a dat, which objects refer to which, and records as JSON."""
