from importlib import import_module

from django.apps import AppConfig

from outbound import scanning


class IndexingConfig(AppConfig):
    name = "indexing"

    def ready(self) -> None:
        scanning.register(import_module("indexing.outgoing").scan_for)
