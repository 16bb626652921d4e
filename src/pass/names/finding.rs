//! How the names of a document are found: what its marks say, less what declares nothing beside other declarations, and told apart
//! where one text means several things.

use super::{Declaration, Manner, Names, sharing};
use crate::pass::{
    arguments::parameters_of,
    marks::Marks,
    namespaces::{self, Declared, Split},
};
use crate::syntax::{Document, NodeId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

impl Names {
    /// Finds the names of a document. Cost: as parsing it, linear in its nodes times the depth of declarators, and as sorting the
    /// declarations.
    pub fn of(document: &Document) -> Self {
        let mut names = Self::default();
        let Some(query) = document.language().and_then(|language| language.locals()) else {
            return names;
        };
        let marks = Marks::of(document, query);
        let mut numbers: FxHashMap<(&[u8], bool), u32> = FxHashMap::default();
        let mut assigned: FxHashSet<NodeId> = FxHashSet::default();
        for leaf in marks.reference.ones() {
            let leaf = NodeId::try_from(leaf).unwrap_or(NodeId::MAX);
            if !document.is_leaf(leaf) {
                continue;
            }
            let definition = marks.definition(document, leaf);
            let imports = definition.is_some_and(|node| marks.import.contains(node as usize));
            let text = document.text(leaf);
            let text = if imports { last_of_path(text) } else { text };
            let is_suffix = marks.suffix.contains(leaf as usize);
            let number = *numbers.entry((text, is_suffix)).or_insert_with(|| {
                names.texts.push(text.into());
                names.uses.push(Vec::new());
                u32::try_from(names.texts.len() - 1).unwrap_or(u32::MAX)
            });
            match definition {
                Some(definition) => {
                    let declarer = marks.declarer(document, definition);
                    if marks.is_assigned(definition) {
                        assigned.insert(leaf);
                    }
                    let specialises = marks.specialises(document, leaf, definition);
                    if specialises {
                        names.specialisations.entry(number).or_default().push(leaf);
                    }
                    names.declarations.push(Declaration {
                        leaf,
                        declarer,
                        scope: marks.scope(document, definition, declarer),
                        name: number,
                        imports,
                        specialises,
                        is_type: marks.is_type(definition),
                        manner: marks.definitions.of(definition),
                    });
                }
                None => names.uses[number as usize].push(leaf),
            }
        }
        names.heads = nodes(&marks.head);
        names.operators = nodes(&marks.operator);
        names.own_operators = nodes(&marks.own_operator);
        names.imported_operators = nodes(&marks.imported_operator);
        names.demote(&assigned);
        names.split(document, &marks);
        names.tell_apart(&marks);
        names.count_namesakes();
        names.owners = marks.owner;
        names.receivers = marks.receiver;
        names.through = marks.through;
        names.calculations = marks.calculation;
        names.early = marks.early;
        names.unevaluated = marks.unevaluated;
        names.acting = nodes(&marks.acting);
        names.beside = names.declared_around(document, &marks.beside);
        names.placed = nodes(&marks.placed);
        names.instances = nodes(&marks.instance);
        names.templates = nodes(&marks.template);
        names
    }

    /// Of the functions among the members of types that are no members, those whose names are declared in the file or a namespace as well
    /// and that do not take the type: others are only found by what they take.
    fn declared_around(&self, document: &Document, beside: &FixedBitSet) -> FixedBitSet {
        let is_in_type = |node: NodeId| {
            document.is_member(node) || document.is_member(document.node(node).parent)
        };
        let all = self.declarations.iter();
        let is_outside = |it: &&Declaration| it.scope.start == 0 && !is_in_type(it.declarer);
        let outside = all.clone().filter(is_outside).map(|it| it.name);
        let outside: FxHashSet<u32> = outside.collect();
        let found = all.filter(|it| beside.contains(it.declarer as usize));
        let found = found
            .filter(|it| outside.contains(&it.name) && !takes_type_around(document, it.declarer));
        found.map(|it| it.declarer as usize).collect()
    }

    /// Makes each type of a name that several namespaces declare a name of its own.
    fn split(&mut self, document: &Document, marks: &Marks) {
        let is_type = |leaf| {
            let definition = marks.definition(document, leaf).map(|it| it as usize);
            definition.is_some_and(|it| marks.types.contains(it) || marks.calculated.contains(it))
        };
        let declared = self.declarations.iter().map(|declaration| Declared {
            leaf: declaration.leaf,
            name: declaration.name,
            is_type: is_type(declaration.leaf),
            is_further: declaration.imports || declaration.specialises,
        });
        let declared: Vec<Declared> = declared.collect();
        let splits = namespaces::told_apart(document, &declared, &self.uses);
        let mut renamed: FxHashMap<NodeId, u32> = FxHashMap::default();
        for Split { name, others } in splits {
            for leaves in others {
                let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
                self.texts.push(self.texts[name as usize].clone());
                renamed.extend(leaves.into_iter().map(|leaf| (leaf, number)));
                let moved = |of: &mut Vec<NodeId>| {
                    let moved = of.extract_if(.., |leaf| renamed.get(leaf) == Some(&number));
                    moved.collect::<Vec<_>>()
                };
                let uses = moved(&mut self.uses[name as usize]);
                self.uses.push(uses);
                if let Some(specialised) = self.specialisations.get_mut(&name) {
                    let specialised = moved(specialised);
                    self.specialisations.insert(number, specialised);
                }
            }
        }
        for declaration in &mut self.declarations {
            if let Some(&number) = renamed.get(&declaration.leaf) {
                declaration.name = number;
            }
        }
    }

    /// Makes uses of the `assigned` declarations that are not the only ones of their names where they are seen: what gives a value
    /// to a name declares it only if nothing else does, so that several values for a name declare nothing.
    fn demote(&mut self, assigned: &FxHashSet<NodeId>) {
        if assigned.is_empty() {
            return;
        }
        let by_scope = |declaration: &Declaration| (declaration.name, declaration.scope.start);
        let mut order: Vec<usize> = (0..self.declarations.len()).collect();
        order.sort_by_key(|&index| by_scope(&self.declarations[index]));
        let mut shared: FxHashSet<NodeId> = FxHashSet::default();
        // The one whose scope ends last of those of a name so far.
        let mut widest: Option<&Declaration> = None;
        for index in order {
            let declaration = &self.declarations[index];
            let before = widest.filter(|it| it.name == declaration.name);
            if let Some(before) = before.filter(|it| declaration.scope.start < it.scope.end) {
                // What is declared inside, and not by a value, is another thing of that name, unless a value is given to it.
                let is_meant = declaration.scope.contains(&before.leaf);
                if is_meant || assigned.contains(&declaration.leaf) {
                    shared.extend([before.leaf, declaration.leaf]);
                }
            }
            if before.is_none_or(|it| it.scope.end < declaration.scope.end) {
                widest = Some(declaration);
            }
        }
        let is_use = |it: &Declaration| assigned.contains(&it.leaf) && shared.contains(&it.leaf);
        let mut touched: FxHashSet<u32> = FxHashSet::default();
        for used in self.declarations.extract_if(.., |it| is_use(it)) {
            self.uses[used.name as usize].push(used.leaf);
            touched.insert(used.name);
        }
        for name in touched {
            self.uses[name as usize].sort_unstable();
        }
    }

    fn count_namesakes(&mut self) {
        self.counts = vec![0; self.texts.len()];
        for declaration in &self.declarations {
            self.counts[declaration.name as usize] += 1;
            if !declaration.specialises {
                *self.sharing.entry(sharing(declaration)).or_default() += 1;
            }
        }
    }

    /// Sorts the uses of each name that is declared to be used in one manner only.
    fn tell_apart(&mut self, marks: &Marks) {
        for declaration in &self.declarations {
            let (name, manner) = (declaration.name, declaration.manner);
            if manner == Manner::Any || self.told_apart.contains_key(&(name, manner)) {
                continue;
            }
            let uses = &self.uses[name as usize];
            let can_mean = |&&leaf: &&NodeId| [Manner::Any, manner].contains(&marks.uses.of(leaf));
            let meant: Vec<NodeId> = uses.iter().filter(can_mean).copied().collect();
            if meant.len() < uses.len() {
                self.told_apart.insert((name, manner), meant);
            }
        }
    }
}

fn nodes(marked: &FixedBitSet) -> Vec<NodeId> {
    let nodes = marked.ones().map(NodeId::try_from);
    nodes.filter_map(Result::ok).collect()
}

/// What is imported under a path is known by its last word.
fn last_of_path(text: &[u8]) -> &[u8] {
    text.rsplit(|&byte| byte == b'/').next().unwrap_or(text)
}

/// Whether the parameters of a function name the type among whose members it stands.
fn takes_type_around(document: &Document, function: NodeId) -> bool {
    let mut around = document.around(function).skip(1);
    let named = around.find_map(|node| document.child_in_field(node, "name"));
    let Some((name, parameters)) = named.zip(parameters_of(document, function)) else {
        return false;
    };
    // Behind the name of a template may stand what it is given.
    let leaf = (name..document.node(name).end_id).find(|&node| document.is_leaf(node));
    let mut inside = parameters..document.node(parameters).end_id;
    leaf.is_some_and(|leaf| {
        inside.any(|node| document.is_leaf(node) && document.text(node) == document.text(leaf))
    })
}
