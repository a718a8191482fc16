.PHONY: test
test:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets
	cargo test --workspace
