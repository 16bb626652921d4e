//! Numbers for the kinds of visible nodes.

use rustc_hash::FxHashMap;

/// What a node is: a named kind ("identifier") or an anonymous token (","). The two are numbered together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(pub u16);

impl Kind {
    /// What the parser did not understand.
    pub const ERROR: Self = Self(0);
}

/// The names behind the numbers.
#[derive(Clone, Debug)]
pub struct Kinds {
    names: Vec<(Box<str>, bool)>,
    numbers: FxHashMap<(Box<str>, bool), Kind>,
}

impl Default for Kinds {
    fn default() -> Self {
        let mut kinds = Self {
            names: Vec::new(),
            numbers: FxHashMap::default(),
        };
        kinds.intern("ERROR", true);
        kinds
    }
}

impl Kinds {
    /// The number of a kind, new if it has none. More than 65,535 kinds share the number of errors.
    pub(super) fn intern(&mut self, name: &str, named: bool) -> Kind {
        if let Some(kind) = self.find(name, named) {
            return kind;
        }
        let Ok(number) = u16::try_from(self.names.len()) else {
            return Kind::ERROR;
        };
        self.names.push((name.into(), named));
        self.numbers.insert((name.into(), named), Kind(number));
        Kind(number)
    }

    /// The number of a kind.
    pub fn find(&self, name: &str, named: bool) -> Option<Kind> {
        self.numbers.get(&(name.into(), named)).copied()
    }

    /// The name of a kind, or the text of an anonymous token.
    pub fn name(&self, kind: Kind) -> &str {
        self.names
            .get(usize::from(kind.0))
            .map_or("ERROR", |(name, _)| name)
    }

    /// Whether a kind has a name; otherwise it is an anonymous token.
    pub fn is_named(&self, kind: Kind) -> bool {
        self.names
            .get(usize::from(kind.0))
            .is_none_or(|(_, named)| *named)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: errors have a number.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = Kind> + use<> {
        (0..u16::try_from(self.names.len()).unwrap_or(u16::MAX)).map(Kind)
    }
}
