from django.apps import AppConfig


class ComplianceConfig(AppConfig):
    name = "compliance"

    def ready(self) -> None:
        from compliance import watched  # noqa: PLC0415 - needs the models

        watched.start()
