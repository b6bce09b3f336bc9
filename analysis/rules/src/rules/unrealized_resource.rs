use syntax::ast::{AstNode, Expr, ResourceExpr, VirtualExpr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::index::virtual_resources::{declared_in, is_selected};
use crate::resource_attributes::declared_type;
use crate::rule::{Check, Rule, declare_rule};
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
    /// * Collectors with other conditions, which may select any resource of the type. One with `tag == '…'` selects none
    ///   if neither code nor data has a word that may be the tag, and one with `ensure == '…'` or the like selects no
    ///   resource that is declared with another string as the value.
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
    let Some(type_name) = declared_type(resource) else {
        return;
    };
    for body in resource.bodies() {
        for declared in declared_in(&body, &type_name) {
            if is_selected(checker.db, checker.environment, &declared, Some(&body)) {
                continue;
            }
            let message = match &declared.title {
                Some(title) => {
                    let name = wording::reference(&type_name, title);
                    format!("no collector or `realize` selects the virtual resource `{name}`")
                }
                None => {
                    format!("no collector or `realize` selects virtual `{type_name}` resources")
                }
            };
            checker.report(&UNREALIZED_RESOURCE, range, message);
        }
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
    fn collectors_of_other_values_select_none() {
        let code = "class m { @user { 'a': ensure => present; 'b': ensure => absent } \
                    User <| ensure == 'absent' or ensure == 'role' |> }";
        assert_eq!(
            reported(&UNREALIZED_RESOURCE, code),
            ["`user`: no collector or `realize` selects the virtual resource `User['a']`"]
        );
    }

    #[test]
    fn collectors_of_other_tags_select_none() {
        let code = "class m($x) { @user { 'a': tag => ['admins', \"${x}s\"] } \
                    User <| tag == 'admin' or tag == 'root' |> }";
        assert_eq!(
            reported(&UNREALIZED_RESOURCE, code),
            ["`user`: no collector or `realize` selects the virtual resource `User['a']`"]
        );
    }

    #[test]
    fn ignores_what_may_be_selected() {
        for code in [
            "class m { @user { 'a': tag => 'x' } User <| tag == 'x' |> }",
            "class m { @user { 'a': } realize User['b', 'a'] }",
            "class m($x) { @user { 'a': } realize($x) }",
            "class m($x) { @user { 'a': } User <| title == $x |> }",
            "class m { tag('x') @user { 'a': } User <| tag == 'x' |> }",
            "class m($x) { @user { 'a': tag => \"team-${x}\" } User <| tag == 'team-x' |> }",
            "class m($x) { @user { 'a': tag => $x } User <| tag == $x or tag == 'y' |> }",
            "class m($x) { @user { 'a': ensure => $x } User <| ensure == 'absent' |> }",
            "class m { @user { 'a': ensure => present } User <| ensure == 'absent' or ensure == 'Present' |> }",
            "class m { @user { 'a': } User <| ensure == 'absent' |> }",
            "class m { @user { 'a': ensure => present } User <| ensure != 'absent' |> }",
        ] {
            assert_eq!(reported(&UNREALIZED_RESOURCE, code), [""; 0], "{code}");
        }
    }
}
