"""The ticks that were: kept, marked, gone back to, handed on."""
