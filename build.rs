//! Finds the languages: every folder of `grammars/` that holds a `language.toml`.
//!
//! For each whose parser is among the packages of this build, its `grammar.json` is copied next to the build, so that the grammar
//! model always matches the parser, and an entry is written into the list of built-in languages. The packages are found by
//! asking cargo where the locked ones lie. Of a grammar only what the model needs is kept: rules, inlined rules, supertypes and
//! externals.

use serde_json::{Map, Value};
use std::{
    collections::BTreeMap, env, error::Error, fmt::Write, fs, path::Path, path::PathBuf,
    process::Command,
};

/// The files beside `language.toml` that a language may have, by the fields of the list that hold them.
const FILES: &[(&str, &str)] = &[("locals", "locals.scm"), ("rewrites", "rewrites.toml")];

/// What the build has to know of a language; the rest of its `language.toml` is read by the program.
struct Description {
    name: String,
    folder: PathBuf,
    /// The package that holds its parser.
    package: String,
    /// The path of its grammar in the package.
    grammar: String,
    /// The constant of the package that is its parser.
    parser: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=Cargo.lock");
    println!("cargo::rerun-if-changed=grammars");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let metadata = metadata(&root)?;
    let packages = packages(&metadata)?;
    let mut list = String::from("&[\n");
    let mut grammars = Vec::new();
    for language in descriptions(&root.join("grammars"))? {
        if is_left_out(&language, &metadata)? {
            continue;
        }
        let Description { name, package, .. } = &language;
        let folder = packages.get(package).ok_or_else(|| {
            format!("grammars/{name} names the package {package}, which Cargo.toml does not")
        })?;
        let grammar = model_part(&folder.join(&language.grammar))?;
        fs::write(out.join(format!("{name}.json")), grammar)?;
        write_entry(&mut list, &language)?;
        // A package's folder is named after its version.
        let package = folder.file_name().unwrap_or_default().to_string_lossy();
        grammars.push(format!("{name}: {package}"));
    }
    println!("cargo::rustc-env=PAREDOWN_GRAMMARS={}", grammars.join(","));
    println!("cargo::rustc-env=PAREDOWN_VERSION={}", version(&root));
    list.push(']');
    fs::write(out.join("languages.rs"), list)?;
    Ok(())
}

/// The version, with the commit where that is known: of a clone, or noted in a package.
fn version(root: &Path) -> String {
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    match commit_of_clone(root).or_else(|| commit_of_package(root)) {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    }
}

const COMMIT_LENGTH: usize = 9;

#[expect(clippy::disallowed_methods, reason = "git is asked here")]
fn commit_of_clone(root: &Path) -> Option<String> {
    let git = |words: &[&str]| {
        let output = Command::new("git").current_dir(root).args(words).output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    // A clone of something else may hold the folder of this package.
    let top = fs::canonicalize(git(&["rev-parse", "--show-toplevel"])?).ok()?;
    if top != fs::canonicalize(root).ok()? {
        return None;
    }
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={}", root.join(log).display());
    let commit = git(&["rev-parse", "HEAD"])?;
    commit.get(..COMMIT_LENGTH).map(str::to_owned)
}

fn commit_of_package(root: &Path) -> Option<String> {
    let text = fs::read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
    let info: Value = serde_json::from_str(&text).ok()?;
    let commit = info["git"]["sha1"].as_str()?;
    commit.get(..COMMIT_LENGTH).map(str::to_owned)
}

/// The languages that have a folder, by their names.
fn descriptions(folder: &Path) -> Result<Vec<Description>, Box<dyn Error>> {
    let mut descriptions = Vec::new();
    for entry in fs::read_dir(folder)? {
        let folder = entry?.path();
        let file = folder.join("language.toml");
        if !file.is_file() {
            continue;
        }
        let text = fs::read_to_string(&file)?;
        let table: toml::Table =
            toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        let word = |key: &str| table.get(key).and_then(|value| value.as_str());
        let package = word("package").ok_or_else(|| format!("{}: no package", file.display()))?;
        let name = folder.file_name().and_then(|name| name.to_str());
        descriptions.push(Description {
            name: name.ok_or("a folder with a strange name")?.to_owned(),
            package: package.to_owned(),
            grammar: word("grammar").unwrap_or("src/grammar.json").to_owned(),
            parser: word("parser").unwrap_or("LANGUAGE").to_owned(),
            folder,
        });
    }
    descriptions.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(descriptions)
}

/// Whether the package of a language is optional, and the feature `lang-NAME` is off.
fn is_left_out(language: &Description, metadata: &Value) -> Result<bool, Box<dyn Error>> {
    let own = env::var("CARGO_PKG_NAME")?;
    let packages = metadata["packages"].as_array().ok_or("no packages")?;
    let dependencies = packages
        .iter()
        .find(|package| package["name"] == *own)
        .and_then(|package| package["dependencies"].as_array())
        .ok_or("cargo metadata does not list this package")?;
    let is_optional = dependencies
        .iter()
        .find(|dependency| dependency["name"] == *language.package)
        .is_some_and(|dependency| dependency["optional"] == true);
    let feature = format!("CARGO_FEATURE_LANG_{}", language.name.to_uppercase());
    Ok(is_optional && env::var_os(feature).is_none())
}

/// The entry of a language in the list of those that are built in.
fn write_entry(list: &mut String, language: &Description) -> Result<(), Box<dyn Error>> {
    let Description { name, folder, .. } = language;
    let library = language.package.replace('-', "_");
    writeln!(list, "BuiltIn {{ name: {name:?},")?;
    writeln!(list, "parser: {library}::{},", language.parser)?;
    writeln!(
        list,
        "grammar: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.json\")),"
    )?;
    let facts = folder.join("language.toml");
    writeln!(
        list,
        "facts: include_str!({:?}),",
        facts.display().to_string()
    )?;
    for (field, file) in FILES {
        let path = folder.join(file);
        if path.is_file() {
            let path = path.display().to_string();
            writeln!(list, "{field}: include_str!({path:?}),")?;
        } else {
            writeln!(list, "{field}: \"\",")?;
        }
    }
    list.push_str("},\n");
    Ok(())
}

/// The folder of every package that the lock file names.
fn packages(metadata: &Value) -> Result<BTreeMap<String, PathBuf>, Box<dyn Error>> {
    let packages = metadata["packages"].as_array();
    let packages = packages.ok_or("cargo metadata has no packages")?;
    let folder_of = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str()?);
        let name = package["name"].as_str()?.to_owned();
        Some((name, manifest.parent()?.to_owned()))
    };
    Ok(packages.iter().filter_map(folder_of).collect())
}

/// What cargo says about the locked packages. Without the network first: what a build needs is there already, but cargo also wants
/// to know the packages of the tests, which `cargo install` has not fetched.
fn metadata(root: &Path) -> Result<Value, Box<dyn Error>> {
    ask_cargo(&["--offline"], root).or_else(|_| ask_cargo(&[], root))
}

#[expect(
    clippy::disallowed_methods,
    reason = "the build has no oracle; it asks cargo"
)]
fn ask_cargo(network: &[&str], root: &Path) -> Result<Value, Box<dyn Error>> {
    let features = env::vars().filter_map(|(name, _)| {
        let language = name.strip_prefix("CARGO_FEATURE_LANG_")?;
        Some(format!("lang-{}", language.to_lowercase()))
    });
    let output = Command::new(env::var("CARGO")?)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--filter-platform",
            &env::var("TARGET")?,
            "--no-default-features",
            "--features",
            &features.collect::<Vec<_>>().join(","),
            "--manifest-path",
        ])
        .arg(root.join("Cargo.toml"))
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
