//! The errors of registering the definitions of a file: duplicate names, and parameters that clash
//! with metaparameters.

use std::collections::HashMap;

use crate::model::{self, Definition, DefinitionClass, Kind, Node};
use crate::{Diagnostic, Stage};

/// The metaparameters of Puppet 7 and 8.
const METAPARAMETERS: [&str; 11] = [
    "alias",
    "audit",
    "before",
    "loglevel",
    "noop",
    "notify",
    "require",
    "schedule",
    "stage",
    "subscribe",
    "tag",
];

/// Puppet's built-in types, whose names are not available for type aliases.
const BUILT_IN_TYPES: [&str; 60] = [
    "any",
    "array",
    "binary",
    "boolean",
    "callable",
    "catalogentry",
    "class",
    "collection",
    "component",
    "data",
    "default",
    "deferred",
    "enum",
    "exec",
    "file",
    "filebucket",
    "float",
    "group",
    "hash",
    "init",
    "integer",
    "iterable",
    "iterator",
    "node",
    "notify",
    "notundef",
    "numeric",
    "object",
    "optional",
    "package",
    "pattern",
    "pcore",
    "regexp",
    "resource",
    "resources",
    "richdata",
    "richdatakey",
    "runtime",
    "scalar",
    "scalardata",
    "schedule",
    "semver",
    "semverrange",
    "sensitive",
    "service",
    "stage",
    "string",
    "struct",
    "tidy",
    "timespan",
    "timestamp",
    "tuple",
    "type",
    "typealias",
    "typereference",
    "typeset",
    "undef",
    "uri",
    "user",
    "variant",
];

/// The namespace of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Space {
    /// The namespace of classes, defined types and nodes.
    Catalog,
    Function,
    Type,
}

/// Returns the errors of registering the definitions of `program`, in source order.
pub(super) fn check(program: &Node) -> Vec<Diagnostic> {
    let mut import = Import {
        taken: HashMap::new(),
        found: Vec::new(),
    };
    model::walk(program, &mut |node, _| import.visit(node));
    import.found
}

struct Import<'n> {
    taken: HashMap<(Space, String), &'n Node>,
    found: Vec<Diagnostic>,
}

impl<'n> Import<'n> {
    fn visit(&mut self, node: &'n Node) {
        match &node.kind {
            Kind::Definition(it) => self.definition(node, it),
            Kind::NodeDefinition { hosts, .. } => {
                for host in hosts {
                    self.take(Space::Catalog, host_key(host), host, "node");
                }
            }
            Kind::TypeMapping { type_expr, .. } => self.mapping(type_expr),
            Kind::TypeAlias { name, .. } => {
                let name = name.to_lowercase();
                if BUILT_IN_TYPES.contains(&name.as_str()) || name == "whit" {
                    let message = format!("cannot redefine built-in type `{name}`");
                    return self.error_without_place("DUPLICATE_DEFINITION", node, message);
                }
                self.take(Space::Type, name, node, "type");
            }
            _ => {}
        }
    }

    /// Checks that `Runtime` has exactly two parameters: the name of the runtime, and a name or a
    /// pattern.
    fn mapping(&mut self, type_expr: &Node) {
        if let Kind::Access { keys, .. } = &type_expr.kind
            && keys.len() != 2
        {
            let message = format!("`Runtime` expects 2 parameters, found {}", keys.len());
            self.error_without_place("ILLEGAL_TYPE_MAPPING", type_expr, message);
        }
    }

    fn definition(&mut self, node: &'n Node, it: &Definition) {
        let name = it.name.to_lowercase();
        match it.class {
            DefinitionClass::Function => self.take(Space::Function, name, node, "function"),
            DefinitionClass::Class => {
                self.metaparameters(it);
                self.take(Space::Catalog, name, node, "class");
            }
            DefinitionClass::Define => {
                self.metaparameters(it);
                self.take(Space::Catalog, name, node, "defined type");
            }
            DefinitionClass::Plan => {}
        }
    }

    /// Checks that parameters with the name of a metaparameter have a default value.
    fn metaparameters(&mut self, definition: &Definition) {
        for parameter in &definition.parameters {
            let Kind::Parameter(it) = &parameter.kind else {
                continue;
            };
            if it.value.is_none() && METAPARAMETERS.contains(&it.name.as_str()) {
                let message = format!(
                    "cannot declare parameter `${}` without a default value: it is a metaparameter",
                    it.name
                );
                self.error_without_place("RESERVED_PARAMETER", parameter, message);
            }
        }
    }

    fn take(&mut self, space: Space, name: String, node: &'n Node, what: &str) {
        if let Some(&first) = self.taken.get(&(space, name.clone())) {
            let message = format!("duplicate definition of {what} `{name}`");
            self.error("DUPLICATE_DEFINITION", node, message, Some(first));
            // Puppet's loaders report no line, but the catalog does.
            let by_loader = space != Space::Catalog || (is_define(node) && is_define(first));
            if let Some(last) = self.found.last_mut().filter(|_| by_loader) {
                last.anchor = None;
            }
            return;
        }
        self.taken.insert((space, name), node);
    }

    /// Reports an error for which Puppet reports no line.
    fn error_without_place(&mut self, code: &'static str, node: &Node, message: String) {
        self.error(code, node, message, None);
        if let Some(last) = self.found.last_mut() {
            last.anchor = None;
        }
    }

    fn error(&mut self, code: &'static str, node: &Node, message: String, first: Option<&Node>) {
        let mut error = Diagnostic::error(Stage::Import, code, message, node.range);
        error.anchor = Some(node.at);
        if let Some(first) = first {
            error = error.with_related(first.range, "first defined here");
        }
        self.found.push(error);
    }
}

fn is_define(node: &Node) -> bool {
    matches!(&node.kind, Kind::Definition(it) if it.class == DefinitionClass::Define)
}

/// Returns the name under which Puppet registers a node.
fn host_key(host: &Node) -> String {
    match &host.kind {
        Kind::Regex(source) => {
            // From `resource/type.rb`: other characters are dropped from the name.
            let is_kept =
                |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
            let kept: String = source.to_lowercase().chars().filter(is_kept).collect();
            format!("__node_regexp__{}", kept.trim_start_matches('.'))
        }
        Kind::String(name) | Kind::QualifiedName(name) => name.to_lowercase(),
        Kind::Heredoc { text, .. } => host_key(text),
        Kind::Integer { value, .. } => value.to_string(),
        _ => "default".to_owned(),
    }
}
