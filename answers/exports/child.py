"""HTML on standard input, a PDF on standard output: `python -m answers.exports.child`.

A process of its own without Django, database and secrets: what a repository or a model wrote is
in the text, and whatever it does to the renderer ends here. Its address is never looked up and
no file is opened for it.
"""

import ctypes
import os
import resource
import signal
import sys
from typing import Any, NoReturn

PR_SET_PDEATHSIG = 1  # linux/prctl.h
MOST_BYTES = 3 * 2**30  # of address space
WITHOUT_PANGO = 3  # exit codes
REFUSED_EVENTS = ("socket.connect", "socket.getaddrinfo", "socket.bind", "subprocess.Popen")


class Refused(Exception):
    """The text asked for something from outside."""


def main() -> int:
    _limit()
    try:
        # Needs Pango from the system; an OSError says which library is missing.
        import weasyprint  # noqa: PLC0415
        from weasyprint.urls import URLFetcher  # noqa: PLC0415
    except OSError as error:
        sys.stderr.write(str(error).split("\n", maxsplit=1)[0])
        return WITHOUT_PANGO

    class NoFetcher(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> NoReturn:
            raise Refused("Nothing is fetched while a document is made.")

    sys.addaudithook(_refuse)
    html, identifier = sys.stdin.buffer.read(), bytes.fromhex(sys.argv[1])
    document = weasyprint.HTML(
        string=html.decode(), url_fetcher=NoFetcher(), base_url=None
    ).render()
    pdf = document.write_pdf(pdf_variant="pdf/ua-1", pdf_identifier=identifier)
    sys.stdout.buffer.write(pdf)
    sys.stderr.write(f"\npages {len(document.pages)}")
    return 0


def _limit() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    os.nice(5)  # people wait for searches, not for this


def _refuse(event: str, _arguments: tuple[Any, ...]) -> None:
    if event in REFUSED_EVENTS:
        raise Refused(event)


if __name__ == "__main__":
    sys.exit(main())
