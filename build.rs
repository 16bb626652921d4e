//! Copies the `grammar.json` of every linked grammar crate next to the build, so that the grammar model always matches the parser.
//!
//! The crates are found by asking cargo where the locked packages lie. Only what the model needs is kept: rules, inlined rules,
//! supertypes and externals.

use serde_json::{Map, Value};
use std::{env, error::Error, fs, path::Path, path::PathBuf, process::Command};

/// Language name, package, path of the grammar inside the package.
const GRAMMARS: &[(&str, &str, &str)] = &[
    ("c", "tree-sitter-c", "src/grammar.json"),
    ("cpp", "tree-sitter-cpp", "src/grammar.json"),
    ("css", "tree-sitter-css", "src/grammar.json"),
    ("go", "tree-sitter-go", "src/grammar.json"),
    ("java", "tree-sitter-java", "src/grammar.json"),
    ("javascript", "tree-sitter-javascript", "src/grammar.json"),
    ("json", "tree-sitter-json", "src/grammar.json"),
    ("python", "tree-sitter-python", "src/grammar.json"),
    ("rust", "tree-sitter-rust", "src/grammar.json"),
    ("tsx", "tree-sitter-typescript", "tsx/src/grammar.json"),
    (
        "typescript",
        "tree-sitter-typescript",
        "typescript/src/grammar.json",
    ),
    ("xml", "tree-sitter-xml", "xml/src/grammar.json"),
];

/// The same for the languages that are linked where the feature `lang-NAME` is on.
const OPTIONAL_GRAMMARS: &[(&str, &str, &str)] = &[
    ("bash", "tree-sitter-bash", "src/grammar.json"),
    ("csharp", "tree-sitter-c-sharp", "src/grammar.json"),
    ("glsl", "tree-sitter-glsl", "src/grammar.json"),
    ("haskell", "tree-sitter-haskell", "src/grammar.json"),
    ("html", "tree-sitter-html", "src/grammar.json"),
    ("kotlin", "tree-sitter-kotlin-ng", "src/grammar.json"),
    ("llvm", "tree-sitter-llvm", "src/grammar.json"),
    ("lua", "tree-sitter-lua", "src/grammar.json"),
    (
        "markdown",
        "tree-sitter-md",
        "tree-sitter-markdown/src/grammar.json",
    ),
    (
        "ocaml",
        "tree-sitter-ocaml",
        "grammars/ocaml/src/grammar.json",
    ),
    ("php", "tree-sitter-php", "php/src/grammar.json"),
    ("ruby", "tree-sitter-ruby", "src/grammar.json"),
    ("scala", "tree-sitter-scala", "src/grammar.json"),
    ("scheme", "tree-sitter-scheme", "src/grammar.json"),
    ("solidity", "tree-sitter-solidity", "src/grammar.json"),
    ("sql", "tree-sitter-sequel", "src/grammar.json"),
    ("swift", "tree-sitter-swift", "src/grammar.json"),
    ("toml", "tree-sitter-toml-ng", "src/grammar.json"),
    ("yaml", "tree-sitter-yaml", "src/grammar.json"),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=Cargo.lock");
    let packages = locked_packages()?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let optional = OPTIONAL_GRAMMARS.iter();
    let optional = optional.filter(|(language, ..)| has_feature(language));
    for (language, package, path) in GRAMMARS.iter().chain(optional) {
        let folder = packages
            .iter()
            .find(|(name, _)| name == package)
            .map(|(_, folder)| folder)
            .ok_or_else(|| format!("cargo metadata does not list the package {package}"))?;
        fs::write(
            out.join(format!("{language}.json")),
            model_part(&folder.join(path))?,
        )?;
    }
    Ok(())
}

/// Whether the feature of a language is on.
fn has_feature(language: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_LANG_{}", language.to_uppercase())).is_some()
}

/// Name and folder of every package that the lock file names. Without the network first: what a build needs is there already,
/// but cargo also wants to know the packages of the tests, which `cargo install` has not fetched.
fn locked_packages() -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
    let metadata = metadata(&["--offline"]).or_else(|_| metadata(&[]))?;
    let packages = metadata["packages"]
        .as_array()
        .ok_or("cargo metadata has no packages")?;
    Ok(packages
        .iter()
        .filter_map(|package| {
            let folder = Path::new(package["manifest_path"].as_str()?)
                .parent()?
                .to_owned();
            Some((package["name"].as_str()?.to_owned(), folder))
        })
        .collect())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the build has no oracle; it asks cargo"
)]
fn metadata(network: &[&str]) -> Result<Value, Box<dyn Error>> {
    let languages = OPTIONAL_GRAMMARS.iter();
    let features: Vec<String> = languages
        .filter(|(language, ..)| has_feature(language))
        .map(|(language, ..)| format!("lang-{language}"))
        .collect();
    let output = Command::new(env::var("CARGO")?)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--filter-platform",
            &env::var("TARGET")?,
            "--no-default-features",
            "--features",
            &features.join(","),
            "--manifest-path",
        ])
        .arg(Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("Cargo.toml"))
        .args(network)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The keys of a grammar that the model reads, as compact JSON.
fn model_part(path: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut grammar: Map<String, Value> = serde_json::from_slice(&text)?;
    grammar.retain(|key, _| {
        matches!(
            key.as_str(),
            "name" | "rules" | "inline" | "supertypes" | "externals"
        )
    });
    Ok(serde_json::to_vec(&grammar)?)
}
