//! What the parts of a row mean that make names known which others declare.

use super::{
    Context,
    dependencies::Parts,
    names::Declaration,
    namespaces::{self, Named},
};
use crate::syntax::NodeId;
use rustc_hash::FxHashMap;

/// Of more declarations where it says an import means any.
const MOST_MEANT: usize = 200;
/// Of more declarations and imports of its name it is not asked which stand there.
const MOST_NAMED: usize = 2000;

/// By part that makes a name known: the parts that declare that name where it says, or make it known there. `declarers`: by name, in
/// order; `is_own`: whether a node stands in no body of its part. Cost: linear in the document, and in the imports of a name times its
/// declarations and imports.
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
    let mut of_names: FxHashMap<u32, Named> = FxHashMap::default();
    for import in &imports {
        let of_name = of_names.entry(import.name).or_default();
        of_name.imports.push(import.leaf);
    }
    for declaration in others {
        if let Some(of_name) = of_names.get_mut(&declaration.name) {
            of_name.declared.push(declaration.leaf);
        }
    }
    let of_operators = operators(context, is_own);
    let all = of_names.values().chain(of_operators.values());
    let few = all
        .filter(|it| !it.declared.is_empty() && it.declared.len() + it.imports.len() <= MOST_NAMED);
    let mut imported: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (import, meant) in namespaces::meant_by_imports(document, few) {
        if meant.len() <= MOST_MEANT
            && let Some(part) = part_of(import)
        {
            let meant = meant.into_iter().filter_map(part_of);
            imported.entry(part).or_default().extend(meant);
        }
    }
    imported
}

/// By sign: where operators are made known, by the words before their signs, and the leaves that declare one.
fn operators(context: &Context, is_own: impl Fn(NodeId) -> bool) -> FxHashMap<&[u8], Named> {
    let (document, names) = (context.document(), context.names());
    let mut of_signs: FxHashMap<&[u8], Named> = FxHashMap::default();
    for &sign in &names.imported_operators {
        let import = document.node(sign).parent + 1;
        if is_own(import) {
            let of_sign = of_signs.entry(document.text(sign)).or_default();
            of_sign.imports.push(import);
        }
    }
    for &sign in &names.own_operators {
        if let Some(of_sign) = of_signs.get_mut(document.text(sign)) {
            of_sign.declared.push(sign);
        }
    }
    of_signs
}
