# `make play` and `make test` are all one needs; the rest is for what is slow.

.PHONY: play test check-tools fuzz bench maps pictures page web page-test

# Tools that may be missing, each with the one line that says what to do.
check-tools:
	@command -v cargo >/dev/null 2>&1 || { echo "verst: install Rust from https://rustup.rs (cargo is missing)"; exit 1; }
	@command -v cc >/dev/null 2>&1 || { echo "verst: install a C compiler: sudo apt install build-essential"; exit 1; }

# The profile `play` builds faster than `release` and runs nearly as fast.
VERST = target/play/verst

# Builds what is missing and starts: the page when there is one and Node to build it, else the terminal.
play: check-tools
	@if [ -f web/package.json ] && ! command -v npm >/dev/null 2>&1; then \
		echo "verst: install Node 20 or later for the page (sudo apt install nodejs npm); playing in the terminal"; fi
	@if [ -f web/package.json ] && command -v npm >/dev/null 2>&1; then $(MAKE) --no-print-directory page; fi
	cargo build --profile play -p verst
	@if $(VERST) serve --help >/dev/null 2>&1 && [ -f web/dist/index.html ]; then $(VERST) serve; else $(VERST) play drill; fi

# Every check, as CI runs it. Its property tests draw the same thousand cases each time, so that a failure is the
# change's own; `make fuzz` looks on with fresh ones.
test: export PROPTEST_RNG_SEED = 41
test: export PROPTEST_CASES = 1000
test: check-tools
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
	@if command -v cargo-deny >/dev/null 2>&1; then cargo deny check bans licenses sources; fi
	@if command -v cargo-nextest >/dev/null 2>&1; then cargo nextest run --workspace --locked; \
		else cargo test --workspace --lib --bins --tests --locked; fi
	cargo test --workspace --doc --locked
	cargo build --locked -p verst
	@for s in crates/games/*/situations; do [ -n "$$(ls $$s 2>/dev/null)" ] || continue; \
		echo "verst check $$s"; target/debug/verst check $$s || exit 1; done
	target/debug/verst ledger
	@for j in crates/games/*/games/*.verst; do [ -f $$j ] || continue; target/debug/verst verify $$j || exit 1; done
	target/debug/verst fuzz drill --decisions 20000
	@if [ -f web/package.json ]; then $(MAKE) --no-print-directory page-test; fi

# The page, built into web/dist, from where the server embeds it.
page: web/node_modules
	cd web && npm run build

web: page

# The page by itself, then in a real Chromium against the real binary.
page-test: web/node_modules
	@command -v chromium >/dev/null 2>&1 || { apt-get install -y chromium >/dev/null 2>&1 || sudo -n apt-get install -y chromium >/dev/null 2>&1; } \
		|| { echo "verst: install Chromium for the tests of the page: sudo apt install chromium"; exit 1; }
	cd web && npm run check && npm test && npm run build
	cargo build --locked -p verst
	cd web && npm run e2e

# Not `npm ci`: npm leaves other platforms' optional packages out of the lock file, and then refuses it.
web/node_modules: web/package.json web/package-lock.json
	@command -v npm >/dev/null 2>&1 || { echo "verst: install Node 20 or later for the page: sudo apt install nodejs npm"; exit 1; }
	cd web && npm install --no-audit --no-fund
	@touch web/node_modules

# Ten million random decisions of the drill under the oracles; other games: make fuzz GAME=pm DECISIONS=100000
GAME ?= drill
DECISIONS ?= 10000000
fuzz: check-tools
	cargo build --release -p verst
	target/release/verst fuzz $(GAME) --decisions $(DECISIONS)
	PROPTEST_CASES=20000 cargo test -p verst-hex -p verst-game --lib --tests

# OpenSpiel is a peer in the table of random decisions; without Python or PyPI its row is left out.
target/openspiel/bin/python:
	-python3 -m venv target/openspiel && target/openspiel/bin/pip install -q open_spiel==2.0.2

bench: check-tools target/openspiel/bin/python
	cargo build --release -p verst
	cargo run --release -p verst-bench
	ulimit -n 8192; cargo run --release -p verst-server --example load -- --out target/bench/summary.tsv
	@if [ -f web/package.json ] && command -v npm >/dev/null 2>&1 && command -v chromium >/dev/null 2>&1; then \
		$(MAKE) --no-print-directory page && cargo build --release -p verst && cd web && VERST=../target/release/verst npm run speed; \
		else echo "verst: the page is not measured: it needs Node and Chromium"; fi

# A hundred thousand battles for each situation of the tests, beside what was foretold of them; docs/players.md has the last figures.
.PHONY: odds
BATTLES ?= 100000
odds: check-tools
	@VERST_BATTLES=$(BATTLES) cargo test --workspace --test odds -- --nocapture > target/odds.txt 2>&1 || { cat target/odds.txt; exit 1; }
	@grep -oE "(drill|pm|s42): .*" target/odds.txt

maps:
	cargo run -p verst-draft -- maps

pictures:
	cargo run -p verst-draft --features pictures -- pictures

# The long tests; their last figures are in docs/.
.PHONY: soak
soak:
	VERST_KILLS=100 cargo test -p verst --test serve_kill -- --nocapture
	VERST_WHOLE=1 cargo test -p verst-server --test server secrets -- --nocapture
