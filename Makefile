# Everything that one does with this project. `make` alone lists it.
#
# It needs Go, Node (with npm) and make. What else a target needs it fetches itself, in versions that go.mod, the go.mod and package-lock.json
# of the benchmarks, web/package-lock.json and this file pin; Chromium, which browser tests and page figures need, comes from the system's packages.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

PORT ?= 8080
# The Chromium to use; by default the first of these names on the PATH, or where Debian puts it.
CHROMIUM ?= $(or $(firstword $(foreach name,chromium chromium-browser google-chrome google-chrome-stable,$(shell command -v $(name)))),/usr/bin/chromium)

STATICCHECK_VERSION := v0.8.2
STATICCHECK := bin/tools/staticcheck-$(STATICCHECK_VERSION)

# What a build reads: files, and folders too, so that a file that goes away is noticed.
GO_ROOMS := $(wildcard eventlog exercises grader sqlstore)
GO_READS := go.mod go.sum $(shell find $(GO_ROOMS) -name bench -prune -o -name testdata -prune -o \
	\( -type d -o -type f ! -name '*_test.go' ! -name '*.md' ! -name '*.wasm' \) -print)
WASM_READS := $(filter-out grader/cmd% grader/jsrun% grader/format% sqlstore% eventlog/agent% %.js,$(GO_READS)) $(shell find wasm -type d -o -type f ! -name '*_test.go')
PAGE_READS := $(shell find web/src web/tools -type d -o -type f ! -name '*.test.ts') web/index.html web/build.mjs web/package-lock.json \
	$(wildcard exercises/*/lesson.*.md exercises/*/starter.* exercises/*/solution.*) grader/jsrun/harness.js

# timed NAME,COMMAND: runs it and says how long it took.
timed = @printf '\n== %s\n' '$(1)'; SECONDS=0; if $(2); then printf '== %s: done in %d s\n' '$(1)' $$SECONDS; \
	else printf '== %s: FAILED after %d s\n' '$(1)' $$SECONDS; exit 1; fi

# in-benches COMMAND: runs it in each of the benchmarks that are modules of their own. What the tag rivals adds to sqlstore/bench takes a minute
# to compile; that is checked when it is built, by make bench.
in-benches = (cd eventlog/bench && $(1)) && (cd sqlstore/bench && $(1))

.PHONY: help
help: ## list the targets
	@echo "make TARGET   (make run serves the page on http://localhost:8080; PORT= and CHROMIUM= override)"; echo
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F '\t' '{ printf "  %-12s %s\n", $$1, $$2 }'

# --- to use it ---------------------------------------------------------------------------------------------------------

.PHONY: run build
run: build ## build what is missing and serve the page; PORT=8080
	@PORT='$(PORT)' exec node web/serve.mjs

build: bin/grader bin/eventlog web/dist/index.html ## the commands bin/grader and bin/eventlog, and the page web/dist

bin/grader: $(GO_READS) grader/jsrun/engine/quickjs.wasm | need-go
	go build -trimpath -buildvcs=false -o $@ ./grader/cmd/grader

bin/eventlog: $(GO_READS) | need-go
	go build -trimpath -buildvcs=false -o $@ ./sqlstore/cmd/eventlog

# The page's grader may come out as it was, and the page then stays as it is.
web/build/grader.wasm: web/build/grader.stamp ;
web/build/grader.stamp: $(WASM_READS) | need-go
	GOFLAGS="$$(go env GOFLAGS) -buildvcs=false" bash wasm/grader/build.sh web/build/grader.new.wasm
	@if cmp -s web/build/grader.new.wasm web/build/grader.wasm; then rm web/build/grader.new.wasm; \
	else mv web/build/grader.new.wasm web/build/grader.wasm; fi
	@touch $@

web/dist/index.html: $(PAGE_READS) web/build/grader.wasm web/node_modules/.stamp | need-go need-node
	node web/build.mjs

# The sandbox's engine travels with the page's packages, so that page and command have the very same one.
grader/jsrun/engine/quickjs.wasm: web/node_modules/.stamp
	cp web/node_modules/quickjs-wasi/quickjs.wasm $@

web/node_modules/.stamp: web/package.json web/package-lock.json | need-node
	cd web && npm ci --no-audit --no-fund || { echo 'make: npm could not install what web/package-lock.json names; is the network there?' >&2; exit 1; }
	@touch $@

# --- to change it ------------------------------------------------------------------------------------------------------

.PHONY: test test-go test-verify test-web test-browser
test: test-web test-go test-verify test-browser ## every test: TypeScript, Go with -race, the exercises' own proof, the page in Chromium

test-go: grader/jsrun/engine/quickjs.wasm | need-go need-cc ## Go's tests with the race detector
	$(call timed,Go tests with -race,go test -race -timeout 20m ./... && $(call in-benches,go test -race ./...))

test-verify: bin/grader ## hold every exercise against its starter, solutions and mutants
	$(call timed,grader verify,bin/grader verify)

test-web: web/node_modules/.stamp | need-node ## the TypeScript unit tests
	$(call timed,TypeScript unit tests,node web/tools/tests.mjs unit)

test-browser: web/dist/index.html bin/grader bin/eventlog | need-chromium ## the page's tests in headless Chromium
	$(call timed,browser tests,CHROMIUM='$(CHROMIUM)' node web/tools/tests.mjs e2e --test-timeout=1200000)

# What takes minutes: more rounds, every cut and every fault of the tests that make test runs a sample of, and fuzzing, for which SOAK_FUZZ is the time of a target.
SOAK_FUZZ ?= 40s
SOAK_TEST = go test -timeout 60m -v ./sqlstore -run
.PHONY: soak soak-kill soak-power soak-faults soak-fuzz
soak: soak-kill soak-power soak-faults soak-fuzz ## the long tests of the SQLite store: kill -9, power cuts, failing disks, fuzzing

soak-kill: | need-go
	$(call timed,kill -9: 100 rounds,FORGETMENOT_CRASH_ROUNDS=100 $(SOAK_TEST) '^TestKill$$' | grep --line-buffered -v '^=== ')

soak-power: | need-go
	$(call timed,power cuts after every operation,FORGETMENOT_POWER_SEEDS=2 $(SOAK_TEST) '^TestPowerCut' | grep --line-buffered -v '^=== ')

soak-faults: | need-go
	$(call timed,a fault at every operation,FORGETMENOT_FAULT_SEEDS=2 $(SOAK_TEST) '^TestAnyFault$$' | grep --line-buffered -v '^=== ')

soak-fuzz: | need-go
	$(call timed,fuzzing,for target in Import DamagedFile DamagedLog FoundFiles Restore; do \
	go test -run '^$$' -fuzz "^Fuzz$$target$$" -fuzztime $(SOAK_FUZZ) -fuzzminimizetime 10x ./sqlstore | sed -u "s/^/Fuzz$$target: /" || exit 1; done)

.PHONY: check check-format check-modules check-vet check-staticcheck check-architecture check-types check-generated
check: check-format check-modules check-vet check-staticcheck check-architecture check-types check-generated ## formatting, vet, staticcheck, types, forbidden imports, generated text

check-format: | need-go
	$(call timed,gofmt,unformatted=$$(gofmt -l $(GO_ROOMS) wasm) && { [ -z "$$unformatted" ] || { printf 'Not formatted; run make fmt:\n%s\n' "$$unformatted"; false; }; })

check-modules: | need-go
	$(call timed,go.mod is tidy,go mod tidy -diff && $(call in-benches,go mod tidy -diff))

check-vet: grader/jsrun/engine/quickjs.wasm | need-go
	$(call timed,go vet,go vet ./... && $(call in-benches,go vet ./...) && GOOS=js GOARCH=wasm go vet ./wasm/...)

check-staticcheck: grader/jsrun/engine/quickjs.wasm $(STATICCHECK) | need-go
	$(call timed,staticcheck,$(STATICCHECK) ./... && $(call in-benches,$(abspath $(STATICCHECK)) ./...) && GOOS=js GOARCH=wasm $(STATICCHECK) ./wasm/...)

check-architecture: | need-go
	$(call timed,architecture,go test -run '^TestArchitecture' ./grader)

check-types: web/node_modules/.stamp | need-node
	$(call timed,tsc,cd web && node_modules/.bin/tsc && node_modules/.bin/tsc -p tsconfig.service.json)

check-generated: bin/grader bin/eventlog | need-node
	$(call timed,generated text is up to date,node .ci/generate.mjs --check)

.PHONY: fmt generate screenshot bench clean
fmt: | need-go ## format the Go code
	gofmt -w $(GO_ROOMS) wasm

generate: bin/grader bin/eventlog | need-node ## write again what README.md takes from the program
	node .ci/generate.mjs

screenshot: web/dist/index.html | need-chromium need-fonts ## make the README's picture, web/screenshot.png
	CHROMIUM='$(CHROMIUM)' node web/bench/screenshot.mjs

# A missed target is printed and is no failure; a benchmark that does not work is.
bench: bin/grader bin/bench/eventlog bin/bench/grader bin/bench/sqlstore bin/bench/sqlstore-c bin/bench/sqlstore-node/.stamp web/dist/index.html | need-chromium ## measure the log, the store, the page and the command against their targets
	@bin/bench/eventlog || [ $$? -eq 1 ]
	@bin/bench/sqlstore || [ $$? -eq 1 ]
	@CHROMIUM='$(CHROMIUM)' node web/bench/page.mjs
	@bin/bench/grader

bin/bench/eventlog: $(GO_READS) $(wildcard eventlog/bench/*) | need-go
	go -C eventlog/bench build -trimpath -buildvcs=false -o ../../$@ .

# Its vet and its tests come here because what they need is compiled here.
bin/bench/sqlstore: $(GO_READS) $(wildcard sqlstore/bench/*.go sqlstore/bench/go.*) | need-go need-cc
	cd sqlstore/bench && go vet -tags rivals ./... && go test -tags rivals ./...
	go -C sqlstore/bench build -tags rivals -trimpath -buildvcs=false -o ../../$@ .

# SQLite in C, from the file that mattn/go-sqlite3 brings, with the options that it is compiled with there; and with fdatasync, which SQLite's own
# configure script finds and the store's driver uses.
SQLITE_FLAGS := -O2 -std=gnu99 -w -DSQLITE_THREADSAFE=1 -DHAVE_USLEEP=1 -DHAVE_FDATASYNC=1 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_FTS3 \
	-DSQLITE_ENABLE_FTS3_PARENTHESIS -DSQLITE_TRACE_SIZE_LIMIT=15 -DSQLITE_OMIT_DEPRECATED -DSQLITE_ENABLE_UPDATE_DELETE_LIMIT

SQLITE_DIR = $$(go -C sqlstore/bench list -m -f '{{.Dir}}' github.com/mattn/go-sqlite3)

bin/bench/sqlstore-c: sqlstore/bench/c/subject.c bin/bench/sqlite3.o | need-go need-cc
	$$(go env CC) $(SQLITE_FLAGS) -I "$(SQLITE_DIR)" -o $@ $^ -lm -ldl -lpthread

bin/bench/sqlite3.o: sqlstore/bench/go.mod | need-go need-cc
	@mkdir -p $(@D)
	go -C sqlstore/bench mod download github.com/mattn/go-sqlite3
	$$(go env CC) $(SQLITE_FLAGS) -c -o $@ "$(SQLITE_DIR)/sqlite3-binding.c"

# better-sqlite3 is compiled here, against the headers that lie beside Node when there are any, else against those that node-gyp fetches. Where that fails it
# is not measured, and the benchmark says why.
bin/bench/sqlstore-node/.stamp: $(wildcard sqlstore/bench/node/*) | need-node
	@mkdir -p $(@D)
	cp $^ $(@D)
	@prefix="$$(node -p 'path.dirname(path.dirname(process.execPath))')"; if [ -e "$$prefix/include/node/node.h" ]; then export npm_config_nodedir="$$prefix"; fi; \
	cd $(@D) && npm_config_build_from_source=true npm ci --no-audit --no-fund || echo 'make: better-sqlite3 could not be built here; make bench goes without it' >&2
	@touch $@

bin/bench/grader: $(GO_READS) $(wildcard grader/bench/*) grader/jsrun/engine/quickjs.wasm | need-go
	go build -trimpath -buildvcs=false -o $@ ./grader/bench

clean: ## remove what was built and fetched into this folder
	rm -rf bin web/dist web/build web/node_modules grader/jsrun/engine/quickjs.wasm

# --- what has to be there ----------------------------------------------------------------------------------------------

$(STATICCHECK): | need-go
	@mkdir -p $(@D)
	GOBIN='$(abspath $(@D))' go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)
	@mv $(@D)/staticcheck $@

.PHONY: need-go need-node need-cc need-chromium need-fonts
need-go:
	@command -v go >/dev/null || { echo 'make: Go is missing. Install Go 1.26 or newer: https://go.dev/doc/install' >&2; exit 1; }

need-node:
	@command -v node >/dev/null && command -v npm >/dev/null || { echo 'make: Node or npm is missing. Install Node 20.15 or newer with npm: https://nodejs.org/' >&2; exit 1; }
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || a == 20 && b >= 15 ? 0 : 1)' || { echo "make: Node $$(node -v) is too old; install Node 20.15 or newer: https://nodejs.org/" >&2; exit 1; }

need-cc:
	@command -v $$(go env CC | awk '{ print $$1 }') >/dev/null || { echo 'make: go test -race and make bench need a C compiler. Install one: apt-get install gcc libc6-dev' >&2; exit 1; }

# apt PACKAGES: installs them when this user may; else it fails.
apt = if [ "$$(id -u)" -eq 0 ]; then sudo=; elif sudo -n true 2>/dev/null; then sudo='sudo -n'; else exit 1; fi; \
	command -v apt-get >/dev/null || exit 1; export DEBIAN_FRONTEND=noninteractive; echo 'Installing $(1)'; \
	$$sudo apt-get update -qq && $$sudo apt-get install -qq -y --no-install-recommends $(1) >/dev/null

need-chromium:
	@'$(CHROMIUM)' --version >/dev/null 2>&1 || ( $(call apt,chromium fonts-liberation) ) || true
	@'$(CHROMIUM)' --version >/dev/null 2>&1 || { echo 'make: there is no Chromium that starts at $(CHROMIUM), and it could not be installed here.' >&2; \
	echo 'Debian: apt-get install chromium fonts-liberation. Ubuntu: snap install chromium, or install Google Chrome.' >&2; \
	echo 'Elsewhere, name the program: make CHROMIUM=/path/to/chromium TARGET' >&2; exit 1; }

# The page names its other language in that language, so a picture of it needs letters for both.
need-fonts:
	@[ -n "$$(fc-list :lang=zh 2>/dev/null)" ] || ( $(call apt,fontconfig fonts-noto-cjk) ) || { \
	echo 'make: a picture of the page needs a font with Chinese letters. Install one: apt-get install fonts-noto-cjk' >&2; exit 1; }
