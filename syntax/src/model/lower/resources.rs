//! Lowering of resources, collectors and template output.

use rowan::{TextRange, TextSize};

use super::{Lowerer, start_of};
use crate::ast::{self, AstNode, AttributeOperation, HasBody};
use crate::model::{Form, Kind, Node, UnaryClass};

impl Lowerer<'_> {
    pub(super) fn virtual_expr(&mut self, expr: &ast::VirtualExpr, range: TextRange) -> Node {
        let wanted = if expr.is_exported() {
            Form::Exported
        } else {
            Form::Virtual
        };
        let mut node = self.option(expr.resource());
        if let Kind::Resource { form, .. }
        | Kind::ResourceDefaults { form, .. }
        | Kind::ResourceOverride { form, .. } = &mut node.kind
        {
            *form = wanted;
        }
        Node {
            at: range.start(),
            range,
            ..node
        }
    }

    pub(super) fn resource(&mut self, resource: &ast::ResourceExpr) -> (Kind, TextSize) {
        let type_name = match resource.class_keyword() {
            Some(token) => {
                let range = token.text_range();
                let kind = Kind::QualifiedName("class".to_owned());
                Box::new(Node {
                    kind,
                    at: range.start(),
                    range,
                })
            }
            None => self.boxed(resource.type_name()),
        };
        let at = type_name.at;
        let bodies = resource
            .bodies()
            .map(|it| {
                let title = self.boxed(it.title());
                let operations = self.operations(it.operations());
                let range = it.syntax().text_range();
                Node {
                    kind: Kind::ResourceBody { title, operations },
                    at,
                    range,
                }
            })
            .collect();
        (
            Kind::Resource {
                form: Form::Regular,
                type_name,
                bodies,
            },
            at,
        )
    }

    pub(super) fn operations(
        &mut self,
        operations: impl Iterator<Item = AttributeOperation>,
    ) -> Vec<Node> {
        operations
            .map(|it| {
                let range = it.syntax().text_range();
                let kind = match it {
                    AttributeOperation::Attribute(it) => Kind::Attribute {
                        name: it
                            .name_token()
                            .map(|it| it.text().to_owned())
                            .unwrap_or_default(),
                        op: it
                            .operator()
                            .map(|it| it.text().to_owned())
                            .unwrap_or_default(),
                        value: self.boxed(it.value()),
                    },
                    AttributeOperation::AttributeSplat(it) => {
                        Kind::AttributeSplat(self.boxed(it.value()))
                    }
                };
                Node {
                    kind,
                    at: range.start(),
                    range,
                }
            })
            .collect()
    }

    /// Lowers `name { k => v }`, a name and a hash: two statements, or a function call.
    pub(super) fn untitled_resource(
        &mut self,
        resource: &ast::UntitledResource,
    ) -> (Kind, TextSize) {
        let name = self.option(resource.name());
        let at = name.at;
        let range = resource.syntax().text_range();
        let brace = start_of(resource.l_brace(), resource);
        let entries = self
            .operations(resource.operations())
            .into_iter()
            .map(as_entry)
            .collect();
        let hash = Node {
            kind: Kind::Hash(entries),
            at: brace,
            range: TextRange::new(brace.min(range.end()), range.end()),
        };
        let is_call =
            matches!(&name.kind, Kind::QualifiedName(it) if ast::is_statement_function(it));
        let kind = if is_call {
            let (functor, arguments) = (Box::new(name), vec![hash]);
            Kind::Call {
                functor,
                is_value: false,
                arguments,
                lambda: None,
            }
        } else {
            Kind::Block(vec![name, hash])
        };
        (kind, at)
    }

    pub(super) fn collect(&mut self, collect: &ast::CollectExpr) -> (Kind, TextSize) {
        let type_expr = self.boxed(collect.type_expr());
        let at = type_expr.at;
        let query = collect.query();
        let range = query
            .as_ref()
            .map_or(collect.syntax().text_range(), |it| it.syntax().text_range());
        let exported = query.as_ref().is_some_and(ast::CollectQuery::is_exported);
        let expr = query
            .and_then(|it| it.expr())
            .map(|it| Box::new(self.expr(&it)));
        let query = Node {
            kind: Kind::Query { exported, expr },
            at: range.start(),
            range,
        };
        let operations = self.operations(collect.operations());
        (
            Kind::Collect {
                type_expr,
                query: Box::new(query),
                operations,
            },
            at,
        )
    }

    pub(super) fn apply(&mut self, apply: &ast::ApplyExpr) -> Kind {
        let arguments = self.exprs(apply.arguments());
        let range = apply.syntax().text_range();
        let statements = apply
            .body()
            .map(|it| self.statements(it.statements()))
            .unwrap_or_default();
        let body = Node {
            kind: Kind::ApplyBlock(statements),
            at: range.start(),
            range,
        };
        Kind::Apply {
            arguments,
            body: Box::new(body),
        }
    }

    pub(super) fn render(&mut self, render: &ast::RenderExpr) -> Kind {
        let expr = match render.expr() {
            Some(expr) => self.boxed(Some(expr)),
            None => self
                .branch(render.body())
                .unwrap_or_else(|| self.boxed(None)),
        };
        Kind::Unary {
            class: UnaryClass::Render,
            expr,
        }
    }
}

/// Converts an attribute to an entry of a hash.
fn as_entry(operation: Node) -> Node {
    let Node { kind, at, range } = operation;
    let mut key_range = range;
    let (key, value) = match kind {
        Kind::Attribute { name, value, .. } => {
            key_range = TextRange::at(range.start(), TextSize::of(name.as_str()));
            (Kind::String(name), value)
        }
        Kind::AttributeSplat(value) => (Kind::Nop, value),
        other => (
            Kind::Nop,
            Box::new(Node {
                kind: other,
                at,
                range,
            }),
        ),
    };
    let key = Box::new(Node {
        kind: key,
        at,
        range: key_range,
    });
    Node {
        kind: Kind::KeyedEntry { key, value },
        at,
        range,
    }
}
