//! Which declarations of a name a use can mean by how it is written: as a member of something, or bare.

use super::{MANNERS, Reach, overloads::in_order, place::Place};
use crate::pass::names::Manner;
use rustc_hash::FxHashMap;

impl Reach {
    /// Gives the uses that mean only some of the declarations of their names, or none, a number of their own for these. Cost: linear in
    /// the declarations and uses.
    pub(super) fn tell_manners(&mut self, place: &Place) {
        let names = place.context.names();
        let mut declared: FxHashMap<(u32, Manner), Vec<u32>> = FxHashMap::default();
        for declaration in &names.declarations {
            if let Some(part) = place.exported(declaration) {
                let key = (declaration.name, declaration.manner);
                declared.entry(key).or_default().push(part);
            }
        }
        let mut numbers: FxHashMap<(u32, [bool; 3]), Option<u32>> = FxHashMap::default();
        for (leaf, name) in std::mem::take(&mut self.uses) {
            // What declares a name once more means all that declare it.
            let is_use = names.uses[name as usize].binary_search(&leaf).is_ok();
            let can_be = MANNERS.map(|manner| !is_use || names.can_mean(name, manner, leaf));
            let number = match can_be {
                [true, true, true] => Some(name),
                _ => *numbers.entry((name, can_be)).or_insert_with(|| {
                    let manners = MANNERS.iter().zip(can_be).filter(|(_, can_be)| *can_be);
                    let parts = manners.filter_map(|(&manner, _)| declared.get(&(name, manner)));
                    let parts = in_order(parts.flatten().copied());
                    (!parts.is_empty()).then(|| self.number(name, parts))
                }),
            };
            self.uses.extend(number.map(|number| (leaf, number)));
        }
    }
}
