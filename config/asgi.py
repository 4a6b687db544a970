"""The ASGI application that uvicorn serves."""

import gc
import os
import warnings
from importlib import import_module

from django.conf import settings
from django.core.asgi import get_asgi_application

from config.body_limit import BodyLimit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# WhiteNoise streams files from a synchronous iterator; ours are small, so that is no harm.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")
application = BodyLimit(get_asgi_application())
# Uploads wait here, not in /tmp: they hold text that nobody has scrubbed.
settings.UPLOADS.mkdir(mode=0o700, parents=True, exist_ok=True)
# Apps can be imported from here on.
import_module("outbound.warming").warm()
# What is loaded stays: a full collection that looked at all of it would cost a search 50 ms.
gc.collect()
gc.freeze()
