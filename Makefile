# make play      set everything up and open the board in your browser
# make test      set everything up and run every check
# make bench     measure speed against other programs, side by side
# make golden    write the golden playthroughs and the drawn pictures of the docs anew
# make pictures  take the screenshots of the pages anew

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: play test lint types javascript bench golden pictures clean

play: $(STAMP)
	$(BIN)/plyground

test: $(STAMP)-browser $(STAMP)-sandbox lint types javascript
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(STAMP)-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)-test
	$(BIN)/mypy

javascript: $(STAMP)-test
	$(BIN)/deno fmt --quiet --check
	$(BIN)/deno lint --quiet
	$(BIN)/deno check --quiet src/plyground/web

bench: $(STAMP)-bench $(STAMP)-browser
	$(BIN)/python -m benchmarks

golden: $(STAMP)-test
	$(BIN)/python -m tests.games.golden
	$(BIN)/python -m tests.docs.package_picture

pictures: $(STAMP)-browser
	$(BIN)/python -m tests.docs.screenshots

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "plyground needs Python 3.11 or later; try: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV) || { \
		echo "Python cannot make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }
	$(BIN)/pip install --quiet --editable .
	@touch $@

# OpenSpiel has its own rules of some games to compare with, and easyAI its own search. OpenSpiel has
# no build for every platform: where they cannot be installed, the tests that need them are skipped.
# With CI=true a skipped test fails (tests/skips.py).
$(STAMP)-test: $(STAMP)
	$(BIN)/pip install --quiet --editable '.[test]'
	-$(BIN)/pip install --quiet --editable '.[oracle,benchmark]'
	@touch $@

# The same for a browser.
$(STAMP)-browser: $(STAMP)-test
	@$(BIN)/python -m tests.browser.chromium && touch $@ || true

# The same for bubblewrap, which the sandbox needs.
$(STAMP)-sandbox: $(STAMP)-test
	@$(BIN)/python -m tests.classroom.bubblewrap && touch $@ || true

$(STAMP)-bench: $(STAMP)
	$(BIN)/pip install --quiet --editable '.[benchmark]'
	@touch $@

clean:
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
