use syntax::ast::{AstNode, ResourceExpr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::resource_attributes::declared_type;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports `cron` resources.
    ///
    /// ## What it does
    ///
    /// Reports each declaration of a `cron` resource.
    ///
    /// ## Why it matters
    ///
    /// Puppet writes `cron` resources into the crontab of a user, where a job remains after its
    /// resource is removed from the code. The rule is off by default: it is meant for projects that
    /// use systemd timers or a directory such as `/etc/cron.d` instead.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   cron { 'backup': # <-
    ///     command => '/usr/local/bin/backup',
    ///     hour    => 2,
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/cron.d/backup':
    ///     ensure  => file,
    ///     content => "0 2 * * * root /usr/local/bin/backup\n",
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: the replacement is up to the project.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[cron-resource]` at the end of the line, or on a line of its own above it. To
    /// turn the rule on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// cron-resource = "warning"
    /// ```
    pub(crate) static CRON_RESOURCE = {
        code: "cron-resource",
        puppet_lint: ["no_cron_resources"],
        group: Style,
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::RESOURCE_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(resource) = ResourceExpr::cast(node.clone()) else {
        return;
    };
    let name = resource.type_name().map(|it| it.syntax().text_range());
    if declared_type(&resource).is_some_and(|it| it == "cron")
        && let Some(range) = name.filter(|_| checker.owns(node))
    {
        let message = "`cron` resource: its job remains after the resource is removed".to_owned();
        checker.report(&CRON_RESOURCE, range, message);
    }
}

#[cfg(test)]
mod tests {
    use super::CRON_RESOURCE;
    use crate::testing::reported;

    #[test]
    fn reports_cron_resources() {
        let code = "class m { cron { 'a': command => 'b' } @cron { ['c', 'd']: } ::cron { 'e': } \
                    define d { cron { $title: } } }\ninclude m";
        let expected = [
            "`cron`: `cron` resource: its job remains after the resource is removed",
            "`cron`: `cron` resource: its job remains after the resource is removed",
            "`::cron`: `cron` resource: its job remains after the resource is removed",
            "`cron`: `cron` resource: its job remains after the resource is removed",
        ];
        assert_eq!(reported(&CRON_RESOURCE, code), expected);
    }

    #[test]
    fn ignores_other_code() {
        let code = "class m { file { '/etc/cron.d/cron': } service { 'cron': } cron::job { 'a': } \
                    Cron { user => 'a' } Cron <| tag == 'b' |> $cron = Cron['a'] package { 'cron': } \
                    notice('cron') }";
        assert_eq!(reported(&CRON_RESOURCE, code), [""; 0]);
    }
}
