# make verify   checks the claims and writes the report
# make test     lint, types and tests
# make rocq     exports the certificates of the last run to Rocq, and compiles them if coqc is there
#               (and the general theorem, if MathComp is there too)
#
# make gpu      the tests that need a CUDA device (skipped where there is none), and docs/gpu.md: the
#               CPU against the device, or the CPU alone
#
# make docs     the documentation as pages, in build/docs
#
# make checker  packs the checker of statements into one file that needs Python alone
#
# On Windows make needs an sh (that of Git); without make or sh: README.md, "Without make".
#
# PYTHON=python3.12 chooses the interpreter, BUDGET=smoke|ci|full how long `verify` looks (what a
# budget does not look at is taken from claims.lock.json, and marked), WORKERS how many processes
# run the tests.

BUDGET ?= smoke
WORKERS ?= 2
unexport PYTHONDONTWRITEBYTECODE # else each of some hundred processes compiles all that it imports
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)

# Without PYTHON, an environment that is there already stays as it is.
ifeq ($(origin PYTHON),undefined)
PYTHON := $(or $(firstword $(wildcard $(BIN)/python $(BIN)/python.exe)),$(if $(filter Windows_NT,$(OS)),python,python3))
endif
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
STAMP := $(VENV)/lemmata-$(VERSION).stamp

.PHONY: verify test rocq gpu docs checker setup

verify: $(STAMP)
	@mkdir -p build
	@status=0; \
	$(BIN)/lemmata run --budget $(BUDGET) --output html=build/report.html,json=build/run.json || status=$$?; \
	if [ -f build/report.html ]; then echo "report: $(CURDIR)/build/report.html"; fi; \
	exit $$status

test: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -q -n $(WORKERS) --hypothesis-profile=ci

rocq: $(STAMP)
	$(BIN)/lemmata rocq build/certificates build/rocq
	@if [ -d "$$(coqc -where 2>/dev/null)/user-contrib/mathcomp/algebra" ]; then \
		mkdir -p build/rocq/general && cp verify/rocq/general/vertex_balance.v build/rocq/general && \
		coqc -q -w -notation-overridden,-ambiguous-paths build/rocq/general/vertex_balance.v; \
	else echo "not compiled, without coqc and MathComp: verify/rocq/general/vertex_balance.v"; fi

gpu: $(STAMP)
	$(BIN)/python -m pytest -q -k cuda tests
	$(BIN)/python -m benchmarks.device --device cuda --output docs/gpu.md

docs: $(STAMP)
	$(BIN)/sphinx-build --quiet --fail-on-warning docs build/docs
	@echo "documentation: $(CURDIR)/build/docs/index.html"

checker:
	@rm -rf build/checker
	@mkdir -p build/checker/lemmata_checker
	@cp verify/checker/*.py build/checker/lemmata_checker
	@printf 'import sys\nfrom lemmata_checker.__main__ import main\nsys.exit(main(sys.argv[1:]))\n' \
		> build/checker/__main__.py
	@$(PYTHON) -m zipapp build/checker --output build/lemmata-checker.pyz
	@echo "checker: $(CURDIR)/build/lemmata-checker.pyz"

setup: $(STAMP)

# torch goes first and by its exact pin: a looser request would fetch gigabytes that nothing here
# needs. What is installed already at the right version is left alone. The references come without
# what they ask for besides and never import here: backpack, and with it torchvision, which does not
# load beside a torch for the CPU.
REFERENCES := curvlinops-for-pytorch pyhessian einconv einops linear-operator opt-einsum tqdm

$(STAMP): constraints.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Lemmata needs Python 3.11 or newer, $(PYTHON) is " + sys.version.split()[0] + ": try PYTHON=python3.12 make test")'
	@[ "$$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" = "$(VERSION)" ] \
		|| $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt "$$(grep '^torch==' constraints.txt)"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt setuptools
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --no-build-isolation --editable '.[fast,dev,cluster]'
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --no-deps $(REFERENCES)
	@touch $@
