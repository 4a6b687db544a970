from django.urls import path

from indexing.views import explore
from repos import paths  # noqa: F401 - registers the converters

app_name = "indexing"

urlpatterns = [
    path("r/<repo:slug>/", explore.repository_home, name="home"),
    path("r/<repo:slug>/tree/", explore.tree, name="tree_root"),
    path("r/<repo:slug>/tree/<file:path>", explore.tree, name="tree"),
    path("r/<repo:slug>/file/<file:path>", explore.file, name="file"),
    path("r/<repo:slug>/raw/<file:path>", explore.raw, name="raw"),
    path("r/<repo:slug>/symbols", explore.symbols, name="symbols"),
]
