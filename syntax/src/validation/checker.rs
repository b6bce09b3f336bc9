//! The checker: dispatches the objects of the model to their checks.

use super::{PuppetVersion, ValidationContext, tasks};
use crate::model::{self, DefinitionClass, Kind, Node};
use crate::{Diagnostic, Severity, Stage, SyntaxNode, text_at};

/// Collects the diagnostics of the checks.
pub(super) struct Checker<'c> {
    pub(super) context: &'c ValidationContext,
    file: &'c SyntaxNode,
    pub(super) found: Vec<Diagnostic>,
}

/// The ancestors of an object, outermost first.
pub(super) type Path<'p, 'n> = &'p [&'n Node];

impl<'c> Checker<'c> {
    pub(super) fn new(context: &'c ValidationContext, file: &'c SyntaxNode) -> Self {
        Checker {
            context,
            file,
            found: Vec::new(),
        }
    }

    pub(super) fn is_8(&self) -> bool {
        self.context.version >= PuppetVersion::V8
    }

    pub(super) fn error(&mut self, code: &'static str, node: &Node, message: impl Into<String>) {
        self.report(code, Severity::Error, node, message);
    }

    pub(super) fn report(
        &mut self,
        code: &'static str,
        severity: Severity,
        node: &Node,
        message: impl Into<String>,
    ) {
        let mut diagnostic = Diagnostic::error(Stage::Validate, code, message, node.range);
        diagnostic.severity = severity;
        diagnostic.anchor = Some(node.at);
        self.found.push(diagnostic);
    }

    /// Returns the source of an object, if it is short enough for a message.
    pub(super) fn source(&self, node: &Node) -> Option<String> {
        const LONGEST: usize = 40;
        if usize::from(node.range.len()) > LONGEST {
            return None;
        }
        text_at(self.file, node.range).filter(|it| !it.contains('\n'))
    }

    /// Adds a secondary location to the last diagnostic.
    pub(super) fn relate(&mut self, node: &Node, message: &str) {
        if let Some(last) = self.found.last_mut() {
            last.related.push(crate::Related {
                range: node.range,
                message: message.to_owned(),
            });
        }
    }

    pub(super) fn check_program(&mut self, program: &Node) {
        self.check_top_constructs(program);
        model::walk(program, &mut |node, path| self.check(node, path));
    }

    fn check<'n>(&mut self, node: &'n Node, path: Path<'_, 'n>) {
        if self.context.tasks && tasks::check(self, node, path) {
            return;
        }
        match &node.kind {
            Kind::Access { keys, .. } if keys.is_empty() => {
                self.error("MISSING_INDEX", node, "missing index in `[]`");
            }
            Kind::Binary {
                class,
                op,
                left,
                right,
            } => self.binary(node, *class, op, left, right),
            Kind::Unary { expr, .. } => self.rvalue(expr),
            Kind::Attribute { .. } | Kind::AttributeSplat(_) => self.attribute(node, path),
            Kind::Block(statements) | Kind::ApplyBlock(statements) => self.block(node, statements),
            Kind::Call { functor, .. } => self.call(node, functor),
            Kind::Epp(_) => self.epp(node, path),
            Kind::Heredoc { syntax, text } => self.heredoc(syntax, text),
            Kind::Case { test, options } => self.case(test, options),
            Kind::CaseOption { values, .. } | Kind::List(values) => {
                values.iter().for_each(|it| self.rvalue(it));
            }
            Kind::Collect { type_expr, .. } => self.collect(type_expr),
            Kind::Definition(it) => self.definition(node, it, path),
            Kind::TypeAlias { name, type_expr } => self.type_alias(node, name, type_expr, path),
            Kind::TypeMapping { type_expr, mapping } => {
                self.type_mapping(node, type_expr, mapping, path);
            }
            Kind::TypeDefinition { name, .. } => {
                self.top(node, path);
                self.reserved_type_name(node, name);
                self.error(
                    "UNSUPPORTED_EXPRESSION",
                    node,
                    "`type` with a body is not supported: a type alias needs `=`",
                );
            }
            Kind::NodeDefinition {
                hosts,
                parent,
                body,
            } => {
                self.node_definition(node, hosts, parent.as_deref(), body.as_deref(), path);
            }
            Kind::If { test, .. } => self.rvalue(test),
            Kind::KeyedEntry { key, value } => {
                self.rvalue(key);
                self.rvalue(value);
            }
            Kind::Lambda {
                parameters,
                return_type,
                ..
            } => {
                self.capture_last(parameters);
                if let Some(return_type) = return_type {
                    self.type_reference(return_type);
                }
            }
            Kind::Integer { value, .. } => self.integer(node, *value),
            Kind::Float(value) if value.is_infinite() => {
                self.error("NUMERIC_OVERFLOW", node, "float is too large");
            }
            Kind::Hash(entries) => self.hash(entries),
            Kind::QualifiedReference(name) => self.qualified_reference(node, name),
            Kind::Query {
                expr: Some(expr), ..
            } => self.query(expr),
            Kind::Parameter(parameter) => self.parameter(node, parameter),
            Kind::Resource {
                form, type_name, ..
            } => self.resource(node, *form, type_name),
            Kind::ResourceBody { operations, .. } => self.resource_body(operations),
            Kind::ResourceDefaults { form, .. } | Kind::ResourceOverride { form, .. } => {
                self.not_virtual(node, *form);
            }
            Kind::ReservedWord(word) => {
                self.error(
                    "RESERVED_WORD",
                    node,
                    format!("`{word}` is a reserved word and must be quoted"),
                );
            }
            Kind::Selector { left, selectors } => self.selector(left, selectors),
            Kind::SelectorEntry { matching, .. } => self.rvalue(matching),
            Kind::Variable(name) => self.variable(node, name),
            _ => {}
        }
    }

    fn definition<'n>(&mut self, node: &'n Node, it: &'n model::Definition, path: Path<'_, 'n>) {
        self.named_definition(node, &it.name, path);
        match it.class {
            DefinitionClass::Class | DefinitionClass::Define => {
                self.no_capture(&it.parameters);
                self.unique_parameters(&it.parameters);
                self.reserved_parameters(&it.parameters);
                self.no_effect_last(it.body.as_deref());
                if self.is_8() && it.class == DefinitionClass::Class {
                    self.literal_parameter_types(&it.parameters);
                }
            }
            DefinitionClass::Function | DefinitionClass::Plan => {
                if let Some(return_type) = &it.return_type {
                    self.type_reference(return_type);
                }
                self.unique_parameters(&it.parameters);
            }
        }
    }
}
