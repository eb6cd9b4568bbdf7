"""What is fuzzed: samples, what is done to them, and how commands use what came of it."""
