//! Depth and size: what nests deeply overflows no stack, and large trees stay small in memory.

use paredown::{
    pass::{Context, hoist, least, names::Names, units},
    search::{Search, Verdict},
    strategy::{Plan, Strategy, search},
    syntax::{Document, Language},
};

const LEVELS: usize = 100_000;
/// Nearly as deep as a tree of a grammar may be.
const DEEP: usize = 4900;

fn nested(language: &str, open: &str, middle: &str, close: &str) -> Document {
    nested_by(LEVELS, language, [open, middle, close])
}

fn nested_by(levels: usize, language: &str, [open, middle, close]: [&str; 3]) -> Document {
    let text = open.repeat(levels) + middle + &close.repeat(levels);
    Document::new(text.into_bytes(), Language::named(language))
}

#[test]
fn no_pass_overflows_a_stack() {
    let document = nested_by(DEEP, "json", ["[", "1", "]"]);
    assert!(!document.is_damaged());
    assert!(units::units(&document, &Names::of(&document)).len() > DEEP);
    let context = Context::new(document.clone());
    assert!(hoist::hoists(&context).len() >= DEEP);
    assert!(least::replacements(&context).len() < DEEP);
}

#[test]
fn what_nests_more_deeply_than_passes_go_is_read_without_its_grammar() {
    for (language, parts) in [
        ("json", ["[", "1", "]"]),
        ("xml", ["<a>", "b", "</a>"]),
        ("javascript", ["(", "a", ")"]),
    ] {
        let document = nested(language, parts[0], parts[1], parts[2]);
        assert!(document.grammar().is_none(), "{language}");
        let context = Context::new(document.clone());
        assert!(units::units(&document, context.names()).len() > LEVELS);
        assert!(hoist::hoists(&context).len() < LEVELS);
    }
}

#[test]
fn names_are_found_at_any_depth() {
    let document = Document::new(
        ("{int a;".repeat(1000) + &"}".repeat(1000)).into_bytes(),
        Language::named("c"),
    );
    assert_eq!(Names::of(&document).declarations.len(), 1000);
    // What nests deeper than a query looks has none, and that is seen soon.
    let document = nested("c", "{int a;", ";", "}");
    assert_eq!(Names::of(&document).declarations, []);
}

#[test]
fn the_pipeline_goes_to_any_depth() {
    let document = nested("", "(", "1", ")");
    let mut pipeline = search(&document, &Plan::new(Strategy::Auto));
    assert!(pipeline.ask().is_some());
    pipeline.tell(Verdict::Uninteresting);
    assert!(pipeline.ask().is_some());
}

#[test]
fn a_million_nodes_fit_in_200_mebibytes() {
    let text = format!("[{}1]", "1,".repeat(499_998));
    let document = Document::new(text.into_bytes(), Language::named("json"));
    let count = document.nodes().len();
    let mebibytes = size_of_val(document.nodes()) >> 20;
    eprintln!("{count} nodes: {mebibytes} MiB");
    assert!(count >= 1_000_000);
    assert!(mebibytes < 200);
}
