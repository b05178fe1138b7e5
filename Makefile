# make play   set everything up and play a game
# make test   set everything up and run every check
# make bench  measure speed against other programs, side by side

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: play test lint types bench golden clean

play: $(STAMP)
	$(BIN)/plyground play breakthrough

test: $(STAMP)-test lint types
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(STAMP)-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)-test
	$(BIN)/mypy

bench: $(STAMP)-bench
	$(BIN)/python -m benchmarks

golden: $(STAMP)-test
	$(BIN)/python -m tests.golden

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "plyground needs Python 3.11 or later; try: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV) || { \
		echo "Python cannot make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }
	$(BIN)/pip install --quiet --editable .
	@touch $@

# OpenSpiel gives a second opinion on the rules. It has no build for every platform: the tests that
# ask it are skipped where it cannot be installed.
$(STAMP)-test: $(STAMP)
	$(BIN)/pip install --quiet --editable '.[test]'
	-$(BIN)/pip install --quiet --editable '.[oracle]'
	@touch $@

$(STAMP)-bench: $(STAMP)
	$(BIN)/pip install --quiet --editable '.[benchmark]'
	@touch $@

clean:
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
