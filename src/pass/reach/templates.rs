//! What a name with arguments behind it can mean where a type stands: a template, and no function or variable that has its name, too.

use super::{Reach, overloads::in_order, place::Place};
use rustc_hash::FxHashMap;

impl Reach {
    /// Gives uses of names with arguments, where a type stands, a number of their own for the templates among the declarations. What
    /// has such a number already, by how it is written, keeps it.
    /// Cost: linear in the declarations and uses.
    pub(super) fn tell_templates(&mut self, place: &Place) {
        let (document, names) = (place.context.document(), place.context.names());
        if !names.has_instances() {
            return;
        }
        let mut templates: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for declaration in &names.declarations {
            if names.is_template(document, declaration)
                && let Some(part) = place.exported(declaration)
            {
                templates.entry(declaration.name).or_default().push(part);
            }
        }
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        for at in 0..self.uses.len() {
            let (leaf, name) = self.uses[at];
            if !names.is_instance(leaf) {
                continue;
            }
            let Some(parts) = templates.get(&name) else {
                continue;
            };
            let number = numbers.entry(name);
            self.uses[at].1 =
                *number.or_insert_with(|| self.number(name, in_order(parts.iter().copied())));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pass::reach::tests::check;

    #[test]
    fn a_name_with_arguments_means_a_template_where_a_type_stands() {
        let text = "template<class T> T a(T b); template<class T> struct a { a(T); }; struct c { int a; }; a<int> d();";
        check(text, &[1, 3]);
        check(&text.replace("a<int> d", "int d(int e = a(1))"), &[0, 1, 3]);
        check("struct c { int a; }; a<int> d();", &[1]);
    }
}
