//! What the parts of a row mean that make names known which others declare.

use super::{Context, dependencies::Parts, names::Declaration, namespaces};
use crate::syntax::NodeId;
use rustc_hash::FxHashMap;

/// Of more declarations of its name an import means any.
const MOST_MEANT: usize = 200;

/// By part that makes a name known: the parts that declare that name where it says. `declarers`: by name, in order; `is_own`: whether
/// a node stands in no body of its part. Cost: linear in the document, and in the imports of a name times its declarations.
pub(super) fn imported(
    context: &Context,
    parts: &Parts,
    declarers: &[Vec<u32>],
    is_own: impl Fn(NodeId) -> bool,
) -> FxHashMap<u32, Vec<u32>> {
    let (document, names) = (context.document(), context.names());
    let part_of = |leaf: NodeId| parts.around(leaf).map(|(_, part)| part);
    // What a class takes over from another one is known in it only.
    let is_known = |declaration: &&Declaration| {
        let declarers = &declarers[declaration.name as usize];
        part_of(declaration.leaf).is_some_and(|part| declarers.binary_search(&part).is_ok())
    };
    let known = names.declarations.iter().filter(is_known);
    let (imports, others): (Vec<&Declaration>, Vec<&Declaration>) =
        known.partition(|declaration| declaration.imports);
    let mut leaves: FxHashMap<u32, Vec<NodeId>> = FxHashMap::default();
    for import in &imports {
        leaves.entry(import.name).or_default();
    }
    for declaration in others {
        if let Some(leaves) = leaves.get_mut(&declaration.name) {
            leaves.push(declaration.leaf);
        }
    }
    let imports = imports
        .iter()
        .filter(|import| (1..=MOST_MEANT).contains(&leaves[&import.name].len()))
        .map(|import| (import.leaf, leaves[&import.name].clone()));
    let operators = operators(context).filter(|(import, _)| is_own(*import));
    let imports = imports.chain(operators);
    let mut imported: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (import, meant) in namespaces::meant_by_imports(document, imports) {
        if let Some(part) = part_of(import) {
            let meant = meant.into_iter().filter_map(part_of);
            imported.entry(part).or_default().extend(meant);
        }
    }
    imported
}

/// Where operators are made known, by the words before their signs, each with the leaves that declare one of that sign.
fn operators(context: &Context) -> impl Iterator<Item = (NodeId, Vec<NodeId>)> {
    let (document, names) = (context.document(), context.names());
    let mut own: FxHashMap<&[u8], Vec<NodeId>> = FxHashMap::default();
    for &sign in &names.own_operators {
        own.entry(document.text(sign)).or_default().push(sign);
    }
    names.imported_operators.iter().filter_map(move |&sign| {
        let own = own.get(document.text(sign));
        let own = own.filter(|own| own.len() <= MOST_MEANT)?;
        Some((document.node(sign).parent + 1, own.clone()))
    })
}
