"""What the audit trail records. A new action is a line here: no migration, no other place."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Action(models.TextChoices):
    """`area.verb`; the areas are the groups of the filter on the activity page."""

    SIGN_IN = "sign_in.done", _("signed in")
    SIGN_IN_FAILED = "sign_in.failed", _("failed to sign in")
    SIGN_IN_LOCKED = "sign_in.locked", _("was locked out")
    SIGN_OUT = "sign_in.ended", _("signed out")

    REPOSITORY_VIEWED = "view.repository", _("opened a repository")
    FILE_VIEWED = "view.file", _("opened a file")
    FOLDER_VIEWED = "view.folder", _("opened a folder")
    SYMBOLS_VIEWED = "view.symbols", _("looked at symbols")
    RUN_VIEWED = "view.run", _("looked at a run")
    ANSWER_VIEWED = "view.answer", _("opened an answer")
    SEARCHED = "view.search", _("searched")
    ASKED = "view.asked", _("asked")

    PAGE_VIEWED = "view.page", _("opened a page")
    PAGE_SENT = "view.sent", _("sent a page")

    RAW_EXPORTED = "export.raw", _("took a file as plain text")
    ANSWER_EXPORTED = "export.answer", _("took an answer away")
    EXPORT_BLOCKED = "export.blocked", _("was not given an answer that seems to hold a secret")
    INDEX_EXPORTED = "export.index", _("exported an index")
    CONSOLE_EXPORTED = "export.console", _("exported from the console")

    REPOSITORY_IMPORTED = "repository.imported", _("imported a repository")
    REPOSITORY_CHANGED = "repository.changed", _("changed a repository's settings")
    REPOSITORY_ACCESS = "repository.access", _("changed who may see a repository")
    REPOSITORY_DELETED = "repository.deleted", _("deleted a repository")
    RUN_STARTED = "repository.run_started", _("started a run")
    RUN_CONFIRMED = "repository.run_confirmed", _("confirmed a run")
    RUN_CANCELLED = "repository.run_cancelled", _("cancelled a run")

    PERSON_CREATED = "people.created", _("added a person")
    PERSON_CHANGED = "people.changed", _("changed a person")
    PERSON_ACCESS = "people.access", _("changed what a person may do")
    PERSON_DELETED = "people.deleted", _("deleted a person")
    PERSON_LINK = "people.link", _("made a sign-in link")
    GROUP_CREATED = "people.group_created", _("added a group")
    GROUP_CHANGED = "people.group_changed", _("renamed a group")
    GROUP_DELETED = "people.group_deleted", _("deleted a group")

    FINDING_CONFIRMED = "findings.confirmed", _("confirmed findings")
    FINDING_DISMISSED = "findings.dismissed", _("dismissed findings")
    REVIEW_UNDONE = "findings.undone", _("undid a review of findings")
    VALUE_LOOKED_UP = "findings.looked_up", _("asked after a value")

    POLICY_CREATED = "policy.created", _("added a rule")
    POLICY_CHANGED = "policy.changed", _("changed a rule")
    POLICY_DELETED = "policy.deleted", _("deleted a rule")

    MODEL_BLOCKED = "models.blocked", _("had a call of a model blocked: looks like a secret")

    CONSOLE_VIEWED = "console.viewed", _("looked into the console")
    CONSOLE_CHANGED = "console.changed", _("changed something in the console")
    CONSOLE_DENIED = "console.denied", _("was refused by the console")
    AUDIT_PRUNED = "console.pruned", _("removed events past their time")


AREAS = {
    "sign_in": _("Signing in"),
    "view": _("Views and searches"),
    "export": _("Exports"),
    "repository": _("Repositories and runs"),
    "people": _("People and rights"),
    "findings": _("Findings"),
    "policy": _("Policies"),
    "models": _("Models"),
    "console": _("The console"),
}


def label(action: str) -> str:
    """The words for it; an action of another version shows its name."""
    return str(Action(action).label) if action in Action else action
