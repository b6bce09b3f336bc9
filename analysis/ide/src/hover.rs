//! Hover: the signature and documentation of definitions and parameters, and the inferred type and
//! known value of any expression.

mod definitions;
mod inferred;
mod project;

use salsa::Database;
use syntax::ast::{AstNode, Definition, HasName, Parameter};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextSize};

pub(super) use definitions::{
    attribute_documentation, class_documentation, data_type_documentation, fact_documentation,
    function_documentation, function_parameter_documentation, render_function_parameter,
    resource_type_documentation, variable_documentation,
};

use super::Hover;
use super::markdown::{self, code_block, header};
use super::selection_range::token_at;
use base::FileInput;

pub(super) use inferred::render_inferred;
pub use project::hover as project_hover;

/// The separator between the sections of a hover.
const SECTION_SEPARATOR: &str = "\n\n---\n\n";

/// Computes the hover at an offset.
pub(crate) fn hover(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<Hover> {
    let root = base::parse(db, file).syntax();
    if offset > root.text_range().end() {
        return None;
    }
    let token = token_at(&root, offset)?;
    if token.kind() == SyntaxKind::WHITESPACE || token.kind().is_comment() {
        return None;
    }
    let node = token.parent()?;
    if let Some(found) = definition(&root, &token, &node) {
        return Some(found);
    }
    if let Some(found) = parameter(&token, &node) {
        return Some(add_inferred_type(db, file, &token, found));
    }
    let name = || definitions::fact(&token).or_else(|| definitions::name(db, file, offset));
    if node.kind() == SyntaxKind::VARIABLE_EXPR {
        return join_hovers(inferred::expression(db, file, &node), name());
    }
    let named = definitions::attribute(db, file, &token).or_else(name);
    if let Some(named) = named {
        return Some(add_call_result(db, file, &node, named));
    }
    inferred::title(db, file, &node).or_else(|| inferred::expression(db, file, &node))
}

/// Joins the inferred type and the documentation of a name.
fn join_hovers(inferred: Option<Hover>, named: Option<Hover>) -> Option<Hover> {
    match (inferred, named) {
        (Some(inferred), Some(named)) => Some(Hover {
            range: inferred.range,
            markdown: format!("{}{SECTION_SEPARATOR}{}", inferred.markdown, named.markdown),
        }),
        (inferred, named) => inferred.or(named),
    }
}

/// Adds the inferred type of a parameter if it differs from the declared one.
fn add_inferred_type(
    db: &dyn Database,
    file: FileInput,
    token: &SyntaxToken,
    declared: Hover,
) -> Hover {
    match inferred::parameter(db, file, token) {
        Some((type_, page)) if !declared.markdown.contains(&type_) => Hover {
            markdown: format!("{page}\n\n{}", declared.markdown),
            ..declared
        },
        _ => declared,
    }
}

/// Adds the result type of a call to the hover of its function.
fn add_call_result(db: &dyn Database, file: FileInput, node: &SyntaxNode, named: Hover) -> Hover {
    match inferred::call_result(db, file, node) {
        Some(code) => Hover {
            markdown: format!("{code}{SECTION_SEPARATOR}{}", named.markdown),
            ..named
        },
        None => named,
    }
}

/// Returns the hover of the name or keyword of a definition, or a name defined in this file.
fn definition(file: &SyntaxNode, token: &SyntaxToken, node: &SyntaxNode) -> Option<Hover> {
    let found = match node.kind() {
        SyntaxKind::DEFINITION_NAME => match node.parent() {
            Some(inherits) if inherits.kind() == SyntaxKind::INHERITS => {
                unique_definition(file, token.text())
            }
            parent => parent.and_then(Definition::cast),
        },
        SyntaxKind::QUALIFIED_NAME | SyntaxKind::QUALIFIED_REFERENCE => {
            unique_definition(file, token.text())
        }
        kind if Definition::can_cast(kind) && token.kind().is_keyword() => {
            Definition::cast(node.clone())
        }
        _ => None,
    }?;
    let mut markdown = code_block(&header(found.syntax()));
    let documentation = markdown::render_doc(&markdown::parse_doc(&found));
    if !documentation.is_empty() {
        markdown.push_str("\n\n---\n\n");
        markdown.push_str(&documentation);
    }
    Some(Hover {
        range: token.text_range(),
        markdown,
    })
}

/// Returns the definition of a name in the file, if it is unique.
fn unique_definition(file: &SyntaxNode, name: &str) -> Option<Definition> {
    let name = name.strip_prefix("::").unwrap_or(name);
    let definitions = Definition::all_in(file).into_iter();
    let mut found = definitions.filter(|it| has_qualified_name(it, name));
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Checks whether a definition has this qualified name, considering enclosing classes. Compares
/// from the last segment, which rules out most definitions at once.
fn has_qualified_name(definition: &Definition, name: &str) -> bool {
    let Some(own) = definition.name() else {
        return false;
    };
    let own = own.text();
    let own = own.strip_prefix("::").unwrap_or(&own);
    let Some(mut outer) = name.strip_suffix(own) else {
        return false;
    };
    let is_nested = matches!(
        definition,
        Definition::ClassDefinition(_) | Definition::DefineDefinition(_)
    );
    if is_nested {
        let ancestors = definition.syntax().ancestors().skip(1);
        let classes = ancestors.filter_map(syntax::ast::ClassDefinition::cast);
        for class in classes.filter_map(|it| it.name()) {
            let rest = outer.strip_suffix("::");
            let Some(rest) = rest.and_then(|it| it.strip_suffix(class.text().as_str())) else {
                return false;
            };
            outer = rest;
        }
    }
    outer.is_empty()
}

/// Returns the hover of a parameter at its declaration or use.
fn parameter(token: &SyntaxToken, node: &SyntaxNode) -> Option<Hover> {
    let found = match node.kind() {
        SyntaxKind::PARAMETER => Parameter::cast(node.clone()),
        SyntaxKind::VARIABLE_EXPR => parameter_in_scope(node, token.text()),
        _ => None,
    }?;
    if token.kind() != SyntaxKind::VARIABLE {
        return None;
    }
    let mut markdown = code_block(&declaration_code(&found));
    let definition = found.syntax().ancestors().find_map(Definition::cast);
    let is_of_lambda = found
        .syntax()
        .ancestors()
        .nth(2)
        .is_some_and(|it| it.kind() == SyntaxKind::LAMBDA);
    if let Some(definition) = definition.filter(|_| !is_of_lambda) {
        let documentation = markdown::parse_doc(&definition);
        let name = found.name();
        if let Some(text) = name.and_then(|it| markdown::parameter_doc(&documentation, &it)) {
            markdown.push_str("\n\n---\n\n");
            markdown.push_str(&text);
        }
    }
    Some(Hover {
        range: token.text_range(),
        markdown,
    })
}

/// Renders the declaration of a parameter on one line.
fn declaration_code(parameter: &Parameter) -> String {
    super::text::excerpt(parameter.syntax())
}

/// Resolves a variable to a parameter of an enclosing lambda or the definition. Assignments in a
/// lambda shadow the parameters of outer scopes.
fn parameter_in_scope(variable: &SyntaxNode, name: &str) -> Option<Parameter> {
    let name = name.strip_prefix('$').unwrap_or(name);
    for scope in variable.ancestors() {
        if scope.kind() == SyntaxKind::HEREDOC_BODY {
            // The heredoc tag may be in another scope.
            return None;
        }
        let is_lambda = scope.kind() == SyntaxKind::LAMBDA;
        let is_file = matches!(scope.kind(), SyntaxKind::TEMPLATE | SyntaxKind::SOURCE_FILE);
        if !is_lambda && !is_file && !Definition::can_cast(scope.kind()) {
            continue;
        }
        let lists = scope.children().filter_map(|it| match it.kind() {
            SyntaxKind::PARAMETER_LIST => Some(it),
            SyntaxKind::EPP_PARAMETERS => it.first_child(),
            _ => None,
        });
        let mut parameters = lists
            .flat_map(|it| it.children())
            .filter_map(Parameter::cast);
        if let Some(found) = parameters.find(|it| it.name().as_deref() == Some(name)) {
            return Some(found);
        }
        if !is_lambda || assigns(&scope, name) {
            return None;
        }
    }
    None
}

fn assigns(scope: &SyntaxNode, name: &str) -> bool {
    scope
        .descendants()
        .filter_map(syntax::ast::Assignment::cast)
        .flat_map(|it| syntax::ast::assigned_variables(&it))
        .any(|it| it.text().strip_prefix('$') == Some(name))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::*;
    use super::*;
    use expect_test::{Expect, expect};

    fn check_as(code: &str, path: &str, expected: &Expect) {
        let fixture = Fixture::new(&format!("//- {path}\n{code}"));
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().hover(file, offset);
        let code = fixture.text(file);
        let text = found.map_or_else(
            || "nothing\n".to_owned(),
            |it| format!("{}\n{}\n", visible_text(code, it.range), it.markdown),
        );
        expected.assert_eq(&text);
    }

    fn check(code: &str, expected: &Expect) {
        check_as(code, "manifests/site.pp", expected);
    }

    #[test]
    fn definitions() {
        check(
            "# Serves.\n# @param x A number\nclass <^>a::b(Integer $x = 1) inherits c {\n}\n",
            &expect![[r#"
                a::b
                ```puppet
                class a::b(Integer $x = 1) inherits c
                ```

                ---

                Serves.

                - `$x` A number
            "#]],
        );
        check(
            "class a { class b { } }\ninclude a::<^>b",
            &expect![[r#"
                a::b
                ```puppet
                class b
                ```
            "#]],
        );
        check(
            "# Doc\nfunction f($x) >> Integer { 1 }\n<^>f(2)",
            &expect![[r#"
                f
                ```puppet
                function f($x) >> Integer
                ```

                ---

                Doc
            "#]],
        );
    }

    #[test]
    fn parameters() {
        check(
            "# @param x A number\nclass a(Integer $x = 1) { [1].each |$n| { f($<^>x) } }",
            &expect![[r#"
                $x
                ```puppet
                Integer $x = 1
                ```

                ---

                A number
            "#]],
        );
        check(
            "class a($x) { $l.each |String $x| { f($<^>x) } }",
            &expect![[r#"
                $x
                ```puppet
                String $x
                ```
            "#]],
        );
        check(
            "class a($x) { $l.each |$y| { $x = 1 f(<^>$x) } }",
            &expect![[r#"
                $x
                ```puppet
                $x: Integer[1, 1] = 1
                ```

                ---

                ```puppet
                $x = 1
                ```

                ---

                *class `a`*
            "#]],
        );
    }

    #[test]
    fn known_values() {
        check(
            "$port = 8000 + 80\n$url = \"http://h:${po<^>rt}/\"",
            &expect![[r#"
                port
                ```puppet
                $port: Integer[8080, 8080] = 8080
                ```

                ---

                ```puppet
                $port = 8000 + 80
                ```
            "#]],
        );
        check(
            "$a = [1, 'x'] <^>+ [{ k => /r/ }]",
            &expect![[r#"
                [1, 'x'] + [{ k => /r/ }]
                ```puppet
                Tuple[Integer[1, 1], String<x>, Struct[{'k' => Regexp[/r/]}]] = [1, 'x', {'k' => /r/}]
                ```

                Puppet type: `Tuple[Integer[1, 1], Enum['x'], Struct[{'k' => Regexp[/r/]}]]`
            "#]],
        );
        check(
            "$a = 1 ? { Integer => 'n' }\n$<^>a",
            &expect![[r#"
                $a
                ```puppet
                $a: String<n> = 'n'
                ```

                Puppet type: `Enum['n']`

                ---

                ```puppet
                $a = 1 ? { Integer => 'n' }
                ```
            "#]],
        );
    }

    #[test]
    fn no_hover_without_information() {
        for code in [
            "$x<^>",
            "class a <^>{ }",
            "# a <^>comment",
            "<^>",
            "$a = [1, <^>= 2",
        ] {
            check(code, &expect![["nothing\n"]]);
        }
    }

    #[test]
    fn any_position_of_any_file() {
        for source in broken_variants(EVERYTHING).step_by(11) {
            let fixture = Fixture::new(&format!("//- manifests/site.pp\n{source}"));
            let analysis = fixture.analysis();
            for (at, _) in source.char_indices().step_by(3) {
                let offset = TextSize::new(at as u32);
                if let Some(found) = analysis.hover(base::FileId(0), offset) {
                    assert!(found.range.contains_inclusive(offset), "{found:?} at {at}");
                }
            }
        }
    }
}
