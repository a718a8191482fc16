.PHONY: test
test:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets
	cargo test --workspace

.PHONY: bench
bench:
	cargo run --release -p verst-bench

.PHONY: maps
maps:
	cargo run -p verst-draft -- maps

.PHONY: pictures
pictures:
	cargo run -p verst-draft --features pictures -- pictures
