"""Errors that are the user's to mend: one clear line, exit code 2."""


class UserError(Exception):
    """Bad usage or bad input; the text names the file, id or argument and says why."""


class BadValueError(ValueError):
    """Why an option can't have a value, in words for who wrote it; the parser names the option."""
