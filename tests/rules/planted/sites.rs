//! Misspelled names and omissions.

use std::collections::BTreeSet;

use analysis::library;
use pupil_tests::workspace::TestModule;
use syntax::ast::{
    AccessExpr, Assignment, AstNode, Attribute, CallExpr, Expr, Inherits, MethodCall, Parameter,
    ResourceBody, ResourceExpr, VariableExpr,
};
use syntax::validation::PuppetVersion;
use syntax::{Dialect, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use super::Mistake;
use super::misspellings::{misspell, misspell_last_segment};
use super::names::Names;

/// A manifest in which mistakes are planted.
pub(super) struct Source<'a> {
    pub(super) module: &'a TestModule,
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    pub(super) root: SyntaxNode,
    pub(super) names: &'a Names,
}

impl<'a> Source<'a> {
    pub(super) fn new(
        module: &'a TestModule,
        path: &'a str,
        text: &'a str,
        names: &'a Names,
    ) -> Self {
        let root = syntax::parse(text, Dialect::default()).syntax();
        Source {
            module,
            path,
            text,
            root,
            names,
        }
    }
}

/// Returns all misspellings for a file.
pub(super) fn mistakes(source: &Source<'_>) -> Vec<Mistake> {
    let mut sites = Sites {
        source,
        found: Vec::new(),
    };
    for node in source.root.descendants() {
        if !tests_existence(&node) {
            sites.node(&node);
        }
    }
    sites.found
}

/// Checks whether code tests the existence of a name, in which case rules do not report it.
fn tests_existence(node: &SyntaxNode) -> bool {
    const EXISTENCE_TESTS: [&str; 4] = ["defined", "getvar", "find_file", "find_template"];
    node.ancestors().any(|it| {
        let conditional = matches!(
            it.kind(),
            SyntaxKind::IF_EXPR
                | SyntaxKind::UNLESS_EXPR
                | SyntaxKind::BINARY_EXPR
                | SyntaxKind::CALL_EXPR
        );
        let text = || it.text().to_string();
        conditional && EXISTENCE_TESTS.iter().any(|word| text().contains(word))
    })
}

struct Sites<'a, 'b> {
    source: &'b Source<'a>,
    found: Vec<Mistake>,
}

impl Sites<'_, '_> {
    /// Misspells a name: the last segment of a qualified one.
    fn misspell_name(&mut self, kind: &'static str, code: &'static str, range: TextRange) {
        let (from, to) = (usize::from(range.start()), usize::from(range.end()));
        let name = &self.source.text[from..to];
        let quote = name.chars().next().filter(|it| *it == '\'' || *it == '"');
        let inner = quote.map_or(name, |it| name.trim_matches(it));
        let misspelled = if inner.contains("::") {
            misspell_last_segment(inner, "::", from)
        } else if inner.contains('/') {
            misspell_last_segment(inner, "/", from)
        } else {
            misspell(inner, from)
        };
        let Some(misspelled) = misspelled.filter(|it| self.source.names.is_unused(it)) else {
            return;
        };
        let quote = quote.map_or(String::new(), String::from);
        self.found.push(Mistake {
            kind,
            code,
            from,
            to,
            with: format!("{quote}{misspelled}{quote}"),
            at: from,
        });
    }

    fn node(&mut self, node: &SyntaxNode) {
        match node.kind() {
            SyntaxKind::VARIABLE_EXPR => self.variable(node),
            SyntaxKind::CALL_EXPR => self.call(node),
            SyntaxKind::METHOD_CALL => self.method(node),
            SyntaxKind::INHERITS => self.inherits(node),
            SyntaxKind::ACCESS_EXPR => self.access(node),
            SyntaxKind::RESOURCE_EXPR => self.resource(node),
            SyntaxKind::RESOURCE_DEFAULTS | SyntaxKind::RESOURCE_OVERRIDE => self.changed(node),
            SyntaxKind::PARAMETER => self.parameter(node),
            SyntaxKind::ATTRIBUTE => self.source_url(node),
            _ => {}
        }
    }

    fn variable(&mut self, node: &SyntaxNode) {
        let variable = VariableExpr::cast(node.clone());
        let Some((name, token)) = variable.and_then(|it| Some((it.name()?, it.token()?))) else {
            return;
        };
        if is_target(node) {
            return;
        }
        // Inside of a string, the dollar sign is missing.
        let dollar = u32::from(token.text().starts_with('$'));
        let start = token.text_range().start() + syntax::TextSize::new(dollar);
        let range = TextRange::new(start, token.text_range().end());
        let code = "unknown-variable";
        if let Some((class, _)) = name.trim_start_matches("::").rsplit_once("::") {
            if self.source.names.has_manifest(class) && self.has_variable(&name) {
                self.misspell_name("variable of a class", code, range);
            }
            return;
        }
        let in_string = node.ancestors().any(|it| {
            matches!(
                it.kind(),
                SyntaxKind::INTERPOLATED_STRING | SyntaxKind::HEREDOC_BODY
            )
        });
        match binding(node, &name) {
            Some(_) if in_string => self.misspell_name("variable in a string", code, range),
            Some(Binding::Local) => self.misspell_name("local variable", code, range),
            Some(Binding::Parameter) => {
                self.misspell_name("parameter in an expression", code, range)
            }
            None => {}
        }
    }

    /// Checks whether the file of the class contains the variable.
    fn has_variable(&self, name: &str) -> bool {
        let name = name.trim_start_matches("::");
        let Some((class, variable)) = name.rsplit_once("::") else {
            return false;
        };
        let Some((module, rest)) = class.split_once("::") else {
            return false;
        };
        let path = format!("manifests/{}.pp", rest.replace("::", "/"));
        let ours = self.source.module.name == module;
        let text = self.source.module.files.get(&path).filter(|_| ours);
        let text = text.and_then(Option::as_deref).unwrap_or_default();
        text.contains(&format!("${variable} "))
    }

    fn call(&mut self, node: &SyntaxNode) {
        let Some(call) = CallExpr::cast(node.clone()) else {
            return;
        };
        let Some(name) = call.name_token() else {
            return;
        };
        if call.is_statement_call() {
            // A word that is not a statement function starts a new statement.
            let code = "IDEM_EXPRESSION_NOT_LAST";
            self.misspell_name("function without parentheses", code, name.text_range());
        } else if let Some(kind) = self.function_kind(name.text()) {
            self.misspell_name(kind, "unknown-function", name.text_range());
        }
        let first = call.arguments().into_iter().next();
        let Some(Expr::StringLiteral(_) | Expr::QualifiedName(_)) = &first else {
            return;
        };
        let Some(first) = first else { return };
        let written = first.syntax().text().to_string();
        let text = written.trim_matches(['\'', '"']).to_owned();
        let range = first.syntax().text_range();
        let names = self.source.names;
        match name.text() {
            "include" if names.has_manifest(&text) => {
                self.misspell_name("class in include", "unknown-class", range);
                self.wrong_module(&text, range);
            }
            "require" if names.has_manifest(&text) => {
                self.misspell_name("class in require", "unknown-class", range);
            }
            "contain" if names.has_manifest(&text) => {
                self.misspell_name("class in contain", "unknown-class", range);
            }
            "template" if names.has_path(&text, "templates") => {
                self.misspell_name("template", "missing-template", range);
            }
            "epp" if names.has_path(&text, "templates") => {
                self.misspell_name("epp template", "missing-template", range);
            }
            "create_resources" if names.has_manifest(&text) || names.has_ruby_type(&text) => {
                let code = "unknown-resource-type";
                self.misspell_name("type in create_resources", code, range);
            }
            _ => {}
        }
    }

    fn function_kind(&self, name: &str) -> Option<&'static str> {
        let names = self.source.names;
        if library::function(name, PuppetVersion::V8).is_some() {
            Some("function of Puppet")
        } else if names.has_function(name) {
            Some("function in Puppet's language")
        } else if names.functions_4x.contains(name) {
            Some("4.x function")
        } else if names.functions_3x.contains(name) {
            Some("3.x function")
        } else {
            None
        }
    }

    fn method(&mut self, node: &SyntaxNode) {
        let name = MethodCall::cast(node.clone()).and_then(|it| it.name_token());
        if let Some(name) = name {
            let code = "unknown-function";
            self.misspell_name("function in a method call", code, name.text_range());
        }
    }

    /// Replaces the module in the name of a class.
    fn wrong_module(&mut self, name: &str, range: TextRange) {
        let absolute = if name.starts_with("::") { "::" } else { "" };
        let name = name.trim_start_matches("::");
        let Some((module, rest)) = name.split_once("::") else {
            return;
        };
        let (from, to) = (usize::from(range.start()), usize::from(range.end()));
        let Some(other) = self.source.names.other_module(module, from) else {
            return;
        };
        let wrong = format!("{other}::{rest}");
        if self.source.names.has_manifest(&wrong) {
            return;
        }
        for (kind, code, with) in [
            ("class of another module", "unknown-class", wrong),
            (
                "class of a missing module",
                "unknown-class",
                format!("pupil_{module}::{rest}"),
            ),
        ] {
            let with = format!("{absolute}{with}");
            let at = from;
            self.found.push(Mistake {
                kind,
                code,
                from,
                to,
                with,
                at,
            });
        }
    }

    fn inherits(&mut self, node: &SyntaxNode) {
        let name = Inherits::cast(node.clone()).and_then(|it| it.name());
        let name = name.and_then(|it| it.token());
        if let Some(name) = name.filter(|it| self.source.names.has_manifest(it.text())) {
            self.misspell_name("class in inherits", "unknown-class", name.text_range());
        }
    }

    fn access(&mut self, node: &SyntaxNode) {
        let access = AccessExpr::cast(node.clone());
        let base = access.as_ref().and_then(AccessExpr::base);
        if !matches!(&base, Some(Expr::QualifiedReference(it)) if it.text() == "Class") {
            return;
        }
        for key in access.map(|it| it.keys()).unwrap_or_default() {
            let text = key.syntax().text().to_string();
            let name = text.trim_matches(['\'', '"']);
            if self.source.names.has_manifest(name) {
                let range = key.syntax().text_range();
                self.misspell_name("class in Class[…]", "unknown-class", range);
            }
        }
    }

    fn resource(&mut self, node: &SyntaxNode) {
        let Some(resource) = ResourceExpr::cast(node.clone()) else {
            return;
        };
        if resource.class_keyword().is_some() {
            return resource.bodies().for_each(|it| self.class(&it));
        }
        let Some(Expr::QualifiedName(type_)) = resource.type_name() else {
            return;
        };
        let range = type_.syntax().text_range();
        let type_ = type_.text();
        let shipped = is_core(&type_);
        let code = "unknown-resource-type";
        if shipped {
            self.misspell_name("resource type of Puppet", code, range);
        } else if self.source.names.has_ruby_type(&type_) {
            self.misspell_name("resource type in Ruby", code, range);
        } else if self.source.names.has_manifest(&type_) {
            self.misspell_name("defined type", code, range);
        }
        for body in resource.bodies() {
            self.body(&type_, &body);
        }
    }

    fn class(&mut self, body: &ResourceBody) {
        let Some(Expr::StringLiteral(title)) = body.title() else {
            return;
        };
        if !self.source.names.has_manifest(&title.value()) {
            return;
        }
        let range = title.syntax().text_range();
        self.misspell_name("class in class { … }", "unknown-class", range);
        for name in attributes(body.syntax()) {
            if library::metaparameter(name.text()).is_none() {
                let code = "unknown-parameter";
                self.misspell_name("parameter of a class", code, name.text_range());
            }
        }
    }

    fn body(&mut self, type_: &str, body: &ResourceBody) {
        let names = self.source.names;
        let is_define = names.has_manifest(type_);
        let in_ruby = names.has_ruby_type(type_);
        for name in attributes(body.syntax()) {
            let range = name.text_range();
            if library::metaparameter(name.text()).is_some() {
                if is_core(type_) {
                    self.misspell_name("metaparameter", "unknown-attribute", range);
                }
            } else if is_core(type_) {
                self.misspell_name("attribute of Puppet's types", "unknown-attribute", range);
            } else if in_ruby && !is_define {
                self.misspell_name("attribute of types in Ruby", "unknown-attribute", range);
            } else if is_define {
                let code = "unknown-parameter";
                if !names.is_required(type_, name.text()) {
                    self.misspell_name("parameter of a defined type", code, range);
                }
                self.omit_parameter(type_, body, &name);
            }
        }
    }

    /// Removes a required parameter.
    fn omit_parameter(&mut self, type_: &str, body: &ResourceBody, name: &SyntaxToken) {
        let title = body.title();
        let Some(title @ Expr::StringLiteral(_)) = title else {
            return;
        };
        let splat = body
            .syntax()
            .children()
            .any(|it| it.kind() == SyntaxKind::ATTRIBUTE_SPLAT);
        if splat || !self.source.names.is_required(type_, name.text()) {
            return;
        }
        let Some(attribute) = name.parent() else {
            return;
        };
        let range = attribute.text_range();
        let next = attribute.next_sibling_or_token();
        let comma = next.filter(|it| it.kind() == SyntaxKind::COMMA);
        let Some(comma) = comma else { return };
        self.found.push(Mistake {
            kind: "missing required parameter",
            code: "missing-parameter",
            from: usize::from(range.start()),
            to: usize::from(comma.text_range().end()),
            with: String::new(),
            at: usize::from(title.syntax().text_range().start()),
        });
    }

    fn changed(&mut self, node: &SyntaxNode) {
        let type_ = node.children().next().map(|it| it.text().to_string());
        let type_ = type_.unwrap_or_default();
        let type_ = type_.split('[').next().unwrap_or_default();
        if !is_core(&type_.to_ascii_lowercase()) {
            return;
        }
        for name in attributes(node) {
            let code = "unknown-attribute";
            let kind = "attribute of a default or override";
            self.misspell_name(kind, code, name.text_range());
        }
    }

    fn parameter(&mut self, node: &SyntaxNode) {
        let type_ = Parameter::cast(node.clone()).and_then(|it| it.type_expr());
        let Some(type_) = type_ else { return };
        for node in type_.syntax().descendants() {
            if node.kind() == SyntaxKind::QUALIFIED_REFERENCE
                && self.source.names.has_alias(&node.text().to_string())
            {
                self.misspell_name("type alias", "unknown-type", node.text_range());
            }
        }
    }

    fn source_url(&mut self, node: &SyntaxNode) {
        let attribute = Attribute::cast(node.clone());
        let value = attribute.and_then(|it| it.value());
        let Some(Expr::StringLiteral(value)) = value else {
            return;
        };
        let url = value.value();
        let path = url.strip_prefix("puppet:///modules/");
        if path.is_some_and(|it| self.source.names.has_path(it, "files")) {
            let range = value.syntax().text_range();
            self.misspell_name("source of a file", "missing-file", range);
        }
    }
}

fn is_core(type_: &str) -> bool {
    const CORE: [&str; 8] = [
        "exec", "file", "group", "notify", "package", "schedule", "service", "user",
    ];
    CORE.contains(&type_)
}

/// Returns the names of the attributes in a resource body.
fn attributes(body: &SyntaxNode) -> Vec<SyntaxToken> {
    let attributes = body.children().filter_map(Attribute::cast);
    attributes.filter_map(|it| it.name_token()).collect()
}

/// Checks whether a variable is assigned here.
fn is_target(node: &SyntaxNode) -> bool {
    let mut around = node.ancestors().skip(1);
    around.any(|it| {
        let assignment = Assignment::cast(it);
        let target = assignment.and_then(|it| it.lhs());
        target.is_some_and(|it| it.syntax().text_range().contains_range(node.text_range()))
    })
}

enum Binding {
    Local,
    Parameter,
}

/// Returns how the variable is bound in the enclosing definition.
fn binding(node: &SyntaxNode, name: &str) -> Option<Binding> {
    let definition = node.ancestors().find(|it| {
        matches!(
            it.kind(),
            SyntaxKind::CLASS_DEFINITION | SyntaxKind::DEFINE_DEFINITION
        )
    })?;
    let parameters = definition
        .children()
        .filter(|it| it.kind() == SyntaxKind::PARAMETER_LIST)
        .flat_map(|it| it.children())
        .filter_map(Parameter::cast)
        .filter_map(|it| it.name());
    if parameters.collect::<BTreeSet<_>>().contains(name) {
        return Some(Binding::Parameter);
    }
    let written = format!("${name}");
    let assigned = definition
        .descendants()
        .filter_map(Assignment::cast)
        .any(|it| {
            it.lhs()
                .is_some_and(|it| it.syntax().text() == written.as_str())
        });
    assigned.then_some(Binding::Local)
}
