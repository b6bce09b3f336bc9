//! Traversal of the model in Puppet's order: parents before children.

use super::{Definition, Kind, Node, Parameter};

/// Calls `visit` for every descendant of `root`, with its ancestors, outermost first.
pub(crate) fn walk<'n>(root: &'n Node, visit: &mut impl FnMut(&'n Node, &[&'n Node])) {
    let mut path = Vec::new();
    below(root, &mut path, visit);
}

fn below<'n>(
    node: &'n Node,
    path: &mut Vec<&'n Node>,
    visit: &mut impl FnMut(&'n Node, &[&'n Node]),
) {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        path.push(node);
        children(node, &mut |child| {
            visit(child, path);
            below(child, path, visit);
        });
        path.pop();
    });
}

/// Calls `visit` for the direct children of an object.
pub(crate) fn children<'n>(node: &'n Node, visit: &mut impl FnMut(&'n Node)) {
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
        | Kind::RenderString(_) => {}
        Kind::Program(body) | Kind::Epp(body) => body.iter().for_each(|it| visit(it)),
        Kind::Block(nodes)
        | Kind::List(nodes)
        | Kind::Hash(nodes)
        | Kind::Concat(nodes)
        | Kind::ApplyBlock(nodes) => nodes.iter().for_each(visit),
        Kind::Binary { left, right, .. } => [left, right].into_iter().for_each(|it| visit(it)),
        Kind::Unary { expr, .. } | Kind::AttributeSplat(expr) => visit(expr),
        Kind::Access { left, keys } => {
            visit(left);
            keys.iter().for_each(visit);
        }
        Kind::NamedAccess { left, .. } => visit(left),
        Kind::KeyedEntry { key, value } => [key, value].into_iter().for_each(|it| visit(it)),
        Kind::If {
            test,
            then,
            otherwise,
            ..
        } => {
            visit(test);
            then.iter().chain(otherwise).for_each(|it| visit(it));
        }
        Kind::Case { test, options } => {
            visit(test);
            options.iter().for_each(visit);
        }
        Kind::CaseOption { values, then } => {
            values.iter().for_each(&mut *visit);
            then.iter().for_each(|it| visit(it));
        }
        Kind::Selector { left, selectors } => {
            visit(left);
            selectors.iter().for_each(visit);
        }
        Kind::SelectorEntry { matching, value } => {
            [matching, value].into_iter().for_each(|it| visit(it));
        }
        Kind::Call {
            functor,
            arguments,
            lambda,
            ..
        }
        | Kind::MethodCall {
            functor,
            arguments,
            lambda,
        } => {
            visit(functor);
            arguments.iter().for_each(&mut *visit);
            lambda.iter().for_each(|it| visit(it));
        }
        Kind::Lambda {
            parameters,
            body,
            return_type,
        } => {
            parameters.iter().for_each(&mut *visit);
            body.iter().chain(return_type).for_each(|it| visit(it));
        }
        Kind::Resource {
            type_name, bodies, ..
        } => {
            visit(type_name);
            bodies.iter().for_each(visit);
        }
        Kind::ResourceBody {
            title: first,
            operations,
        }
        | Kind::ResourceDefaults {
            type_ref: first,
            operations,
            ..
        }
        | Kind::ResourceOverride {
            resources: first,
            operations,
            ..
        } => {
            visit(first);
            operations.iter().for_each(visit);
        }
        Kind::Attribute { value, .. } => visit(value),
        Kind::Collect {
            type_expr,
            query,
            operations,
        } => {
            visit(type_expr);
            visit(query);
            operations.iter().for_each(visit);
        }
        Kind::Query { expr, .. } => expr.iter().for_each(|it| visit(it)),
        Kind::Definition(Definition {
            parameters,
            body,
            return_type,
            ..
        }) => {
            parameters.iter().for_each(&mut *visit);
            body.iter().chain(return_type).for_each(|it| visit(it));
        }
        Kind::NodeDefinition {
            hosts,
            parent,
            body,
        } => {
            parent.iter().for_each(|it| visit(it));
            hosts.iter().for_each(&mut *visit);
            body.iter().for_each(|it| visit(it));
        }
        Kind::TypeAlias { type_expr, .. } => visit(type_expr),
        Kind::TypeMapping { type_expr, mapping } => {
            [type_expr, mapping].into_iter().for_each(|it| visit(it));
        }
        Kind::TypeDefinition { body, .. } => body.iter().for_each(|it| visit(it)),
        Kind::Parameter(Parameter {
            value, type_expr, ..
        }) => {
            value.iter().chain(type_expr).for_each(|it| visit(it));
        }
        Kind::Apply { arguments, body } => {
            arguments.iter().for_each(&mut *visit);
            visit(body);
        }
        Kind::Heredoc { text, .. } => visit(text),
    }
}
