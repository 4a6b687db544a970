from django.apps import AppConfig


class OutboundConfig(AppConfig):
    name = "outbound"
