# make play      set everything up and open the board in your browser
# make test      set everything up and run every check
# make docs      build the documentation as a site that works from its folder
# make bench     measure speed against other programs, side by side
# make golden    write the golden playthroughs, the drawn pictures of the docs and the notebook anew
# make pictures  take the screenshots of the pages anew
# make nets      learn the evaluations that come with plyground anew; it takes half an hour or more

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The type checks and the tests do not wait for each other: tests often wait for a process or a clock.
MAKEFLAGS += --jobs=2
# Some images of containers set this. Then each of the many processes of the tests would compile all
# of plyground's own modules once more, and every worker of pytest all of the tests.
export PYTHONDONTWRITEBYTECODE :=

# The type checker looks at plyground as it is on these systems too.
OTHER_SYSTEMS := types-darwin types-win32

.PHONY: play test unit-tests lint types types-here $(OTHER_SYSTEMS) javascript docs bench golden pictures nets clean

play: $(STAMP)
	$(BIN)/plyground

test: unit-tests types

unit-tests: $(STAMP)-browser $(STAMP)-sandbox lint javascript
	$(BIN)/python -m pytest -n 3 --dist worksteal

lint: $(STAMP)-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: types-here $(OTHER_SYSTEMS)

types-here: $(STAMP)-test
	$(BIN)/mypy

$(OTHER_SYSTEMS): types-%: $(STAMP)-test
	$(BIN)/mypy --platform $* --cache-dir .mypy_cache/$* src

javascript: $(STAMP)-test
	$(BIN)/deno fmt --quiet --check
	$(BIN)/deno lint --quiet
	$(BIN)/deno check --quiet src/plyground/web

docs: $(STAMP)-test
	$(BIN)/python -m sphinx -q -W --keep-going -c docs-site -d build/doctrees . build/site
	@echo "the documentation is in build/site/index.html"

bench: $(STAMP)-bench $(STAMP)-browser
	$(BIN)/python -m benchmarks

golden: $(STAMP)-test
	$(BIN)/python -m tests.games.golden
	$(BIN)/python -m tests.docs.package_picture
	$(BIN)/python -m tests.docs.learning_picture
	$(BIN)/python -m tests.docs.notebook

pictures: $(STAMP)-browser
	$(BIN)/python -m tests.docs.screenshots

nets: $(STAMP)
	$(BIN)/python -m plyground.learning.shipped

$(STAMP)-venv: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "plyground needs Python 3.11 or later; try: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV) || { \
		echo "Python cannot make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }
	@touch $@

$(STAMP): $(STAMP)-venv
	$(BIN)/pip install --quiet --editable .
	@touch $@

# OpenSpiel has its own rules of some games to compare with, easyAI its own search, and Dask runs
# tasks on many machines. OpenSpiel has no build for every platform: where they cannot be installed,
# the tests that need them are skipped. With CI=true a skipped test fails (tests/skips.py).
# All at once, if possible: pip takes ten seconds for each time that it is called.
$(STAMP)-test: $(STAMP)-venv
	$(BIN)/pip install --quiet --editable '.[test,docs,spiel,benchmark,cluster]' || { \
		$(BIN)/pip install --quiet --editable '.[test,docs]' && { \
		$(BIN)/pip install --quiet --editable '.[spiel,benchmark]'; \
		$(BIN)/pip install --quiet --editable '.[cluster]'; true; }; }
	@touch $(STAMP) $@

# The same for a browser.
$(STAMP)-browser: $(STAMP)-test
	@$(BIN)/python -m tests.browser.chromium && touch $@ || true

# The same for bubblewrap, which the sandbox needs. Two installations of packages at the same time lock
# each other out, so it comes after the browser.
$(STAMP)-sandbox: $(STAMP)-test | $(STAMP)-browser
	@$(BIN)/python -m tests.classroom.bubblewrap && touch $@ || true

# Not at the same time as the other one: both install packages.
$(STAMP)-bench: $(STAMP)-test
	$(BIN)/pip install --quiet --editable '.[benchmark]'
	@touch $@

clean:
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
