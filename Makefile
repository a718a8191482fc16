.PHONY: test
test:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets
	cargo test --workspace

.PHONY: bench
bench:
	cargo run --release -p verst-bench
	cargo run --release -p verst-server --example load

.PHONY: maps
maps:
	cargo run -p verst-draft -- maps

.PHONY: pictures
pictures:
	cargo run -p verst-draft --features pictures -- pictures

# The long tests; their last figures are in docs/.
.PHONY: soak
soak:
	VERST_KILLS=100 cargo test -p verst --test serve_kill -- --nocapture
