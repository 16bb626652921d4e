//! What a parser is shown in the place of a text: as good as the same, with what its grammar cannot read made readable.
//!
//! Three things are changed. What the language lists as unseen (line markers in the middle of a declaration, words of a compiler
//! that the grammar does not know) is shown as a comment of the same length, so that one such word does not break what stands
//! around it, and goes like a comment. A token that the grammar misreads where it stands is shown as another one. And what a text may
//! leave out (in old C the type of a function) is inserted.

use super::{
    Document, Language, NodeId, Query,
    language::{behind, places_of},
};
use std::{borrow::Cow, ops::Range};

/// The changes, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// What is shown as comments.
    comments: Vec<Range<usize>>,
    /// Where something else is shown, and by which rule of the language.
    misread: Vec<(usize, usize)>,
    /// Where what is implied is inserted.
    places: Vec<usize>,
}

impl Shown {
    /// With all that the language lists as unseen as comments, and what it lists as misread as something else; `None` if there is
    /// nothing of these kinds.
    pub(super) fn without_unseen(bytes: &[u8], language: &Language) -> Option<Self> {
        let shown = Self {
            comments: language.unseen(bytes),
            misread: language.misread(bytes),
            places: Vec::new(),
        };
        (!shown.is_all()).then_some(shown)
    }

    /// Whether it is the text itself.
    pub(super) fn is_all(&self) -> bool {
        self.comments.is_empty() && self.misread.is_empty() && self.places.is_empty()
    }

    /// The same with what is implied at these places, which are in order.
    pub(super) fn with_implied(&self, places: Vec<usize>) -> Self {
        Self {
            places,
            ..self.clone()
        }
    }

    /// Where what stands before a place and says something of what begins there begins itself: an attribute that the parser did not see
    /// means nothing without that. Cost: logarithmic.
    pub(super) fn start_with_attributes(&self, bytes: &[u8], place: usize) -> usize {
        let mut start = place;
        let known = self
            .comments
            .partition_point(|comment| comment.end <= place);
        for comment in self.comments[..known].iter().rev() {
            let is_next = bytes[comment.end..start].trim_ascii().is_empty();
            // A line of the preprocessor, or a whole declaration, says nothing of what stands behind it.
            let text = &bytes[comment.clone()];
            let is_of_its_own =
                text.starts_with(b"#") || text.ends_with(b";") || text.ends_with(b",");
            if !is_next || is_of_its_own {
                break;
            }
            start = comment.start;
        }
        start
    }

    /// The text as it is shown. Cost: linear, if there is anything to change.
    pub(super) fn applied<'b>(&self, bytes: &'b [u8], language: &Language) -> Cow<'b, [u8]> {
        let mut applied = Cow::Borrowed(bytes);
        if let Some((open, close)) = language.lexis().block_comment() {
            for comment in &self.comments {
                draw_comment(&mut applied.to_mut()[comment.clone()], open, close);
            }
        }
        for &(place, rule) in &self.misread {
            let [_, instead] = &language.facts().misread[rule];
            applied.to_mut()[place..][..instead.len()].copy_from_slice(instead.as_bytes());
        }
        if self.places.is_empty() {
            return applied;
        }
        let text = language.implied_text().as_bytes();
        let mut inserted = Vec::with_capacity(bytes.len() + self.places.len() * text.len());
        let mut end = 0;
        for &place in &self.places {
            inserted.extend_from_slice(&applied[end..place]);
            inserted.extend_from_slice(text);
            end = place;
        }
        inserted.extend_from_slice(&applied[end..]);
        Cow::Owned(inserted)
    }

    /// Where a position in the text that is shown is in the text itself.
    pub(super) fn position_without(&self, position: usize, language: &Language) -> usize {
        let length = language.implied_text().len();
        let mut earlier = 0..self.places.len();
        // The number of insertions that begin before the position.
        while !earlier.is_empty() {
            let middle = usize::midpoint(earlier.start, earlier.end);
            if self.places[middle] + middle * length < position {
                earlier.start = middle + 1;
            } else {
                earlier.end = middle;
            }
        }
        let begun = earlier.start;
        let last = begun.checked_sub(1).map_or(0, |last| self.places[last]);
        position.saturating_sub(begun * length).max(last)
    }
}

impl Document {
    /// Where a node begins with the attributes before it that the parser did not see.
    pub fn start_with_attributes(&self, node: NodeId) -> usize {
        let start = self.node(node).range().start;
        self.shown().start_with_attributes(self.bytes(), start)
    }
}

impl Language {
    /// Where its parser is shown something else that is as long, in order, each with the number of the rule. Cost: linear.
    fn misread(&self, text: &[u8]) -> Vec<(usize, usize)> {
        let never = &self.facts().never_unseen;
        let rules = &self.facts().misread;
        let read = |[pattern, _]: &[String; 2]| behind(never, std::slice::from_ref(pattern));
        let patterns = || rules.iter().map(read).collect();
        let patterns = self.misread.get_or_init(patterns).iter().zip(rules);
        let mut all = Vec::new();
        for (rule, (pattern, [_, other])) in patterns.enumerate() {
            let mut text = Cow::Borrowed(text);
            // A place may hide another one of its kind, until it is shown as something else.
            loop {
                let found = pattern.iter().flat_map(|pattern| places_of(pattern, &text));
                let is_other = |found: &Range<usize>| {
                    found.len() == other.len() && text[found.clone()] != *other.as_bytes()
                };
                let found: Vec<Range<usize>> = found.filter(is_other).collect();
                if found.is_empty() {
                    break;
                }
                for place in found {
                    text.to_mut()[place.clone()].copy_from_slice(other.as_bytes());
                    all.push((place.start, rule));
                }
            }
        }
        all.sort_unstable();
        all
    }

    /// What a text may leave out.
    pub(super) fn implied_text(&self) -> &str {
        let implied = self.facts().implied.as_ref();
        implied.map_or("", |implied| &implied.text)
    }

    /// Where a text leaves that out; `None` for a language in which all is said.
    pub(super) fn implied_places(&self) -> Option<&Query> {
        let implied = self.facts().implied.as_ref()?;
        let read = || Query::new(self, &implied.query).ok();
        self.implied.get_or_init(read).as_ref()
    }
}

/// Overwrites a text by a comment; lines stay lines. What is too short for that stays.
fn draw_comment(text: &mut [u8], open: &[u8], close: &[u8]) {
    let Some(inside) = text.len().checked_sub(open.len() + close.len()) else {
        return;
    };
    let (head, rest) = text.split_at_mut(open.len());
    let (inner, tail) = rest.split_at_mut(inside);
    head.copy_from_slice(open);
    tail.copy_from_slice(close);
    for byte in inner.iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Node;

    #[test]
    fn nothing_is_unseen_in_comments_and_strings() {
        let cpp = Language::named("cpp").unwrap();
        let text = b"/* a::*) */ // b::*)\nchar c = '\"'; const char *d = \"(e::*)\";";
        assert!(Shown::without_unseen(text, &cpp).is_none());
        let text = b"'\"'; int f(int (g<h>::*)(int), i::j *); // (k::*)";
        let shown = Shown::without_unseen(text, &cpp).unwrap();
        let expected = "'\"'; int f(int (/*  */*)(int), i::j *); // (k::*)";
        assert_eq!(
            String::from_utf8_lossy(&shown.applied(text, &cpp)),
            expected
        );
    }

    #[test]
    fn what_is_unseen_is_a_comment_of_the_same_length() {
        let cpp = Language::named("cpp").unwrap();
        let text = b"namespace a __attribute__((b(c))) { }\n# 3 \"d\" 4\nint e;";
        let shown = Shown::without_unseen(text, &cpp).unwrap();
        let applied = shown.applied(text, &cpp);
        let text = String::from_utf8_lossy(&applied);
        let expected = "namespace a /*                 */ { }\n/*     */\nint e;";
        assert_eq!(text, expected);
        assert!(Shown::without_unseen(b"int a;", &cpp).is_none());
    }

    #[test]
    fn what_is_misread_is_shown_as_something_else() {
        let cpp = Language::named("cpp").unwrap();
        let text = b"template <class a> struct d { typename e<sizeof(a) >= 4, a>::f g(); };";
        let document = Document::new(&text[..], Language::named("cpp"));
        assert!(document.nodes().iter().all(|node| !node.is_error()));
        let shown = Shown::without_unseen(text, &cpp).unwrap();
        let applied = shown.applied(text, &cpp);
        let expected = "template <class a> struct d { typename e<sizeof(a) <= 4, a>::f g(); };";
        assert_eq!(String::from_utf8_lossy(&applied), expected);
        let all = b"a = e<(sizeof(b)>=4), c->d >= 5 && f >= 6>::g();";
        assert_eq!(Shown::without_unseen(all, &cpp).unwrap().misread.len(), 2);
        for other in [
            "i<n && j>=m && k > l;",
            "i<n && j>=m && k>=l;",
            "bool b = c<d && e>=f;",
            "// g<h >= 4>::i",
            "bool j = k < l && m >= n && o > p;",
        ] {
            assert!(
                Shown::without_unseen(other.as_bytes(), &cpp).is_none(),
                "{other}"
            );
        }
    }

    #[test]
    fn what_a_preprocessor_says_in_the_middle_of_a_declaration_is_unseen() {
        let c = Language::named("c").unwrap();
        let text = "int\n# 3 \"a.h\" 3 4\n f(int a,\n# 9 \"b.h\"\n _Bool b);\n";
        let document = Document::new(text.as_bytes(), Some(c));
        assert!(!document.nodes().iter().any(Node::is_damaged));
        assert_eq!(
            document.nodes().iter().filter(|it| it.is_comment()).count(),
            2
        );
    }

    #[test]
    fn of_what_is_unseen_in_its_place_only_that_is_hidden() {
        let cpp = Language::named("cpp").unwrap();
        let text = b"template<class a> int f() { if (typename a::b()) return 1; typename a::c d; }";
        let shown = Shown::without_unseen(text, &cpp).unwrap();
        let applied = shown.applied(text, &cpp);
        let text = String::from_utf8_lossy(&applied);
        let expected =
            "template<class a> int f() { if (/*    */ a::b()) return 1; typename a::c d; }";
        assert_eq!(text, expected);
    }

    #[test]
    fn an_explicit_instantiation_is_unseen_and_a_dependent_name_is_not() {
        let cpp = Language::named("cpp").unwrap();
        for text in ["template class a<int>;", "extern template b& c<d>(b&);"] {
            assert!(
                Shown::without_unseen(text.as_bytes(), &cpp).is_some(),
                "{text}"
            );
        }
        let text = b"typedef typename a<T>::\n  template b<T>::type c;";
        assert!(Shown::without_unseen(text, &cpp).is_none());
    }

    #[test]
    fn an_attribute_goes_with_what_it_stands_before() {
        let cpp = Language::named("cpp").unwrap();
        let text = b"int a;\n# 3 \"d\" 4\n__extension__ __attribute__((b)) int c;";
        let shown = Shown::without_unseen(text, &cpp).unwrap();
        let place = text.len() - b"int c;".len();
        let start = shown.start_with_attributes(text, place);
        assert!(text[start..].starts_with(b"__extension__"));
        assert_eq!(shown.start_with_attributes(text, start), start);
        assert_eq!(shown.start_with_attributes(text, 0), 0);
    }

    #[test]
    fn one_word_does_not_break_what_stands_around_it() {
        for text in [
            "namespace a __attribute__ ((b)) { struct c {}; template<class> struct d; }",
            "__extension__ template<class T> using a = b<T\n# 7 \"c.h\" 3\n>;",
            "template<class T>\n#pragma GCC diagnostic pop\nT a(T b) { return b; }",
            "__extension__ int a = b(1, ( typename c<d<e>, f>::g::h(2) + 1));",
            "__extension__ int a = !(typename c::template d<e>(1)), b{(typename c::f())};",
        ] {
            let document = Document::new(text.as_bytes(), Language::named("cpp"));
            assert!(!document.is_damaged(), "{text}");
            assert!(document.nodes().iter().any(Node::is_comment));
        }
    }

    #[test]
    fn a_large_text_is_read_without_what_is_unseen_at_once() {
        let one = "namespace a __attribute__ ((b)) { struct c {}; }\n";
        let text = one.repeat(4000);
        let document = Document::new(text.as_bytes(), Language::named("cpp"));
        assert!(!document.is_damaged());
        assert_eq!(
            document.nodes().iter().filter(|it| it.is_comment()).count(),
            4000
        );
    }
}
