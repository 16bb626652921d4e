//! Parameters with their arguments: the i-th parameter of a function and the i-th argument of every call of it, as one edit.

use super::{
    Context,
    constructors::{
        calls_of_constructor, chained_calls, is_base_word, is_constructor, is_word, makes,
    },
    elements::{Place, elements},
    names::{Declaration, Names},
    own_types::OwnTypes,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, NodeId, Role};

/// For every function: each parameter with its arguments, and all of them.
pub fn arguments(context: &Context) -> Vec<Proposal> {
    let (document, names) = (context.document(), context.names());
    let own_types = OwnTypes::of(document);
    let mut proposals = Vec::new();
    for declaration in &names.declarations {
        let Some(parameters) = parameter_list(document, declaration) else {
            continue;
        };
        let own = elements(document, parameters);
        let given = given_by_calls(document, names, declaration, &own);
        let mut lists: Vec<Vec<Option<Place>>> = std::iter::once(all(own)).chain(given).collect();
        for other in &names.declarations {
            let is_namesake = other.name == declaration.name && other.leaf != declaration.leaf;
            if is_namesake && !is_constructor(document, declaration) {
                let list = parameter_list(document, other);
                lists.extend(list.map(|list| all(elements(document, list))));
            }
        }
        if lists.len() < 2 {
            continue;
        }
        let count = lists[0].len();
        // What a method is called on is not one of the arguments.
        let has_receiver = |list: &Vec<Option<Place>>| matches!(list.first(), Some(None));
        let first = usize::from(lists.iter().any(has_receiver));
        if count > first + 1 {
            let lists = lists.iter().flat_map(|list| list.iter().skip(first));
            proposals.extend(removal(
                document,
                &lists.flatten().copied().collect::<Vec<_>>(),
            ));
        }
        for index in 0..count {
            let mut each: Vec<_> = lists.iter().filter_map(|list| *list.get(index)?).collect();
            each.extend(own_types.of_all(document, &each));
            let removal = removal(document, &each);
            proposals.extend(removal.map(|removal| told_apart(names, removal)));
        }
    }
    proposals
}

/// The removal of parameters that nothing uses is another one than that of the same while something did.
fn told_apart(names: &Names, removal: Proposal) -> Proposal {
    let is_gone = |leaf: &NodeId| removal.takes.iter().any(|nodes| nodes.contains(leaf));
    let mut declared = removal
        .takes
        .iter()
        .flat_map(|nodes| names.declared_in(nodes));
    if declared.any(|it| !names.uses_in_scope(it).iter().all(is_gone)) {
        return removal;
    }
    Proposal {
        signature: fingerprint(&[b"unused", &removal.signature.to_le_bytes()]),
        ..removal
    }
}

/// The parameters of a function that alone has its name, or of a constructor, and by call what is given for each of them.
pub(super) fn calls(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
) -> Option<(NodeId, Vec<Vec<Option<Place>>>)> {
    let parameters = parameter_list(document, declaration)?;
    let own = elements(document, parameters);
    let calls = given_by_calls(document, names, declaration, &own);
    let is_alone = is_constructor(document, declaration) || !names.has_several(declaration);
    (!calls.is_empty() && is_alone).then_some((parameters, calls))
}

/// By call of a function, what is given for each of its own parameters.
fn given_by_calls(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
    own: &[Place],
) -> Vec<Vec<Option<Place>>> {
    let uses = names.uses_of(declaration).iter();
    let uses = uses
        .copied()
        .chain(chained_calls(document, names, declaration));
    let calls = uses.filter_map(|leaf| arguments_of(document, leaf, own, false));
    let made = calls_of_constructor(document, names, declaration).into_iter();
    let made = made.filter(|&leaf| makes(document, leaf));
    let made = made.filter_map(|leaf| arguments_of(document, leaf, own, true));
    calls.chain(made).collect()
}

/// Whether a leaf is a word for what a method is called on that is no parameter.
pub(super) fn is_bound_word(document: &Document, leaf: NodeId) -> bool {
    is_word(document, leaf, |facts| &facts.bound_words)
}

fn all(places: Vec<Place>) -> Vec<Option<Place>> {
    places.into_iter().map(Some).collect()
}

/// The arguments of a call, by the parameters that they are for. The first of those may be for what a method is called on, or for
/// what a constructor makes.
fn arguments_of(
    document: &Document,
    leaf: NodeId,
    own: &[Place],
    is_made: bool,
) -> Option<Vec<Option<Place>>> {
    let list = argument_list(document, leaf)?;
    // What a member of the base is given is not given to that.
    let is_member = document.node(list).parent != document.node(leaf).parent;
    if is_member && is_base_word(document, leaf) {
        return None;
    }
    let given = elements(document, list);
    let takes_receiver = (is_member || is_made)
        && given.len() < own.len()
        && own
            .first()
            .is_some_and(|&(.., node)| is_receiver(document, node));
    let receiver = takes_receiver.then_some(None);
    let given: Vec<Option<Place>> = receiver.into_iter().chain(all(given)).collect();
    Some(by_names(document, own, &given))
}

/// What is given under the name of a parameter at the place of that.
fn by_names(document: &Document, own: &[Place], given: &[Option<Place>]) -> Vec<Option<Place>> {
    let names: Vec<&[u8]> = own
        .iter()
        .map(|&(.., node)| document.text(document.child_in_field(node, "name").unwrap_or(node)))
        .collect();
    let place_of = |index: usize, given: Option<Place>| {
        let (.., node) = given?;
        let mut labels = ["name", "key"].into_iter();
        let label = labels.find_map(|field| document.child_in_field(node, field))?;
        let place = names.iter().position(|&name| name == document.text(label));
        place.filter(|&place| place != index)
    };
    let mut ordered = given.to_vec();
    for (index, &each) in given.iter().enumerate() {
        if let Some(place) = place_of(index, each) {
            ordered.resize(ordered.len().max(place + 1), None);
            ordered[place] = each;
            if ordered[index] == each {
                ordered[index] = None;
            }
        }
    }
    ordered
}

/// By parameter, what the call gives for it whose callee is named by `leaf`: an argument, or what a method is called on.
pub(super) fn given_for(
    document: &Document,
    leaf: NodeId,
    parameters: NodeId,
) -> Option<Vec<(NodeId, NodeId)>> {
    let own = elements(document, parameters);
    let given = arguments_of(document, leaf, &own, false)?;
    let receiver = || document.children(document.node(leaf).parent).next();
    let node_of = |given: Option<Place>| given.map(|(.., node)| node).or_else(receiver);
    let parameters = own.iter().map(|&(.., parameter)| parameter);
    let pairs = parameters.zip(given.into_iter().map(node_of));
    pairs
        .map(|(parameter, given)| Some((parameter, given?)))
        .collect()
}

/// Whether a parameter is for what a method is called on.
pub(super) fn is_receiver(document: &Document, parameter: NodeId) -> bool {
    let mut nodes = parameter..document.node(parameter).end_id;
    nodes.any(|leaf| is_word(document, leaf, |facts| &facts.receivers))
}

/// The removal of several children, each from its list.
pub(super) fn removal(document: &Document, places: &[Place]) -> Option<Proposal> {
    let text: Vec<u8> = places
        .iter()
        .flat_map(|&(_, place, child)| [document.text(child), &place.to_le_bytes()].concat())
        .collect();
    (places.len() > 1).then(|| Proposal {
        drops: places
            .iter()
            .map(|&(list, place, _)| (list, place))
            .collect(),
        weight: places
            .iter()
            .map(|&(.., child)| document.node(child).tokens + 1)
            .sum(),
        takes: places
            .iter()
            .map(|&(.., child)| child..document.node(child).end_id)
            .collect(),
        signature: fingerprint(&[b"arguments", &text]),
        ..Proposal::default()
    })
}

/// The list of parameters of a node that defines a function, or of its declarator.
pub(super) fn parameters_of(document: &Document, function: NodeId) -> Option<NodeId> {
    let below = || {
        document
            .children(function)
            .find_map(|child| list_in(document, child, Role::Parameters))
    };
    list_in(document, function, Role::Parameters).or_else(below)
}

/// The nearest function around a node that stands behind its parameters, with their list in brackets.
pub(super) fn function_around(document: &Document, node: NodeId) -> Option<(NodeId, NodeId)> {
    let mut around = document.around(node).skip(1);
    let (function, list) = around.find_map(|it| Some((it, parameters_of(document, it)?)))?;
    let is_before = document.node(list).end <= document.node(node).start;
    (is_before && document.text(list).ends_with(b")")).then_some((function, list))
}

/// Where a list in brackets gets one more at its end, and that with a separator.
pub(super) fn one_more(document: &Document, list: NodeId, text: &[u8]) -> (usize, Vec<u8>) {
    let separator: &[u8] = if elements(document, list).is_empty() {
        b""
    } else {
        b", "
    };
    let end = document.node(list).end as usize - 1;
    (end, [separator, text].concat())
}

/// The list of parameters of a function that is declared.
pub(super) fn parameter_list(document: &Document, declaration: &Declaration) -> Option<NodeId> {
    let mut at = declaration.leaf;
    loop {
        let above = document.node(at).parent;
        if let Some(list) =
            list_in(document, above, Role::Parameters).or_else(|| list_in_value(document, above))
        {
            return (list != at).then_some(list);
        }
        if above == declaration.declarer || above == 0 {
            return None;
        }
        at = above;
    }
}

/// A function that is given as a value: `const f = (a) => a`.
fn list_in_value(document: &Document, node: NodeId) -> Option<NodeId> {
    let value = document.child_in_field(node, "value")?;
    list_in(document, value, Role::Parameters)
}

/// The list of arguments of the call whose callee is named by `leaf`.
pub(super) fn argument_list(document: &Document, leaf: NodeId) -> Option<NodeId> {
    let mut at = leaf;
    for _ in 0..2 {
        let above = document.node(at).parent;
        if let Some(list) = list_in(document, above, Role::Arguments) {
            return (list != at).then_some(list);
        }
        at = above;
    }
    None
}

/// What stands in the place of a function in a call: its name, or that with the types that it is given.
pub(super) fn callee(document: &Document, leaf: NodeId) -> NodeId {
    let list = argument_list(document, leaf);
    let types = list.filter(|&list| document.has_role(list, Role::TypeArguments));
    types.map_or(leaf, |list| document.node(list).parent)
}

/// The arguments of a call whose callee is named by `leaf`, without types that it is given.
pub(super) fn list_of(document: &Document, leaf: NodeId) -> Option<NodeId> {
    argument_list(document, callee(document, leaf))
}

/// The list of this role in a node, or beside it.
pub(super) fn list_beside(document: &Document, node: NodeId, role: Role) -> Option<NodeId> {
    let beside = || list_in(document, document.node(node).parent, role);
    list_in(document, node, role).or_else(beside)
}

/// The list of this role in a node.
pub(super) fn list_in(document: &Document, node: NodeId, role: Role) -> Option<NodeId> {
    let mut children = document.children(node);
    children.find(|&child| document.has_role(child, role))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered, sample};

    #[test]
    fn a_parameter_goes_with_the_arguments_of_every_call() {
        let text = "int f(int a, int b) { return a; } int g() { f(1, 2); return f(3, 4); }";
        let found = offered("c", text, arguments);
        assert_eq!(
            found,
            [
                "int f() { return a; } int g() { f(); return f(); }",
                "int f( int b) { return a; } int g() { f( 2); return f( 4); }",
                "int f(int a) { return a; } int g() { f(1); return f(3); }",
            ]
        );
        let text = "function f(a, ...b) { } f(1, 2); f()";
        let found = offered("javascript", text, arguments);
        assert_eq!(
            found,
            [
                "function f() { } f(); f()",
                "function f( ...b) { } f( 2); f()",
                "function f(a) { } f(1); f()",
            ]
        );
    }

    #[test]
    fn an_object_gives_its_constructor_what_stands_behind_its_name() {
        let text = "struct A { A(int, int b) {} void operator()(int); }; struct B { A a; A *e; B(int c) : a(1, c), e(c) { A d(2, c); d(3); a(4); } };";
        let wanted = "struct A { A( int b) {} void operator()(int); }; struct B { A a; A *e; B(int c) : a( c), e(c) { A d( c); d(3); a(4); } };";
        assert_offers("cpp", text, wanted, arguments);
    }

    #[test]
    fn a_constructor_is_inherited() {
        let text = "class A:\n  def __init__(self, b): pass\nclass C(A): pass\nC(1)\n";
        let wanted = "class A:\n  def __init__(self): pass\nclass C(A): pass\nC()\n";
        assert_offers("python", text, wanted, arguments);
    }

    #[test]
    fn a_parameter_that_nothing_uses_any_more_is_another_one() {
        let signature = |text: &str| {
            let proposals = arguments(&sample("javascript", text));
            proposals[0].signature
        };
        let used = signature("function f(a) { g(a) } f(1)");
        assert_eq!(used, signature("function f(a) { a } f(1)"));
        assert_ne!(used, signature("function f(a) { g() } f(1)"));
    }

    #[test]
    fn a_constructor_is_called_by_the_name_of_its_class() {
        let text = "class A { constructor(a: number, b: any) {} } class B extends A { constructor() { super(1, 2) } } \
            new A(3, 4)";
        let wanted = "class A { constructor( b: any) {} } class B extends A { constructor() { super( 2) } } \
            new A( 4)";
        assert_offers("typescript", text, wanted, arguments);
    }

    #[test]
    fn a_constructor_is_called_by_others() {
        for (language, text, wanted) in [
            (
                "java",
                "class A { A(int a, int b) {} A() { this(1, 2); } } class B extends A { B() { super(3, 4); super.c(5, 6); } }",
                "class A { A( int b) {} A() { this( 2); } } class B extends A { B() { super( 4); super.c(5, 6); } }",
            ),
            (
                "csharp",
                "class A { A(int a, int b) {} A() : this(1, 2) {} } class B : A { B() : base(3, 4) {} }",
                "class A { A( int b) {} A() : this( 2) {} } class B : A { B() : base( 4) {} }",
            ),
        ] {
            assert_offers(language, text, wanted, arguments);
        }
    }

    #[test]
    fn what_only_a_parameter_is_declared_with_goes_with_it() {
        for (language, text, wanted) in [
            (
                "cpp",
                "template <class A, class B> void f(A a, B b) {} void g() { f(1, 2); }",
                "template <class A> void f(A a) {} void g() { f(1); }",
            ),
            (
                "typescript",
                "function f<A, B extends C>(a: A, b: B) {} f(1, 2)",
                "function f<A>(a: A) {} f(1)",
            ),
        ] {
            assert_offers(language, text, wanted, arguments);
        }
    }

    #[test]
    fn what_is_given_by_name_goes_with_the_parameter_of_that_name() {
        for (language, text, wanted) in [
            (
                "ruby",
                "class S\ndef initialize(a:, b:)\nend\nend\nS.new(b: 1, a: 2)\nS.of(1, 2)\n",
                "class S\ndef initialize( b:)\nend\nend\nS.new(b: 1)\nS.of(1, 2)\n",
            ),
            (
                "python",
                "def f(a, b, c): pass\nf(1, c=2, b=3)\n",
                "def f(a,  c): pass\nf(1, c=2)\n",
            ),
        ] {
            assert_offers(language, text, wanted, arguments);
        }
    }

    #[test]
    fn what_a_constructor_makes_is_no_argument() {
        for (language, text, wanted) in [
            (
                "javascript",
                "class A { constructor(a, b) {} } new A(3, 4)",
                "class A { constructor( b) {} } new A( 4)",
            ),
            (
                "python",
                "class A:\n  def __init__(self, a, b): pass\nA(3, 4)\n",
                "class A:\n  def __init__(self,  b): pass\nA( 4)\n",
            ),
        ] {
            assert_offers(language, text, wanted, arguments);
        }
    }

    #[test]
    fn what_a_method_is_called_on_is_no_argument() {
        let text = "impl S { fn f(&self, a: u8, b: u8) { } } fn g(s: S) { s.f(1, 2) }";
        let found = offered("rust", text, arguments);
        assert_eq!(
            found,
            [
                "impl S { fn f(&self) { } } fn g(s: S) { s.f() }",
                "impl S { fn f(&self,  b: u8) { } } fn g(s: S) { s.f( 2) }",
                "impl S { fn f(&self, a: u8) { } } fn g(s: S) { s.f(1) }",
            ]
        );
    }
}
