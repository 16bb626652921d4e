//! Which parts of a document others reach by names: what is left when all but that goes is mostly a program still.
//!
//! A part reaches the parts that declare a name that it uses. Where the members of types are no parts of their own, they are
//! reached through the type, so a name behind a dot ties nothing together: words like `size` or `value` would tie the whole of a
//! library. Where they are, a member is reached by its name if its type is reached: a type of which two members are used then
//! needs only what these two use. What a function, or the parameters of a template, have for their own is no use of anything
//! else. A member that no reached type has is not looked for in others: behind what stands for any type it needs no declaration.
//! A part that declares nothing by a name (an operator, an assertion) comes along when all that it mentions does; and of those
//! that share a name, the ones are meant whose [`heads`](super::heads) are reached as well. Union of closures as in Kalhauge and
//! Palsberg, "Binary reduction of dependency graphs" (2019), over an approximation by names alone.

mod bases;
mod closure;
mod held;
mod manners;
mod notes;
mod overloads;
mod place;
mod templates;
#[cfg(test)]
mod tests;

pub(super) use bases::needed_members;

use super::proposal::fingerprint;
use crate::{pass::names::Manner, syntax::NodeId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::{iter, ops::Range};

const MANNERS: [Manner; 3] = [Manner::Any, Manner::Bare, Manner::Member];

/// Which parts are meant by those that are reached already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meant {
    /// Of parts that share a name those whose heads are known; of parts without a name those that mention nothing that is not,
    /// members of what is known, and operators that are used on what is known.
    Least,
    /// Those whose heads are known, with a name or without, and what does something when the program starts. Of members only those of
    /// what is reached: a name behind what stands for any type needs no declaration. The only member of its name is meant in any case.
    ByHeads,
    /// The same; and of a name that nothing declares then all that do, with what they are members of.
    Widely,
    /// The same, and all members that have places of their own in the objects of their types: what is compiled elsewhere, and values
    /// that are given in the order of the members, tell them by these.
    Placed,
    /// All parts that share a name, of those without the ones whose heads are known, and the members that have places of their own.
    Most,
}

impl Meant {
    /// Whether members that have places of their own are meant with their types.
    pub fn keeps_places(self) -> bool {
        match self {
            Self::Least | Self::ByHeads | Self::Widely => false,
            Self::Placed | Self::Most => true,
        }
    }

    /// The next way, which takes more for meant.
    pub fn wider(self) -> Option<Self> {
        match self {
            Self::Least => Some(Self::ByHeads),
            Self::ByHeads => Some(Self::Widely),
            Self::Widely => Some(Self::Placed),
            Self::Placed => Some(Self::Most),
            Self::Most => None,
        }
    }
}

/// What reaches what among the parts of one row.
#[derive(Debug, Default)]
pub struct Reach {
    /// By part: the names of other parts that it uses.
    used: Vec<Vec<u32>>,
    /// The same, those that must be known for the part to be meant: of its parameters, of what it specialises or belongs to.
    heads: Vec<Vec<u32>>,
    /// By part: whether it declares a name for others.
    is_named: Vec<bool>,
    /// By part that makes known what others declare: those parts.
    imported: FxHashMap<u32, Vec<u32>>,
    /// By name: the members that take it over from another type.
    taken_over: FxHashMap<u32, Vec<u32>>,
    /// By part: whether it makes a name known that is declared elsewhere.
    is_import: FixedBitSet,
    /// By part: whether it only says more of what another part declares.
    is_further: FixedBitSet,
    /// By part: whether it is used by the names of its members.
    is_used_through: FixedBitSet,
    /// By part: whether it is a member, and the only one of its name there.
    is_only: FixedBitSet,
    /// By part: whether something that it takes is calculated, so that its heads do not say all of it.
    is_calculated: FixedBitSet,
    /// By part: whether it is a member that is defined apart from what it belongs to.
    is_owned: FixedBitSet,
    /// By part: the operator that it declares, and those that it uses, by their numbers.
    own_operator: Vec<Option<u32>>,
    operators: Vec<Vec<u32>>,
    /// The operators that some expression applies.
    is_seen: FixedBitSet,
    /// By name: the parts that declare it; behind all names the same for some of these only.
    declarers: Vec<Vec<u32>>,
    /// The names of which some declarations have numbers of their own.
    overloads: Vec<u32>,
    /// The leaves that name what is called, each with the number of those declarations of which one must be known for that.
    calls: Vec<(NodeId, u32)>,
    /// By part: these numbers.
    called: Vec<Vec<u32>>,
    /// The leaves that use a name of another part, and which name; so do leaves that declare it once more.
    uses: Vec<(NodeId, u32)>,
    /// The names of parts that are used outside of all parts, in what stays.
    always: Vec<u32>,
    /// The parts that stay: those that end where the parser misses something, since what stands behind them belongs to them, part or
    /// not, and what a type needs that is no part.
    staying: FixedBitSet,
    /// By part: the part that it is a member of.
    outer: Vec<Option<u32>>,
    /// By part: the first part behind it that is no member of it.
    behind: Vec<u32>,
    /// The parts that keep all their members: all are data, so that what gives their values tells them by their places; or the
    /// language itself uses the part.
    is_whole: FixedBitSet,
    /// The parts that declare what the language itself uses.
    is_unseen: FixedBitSet,
    /// By part: whether it is named, and may not stay without a use.
    held: FixedBitSet,
    /// Whether nothing but their types tells members of one name apart.
    are_alike: bool,
    /// By part: what it is known by in a later document.
    keys: Vec<u64>,
    /// The parts that an earlier search found to be needed, if they are used.
    certain: FixedBitSet,
    /// And those that are needed for their own sake.
    ends: FixedBitSet,
    /// The parts that do something when the program starts, used or not.
    acting: FixedBitSet,
    /// The parts that are defined among the members of a type, but belong to what is around that.
    beside: FixedBitSet,
    /// The members that have places of their own in the objects of their types, and whether it is known that these are needed.
    placed: FixedBitSet,
    are_places_needed: bool,
}

impl Reach {
    /// The leaves that use names of other parts, each with the number of the name, or of some of those who declare it.
    pub fn uses(&self) -> &[(NodeId, u32)] {
        &self.uses
    }

    /// The leaves that name what is called, where one of some declarations must be known for that, each with the number of these.
    pub fn calls(&self) -> &[(NodeId, u32)] {
        &self.calls
    }

    /// By these numbers: the parts that declare what is meant.
    pub fn declarers(&self) -> &[Vec<u32>] {
        &self.declarers
    }

    /// Whether there is a part of this number.
    pub fn has_part(&self, part: u32) -> bool {
        (part as usize) < self.used.len()
    }

    /// Whether a part stays whatever reaches it.
    pub fn stays(&self, part: usize) -> bool {
        self.staying.contains(part)
    }

    /// Whether a part is a member that its type needs whoever names it.
    pub fn is_bound(&self, part: usize) -> bool {
        self.is_unseen[part] && (self.outer[part].is_some() || self.is_owned[part])
    }

    /// Whether a part declares a name for others.
    pub fn is_named(&self, part: usize) -> bool {
        self.is_named[part]
    }

    /// The parts that another part may use, by their names alone.
    pub fn used_parts(&self) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(self.used.len());
        for (user, names) in self.used.iter().enumerate() {
            let declarers = names
                .iter()
                .flat_map(|&name| &self.declarers[self.name_of(name) as usize]);
            found.extend(
                declarers
                    .map(|&part| part as usize)
                    .filter(|&part| part != user),
            );
        }
        found
    }

    /// All parts, each behind those that it uses and of whose names the document declares none earlier, but where parts use each other;
    /// else in document order. A member may be any of those that have its name, where nothing else tells these apart. Cost: linear in
    /// the uses and in what declares them.
    pub fn order(&self) -> Vec<u32> {
        let is_member = |part: usize| self.outer[part].is_some() || self.is_owned.contains(part);
        let mut order = Vec::new();
        let mut seen = FixedBitSet::with_capacity(self.used.len());
        let mut opened = FixedBitSet::with_capacity(self.declarers.len());
        for part in 0..self.used.len() {
            let mut open = vec![(part, 0)];
            while let Some((part, next)) = open.pop() {
                if next == 0 && seen.put(part) {
                    continue;
                }
                let names = &self.used[part];
                let is_open = |name: &u32| {
                    let declarers = self.declarers[*name as usize].iter();
                    let mut declarers = declarers.map(|&part| part as usize);
                    !opened.contains(*name as usize)
                        && (declarers.clone().all(|part| !seen.contains(part))
                            || self.are_alike
                                && declarers.any(|part| !seen.contains(part) && is_member(part)))
                };
                match names[next..].iter().position(is_open) {
                    Some(at) => {
                        open.push((part, next + at + 1));
                        let name = names[next + at] as usize;
                        opened.insert(name);
                        let declarers = &self.declarers[name];
                        open.extend(declarers.iter().rev().map(|&it| (it as usize, 0)));
                    }
                    None => order.push(narrow(part)),
                }
            }
        }
        order
    }

    /// For a part without a name: the names of what it takes or belongs to, if any, or all that it mentions.
    pub fn reasons(&self, part: usize) -> &[u32] {
        match (self.is_named[part], self.heads[part].as_slice()) {
            (true, _) => &[],
            (false, []) => &self.used[part],
            (false, heads) => heads,
        }
    }

    /// The names that nothing declares when these parts, which are in order, go.
    pub fn lost(&self, gone: &[u32]) -> FixedBitSet {
        let is_gone = |part: &u32| gone.binary_search(part).is_ok();
        let is_further = |part: &u32| self.is_further.contains(*part as usize);
        let is_lost = |&name: &u32| {
            let declarers = &self.declarers[name as usize];
            let mut first = declarers.iter().filter(|part| !is_further(part)).peekable();
            match first.peek() {
                Some(_) => first.all(is_gone),
                None => declarers.iter().all(is_gone),
            }
        };
        let mut lost = FixedBitSet::with_capacity(self.declarers.len());
        let names = 0..u32::try_from(self.declarers.len()).unwrap_or(u32::MAX);
        lost.extend(names.filter(is_lost).map(|name| name as usize));
        lost
    }

    /// The parts without a name, or that are not reached, that mention what is [`lost`](Self::lost) when these parts, which are in
    /// order, go; and the members that are not reached and may take a name over from one of them. In order.
    pub fn bereft(
        &self,
        gone: &[u32],
        lost: &FixedBitSet,
        is_reached: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        let is_gone = |part: &u32| gone.binary_search(part).is_ok();
        let is_lost = |&name: &u32| lost.contains(name as usize);
        let parts = (0..).zip(&self.used);
        let is_weak = |part: u32| !self.is_named[part as usize] || !is_reached(part);
        let bereft = parts.filter(|&(part, names)| is_weak(part) && names.iter().any(is_lost));
        let bereft = bereft.map(|(part, _)| part);
        // From which type a member takes a name over cannot be told, so it may be any that has lost it.
        let is_member_gone = |part: &u32| is_gone(part) && self.outer[*part as usize].is_some();
        let is_short = |name: u32| self.declarers[name as usize].iter().any(is_member_gone);
        let short = self.taken_over.iter().filter(|(name, _)| is_short(**name));
        let short = short.flat_map(|(_, parts)| parts).copied();
        let mut bereft: Vec<u32> = bereft.chain(short.filter(|&it| !is_reached(it))).collect();
        bereft.sort_unstable();
        bereft.dedup();
        bereft
    }

    /// Whether a part declares an operator that some expression applies.
    pub fn is_applied(&self, part: usize) -> bool {
        let operator = self.own_operator[part];
        operator.is_some_and(|it| self.is_seen.contains(it as usize))
    }

    /// Whether a part stands among the members of another.
    pub fn is_member(&self, part: usize) -> bool {
        self.outer[part].is_some()
    }

    /// Whether a part is a member that has a place of its own in the objects of its type.
    pub fn is_placed(&self, part: usize) -> bool {
        self.placed.contains(part)
    }

    /// What it is known by in a later document that members keep their places.
    pub fn key_of_places() -> u64 {
        fingerprint(&[b"places"])
    }

    /// What a part that is needed for its own sake is known by in a later document.
    pub fn key_as_end(&self, part: usize) -> u64 {
        as_end(self.keys[part])
    }

    /// What a part is known by in a later document.
    pub fn key(&self, part: usize) -> u64 {
        self.keys[part]
    }

    /// The part around all parts that this one lies in, or the part itself.
    pub fn outermost(&self, part: usize) -> usize {
        let outer = |&part: &usize| self.outer[part].map(|it| it as usize);
        iter::successors(Some(part), outer).last().unwrap_or(part)
    }

    /// The last so many parts that are no members of others, with their members.
    pub fn last(&self, count: usize) -> Range<usize> {
        let parts = 0..self.outer.len();
        let mut outermost = parts.rev().filter(|&part| self.outer[part].is_none());
        outermost.nth(count - 1).unwrap_or(0)..self.outer.len()
    }

    /// The members of a part, and theirs.
    pub fn members(&self, part: usize) -> Range<usize> {
        part + 1..self.behind[part] as usize
    }

    /// The parts that an earlier search found to be needed for their own sake.
    pub fn ends(&self) -> &FixedBitSet {
        &self.ends
    }

    /// Whether some parts are members of others.
    pub fn has_members(&self) -> bool {
        self.outer.iter().any(Option::is_some)
    }

    /// Whether nothing is declared by a name, so that nothing reaches anything.
    pub fn is_empty(&self) -> bool {
        self.used.is_empty()
    }
}

fn as_end(key: u64) -> u64 {
    fingerprint(&[b"end", &key.to_le_bytes()])
}

fn narrow(part: usize) -> u32 {
    u32::try_from(part).unwrap_or(u32::MAX)
}
