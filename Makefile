# make demo   installs what is missing, builds, trains certified trees on the bundled data
# make test   builds release and runs all tests, those of the Python package too
# make test-all   make lint, test, wheel and site; all tests under sanitizers; the oldest scikit-learn with a wheel compiled from the source distribution
# make test-tsan  for the night: search, margins and tuning under the thread sanitizer
# make lint   formatting, Python checks and types, workflows and recipes: fails on any difference
# make format formats C++ and Python
# make fuzz   MINUTES=10 SEED=1: random cases against brute force and each other; what fails goes, shrunk, to build/*.case
# make verified  builds treewright-verify, whose soundness Coq proves, and tests it on honest and forged proofs
# make audit  MINUTES=10 SEED=1: the same in a build whose search checks each of its claims on few items
# make r      for the night: makes the source package of R, checks it as CRAN does, and runs its example
# make forge  MINUTES=10 SEED=1: an adversary's proofs, trees and headers for all checkers of proofs, and honest ones
# make mutants COUNT=100 SEED=1: plants small defects in the search and in the checker of proofs, and counts those that the tests notice
# make faults COUNT=1000 SEED=1 (or MINUTES=10): signals, full disks, little memory and the like, at random, for every command that writes
# make soak   10,000 fits in one process from four threads, in C++ and in Python: memory, descriptors, results
# make build  build/release/treewright and nothing more
# make docs   docs/options.md and the Python estimators, from the tables of methods and options
# make site   the documentation site in build/site: pages, tutorial, reference, executed gallery; warnings are errors
# make wheel  a wheel for any recent Linux in build/dist, tested in an environment without compilers
# make wheels  wheels for Linux (glibc on x86-64 and ARM, musl), macOS and Windows in build/wheels/dist, cross-compiled; those that run here are installed in bare systems and tested
# make web    build/web/treewright.html: a page that trains with proof in a browser, and its tests
# make binaries  the same without the tests: build/wheels/binaries has the command alone, for each of these systems
# make python builds the Python wheel and installs it into .venv
# make bench  the exact search beside its peers: same rows, equal optimum, CPU seconds and memory (DATA_DIR=..., BENCH="--binary --depths 3 4")
# make bench-anytime  the trees of searches that are stopped after 0.1 to 60 CPU seconds, beside its peers (TSV, page and plots in docs/results)
# make bench-scaling  how the cost grows with rows and features, beside ConTree (TSV and plot in docs/results)
# make experiments  the papers' tables into docs/results (DATA_DIR=..., EXPERIMENTS="--processes 4", STUDIES=experiments/v23.toml)
# make recheck   COUNT=100 SEED=1 AT_MOST=5: stored jobs of experiments/jobs, picked by the seed, run again and compared
# make experiments-smoke  the same on a few small jobs, into build/experiments
# make bench-blocks  speed of the building blocks (Google Benchmark)

# Real data sets for the tests that want them; those tests skip where the folder is absent.
export TREEWRIGHT_DATA_DIR ?= $(abspath $(wildcard ../shared/data/csv))

JOBS := $(shell nproc)
CXX_FILES = git ls-files '*.h' '*.cpp'

# $(call built,PRESET,TARGET...): configures on first use and when the presets change, then builds.
built = test build/$(1)/build.ninja -nt CMakePresets.json || cmake --preset $(1); cmake --build --preset $(1) -j $(JOBS) --target $(2)

# $(call pytest,ENVIRONMENT): the tests of the Python package, a process for each core.
pytest = $(1)/bin/python -m pytest -q -n auto --maxprocesses 8
# These are of the command, the pages and the checkers of proofs, and know no scikit-learn.
WITHOUT_SKLEARN = browser browser_numbers check_proof check_proof_numbers docs experiments figures first_hour forge forge_trees fuzz mutants raw_files sdist web

.PHONY: demo verified r forge test fuzz faults soak test-all test-tsan lint format build docs site wheel wheels web binaries python bench bench-anytime bench-scaling experiments recheck experiments-smoke bench-blocks setup setup-test setup-wheels setup-web setup-checks setup-docs setup-verified setup-r clean

demo: build
	@tools/demo build/release/treewright

build: setup
	@$(call built,release,treewright_cli)

test: setup-test
	@$(call built,release,all)
	ctest --preset release -j $(JOBS)
	@tools/python
	$(call pytest,.venv)

test-all: lint test wheel site
	@$(call built,release,treewright_bench)
	@$(call built,asan,treewright_tests treewright_c_test treewright_cli)
	ctest --preset asan -j $(JOBS) -LE unsanitized
	@tools/python oldest
	@! test -d .venv-oldest || $(call pytest,.venv-oldest) $(WITHOUT_SKLEARN:%=--ignore tests/python/test_%.py)

# What runs threads: the exact search, MARGOT's search, tuning, and the thread pool below them. One job: each test has threads of its own.
TSAN_TESTS = *Pool*:*Tasks*:*Search*:Exact*:StumpKernel*:Intervals*:PrimalHeuristic*:*Margin*:Margot*:Tune*:ComplexityPath*:ValidationCurve*:Proof*:Checkpoint*:*Ledger*
test-tsan: setup-checks
	@$(call built,tsan,treewright_tests)
	TSAN_OPTIONS=suppressions=tests/tsan.supp build/tsan/tests/treewright_tests --gtest_brief=1 --gtest_filter='$(TSAN_TESTS):-*eavy*'

lint: setup-checks
	$(CXX_FILES) | xargs .venv-checks/bin/clang-format --dry-run --Werror
	.venv-checks/bin/ruff check .
	.venv-checks/bin/ruff format --check .
	@tools/python
	.venv-checks/bin/mypy
	.venv-checks/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	.venv-checks/bin/zizmor --offline --quiet .github/workflows
	VALIDATE_PYPROJECT_NO_NETWORK=1 .venv-checks/bin/validate-pyproject pyproject.toml
	.venv-checks/bin/python tests/python/check_packaging.py

format: setup-checks
	$(CXX_FILES) | xargs .venv-checks/bin/clang-format -i
	.venv-checks/bin/ruff check --fix-only --quiet .
	.venv-checks/bin/ruff format .

fuzz: setup
	@$(call built,release,treewright_fuzz)
	build/release/tests/fuzz/treewright_fuzz --seed $(or $(SEED),1) --minutes $(or $(MINUTES),10) --jobs $(JOBS) --out build

verified: build setup-verified
	@$(MAKE) --no-print-directory -C verified check

r: setup-r
	@JOBS=$(JOBS) r/tools/check

forge: setup setup-verified
	@$(call built,release,treewright_cli treewright_proof_files)
	@tools/python
	@$(MAKE) --no-print-directory -C verified
	.venv/bin/python tests/python/forge_run.py --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1) --jobs $(JOBS)

audit: setup
	@$(call built,audit,treewright_fuzz)
	build/audit/tests/fuzz/treewright_fuzz --seed $(or $(SEED),1) --minutes $(or $(MINUTES),10) --jobs $(JOBS) --method oct --out build

mutants: setup
	python3 tests/mutants/mutants.py --count $(or $(COUNT),100) --seed $(or $(SEED),1)

faults: build
	python3 tests/faults/faults.py --seed $(or $(SEED),1) $(if $(MINUTES),--minutes $(MINUTES),--count $(or $(COUNT),1000))

soak: setup
	@$(call built,release,treewright_soak)
	build/release/tests/soak/treewright_soak --fits 10000 --threads 4
	@tools/python
	.venv/bin/python tests/soak/soak.py --fits 10000 --threads 4

python: setup
	@tools/python

docs: build
	build/release/treewright methods --markdown > docs/options.md
	@tools/python
	.venv/bin/python tools/estimators.py
	.venv/bin/python tools/doc_blocks.py --update README.md docs/*.md
	.venv/bin/python tools/figures.py --update README.md docs/*.md

site: setup-docs
	@tools/python docs
	.venv-docs/bin/python -m sphinx -q -W --keep-going -d build/site-cache docs build/site

wheel: setup
	@tools/wheel

# Not in test-all: downloads compilers, and compiles everything once for each target.
wheels: build setup-wheels
	@tools/wheels $(TARGETS)
	@tools/root bookworm bullseye arm64 musl
	python3 tests/python/check_wheels.py build/wheels/dist build/release/treewright

binaries: setup-wheels
	@tools/wheels $(TARGETS)

web: build setup-web setup-test
	@JOBS=$(JOBS) tools/web
	node --no-experimental-fetch web/test.js build/release/treewright
	@tools/python
	.venv/bin/python -m pytest -q tests/python/test_web.py

bench: setup
	@tools/python bench
	.venv-bench/bin/python bench/peers.py --data-dir $(or $(DATA_DIR),$(TREEWRIGHT_DATA_DIR),data) $(BENCH)

bench-anytime: setup
	@tools/python bench
	.venv-bench/bin/python bench/anytime.py --data-dir $(or $(DATA_DIR),$(TREEWRIGHT_DATA_DIR),data) --out docs/results/anytime $(BENCH)

bench-scaling: build
	@tools/python bench
	.venv-bench/bin/python bench/scaling.py --out docs/results/scaling

STUDIES ?= $(sort $(wildcard experiments/*.toml))
RUN_EXPERIMENTS = .venv-experiments/bin/python experiments/run.py $(STUDIES) --data-dir $(or $(DATA_DIR),$(TREEWRIGHT_DATA_DIR),data)

experiments: setup-test build
	@tools/python experiments
	$(RUN_EXPERIMENTS) --out docs/results --jobs experiments/jobs $(EXPERIMENTS)

recheck: setup-test build
	@tools/python experiments
	$(RUN_EXPERIMENTS) --out docs/results --jobs experiments/jobs --recheck $(or $(COUNT),100) --seed $(or $(SEED),1) --at-most $(or $(AT_MOST),5)

experiments-smoke: setup-test build
	@tools/python experiments
	$(RUN_EXPERIMENTS) --smoke --out build/experiments $(EXPERIMENTS)

bench-blocks: setup
	@$(call built,release,treewright_bench)
	build/release/bench/treewright_bench

setup:
	@tools/setup

setup-test:
	@tools/setup test

setup-checks:
	@tools/setup checks

setup-wheels:
	@tools/setup wheels

setup-web:
	@tools/setup web

setup-docs:
	@tools/setup docs

setup-verified:
	@tools/setup verified

setup-r:
	@tools/setup r

clean:
	rm -rf build .venv .venv-oldest .venv-bench .venv-experiments .venv-checks .venv-docs .venv-highs .venv-wheel .venv-wheels
