//! Mistakes in files of rewrites.

use super::Rewrites;
use crate::syntax::Language;

const GOOD: &str =
    "[[rewrite]]\nname = 'a'\nabout = 'A.'\nquery = '(comment) @c'\nreplace = { c = '' }\n";

/// Asserts that a file has a mistake at this place, said in these words; gives all that is said.
#[track_caller]
fn check(text: &str, (line, column): (usize, usize), part: &str) -> String {
    let language = Language::named("c").unwrap();
    let mistake = Rewrites::read(&language, text).expect_err(text);
    let place = (mistake.line, mistake.column);
    assert_eq!(place, (line, column), "{mistake:?}");
    assert!(mistake.message.contains(part), "{mistake:?}");
    assert!(!mistake.advice.is_empty());
    format!("{}\n    {}\n", mistake.message, mistake.advice)
}

#[test]
fn a_good_file_is_read() {
    let language = Language::named("c").unwrap();
    let rewrites = Rewrites::read(&language, GOOD).unwrap();
    assert_eq!(rewrites.rules.len(), 1);
    let none = Rewrites::read(&language, "").unwrap();
    assert!(none.rules.is_empty());
}

#[test]
fn rewrites_of_another_language_are_left_out() {
    let language = Language::named("c").unwrap();
    let text = format!(
        "languages = ['java']\n{}",
        GOOD.replace("comment", "line_comment")
    );
    assert!(Rewrites::read(&language, &text).unwrap().rules.is_empty());
    let unknown = check("languages = ['klingon']", (1, 14), "no language `klingon`");
    let without = check("like = ['c', 'json']", (1, 14), "language `json`");
    insta::assert_snapshot!(unknown + &without);
}

#[test]
fn each_mistake_has_its_place() {
    let query = |query: &str| GOOD.replace("'(comment) @c'", query);
    let with = |more: &str| format!("{GOOD}{more}\n");
    let mut said = String::new();
    let uses = |more: &str| with(&format!("[[rewrite.uses]]\n{more}\nremove = ['i']"));
    for (text, place, part) in [
        ("[[rewrite]\n".to_owned(), (1, 11), "unclosed"),
        (with("wrong = 1"), (6, 1), "wrong"),
        (GOOD.replace("about = 'A.'\n", ""), (1, 1), "about"),
        (GOOD.replace("'A.'", "' '"), (3, 9), "nothing is said"),
        (GOOD.replace("'a'", "'A b'"), (2, 8), "no name"),
        (with(GOOD), (7, 8), "another rewrite `a`"),
        (
            GOOD.replace("replace = { c = '' }\n", ""),
            (2, 8),
            "changes nothing",
        ),
        (with("when = 'noon'"), (6, 8), "no time `noon`"),
        (format!("when = 'noon'\n{GOOD}"), (1, 8), "no time `noon`"),
        (GOOD.replace("c = ''", "d = ''"), (5, 17), "`d`"),
        (GOOD.replace("c = ''", "c = '@d'"), (5, 17), "`d`"),
        (with("remove = ['d']"), (6, 11), "`d`"),
        (
            with("around = { s = ['program'] }"),
            (6, 17),
            "no node `program`",
        ),
        (with("except = ['program']"), (6, 11), "no node `program`"),
        (with("each = { e = 'd' }"), (6, 14), "`d`"),
        (with("words.w = { of = 'd', pattern = '' }"), (6, 18), "`d`"),
        (
            with("words.w = { of = 'c', pattern = '(' }"),
            (6, 33),
            "unclosed",
        ),
        (query("'(comment)'"), (4, 9), "captures nothing"),
        (query("'(coment) @c'"), (4, 11), "no node `coment`"),
        (
            query("'(comment wrong: (_)) @c'"),
            (4, 19),
            "no field `wrong`",
        ),
        (query("'(comment @c'"), (4, 19), "no query"),
        (
            query("'''\n  (comment) @c\n  (comet) @c\n'''"),
            (6, 4),
            "no node `comet`",
        ),
        (uses("query = '(identifier) @i'"), (7, 9), "nothing ties"),
        (
            format!(
                "{}\n[[rewrite.uses]]\nquery = '(comment) @c'\n",
                with("when = 'everywhere'")
            ),
            (6, 8),
            "has no uses",
        ),
        (
            uses("inside = 'd'\nquery = '(identifier) @i'"),
            (7, 10),
            "`d`",
        ),
        (
            uses("inside = 'c'\nquery = '(identifer) @i'"),
            (8, 11),
            "no node `identifer`",
        ),
    ] {
        said += &check(&text, place, part);
    }
    insta::assert_snapshot!(said);
}
