# Each of `test` and `demo` sets itself up: only Python 3.11, make and gcc are needed beforehand.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: help setup setup-dev check test demo clean

help:
	@echo "make demo    set up, then run the main job on the embedded example"
	@echo "make test    set up with the test dependencies, then run the tests"
	@echo "make check   format, lint, strict types, import contract"
	@echo "make setup   the environment alone (.venv), so that .venv/bin/graft runs"

# The stamps make a second call cheap, and a changed pin a new install.
$(VENV)/.base: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setting up $(VENV) (the first time takes a minute or two)"
	@$(PIP) -e .
	@touch $@

# torch comes by its exact pin first: any looser request may pull several GB of CUDA packages.
$(VENV)/.dev: $(VENV)/.base
	@echo "installing the test dependencies"
	@$(PIP) torch==2.13.0
	@$(PIP) -e '.[dev,embed,mcp]'
	@touch $@

setup: $(VENV)/.base
setup-dev: $(VENV)/.dev

check: setup-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: setup-dev
	$(BIN)/python -m pytest

demo: setup
	@$(BIN)/graft demo

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
