use hir::body::ResourceForm;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports collectors and overrides of classes.
    ///
    /// ## What it does
    ///
    /// Checks that collectors (`<| … |>`, `<<| … |>>`) and overrides (`Type['title'] { … }`) are
    /// only used for resources. Classes are declared like resources, but cannot be virtual, and their
    /// parameters cannot be overridden.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails: *Classes cannot be collected* or *Resource Override can only operate on
    /// resources*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   include example::server
    ///   Class <| title == 'example::server' |> # <-
    ///   Class['example::server'] { port => 8080 } # <-
    /// }
    /// # file: manifests/server.pp
    /// class example::server (Integer $port = 80) {
    ///   notice($port)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   class { 'example::server':
    ///     port => 8080,
    ///   }
    /// }
    /// # file: manifests/server.pp
    /// class example::server (Integer $port = 80) {
    ///   notice($port)
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended declaration is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[class-as-resource]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// class-as-resource = "off"
    /// ```
    pub(crate) static CLASS_AS_RESOURCE = {
        code: "class-as-resource",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    let of_classes = body
        .resources
        .iter()
        .filter(|it| it.type_.as_deref() == Some("class"));
    for resource in of_classes {
        let message = match resource.form {
            ResourceForm::Collector => "classes cannot be collected",
            ResourceForm::Override => "parameters of classes cannot be overridden",
            _ => continue,
        };
        checker.report(&CLASS_AS_RESOURCE, resource.type_range, message.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::CLASS_AS_RESOURCE;
    use crate::testing::reported;

    #[test]
    fn reports_collectors_and_overrides_of_classes() {
        let code =
            "class m { Class <| |> Class['m'] { a => 1 } Class <| title == 'm' |> { a => 1 } }";
        assert_eq!(
            reported(&CLASS_AS_RESOURCE, code),
            [
                "`Class`: classes cannot be collected",
                "`Class`: parameters of classes cannot be overridden",
                "`Class`: classes cannot be collected",
            ]
        );
    }

    #[test]
    fn ignores_references_and_resources() {
        let code = "class m { File <| |> File['/a'] { mode => '0644' } Class['m'] -> File['/b'] }";
        assert_eq!(reported(&CLASS_AS_RESOURCE, code), [""; 0]);
    }
}
