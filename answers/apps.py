from importlib import import_module

from django.apps import AppConfig

from indexing.keepers import KEEPERS
from search import abstaining, answer_evaluation


class AnswersConfig(AppConfig):
    name = "answers"

    def ready(self) -> None:
        abstaining.register(import_module("answers.abstaining").abstains)
        answer_evaluation.register(import_module("answers.evaluating.command").ANSWERS)
        KEEPERS.append(import_module("answers.keeping").cited_snapshots)
