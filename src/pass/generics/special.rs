//! What is declared for some arguments becomes what is declared for any.

use super::{
    changes::Changes,
    facts::{Generic, Generics, Group, declared_by, is_pack, mentions, name_of_parameter},
};
use crate::{
    pass::{Proposal, elements::elements_of, proposal::has_body},
    syntax::{Document, NodeId},
};
use regex::bytes::{Captures, Regex};

/// What becomes of what a specialisation is declared for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The uses are stripped of what stands around the parameters in it.
    Stripped,
    /// A parameter is all that it stands in there, and stands for that in the definition.
    Whole,
    /// It is forgotten.
    Forgotten,
}

/// A specialisation, and what it is declared for.
struct Special<'g, 'd> {
    document: &'d Document,
    group: &'g Group,
    own: Generic,
    /// What it is declared for.
    list: NodeId,
}

/// Each specialisation of a group as the template itself, with the parameters that its arguments tell, each [`Way`].
pub(super) fn specialisations(generics: &Generics, group: &Group) -> Vec<Proposal> {
    let document = generics.document;
    let mut proposals = Vec::new();
    for &list in &group.lists {
        let is_member = document.field_name(document.node(list).parent) == Some("scope");
        if let Some(&own) = generics.headed_by(list).first().filter(|_| !is_member) {
            let special = Special {
                document,
                group,
                own,
                list,
            };
            let ways = [Way::Stripped, Way::Whole, Way::Forgotten].into_iter();
            proposals.extend(ways.filter_map(|way| special.as_template(generics, way)));
        }
    }
    proposals
}

impl<'d> Special<'_, 'd> {
    fn as_template(&self, generics: &Generics<'d>, way: Way) -> Option<Proposal> {
        let document = self.document;
        let arguments = elements_of(document, self.list);
        let patterns: Vec<Option<Regex>> = arguments.iter().map(|&it| self.pattern(it)).collect();
        if way != Way::Forgotten && patterns.iter().all(Option::is_none) {
            return None;
        }
        let strips = way == Way::Stripped;
        let parameters = self.parameters(&arguments, strips, true)?;
        // What stands for a parameter where nothing is given is said once, where the template is made known.
        let mut declared = self.group.declared.iter();
        let is_known_before = declared.any(|&it| self.is_needed_before(it));
        let own_parameters = self.parameters(&arguments, strips, !is_known_before)?;
        let mut changes = Changes::new(document, b"specialisation");
        changes.note(document.text(self.list));
        changes.note(match way {
            Way::Stripped => b"strips",
            Way::Whole => b"whole",
            Way::Forgotten => b"",
        });
        changes.put(document.node(self.own.list).range(), own_parameters);
        changes.put(document.node(self.list).range(), b"");
        for &declared in &self.group.declared {
            changes.note(document.text(declared.list));
            if self.is_needed_before(declared) {
                let range = document.node(declared.list).range();
                changes.put(range, parameters.clone());
            } else {
                changes.drop(declared.node);
            }
        }
        if strips {
            let uses = self.group.lists.iter();
            for &list in uses.filter(|&&list| generics.headed_by(list).is_empty()) {
                for (&argument, pattern) in elements_of(document, list).iter().zip(&patterns) {
                    let found = pattern.as_ref();
                    if let Some(found) = found.and_then(|it| it.captures(document.text(argument))) {
                        changes.put(document.node(argument).range(), parts_of(&found));
                    }
                }
            }
        }
        if way == Way::Whole {
            let arguments = arguments.iter().zip(&patterns);
            for (&argument, _) in arguments.filter(|(_, pattern)| pattern.is_some()) {
                self.put_whole(&mut changes, argument);
            }
        }
        changes.proposal()
    }

    /// Puts the only parameter that an argument tells wherever the definition says the same as that.
    fn put_whole(&self, changes: &mut Changes<'d>, argument: NodeId) {
        let document = self.document;
        let mut names = self
            .own_in(argument)
            .filter_map(|it| name_of_parameter(document, it));
        let Some(name) = names.next() else {
            return;
        };
        let mut at = self.own.node;
        while at < document.node(self.own.node).end_id {
            let is_list = at == self.list || at == self.own.list;
            let is_same = !is_list && document.text(at) == document.text(argument);
            if is_same {
                changes.put(document.node(at).range(), document.text(name));
            }
            let goes_inside = !is_same && !is_list;
            at = if goes_inside {
                at + 1
            } else {
                document.node(at).end_id
            };
        }
    }

    /// Whether what a template only makes known is named before the specialisation.
    fn is_needed_before(&self, declared: Generic) -> bool {
        let inner = declared_by(self.document, declared);
        let is_used = |&list: &NodeId| (declared.node..self.own.node).contains(&list);
        !inner.is_some_and(|inner| has_body(self.document, inner))
            && self.group.lists.iter().any(is_used)
    }

    /// The list of parameters of the template that it becomes.
    fn parameters(
        &self,
        arguments: &[NodeId],
        strips: bool,
        says_defaults: bool,
    ) -> Option<Vec<u8>> {
        let document = self.document;
        let all = elements_of(document, self.group.declared.first()?.list);
        let mut told: Vec<NodeId> = Vec::new();
        let mut texts: Vec<&[u8]> = Vec::new();
        for (place, &argument) in arguments.iter().enumerate() {
            let new = self.own_in(argument).filter(|it| !told.contains(it));
            let new: Vec<NodeId> = new.collect();
            match new[..] {
                // An argument that tells none of its own is any.
                [] => texts.push(unnamed(document, *all.get(place).or(all.last())?)),
                [_, _, ..] if !strips => return None,
                _ => texts.extend(new.iter().map(|&it| document.text(it))),
            }
            told.extend(new);
        }
        // What is never given only stood for the choice of the specialisation.
        let mut given = self.group.lists.iter();
        if given.any(|&it| elements_of(document, it).len() > arguments.len()) {
            let behind = all.iter().skip(arguments.len());
            let text = |&it| {
                if says_defaults {
                    document.text(it)
                } else {
                    without_default(document, it)
                }
            };
            texts.extend(behind.map(text));
        }
        Some([b"<", &texts.join(&b", "[..])[..], b">"].concat())
    }

    /// Its own parameters that an argument names.
    fn own_in(&self, argument: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let document = self.document;
        let own = elements_of(document, self.own.list).into_iter();
        own.filter(move |&parameter| {
            let name = name_of_parameter(document, parameter);
            name.is_some_and(|name| mentions(document, argument, document.text(name)))
        })
    }

    /// What the arguments of uses look like that this argument fits, with what stands for its parameters as groups; `None` for one
    /// that is a parameter or has none.
    fn pattern(&self, argument: NodeId) -> Option<Regex> {
        let document = self.document;
        let text = document.text(argument);
        let own: Vec<NodeId> = self.own_in(argument).collect();
        let names = own.iter().filter_map(|&it| name_of_parameter(document, it));
        let names: Vec<&[u8]> = names.map(|name| document.text(name)).collect();
        if names.is_empty() || names.contains(&text) || is_pack(document, argument) {
            return None;
        }
        let mut pattern = String::from(r"(?s-u)^\s*");
        let mut is_behind_pack = false;
        for range in document.lexis().tokens(text) {
            let token = &text[range];
            if std::mem::take(&mut is_behind_pack) && token == b"..." {
                continue;
            }
            match names.iter().position(|&name| name == token) {
                Some(place) => {
                    is_behind_pack = is_pack(document, own[place]);
                    pattern.push_str("(.*?)");
                }
                None => pattern.push_str(&regex::escape(std::str::from_utf8(token).ok()?)),
            }
            pattern.push_str(r"\s*");
        }
        pattern.push('$');
        Regex::new(&pattern).ok()
    }
}

/// What stands for the parameters, as a list of arguments.
fn parts_of(found: &Captures) -> Vec<u8> {
    let parts = found.iter().skip(1).flatten();
    let parts = parts.map(|part| part.as_bytes().trim_ascii());
    let parts: Vec<&[u8]> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(&b", "[..])
}

/// A parameter without what stands for it where nothing is given.
fn without_default(document: &Document, parameter: NodeId) -> &[u8] {
    let range = document.node(parameter).range();
    let is_sign = |child: &NodeId| document.text(*child) == b"=";
    let sign = document.children(parameter).find(is_sign);
    let end = sign.map_or(range.end, |sign| document.node(sign).range().start);
    document.bytes()[range.start..end].trim_ascii_end()
}

/// A parameter without its name, and without what stands for it where nothing is given.
fn unnamed(document: &Document, parameter: NodeId) -> &[u8] {
    let range = document.node(parameter).range();
    let name = name_of_parameter(document, parameter);
    let end = name.map_or(range.end, |name| document.node(name).range().start);
    document.bytes()[range.start..end].trim_ascii_end()
}
