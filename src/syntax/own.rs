//! Languages that are not built in: a parser that was loaded, and the files that its generator wrote beside it.

use serde::Deserialize;
use tree_sitter_language::LanguageFn;

use super::{facts::LanguageFacts, language::Language};

/// What a language is made of.
#[derive(Clone, Copy)]
pub struct OwnLanguage<'a> {
    /// The parser's entry.
    pub parser: LanguageFn,
    /// The content of its `grammar.json`.
    pub grammar: &'a [u8],
    /// The content of its `node-types.json`.
    pub node_types: &'a [u8],
    /// What the grammar cannot say.
    pub facts: &'a LanguageFacts,
}

/// Why a language cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OwnLanguageError {
    /// The parser is of another time.
    #[error("the parser has ABI version {found}, but this program reads versions {from} to {to}")]
    Abi {
        /// The parser's version.
        found: usize,
        /// The first that can be read.
        from: usize,
        /// The last that can be read.
        to: usize,
    },
    /// The grammar is none.
    #[error("grammar.json is not what tree-sitter generate writes: {0}")]
    Grammar(String),
    /// The list of node types is none.
    #[error("node-types.json is not what tree-sitter generate writes: {0}")]
    NodeTypes(String),
    /// Parser and list do not belong together.
    #[error(
        "the parser does not know the node type `{0}` of node-types.json: they are of different grammars"
    )]
    Differ(String),
}

#[derive(Deserialize)]
struct Header {
    name: String,
    #[serde(default)]
    word: Option<String>,
}

#[derive(Deserialize)]
struct NodeType {
    #[serde(rename = "type")]
    kind: String,
    named: bool,
    #[serde(default)]
    subtypes: Option<serde::de::IgnoredAny>,
}

/// The grammar's name in a `grammar.json`.
///
/// # Errors
/// It is not one.
pub fn name_of_grammar(grammar: &[u8]) -> Result<String, OwnLanguageError> {
    header(grammar).map(|header| header.name)
}

fn header(grammar: &[u8]) -> Result<Header, OwnLanguageError> {
    serde_json::from_slice(grammar).map_err(|error| OwnLanguageError::Grammar(error.to_string()))
}

impl OwnLanguage<'_> {
    /// Checks that all parts are what they should be and belong together, and makes the language.
    ///
    /// # Errors
    /// See [`OwnLanguageError`].
    pub fn load(self) -> Result<Language, OwnLanguageError> {
        let header = header(self.grammar)?;
        let parser = tree_sitter::Language::new(self.parser);
        let (from, to) = (
            tree_sitter::MIN_COMPATIBLE_LANGUAGE_VERSION,
            tree_sitter::LANGUAGE_VERSION,
        );
        let found = parser.abi_version();
        if !(from..=to).contains(&found) {
            return Err(OwnLanguageError::Abi { found, from, to });
        }
        self.check_node_types(&parser)?;
        let mut facts = self.facts.clone();
        if facts.identifiers.is_empty() {
            // What keywords are cut out of is what names things.
            facts.identifiers.extend(header.word);
        }
        let no_rules = || OwnLanguageError::Grammar("there are no rules in it".to_owned());
        Language::assemble(header.name, parser, self.grammar, facts).ok_or_else(no_rules)
    }

    fn check_node_types(&self, parser: &tree_sitter::Language) -> Result<(), OwnLanguageError> {
        let types: Vec<NodeType> = serde_json::from_slice(self.node_types)
            .map_err(|error| OwnLanguageError::NodeTypes(error.to_string()))?;
        // Supertypes are names for several kinds and no kinds of nodes.
        let kinds = types.iter().filter(|kind| kind.subtypes.is_none());
        let is_unknown = |kind: &&NodeType| {
            parser.id_for_node_kind(&kind.kind, kind.named) == 0 && kind.kind != "end"
        };
        match kinds.into_iter().find(is_unknown) {
            None => Ok(()),
            Some(kind) => Err(OwnLanguageError::Differ(kind.kind.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(grammar: &str, node_types: &str) -> Result<String, OwnLanguageError> {
        let language = OwnLanguage {
            parser: tree_sitter_json::LANGUAGE,
            grammar: grammar.as_bytes(),
            node_types: node_types.as_bytes(),
            facts: &LanguageFacts::default(),
        };
        language.load().map(|language| language.name().to_owned())
    }

    #[test]
    fn parts_that_do_not_belong_together_are_refused() {
        let types = r#"[{"type": "object", "named": true}, {"type": "{", "named": false}]"#;
        let rules = r#"{"name": "mine", "rules": {"object": {"type": "STRING", "value": "{"}}}"#;
        assert_eq!(json(rules, types).as_deref(), Ok("mine"));
        let other = r#"[{"type": "function", "named": true}]"#;
        assert_eq!(
            json(rules, other),
            Err(OwnLanguageError::Differ("function".into()))
        );
        assert!(matches!(
            json("{}", types),
            Err(OwnLanguageError::Grammar(_))
        ));
        assert!(matches!(
            json(rules, "{}"),
            Err(OwnLanguageError::NodeTypes(_))
        ));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let types = r#"[{"type": "object", "named": true}]"#;
        let no_rules = json(r#"{"name": "mine"}"#, types).unwrap_err();
        assert_eq!(
            no_rules.to_string(),
            "grammar.json is not what tree-sitter generate writes: there are no rules in it"
        );
        let differ = OwnLanguageError::Differ("function".into());
        assert_eq!(
            differ.to_string(),
            "the parser does not know the node type `function` of node-types.json: they are of different grammars"
        );
        let (found, from, to) = (3, 13, 15);
        assert_eq!(
            OwnLanguageError::Abi { found, from, to }.to_string(),
            "the parser has ABI version 3, but this program reads versions 13 to 15"
        );
    }
}
