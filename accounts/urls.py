from django.urls import path

from accounts.views import people, sessions

app_name = "accounts"

urlpatterns = [
    path("sign-in", sessions.sign_in, name="sign_in"),
    path("sign-out", sessions.sign_out, name="sign_out"),
    path("first-run", sessions.first_run, name="first_run"),
    path("welcome/<uidb64>/<token>", sessions.Welcome.as_view(), name="welcome"),
    path("preferences", sessions.preferences, name="preferences"),
    path("preferences/theme", sessions.theme, name="theme"),
    path("people/", people.people, name="people"),
    path("people/<int:pk>", people.person, name="person"),
    path("people/<int:pk>/link", people.new_link, name="new_link"),
    path("people/groups/", people.groups, name="groups"),
    path("people/groups/<int:pk>", people.group, name="group"),
    path("people/groups/<int:pk>/delete", people.delete_group, name="delete_group"),
]
