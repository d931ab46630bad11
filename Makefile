# make demo   installs what is missing, builds, trains certified trees on the bundled data
# make test   builds and runs all tests, with and without sanitizers
# make fuzz   MINUTES=10 SEED=1: random cases against brute force and each other; what fails goes, shrunk, to build/*.case
# make build  build/release/treewright and nothing more
# make docs   docs/options.md from the option table
# make python builds the Python wheel and installs it into .venv
# make bench  the exact search beside its peers: same rows, equal optimum, CPU seconds and memory (DATA_DIR=..., BENCH="--depths 3")
# make bench-scaling  how the cost grows with rows and features, beside ConTree (TSV and plot in docs/results)
# make experiments  the papers' tables into docs/results (DATA_DIR=..., EXPERIMENTS="--processes 4", STUDIES=experiments/v23.toml)
# make experiments-smoke  the same on a few small jobs, into build/experiments
# make bench-blocks  speed of the building blocks (Google Benchmark)

# Real data sets for the tests that want them; those tests skip where the folder is absent.
export TREEWRIGHT_DATA_DIR ?= $(abspath $(wildcard ../shared/data/csv))

JOBS := $(shell nproc)

.PHONY: demo test fuzz build docs python bench bench-scaling experiments experiments-smoke bench-blocks setup format clean

demo: build
	@tools/demo build/release/treewright

build: setup
	@test -f build/release/build.ninja || cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target treewright_cli

test: setup
	@test -f build/release/build.ninja || cmake --preset release
	@cmake --build --preset release -j $(JOBS)
	@test -f build/asan/build.ninja || cmake --preset asan
	@cmake --build --preset asan -j $(JOBS)
	ctest --preset release -j $(JOBS)
	ctest --preset asan -j $(JOBS) -LE unsanitized
	@tools/python
	.venv/bin/python -m pytest -q
	@! test -d .venv-oldest || .venv-oldest/bin/python -m pytest -q

fuzz: build
	@cmake --build --preset release -j $(JOBS) --target treewright_fuzz
	build/release/tests/fuzz/treewright_fuzz --seed $(or $(SEED),1) --minutes $(or $(MINUTES),10) --jobs $(JOBS) --out build

python: setup
	@tools/python

docs: build
	build/release/treewright methods --markdown > docs/options.md

bench: setup
	@tools/python bench
	.venv-bench/bin/python bench/peers.py --data-dir $(or $(DATA_DIR),$(TREEWRIGHT_DATA_DIR),data) $(BENCH)

bench-scaling: build
	@tools/python bench
	.venv-bench/bin/python bench/scaling.py --out docs/results/scaling

STUDIES ?= $(sort $(wildcard experiments/*.toml))
RUN_EXPERIMENTS = .venv-experiments/bin/python experiments/run.py $(STUDIES) --data-dir $(or $(DATA_DIR),$(TREEWRIGHT_DATA_DIR),data)

experiments: build
	@tools/python experiments
	$(RUN_EXPERIMENTS) --out docs/results $(EXPERIMENTS)

experiments-smoke: build
	@tools/python experiments
	$(RUN_EXPERIMENTS) --smoke --out build/experiments $(EXPERIMENTS)

bench-blocks: setup
	@test -f build/release/build.ninja || cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target treewright_bench
	build/release/bench/treewright_bench

setup:
	@tools/setup

format:
	clang-format -i $$(git ls-files '*.h' '*.cpp')

clean:
	rm -rf build .venv .venv-oldest .venv-bench .venv-experiments .venv-highs
