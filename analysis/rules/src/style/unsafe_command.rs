use hir::ItemKind;
use infer::WorkspaceTypes;
use syntax::ast::{AstNode, Expr, Interpolation, ResourceBody, ResourceExpr, Segment};
use syntax::{SyntaxKind, SyntaxNode};
use types::Type;

use crate::checker::Checker;
use crate::resource_attributes::{bodies, declared_type, named_attribute};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports commands into which a parameter is interpolated without quoting.
    ///
    /// ## What it does
    ///
    /// Checks `command` (or the title), `onlyif`, `unless` and `refresh` of `exec` for parameters of the class
    /// or defined type whose type accepts any string, and for `$title` and `$name` of a defined type.
    ///
    /// ## Why it matters
    ///
    /// The shell splits the value and interprets characters such as `;` and `$`. If it comes from
    /// data that others write, it can run any command as `root`. The rule is off by default: it
    /// reports many commands of published modules.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (String $url) {
    ///   exec { "/usr/bin/curl -o /tmp/example ${url}": # <-
    ///     creates => '/tmp/example',
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (String $url) {
    ///   exec { 'download example':
    ///     command => ['/usr/bin/curl', '-o', '/tmp/example', $url],
    ///     creates => '/tmp/example',
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Parameters whose type rejects some characters, such as `Integer`, `Enum[…]` or `Stdlib::Absolutepath`.
    /// * Commands in arrays, which no shell interprets, and results of functions such as `shell_escape`.
    ///
    /// ## Fix
    ///
    /// No fix is available: how to split the command is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unsafe-command]` at the end of the line, or on a line of its own above it. To
    /// turn the rule on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unsafe-command = "warning"
    /// ```
    pub(crate) static UNSAFE_COMMAND = {
        code: "unsafe-command",
        puppet_lint: ["check_unsafe_interpolations", "security_class_or_define_parameter_in_exec"],
        group: Security,
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::RESOURCE_EXPR], check)],
    }
}

/// The attributes that contain commands.
const COMMANDS: [&str; 4] = ["command", "onlyif", "refresh", "unless"];

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let resource = ResourceExpr::cast(node.clone()).filter(|_| checker.owns(node));
    let Some(resource) = resource.filter(|it| declared_type(it).is_some_and(|it| it == "exec"))
    else {
        return;
    };
    let (bodies, defaults) = bodies(&resource);
    let has_default = |name| {
        defaults
            .as_ref()
            .is_some_and(|it| named_attribute(it.syntax(), name).is_some())
    };
    for body in bodies.iter().chain(&defaults) {
        for command in commands(body, has_default("command")) {
            check_command(checker, &command);
        }
    }
}

/// Returns the strings that a shell interprets. An array is not passed to a shell, except that each element
/// of `onlyif` and `unless` is a command.
fn commands(body: &ResourceBody, has_default: bool) -> Vec<Expr> {
    let mut found = Vec::new();
    for name in COMMANDS {
        let value = named_attribute(body.syntax(), name).and_then(|it| it.value());
        match value {
            Some(Expr::ArrayExpr(list)) if matches!(name, "onlyif" | "unless") => {
                found.extend(list.elements());
            }
            Some(value) => found.push(value),
            None if name == "command" && !has_default => found.extend(body.title()),
            None => {}
        }
    }
    found
}

fn check_command(checker: &mut Checker<'_>, command: &Expr) {
    let segments = match command {
        Expr::InterpolatedString(it) => it.segments(),
        Expr::Heredoc(it) => it.segments(),
        _ => return,
    };
    for segment in segments {
        let Segment::Interpolation(part) = segment else {
            continue;
        };
        if let Some(name) = unsafe_parameter(checker, &part) {
            let message = format!("`${name}` is interpolated into a command without quoting");
            checker.report(&UNSAFE_COMMAND, part.syntax().text_range(), message);
        }
    }
}

/// Returns the name of the parameter that an interpolation consists of, if it may be any string.
fn unsafe_parameter(checker: &Checker<'_>, part: &Interpolation) -> Option<String> {
    let Expr::VariableExpr(variable) = part.expr()? else {
        return None;
    };
    let name = variable.name()?;
    if is_bound_by_lambda(checker, variable.syntax(), &name) {
        return None;
    }
    let kind = checker.item.kind(checker.db);
    let may_be_string =
        |type_: &Type| types::is_assignable(type_, &Type::string_value("; a")) != Some(false);
    if kind == ItemKind::DefinedType && matches!(name.as_str(), "title" | "name") {
        return Some(name);
    }
    let parameters = checker.parameter_types();
    let parameter = parameters
        .iter()
        .find(|it| it.name().as_ref() == Some(&name))?;
    let types = WorkspaceTypes::in_file(checker.db, checker.item.file(checker.db));
    let declared = match parameter.type_expr() {
        Some(it) => types.read(&it)?,
        None => Type::Any,
    };
    let narrowed = checker.type_of(&part.expr()?)?;
    (may_be_string(&declared) && may_be_string(&narrowed.type_)).then_some(name)
}

/// Checks whether a variable is that of a lambda, which may have the name of a parameter.
fn is_bound_by_lambda(checker: &Checker<'_>, variable: &SyntaxNode, name: &str) -> bool {
    let body = checker.body;
    let range = variable.text_range();
    let reference = body.references.iter().find(|it| it.range == range);
    let scopes = reference.map_or(0, |it| it.scope);
    let mut lambdas = body.scopes_from(scopes).filter(|it| *it != 0);
    lambdas.any(|it| body.scopes[it].binds(name))
}

#[cfg(test)]
mod tests {
    use super::UNSAFE_COMMAND;
    use crate::testing::reported;

    #[test]
    fn reports_parameters_in_commands() {
        let code = "class m (String $a, $b, Optional[String[1]] $c, Variant[Integer, String] $d) { \
                    exec { \"/bin/a ${a}\": } exec { 'b': command => \"/bin/b $b\", onlyif => \"/bin/c ${c}\", \
                    unless => ['/bin/d', \"/bin/e ${d}\"] } exec { default: refresh => \"/bin/f ${a}\"; '/bin/g': } }";
        let expected = [
            ("${a}", "a"),
            ("$b", "b"),
            ("${c}", "c"),
            ("${d}", "d"),
            ("${a}", "a"),
        ];
        let expected = expected.map(|it| {
            format!(
                "`{}`: `${}` is interpolated into a command without quoting",
                it.0, it.1
            )
        });
        assert_eq!(reported(&UNSAFE_COMMAND, code), expected);
    }

    #[test]
    fn reports_titles_of_defined_types() {
        let code = "define m ($a) { exec { \"/bin/a ${title} ${name}\": } }";
        let message =
            |it| format!("`${{{it}}}`: `${it}` is interpolated into a command without quoting");
        assert_eq!(
            reported(&UNSAFE_COMMAND, code),
            ["title", "name"].map(message)
        );
    }

    #[test]
    fn ignores_variables_of_lambdas() {
        let code = "define m ($a) { ['b'].each |$name, $a| { exec { \"/bin/a ${name} ${a}\": } } }";
        assert_eq!(reported(&UNSAFE_COMMAND, code), [""; 0]);
        let code = "define m ($a) { ['b'].each |$b| { exec { \"/bin/a ${name} ${b}\": } } }";
        let expected = "`${name}`: `$name` is interpolated into a command without quoting";
        assert_eq!(reported(&UNSAFE_COMMAND, code), [expected]);
    }

    #[test]
    fn ignores_safe_values() {
        let code = "class m (Integer $a, Boolean $b, Enum['x', 'y'] $c, Pattern[/^\\w+$/] $d, String $e, \
                    M::Path $f, Stdlib::Missing $u) { exec { \"title ${e}\": command => \"/bin/a ${a} ${b} ${c} ${d} ${f}\"; \
                    'b': command => ['/bin/b', $e, \"x${e}\"] } $g = shellquote($e) \
                    exec { \"/bin/c ${g} ${shell_escape($e)} ${title} ${u}\": cwd => \"/${e}\" } \
                    exec { default: command => '/bin/d'; \"e ${e}\": } other { \"/bin/f ${e}\": } \
                    if $e in ['p', 'q'] { exec { \"/bin/h ${e}\": } } }";
        let code = format!(
            "//- modules/m/manifests/init.pp\n{code}\n//- modules/m/types/path.pp\n\
                            type M::Path = Pattern[/\\A\\/[a-z]*\\z/]\n"
        );
        assert_eq!(reported(&UNSAFE_COMMAND, &code), [""; 0]);
    }
}
