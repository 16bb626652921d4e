//! A function's body at its call, with variables for what the call gives.

use super::{call::Call, types::is_type};
use crate::{
    pass::{
        arguments::list_beside,
        elements::elements_of,
        in_place::{is_name, part_with},
    },
    syntax::{NodeId, Role, Splice},
};

/// What gets a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// All that is more than a name.
    Values,
    /// Of that only what is a word itself: an expression may be one that cannot be copied.
    Words,
}

/// What stands for a parameter where the body of its function stands at a call.
enum Instead {
    /// What it is given, or nothing.
    Argument,
    /// A variable with that value, as it is declared.
    Variable(Vec<u8>),
}

impl Call<'_> {
    /// The function's body in the place of the statement that calls it, with variables for the parameters that are given more than
    /// a name: a value alone does not have the parameter's type.
    pub(super) fn body_with_variables(&self) -> Option<Splice> {
        self.body_with(Which::Values)
    }

    /// The same with variables for words alone, where other values are given, too.
    pub(super) fn body_with_words(&self) -> Option<Splice> {
        let mut given = self.given.iter();
        given.find(|&&it| self.is_value(it) && !self.document.is_leaf(it.1))?;
        self.body_with(Which::Words)
    }

    /// Whether a parameter is given more than a name.
    fn is_value(&self, (parameter, argument): (NodeId, NodeId)) -> bool {
        !is_type(self.document, parameter) && !is_name(self.document, argument)
    }

    fn body_with(&self, which: Which) -> Option<Splice> {
        let is_block = self.document.text(self.body).starts_with(b"{");
        let (mut declarations, mut plain) = (Vec::new(), Vec::new());
        for &(parameter, argument) in self.given.iter().filter(|_| is_block) {
            match self.instead(parameter, argument, which)? {
                Instead::Variable(declaration) => declarations.push(declaration),
                Instead::Argument => plain.push((parameter, argument)),
            }
        }
        if declarations.is_empty() {
            return None;
        }
        let mut with_plain = self.clone();
        with_plain.given = plain;
        let start = self.range(self.body).start + 1;
        let declarations = Splice::replacement(start..start, &declarations.join(&b' '));
        self.replaced(|fits, at| {
            let is_fit = fits(&[self.document.shape(self.body)]);
            is_fit.then(|| with_plain.text(&self.nodes(self.body), at, vec![declarations.clone()]))
        })
    }

    /// What stands for a parameter in the body. `None` where the language has no variables for that.
    fn instead(&self, parameter: NodeId, argument: NodeId, which: Which) -> Option<Instead> {
        let Self {
            document, names, ..
        } = *self;
        let is_meant = which == Which::Values || document.is_leaf(argument);
        if !self.is_value((parameter, argument)) || !is_meant {
            return Some(Instead::Argument);
        }
        let forms = &document.language()?.facts().variables;
        let declared = names.declared_in(&self.nodes(parameter)).first();
        let form = match declared {
            None if document.is_leaf(argument) => return Some(Instead::Argument),
            None => &forms.nameless,
            Some(_) if self.is_of_deduced_type(parameter) => &forms.of_any_type,
            Some(_) => &forms.of_its_type,
        };
        let text = |node: Option<NodeId>| {
            let text = node.map_or_else(Vec::new, |node| {
                part_with(
                    document,
                    &self.range(node),
                    self.types_in(&self.nodes(node)),
                )
            });
            String::from_utf8(text).ok()
        };
        let text = form
            .replace("{parameter}", &text(Some(parameter))?)
            .replace("{name}", &text(declared.map(|it| it.leaf))?)
            .replace("{value}", &text(Some(argument))?);
        (!form.is_empty()).then(|| Instead::Variable(text.into_bytes()))
    }

    /// Whether the type of a parameter is one that only its argument tells.
    fn is_of_deduced_type(&self, parameter: NodeId) -> bool {
        let types = list_beside(self.document, self.function, Role::TypeParameters);
        let types = types.map_or_else(Vec::new, |list| elements_of(self.document, list));
        let is_given = |it: NodeId| self.given.iter().any(|&(parameter, _)| parameter == it);
        let nodes = self.nodes(parameter);
        let mut deduced = types.into_iter().filter(|&it| !is_given(it));
        deduced.any(|it| !self.mentions(it, &nodes).is_empty())
    }
}
