"""What of a walk goes to somebody else: bug folders, pictures, films, commands, the clipboard."""
