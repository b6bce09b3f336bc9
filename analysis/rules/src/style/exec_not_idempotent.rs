use hir::body::{Resource, ResourceForm};
use syntax::SyntaxNode;
use syntax::ast::{AstNode, Attribute, AttributeSplat, ResourceBody};
use types::values::Value;

use crate::checker::Checker;
use crate::fixes::node_at;
use crate::index::default_reach::may_be_set_elsewhere;
use crate::resource_attributes::named_attribute;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports commands that run on every agent run.
    ///
    /// ## What it does
    ///
    /// Checks `exec` resources without `creates`, `onlyif`, `unless` and `refreshonly`. A value that is
    /// certainly `undef`, and `refreshonly => false`, do not count.
    ///
    /// ## Why it matters
    ///
    /// By default, the agent runs the command every 30 minutes, and reports a change each time.
    /// Real changes are then easily overlooked.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   exec { '/usr/bin/make install': # <-
    ///     cwd => '/usr/src/example',
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   exec { '/usr/bin/make install':
    ///     cwd     => '/usr/src/example',
    ///     creates => '/usr/local/bin/example',
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Attributes from a hash whose keys are unknown (`* => $attributes`).
    /// * `exec` resources to which a resource default with such a condition may apply: one in the same code, in code
    ///   that declares the class or defined type (directly or through others), or in a main manifest.
    /// * Projects in which an override or a collector sets such a condition for `exec`.
    ///
    /// ## Fix
    ///
    /// No fix is available: the condition depends on the command.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[exec-not-idempotent]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// exec-not-idempotent = "warning"
    /// ```
    pub(crate) static EXEC_NOT_IDEMPOTENT = {
        code: "exec-not-idempotent",
        puppet_lint: ["exec_idempotency"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

/// The attributes that limit when a command runs.
const CONDITIONS: [&str; 5] = ["creates", "onlyif", "refreshonly", "schedule", "unless"];

fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    let is_exec = |it: &&Resource| {
        it.type_.as_deref() == Some("exec") && it.form == ResourceForm::Declaration
    };
    let mut resources = body.resources.iter().filter(is_exec).peekable();
    if resources.peek().is_none() {
        return;
    }
    if CONDITIONS
        .iter()
        .any(|it| may_be_set_elsewhere(checker, "exec", it))
    {
        return;
    }
    for resource in resources {
        let node = node_at(&checker.root(), resource.range);
        let Some(body) = node.and_then(ResourceBody::cast) else {
            continue;
        };
        let title = body.title().filter(|it| checker.type_of(it).is_some());
        if let Some(title) = title
            && !may_have_condition(checker, resource, body.syntax())
        {
            let message = "command runs on every agent run: expected `creates`, `onlyif`, \
                           `unless` or `refreshonly`";
            checker.report(
                &EXEC_NOT_IDEMPOTENT,
                title.syntax().text_range(),
                message.to_owned(),
            );
        }
    }
}

/// Checks whether a condition may be set in the declaration or in its `default:` body.
fn may_have_condition(checker: &Checker<'_>, resource: &Resource, body: &SyntaxNode) -> bool {
    let is_condition = |name: &str| CONDITIONS.contains(&name);
    let own = CONDITIONS.iter().filter_map(|it| named_attribute(body, it));
    let mut own = own.filter(|it| limits(checker, it));
    own.next().is_some()
        || resource
            .default_attributes
            .iter()
            .any(|it| is_condition(it))
        || resource.splat && !has_known_splat(checker, body)
}

/// Checks whether an attribute may limit when the command runs.
fn limits(checker: &Checker<'_>, attribute: &Attribute) -> bool {
    let name = attribute.name_token();
    match checker.constant_attribute(Some(attribute.clone())) {
        Some(Value::Undef) => false,
        Some(Value::Boolean(false)) => name.is_none_or(|it| it.text() != "refreshonly"),
        _ => true,
    }
}

/// Checks whether `* => …` of a body is a constant hash without a condition. That of a `default:` body
/// is not examined.
fn has_known_splat(checker: &Checker<'_>, body: &SyntaxNode) -> bool {
    let splat = body.children().find_map(AttributeSplat::cast);
    let value = splat.and_then(|it| it.value());
    let value = value.and_then(|it| checker.type_of(&it)?.value.clone());
    let Some(Value::Hash(hash)) = value else {
        return false;
    };
    !CONDITIONS.iter().any(|it| hash.get_str(it).is_some())
}

#[cfg(test)]
mod tests {
    use super::EXEC_NOT_IDEMPOTENT;
    use crate::testing::reported;

    #[test]
    fn reports_commands_without_a_condition() {
        let code = "class m { exec { '/bin/a': } exec { 'b': command => '/bin/b'; '/bin/c': refreshonly => false; \
                    '/bin/d': creates => undef; ['/bin/e', '/bin/f']: timeout => 0 } \
                    @exec { \"/bin/g ${1}\": } exec { '/bin/h': * => { 'cwd' => '/' } } }";
        let end = "command runs on every agent run: expected `creates`, `onlyif`, `unless` or \
                   `refreshonly`";
        let titles = [
            "'/bin/a'",
            "'b'",
            "'/bin/c'",
            "'/bin/d'",
            "['/bin/e', '/bin/f']",
            "\"/bin/g ${1}\"",
            "'/bin/h'",
        ];
        let expected = titles.map(|it| format!("`{it}`: {end}"));
        assert_eq!(reported(&EXEC_NOT_IDEMPOTENT, code), expected);
    }

    #[test]
    fn ignores_commands_with_a_condition() {
        let code = "class m ($x, $h) { exec { '/a': creates => '/b'; '/c': onlyif => '/d'; '/e': unless => ['/f']; \
                    '/g': refreshonly => true; '/h': refreshonly => $x; '/i': * => $h; \
                    '/j': * => { 'creates' => '/k' } } exec { default: unless => '/l'; '/n': } \
                    exec { default: * => $h; '/o': } other { 'p': } Exec['/q'] { cwd => '/' } }";
        assert_eq!(reported(&EXEC_NOT_IDEMPOTENT, code), [""; 0]);
    }

    #[test]
    fn ignores_conditions_elsewhere() {
        for other in [
            "Exec <| |> { onlyif => '/c' }",
            "Exec['/b'] { creates => '/c' }",
        ] {
            let code =
                format!("class m {{ exec {{ '/b': }} }}\nclass m::n inherits m {{ {other} }}");
            assert_eq!(reported(&EXEC_NOT_IDEMPOTENT, &code), [""; 0], "{other}");
        }
    }

    #[test]
    fn knows_the_code_that_a_default_applies_to() {
        let count = |site: &str, class: &str| {
            let code = format!(
                "//- manifests/site.pp\n{site}\n\
                 //- modules/m/manifests/init.pp\nclass m {{ exec {{ '/m': }} {class} }}\n\
                 //- modules/m/manifests/a.pp\nclass m::a {{ exec {{ '/a': }} }}\n\
                 //- modules/m/manifests/c.pp\nclass m::c inherits m {{ exec {{ '/c': }} }}\n\
                 //- modules/m/manifests/d.pp\ndefine m::d {{ exec {{ '/d': }} include o }}\n\
                 //- modules/o/manifests/init.pp\nclass o {{ exec {{ '/o': }} }}\n"
            );
            reported(&EXEC_NOT_IDEMPOTENT, &code).len()
        };
        let default = "Exec { refreshonly => true }";
        for (class, expected) in [
            ("", 3),
            ("include m::a", 2),
            ("contain o", 2),
            ("class { 'o': }", 2),
            ("m::d { 'x': }", 1),
            ("ensure_resource('m::d', 'x')", 1),
            ("include \"m::${facts['a']}\"", 2),
            ("include $facts['a']", 0),
        ] {
            assert_eq!(
                count("", &format!("{default} {class}")),
                expected,
                "{class}"
            );
        }
        assert_eq!(count("", "Exec { cwd => '/' } include m::a"), 5);
        assert_eq!(count(default, ""), 0);
        assert_eq!(count(&format!("node 'a' {{ {default} }}"), ""), 0);
    }

    #[test]
    fn defaults_apply_neither_to_parents_nor_to_declaring_code() {
        let code = "//- modules/m/manifests/init.pp\nclass m { exec { '/b': } include m::o }\n\
                    //- modules/m/manifests/n.pp\nclass m::n inherits m { Exec { creates => '/c' } }\n\
                    //- modules/m/manifests/o.pp\nclass m::o { Exec { creates => '/c' } }\n";
        assert_eq!(reported(&EXEC_NOT_IDEMPOTENT, code).len(), 1);
    }
}
