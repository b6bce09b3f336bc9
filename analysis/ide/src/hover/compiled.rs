//! The parameters of a declared resource that other code sets, from the catalog of the class around it.

use catalog::{Compilation, Origin, Parameter, Resource};
use infer::NodeVariables;
use salsa::Database;
use syntax::ast::{AstNode, ResourceBody, ResourceExpr};
use syntax::{SyntaxNode, TextSize};
use types::values::Value;

use super::super::catalog_subject::{CatalogSubjectKind, catalog_subject};
use super::super::markdown::code_block;
use super::content::{HoverContent, MAX_SIGNATURE, one_line};
use base::{FileInput, truncated};

/// The maximum number of parameters.
const MAX_PARAMETERS: usize = 10;

/// Parameters that other code sets.
pub(super) struct AddedParameters {
    class: String,
    /// The parameters as attributes, each with what sets it.
    lines: Vec<String>,
    /// The type of the resource.
    type_name: String,
}

impl AddedParameters {
    /// Returns the content of a hover without other content.
    pub(super) fn content(&self, title: &SyntaxNode) -> HoverContent {
        let title = one_line(&title.text().to_string());
        HoverContent::new(format!("{} {{ {title}: }}", self.type_name))
    }

    /// Renders the parameters as a paragraph.
    pub(super) fn paragraph(&self) -> String {
        let code = code_block(&self.lines.join("\n"));
        format!(
            "Also set, in the catalog of class `{}`:\n\n{code}",
            self.class
        )
    }
}

/// Returns the parameters of the resources with a title that are set elsewhere, if the node is a title and the
/// compilation of the class around it is complete.
pub(super) fn added_parameters(
    db: &dyn Database,
    file: FileInput,
    node: &SyntaxNode,
) -> Option<AddedParameters> {
    let body = ResourceBody::cast(node.parent()?)?;
    let title = body.title().filter(|it| it.syntax() == node)?;
    let resource = ResourceExpr::cast(body.syntax().parent()?)?;
    let type_name = resource.type_name()?.syntax().text().to_string();
    let start = title.syntax().text_range().start();
    let CatalogSubjectKind::Class(class) = catalog_subject(db, file, Some(start))?.kind else {
        return None;
    };
    let node = NodeVariables::default();
    let environment = file.environment(db)?;
    let budget = catalog::BASE_BUDGET;
    let compilation = catalog::compile_class(db, environment, &class, &node, budget);
    if !compilation.errors.is_empty() {
        return None;
    }
    let declared = declared_at(&compilation, db, file, start);
    let (first, others) = declared.split_first()?;
    let common = first.parameters.iter().filter(|(name, it)| {
        let has = |other: &&Resource| other.parameters.get(*name) == Some(*it);
        is_added(it) && others.iter().all(has)
    });
    let mut lines: Vec<String> = common.filter_map(|(name, it)| line(name, it)).collect();
    if lines.is_empty() {
        return None;
    }
    if lines.len() > MAX_PARAMETERS {
        lines.truncate(MAX_PARAMETERS);
        lines.push("# …".to_owned());
    }
    Some(AddedParameters {
        class,
        lines,
        type_name,
    })
}

/// Returns the certain resources that the title at an offset declares.
fn declared_at<'a>(
    compilation: &'a Compilation,
    db: &dyn Database,
    file: FileInput,
    start: TextSize,
) -> Vec<&'a Resource> {
    let id = file.id(db);
    let resources = compilation.catalog.resources.values();
    let declared = resources.filter(|it| {
        let place = it.place.filter(|it| it.file == Some(id));
        place.is_some_and(|it| it.range.start() == start)
    });
    let declared: Vec<&Resource> = declared.collect();
    match declared.iter().all(|it| it.is_certain) {
        true => declared,
        false => Vec::new(),
    }
}

/// Checks whether code other than the declaration sets a parameter.
fn is_added(parameter: &Parameter) -> bool {
    match &parameter.origin {
        Origin::Declaration(_) | Origin::Title | Origin::Data { .. } => false,
        Origin::DefaultValue(_)
        | Origin::ResourceDefault(_)
        | Origin::Override(_)
        | Origin::Relationship(_) => true,
    }
}

/// Renders a parameter whose value is known and not secret.
fn line(name: &str, parameter: &Parameter) -> Option<String> {
    let value = parameter.value.as_ref().ok()?;
    if has_secret(value) {
        return None;
    }
    let (origin, value) = match parameter.origin {
        Origin::DefaultValue(_) => ("default", catalog::source(value)?),
        Origin::ResourceDefault(_) => ("resource default", catalog::source(value)?),
        Origin::Override(_) => ("override", catalog::source(value)?),
        _ => ("relationship", references(value)?),
    };
    let value = truncated(&one_line(&value), MAX_SIGNATURE).to_string();
    Some(format!("{name} => {value},  # {origin}"))
}

/// Renders the value of a relationship, in which references may be strings.
fn references(value: &Value) -> Option<String> {
    match value {
        Value::String(it) => Some(it.to_string()),
        Value::Array(items) if items.len() == 1 => references(items.first()?),
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(references).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        value => catalog::source(value),
    }
}

fn has_secret(value: &Value) -> bool {
    match value {
        Value::Sensitive(_) => true,
        Value::Array(items) => items.iter().any(has_secret),
        Value::Hash(entries) => entries
            .iter()
            .any(|it| has_secret(it.0) || has_secret(it.1)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn hover(text: &str) -> String {
        let fixture = Fixture::new(text);
        let (file, offset) = fixture.cursor();
        let hover = fixture.analysis().hover(file, offset);
        hover.map_or_else(String::new, |it| it.to_markdown(|_| None))
    }

    #[test]
    fn lists_parameters_that_other_code_sets() {
        let found = hover(
            "//- modules/a/manifests/init.pp\n\
             class a ($mode = '0600') {\n  File { mode => $mode, owner => 'root' }\n  \
             file { '/<^>a': owner => 'bin' }\n  notify { 'b': }\n  \
             File['/a'] { group => 'adm' }\n  File['/a'] -> Notify['b']\n}\n",
        );
        let expected = "Also set, in the catalog of class `a`:\n\n```puppet\n\
            group => 'adm',  # override\n\
            mode => '0600',  # resource default\n\
            before => Notify[b],  # relationship\n```";
        for line in expected.lines() {
            assert!(found.contains(line), "{line} in {found}");
        }
        assert!(!found.contains("owner => 'root'"), "{found}");
    }

    #[test]
    fn lists_defaults_of_defined_types_without_secrets() {
        let found = hover(
            "//- modules/a/manifests/init.pp\n\
             class a {\n  ['x', 'y'].each |$it| {\n    a::b { \"<^>s-${it}\": }\n  }\n}\n\
             //- modules/a/manifests/b.pp\n\
             define a::b ($port = 80, $key = Sensitive('secret'), $name_ = $title) { }\n",
        );
        assert!(found.contains("port => 80,  # default"), "{found}");
        assert!(
            !found.contains("secret") && !found.contains("name_"),
            "{found}"
        );
    }

    #[test]
    fn lists_nothing_that_is_uncertain() {
        for code in [
            // Only possible.
            "if $facts['a'] { File { mode => '0600' } file { '/<^>a': } }",
            // Puppet rejects the catalog.
            "File { mode => '0600' } file { '/<^>a': } file { '/a': }",
            // The value is unknown.
            "File { mode => $facts['a'] } file { '/<^>a': }",
        ] {
            let found = hover(&format!(
                "//- modules/a/manifests/init.pp\nclass a {{ {code} }}\n"
            ));
            assert!(!found.contains("Also set"), "{code}: {found}");
        }
    }
}
