"""The GL context, its state, framebuffers and shader programs."""
