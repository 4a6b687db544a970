from django.urls import include, path

from answers import views

app_name = "answers"
urlpatterns = [
    path("ask", views.ask_page, name="ask"),
    path("answers/recent", views.recent, name="recent"),
    path("answers/<uuid:pk>", views.answer_page, name="answer"),
    path("answers/<uuid:pk>.md", views.answer_markdown, name="answer_markdown"),
    path("", include("answers.exports.urls")),
]
