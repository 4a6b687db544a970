"""What may be kept of a fault of ours: its type and place; a message may quote what must not be."""

import traceback


def place_of(error: BaseException) -> str:
    """The frames, the innermost first, as `file:line < file:line`."""
    frames = traceback.extract_tb(error.__traceback__)
    return " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
