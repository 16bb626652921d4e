//! How the names of a document tell what its parts are to each other.

use super::{MANNERS, Reach, as_end, narrow, place::Place};
use crate::{
    grammar::Kind,
    pass::{
        Context, Proposal,
        dependencies::{Parts, ends},
        exports::is_behind_dot,
        heads, imports,
        names::Declaration,
        namespaces,
        proposal::fingerprint,
        unended::unended_parts,
    },
    syntax::{Document, NodeId, Role},
};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{borrow::Cow, ops::Range};

impl Reach {
    /// Of the parts that these proposals take, which are in document order and lie in each other or side by side: what lies in
    /// another part is a member of it. Cost: linear in the document. Without declared names there is nothing to reach.
    pub fn of(context: &Context, row: &[Proposal]) -> Self {
        Self::with_bodies(context, row, &[])
    }

    /// The same, where some parts are bodies of functions: these have no use of their own, and stay with their functions.
    pub fn with_bodies(context: &Context, row: &[Proposal], bodies: &[usize]) -> Self {
        if context.names().declarations.is_empty() {
            return Self::default();
        }
        let place = Place::of(context, row);
        let mut reach = Self::unknown(context, row);
        reach.note_members(context.document(), row);
        let of_function = |&body: &usize| Some((reach.outer[body]? as usize, body));
        let bodies: FxHashMap<usize, usize> = bodies.iter().filter_map(of_function).collect();
        reach.is_whole.extend(bodies.keys().copied());
        reach.note_owned(&place);
        reach.note_declarations(&place);
        let is_own = |node| place.is_own(node);
        reach.imported = imports::imported(context, &place.parts, &reach.declarers, is_own);
        reach.note_uses(&place, row);
        reach.note_unwritten(&place);
        reach.note_unseen(&place);
        reach.note_overriding(&place);
        reach.tell_manners(&place);
        reach.tell_templates(&place);
        reach.tell_overloads(&place);
        reach.note_makers(&place);
        reach.note_implementations(&place);
        reach.note_calculated(&place);
        reach.note_heads(&place);
        reach.note_operators(context, &place.parts);
        reach.note_kinds(&place);
        reach.note_acting_imports(context.document());
        reach.note_held(context.document(), row);
        let lists = reach.used.iter_mut().chain(&mut reach.heads);
        let lists = lists.chain(&mut reach.called);
        for names in lists.chain(&mut reach.operators).chain([&mut reach.always]) {
            names.sort_unstable();
            names.dedup();
        }
        reach.note_keys(context, &bodies);
        reach
    }

    fn unknown(context: &Context, row: &[Proposal]) -> Self {
        let none = FixedBitSet::with_capacity(row.len());
        Self {
            used: vec![Vec::new(); row.len()],
            heads: vec![Vec::new(); row.len()],
            uses: Vec::new(),
            is_named: vec![false; row.len()],
            imported: FxHashMap::default(),
            taken_over: FxHashMap::default(),
            is_import: none.clone(),
            is_further: none.clone(),
            is_owned: none.clone(),
            is_used_through: none.clone(),
            is_only: none.clone(),
            is_calculated: none.clone(),
            own_operator: vec![None; row.len()],
            operators: vec![Vec::new(); row.len()],
            is_seen: FixedBitSet::default(),
            declarers: vec![Vec::new(); context.names().texts.len()],
            overloads: Vec::new(),
            calls: Vec::new(),
            called: vec![Vec::new(); row.len()],
            always: Vec::new(),
            staying: unended_parts(context.document(), row),
            outer: vec![None; row.len()],
            behind: ends(row),
            is_whole: none.clone(),
            is_unseen: none.clone(),
            held: none.clone(),
            are_alike: !context
                .document()
                .language()
                .is_some_and(|it| it.facts().overloads),
            keys: Vec::new(),
            certain: none.clone(),
            acting: none.clone(),
            beside: none.clone(),
            placed: none.clone(),
            are_places_needed: context.is_needed(Self::key_of_places()),
            ends: none,
        }
    }

    /// Notes what is a member of what, and which parts have nothing but data.
    fn note_members(&mut self, document: &Document, row: &[Proposal]) {
        let is_function = functions(document, row);
        for part in 0..row.len() {
            let members = self.members(part);
            self.outer[members.clone()].fill(Some(narrow(part)));
            let is_plain = members.clone().all(|member| !is_function.contains(member));
            self.is_whole.set(part, is_plain);
        }
    }

    /// Notes which parts declare what for others. What is declared apart from its declaration needs that; and what only looks so to
    /// the grammar is a use.
    fn note_declarations(&mut self, place: &Place) {
        let (document, names) = (place.context.document(), place.context.names());
        let facts = document.language().map(|language| language.facts());
        let unseen = facts.iter().flat_map(|facts| &facts.used_unseen);
        let unseen: FxHashSet<&[u8]> = unseen.map(String::as_bytes).collect();
        let mut is_plain = FixedBitSet::with_capacity(names.texts.len());
        let is_elsewhere = |declaration: &&Declaration| declaration.is_elsewhere(document);
        for declaration in &names.declarations {
            let (leaf, name) = (declaration.leaf, declaration.name);
            let Some(part) = place.exported(declaration) else {
                if declaration.specialises {
                    self.uses.push((leaf, name));
                }
                continue;
            };
            self.is_named[part as usize] = true;
            self.declarers[name as usize].push(part);
            if declaration.imports || declaration.specialises {
                self.is_further.insert(part as usize);
                self.uses.push((leaf, name));
            }
            if declaration.imports {
                self.is_import.insert(part as usize);
            }
            if names.is_used_through(leaf) {
                self.is_used_through.insert(part as usize);
            }
            if declaration.imports && self.outer[part as usize].is_some() {
                self.taken_over.entry(name).or_default().push(part);
            }
            if !is_elsewhere(&declaration) {
                is_plain.insert(name as usize);
            }
            if unseen.contains(&*names.texts[name as usize]) {
                self.is_unseen.insert(part as usize);
            }
        }
        self.note_needed(place);
        self.note_forward(place);
        // A part goes on behind its members.
        for declarers in &mut self.declarers {
            declarers.sort_unstable();
        }
        self.note_only();
        self.is_whole.union_with(&self.is_unseen);
        let apart = names.declarations.iter().filter(is_elsewhere);
        let apart = apart.filter(|declaration| is_plain.contains(declaration.name as usize));
        for declaration in apart {
            self.uses.push((declaration.leaf, declaration.name));
            let part = place.exported(declaration);
            self.is_further.extend(part.map(|part| part as usize));
        }
    }

    /// Notes the members that are the only ones of their names.
    fn note_only(&mut self) {
        for declarers in &self.declarers {
            let member = |&part: &u32| self.outer[part as usize].map(|outer| (outer, part));
            let mut members: Vec<(u32, u32)> = declarers.iter().filter_map(member).collect();
            members.sort_unstable();
            members.dedup();
            let alone = members.chunk_by(|one, next| one.0 == next.0);
            let alone = alone.filter(|members| members.len() == 1);
            let alone = alone.map(|members| members[0].1 as usize);
            self.is_only.extend(alone);
        }
    }

    /// What only says that there is a type says more of what defines it, where that is.
    fn note_forward(&mut self, place: &Place) {
        let document = place.context.document();
        let declarations = place.context.names().declarations.iter();
        let types =
            declarations.filter(|declaration| declaration.is_type && !declaration.specialises);
        let is_defined = |declaration: &&Declaration| {
            document
                .child_in_field(declaration.declarer, "body")
                .is_some()
        };
        let (defined, forward): (Vec<_>, Vec<_>) = types.partition(is_defined);
        let kind = |declaration: &Declaration| document.node(declaration.declarer).kind;
        let defined = defined.into_iter().map(|it| (it.name, kind(it)));
        let defined: FxHashSet<(u32, Kind)> = defined.collect();
        let forward = forward
            .into_iter()
            .filter(|it| defined.contains(&(it.name, kind(it))));
        let forward = forward.filter_map(|declaration| place.exported(declaration));
        self.is_further.extend(forward.map(|part| part as usize));
    }

    /// Notes where names of other parts are used. Behind a dot only a member can be meant.
    fn note_uses(&mut self, place: &Place, row: &[Proposal]) {
        let (document, names) = (place.context.document(), place.context.names());
        let inner = place.inner_scopes();
        // What is written in the place of a name means nothing that is declared.
        let facts = document.language().map(|language| language.facts());
        let blank = facts.map_or(&b""[..], |facts| facts.blank.as_bytes());
        for (name, uses) in (0..).zip(&names.uses) {
            let declarers = &self.declarers[name as usize];
            if declarers.is_empty() || *names.texts[name as usize] == *blank {
                continue;
            }
            let mut of_members = declarers.iter();
            let of_members = of_members.any(|&declarer| {
                place.walls_around(row[declarer as usize].nodes().start) > 0
                    || self.is_owned[declarer as usize]
                    || self.is_used_through[declarer as usize]
                    || place.is_named_behind_dot(row[declarer as usize].nodes().start)
            });
            for &leaf in uses {
                if !of_members && is_behind_dot(document, leaf) {
                    continue;
                }
                let is_inner = || {
                    MANNERS.iter().any(|&manner| {
                        let scopes = inner.get(&(name, manner));
                        scopes.is_some_and(|scopes| lies_in(scopes, leaf))
                            && names.can_mean(name, manner, leaf)
                    })
                };
                if is_inner() && namespaces::qualifier(document, leaf).is_none() {
                    continue;
                }
                match place.parts.around(leaf) {
                    Some((_, part)) if *declarers == [part] => {}
                    Some((_, part)) => {
                        let is_own = declarers.binary_search(&part).is_ok();
                        if is_own && namespaces::is_other_in_own_alias(document, leaf) {
                            self.is_further.insert(part as usize);
                        }
                        self.uses.push((leaf, name));
                    }
                    None => self.always.push(name),
                }
            }
        }
    }

    /// Notes the names in what the parser does not see, where that changes what it stands beside means.
    fn note_unseen(&mut self, place: &Place) {
        let (document, names) = (place.context.document(), place.context.names());
        let Some(language) = document.language() else {
            return;
        };
        let is_unseen = |id: NodeId| language.is_needed_unseen(document.text(id));
        let comments = (0..).zip(document.nodes());
        let comments = comments.filter(|(_, node)| node.is_comment());
        let unseen = comments.map(|(id, _)| id).filter(|&id| is_unseen(id));
        let words =
            unseen.flat_map(|id| namespaces::words(document.text(id)).map(move |it| (it, id)));
        let mut places: FxHashMap<&[u8], Vec<NodeId>> = FxHashMap::default();
        for (word, id) in words {
            places.entry(word).or_default().push(id);
        }
        if places.is_empty() {
            return;
        }
        for (name, text) in (0..).zip(&names.texts) {
            let places = places.get(&**text).into_iter().flatten();
            self.uses.extend(places.map(|&id| (id, name)));
        }
    }

    /// Notes the names that some kinds of nodes mean without saying them.
    fn note_unwritten(&mut self, place: &Place) {
        let (document, names) = (place.context.document(), place.context.names());
        let Some(language) = document
            .language()
            .filter(|it| !it.facts().used_with.is_empty())
        else {
            return;
        };
        let with = language.facts().used_with.iter();
        let with = with.filter_map(|(kind, words)| {
            let kind = language.grammar().kinds().find(kind, true)?;
            Some((kind, names.numbers_of(words)))
        });
        let with: Vec<(Kind, Vec<u32>)> = with.filter(|(_, names)| !names.is_empty()).collect();
        for (id, node) in (0..).zip(document.nodes()) {
            let found = with.iter().find(|(kind, _)| *kind == node.kind);
            let meant = found.map_or(&[][..], |(_, names)| names);
            self.uses.extend(meant.iter().map(|&name| (id, name)));
        }
    }

    /// Notes the parts of whose heads something is calculated.
    fn note_calculated(&mut self, place: &Place) {
        let (document, names) = (place.context.document(), place.context.names());
        let is_calculated = |&&head: &&NodeId| {
            let mut inside = head..document.node(head).end_id;
            place.is_own(head) && inside.any(|node| names.is_calculation(node))
        };
        let calculated = names.heads.iter().filter(is_calculated);
        let calculated = calculated.filter_map(|&head| place.part_around(head));
        self.is_calculated
            .extend(calculated.map(|part| part as usize));
    }

    /// Notes what does something when the program starts, which it does in a body when that is run; and what else parts are by the kinds
    /// of what they declare.
    fn note_kinds(&mut self, place: &Place) {
        let names = place.context.names();
        let own = |node: &NodeId| {
            let part = place.part_around(*node).filter(|_| place.is_own(*node));
            part.map(|part| part as usize)
        };
        self.acting.extend(names.acting.iter().filter_map(own));
        self.placed.extend(names.placed.iter().filter_map(own));
        let beside = names.declarations.iter();
        let beside = beside.filter(|it| names.is_beside(it.declarer));
        self.beside.extend(beside.filter_map(|it| own(&it.leaf)));
    }

    fn note_heads(&mut self, place: &Place) {
        let is_head = heads::types_in(place.context, |head| place.is_own(head));
        for &(leaf, number) in &self.calls {
            if let Some(part) = place.part_around(leaf) {
                self.called[part as usize].push(number);
            }
        }
        for &(leaf, name) in &self.uses {
            if let Some(part) = place.part_around(leaf) {
                self.used[part as usize].push(name);
                if is_head.contains(leaf as usize) {
                    self.heads[part as usize].push(name);
                }
            }
        }
    }

    /// A part is known again by the names that it declares and those in its heads, without a name by those that it uses: what is in
    /// its body may change. `bodies` are the parts that are bodies, by those of their functions.
    fn note_keys(&mut self, context: &Context, bodies: &FxHashMap<usize, usize>) {
        let mut own = vec![Vec::new(); self.used.len()];
        let names = context.names().texts.len();
        for (name, declarers) in (0..).zip(&self.declarers[..names]) {
            for &part in declarers {
                own[part as usize].push(name);
            }
        }
        let text = |&name: &u32| &*context.names().texts[self.name_of(name) as usize];
        let all_used = |part: usize| match bodies.get(&part) {
            Some(&body) => {
                let mut used = [&self.used[part][..], &self.used[body]].concat();
                used.sort_unstable();
                used.dedup();
                Cow::Owned(used)
            }
            None => Cow::Borrowed(&self.used[part][..]),
        };
        let key = |(part, own): (usize, &Vec<u32>)| {
            let others = if own.is_empty() {
                all_used(part)
            } else {
                Cow::Borrowed(&self.heads[part][..])
            };
            let words: Vec<&[u8]> = own.iter().chain(&*others).map(text).collect();
            fingerprint(&words)
        };
        let keys: Vec<u64> = own.iter().enumerate().map(key).collect();
        for (part, &key) in keys.iter().enumerate() {
            self.certain.set(part, context.is_needed(key));
            self.ends.set(part, context.is_needed(as_end(key)));
        }
        self.keys = keys;
    }

    /// Notes which operators the parts declare and use. What stands outside of all parts uses none that is declared.
    fn note_operators(&mut self, context: &Context, parts: &Parts) {
        let part_of = |&leaf: &NodeId| parts.around(leaf).map(|(_, part)| part as usize);
        let operators = context.names().declared_operators(context.document());
        let is_applied = |number: &usize| !operators[*number][1].is_empty();
        self.is_seen = (0..operators.len()).filter(is_applied).collect();
        for (number, [own, applied]) in (0..).zip(&operators) {
            for part in own.iter().filter_map(part_of) {
                self.own_operator[part] = Some(number);
            }
            for part in applied.iter().filter_map(part_of) {
                self.operators[part].push(number);
            }
        }
    }
}

/// Whether a leaf lies in one of some ranges, which are in order.
fn lies_in(ranges: &[Range<NodeId>], leaf: NodeId) -> bool {
    let place = ranges.partition_point(|range| range.end <= leaf);
    ranges.get(place).is_some_and(|range| range.start <= leaf)
}

/// The parts that have parameters. What stands in brackets before them only points to what has them.
fn functions(document: &Document, row: &[Proposal]) -> FixedBitSet {
    let is_pointer = |parameters: NodeId| {
        let around = document.node(parameters).parent;
        let declared = document.child_in_field(around, "declarator");
        declared.is_some_and(|declared| document.text(declared).starts_with(b"("))
    };
    let has_parameters = |part: &Proposal| {
        let mut nodes = part.takes.iter().flat_map(Clone::clone);
        nodes.any(|node| document.has_role(node, Role::Parameters) && !is_pointer(node))
    };
    let parts = row.iter().enumerate();
    let functions = parts.filter(|(_, part)| has_parameters(part));
    functions.map(|(part, _)| part).collect()
}
