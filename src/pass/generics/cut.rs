//! Parameters on their way out, with all that goes or changes with them.

use super::{
    changes::Changes,
    facts::{Generic, Generics, Group, declared_by, is_pack, mentions, name_of_parameter},
};
use crate::{
    pass::{
        Proposal,
        elements::elements_of,
        proposal::{Filler, surroundings},
    },
    syntax::{Document, NodeId, Role},
};
use std::ops::Range;

/// The changes that take parameters out.
pub(super) struct Cut<'g, 'd> {
    generics: &'g Generics<'d>,
    document: &'d Document,
    group: &'g Group,
    /// Which of its parameters go.
    places: Range<usize>,
    /// By place that goes: what stands for the parameter; what stands for any argument if it is not told.
    given: Vec<Option<&'d [u8]>>,
    /// The place of the parameter that is repeated where the pack that goes was.
    repeated: Option<usize>,
    changes: Changes<'d>,
}

impl<'g, 'd> Cut<'g, 'd> {
    pub(super) fn new(
        generics: &'g Generics<'d>,
        group: &'g Group,
        places: Range<usize>,
        given: Vec<Option<&'d [u8]>>,
    ) -> Self {
        let mut changes = Changes::new(generics.document, b"type-parameter");
        for text in &given {
            changes.note(text.unwrap_or_default());
        }
        Self {
            generics,
            document: generics.document,
            group,
            places,
            given,
            repeated: None,
            changes,
        }
    }

    /// The same for a pack that goes alone, where the parameter at a place is repeated wherever it stands beside that.
    pub(super) fn repeating(mut self, place: usize) -> Self {
        self.repeated = Some(place);
        self.changes.note(b"...");
        self
    }

    /// The parameters of a group with what is given for them; `None` where a use can be nothing else.
    pub(super) fn proposal(mut self) -> Option<Proposal> {
        // From this place on all arguments are one parameter.
        let mut pack = usize::MAX;
        let mut is_generic = false;
        let mut is_repeated = false;
        for &generic in &self.group.declared {
            let parameters = elements_of(self.document, generic.list);
            if let Some(place) = self.repeated {
                is_repeated |= self.repeat(generic, *parameters.get(place)?)?;
            }
            for (place, &parameter) in parameters.iter().enumerate() {
                if !self.places.contains(&place) {
                    is_generic = true;
                    continue;
                }
                self.changes.note(self.document.text(parameter));
                if is_pack(self.document, parameter) {
                    pack = pack.min(place);
                }
                self.take_parameter(generic, parameter, self.given[place - self.places.start])?;
            }
            if self.places.start == 0 && parameters.len() <= self.places.end {
                self.take_list(generic);
            }
        }
        if self.repeated.is_some() && !is_repeated {
            return None;
        }
        for &list in &self.group.lists {
            self.take_arguments(list, pack)?;
            if !is_generic {
                if let Some(&headed) = self.generics.headed_by(list).first() {
                    self.take_list(headed);
                }
                self.changes.put(self.document.node(list).range(), b"");
            }
        }
        self.changes.proposal()
    }

    /// A parameter goes, and its uses are something else.
    fn take_parameter(
        &mut self,
        generic: Generic,
        parameter: NodeId,
        given: Option<&'d [u8]>,
    ) -> Option<()> {
        let document = self.document;
        self.changes.drop(parameter);
        let Some(name) = name_of_parameter(document, parameter) else {
            return Some(());
        };
        let taken = parameter..document.node(parameter).end_id;
        for leaf in generic.node..document.node(generic.node).end_id {
            if is_use_of(document, leaf, name) && !taken.contains(&leaf) {
                let is_pack = is_pack(document, parameter) && !self.stays_repeated(generic, leaf);
                match given {
                    _ if is_pack => self.drop_expansion(generic, leaf)?,
                    Some(text) => self.changes.put(document.node(leaf).range(), text),
                    None => self.fill_use(generic, parameter, leaf)?,
                }
            }
        }
        Some(())
    }

    /// A parameter stands for any number of arguments; whether it is named in what is repeated. `None` where it is named elsewhere, and
    /// for one that is a pack already or has a default, which no pack has.
    fn repeat(&mut self, generic: Generic, parameter: NodeId) -> Option<bool> {
        let document = self.document;
        let mut parts = document.children(parameter);
        if is_pack(document, parameter) || parts.any(|part| document.text(part) == b"=") {
            return None;
        }
        let range = document.node(parameter).range();
        let Some(name) = name_of_parameter(document, parameter) else {
            let repeated = [document.text(parameter), b"..."].concat();
            self.changes.put(range, repeated);
            return Some(false);
        };
        let start = document.node(name).range().start;
        self.changes.put(start..start, b"...");
        let behind = document.node(generic.list).end_id..document.node(generic.node).end_id;
        let uses = behind.filter(|&leaf| is_use_of(document, leaf, name));
        let uses: Vec<NodeId> = uses.collect();
        let is_repeated = |&leaf: &NodeId| self.expansion_around(generic, leaf).is_some();
        uses.iter().all(is_repeated).then_some(!uses.is_empty())
    }

    /// Whether what repeats something for the pack that goes repeats it for another parameter from now on.
    fn stays_repeated(&self, generic: Generic, leaf: NodeId) -> bool {
        let document = self.document;
        let parameters = elements_of(document, generic.list);
        let other = self.repeated.and_then(|place| parameters.get(place));
        let name = other.and_then(|&it| name_of_parameter(document, it));
        let expansion = self.expansion_around(generic, leaf);
        let both = name.zip(expansion);
        both.is_some_and(|(name, expansion)| mentions(document, expansion, document.text(name)))
    }

    /// The innermost node around a leaf that is repeated for all that a pack stands for.
    fn expansion_around(&self, generic: Generic, leaf: NodeId) -> Option<NodeId> {
        let around = self.document.around(leaf);
        let mut around = around.take_while(|&node| node > generic.node);
        // Dots in a list of parameters stand for arguments without a type.
        let repeats = |node| !self.document.has_role(node, Role::Parameters);
        around.find(|&node| is_pack(self.document, node) && repeats(node))
    }

    /// What is left without parameters is not generic.
    fn take_list(&mut self, generic: Generic) {
        let document = self.document;
        let start = |node| document.node(node).range().start;
        // Where only a word stands before the list, it says that there is one.
        let has_word =
            matches!(document.row(generic.node)[..], [_, list, ..] if list == generic.list);
        let range = match declared_by(document, generic).filter(|_| has_word) {
            Some(declared) => start(generic.node)..start(declared),
            None => document.node(generic.list).range(),
        };
        self.changes.put(range, b"");
    }

    /// What is given for the parameters goes from a list, and what it alone has told of what is declared there.
    fn take_arguments(&mut self, list: NodeId, pack: usize) -> Option<()> {
        let document = self.document;
        let arguments = elements_of(document, list);
        let goes = |place: &usize| self.places.contains(place) || *place >= pack;
        let (gone, kept): (Vec<usize>, Vec<usize>) = (0..arguments.len()).partition(goes);
        // How many arguments such a one stands for is not known. If nothing stands behind it, it may stand for the rest.
        let first = gone.first().copied().unwrap_or(0);
        if first < pack && arguments[..first].iter().any(|&it| is_pack(document, it)) {
            return None;
        }
        let text = |place: usize| document.text(arguments[place]);
        for &place in &gone {
            self.changes.drop(arguments[place]);
        }
        for generic in self.generics.headed_by(list) {
            for parameter in elements_of(document, generic.list) {
                let Some(name) = name_of_parameter(document, parameter) else {
                    continue;
                };
                let name = document.text(name);
                let is_told = |&place: &usize| mentions(document, arguments[place], name);
                let Some(&place) = gone.iter().find(|&place| is_told(place)) else {
                    continue;
                };
                if !kept.iter().any(is_told) {
                    let given = self.given.get(place - self.places.start).copied().flatten();
                    let given = given.filter(|_| text(place) == name);
                    self.take_parameter(generic, parameter, given)?;
                }
            }
        }
        Some(())
    }

    /// What repeats something for all that a parameter stands for goes where it stands in a list, and is nothing elsewhere.
    fn drop_expansion(&mut self, generic: Generic, leaf: NodeId) -> Option<()> {
        let document = self.document;
        let expansion = self.expansion_around(generic, leaf)?;
        let list = document.node(expansion).parent;
        if document.has_role(list, Role::Parameters)
            && let Some(name) = name_of_parameter(document, expansion)
        {
            // A parameter of a function that is one for each: what names it would be left.
            let mut behind = document.node(expansion).end_id..document.node(generic.node).end_id;
            if behind.any(|leaf| is_use_of(document, leaf, name)) {
                return None;
            }
        }
        let end = document.children(expansion).last();
        let lists = [Role::Arguments, Role::TypeArguments, Role::Parameters];
        let is_element = end.is_some_and(|end| document.text(end) == b"...")
            && lists.iter().any(|&role| document.has_role(list, role));
        if is_element || self.fill(&[expansion], true).is_none() {
            self.changes.drop(expansion);
        }
        Some(())
    }

    /// A use of a parameter becomes what stands for any argument, with what is looked up in it.
    fn fill_use(&mut self, generic: Generic, parameter: NodeId, leaf: NodeId) -> Option<()> {
        let document = self.document;
        let mut node = leaf;
        let mut is_value = document.child_in_field(parameter, "type").is_some();
        while let Some(above) = looked_up_in(document, node) {
            is_value = document.children(above).next() == Some(node);
            node = above;
        }
        let range = document.node(node).range();
        let around = document.around(node);
        let around = around.take_while(|&above| above > generic.node);
        let places: Vec<NodeId> = around
            .take_while(|&above| document.node(above).range() == range)
            .collect();
        self.fill(&places, is_value)
    }

    /// What stands for any argument, a value before others or behind them, in one of these places with the same text.
    fn fill(&mut self, places: &[NodeId], is_value: bool) -> Option<()> {
        let document = self.document;
        let Generics { types, values, .. } = self.generics;
        let fillers = if is_value {
            [values, types]
        } else {
            [types, values]
        };
        let can_stand = |&&(kind, _): &&Filler| {
            let mut surroundings = places
                .iter()
                .filter_map(|&node| surroundings(document, node));
            surroundings.any(|(siblings, place)| siblings.can_stand(place, kind))
        };
        let &(_, text) = fillers.into_iter().flatten().find(can_stand)?;
        let range = document.node(places[0]).range();
        self.changes.put(range, text);
        Some(())
    }
}

/// Whether a node is a leaf that means what a name means.
fn is_use_of(document: &Document, node: NodeId, name: NodeId) -> bool {
    document.is_leaf(node)
        && document.text(node) == document.text(name)
        && !is_member_of_another(document, node)
}

/// Whether a leaf is a part of something that is told before it.
fn is_member_of_another(document: &Document, leaf: NodeId) -> bool {
    let before = document.bytes()[..document.node(leaf).range().start].trim_ascii_end();
    let marks: [&[u8]; 3] = [b".", b"->", b"::"];
    marks.iter().any(|mark| before.ends_with(mark)) && !before.ends_with(b"...")
}

/// What a node is the start of, if that is looked up in it or made of it.
fn looked_up_in(document: &Document, node: NodeId) -> Option<NodeId> {
    let above = document.node(node).parent;
    let row = document.row(above);
    let is_start = match row[..] {
        [first, second, ..] if first == node => {
            document.text(second) == b"::" || document.has_role(second, Role::TypeArguments)
        }
        // A word says that a type is looked up.
        [first, second] if second == node => {
            document.is_leaf(first)
                && !document.node(first).is_named()
                && document.text(first).iter().all(u8::is_ascii_lowercase)
        }
        _ => false,
    };
    is_start.then_some(above)
}
