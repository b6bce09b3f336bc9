use syntax::ast::{AstNode, ResourceExpr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports resources of the type `anchor`.
    ///
    /// ## What it does
    ///
    /// Reports each declaration of an `anchor` resource.
    ///
    /// ## Why it matters
    ///
    /// Anchors were necessary to contain a class in another one before Puppet 3.4. The function `contain`
    /// does that in one line, and the type is deprecated.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: manifests/init.pp
    /// class example {
    ///   anchor { 'example::begin': } # <-
    ///   -> class { 'example::service': }
    ///   -> anchor { 'example::end': } # <-
    /// }
    /// # file: manifests/service.pp
    /// class example::service {}
    /// # file: modules/stdlib/lib/puppet/type/anchor.rb
    /// Puppet::Type.newtype(:anchor) do
    ///   newparam(:name)
    /// end
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: manifests/init.pp
    /// class example {
    ///   contain example::service
    /// }
    /// # file: manifests/service.pp
    /// class example::service {}
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: which classes an anchor contains depends on its relationships.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[anchor-resource]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// anchor-resource = "warning"
    /// ```
    pub(crate) static ANCHOR_RESOURCE = {
        code: "anchor-resource",
        puppet_lint: ["anchor_resource"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::RESOURCE_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let resource = ResourceExpr::cast(node.clone());
    let Some(name) = resource.and_then(|it| it.type_name()) else {
        return;
    };
    let name = name.syntax();
    if matches!(&*name.text().to_string(), "anchor" | "::anchor") {
        let message = "resource type `anchor` is deprecated; use `contain` instead".to_owned();
        checker.report(&ANCHOR_RESOURCE, name.text_range(), message);
    }
}

#[cfg(test)]
mod tests {
    use super::ANCHOR_RESOURCE;
    use crate::testing::reported;

    #[test]
    fn reports_anchors() {
        let code = "class m { anchor { ['a', 'b']: } file { '/anchor': } }";
        assert_eq!(
            reported(&ANCHOR_RESOURCE, code),
            ["`anchor`: resource type `anchor` is deprecated; use `contain` instead"]
        );
    }
}
