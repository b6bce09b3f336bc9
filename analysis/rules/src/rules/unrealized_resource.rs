use syntax::ast::{AstNode, Expr, ResourceExpr, VirtualExpr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::virtual_resources::{declared_by, is_selected};
use crate::wording;

declare_rule! {
    /// Reports virtual resources that no code makes real.
    ///
    /// ## What it does
    ///
    /// Looks for a collector or a call to `realize` anywhere in the environment that may select the
    /// resource, by its type and its title. The rule is off by default, as a module may leave the choice of
    /// its virtual resources to its users.
    ///
    /// ## Why it matters
    ///
    /// A virtual resource is not in the catalog, so the agent does not manage it.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   @user { 'alice': ensure => present } # <-
    ///   @user { 'bob': ensure => present }
    ///   realize(User['bob'])
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   @user { 'alice': ensure => present }
    ///   @user { 'bob': ensure => present }
    ///   User <| |>
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Collectors with conditions other than `title == '…'`, which may select any resource of the type.
    /// * Exported resources, which other nodes collect.
    /// * Resources that `create_resources` declares.
    ///
    /// ## Fix
    ///
    /// No fix is available: the resource may be meant for all nodes or for some.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unrealized-resource]` at the end of the line, or on a line of its own above it.
    /// To turn the rule on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unrealized-resource = "warning"
    /// ```
    pub(crate) static UNREALIZED_RESOURCE = {
        code: "unrealized-resource",
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::VIRTUAL_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(expr) = VirtualExpr::cast(node.clone()).filter(|it| !it.is_exported()) else {
        return;
    };
    if let Some(Expr::ResourceExpr(resource)) = expr.resource() {
        check_resource(checker, &resource);
    }
}

fn check_resource(checker: &mut Checker<'_>, resource: &ResourceExpr) {
    let range = resource.type_name().map(|it| it.syntax().text_range());
    let Some(range) = range else {
        return;
    };
    for declared in declared_by(resource) {
        let Some(type_name) = &declared.type_name else {
            continue;
        };
        if is_selected(checker.db, checker.environment, &declared) {
            continue;
        }
        let message = match &declared.title {
            Some(title) => {
                let name = wording::reference(type_name, title);
                format!("no collector or `realize` selects the virtual resource `{name}`")
            }
            None => format!("no collector or `realize` selects virtual `{type_name}` resources"),
        };
        checker.report(&UNREALIZED_RESOURCE, range, message);
    }
}

#[cfg(test)]
mod tests {
    use super::UNREALIZED_RESOURCE;
    use crate::testing::reported;

    #[test]
    fn looks_for_collectors_in_other_files() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m($x) { @user { ['a', 'b', $x]: } @group { 'g': } @@file { '/a': } }\n\
                    //- modules/n/manifests/init.pp\n\
                    class n { User <| title == 'a' or title == 'c' |> }\n";
        assert_eq!(
            reported(&UNREALIZED_RESOURCE, code),
            [
                "`user`: no collector or `realize` selects the virtual resource `User['b']`",
                "`group`: no collector or `realize` selects the virtual resource `Group['g']`",
            ]
        );
    }

    #[test]
    fn ignores_what_may_be_selected() {
        for code in [
            "class m { @user { 'a': tag => 'x' } User <| tag == 'x' |> }",
            "class m { @user { 'a': } realize User['b', 'a'] }",
            "class m($x) { @user { 'a': } realize($x) }",
            "class m($x) { @user { 'a': } User <| title == $x |> }",
        ] {
            assert_eq!(reported(&UNREALIZED_RESOURCE, code), [""; 0], "{code}");
        }
    }
}
