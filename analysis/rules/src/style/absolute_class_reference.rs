use hir::body::{ClassUse, Reference, ReferenceName};
use syntax::{Fix, text_at};

use crate::checker::{Checker, Resolution};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports references to classes whose name starts with `::`.
    ///
    /// ## What it does
    ///
    /// Checks `Class['::name']`, also in strings such as `'Class[::name]'` of `require`.
    ///
    /// ## Why it matters
    ///
    /// Since Puppet 4, all class names are absolute, so `::` has no effect. The Puppet style guide
    /// recommends omitting it.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: manifests/init.pp
    /// class example {
    ///   include example::service
    ///   notify { 'done':
    ///     require => Class['::example::service'], # <-
    ///   }
    /// }
    /// # file: manifests/service.pp
    /// class example::service {}
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: manifests/init.pp
    /// class example {
    ///   include example::service
    ///   notify { 'done':
    ///     require => Class['example::service'],
    ///   }
    /// }
    /// # file: manifests/service.pp
    /// class example::service {}
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: removes the `::`.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[absolute-class-reference]` at the end of the line, or on a line of its own
    /// above it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// absolute-class-reference = "warning"
    /// ```
    pub(crate) static ABSOLUTE_CLASS_REFERENCE = {
        code: "absolute-class-reference",
        puppet_lint: ["relative_classname_reference"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Reference(check)],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, _: &Resolution<'_>) {
    let ReferenceName::Class(name, ClassUse::Referenced) = &reference.name else {
        return;
    };
    let Some(written) = text_at(&checker.root(), reference.range) else {
        return;
    };
    let title = written.trim_start_matches(['\'', '"']);
    let title = match title.split_once('[') {
        Some((_, inner)) => inner.trim_start(),
        None => title,
    };
    if let Some(rest) = title.strip_prefix("::") {
        let message = format!("name of class `{name}` starts with `::`");
        checker.report(&ABSOLUTE_CLASS_REFERENCE, reference.range, message);
        let before = &written[..written.len() - title.len()];
        let text = format!("{before}{rest}");
        checker.fix(Some(Fix::certain("Remove the `::`", reference.range, text)));
    }
}

#[cfg(test)]
mod tests {
    use super::ABSOLUTE_CLASS_REFERENCE;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_absolute_names() {
        let code = "class m { notify { 'a': require => Class['::b'], before => [Class[::c, 'd'], Class[\"::e\"]], \
                    notify => 'Class[::f]' } Class['::g::h'] -> Class['i'] if defined(Class['::j']) { } }";
        let places = [
            ("'::b'", "b"),
            ("::c", "c"),
            ("\"::e\"", "e"),
            ("'Class[::f]'", "f"),
            ("'::g::h'", "g::h"),
            ("'::j'", "j"),
        ];
        let message =
            |it: (&str, &str)| format!("`{}`: name of class `{}` starts with `::`", it.0, it.1);
        assert_eq!(
            reported(&ABSOLUTE_CLASS_REFERENCE, code),
            places.map(message)
        );
    }

    #[test]
    fn ignores_other_names() {
        let code = "class m ($x) { notify { 'a': require => Class['b'], before => Class[\"::${x}\"] } \
                    include ::c $d = File['::e'] $f = $x['::g'] $h = Class[i] class { '::j': } }";
        assert_eq!(reported(&ABSOLUTE_CLASS_REFERENCE, code), [""; 0]);
    }

    #[test]
    fn removes_the_colons() {
        let code = "class m { notify { 'a': require => [Class['::b'], Class[::c]], before => 'Class[::d]' } }";
        let expected =
            "class m { notify { 'a': require => [Class['b'], Class[c]], before => 'Class[d]' } }";
        assert_eq!(fixed(&ABSOLUTE_CLASS_REFERENCE, code), expected);
    }
}
