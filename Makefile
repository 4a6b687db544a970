# Footnote: `make help` lists what there is. Values may follow: make up FOOTNOTE_PORT=8001
PYTHON := .venv/bin/python
TEST := FOOTNOTE_DATA=var/test $(PYTHON)
PYTEST := $(TEST) -m pytest --timeout=300

# As they were typed: a dollar sign in a question or in a path is just that.
override REPO := $(value REPO)
override Q := $(value Q)
export REPO Q

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev setup-browser demo up down test browser slow bench small-model lint format lock

help: ## List the targets
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/p' Makefile | expand -t 20

setup: ## Install into .venv what Footnote needs to run
	@.ci/setup

setup-dev:
	@.ci/setup dev

setup-browser:
	@.ci/setup browser

demo: setup ## Start, import a repository, ask it: [REPO=URL|folder|archive] [Q="question"]
	@$(PYTHON) -m config.demo

up: setup ## Start web, worker and database in the background
	@$(PYTHON) -m config.up

down: ## Stop what `make up` or `make demo` started
	@test ! -x $(PYTHON) || $(PYTHON) -m config.down

test: setup-dev ## Run the tests, with the fast ones of the browser where Chromium is installed
	@$(call tested,-n 2 --dist loadfile --durations=10 -m "not slow and (not browser or fast)")

browser: setup-browser ## Run all tests that drive Chromium
	@$(call tested,-m browser)

slow: setup-dev ## Run the tests that take longer
	@$(call tested,-m slow)

bench: setup-dev ## Measure what docs/benchmarks.md reports
	@$(PYTHON) -m tests.benchmarks

small-model: setup-dev ## Answer by a real, small model on the CPU (first builds it: minutes; not in CI)
	@$(PYTHON) -m tests.benchmarks.small_model

lint: setup-dev ## Check format, style, types, layers, templates, migrations and hosts
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(TEST) -m mypy .
	.venv/bin/lint-imports
	$(PYTHON) -m djlint --check templates
	$(PYTHON) -m djlint --lint --quiet templates
	$(TEST) manage.py makemigrations --check --dry-run
	.ci/hosts

format: setup-dev ## Format the code
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .
	$(PYTHON) -m djlint --reformat --quiet templates

lock: setup-dev ## Write the locks anew from requirements*.in (UPGRADE=1: newer versions)
	@.ci/lock

# The server of the tests is stopped afterwards, and pytest's own exit code is kept.
tested = $(TEST) -m tests.fast_database && { $(PYTEST) $(1); code=$$?; \
	$(TEST) -m config.down >/dev/null; exit $$code; }
