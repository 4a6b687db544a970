from importlib import import_module

from django.apps import AppConfig

from indexing.keepers import KEEPERS
from search import abstaining


class AnswersConfig(AppConfig):
    name = "answers"

    def ready(self) -> None:
        abstaining.register(import_module("answers.abstaining").abstains)
        KEEPERS.append(import_module("answers.keeping").cited_snapshots)
