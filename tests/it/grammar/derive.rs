//! Random texts of a language, derived from the rules of its own `grammar.json`.
//!
//! A derivation goes down from the start rule; of two alternatives drawn at random the one that was used less is taken, so that
//! a few hundred texts see most of a grammar. Precedences and conflicts are not looked at, so some texts mean another tree than
//! the one they were derived from, and a few are wrong; the parser says which.

use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// `SplitMix64`: the same numbers on every machine.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % bound.max(1) as u64).unwrap()
    }
}

/// What an external scanner reads where it offers this symbol. A text that starts with glue touches what stands before it.
const EXTERNALS: &[(&str, &str)] = &[
    ("_automatic_semicolon", "\n"),
    ("_function_signature_automatic_semicolon", "\n"),
    ("_template_chars", "\u{1}x"),
    ("_ternary_qmark", "?"),
    ("html_comment", "<!-- x\n"),
    ("regex_pattern", "\u{1}a"),
    ("jsx_text", "\u{1}x"),
    ("raw_string_delimiter", "\u{1}"),
    ("raw_string_content", "\u{1}x"),
    ("_descendant_operator", "\u{1} "),
    ("_pseudo_class_selector_colon", "\u{1}:"),
    ("_newline", "\n"),
    ("_indent", "\u{2}"),
    ("_dedent", "\u{3}"),
    ("string_start", "\""),
    ("_string_content", "\u{1}x"),
    ("string_end", "\u{1}\""),
    ("escape_interpolation", "\u{1}{{"),
    ("string_content", "\u{1}x"),
    ("string_close", "\u{1}\""),
    ("_raw_string_literal_start", "r\""),
    ("raw_string_literal_content", "\u{1}x"),
    ("_raw_string_literal_end", "\u{1}\""),
    ("float_literal", "1.5"),
    ("_block_comment_content", "\u{1}x"),
    ("_line_doc_content", "\u{1}x\n"),
    ("_outer_block_doc_comment_marker", "\u{1}*"),
    ("_inner_block_doc_comment_marker", "\u{1}!"),
    ("PITarget", "\u{1}p"),
    ("_pi_content", " x"),
    ("Comment", "<!-- x -->"),
    ("CharData", "\u{1}x"),
    ("CData", "\u{1}x"),
    ("xml-model", "\u{1}xml-model"),
    ("xml-stylesheet", "\u{1}xml-stylesheet"),
    ("_start_tag_name", "\u{1}a"),
    ("_end_tag_name", "\u{1}a"),
    ("_r_flw_seq_bgn", "["),
    ("_r_flw_seq_end", "]"),
    ("_r_flw_map_bgn", "{"),
    ("_r_flw_map_end", "}"),
    ("_r_flw_sep_bgn", "\u{1},"),
    ("_r_flw_njv_bgn", "\u{1}: "),
    ("_r_flw_jsv_bgn", "\u{1}: "),
    ("_r_sgl_pln_str_blk", " a"),
    ("_r_sgl_pln_str_flw", " a"),
    ("_r_sgl_pln_int_flw", " 1"),
    ("_r_dqt_str_bgn", " \""),
    ("_r_dqt_str_ctn", "\u{1}x"),
    ("_r_dqt_str_end", "\u{1}\""),
    ("_r_tag", " !a "),
    ("_r_acr_bgn", " &"),
    ("_r_acr_ctn", "\u{1}a "),
];
const GLUE: char = '\u{1}';
const INDENT: char = '\u{2}';
const DEDENT: char = '\u{3}';
/// No derivation ends here.
const NEVER: u32 = 1 << 20;

/// Makes texts of one language.
pub(super) struct Generator<'g> {
    rules: &'g serde_json::Map<String, Value>,
    start: &'g Value,
    least: &'g BTreeMap<String, String>,
    heights: BTreeMap<&'g str, u32>,
    used: HashMap<*const Value, u32>,
    patterns: HashMap<&'g str, Hir>,
    random: Random,
    text: Text,
    most_tokens: usize,
}

#[derive(Default)]
struct Text {
    bytes: String,
    tokens: usize,
    /// Whether tokens are always kept apart by blanks.
    airy: bool,
    glued: bool,
    level: usize,
}

impl<'g> Generator<'g> {
    /// `least` says what stands for the external tokens that are not in [`EXTERNALS`].
    pub(super) fn new(
        grammar: &'g Value,
        start: &str,
        least: &'g BTreeMap<String, String>,
        seed: u64,
    ) -> Self {
        let rules = grammar["rules"].as_object().unwrap();
        let mut generator = Self {
            rules,
            start: &rules[start],
            least,
            heights: least
                .keys()
                .map(String::as_str)
                .filter(|name| !rules.contains_key(*name))
                .chain(EXTERNALS.iter().map(|(name, _)| *name))
                .map(|name| (name, 0))
                .collect(),
            used: HashMap::new(),
            patterns: HashMap::new(),
            random: Random(seed),
            text: Text::default(),
            most_tokens: 0,
        };
        generator.measure();
        generator
    }

    /// A text of about `most_tokens` tokens at most.
    pub(super) fn text(&mut self, most_tokens: usize) -> String {
        self.text = Text {
            airy: self.random.below(2) == 0,
            ..Text::default()
        };
        self.most_tokens = most_tokens;
        let depth = 8 + u32::try_from(self.random.below(16)).unwrap();
        self.derive(self.start, depth);
        std::mem::take(&mut self.text.bytes)
    }

    /// The least height of a derivation of every rule, as a fixpoint.
    fn measure(&mut self) {
        loop {
            let better: Vec<(&str, u32)> = self
                .rules
                .iter()
                .map(|(name, rule)| (name.as_str(), self.height(rule) + 1))
                .filter(|(name, height)| {
                    *height < NEVER && self.heights.get(name).is_none_or(|known| height < known)
                })
                .collect();
            if better.is_empty() {
                return;
            }
            self.heights.extend(better);
        }
    }

    fn height(&self, rule: &Value) -> u32 {
        let members = || rule["members"].as_array().unwrap().iter();
        match rule["type"].as_str().unwrap() {
            "SYMBOL" => {
                let name = rule["name"].as_str().unwrap();
                self.heights.get(name).copied().unwrap_or(NEVER)
            }
            "SEQ" => members().map(|part| self.height(part)).max().unwrap_or(0),
            "CHOICE" => members().map(|part| self.height(part)).min().unwrap_or(0),
            "BLANK" | "STRING" | "PATTERN" | "REPEAT" => 0,
            _ => self.height(&rule["content"]),
        }
    }

    fn derive(&mut self, rule: &'g Value, depth: u32) {
        let depth = if self.text.tokens < self.most_tokens {
            depth
        } else {
            0
        };
        match rule["type"].as_str().unwrap() {
            "BLANK" => {}
            "STRING" => self.text.token(rule["value"].as_str().unwrap()),
            "PATTERN" => self.matching(rule["value"].as_str().unwrap()),
            "SYMBOL" => self.symbol(rule["name"].as_str().unwrap(), depth),
            "SEQ" => {
                for part in rule["members"].as_array().unwrap() {
                    self.derive(part, depth);
                }
            }
            "CHOICE" if rule["members"].as_array().unwrap().is_empty() => {}
            "CHOICE" => {
                let chosen = self.choose(rule["members"].as_array().unwrap(), depth);
                self.derive(chosen, depth);
            }
            repeat @ ("REPEAT" | "REPEAT1") => {
                let least = usize::from(repeat == "REPEAT1");
                let more = if depth == 0 { 0 } else { self.random.below(4) };
                let possible = self.height(&rule["content"]) <= depth;
                for _ in 0..least.max(if possible { more } else { 0 }) {
                    self.derive(&rule["content"], depth);
                }
            }
            "TOKEN" => self.as_one_token(&rule["content"], depth),
            "IMMEDIATE_TOKEN" => {
                self.text.glued = true;
                self.as_one_token(&rule["content"], depth);
            }
            _ => self.derive(&rule["content"], depth),
        }
    }

    fn symbol(&mut self, name: &'g str, depth: u32) {
        if let Some(rule) = self.rules.get(name) {
            self.derive(rule, depth.saturating_sub(1));
            return;
        }
        let known = EXTERNALS.iter().find(|(external, _)| *external == name);
        let text = known.map(|(_, text)| *text);
        if let Some(text) = text.or_else(|| self.least.get(name).map(String::as_str)) {
            self.text.token(text);
        }
    }

    /// Of two alternatives that are not too high, the one that was used less; the lowest when all are.
    fn choose(&mut self, alternatives: &'g [Value], depth: u32) -> &'g Value {
        let fitting: Vec<&Value> = alternatives
            .iter()
            .filter(|rule| depth > 0 && self.height(rule) <= depth)
            .collect();
        let lowest = || alternatives.iter().min_by_key(|rule| self.height(rule));
        let chosen = if fitting.is_empty() {
            lowest().unwrap()
        } else {
            let (one, two) = (
                fitting[self.random.below(fitting.len())],
                fitting[self.random.below(fitting.len())],
            );
            let uses = |rule: &Value| self.used.get(&std::ptr::from_ref(rule)).copied();
            if uses(one) <= uses(two) { one } else { two }
        };
        *self.used.entry(std::ptr::from_ref(chosen)).or_default() += 1;
        chosen
    }

    /// Inside a token nothing stands between the parts.
    fn as_one_token(&mut self, rule: &'g Value, depth: u32) {
        let outer = std::mem::take(&mut self.text);
        self.derive(rule, depth);
        let token = std::mem::replace(&mut self.text, outer).bytes;
        let token: String = token.chars().filter(|&c| c != ' ').collect();
        self.text.token(&token);
    }

    fn matching(&mut self, pattern: &'g str) {
        let hir = self.patterns.entry(pattern).or_insert_with(|| {
            let pattern = pattern.replace("[^]", r"[\s\S]").replace(r"\/", "/");
            regex_syntax::parse(&pattern).unwrap_or_else(|_| Hir::empty())
        });
        let mut token = String::new();
        random_match(hir, &mut self.random, &mut token);
        self.text.token(&token);
    }
}

impl Text {
    fn token(&mut self, token: &str) {
        self.tokens += 1;
        for marked in token.chars().filter(|&c| c == INDENT || c == DEDENT) {
            match marked {
                INDENT => self.level += 1,
                _ => self.level = self.level.saturating_sub(1),
            }
        }
        let token = &token.replace(INDENT, "\n").replace([DEDENT, '\0'], "");
        let plain = token.trim_start_matches(GLUE);
        let glued = std::mem::take(&mut self.glued) || plain.len() < token.len();
        if self.bytes.ends_with('\n') && !plain.starts_with('\n') && !plain.is_empty() {
            self.bytes.push_str(&" ".repeat(self.level));
        } else if let (false, Some(last), Some(first)) =
            (glued, self.bytes.chars().last(), plain.chars().next())
            && (self.airy || melt(last, first))
        {
            self.bytes.push(' ');
        }
        self.bytes.push_str(plain);
    }
}

fn melt(last: char, first: char) -> bool {
    let word = |c: char| c.is_alphanumeric() || "_$\"'".contains(c);
    let operator = |c: char| "+-*/<>=&|!:.?%^~#@".contains(c);
    (word(last) && word(first)) || (operator(last) && operator(first))
}

fn random_match(hir: &Hir, random: &mut Random, text: &mut String) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => text.push(random_member(class, random)),
        HirKind::Repetition(repetition) => {
            let least = repetition.min;
            let most = repetition.max.unwrap_or(least + 2).min(least + 2);
            let more = random.below((most - least + 1) as usize);
            for _ in 0..least as usize + more {
                random_match(&repetition.sub, random, text);
            }
        }
        HirKind::Capture(capture) => random_match(&capture.sub, random, text),
        HirKind::Concat(parts) => parts
            .iter()
            .for_each(|part| random_match(part, random, text)),
        HirKind::Alternation(parts) => {
            random_match(&parts[random.below(parts.len())], random, text);
        }
    }
}

/// A letter or a digit where the class has some, otherwise its first member.
fn random_member(class: &Class, random: &mut Random) -> char {
    let contains = |wanted: char| match class {
        Class::Unicode(class) => class
            .iter()
            .any(|range| range.start() <= wanted && wanted <= range.end()),
        Class::Bytes(class) => class
            .iter()
            .any(|range| (range.start()..=range.end()).contains(&(wanted as u8))),
    };
    let pleasant: Vec<char> = "abcxyz0123789ABF"
        .chars()
        .filter(|&c| contains(c))
        .collect();
    if !pleasant.is_empty() {
        return pleasant[random.below(pleasant.len())];
    }
    (' '..='~')
        .find(|&c| contains(c))
        .or_else(|| ['\n', '\t', '\u{a0}'].into_iter().find(|&c| contains(c)))
        .unwrap_or('a')
}
