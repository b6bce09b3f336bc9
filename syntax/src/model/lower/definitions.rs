//! Lowering of definitions and their parameters.

use super::{Lowerer, start, start_of};
use crate::ast::{self, AstNode, HasBody, HasName, HasParameters};
use crate::model::{Definition, DefinitionClass, Kind, Node, Parameter};

impl Lowerer<'_> {
    pub(super) fn full_name(&self, name: &str) -> String {
        if self.namespace.is_empty() {
            return name.to_owned();
        }
        let joined = format!("{}::{name}", self.namespace.join("::"));
        joined
            .strip_prefix("::")
            .map_or(joined.clone(), str::to_owned)
    }

    pub(super) fn class(&mut self, class: &ast::ClassDefinition) -> Kind {
        let written = class.name().map(|it| it.text()).unwrap_or_default();
        let name = self.full_name(&written);
        let parent = class
            .inherits()
            .and_then(|it| it.name())
            .map(|it| it.text());
        let parameters = self.parameters(class);
        self.namespace.push(written);
        let body = self.body(class.body(), start(class));
        self.namespace.pop();
        let class = DefinitionClass::Class;
        Kind::Definition(Definition {
            class,
            name,
            parent,
            parameters,
            body,
            return_type: None,
        })
    }

    pub(super) fn define(&mut self, define: &ast::DefineDefinition) -> Kind {
        let written = define.name().map(|it| it.text()).unwrap_or_default();
        let name = self.full_name(&written);
        let parameters = self.parameters(define);
        let body = self.body(define.body(), start(define));
        let class = DefinitionClass::Define;
        Kind::Definition(Definition {
            class,
            name,
            parent: None,
            parameters,
            body,
            return_type: None,
        })
    }

    pub(super) fn plan(&mut self, plan: &ast::PlanDefinition) -> Kind {
        let written = plan.name().map(|it| it.text()).unwrap_or_default();
        let name = self.full_name(&written);
        let parameters = self.parameters(plan);
        self.namespace.push(written);
        let body = self.body(plan.body(), start(plan));
        self.namespace.pop();
        let class = DefinitionClass::Plan;
        Kind::Definition(Definition {
            class,
            name,
            parent: None,
            parameters,
            body,
            return_type: None,
        })
    }

    pub(super) fn function(&mut self, function: &ast::FunctionDefinition) -> Kind {
        let name = function.name().map(|it| it.text()).unwrap_or_default();
        let parameters = self.parameters(function);
        let body = self.body(function.body(), start(function));
        let return_type = self.return_type(function.return_type());
        let class = DefinitionClass::Function;
        Kind::Definition(Definition {
            class,
            name,
            parent: None,
            parameters,
            body,
            return_type,
        })
    }

    pub(super) fn node(&mut self, node: &ast::NodeDefinition) -> Kind {
        let hosts = node.host_names().map(|it| self.host_name(&it)).collect();
        let parent = node.inherits().and_then(|it| it.host_name());
        let parent = parent.map(|it| Box::new(self.host_name(&it)));
        Kind::NodeDefinition {
            hosts,
            parent,
            body: self.body(node.body(), start(node)),
        }
    }

    pub(super) fn host_name(&mut self, host: &ast::HostName) -> Node {
        if let Some(expr) = host.expr() {
            return self.expr(&expr);
        }
        let range = host.syntax().text_range();
        let name = host.dotted_name().unwrap_or_default();
        Node {
            kind: Kind::String(name),
            at: range.start(),
            range,
        }
    }

    pub(super) fn type_alias(&mut self, alias: &ast::TypeAlias, name: String) -> Kind {
        let type_expr = self.option(alias.type_expr());
        let object = |hash: Node, name: &str| {
            let (at, range) = (hash.at, hash.range);
            let left = Box::new(Node {
                kind: Kind::QualifiedReference(name.to_owned()),
                at,
                range,
            });
            Node {
                kind: Kind::Access {
                    left,
                    keys: vec![hash],
                },
                at,
                range,
            }
        };
        let type_expr = match (&type_expr.kind, alias.object_hash()) {
            (Kind::QualifiedReference(parent), Some(hash)) => {
                let mut hash = self.expr(&hash);
                let is_known = matches!(parent.as_str(), "Object" | "TypeSet");
                if let (false, Kind::Hash(entries)) = (is_known, &mut hash.kind) {
                    let (at, range) = (type_expr.at, type_expr.range);
                    let key = Kind::QualifiedName("parent".to_owned());
                    let key = Box::new(Node {
                        kind: key,
                        at,
                        range,
                    });
                    let value = Box::new(type_expr.clone());
                    entries.push(Node {
                        kind: Kind::KeyedEntry { key, value },
                        at,
                        range,
                    });
                }
                object(hash, if is_known { parent } else { "Object" })
            }
            (Kind::Hash(_), None) => object(type_expr, "Object"),
            _ => type_expr,
        };
        Kind::TypeAlias {
            name,
            type_expr: Box::new(type_expr),
        }
    }

    pub(super) fn return_type(
        &mut self,
        return_type: Option<ast::ReturnType>,
    ) -> Option<Box<Node>> {
        return_type.map(|it| self.boxed(it.type_expr()))
    }

    pub(super) fn parameters(&mut self, owner: &impl HasParameters) -> Vec<Node> {
        owner
            .parameters()
            .iter()
            .map(|it| {
                let at = start_of(it.variable(), it);
                let parameter = Parameter {
                    name: it.name().unwrap_or_default(),
                    type_expr: it.type_expr().map(|it| Box::new(self.expr(&it))),
                    value: it.default().map(|it| Box::new(self.expr(&it))),
                    captures_rest: it.captures_rest(),
                };
                Node {
                    kind: Kind::Parameter(parameter),
                    at,
                    range: it.syntax().text_range(),
                }
            })
            .collect()
    }
}
