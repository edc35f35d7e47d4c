# Each of `test` and `demo` sets itself up: only Python 3.11, make and gcc are needed beforehand.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Python compiles a module when it is first imported; pip would compile thousands that nobody imports, for a minute.
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
# Some machines forbid byte code. Then each of the hundreds of processes that tests start compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE
# How many processes run tests side by side.
TEST_JOBS ?= 2
PYTEST := $(BIN)/python -m pytest -n $(TEST_JOBS) --dist loadgroup --no-loadscope-reorder

.PHONY: help setup setup-dev check check-ruff check-types check-imports test test-all test-long coverage fuzz figures \
        docs weight demo clean

help:
	@echo "make demo      set up, then run the main job on the embedded example"
	@echo "make test      set up with the test dependencies, then run all tests but the slow ones"
	@echo "make test-all  the slow ones too: kills, whole runs of the example, the doctor"
	@echo "make test-long the few tests that take minutes each"
	@echo "make coverage  the tests again, then the share of lines that they run, by package"
	@echo "make fuzz      damaged inputs for every reader of foreign bytes, for MINUTES=10; FOLDERS= adds runs as samples"
	@echo "make check     format, lint, strict types, import contract"
	@echo "make figures   write the tables of README.md and docs/ again from benchmarks/records and the manifests"
	@echo "make docs      the pages as a site in build/site; a dead link ends it"
	@echo "make weight    what each core dependency is for, its size and its import time"
	@echo "make setup     the environment alone (.venv), so that .venv/bin/graft runs"

# The stamps make a second call cheap, and a changed pin a new install.
$(VENV)/.base: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setting up $(VENV) (the first time takes a minute or two)"
	@$(PIP) -e .
	@touch $@

# torch comes by its exact pin first: any looser request may pull several GB of CUDA packages.
$(VENV)/.dev: $(VENV)/.base .ci/readers.txt
	@echo "installing the test dependencies"
	@$(PIP) torch==2.13.0
	@$(PIP) -e '.[dev,embed,mcp]'
	@$(PIP) --no-deps -r .ci/readers.txt
	@touch $@

setup: $(VENV)/.base
setup-dev: $(VENV)/.dev

# Types and imports side by side: each takes one core.
check: setup-dev
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target check-types check-imports check-ruff

check-types: setup-dev
	$(BIN)/mypy

check-imports: setup-dev
	$(BIN)/lint-imports

check-ruff: setup-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

test: setup-dev
	$(PYTEST) -m "not slow and not long"

test-all: setup-dev
	$(PYTEST) -m "not long" --durations=20

test-long: setup-dev
	$(PYTEST) -m long

docs: setup-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build
	@echo "open build/site/index.html"

coverage: setup-dev
	$(PYTEST) -m "not slow" --cov --cov-report=
	@$(BIN)/python .ci/coverage_by_package.py

fuzz: setup-dev
	@$(BIN)/python -m benchmarks.fuzz --minutes $(or $(MINUTES),10) $(FOLDERS)

figures: setup
	@$(BIN)/python -m benchmarks.figures

weight: setup
	@$(BIN)/python -m benchmarks.weight

demo: setup
	@$(BIN)/graft demo

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build/coverage
