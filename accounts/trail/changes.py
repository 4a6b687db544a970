"""Changes of rows that people make, recorded field by field, whichever page or command does it.

`watch` is called once a model, at the start. Changes by `QuerySet.update` and `bulk_create`
send no signal and are not seen: such code records what it does itself.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import Model, QuerySet
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_save

from accounts.audit import Named, acting, record

BEFORE = "_audit_before"
SET, CHANGED, REMOVED = "set", "changed", "removed"


def _nothing(_row: Any) -> None:
    return None


def _no_link(_row: Any) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Watch:
    """An action that is "" is not recorded. `hidden` fields are told to have changed, not how."""

    created: str = ""
    changed: str = ""
    deleted: str = ""
    access: str = ""  # the action where one of `rights`, or the groups, changed
    fields: tuple[str, ...] = ()
    rights: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    subject: Callable[[Any], str] = str
    link: Callable[[Any], str] = _no_link
    repository: Callable[[Any], Named | None] = _nothing

    def record(self, action: str, row: Model, detail: dict[str, Any] | None = None) -> None:
        if action:
            record(
                action,
                actor=acting(),
                subject=self.subject(row),
                link=self.link(row),
                repository=self.repository(row),
                detail=detail,
            )


def watch(model: type[Model], how: Watch) -> None:
    """Once more for the same model replaces nothing and adds nothing."""
    name = f"audit {model.__module__}.{model.__name__}"
    for signal, handler in (
        (pre_save, _before),
        (post_save, _after),
        (post_delete, _gone),
    ):
        signal.connect(partial(handler, how), sender=model, weak=False, dispatch_uid=name)


def watch_groups(model: type[Model], how: Watch) -> None:
    """The many-to-many field `groups` of the model: who came to which group, and who left."""
    through = model.groups.through  # type: ignore[attr-defined]
    name = f"audit groups {model.__module__}.{model.__name__}"
    handler = partial(_groups, how, model)
    m2m_changed.connect(handler, sender=through, weak=False, dispatch_uid=name)


def _before(how: Watch, instance: Model, update_fields: Any = None, **_: Any) -> None:
    wanted = [f for f in how.fields if update_fields is None or f in update_fields]
    instance.__dict__[BEFORE] = _values(instance, wanted) if wanted else {}


def _values(row: Model, names: list[str]) -> dict[str, Any]:
    """As they are in the database; nothing where the row is new."""
    stored = _rows(type(row)).filter(pk=row.pk).first() if row.pk is not None else None
    return {name: getattr(stored, name) for name in names} if stored else {}


def _after(how: Watch, instance: Model, created: bool = False, **_: Any) -> None:  # noqa: FBT001, FBT002 - Django's signal
    if created:
        how.record(how.created, instance)
        return
    before: dict[str, Any] = instance.__dict__.pop(BEFORE, {})
    changes = {
        name: _change(how, name, old, getattr(instance, name))
        for name, old in before.items()
        if _plain(old) != _plain(getattr(instance, name))
    }
    rights = {name: change for name, change in changes.items() if name in how.rights}
    others = {name: change for name, change in changes.items() if name not in how.rights}
    if rights:
        how.record(how.access, instance, rights)
    if others:
        how.record(how.changed, instance, others)


def _change(how: Watch, name: str, old: Any, new: Any) -> Any:
    if name in how.hidden:
        return CHANGED if old and new else SET if new else REMOVED
    return {"old": _plain(old), "new": _plain(new)}


def _plain(value: Any) -> Any:
    if isinstance(value, memoryview | bytes):
        return bytes(value).hex()
    if value is None or isinstance(value, bool | int | str | list | dict):
        return value
    return str(value)


def _gone(how: Watch, instance: Model, **_: Any) -> None:
    how.record(how.deleted, instance)


def _groups(
    how: Watch,
    of: type[Model],
    *,
    instance: Any,
    action: str,
    reverse: bool,
    model: type[Model],
    pk_set: set[int] | None,
    **_: Any,
) -> None:
    word = {"post_add": "added", "post_remove": "removed", "pre_clear": "removed"}.get(action)
    if word is None:
        return
    if reverse:  # from the group's side
        rows = _rows(of).filter(pk__in=pk_set or ())
        _tell(how, rows, word, [instance])
    else:
        joined = _rows(model)
        groups = instance.groups.all() if pk_set is None else joined.filter(pk__in=pk_set)
        _tell(how, [instance], word, groups)


def _rows(model: type[Model]) -> QuerySet[Any]:
    return model._base_manager.all()  # noqa: SLF001 - Django's documented API


def _tell(how: Watch, rows: Iterable[Model], word: str, groups: Iterable[Model]) -> None:
    names = sorted(str(group) for group in groups)
    if names:
        for row in rows:
            how.record(how.access, row, {f"groups {word}": names})
