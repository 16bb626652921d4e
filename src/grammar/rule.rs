//! The rules of a `grammar.json`, read into a small tree.

use super::{Kind, Kinds};
use rustc_hash::FxHashMap;
use serde_json::Value;

/// One rule. Precedences, fields and reserved words say nothing about what children there are, so they are left out.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    Blank,
    /// A literal token; visible.
    Literal(Box<str>),
    /// A token without a name; it has text, but no node. The rule inside gives its least text.
    Token(Box<Self>),
    Pattern(Box<str>),
    Symbol(Box<str>),
    Sequence(Vec<Self>),
    Choice(Vec<Self>),
    /// Zero or more.
    Repeat(Box<Self>),
    /// One or more.
    RepeatOnce(Box<Self>),
    Alias {
        content: Box<Self>,
        name: Box<str>,
        named: bool,
    },
}

/// All rules of a grammar.
#[derive(Debug)]
pub(super) struct RuleSet {
    names: FxHashMap<Box<str>, usize>,
    rules: Vec<(Box<str>, Rule)>,
    inlined: Vec<Box<str>>,
    supertypes: Vec<Box<str>>,
    externals: Vec<Rule>,
}

impl RuleSet {
    /// Reads the JSON; `None` when it does not have the form.
    pub(super) fn from_json(json: &[u8]) -> Option<Self> {
        let grammar: Value = serde_json::from_slice(json).ok()?;
        let rules = grammar["rules"].as_object()?;
        let rules: Vec<(Box<str>, Rule)> = rules
            .iter()
            .map(|(name, rule)| Some((name.as_str().into(), read(rule)?)))
            .collect::<Option<_>>()?;
        let names = rules
            .iter()
            .enumerate()
            .map(|(index, (name, _))| (name.clone(), index))
            .collect();
        Some(Self {
            names,
            rules,
            inlined: strings(&grammar["inline"]),
            supertypes: strings(&grammar["supertypes"]),
            externals: grammar["externals"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(read)
                .collect(),
        })
    }

    /// The body of a rule; `None` for external tokens.
    pub(super) fn body(&self, name: &str) -> Option<&Rule> {
        self.names.get(name).map(|&index| &self.rules[index].1)
    }

    /// All rules with their names.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Rule)> {
        self.rules.iter().map(|(name, rule)| (&**name, rule))
    }

    /// Whether a symbol's children take its place in the tree.
    pub(super) fn is_hidden(&self, name: &str) -> bool {
        name.starts_with('_')
            || self.is_inlined(name)
            || self.supertypes.iter().any(|supertype| **supertype == *name)
    }

    /// Whether a symbol is replaced by its body before anything else happens (aliases go to the body's steps).
    pub(super) fn is_inlined(&self, name: &str) -> bool {
        self.inlined.iter().any(|inlined| **inlined == *name)
    }

    /// Whether a rule is one token, so that it has no children.
    pub(super) fn is_token(rule: &Rule) -> bool {
        matches!(rule, Rule::Literal(_) | Rule::Token(_) | Rule::Pattern(_))
    }

    /// Every kind of node that the rules can make.
    pub(super) fn visible_kinds(&self) -> Kinds {
        let mut kinds = Kinds::default();
        for (name, rule) in self.iter() {
            if !self.is_hidden(name) {
                kinds.intern(name, true);
            }
            intern_all(rule, &mut kinds);
        }
        for external in &self.externals {
            match external {
                Rule::Symbol(name) if !self.is_hidden(name) => _ = kinds.intern(name, true),
                other => intern_all(other, &mut kinds),
            }
        }
        kinds
    }

    /// Calls `each` with every rule that can stand behind a visible kind, and its name: the rule of that name, and what is
    /// aliased to it. Tokens that are aliased where they stand have no name.
    pub(super) fn for_each_body<'a>(
        &'a self,
        kinds: &Kinds,
        mut each: impl FnMut(Kind, &'a str, &'a Rule),
    ) {
        for (name, rule) in self.iter() {
            if let (false, Some(kind)) = (self.is_hidden(name), kinds.find(name, true)) {
                each(kind, name, rule);
            }
            self.for_each_alias(rule, kinds, &mut each);
        }
    }

    fn for_each_alias<'a>(
        &'a self,
        rule: &'a Rule,
        kinds: &Kinds,
        each: &mut impl FnMut(Kind, &'a str, &'a Rule),
    ) {
        if let Rule::Alias {
            content,
            name,
            named,
        } = rule
        {
            if let Some(kind) = kinds.find(name, *named) {
                self.aliased_bodies(content, kind, each);
            }
            return self.for_each_alias(content, kinds, each);
        }
        for part in rule.parts() {
            self.for_each_alias(part, kinds, each);
        }
    }

    /// An alias of something composed names each of its steps; a repetition is one step.
    fn aliased_bodies<'a>(
        &'a self,
        content: &'a Rule,
        kind: Kind,
        each: &mut impl FnMut(Kind, &'a str, &'a Rule),
    ) {
        match content {
            Rule::Symbol(name) => match self.body(name) {
                Some(body) if self.is_inlined(name) => self.aliased_bodies(body, kind, each),
                Some(body) => each(kind, name, body),
                None => each(kind, "", &Rule::Blank),
            },
            token if Self::is_token(token) => each(kind, "", token),
            Rule::Alias { content, .. } => self.aliased_bodies(content, kind, each),
            repetition @ (Rule::Repeat(_) | Rule::RepeatOnce(_)) => each(kind, "", repetition),
            composed => composed
                .parts()
                .iter()
                .for_each(|part| self.aliased_bodies(part, kind, each)),
        }
    }
}

impl Rule {
    /// The rules directly inside.
    pub(super) fn parts(&self) -> &[Self] {
        match self {
            Self::Sequence(parts) | Self::Choice(parts) => parts,
            Self::Repeat(part) | Self::RepeatOnce(part) => std::slice::from_ref(part),
            Self::Alias { content, .. } => std::slice::from_ref(content),
            _ => &[],
        }
    }
}

fn intern_all(rule: &Rule, kinds: &mut Kinds) {
    match rule {
        Rule::Literal(text) => _ = kinds.intern(text, false),
        Rule::Alias {
            name,
            named,
            content,
        } => {
            kinds.intern(name, *named);
            intern_all(content, kinds);
        }
        _ => rule.parts().iter().for_each(|part| intern_all(part, kinds)),
    }
}

fn strings(value: &Value) -> Vec<Box<str>> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(Into::into)
        .collect()
}

fn read(value: &Value) -> Option<Rule> {
    let content = || read(&value["content"]).map(Box::new);
    let members = || {
        value["members"]
            .as_array()?
            .iter()
            .map(read)
            .collect::<Option<Vec<_>>>()
    };
    let text = |key: &str| value[key].as_str().map(Into::into);
    Some(match value["type"].as_str()? {
        "BLANK" => Rule::Blank,
        "STRING" => Rule::Literal(up_to_nul(value["value"].as_str()?).into()),
        "PATTERN" => Rule::Pattern(text("value")?),
        "SYMBOL" => Rule::Symbol(text("name")?),
        "SEQ" => Rule::Sequence(members()?),
        "CHOICE" => Rule::Choice(members()?),
        "REPEAT" => Rule::Repeat(content()?),
        "REPEAT1" => Rule::RepeatOnce(content()?),
        "ALIAS" => Rule::Alias {
            content: content()?,
            name: text("value")?,
            named: value["named"].as_bool()?,
        },
        // A token of one literal is that literal; any other token has no name of its own.
        "TOKEN" | "IMMEDIATE_TOKEN" => match *content()? {
            Rule::Literal(text) if is_literal(&value["content"]) => Rule::Literal(text),
            other => Rule::Token(Box::new(other)),
        },
        "FIELD" | "PREC" | "PREC_LEFT" | "PREC_RIGHT" | "PREC_DYNAMIC" | "RESERVED" => *content()?,
        _ => return None,
    })
}

/// Whether there is nothing around a literal but precedences.
fn is_literal(value: &Value) -> bool {
    let kind = value["type"].as_str().unwrap_or_default();
    kind == "STRING" || (kind.starts_with("PREC") && is_literal(&value["content"]))
}

/// The parser's names are strings of C, so a token that is a NUL has an empty one.
fn up_to_nul(text: &str) -> &str {
    text.split('\0').next().unwrap_or_default()
}
