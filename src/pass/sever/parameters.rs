//! Parameters of functions and of types, each with what is given for it.

use crate::{
    pass::{
        Context, Proposal, arguments,
        elements::elements_of,
        names::{Declaration, Manner, Names},
        proposal::fingerprint,
    },
    syntax::{Document, NodeId, Role},
};

/// No more uses of a name are taken for those of one parameter, wherever they are.
const MOST_USES: usize = 100;

/// A parameter with its arguments.
pub(super) struct Parameter {
    /// The parameter, and what each call gives for it.
    pub(super) places: Vec<NodeId>,
    /// The names that stand for it.
    pub(super) uses: Vec<NodeId>,
    pub(super) signature: u64,
}

/// The parameters of functions that are called, those of equal names together.
pub(super) fn parameters(context: &Context) -> Vec<Parameter> {
    let (document, names) = (context.document(), context.names());
    let is_declared = |it: &&Declaration| {
        let above = document.node(it.declarer).parent;
        document.has_role(above, Role::Parameters)
    };
    let parameter = |proposal: Proposal| {
        let places: Vec<NodeId> = proposal.takes.iter().map(|nodes| nodes.start).collect();
        let declared = proposal.takes.iter().map(|nodes| names.declared_in(nodes));
        let declared = declared.flatten().filter(is_declared);
        let uses = declared.flat_map(|it| {
            let anywhere = names.uses_of(it);
            // Where nothing tells members from what is named bare, namesakes go together, if they are not too many.
            let go_together = it.manner != Manner::Bare && anywhere.len() <= MOST_USES;
            if go_together {
                anywhere
            } else {
                names.uses_in_scope(it)
            }
        });
        Parameter {
            uses: uses.copied().collect(),
            places,
            signature: proposal.signature,
        }
    };
    let proposals = arguments::arguments(context).into_iter();
    let parameters = proposals.map(parameter);
    let mut parameters: Vec<Parameter> = parameters.filter(|it| !it.uses.is_empty()).collect();
    let declarations = names.declarations.iter();
    parameters.extend(declarations.filter_map(|it| type_parameter(document, names, it)));
    parameters
}

/// A type parameter with what is given for it wherever what it belongs to is named.
fn type_parameter(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
) -> Option<Parameter> {
    let list = document.node(declaration.declarer).parent;
    let place = place_in(document, list, Role::TypeParameters, declaration.declarer)?;
    let owner = document.node(list).parent;
    let mut owners = names.declared_in(&(owner..list)).iter();
    let owner = owners.find(|it| it.declarer == owner)?;
    let given = |&leaf: &NodeId| {
        let parent = document.node(leaf).parent;
        let lists = [parent, document.node(parent).parent].into_iter();
        let lists = lists.flat_map(|node| document.children(node));
        let mut lists = lists.filter(|&child| document.has_role(child, Role::TypeArguments));
        let arguments = elements_of(document, lists.find(|&list| list > leaf)?);
        arguments.get(place).copied()
    };
    let given = names.uses_of(owner).iter().filter_map(given);
    let places: Vec<NodeId> = std::iter::once(declaration.declarer).chain(given).collect();
    let count = u32::try_from(places.len()).unwrap_or(u32::MAX);
    let own = document.fingerprint(declaration.declarer).to_le_bytes();
    Some(Parameter {
        uses: names.uses_in_scope(declaration).to_vec(),
        places,
        signature: fingerprint(&[b"type", &own, &count.to_le_bytes()]),
    })
}

/// The place of an element in a list of this role.
fn place_in(document: &Document, list: NodeId, role: Role, element: NodeId) -> Option<usize> {
    let elements = document
        .has_role(list, role)
        .then(|| elements_of(document, list));
    elements?.iter().position(|&it| it == element)
}
