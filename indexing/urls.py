from django.urls import path

from indexing.views import explore, importing, runs
from repos import paths  # noqa: F401 - registers the converters

app_name = "indexing"

urlpatterns = [
    path("import", importing.import_repository, name="import"),
    path("r/<repo:slug>/preview", importing.preview, name="preview"),
    path("r/<repo:slug>/runs", runs.run_start, name="run_start"),
    path("r/<repo:slug>/runs/<int:number>", runs.run, name="run"),
    path("r/<repo:slug>/runs/<int:number>/events", runs.run_events, name="run_events"),
    path("r/<repo:slug>/runs/<int:number>/cancel", runs.run_cancel, name="run_cancel"),
    path("r/<repo:slug>/", explore.repository_home, name="home"),
    path("r/<repo:slug>/tree/", explore.tree, name="tree_root"),
    path("r/<repo:slug>/tree/<file:path>", explore.tree, name="tree"),
    path("r/<repo:slug>/file/<file:path>", explore.file, name="file"),
    path("r/<repo:slug>/raw/<file:path>", explore.raw, name="raw"),
    path("r/<repo:slug>/symbols", explore.symbols, name="symbols"),
]
