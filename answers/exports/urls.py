"""Addresses of what is taken away; part of answers/urls.py, in its namespace."""

from django.urls import path

from answers.exports import views

urlpatterns = [
    path("answers/<uuid:pk>/pdf", views.answer_pdf_page, name="answer_pdf_page"),
    path("answers/<uuid:pk>.pdf", views.answer_pdf, name="answer_pdf"),
    path("answers/<uuid:pk>.json", views.answer_json_file, name="answer_json"),
    path("conversations/<uuid:pk>/pdf", views.conversation_pdf_page, name="conversation_pdf_page"),
    path("conversations/<uuid:pk>.pdf", views.conversation_pdf, name="conversation_pdf"),
    path("conversations/<uuid:pk>.json", views.conversation_json_file, name="conversation_json"),
    path("conversations/<uuid:pk>.md", views.conversation_markdown, name="conversation_markdown"),
]
