"""The commands, one small module each: ``run(args) -> exit code``."""
