"""The web server: `python -m config.web` serves in the foreground."""

import os
import sys

import uvicorn
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.startup import ensure_database

# Streams of events would keep a stopping server alive until the browser goes away.
STOP_SECONDS = 3


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        ensure_database()
    except ImproperlyConfigured as error:
        sys.stderr.write(f"footnote: {error}\n")
        return 1
    uvicorn.run(
        "config.asgi:application",
        host=settings.BIND,
        port=settings.PORT,
        http="h11",
        ws="none",
        lifespan="off",
        # The log would hold what people search for. Only behind a proxy do its headers tell the
        # client's address; elsewhere anybody could write them and evade the sign-in limit.
        access_log=False,
        proxy_headers=settings.HTTPS,
        server_header=False,
        log_level="warning",
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
