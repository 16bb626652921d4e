//! Parts of what `grammars/<language>/language.toml` says.

use serde::Deserialize;

/// Functions in static single assignment form, as LLVM writes them: a line for each instruction, `%` before the names of values and
/// blocks, and numbers in the order in which they stand for what has no name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StaticSingle {
    /// The kind of a function.
    pub scope: String,
    /// What stands in the place of a value that has gone.
    pub lost: String,
    /// The words that begin an instruction with which a block ends.
    pub ends: Vec<String>,
}

/// What a text may leave out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Implied {
    /// As it is inserted, with a blank behind it where one is needed.
    pub text: String,
    /// A tree-sitter query: it is inserted before what is captured, if the parser makes no more errors of the text then.
    pub query: String,
}

/// Kinds that end something early, and the kinds that they end.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jump {
    /// Of what ends something.
    pub kinds: Vec<String>,
    /// Of what is ended.
    pub ends: Vec<String>,
}

/// Where a text that the grammar does not know as a whole can be cut into elements, beside semicolons and the ends of blocks that
/// end a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cuts {
    /// Whether it is never cut: a piece of it alone would be read as something else.
    pub never: bool,
    /// Whether a line that is not indented more deeply begins another element.
    pub lines: bool,
    /// Whether another element can follow a block on the same line.
    pub behind_blocks: bool,
    /// The words that go on with an element.
    pub continued_by: Vec<String>,
}
