from django.urls import path

from search import evaluation_views, views

app_name = "search"
urlpatterns = [
    path("search", views.search_page, name="search"),
    path("console/evaluations", evaluation_views.evaluations_page, name="evaluations"),
    path("console/evaluations/compare", evaluation_views.comparison, name="comparison"),
    path("console/evaluations/<int:pk>", evaluation_views.evaluation, name="evaluation"),
    path("console/evaluations/<int:pk>/again", evaluation_views.start_again, name="start_again"),
    path(
        "console/evaluations/<int:pk>/delete",
        evaluation_views.delete_evaluation,
        name="delete_evaluation",
    ),
]
