"""What decides the bytes of an export: while it is the same, the PDF that is there is the one."""

import hashlib
import json
from typing import Any

# Raised when layout or style change, so that old PDFs are made again.
LAYOUT = 1


def fingerprint(data: dict[str, Any]) -> str:
    """Of what exports/jsonfile.py says of an answer or a conversation."""
    text = json.dumps({"layout": LAYOUT, "data": data}, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
