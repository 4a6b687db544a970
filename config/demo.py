"""`make demo`: start Footnote, import a repository, ask it a question, and leave it running.

REPO and Q come from the environment: an https URL, a folder or an archive, and the question.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config import ports, up
from config.refused import StartRefused

BASE_DIR = Path(__file__).resolve().parent.parent
# In a file of their own that .footnoteignore leaves out: here they would be the best hit.
OWN_QUESTION, OTHER_QUESTION = (
    (BASE_DIR / "config" / "demo_questions.txt").read_text(encoding="utf-8").splitlines()
)
MANAGE = (sys.executable, "manage.py")
ROOTS = "FOOTNOTE_FOLDER_ROOTS"


@dataclass(frozen=True, slots=True)
class Wish:
    """What to import and the question; `root` is the folder that may be read, if it is one."""

    source: str
    question: str
    root: Path | None


def understand(repo: str, question: str) -> Wish:
    """Read REPO and Q, both of which may be empty."""
    text = repo.strip() or str(BASE_DIR)
    usual = OTHER_QUESTION if repo.strip() else OWN_QUESTION
    path = Path(text).expanduser()
    source = str(path.resolve()) if path.exists() else text
    return Wish(source, question.strip() or usual, Path(source) if path.is_dir() else None)


def add_root(root: Path) -> None:
    """Let the processes that are started from here import `root` and what is below it."""
    if ":" in str(root):
        raise StartRefused(f"{root} holds a colon, which {ROOTS} cannot: move the folder.")
    known = [part for part in os.environ.get(ROOTS, "").split(":") if part]
    os.environ[ROOTS] = ":".join(dict.fromkeys([*known, str(root)]))


def import_and_ask(wish: Wish) -> int:
    """The exit code of the first command that failed, else 0; both write to the terminal."""
    # Progress goes to stderr as it happens; stdout holds the state at the end.
    command = [*MANAGE, "import_repository", wish.source, "--wait", "--json"]
    done = subprocess.run(command, cwd=BASE_DIR, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        return done.returncode
    name = json.loads(done.stdout)["repository"]
    _say(f"\n{wish.question}\n")
    command = [*MANAGE, "ask", wish.question, "--repository", name]
    return subprocess.run(command, cwd=BASE_DIR, check=False).returncode


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    wish = understand(os.environ.get("REPO", ""), os.environ.get("Q", ""))
    try:
        if wish.root:
            add_root(wish.root)
        started = up.start()
    except ImproperlyConfigured as error:
        sys.stderr.write(f"footnote: {error}\n")
        return 1
    _say(f"Footnote {'runs' if started else 'is running already'}. Importing {wish.source}")
    code = import_and_ask(wish)
    address = ports.address(settings.BIND, settings.PORT)
    _say(f"\nFootnote stays open at {address}; the first visitor makes the administrator.")
    _say("Stop it with: make down")
    return code


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
