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

/// A text that fits wherever a node of its kind can stand.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anything {
    /// Its kind.
    pub kind: String,
    /// As it is written.
    pub text: String,
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

/// What a kind of nodes is to the passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Lists of parameters.
    Parameters,
    /// Lists of arguments.
    Arguments,
    /// Expressions that are more than a name.
    Expressions,
    /// Of these, those that need brackets inside of others.
    Loose,
    /// What is in brackets.
    Brackets,
    /// Statements that are an expression.
    ExpressionStatement,
    /// Statements that return from a function.
    Returns,
    /// What stands in rows, where a copy would only be one more.
    Repeated,
    /// What only gives a name to the declarations in its body, or a way to link them.
    Namespaces,
    /// Names of what is declared elsewhere, with what it is a part of.
    Elsewhere,
    /// What stands before what it says something about, and has no meaning without that.
    Attributes,
    /// Declarations that may not stay without their uses: of a type that only these tell, or an error where nothing uses them.
    HeldByUses,
    /// What gives another name to what stands in its field `type`.
    TypeAliases,
    /// Lists of parameters that are types.
    TypeParameters,
    /// Lists of types that are given for such.
    TypeArguments,
    /// What says what a type is made from, or what it promises.
    Bases,
    /// Lists of members that are known by their name alone inside.
    Members,
}
