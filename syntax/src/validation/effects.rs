//! Checks for statements without effect.

use super::checker::Checker;
use crate::model::{BinaryClass, Kind, Node, UnaryClass};
use crate::{Diagnostic, Stage};

/// Checks whether evaluating this certainly has no effect.
///
/// From `checker4_0.rb`, the `idem_…` methods: matches are exempt, as they set `$0`, `$1`, ….
fn is_idem(node: &Node) -> bool {
    match &node.kind {
        Kind::Nop
        | Kind::Integer { .. }
        | Kind::Float(_)
        | Kind::Boolean(_)
        | Kind::Undef
        | Kind::Default
        | Kind::Regex(_)
        | Kind::String(_)
        | Kind::QualifiedName(_)
        | Kind::QualifiedReference(_)
        | Kind::ReservedWord(_)
        | Kind::Variable(_)
        | Kind::Concat(_)
        | Kind::Heredoc { .. }
        | Kind::List(_)
        | Kind::Hash(_)
        | Kind::Access { .. }
        | Kind::NamedAccess { .. }
        | Kind::Selector { .. } => true,
        Kind::Binary { class, .. } => !matches!(
            class,
            BinaryClass::Match | BinaryClass::Relationship | BinaryClass::Assignment
        ),
        Kind::Unary {
            class: UnaryClass::Paren,
            expr,
        } => is_idem(expr),
        Kind::Unary { class, .. } => *class != UnaryClass::Render,
        Kind::Block(statements) => statements.iter().all(is_idem),
        Kind::If {
            test,
            then,
            otherwise,
            ..
        } => is_idem(test) && then.iter().chain(otherwise).all(|it| is_idem(it)),
        Kind::Case { test, options } => is_idem(test) && options.iter().all(is_idem),
        Kind::CaseOption { values, then } => {
            values.iter().all(is_idem) && then.iter().all(|it| is_idem(it))
        }
        _ => false,
    }
}

/// Returns the last statement if it has no effect.
fn idem_at_end(body: &Node) -> Option<&Node> {
    let last = match &body.kind {
        Kind::Block(statements) => statements.last()?,
        _ => body,
    };
    is_idem(last).then_some(last)
}

/// Returns the statement that makes a conditional with a single one have no effect.
fn cause(node: &Node) -> &Node {
    let Kind::If {
        then, otherwise, ..
    } = &node.kind
    else {
        return node;
    };
    let is_empty = |it: &Node| match &it.kind {
        Kind::Nop => true,
        Kind::Block(statements) => statements.is_empty(),
        _ => false,
    };
    let branches = then.iter().chain(otherwise);
    let mut branches = branches.map(|it| &**it).filter(|it| !is_empty(it));
    let (Some(branch), None) = (branches.next(), branches.next()) else {
        return node;
    };
    match &branch.kind {
        Kind::Block(statements) if statements.len() == 1 => cause(&statements[0]),
        _ => cause(branch),
    }
}

impl Checker<'_> {
    /// Reports a statement without effect. Puppet reports the conditional around it, if that has no effect either.
    fn no_effect(&mut self, code: &'static str, node: &Node, message: &'static str) {
        let mut diagnostic = Diagnostic::error(Stage::Validate, code, message, cause(node).range);
        diagnostic.anchor = Some(node.at);
        self.found.push(diagnostic);
    }

    /// Returns the name if the block is a name and a hash: most likely a resource without a title.
    fn name_without_title<'n>(&self, node: &'n Node) -> Option<&'n str> {
        let Kind::Block(statements) = &node.kind else {
            return None;
        };
        match statements.as_slice() {
            [
                Node {
                    kind: Kind::QualifiedName(name),
                    ..
                },
                Node {
                    kind: Kind::Hash(_),
                    ..
                },
            ] if !self.context.tasks => Some(name),
            _ => None,
        }
    }

    pub(super) fn block(&mut self, node: &Node, statements: &[Node]) {
        if let Some(name) = self.name_without_title(node) {
            let message =
                format!("missing resource title; did you mean `{name} {{ 'title': … }}`?");
            return self.error("RESOURCE_WITHOUT_TITLE", node, message);
        }
        let but_last = statements.split_last().map_or(&[][..], |it| it.1);
        if let Some(first) = but_last.iter().find(|it| is_idem(it)) {
            self.no_effect("IDEM_EXPRESSION_NOT_LAST", first, "statement has no effect");
        }
    }

    /// Checks that the last statement has an effect, for bodies without a value: those of classes,
    /// defined types and nodes.
    pub(super) fn no_effect_last(&mut self, body: Option<&Node>) {
        let Some(last) = body.and_then(idem_at_end) else {
            return;
        };
        if self.name_without_title(last).is_none() {
            self.no_effect(
                "IDEM_NOT_ALLOWED_LAST",
                last,
                "statement has no effect: its value is not used",
            );
        }
    }
}
