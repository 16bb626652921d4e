//! Documents to prove the model on: generated ones, and the benchmark inputs where they are at hand.

use super::derive::Generator;
use paredown::syntax::{Document, Language};
use serde_json::Value;
use std::{fs, path::Path, sync::Arc};

macro_rules! grammars {
    ($($(#[$condition:meta])? $name:literal: $start:literal),*) => {
        &[$($(#[$condition])? ($name, $start, include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".json")))),*]
    };
}

/// Names, start rules and the rules of the linked grammars, as the build found them.
const GRAMMARS: &[(&str, &str, &[u8])] = grammars!(
    "c": "translation_unit", "cpp": "translation_unit", "css": "stylesheet", "go": "source_file",
    "java": "program", "javascript": "program", "json": "document", "python": "module",
    "rust": "source_file", "tsx": "program", "typescript": "program", "xml": "document",
    #[cfg(feature = "lang-bash")] "bash": "program",
    #[cfg(feature = "lang-csharp")] "csharp": "compilation_unit",
    #[cfg(feature = "lang-glsl")] "glsl": "translation_unit",
    #[cfg(feature = "lang-haskell")] "haskell": "haskell",
    #[cfg(feature = "lang-html")] "html": "document",
    #[cfg(feature = "lang-kotlin")] "kotlin": "source_file",
    #[cfg(feature = "lang-llvm")] "llvm": "module",
    #[cfg(feature = "lang-lua")] "lua": "chunk",
    #[cfg(feature = "lang-markdown")] "markdown": "document",
    #[cfg(feature = "lang-ocaml")] "ocaml": "compilation_unit",
    #[cfg(feature = "lang-php")] "php": "program",
    #[cfg(feature = "lang-ruby")] "ruby": "program",
    #[cfg(feature = "lang-scala")] "scala": "compilation_unit",
    #[cfg(feature = "lang-scheme")] "scheme": "program",
    #[cfg(feature = "lang-solidity")] "solidity": "source_file",
    #[cfg(feature = "lang-sql")] "sql": "program",
    #[cfg(feature = "lang-swift")] "swift": "source_file",
    #[cfg(feature = "lang-toml")] "toml": "document",
    #[cfg(feature = "lang-yaml")] "yaml": "stream"
);

/// Generated documents of one language.
pub(super) struct Corpus {
    grammar: Value,
    start: &'static str,
    language: Arc<Language>,
    seed: u64,
}

impl Corpus {
    pub(super) fn new(name: &str, seed: u64) -> Self {
        let (_, start, json) = GRAMMARS
            .iter()
            .find(|(language, ..)| *language == name)
            .unwrap_or_else(|| panic!("no grammar for {name}"));
        Self {
            grammar: serde_json::from_slice(json).unwrap(),
            start,
            language: Language::named(name).unwrap(),
            seed,
        }
    }

    /// As many documents, until `clean` of them parse without an error.
    pub(super) fn files(&self, clean: usize) -> Vec<Document> {
        let least = &self.language.facts().least;
        let mut generator = Generator::new(&self.grammar, self.start, least, self.seed);
        let mut documents = Vec::new();
        let mut parsed = 0;
        for round in 0..clean * 20 {
            let text = generator.text(4 + round % 60);
            let document = Document::new(text.into_bytes(), Some(self.language.clone()));
            parsed += usize::from(!document.is_damaged());
            documents.push(document);
            if parsed == clean {
                break;
            }
        }
        documents
    }
}

/// The benchmark inputs of at most `longest` bytes with their names; none, and a word, where they are not at hand.
pub(super) fn bench_inputs(longest: usize) -> Vec<(String, Document)> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/bench/cases");
    let Ok(entries) = fs::read_dir(&cases) else {
        eprintln!("skipped: no benchmark inputs in {}", cases.display());
        return Vec::new();
    };
    let mut inputs: Vec<(String, Document)> = entries
        .flat_map(|case| fs::read_dir(case.unwrap().path()).unwrap())
        .filter_map(|file| {
            let path = file.unwrap().path();
            let extension = path.extension()?.to_str()?;
            let bytes = fs::read(&path)
                .ok()
                .filter(|bytes| bytes.len() <= longest)?;
            let language = Language::detect(Some(extension), b"")?;
            let name = path.strip_prefix(&cases).ok()?.display().to_string();
            Some((name, Document::new(bytes, Some(language))))
        })
        .collect();
    inputs.sort_by(|left, right| left.0.cmp(&right.0));
    inputs
}

/// Clean texts as people write them, with what often goes wrong: layout that means something, and tokens that touch.
pub(super) fn snippets(language: &str) -> Vec<Document> {
    let texts: &[&str] = match language {
        "c" => &[
            include_str!("snippets/statements.c"),
            include_str!("snippets/declarations.c"),
        ],
        "javascript" => &[
            include_str!("snippets/statements.js"),
            include_str!("snippets/classes.js"),
        ],
        _ => &[],
    };
    let language = Language::named(language);
    texts
        .iter()
        .map(|text| Document::new(text.as_bytes(), language.clone()))
        .inspect(|document| assert!(!document.is_damaged(), "a snippet must be clean"))
        .collect()
}
