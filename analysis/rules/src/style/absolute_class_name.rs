use hir::body::{ClassUse, Reference, ReferenceName};
use syntax::{Fix, text_at};

use crate::checker::{Checker, Resolution};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports class names that start with `::` where a class is declared or inherited.
    ///
    /// ## What it does
    ///
    /// Checks the arguments of `include`, `contain` and `require`, the title of `class { … }`, and `inherits`.
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
    ///   include ::example::service # <-
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
    /// Add `# pupil: ignore[absolute-class-name]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// absolute-class-name = "warning"
    /// ```
    pub(crate) static ABSOLUTE_CLASS_NAME = {
        code: "absolute-class-name",
        puppet_lint: ["relative_classname_inclusion"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Reference(check)],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, _: &Resolution<'_>) {
    let ReferenceName::Class(name, ClassUse::Declared | ClassUse::Inherited) = &reference.name
    else {
        return;
    };
    let Some(written) = text_at(&checker.root(), reference.range) else {
        return;
    };
    let start = written.len() - written.trim_start_matches(['\'', '"']).len();
    if let Some(rest) = written[start..].strip_prefix("::") {
        let message = format!("name of class `{name}` starts with `::`");
        checker.report(&ABSOLUTE_CLASS_NAME, reference.range, message);
        let text = format!("{}{rest}", &written[..start]);
        checker.fix(Some(Fix::certain("Remove the `::`", reference.range, text)));
    }
}

#[cfg(test)]
mod tests {
    use super::ABSOLUTE_CLASS_NAME;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_absolute_names() {
        let code = "class m inherits ::m::p { include ::a, '::b' contain('::c::d') require \"::e\" \
                    class { '::f': } class { ['::g', 'h']: } ::include(::i) }";
        let places = [
            ("::m::p", "m::p"),
            ("::a", "a"),
            ("'::b'", "b"),
            ("'::c::d'", "c::d"),
            ("\"::e\"", "e"),
            ("'::f'", "f"),
            ("'::g'", "g"),
            ("::i", "i"),
        ];
        let message =
            |it: (&str, &str)| format!("`{}`: name of class `{}` starts with `::`", it.0, it.1);
        assert_eq!(reported(&ABSOLUTE_CLASS_NAME, code), places.map(message));
    }

    #[test]
    fn ignores_other_names() {
        let code = "class m ($x) { include a, 'b' include \"::${x}\" class { 'c': } ::m::d { 'e': } \
                    $y = $::f::g notify { 'h': require => Class['::i'] } m::j('::k') }";
        assert_eq!(reported(&ABSOLUTE_CLASS_NAME, code), [""; 0]);
    }

    #[test]
    fn removes_the_colons() {
        let code = "class m { include ::a, '::b' class { \"::c\": } }\nclass m::n inherits ::m { }";
        let expected = "class m { include a, 'b' class { \"c\": } }\nclass m::n inherits m { }";
        assert_eq!(fixed(&ABSOLUTE_CLASS_NAME, code), expected);
    }
}
