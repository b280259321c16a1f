# `make` lists what there is. Nothing is written outside this folder and the usual caches.
ROOT := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
BIN := $(ROOT)/.venv/bin
TOOLS := $(ROOT)/.tools
LOCKED := $(wildcard $(addprefix $(ROOT)/,uv.lock pyproject.toml */pyproject.toml services/*/pyproject.toml))

# The checkout that is served is the one where make was called, also with `make -C path run`.
CALLED_IN := $(if $(findstring w,$(firstword -$(MAKEFLAGS))),$(PWD),$(CURDIR))
export TRUNKLINE_REPO_PATH ?= $(CALLED_IN)

# Half of a test's time is waiting for sockets: three workers keep two cores busy.
WORKERS = $(shell python3 -c 'import os; print(len(os.sched_getaffinity(0)) * 3 // 2)' 2>/dev/null || echo auto)

.PHONY: help run demo up down test check k8s bench system soak snapshots images release

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(ROOT)/Makefile

run: $(ROOT)/.venv/.run ## run the mesh on this machine: http://127.0.0.1:8470/mcp
	@exec $(BIN)/trunkline run
demo: $(ROOT)/.venv/.run ## the same against stand-ins of GitHub, Basecamp and Jira: no account, no token
	@exec $(BIN)/trunkline run --demo
up: $(ROOT)/.venv/.run ## the mesh in containers; DEMO=1 against the stand-ins, OBSERVABILITY=1 with Grafana
	@exec $(BIN)/trunkline up $(if $(DEMO),--demo) $(if $(OBSERVABILITY),--observability)
down: $(ROOT)/.venv/.run ## end it; DEMO=1 ends the demo's, VOLUMES=1 deletes what Redis keeps
	@exec $(BIN)/trunkline down $(if $(DEMO),--demo) $(if $(VOLUMES),--volumes)

images: $(ROOT)/.venv/.run ## build the containers' images: SERVICES="comment issues" for some, PLATFORMS=linux/amd64,linux/arm64
	@cd $(ROOT) && exec $(BIN)/python -m release images --platforms=$(PLATFORMS) $(SERVICES)
release: $(ROOT)/.venv/.run ## make VERSION=1.2.3: changelog, commit, images, their contents in dist/, tag; it publishes nothing
	@cd $(ROOT) && exec $(BIN)/python -m release version $(VERSION)
check: $(ROOT)/.venv/.dev ## format, lint, types, layering, dependencies, spelling
	@cd $(ROOT) && $(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy \
	  && $(BIN)/lint-imports && $(BIN)/interrogate -q tests && $(BIN)/codespell && $(BIN)/yamllint . && $(BIN)/hadolint services/Dockerfile \
	  && for member in shared services/*/ cli; do (cd $$member && $(BIN)/deptry --no-ansi .) || exit 1; done
test: $(ROOT)/.venv/.dev ## every test that needs no container engine
	@cd $(ROOT) && exec $(BIN)/pytest -q -n $(WORKERS) --dist loadfile --ignore tests/system
system: images $(ROOT)/.venv/.dev ## end-to-end tests of the mesh in real containers, some minutes
	@cd $(ROOT) && exec $(BIN)/pytest -q tests/system
k8s: $(ROOT)/.venv/.dev ## render every overlay and component of k8s/, and hold them to the schemas and the design
	@cd $(ROOT) && exec $(BIN)/pytest -q tests/structure/test_k8s_*.py tests/interaction/test_kubernetes_secrets.py
soak: $(ROOT)/.venv/.dev ## the long proofs, some minutes; their pages go to docs/proofs
	@cd $(ROOT) && exec $(BIN)/python -m tests.soak --write
bench: $(ROOT)/.venv/.dev ## measure everything, a quarter of an hour; the page and its charts go to bench/results
	@cd $(ROOT) && exec $(BIN)/python -m bench
snapshots: $(ROOT)/.venv/.dev ## write the tools' schemas and README's pictures anew, to be reviewed as a diff
	@cd $(ROOT) && UPDATE_SNAPSHOTS=1 $(BIN)/pytest -q tests/interaction/test_tool_snapshots.py tests/structure/test_docs.py tests/structure/test_k8s_wiring.py tests/browser/test_pictures.py

$(ROOT)/.venv/.run $(ROOT)/.venv/.dev: $(LOCKED)
	@echo "trunkline: installing what uv.lock names$(if $(filter %.dev,$@), and the tools for development) into .venv ..."
	@$(SYNC) $(if $(filter %.run,$@),--no-dev --inexact) && $(BIN)/python -m compileall -q -j 0 $(addprefix $(ROOT)/,shared services cli) && touch $@ $(ROOT)/.venv/.run # compiled here on all cores, not at each start on one

# uv as found on PATH, else our own copy of it.
define SYNC
uv=$$(command -v uv || echo $(TOOLS)/bin/uv); \
[ -x "$$uv" ] || { echo "trunkline: installing uv into .tools ..."; \
  { python3 -m venv $(TOOLS) && $(TOOLS)/bin/python -m pip install -q --disable-pip-version-check uv; } \
  || { rm -rf $(TOOLS); echo "trunkline: uv could not be installed. Install uv (https://docs.astral.sh/uv), or Python's venv and pip (on Debian and Ubuntu: apt install python3-venv), and run make again." >&2; exit 1; }; }; \
env -u VIRTUAL_ENV UV_PROJECT_ENVIRONMENT=$(ROOT)/.venv "$$uv" sync --project $(ROOT) --frozen --quiet --compile-bytecode
endef
