"""Signing in and out, also where it fails. Connected by accounts/apps.py."""

import hmac
from typing import Any

from axes.signals import user_locked_out
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.http import HttpRequest

from accounts.audit import record
from accounts.models import User
from accounts.trail.actions import Action
from accounts.trail.chain import signing_key


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


def attempted_name(request: HttpRequest | None, credentials: dict[str, Any] | None) -> str:
    """For django-axes, which counts attempts by name, and keeps the name in its rows and in the
    log: one that nobody has is kept as a keyed digest, for the same reason as below."""
    given = credentials or (request.POST if request else {})
    name = str(given.get("username") or "").replace("\x00", "")
    if not name or User.objects.filter(username=name).exists():
        return name
    _key_id, key = signing_key()
    return f"nobody:{hmac.digest(key, name.encode('utf-8', 'replace'), 'sha256').hex()[:16]}"


def _attempt(action: Action, name: str, request: HttpRequest | None) -> None:
    """A name that nobody has is not kept: people type their password into the wrong field."""
    known = User.objects.filter(username=name.replace("\x00", "")).first()
    detail = {"name": known.username if known else None}
    record(action, actor=None, request=request, subject=detail["name"] or "", detail=detail)
