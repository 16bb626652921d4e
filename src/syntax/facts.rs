//! What `grammars/<language>/language.toml` says, and its parts.

use super::Lexis;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What `grammars/<language>/language.toml` says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LanguageFacts {
    /// The package that holds its parser, for the build.
    #[serde(rename = "package")]
    _package: String,
    /// Where the package holds its grammar, for the build.
    #[serde(rename = "grammar")]
    _grammar: String,
    /// The constant of the package that is its parser, for the build.
    #[serde(rename = "parser")]
    _parser: String,
    /// File name extensions without the dot.
    pub extensions: Vec<String>,
    /// Kinds that are names which a declaration can bind.
    pub identifiers: Vec<String>,
    /// Kinds that are names only where something declares them: `size_t`, which the grammar of C takes for built in.
    pub sometimes_names: Vec<String>,
    /// Kinds whose text is prose or a number, not code: they can be shortened freely.
    pub literals: Vec<String>,
    /// Kinds whose text the grammar leaves free: it may be anything, of any length.
    pub free: Vec<String>,
    /// Kinds of leaves whose text is code that the grammar does not take apart.
    pub opaque: Vec<String>,
    /// Texts that are worth a try in a small node's place although a shorter one did not do, the likeliest first.
    pub alternatives: Vec<String>,
    /// Words for what a method is called on, where it is no parameter.
    pub bound_words: Vec<String>,
    /// The word for what a method is called on, where its members are named without that, too.
    pub own_word: String,
    /// The name of the method by which an object is called, where that is no name that something declares.
    pub call_operator: Option<Anything>,
    /// What stands before a function and not before a method.
    pub function_word: String,
    /// Values that may be given to any variable; the likeliest first.
    pub plainest: Vec<String>,
    /// What has any type: a value, and a type.
    pub anything: Vec<Anything>,
    /// What may be given for most parameters that are types.
    pub any_type: Vec<Anything>,
    /// What may be given for most parameters of what has such, where they are values.
    pub any_value: Vec<Anything>,
    /// A value of any type in the place of what a class is made from.
    pub any_base: Vec<Anything>,
    /// The name of what makes the objects of a class, where that is not the name of the class.
    pub constructor: String,
    /// What is called on a class to make an object, where no word before the class says that.
    pub maker: String,
    /// What stands in the place of a name that is declared with others and not used, where it must not stay.
    pub blank: String,
    /// The field that holds what a class is made from, where that is no kind of its own.
    pub bases_field: String,
    /// How a parameter is written, with `{name}` and `{type}`, where it has to have a type.
    pub parameter: String,
    /// How a variable takes the place of a parameter where a function's body stands at its call.
    pub variables: Variables,
    /// Words for what a class is made from.
    pub base_words: Vec<String>,
    /// Words by which a constructor that has the name of its class calls another one of that class.
    pub own_words: Vec<String>,
    /// Groups of kinds that resemble each other, so that a node of one may become one of another around the same parts.
    pub related: Vec<Vec<String>>,
    /// Tokens that the end of a line, or of a block, can replace.
    pub terminators: Vec<String>,
    /// Bytes beside which nobody needs blanks: what is data is written without them.
    pub tight: String,
    /// Whether blanks are left out between all tokens that stay two without them where it is written to be short.
    pub dense: bool,
    /// Texts of fewer tokens are read without the grammar: lines, words and marks tell more of a markup that takes any text.
    pub text_below: u32,
    /// Names that mean something although no file declares them: they are neither renamed nor given.
    pub known: Vec<String>,
    /// What may be left out of a text, and the parser is shown in its place.
    pub implied: Option<Implied>,
    /// Regular expressions for what breaks the grammar's tree where it stands, and is shown to the parser as a comment then: what their
    /// group finds, or all that they find without one.
    pub unseen: Vec<String>,
    /// The same for what of that changes what it stands beside means, so that it seldom goes while that stays.
    pub needed_unseen: Vec<String>,
    /// Regular expressions whose group finds what the grammar misreads where it stands, each with what the parser is shown in its place:
    /// as long, and with the same around it.
    pub misread: Vec<[String; 2]>,
    /// Regular expressions for what opens and closes something between declarations without being part of one: where the parser does not
    /// see it, a half does not go with what stands around it while the other one stays.
    pub halves: Vec<[String; 2]>,
    /// A regular expression for where nothing is unseen: comments and strings.
    pub never_unseen: String,
    /// Where a text that the grammar does not know as a whole can be cut.
    pub cuts: Cuts,
    /// By the kind of function, the kind around it and its own, its own and a word in its head, or its own, `called` and its name: what
    /// may stand for its body whatever it has to return. A kind that is itself a body (`=> a` in C#)
    /// is replaced as a whole where it is the field `body` or `value` of something.
    pub bodies: BTreeMap<String, String>,
    /// The same for functions that a program runs without if it does not call them. Only in large documents: in a small one the whole
    /// function goes as easily.
    pub bodies_in_much: BTreeMap<String, String>,
    /// What stands in the place of a part of a head that has lost its body, by the part's kind or its kind and first word.
    pub heads_alone: BTreeMap<String, String>,
    /// Words in the head of a function whose body says more than what it does: a value that a type depends on.
    pub known_by_body: Vec<String>,
    /// The same for words that make it known only to what asks for it early, so that these bodies come later.
    pub perhaps_known_by_body: Vec<String>,
    /// Words that stand where a function's result is said, when its body says that.
    pub result_by_body: Vec<String>,
    /// The kinds of what says it behind the parameters all the same.
    pub result_behind: Vec<String>,
    /// The words before a namespace whose names are known in what is around it, too.
    pub namespace_opened_by: Vec<String>,
    /// Where what is no member of a type has to be declared.
    pub declared: DeclarationOrder,
    /// Names of members that the language uses where nobody writes them, and of types that it uses as they are.
    pub used_unseen: Vec<String>,
    /// Words, and signs such as the dot behind the base itself, before the name of a member that a base of its type may ask for:
    /// without that the type is not complete.
    pub asked_for_by_bases: Vec<String>,
    /// Words before the name of a member that needs one of that name in what its type is made from.
    pub overriding: Vec<String>,
    /// The field of what holds members that says which these have to be: none of them can be missing. What promises them, as a trait,
    /// gives its methods to all that it is made known to.
    pub promise_field: String,
    /// Kinds of declarations without a body or value: what implements them stands behind them, or in the types that extend theirs.
    pub signatures: Vec<String>,
    /// Whether functions of one name are told apart by how many arguments they take.
    pub overloads: bool,
    /// By the kind of what uses them: the names that it means although it does not say them.
    pub used_with: BTreeMap<String, Vec<String>>,
    /// Operators by which others are meant, too, where these are not declared.
    pub operators_by_others: BTreeMap<String, Vec<String>>,
    /// Names of a first parameter that stands for what a method is called on.
    pub receivers: Vec<String>,
    /// Whether the columns of lines say which of them belong together.
    pub columns: bool,
    /// At how many columns blocks may begin, if its scanner has only room for so many open blocks.
    pub most_columns: Option<usize>,
    /// How many elements may be open at a time, if its scanner keeps the names of all open ones.
    pub most_elements: Option<usize>,
    /// Least texts that the grammar cannot give: external tokens and corrections.
    pub least: BTreeMap<String, String>,
    /// The built-in language whose `locals.scm` is good for this one too.
    pub names_like: Option<String>,
    /// The kinds of nodes that passes ask about.
    pub roles: BTreeMap<Role, Vec<String>>,
    /// What ends early, and what it ends.
    pub jumps: Vec<Jump>,
    /// Functions that have to be made whole again after an edit.
    pub static_single: Option<StaticSingle>,
    /// Texts that stand for whole numbers in a calculation.
    pub values: BTreeMap<String, i64>,
    /// A regular expression for what stands for an argument in a text, as `%d` does.
    pub conversions: String,
    /// What its comments look like.
    pub lexis: Lexis,
}

/// Functions in static single assignment form, as LLVM writes them: a line for each instruction, `%` before the names of values and
/// blocks, and numbers in the order in which they stand for what has no name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StaticSingle {
    /// The kind of a function.
    pub scope: String,
    /// What stands in the place of a value that has gone.
    pub lost: String,
    /// The kind of what stands for the address of a block, with the name of the function and that of the block in it.
    pub address: String,
    /// The words that begin an instruction with which a block ends.
    pub ends: Vec<String>,
    /// What instructions look like; one whose word is in none of these may look like anything.
    #[serde(default)]
    pub forms: Vec<Form>,
}

/// What instructions with one of some words look like.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// These.
    pub words: Vec<String>,
    /// What stands behind the word, between commas.
    pub takes: Vec<Taken>,
    /// The type of the value that it gives.
    #[serde(default)]
    pub gives: Given,
}

/// What an instruction takes at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taken {
    /// A type.
    Type,
    /// A type and a value.
    Value,
    /// The same, of whole numbers.
    Whole,
    /// The same, of other numbers.
    Real,
    /// The same, of a pointer to something of the type that stands first.
    Pointer,
    /// The same, of the type that the function gives back.
    Result,
    /// The type of nothing, in a function that gives back nothing.
    Nothing,
    /// A type and a value that is true or false.
    Condition,
    /// A value of the type that stands first.
    Same,
    /// A block.
    Place,
    /// A value and the type that it is made.
    Cast,
    /// A block, and others by the value that stands first.
    Cases,
    /// A value by the block before; with the type if it is the first.
    Entry,
    /// What is called, with its arguments.
    Call,
    /// As many values, or entries, as there are.
    More,
}

/// The type of the value that an instruction gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Given {
    /// It gives none.
    #[default]
    Nothing,
    /// The one that stands first.
    First,
    /// The one that stands second.
    Second,
    /// True or false.
    Condition,
    /// The one that the value is made.
    Cast,
    /// What the function gives back that is called.
    Call,
    /// Which one is not told.
    Anything,
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

/// Where what is used has to be declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeclarationOrder {
    /// Before or behind its uses.
    #[default]
    Anywhere,
    /// Before its first use.
    First,
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

/// How a variable takes the place of a parameter, with `{parameter}` as it is written there, its `{name}` and its `{value}`. What is
/// empty is not done.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Variables {
    /// One of the parameter's type.
    pub of_its_type: String,
    /// One whose type is that of its value.
    pub of_any_type: String,
    /// What does the same for a parameter without a name.
    pub nameless: String,
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
    /// Expressions that are a remark where they are a statement.
    Remarks,
    /// Statements that return from a function.
    Returns,
    /// What stands in rows, where a copy would only be one more.
    Repeated,
    /// What only gives a name to the declarations in its body, or a way to link them.
    Namespaces,
    /// What a declaration lies in, or behind, that is named before it with a dot. Elsewhere only members are named behind a dot.
    BeforeDots,
    /// What only holds declarations side by side.
    Groups,
    /// The lists in that.
    GroupLists,
    /// What a file cannot be without.
    Kept,
    /// Names of what is declared elsewhere, with what it is a part of.
    Elsewhere,
    /// What stands before what it says something about, and has no meaning without that.
    Attributes,
    /// What ends what stands before it, and has no meaning without that.
    Ends,
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
    /// What says something to the compiler, of which the program means the same without it.
    Asides,
    /// Lists of constants that are numbers: each one more than the one before it, from 0 on, where nothing else is said.
    Enumerations,
}

impl Role {
    /// How many there are; counts up to the last one above.
    pub(super) const COUNT: usize = Self::Enumerations as usize + 1;
}
