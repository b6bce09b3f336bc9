use syntax::ast::{AstNode, CollectExpr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::index::possible_tags::is_possible;
use crate::index::virtual_resources::{Resources, is_real, is_virtual, selected_by, tags_in};
use crate::rule::{Check, Rule, declare_rule};
use crate::wording;

declare_rule! {
    /// Reports collectors that match no resource.
    ///
    /// ## What it does
    ///
    /// Looks for code anywhere in the environment that declares virtual resources of the type, with the
    /// title if the condition of the collector is `title == '…'`. For collectors with attributes, and on
    /// a side of an arrow, other resources count, too. If the condition is `tag == '…'`, the tag must be in
    /// code or data: as a string, or as the name of a class or a type. The rule is off by default, as
    /// modules that are not part of the workspace may declare the resources.
    ///
    /// ## Why it matters
    ///
    /// Such a collector has no effect, and Puppet does not warn.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   @user { 'alice': ensure => present }
    ///   User <| title == 'alcie' |> # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   @user { 'alice': ensure => present }
    ///   User <| title == 'alice' |>
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Collectors of exported resources, which other nodes may have exported.
    /// * Types that any code declares with unknown titles, or through `create_resources`.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended resource is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[empty-collector]` at the end of the line, or on a line of its own above it. To
    /// turn the rule on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// empty-collector = "warning"
    /// ```
    pub(crate) static EMPTY_COLLECTOR = {
        code: "empty-collector",
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::COLLECT_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(collector) = CollectExpr::cast(node.clone()) else {
        return;
    };
    if collector.query().is_none_or(|it| it.is_exported()) {
        return;
    }
    let undeclared = undeclared(checker, &collector);
    let messages = match undeclared.is_empty() {
        true => unset_tags(checker, &collector),
        false => undeclared,
    };
    for message in messages {
        checker.report(&EMPTY_COLLECTOR, node.text_range(), message);
    }
}

/// Returns a message for each of the selected types or titles that no code declares.
fn undeclared(checker: &Checker<'_>, collector: &CollectExpr) -> Vec<String> {
    let takes_real = collector.operations().next().is_some() || is_operand(collector.syntax());
    let may_match = |it: &Resources| {
        is_virtual(checker.db, checker.environment, it)
            || takes_real && is_real(checker.db, checker.environment, it)
    };
    let kind = if takes_real { "" } else { "virtual " };
    let message = |selected: Resources| {
        let type_name = selected.type_name.as_deref().unwrap_or_default();
        let Some(title) = &selected.title else {
            return format!("no code declares {kind}`{type_name}` resources");
        };
        let name = wording::reference(type_name, title);
        format!("no code declares the {kind}resource `{name}`")
    };
    let selected = selected_by(collector).unwrap_or_default().into_iter();
    // Puppet rejects collectors of classes.
    let resources = selected.filter(|it| it.type_name.as_deref() != Some("class"));
    resources.filter(|it| !may_match(it)).map(message).collect()
}

/// Returns a message for each of the selected tags that no resource can have.
fn unset_tags(checker: &Checker<'_>, collector: &CollectExpr) -> Vec<String> {
    let tags = tags_in(collector).unwrap_or_default().into_iter();
    let unset = tags.filter(|it| !is_possible(checker.db, checker.environment, it));
    unset
        .map(|it| format!("no resource has the tag `{it}`"))
        .collect()
}

/// Checks whether a collector is a side of an arrow.
fn is_operand(node: &SyntaxNode) -> bool {
    let parents = node.ancestors().skip(1);
    let mut parents = parents.skip_while(|it| it.kind() == SyntaxKind::PAREN_EXPR);
    parents
        .next()
        .is_some_and(|it| it.kind() == SyntaxKind::RELATIONSHIP)
}

#[cfg(test)]
mod tests {
    use super::EMPTY_COLLECTOR;
    use crate::testing::reported;

    #[test]
    fn looks_for_declarations_in_other_files() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m { User <| |> User <| title == 'b' |> Group <| |> File <| |> -> User['a'] }\n\
                    //- modules/n/manifests/init.pp\n\
                    class n { @user { 'a': } group { 'b': } file { '/a': } }\n";
        assert_eq!(
            reported(&EMPTY_COLLECTOR, code),
            [
                "`User <| title == 'b' |>`: no code declares the virtual resource `User['b']`",
                "`Group <| |>`: no code declares virtual `group` resources",
            ]
        );
    }

    #[test]
    fn looks_for_tags() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m { @user { 'a': tag => 'x' } User <| tag == 'y' |> User <| tag == x or tag == 'z' |> }\n\
                    //- modules/n/manifests/init.pp\n\
                    class n { User <| tag == 'y' and title == 'a' |> User <| title == 'b' and tag == 'y' |> }\n";
        assert_eq!(
            reported(&EMPTY_COLLECTOR, code),
            [
                "`User <| tag == 'y' |>`: no resource has the tag `y`",
                "`User <| tag == x or tag == 'z' |>`: no resource has the tag `z`",
                "`User <| tag == 'y' and title == 'a' |>`: no resource has the tag `y`",
                "`User <| title == 'b' and tag == 'y' |>`: no code declares the virtual resource `User['b']`",
            ]
        );
    }

    #[test]
    fn knows_where_tags_come_from() {
        for code in [
            "class m { tag 'X' @user { 'a': } User <| tag == 'x' |> }",
            "class m { @user { 'a': } User <| tag == 'a' |> User <| tag == 'user' |> User <| tag == 'm' |> }",
            "class m($x) { @user { 'a': tag => \"x-${x}\" } User <| tag == 'x-1' |> }",
            "class m($x) { @user { 'a': tag => ['b', $x] } User <| tag == $x |> User <| tag != 'y' |> }",
        ] {
            assert_eq!(reported(&EMPTY_COLLECTOR, code), [""; 0], "{code}");
        }
        let code = "//- modules/m/manifests/init.pp\nclass m::b::c($x) { @user { 'a': tag => $x } User <| tag == 'y' |> User <| tag == 'b' |> }\n\
                    //- modules/m/hiera.yaml\nversion: 5\nhierarchy: [{ name: a, path: a.yaml }]\n\
                    //- modules/m/data/a.yaml\nm::b::c::x: y\n";
        assert_eq!(reported(&EMPTY_COLLECTOR, code), [""; 0]);
    }

    #[test]
    fn ignores_what_may_match() {
        for code in [
            "class m { @user { 'a': tag => 'x' } User <| tag == 'x' |> }",
            "class m($x) { create_resources('@user', $x) User <| title == 'a' |> }",
            "class m($x) { @user { $x: } User <| title == 'a' |> }",
            "class m { user { 'a': } User <| title == 'a' |> { home => '/a' } }",
            "class m { User <<| |>> }",
        ] {
            assert_eq!(reported(&EMPTY_COLLECTOR, code), [""; 0], "{code}");
        }
    }
}
