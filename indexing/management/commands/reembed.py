"""Makes the vectors that are missing, and tries again what was refused."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django_q.tasks import async_task

from indexing import reembed
from indexing.embed import embedding_model
from repos.models import Repository

JOB = "indexing.jobs.catch_up_vectors"
NO_END = 10.0 * 365 * 86_400  # seconds


class Command(BaseCommand):
    help = "Make missing vectors with the configured model, in the worker or, with --now, here."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", nargs="*", help="repositories; none stands for all")
        parser.add_argument("--now", action="store_true", help="work here until it is done")

    def handle(self, *_args: Any, slugs: list[str], now: bool, **_options: Any) -> None:
        model = embedding_model()
        if not model:
            raise CommandError(_("FOOTNOTE_EMBEDDING_MODEL is none: there are no vectors to make."))
        chosen = Repository.objects.filter(published_snapshot__isnull=False)
        if slugs:
            chosen = chosen.filter(slug__in=slugs)
            unknown = set(slugs) - set(chosen.values_list("slug", flat=True))
            if unknown:
                message = _("No repository that can be searched: %s.")
                raise CommandError(message % ", ".join(sorted(unknown)))
        reembed.ask_again(chosen)
        if now:
            finished = reembed.catch_up(NO_END)
            self.stdout.write(
                _("%(n)d repositories done with %(model)s.") % {"n": finished, "model": model}
            )
        else:
            async_task(JOB)
            self.stdout.write(
                _("The worker makes the vectors with %s; old ones serve meanwhile.") % model
            )
