"""Signing in and out, also where it fails. Connected by accounts/apps.py."""

from typing import Any

from axes.signals import user_locked_out
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.http import HttpRequest

from accounts.audit import record
from accounts.models import User
from accounts.trail.actions import Action


def connect() -> None:
    user_logged_in.connect(_signed_in, dispatch_uid="audit sign-in")
    user_logged_out.connect(_signed_out, dispatch_uid="audit sign-out")
    user_login_failed.connect(_failed, dispatch_uid="audit failed")
    user_locked_out.connect(_locked_out, dispatch_uid="audit locked")


def _signed_in(request: HttpRequest, user: User, **_: Any) -> None:
    record(Action.SIGN_IN, actor=user, request=request)


def _signed_out(request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None:
        record(Action.SIGN_OUT, actor=user, request=request)


def _failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    _attempt(Action.SIGN_IN_FAILED, str(credentials.get("username", "")), request)


def _locked_out(request: HttpRequest, username: str, **_: Any) -> None:
    _attempt(Action.SIGN_IN_LOCKED, str(username), request)


def _attempt(action: Action, name: str, request: HttpRequest | None) -> None:
    """A name that nobody has is not kept: people type their password into the wrong field."""
    known = User.objects.filter(username=name.replace("\x00", "")).first()
    detail = {"name": known.username if known else None}
    record(action, actor=None, request=request, subject=detail["name"] or "", detail=detail)
