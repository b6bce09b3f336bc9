use hir::ItemKind;
use hir::variables::resolve_qualified;
use syntax::ast::{AstNode, Attribute, CallExpr, Expr, ResourceBody, ResourceExpr, StringLiteral};
use syntax::{Fix, SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports strings in single quotes that contain a variable of the code.
    ///
    /// ## What it does
    ///
    /// Checks strings with `${name}` in single quotes, where `$name` is assigned before, is a parameter, or is
    /// `$facts`, `$trusted`, `$title`, `$module_name` or `$caller_module_name`, or `$name` in a defined type.
    ///
    /// ## Why it matters
    ///
    /// Puppet does not interpolate in single quotes: the string contains `${name}` literally.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (String $user) {
    ///   notice('runs as ${user}') # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (String $user) {
    ///   notice("runs as ${user}")
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Other names, such as variables of a shell.
    /// * Commands and the environment of `exec` resources, titles that are their commands, and templates that are arguments of
    ///   `inline_epp` or `inline_template`.
    ///
    /// ```puppet right
    /// class example (String $home) {
    ///   exec { '/bin/sh -c \'echo "${home}"\'':
    ///     environment => 'DIR=${home}',
    ///   }
    ///   notice('${PATH}')
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Suggested: uses double quotes, and escapes all other special characters.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[literal-interpolation]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// literal-interpolation = "off"
    /// ```
    pub(crate) static LITERAL_INTERPOLATION = {
        code: "literal-interpolation",
        puppet_lint: ["single_quote_string_with_variables"],
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::STRING], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(literal) = StringLiteral::cast(node.clone()) else {
        return;
    };
    let is_single = |it: &SyntaxKind| *it == SyntaxKind::SINGLE_QUOTED;
    if literal
        .token()
        .map(|it| it.kind())
        .as_ref()
        .is_none_or(|it| !is_single(it))
    {
        return;
    }
    let value = literal.value();
    let names = names(&value).into_iter();
    let known: Vec<_> = names.filter(|it| is_known(checker, it, node)).collect();
    let Some(name) = known.first() else {
        return;
    };
    if is_of_other_language(node) {
        return;
    }
    let message = format!("`${{{name}}}` in single quotes is not interpolated");
    checker.report(&LITERAL_INTERPOLATION, node.text_range(), message);
    let text = double_quoted(&value, &known);
    checker.fix(Some(Fix::suggested(
        "Use double quotes",
        node.text_range(),
        text,
    )));
}

/// The variables of Puppet that are unlikely to be variables of a shell too.
const BUILT_IN: [&str; 5] = [
    "caller_module_name",
    "facts",
    "module_name",
    "title",
    "trusted",
];

/// Returns the names after `${` in a string.
fn names(text: &str) -> Vec<&str> {
    let starts = text.match_indices("${").map(|it| it.0 + 2);
    let names = starts.filter_map(|start| {
        let rest = text.get(start..)?;
        let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':');
        let end = rest.find(|it: char| !is_part(it))?;
        let is_end = rest.get(end..)?.starts_with(['}', '[', '.']);
        rest.get(..end).filter(|it| is_end && !it.is_empty())
    });
    names.collect()
}

/// Checks whether a variable of this name has a value at a node.
fn is_known(checker: &Checker<'_>, name: &str, node: &SyntaxNode) -> bool {
    if name.contains("::") {
        let found = resolve_qualified(checker.db, Some(checker.environment), name);
        return matches!(found, Some(Ok(_)));
    }
    let scopes = checker.body.scopes.iter();
    let mut bindings = scopes.flat_map(|it| it.bindings_of(name));
    // In other code, `${name}` is more likely a variable of a shell.
    let is_title = name == "name" && checker.item.kind(checker.db) == ItemKind::DefinedType;
    is_title
        || BUILT_IN.contains(&name)
        || bindings.any(|it| it.range.end() <= node.text_range().start())
}

/// Checks whether the string is a command or a template, in which `${` may have another meaning.
fn is_of_other_language(node: &SyntaxNode) -> bool {
    node.ancestors().any(|it| {
        if let Some(resource) = ResourceExpr::cast(it.clone()) {
            let type_ = resource.type_name().and_then(|it| it.plain_text());
            return type_.is_some_and(|it| it == "exec") && !is_plain_attribute(node);
        }
        let name = CallExpr::cast(it).and_then(|it| it.callee());
        let name = name.as_ref().and_then(Expr::plain_text);
        name.is_some_and(|it| it.starts_with("inline_"))
    })
}

/// Checks whether a string is in an attribute of an `exec` resource that no shell reads.
fn is_plain_attribute(node: &SyntaxNode) -> bool {
    let inside = node.ancestors();
    let inside = inside.take_while(|it| it.kind() != SyntaxKind::RESOURCE_EXPR);
    let mut inside: Vec<SyntaxNode> = inside.collect();
    let body = inside.pop().and_then(ResourceBody::cast);
    let part = inside.pop();
    if let Some(body) = body
        && part == body.title().map(|it| it.syntax().clone())
    {
        // With a command, the title is a name only.
        let names = body.syntax().children().filter_map(Attribute::cast);
        let mut names = names.filter_map(|it| it.name_token());
        return names.any(|it| it.text() == "command");
    }
    let name = part
        .and_then(Attribute::cast)
        .and_then(|it| it.name_token());
    let of_shell = |it: &str| {
        let commands = ["command", "environment", "onlyif", "refresh", "unless"];
        commands.contains(&it)
    };
    name.is_some_and(|it| !of_shell(it.text()))
}

/// Writes a string in double quotes, in which only these variables are interpolated.
fn double_quoted(value: &str, variables: &[&str]) -> String {
    let mut text = String::from("\"");
    for (at, char) in value.char_indices() {
        let is_variable = names(&value[at..])
            .first()
            .is_some_and(|it| variables.contains(it));
        let is_start = value[at..].starts_with("${") && is_variable;
        if matches!(char, '"' | '\\') || char == '$' && !is_start {
            text.push('\\');
        }
        text.push(char);
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::LITERAL_INTERPOLATION;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_variables_in_scope() {
        let code = r#"class m ($x) { notice('a ${x} "b" ${Y} \\ $x') }"#;
        assert_eq!(
            reported(&LITERAL_INTERPOLATION, code),
            [r#"`'a ${x} "b" ${Y} \\ $x'`: `${x}` in single quotes is not interpolated"#]
        );
        assert_eq!(
            fixed(&LITERAL_INTERPOLATION, code),
            r#"class m ($x) { notice("a ${x} \"b\" \${Y} \\ \$x") }"#
        );
        for code in [
            "class m { $x = 1 notice('${x}') }",
            "class m { notice(template('${module_name}/a.erb')) }",
            "class m { [1].each |$x| { notice('${x}') } }",
            "class m { notice('${facts['os']}') }"
                .replace("'os'", "os")
                .as_str(),
            "class m ($x) { file { '/a': content => '${x}/b' } }",
            "class m ($x) { notice('${x[1]}') }",
            "class m ($x) { exec { 'a': command => ['b'], creates => '/a/${x}' } }",
            "class m ($x) { exec { 'a': command => ['b'], require => File['/a/${x}'] } }",
            "class m ($x) { exec { 'a${x}': command => '/bin/b' } }",
            "class m ($x) { notice('${m::x}', '${::m::y}') }",
            "class m { notice('${::kernel} ${::no_fact}') }",
            "class m { fail('private to ${caller_module_name}') }",
            "//- modules/m/manifests/a.pp\ndefine m::a { notify { '/etc/${name}/a': } }",
        ] {
            assert_eq!(reported(&LITERAL_INTERPOLATION, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_other_names_and_languages() {
        for code in [
            "class m { notice('${PATH} ${x}') }",
            "class m { notice('${name}') }",
            "class m { notice('${x}') $x = 1 }",
            "class m ($x) { exec { 'a': command => '/bin/echo ${x}' } }",
            "class m ($x) { exec { '/bin/echo ${x}': } }",
            "class m ($x) { exec { 'a': unless => ['b ${x}'], environment => 'A=${x}' } }",
            "class m ($x) { exec { 'a': * => { command => '/bin/echo ${x}' } } }",
            "class m ($x) { notice(inline_epp('<%= \"${x}\" %>')) }",
            "class m ($x) { notice(inline_template('${x}')) }",
            "class m ($x) { notice(\"${x}\") }",
            "class m ($x) { notice('$x', '${', '${}', '%{x}') }",
            "class m ($x) { notice('${x:-1}') }",
        ] {
            assert_eq!(reported(&LITERAL_INTERPOLATION, code), [""; 0], "{code}");
        }
    }
}
