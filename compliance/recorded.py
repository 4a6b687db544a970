"""What the audit trail keeps of each address. tests/compliance/test_recorded.py walks all of them.

An address that is missing here is recorded all the same, as a page that was opened or sent.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpRequest

from accounts.audit import typed
from accounts.models import User
from accounts.trail.actions import Action

FILTER_CHARS = 200


def no_subject(_request: HttpRequest) -> str:
    return ""


def path(request: HttpRequest) -> str:
    return str(_argument(request, "path"))


def run(request: HttpRequest) -> str:
    return f"#{_argument(request, 'number')}"


def query(request: HttpRequest) -> str:
    return typed(request.GET.get("q", ""))


def question(request: HttpRequest) -> str:
    return typed(request.POST.get("question", ""))


def person(request: HttpRequest) -> str:
    found = User.objects.filter(pk=str(_argument(request, "pk"))).first()
    return found.username if found else ""


def _argument(request: HttpRequest, name: str) -> object:
    match = request.resolver_match
    return match.kwargs.get(name, "") if match else ""


@dataclass(frozen=True, kw_only=True)
class Page:
    """`get` when it was shown, `post` when what was sent was accepted; None: not recorded."""

    get: str | None = None
    post: str | None = None
    subject: Callable[[HttpRequest], str] = no_subject
    quiet_fragments: str = ""  # the method with which htmx gets only numbers that move


@dataclass(frozen=True)
class NotRecorded:
    reason: str


IN_ROWS = NotRecorded("the rows it changes are recorded, field by field (watched.py)")
IN_VIEW = NotRecorded("its view records what was taken, and in which form")
PDF_PAGE = NotRecorded("asks for a PDF and says how far it is; taking the PDF is recorded")
SIGNING_IN = NotRecorded("signing in and out is recorded where it happens (trail/sign_ins.py)")
NAMES = NotRecorded("shows names of what one may see, and nothing of their content")
OWN = NotRecorded("what a person arranges for themselves: preferences, names")
# Counts what is excluded while one types; nothing is confirmed by it.
PREVIEW = Page(get=Action.RUN_VIEWED, post=Action.RUN_CONFIRMED, quiet_fragments="POST")
CONSOLE = Page(get=Action.CONSOLE_VIEWED, post=Action.CONSOLE_CHANGED)
EXPORT = Page(get=Action.CONSOLE_EXPORTED, post=Action.CONSOLE_EXPORTED)
UNKNOWN = Page(get=Action.PAGE_VIEWED, post=Action.PAGE_SENT)

PAGES: dict[str, Page | NotRecorded] = {
    "accounts:sign_in": SIGNING_IN,
    "accounts:sign_out": SIGNING_IN,
    "accounts:first_run": SIGNING_IN,
    "accounts:welcome": SIGNING_IN,
    "accounts:preferences": IN_ROWS,
    "accounts:theme": OWN,
    "compliance:activity_own": NotRecorded("what is recorded of the person who looks"),
    "compliance:spend_own": NotRecorded("one's own use of models, in sums"),
    "compliance:answer_calls": Page(get=Action.ANSWER_VIEWED),
    "compliance:review": Page(get=Action.CONSOLE_VIEWED),  # its view records what was decided
    "compliance:review_undo": IN_VIEW,
    "compliance:lookup": Page(get=Action.CONSOLE_VIEWED),  # its view records the fingerprint
    "compliance:pattern_new": Page(get=Action.CONSOLE_VIEWED),  # its view records the change
    "compliance:pattern": Page(get=Action.CONSOLE_VIEWED),
    "compliance:pattern_switch": IN_VIEW,
    "compliance:pattern_delete": IN_VIEW,
    "compliance:policy": Page(get=Action.CONSOLE_VIEWED),
    "compliance:filter_save": OWN,
    "compliance:filter_forget": OWN,
    "accounts:people": Page(get=Action.CONSOLE_VIEWED),
    "accounts:person": Page(get=Action.CONSOLE_VIEWED, subject=person),
    "accounts:new_link": Page(post=Action.PERSON_LINK, subject=person),
    "accounts:groups": IN_ROWS,
    "accounts:group": IN_ROWS,
    "accounts:delete_group": IN_ROWS,
    "repos:list": NAMES,
    "repos:switcher": NAMES,
    "repos:settings": IN_ROWS,
    "repos:delete": IN_ROWS,
    "indexing:import": IN_ROWS,
    "indexing:preview": PREVIEW,
    "indexing:run_start": IN_ROWS,
    "indexing:run": Page(get=Action.RUN_VIEWED, subject=run, quiet_fragments="GET"),
    "indexing:run_events": NotRecorded("keeps a run's page fresh, which was recorded"),
    "indexing:run_cancel": Page(post=Action.RUN_CANCELLED, subject=run),
    "indexing:home": Page(get=Action.REPOSITORY_VIEWED),
    "indexing:tree_root": Page(get=Action.FOLDER_VIEWED),
    "indexing:tree": Page(get=Action.FOLDER_VIEWED, subject=path),
    "indexing:file": Page(get=Action.FILE_VIEWED, subject=path),
    "indexing:raw": Page(get=Action.RAW_EXPORTED, subject=path),
    "indexing:symbols": Page(get=Action.SYMBOLS_VIEWED, subject=query),
    "search:search": Page(get=Action.SEARCHED, subject=query),
    "search:evaluations": CONSOLE,
    "search:comparison": CONSOLE,
    "search:evaluation": CONSOLE,
    "search:start_again": CONSOLE,
    "search:delete_evaluation": CONSOLE,
    "answers:ask": Page(post=Action.ASKED, subject=question),
    "answers:recent": NotRecorded("lists questions; opening an answer is recorded"),
    "answers:answer": Page(get=Action.ANSWER_VIEWED),
    "answers:answer_events": Page(get=Action.ANSWER_VIEWED),  # sends all that its page shows
    "answers:again": Page(post=Action.ASKED),  # its link leads to the question
    "answers:stop": UNKNOWN,
    "answers:rate": NotRecorded("is kept beside the answer: whose it is, when, and why"),
    "answers:conversations": NotRecorded("lists one's own questions; opening one is recorded"),
    "answers:conversation": Page(get=Action.ANSWER_VIEWED),
    "answers:conversation_rename": OWN,
    "answers:conversation_delete": UNKNOWN,
    "answers:answer_markdown": Page(get=Action.ANSWER_EXPORTED),
    "answers:answer_pdf_page": PDF_PAGE,
    "answers:answer_pdf": IN_VIEW,
    "answers:answer_json": IN_VIEW,
    "answers:conversation_pdf_page": PDF_PAGE,
    "answers:conversation_pdf": IN_VIEW,
    "answers:conversation_json": IN_VIEW,
    "answers:conversation_markdown": IN_VIEW,
}


def rule_of(view_name: str) -> Page | NotRecorded:
    """Pages of the console need no line of their own; their exports have "export" in the name."""
    if found := PAGES.get(view_name):
        return found
    if view_name.startswith("compliance:"):
        return EXPORT if "export" in view_name else CONSOLE
    return CONSOLE if view_name.startswith("admin:") else UNKNOWN
