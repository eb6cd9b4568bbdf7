"""The demo world's human: parts, poses, records."""
