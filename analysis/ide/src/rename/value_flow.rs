//! The places that the value of a literal reaches: through selectors, conditions, arrays, hashes, variables and
//! lambdas up to a place that names an entity, such as an argument of `include`.

use salsa::Database;
use syntax::ast::{
    AccessExpr, Assignment, AstNode, BinaryExpr, Block, CallExpr, Expr, HasParameters, HashEntry,
    InterpolatedString, Lambda, MethodCall, Parameter, ResourceBody, ResourceExpr, Segment,
    SelectorEntry,
};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use crate::search::symbol_uses;
use crate::symbol::{OccurrenceKind, Symbol};
use base::FileInput;
use hir::body::{ReferenceName, body};
use hir::{Item, ItemKind, canonical_name};
use library::{KnownFunction as F, NamedEntity};

/// The maximum number of steps between a literal and its uses; real code has fewer than ten.
const MAX_STEPS: usize = 200;

/// The places that a value reaches.
#[derive(Default)]
pub(super) struct Reach {
    /// The entities that it names.
    pub(super) names: Vec<NamedEntity>,
    /// Whether it may be used for anything else.
    pub(super) is_used_otherwise: bool,
}

/// The position of the literal in the value that contains it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// The value itself, or an element of it if it is an array.
    Element,
    /// A key of a hash.
    Key,
    /// A value of a hash.
    HashValue,
}

/// Returns the places that the value of an expression of an item reaches.
pub(super) fn reach<'db>(
    db: &'db dyn Database,
    origin: FileInput,
    item: Item<'db>,
    expr: &SyntaxNode,
) -> Reach {
    let mut flow = ValueFlow {
        db,
        origin,
        found: Reach::default(),
        visited: Vec::new(),
    };
    flow.follow(item, expr, Part::Element);
    flow.found
}

struct ValueFlow<'db> {
    db: &'db dyn Database,
    origin: FileInput,
    found: Reach,
    visited: Vec<(Item<'db>, TextRange, Part)>,
}

/// The next place of a value.
enum Step {
    /// The value of an expression.
    Expr(SyntaxNode, Part),
    /// A variable, by the range of its name where it gets the value.
    Variable(TextRange, Part),
    Names(NamedEntity),
    Otherwise,
}

impl<'db> ValueFlow<'db> {
    fn follow(&mut self, item: Item<'db>, node: &SyntaxNode, part: Part) {
        let here = (item, node.text_range(), part);
        if self.visited.contains(&here) {
            return;
        }
        if self.visited.len() == MAX_STEPS {
            self.found.is_used_otherwise = true;
            return;
        }
        self.visited.push(here);
        for step in steps(node, part) {
            match step {
                Step::Expr(next, part) => self.follow(item, &next, part),
                Step::Variable(range, part) => self.follow_variable(item, range, part),
                Step::Names(it) => self.found.names.push(it),
                Step::Otherwise => self.found.is_used_otherwise = true,
            }
        }
    }

    fn follow_variable(&mut self, item: Item<'db>, range: TextRange, part: Part) {
        let scopes = body(self.db, item).scopes.iter().enumerate();
        let mut bindings =
            scopes.flat_map(|(scope, it)| it.bindings.iter().map(move |it| (scope, it)));
        let Some((scope, binding)) = bindings.find(|it| it.1.range == range) else {
            self.found.is_used_otherwise = true;
            return;
        };
        let name = &binding.name;
        let is_read_by_templates = super::may_read_variable(self.db, item, name);
        let is_top = scope == 0 && matches!(item.kind(self.db), ItemKind::Main | ItemKind::Node);
        self.found.is_used_otherwise |= is_read_by_templates || is_top;
        let symbol = Symbol::Variable {
            item,
            scope,
            name: name.clone(),
        };
        for found in symbol_uses(self.db, self.origin, &symbol) {
            match found.occurrence.kind {
                OccurrenceKind::Binding(..) | OccurrenceKind::Attribute(..) => {}
                OccurrenceKind::Reference(it) if matches!(it.name, ReferenceName::Variable(_)) => {
                    let root = found.item.syntax(self.db);
                    match variable_at(&root, it.range) {
                        Some(read) => self.follow(found.item, &read, part),
                        None => self.found.is_used_otherwise = true,
                    }
                }
                _ => self.found.is_used_otherwise = true,
            }
        }
    }
}

fn variable_at(root: &SyntaxNode, range: TextRange) -> Option<SyntaxNode> {
    if !root.text_range().contains_range(range) {
        return None;
    }
    let element = root.covering_element(range);
    let mut nodes = element.ancestors();
    nodes.find(|it| it.kind() == SyntaxKind::VARIABLE_EXPR)
}

/// Returns the places to which the value of an expression goes directly. None if it is discarded.
fn steps(node: &SyntaxNode, part: Part) -> Vec<Step> {
    let Some(parent) = node.parent() else {
        return vec![Step::Otherwise];
    };
    let is = |it: Option<Expr>| it.is_some_and(|it| it.syntax() == node);
    let up = |part: Part| vec![Step::Expr(parent.clone(), part)];
    match parent.kind() {
        SyntaxKind::PAREN_EXPR | SyntaxKind::ELSE_CLAUSE => up(part),
        SyntaxKind::SELECTOR_EXPR if node.kind() == SyntaxKind::SELECTOR_ENTRY => up(part),
        SyntaxKind::IF_EXPR | SyntaxKind::UNLESS_EXPR | SyntaxKind::CASE_OPTION
            if matches!(node.kind(), SyntaxKind::BLOCK | SyntaxKind::ELSE_CLAUSE) =>
        {
            up(part)
        }
        SyntaxKind::CASE_EXPR if node.kind() == SyntaxKind::CASE_OPTION => up(part),
        SyntaxKind::SELECTOR_ENTRY
            if is(SelectorEntry::cast(parent.clone()).and_then(|it| it.value())) =>
        {
            up(part)
        }
        SyntaxKind::BLOCK => steps_of_statement(&parent, node, part),
        SyntaxKind::CLASS_DEFINITION
        | SyntaxKind::DEFINE_DEFINITION
        | SyntaxKind::NODE_DEFINITION
        | SyntaxKind::SOURCE_FILE => Vec::new(),
        SyntaxKind::ARRAY if part == Part::Element => up(part),
        SyntaxKind::HASH_ENTRY if part == Part::Element => steps_of_entry(&parent, node),
        SyntaxKind::BINARY_EXPR => {
            let operator = BinaryExpr::cast(parent.clone()).and_then(|it| it.operator());
            match operator.map(|it| it.kind()) {
                Some(SyntaxKind::PLUS) => up(part),
                _ => vec![Step::Otherwise],
            }
        }
        SyntaxKind::ASSIGNMENT => steps_of_assignment(&parent, node, part),
        SyntaxKind::PARAMETER => match Parameter::cast(parent.clone()).and_then(|it| it.variable())
        {
            Some(it) => vec![Step::Variable(it.text_range(), part)],
            None => vec![Step::Otherwise],
        },
        SyntaxKind::INTERPOLATION => steps_of_interpolation(&parent, part),
        SyntaxKind::RESOURCE_BODY
            if is(ResourceBody::cast(parent.clone()).and_then(|it| it.title())) =>
        {
            let resource = parent.parent().and_then(ResourceExpr::cast);
            match resource.is_some_and(|it| it.class_keyword().is_some()) && part == Part::Element {
                true => vec![Step::Names(NamedEntity::Class)],
                false => vec![Step::Otherwise],
            }
        }
        SyntaxKind::ACCESS_KEYS => vec![step_of_key(&parent, node, part)],
        SyntaxKind::ACCESS_EXPR => match part {
            Part::Key => vec![Step::Otherwise],
            _ => up(Part::Element),
        },
        SyntaxKind::METHOD_CALL => steps_of_argument(&parent, 0, part),
        SyntaxKind::ARGUMENT_LIST => {
            let call = parent.parent();
            let index = parent
                .children()
                .filter(|it| Expr::can_cast(it.kind()))
                .position(|it| it == *node);
            match call.zip(index) {
                Some((call, index)) => {
                    let is_method = call.kind() == SyntaxKind::METHOD_CALL;
                    steps_of_argument(&call, index + usize::from(is_method), part)
                }
                None => vec![Step::Otherwise],
            }
        }
        _ => vec![Step::Otherwise],
    }
}

/// Returns the steps of a statement of a block: only the value of the last one is used.
fn steps_of_statement(block: &SyntaxNode, node: &SyntaxNode, part: Part) -> Vec<Step> {
    let last = Block::cast(block.clone()).and_then(|it| it.statements().last());
    if last.is_none_or(|it| it.syntax() != node) {
        return Vec::new();
    }
    match block.parent().map(|it| it.kind()) {
        Some(
            SyntaxKind::IF_EXPR
            | SyntaxKind::UNLESS_EXPR
            | SyntaxKind::ELSE_CLAUSE
            | SyntaxKind::CASE_OPTION,
        ) => vec![Step::Expr(block.clone(), part)],
        Some(
            SyntaxKind::CLASS_DEFINITION
            | SyntaxKind::DEFINE_DEFINITION
            | SyntaxKind::NODE_DEFINITION,
        ) => Vec::new(),
        _ => vec![Step::Otherwise],
    }
}

fn steps_of_entry(entry: &SyntaxNode, node: &SyntaxNode) -> Vec<Step> {
    let key = HashEntry::cast(entry.clone()).and_then(|it| it.key());
    let part = match key.is_some_and(|it| it.syntax() == node) {
        true => Part::Key,
        false => Part::HashValue,
    };
    match entry.parent() {
        Some(hash) => vec![Step::Expr(hash, part)],
        None => vec![Step::Otherwise],
    }
}

fn steps_of_assignment(assignment: &SyntaxNode, node: &SyntaxNode, part: Part) -> Vec<Step> {
    let parts = Assignment::cast(assignment.clone());
    let parts = parts.and_then(|it| Some((it.lhs()?, it.operator()?, it.rhs()?)));
    match parts {
        Some((Expr::VariableExpr(variable), operator, value))
            if operator.kind() == SyntaxKind::EQ && value.syntax() == node =>
        {
            let range = variable.syntax().text_range();
            vec![
                Step::Variable(range, part),
                Step::Expr(assignment.clone(), part),
            ]
        }
        _ => vec![Step::Otherwise],
    }
}

/// Returns the steps of `"${x}"`, a string without other text.
fn steps_of_interpolation(interpolation: &SyntaxNode, part: Part) -> Vec<Step> {
    let string = interpolation.parent().and_then(InterpolatedString::cast);
    let is_whole =
        |it: &InterpolatedString| matches!(it.segments().as_slice(), [Segment::Interpolation(_)]);
    match string.filter(is_whole) {
        Some(it) if part == Part::Element => vec![Step::Expr(it.syntax().clone(), part)],
        _ => vec![Step::Otherwise],
    }
}

/// Returns the step of a key of an access: `Class[$x]` names a class.
fn step_of_key(keys: &SyntaxNode, node: &SyntaxNode, part: Part) -> Step {
    let access = keys.parent().and_then(AccessExpr::cast);
    let Some(Expr::QualifiedReference(type_)) = access.and_then(|it| it.base()) else {
        return Step::Otherwise;
    };
    let is_first = keys.first_child().as_ref() == Some(node);
    match (part, canonical_name(&type_.text()).as_str()) {
        (Part::Element, "class") => Step::Names(NamedEntity::Class),
        (Part::Element, "resource") if is_first => Step::Names(NamedEntity::ResourceType),
        _ => Step::Otherwise,
    }
}

/// Returns the steps of an argument; the receiver of a method call is the first.
fn steps_of_argument(call: &SyntaxNode, index: usize, part: Part) -> Vec<Step> {
    let (name, arguments, lambda) = match call.kind() {
        SyntaxKind::CALL_EXPR => {
            let call = CallExpr::cast(call.clone());
            let parts = call.map(|it| (it.name_token(), it.arguments(), it.lambda()));
            parts.unwrap_or_default()
        }
        _ => {
            let call = MethodCall::cast(call.clone());
            let parts = call.map(|it| (it.name_token(), it.arguments(), it.lambda()));
            parts.unwrap_or_default()
        }
    };
    let known = name.and_then(|it| F::from_name(&canonical_name(it.text())));
    let Some(known) = known else {
        return vec![Step::Otherwise];
    };
    let result = |part: Part| vec![Step::Expr(call.clone(), part)];
    if part == Part::Element
        && (index == 0 || known.names_classes())
        && let Some(it) = known.names()
    {
        return vec![Step::Names(it)];
    }
    match known {
        F::Lookup if index == 3 => result(part),
        F::Pick | F::PickDefault | F::Concat | F::Union => result(part),
        F::Unique | F::Flatten | F::Sort | F::Reverse if index == 0 => result(part),
        F::Keys if index == 0 && part == Part::Key => result(Part::Element),
        F::Values if index == 0 && part == Part::HashValue => result(Part::Element),
        F::CreateResources if index == 1 && part == Part::Key => {
            let type_ = arguments.first().map(|it| it.syntax().text().to_string());
            let type_ = type_.as_deref().map(|it| it.trim_matches(['\'', '"']));
            match type_ {
                Some("class") => vec![Step::Names(NamedEntity::Class)],
                _ => vec![Step::Otherwise],
            }
        }
        F::Map | F::With | F::Then if index == 0 => steps_into_lambda(lambda, part),
        F::Each | F::ReverseEach | F::Filter if index == 0 => {
            let mut steps = steps_into_lambda(lambda, part);
            steps.extend(result(part));
            steps
        }
        _ => vec![Step::Otherwise],
    }
}

/// Returns the step to a parameter of the lambda of an iteration.
fn steps_into_lambda(lambda: Option<Lambda>, part: Part) -> Vec<Step> {
    let parameters = lambda.map(|it| it.parameters()).unwrap_or_default();
    let parameter = match (parameters.as_slice(), part) {
        ([only], Part::Element) => Some(only),
        ([_, value], Part::Element | Part::HashValue) => Some(value),
        ([key, _], Part::Key) => Some(key),
        _ => None,
    };
    match parameter.and_then(|it| it.variable()) {
        Some(it) => vec![Step::Variable(it.text_range(), Part::Element)],
        None => vec![Step::Otherwise],
    }
}
