from django.urls import include, path

from answers.views import answer, asking, conversations

app_name = "answers"
urlpatterns = [
    path("ask", asking.ask_page, name="ask"),
    path("answers/recent", asking.recent, name="recent"),
    path("answers/<uuid:pk>", answer.answer_page, name="answer"),
    path("answers/<uuid:pk>/events", answer.answer_events, name="answer_events"),
    path("answers/<uuid:pk>/stop", answer.stop, name="stop"),
    path("answers/<uuid:pk>/again", asking.again, name="again"),
    path("answers/<uuid:pk>/rate", answer.rate, name="rate"),
    path("answers/<uuid:pk>.md", answer.answer_markdown, name="answer_markdown"),
    path("conversations", conversations.conversation_list, name="conversations"),
    path("conversations/<uuid:pk>", conversations.conversation_page, name="conversation"),
    path("conversations/<uuid:pk>/rename", conversations.rename, name="conversation_rename"),
    path("conversations/<uuid:pk>/delete", conversations.delete, name="conversation_delete"),
    path("", include("answers.exports.urls")),
]
