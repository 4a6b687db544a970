from importlib import import_module

from django.apps import AppConfig


class OutboundConfig(AppConfig):
    name = "outbound"

    def ready(self) -> None:
        import_module("outbound.checks")  # registers itself
