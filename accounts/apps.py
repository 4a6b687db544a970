from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.trail import sign_ins  # noqa: PLC0415 - needs the models

        sign_ins.connect()
