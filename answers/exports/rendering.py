"""HTML to PDF in a child process: with a time limit, without network, the same bytes each time."""

import hashlib
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

from django.conf import settings
from django.utils.translation import gettext as _

from answers.exports.child import WITHOUT_PANGO

SECONDS = 180  # less than models.STALLED_AFTER
MOST_HTML = 12 * 2**20  # bytes; exports/bounds.py keeps documents far below
PACKAGES = "libpango-1.0-0 libpangoft2-1.0-0"
_PAGES = re.compile(rb"pages (\d+)\s*$")


class RenderFailed(Exception):
    """There is no PDF; the message says why, for people, and quotes nothing of the document."""


@dataclass(frozen=True, slots=True)
class Rendered:
    pdf: bytes = field(repr=False)
    pages: int


def render(html: str) -> Rendered:
    """Raises RenderFailed."""
    source = html.encode()
    if len(source) > MOST_HTML:
        raise RenderFailed(_("The document is too large for a PDF. Take the Markdown file."))
    identifier = hashlib.sha256(source).hexdigest()[:32]
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "answers.exports.child", identifier],
            input=source,
            capture_output=True,
            timeout=SECONDS,
            cwd=settings.BASE_DIR,
            env=_environment(),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        message = _("The PDF was given up after %(n)d seconds. Take the Markdown file.")
        raise RenderFailed(message % {"n": SECONDS}) from error
    return _rendered(ended)


def _rendered(ended: "subprocess.CompletedProcess[bytes]") -> Rendered:
    if ended.returncode == WITHOUT_PANGO:
        raise RenderFailed(without_pango())
    pages = _PAGES.search(ended.stderr)
    if ended.returncode or pages is None or not ended.stdout.startswith(b"%PDF-"):
        raise RenderFailed(_("The PDF could not be made (the renderer stopped)."))
    return Rendered(ended.stdout, int(pages[1]))


def without_pango() -> str:
    return _("This server lacks Pango, which PDFs need. On Debian, as root: apt-get install %s") % (
        PACKAGES
    )


def _environment() -> dict[str, str]:
    """Nothing of ours; fixed hashes and dates, so that the same text gives the same bytes."""
    kept = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
    fixed = {"SOURCE_DATE_EPOCH": "0", "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
    return {**kept, **fixed, "PYTHONDONTWRITEBYTECODE": "1"}
