//! Hover: the signature and documentation of definitions and parameters, and the inferred type and
//! known value of any expression.
//!
//! A hover starts with what a user needs at a glance, in at most twelve lines: the signature, the
//! summary, the type and value at the place. All else is below a rule.

mod bolt;
mod compiled;
mod content;
mod definitions;
mod erb;
mod inferred;
mod named_by_string;
mod passed;
mod project;
mod render;
mod suppression;

use salsa::Database;
use syntax::ast::{AstNode, ClassDefinition, Definition, HasName, Parameter};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

pub(super) use bolt::{bolt_member_documentation, task_parameter_documentation};
pub(super) use content::{MAX_SIGNATURE, parameter_signature, shortened};
pub(super) use definitions::{
    attribute_documentation, class_documentation, class_in_data, data_type_documentation,
    fact_documentation, function_documentation, function_parameter_documentation,
    resource_type_documentation, variable_documentation, variable_in_data,
};
pub(super) use render::render_function_parameter;

use super::bolt::runnable_name_at;
use super::data_files;
use super::markdown;
use super::selection_range::token_at;
use super::symbol::symbol_at;
use super::{Hover, HoverTarget};
use base::FileInput;
use content::HoverContent;

pub(super) use inferred::render_inferred;
pub(super) use passed::passed_type;
pub use project::hover as project_hover;

/// The separator between the parts of a hover.
pub(super) const SECTION_SEPARATOR: &str = "\n\n---\n\n";

impl Hover {
    /// Returns the contents with the links. A target without an address is only named.
    pub fn to_markdown(&self, address: impl Fn(&HoverTarget) -> Option<String>) -> String {
        let links = self.links.iter().filter_map(|it| {
            let address = it.target.as_ref().and_then(&address);
            match (address, &it.target) {
                (Some(address), _) => Some(format!("[{}]({address})", it.title)),
                // The title of a page is useless without its address.
                (None, Some(HoverTarget::Url(_))) => None,
                (None, _) => Some(format!("*{}*", it.title)),
            }
        });
        let links = links.collect::<Vec<_>>().join(" · ");
        if links.is_empty() || self.markdown.is_empty() {
            return format!("{}{links}", self.markdown);
        }
        let separator = match self.markdown.contains(SECTION_SEPARATOR) {
            true => "\n\n",
            false => SECTION_SEPARATOR,
        };
        format!("{}{separator}{links}", self.markdown)
    }
}

/// Computes the hover at an offset.
pub(crate) fn hover(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<Hover> {
    match data_files::file_kind(db, file) {
        data_files::FileKind::Code => {}
        data_files::FileKind::Erb => return erb::hover(db, file, offset),
        _ => return data_files::hover(db, file, offset),
    }
    if let Some(found) = runnable_name_at(db, file, offset) {
        return named_by_string::runnable(db, file, &found);
    }
    let root = base::parse(db, file).syntax();
    if offset > root.text_range().end() {
        return None;
    }
    let token = token_at(&root, offset)?;
    if let Some((range, key)) = data_files::data_key_at(&token) {
        let levels = data_files::levels_of_key(db, file.environment(db)?, &key);
        return levels.map(|markdown| Hover {
            range,
            markdown,
            links: Vec::new(),
        });
    }
    if token.kind() == SyntaxKind::WHITESPACE || token.kind().is_comment() {
        return suppression::hover(&token, offset);
    }
    let (range, content) = content_at(db, file, offset, &root, &token)?;
    Some(content.into_hover(range))
}

fn content_at(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
    root: &SyntaxNode,
    token: &SyntaxToken,
) -> Option<(TextRange, HoverContent)> {
    let node = token.parent()?;
    if let Some(found) = definition(root, token, &node) {
        return Some((token.text_range(), found));
    }
    if let Some(declaration) = parameter(token, &node) {
        let mut found = parameter_here(db, file, token, declaration);
        if node.kind() == SyntaxKind::PARAMETER
            && let Some(levels) = levels_of_parameter(db, file, token)
        {
            found = found.detail(levels);
        }
        return Some((token.text_range(), found));
    }
    let name =
        || definitions::fact(db, file, token).or_else(|| definitions::name(db, file, offset));
    if node.kind() == SyntaxKind::VARIABLE_EXPR {
        let name = name().or_else(|| passed_variable(db, file, offset));
        let here = inferred::expression(db, file, &node);
        let assigned = || definitions::assigned_variable(db, file, offset);
        return variable(here, name, token.text()).or_else(assigned);
    }
    let named = definitions::attribute(db, file, token).or_else(name);
    if let Some((range, mut content)) = named {
        if let Some(result) = inferred::call_result(db, file, &node) {
            // The signature may say as much.
            let end = format!(">> {}", result.type_);
            let is_declared =
                result.value.is_none() && content.signatures.iter().all(|it| it.ends_with(&end));
            if !is_declared {
                content.here = result.line("Returns here:");
            }
            content = content.detail(result.rest.unwrap_or_default());
        }
        return Some((range, content));
    }
    let found = inferred::title(db, file, &node)
        .or_else(|| named_by_string::hover(db, file, offset, &node))
        .or_else(|| inferred::key(db, file, &node))
        .or_else(|| inferred::expression(db, file, &node));
    let Some(added) = compiled::added_parameters(db, file, &node) else {
        return found;
    };
    let (range, content) = found.unwrap_or_else(|| (node.text_range(), added.content(&node)));
    Some((range, content.detail(added.paragraph())))
}

/// Returns the hover of a variable that calls of `epp` pass to the template.
fn passed_variable(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<(TextRange, HoverContent)> {
    let found = symbol_at(db, file, offset)?;
    Some((found.range, passed::hover(db, &found.symbol)?))
}

/// Adds the inferred type and value of a parameter at a place.
fn parameter_here(
    db: &dyn Database,
    file: FileInput,
    token: &SyntaxToken,
    declaration: ParameterDeclaration,
) -> HoverContent {
    let ParameterDeclaration {
        text,
        is_of_lambda,
        mut content,
    } = declaration;
    // The parameters of lambdas seldom have a declared type.
    let is_name = text.trim_start_matches('$') == token.text().trim_start_matches('$');
    if is_of_lambda && is_name {
        if let Some(inferred) = inferred::named(db, file, token, &text) {
            content.signatures = inferred.signatures;
            content.details.extend(inferred.details);
        }
        return content;
    }
    match inferred::parameter(db, file, token, &text) {
        Some(here) => {
            content.here = here.line("Here:");
            content.detail(here.rest.unwrap_or_default())
        }
        None => content,
    }
}

/// Lists the values of a class parameter in Hiera data, as Markdown.
fn levels_of_parameter(db: &dyn Database, file: FileInput, token: &SyntaxToken) -> Option<String> {
    let class = token.parent_ancestors().find_map(ClassDefinition::cast)?;
    let name = token.text().strip_prefix('$')?;
    let class = class.name()?;
    let key = format!("{}::{name}", class.text().trim_start_matches("::"));
    data_files::levels_of_key(db, file.environment(db)?, &key)
}

/// Joins the inferred type of a variable with a name and its definition.
fn variable(
    inferred: Option<(TextRange, HoverContent)>,
    named: Option<(TextRange, HoverContent)>,
    name: &str,
) -> Option<(TextRange, HoverContent)> {
    match (inferred, named) {
        (Some((range, here)), Some((_, mut definition))) => {
            // Their type depends on the definition: it is that of the title.
            if matches!(name.trim_start_matches('$'), "title" | "name") {
                definition.signatures.clear();
            }
            Some((range, here.with_definition(definition)))
        }
        (inferred, named) => inferred.or(named),
    }
}

/// Returns the hover of the name or keyword of a definition, or a name defined in this file.
fn definition(file: &SyntaxNode, token: &SyntaxToken, node: &SyntaxNode) -> Option<HoverContent> {
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
    let doc = markdown::parse_doc(&found);
    Some(render::definition_node(found.syntax(), &doc, &[]))
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

/// The declaration of a parameter.
struct ParameterDeclaration {
    text: String,
    is_of_lambda: bool,
    content: HoverContent,
}

/// Returns the declaration of a parameter at its declaration or use.
fn parameter(token: &SyntaxToken, node: &SyntaxNode) -> Option<ParameterDeclaration> {
    let found = match node.kind() {
        SyntaxKind::PARAMETER => Parameter::cast(node.clone()),
        SyntaxKind::VARIABLE_EXPR => parameter_in_scope(node, token.text()),
        _ => None,
    }?;
    if token.kind() != SyntaxKind::VARIABLE {
        return None;
    }
    let declaration = super::text::uncut_excerpt(found.syntax());
    let mut ancestors = found.syntax().ancestors();
    let is_of_lambda = ancestors
        .nth(2)
        .is_some_and(|it| it.kind() == SyntaxKind::LAMBDA);
    let definition = found.syntax().ancestors().find_map(Definition::cast);
    let doc = definition.filter(|_| !is_of_lambda);
    let doc = doc.map(|it| markdown::parse_doc(&it)).unwrap_or_default();
    let name = found.name().unwrap_or_default();
    let content = render::parameter_content(&declaration, &doc, &name);
    Some(ParameterDeclaration {
        text: declaration,
        is_of_lambda,
        content,
    })
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
            |it| {
                format!(
                    "{}\n{}\n",
                    visible_text(code, it.range),
                    it.to_markdown(|_| None)
                )
            },
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

                Serves.

                ---

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
                Integer $x = 1
                ```

                ---

                ```puppet
                $x = 1
                ```

                *class `a`*
            "#]],
        );
    }

    #[test]
    fn parameters_of_lambdas() {
        check(
            "class a(Array[String] $l) { $l.each |$i| { f($<^>i) } }",
            &expect![[r#"
                $i
                ```puppet
                String $i
                ```
            "#]],
        );
        check(
            "class a($l) { $l.each |$i| { f(\"${<^>i}\") } }",
            &expect![[r#"
                i
                ```puppet
                $i
                ```
            "#]],
        );
    }

    #[test]
    fn types_that_say_nothing_are_omitted() {
        check(
            "class a($x = 1) { if $x != undef { f($<^>x) } }",
            &expect![[r#"
                $x
                ```puppet
                $x = 1
                ```
            "#]],
        );
        check(
            "$x = f()\nif $x != undef { f($<^>x) }",
            &expect![[r#"
                $x
                ```puppet
                $x = f()
                ```
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
                Integer $port = 8080
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
                Tuple[Integer, String, Struct[{'k' => Regexp[/r/]}]] = [1, 'x', {'k' => /r/}]
                ```
            "#]],
        );
        check(
            "$a = 1 ? { Integer => 'n' }\n$<^>a",
            &expect![[r#"
                $a
                ```puppet
                String $a = 'n'
                ```

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

    #[test]
    fn results_of_statements_are_not_shown() {
        let text = |code: &str| {
            let fixture = Fixture::new(&format!("//- manifests/site.pp\n{code}"));
            let (file, offset) = fixture.cursor();
            let found = fixture.analysis().hover(file, offset);
            found.expect("there is a hover").to_markdown(|_| None)
        };
        let include = "class web { inclu<^>de web::a }\n//- manifests/a.pp\nclass web::a { }";
        assert!(!text(include).contains("Returns here"));
        let split = "class web { $x = spl<^>it('a b', ' ') }";
        assert!(text(split).contains("Returns here"));
    }
}
