"""The first-run page makes the one administrator, and is the only page until then."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.db import connection, connections
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import reverse

from accounts.forms import FirstAdministratorForm
from accounts.middleware import FirstRunMiddleware
from accounts.models import User
from accounts.people import AdministratorExists, create_first_administrator

FIRST_RUN = reverse("accounts:first_run")
GOOD = {"username": "ana", "email": "", "password1": "plums in rum", "password2": "plums in rum"}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/sign-in", "/r/x/", "/nowhere", "/admin/"])
def test_every_page_leads_to_it_while_nobody_exists(client, path):
    assert client.get(path).headers["Location"] == FIRST_RUN


@pytest.mark.django_db
def test_it_creates_an_administrator_and_signs_in(client):
    response = client.post(FIRST_RUN, GOOD, follow=True)
    person = User.objects.get()
    assert person.is_administrator
    assert person.check_password("plums in rum")
    assert response.context["user"] == person


@pytest.mark.django_db
def test_a_weak_password_is_refused_with_the_reason(client):
    response = client.post(FIRST_RUN, GOOD | {"password1": "12345", "password2": "12345"})
    assert response.status_code == 422
    assert "at least 10 characters" in response.content.decode()
    assert not User.objects.exists()


def test_it_is_gone_once_somebody_exists(client, member):
    assert client.get(FIRST_RUN).headers["Location"] == "/"
    client.post(FIRST_RUN, GOOD)
    assert list(User.objects.all()) == [member]


def test_signed_out_people_then_sign_in(client, member):
    assert client.get("/").headers["Location"] == "/sign-in?next=/"


@pytest.mark.django_db(transaction=True)
def test_two_at_once_make_one_administrator():
    outcomes = []

    def create(name):
        form = FirstAdministratorForm(GOOD | {"username": name})
        assert form.is_valid()
        try:
            outcomes.append(create_first_administrator(form).username)
        except AdministratorExists:
            outcomes.append("late")
        connection.close()

    threads = [threading.Thread(target=create, args=(name,)) for name in ("ana", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert User.objects.count() == 1
    assert sorted(outcomes) == sorted(["late", User.objects.get().username])


async def nobody():
    return AnonymousUser()


async def _answer(request):
    return HttpResponse("page")


async def _ask(request):
    try:
        return await FirstRunMiddleware(_answer)(request)
    finally:  # or the test database cannot be dropped
        await sync_to_async(connections.close_all)()


@pytest.mark.django_db(transaction=True)
def test_async_requests_are_led_there_as_well():
    request = RequestFactory().get("/")
    request.auser = nobody
    with ThreadPoolExecutor() as other:  # pytest's own thread may have an event loop
        response = other.submit(async_to_sync(_ask), request).result()
    assert response.headers["Location"] == FIRST_RUN
