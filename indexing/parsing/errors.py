"""Why a file gives no symbols although its language has a grammar."""


class NotParsedError(Exception):
    """The text was not parsed; its lines can still be indexed as plain text."""


class TooDeepError(NotParsedError):
    """The text nests deeper than its grammar is known to survive."""


class LineTooLongError(NotParsedError):
    """A line is so long that the file is minified or data."""
