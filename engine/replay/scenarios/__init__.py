"""The acceptance scenarios that need no picture: each measures the rule that its name states."""
