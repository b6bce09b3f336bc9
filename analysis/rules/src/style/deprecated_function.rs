use hir::body::{Reference, ReferenceName};
use hir::resolve::{Definition, function};
use library::signatures::Doc;
use syntax::validation::PuppetVersion;
use syntax::{Fix, text_at};

use crate::checker::{Checker, Resolution};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports calls to deprecated functions.
    ///
    /// ## What it does
    ///
    /// Checks for functions whose documentation says so, with the tag `@deprecated` or a summary that starts
    /// with *Deprecated*: those of Puppet, of `stdlib` and of other modules, in the installed version.
    ///
    /// ## Why it matters
    ///
    /// A later release removes the function. The rule `removed-function` reports functions that fail already.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: manifests/init.pp
    /// class example (String $path) {
    ///   notice(shell_escape($path)) # <-
    /// }
    /// # file: modules/stdlib/lib/puppet/functions/shell_escape.rb
    /// # @summary DEPRECATED.  Use the namespaced function [`stdlib::shell_escape`](#stdlibshell_escape) instead.
    /// Puppet::Functions.create_function(:shell_escape) do
    ///   dispatch :deprecation_gen do
    ///     repeated_param 'Any', :args
    ///   end
    ///   def deprecation_gen(*args)
    ///     call_function('stdlib::shell_escape', *args)
    ///   end
    /// end
    /// # file: modules/stdlib/lib/puppet/functions/stdlib/shell_escape.rb
    /// Puppet::Functions.create_function(:'stdlib::shell_escape') do
    ///   dispatch :shell_escape do
    ///     param 'Any', :str
    ///     return_type 'String'
    ///   end
    ///   def shell_escape(str)
    ///     str.to_s
    ///   end
    /// end
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: manifests/init.pp
    /// class example (String $path) {
    ///   notice(stdlib::shell_escape($path))
    /// }
    /// # file: modules/stdlib/lib/puppet/functions/stdlib/shell_escape.rb
    /// Puppet::Functions.create_function(:'stdlib::shell_escape') do
    ///   dispatch :shell_escape do
    ///     param 'Any', :str
    ///     return_type 'String'
    ///   end
    ///   def shell_escape(str)
    ///     str.to_s
    ///   end
    /// end
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Functions of the same module.
    /// * Functions that `removed-function` reports.
    ///
    /// ## Fix
    ///
    /// Suggested: calls the function of the same name in a namespace, if the documentation names it and it is
    /// installed.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[deprecated-function]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// deprecated-function = "warning"
    /// ```
    pub(crate) static DEPRECATED_FUNCTION = {
        code: "deprecated-function",
        puppet_lint: ["stdlib_deprecated", "deprecated_functions"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Reference(check)],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let ReferenceName::Function(name) = &reference.name else {
        return;
    };
    let Some(doc) = documentation(checker, resolution) else {
        return;
    };
    if !is_deprecated(&doc) {
        return;
    }
    let namesake = namesake(checker, &doc, name);
    let message = match &namesake {
        Some(other) => format!("function `{name}` is deprecated; use `{other}` instead"),
        None => format!("function `{name}` is deprecated"),
    };
    checker.report(&DEPRECATED_FUNCTION, reference.range, message);
    let written = text_at(&checker.root(), reference.range);
    let fix = namesake.and_then(|it| {
        let call = written?.replace(name.as_str(), &it);
        Some(Fix::suggested(
            format!("Call `{it}`"),
            reference.range,
            call,
        ))
    });
    checker.fix(fix);
}

/// Returns the documentation of a function of Puppet or another module, unless `removed-function` reports it.
fn documentation(checker: &Checker<'_>, resolution: &Resolution<'_>) -> Option<Doc> {
    let db = checker.db;
    let (file, doc) = match resolution.as_ref().ok()? {
        Definition::Function(symbol) => {
            let function = symbol.declared();
            let fails = function.fails_if_strict && checker.version() != PuppetVersion::V7;
            let file = symbol.file();
            (file, (!fails).then(|| function.doc.clone())?)
        }
        Definition::Item(item) => (Some(item.file(db)), item.doc(db)),
        _ => return None,
    };
    let own = checker.item.file(db).module(db);
    let is_own = file.is_some_and(|it| it.module(db) == own);
    (!is_own).then_some(doc)
}

fn is_deprecated(doc: &Doc) -> bool {
    let starts = |text: &str| {
        let word = text.trim_start_matches(['*', ' ']);
        word.get(..10)
            .is_some_and(|it| it.eq_ignore_ascii_case("deprecated"))
    };
    let mut summaries = doc.tags("summary").map(|it| it.text.as_str());
    doc.tags("deprecated").next().is_some() || summaries.any(starts) || starts(&doc.text)
}

/// Returns the function of the same name in a namespace that the documentation names.
fn namesake(checker: &Checker<'_>, doc: &Doc, name: &str) -> Option<String> {
    let texts = doc.tags.iter().map(|it| it.text.as_str());
    let words = texts
        .chain([doc.text.as_str()])
        .flat_map(|it| it.split('`').skip(1).step_by(2));
    let mut same = words.filter(|it| it.rsplit_once("::").is_some_and(|it| it.1 == name));
    let environment = Some(checker.environment);
    let found = same.find(|it| function(checker.db, environment, it).is_ok())?;
    Some(found.to_owned())
}

#[cfg(test)]
mod tests {
    use super::DEPRECATED_FUNCTION;
    use crate::testing::{fixes, reported};

    const FUNCTIONS: &str = "//- modules/other/functions/a.pp\n# @deprecated Use b.\nfunction other::a() { 1 }\n\
        //- modules/other/functions/b.pp\n# Not deprecated.\nfunction other::b() { 1 }\n\
        //- modules/other/lib/puppet/functions/other/c.rb\n# @summary **Deprecated:** Use d\n\
        Puppet::Functions.create_function(:'other::c') do\nend\n\
        //- modules/other/lib/puppet/functions/old.rb\n\
        # @summary DEPRECATED.  Use the namespaced function [`other::old`](#x) instead.\n\
        Puppet::Functions.create_function(:old) do\nend\n\
        //- modules/other/lib/puppet/functions/other/old.rb\n\
        Puppet::Functions.create_function(:'other::old') do\nend\n";

    fn with_functions(code: &str) -> String {
        format!("//- modules/m/manifests/init.pp\n{code}\n{FUNCTIONS}")
    }

    #[test]
    fn reports_deprecated_functions() {
        let code =
            with_functions("class m { $x = [other::a(), other::c(), old(1), 2.old, hiera('a')] }");
        assert_eq!(
            reported(&DEPRECATED_FUNCTION, &code),
            [
                "`other::a`: function `other::a` is deprecated",
                "`other::c`: function `other::c` is deprecated",
                "`old`: function `old` is deprecated; use `other::old` instead",
                "`old`: function `old` is deprecated; use `other::old` instead",
                "`hiera`: function `hiera` is deprecated",
            ]
        );
        assert_eq!(
            fixes(&DEPRECATED_FUNCTION, &code),
            ["Call `other::old`", "Call `other::old`"]
        );
    }

    #[test]
    fn ignores_other_functions() {
        let code = with_functions(
            "class m { $x = [other::b(), other::old(), lookup('a'), unknown(), 'hiera', m::own(), \
             other::missing(), [1].each |$a| { }, $old, old] include old }",
        );
        let code = format!(
            "{code}//- modules/m/functions/own.pp\n# @deprecated\nfunction m::own() {{ 1 }}\n"
        );
        assert_eq!(reported(&DEPRECATED_FUNCTION, &code), [""; 0]);
    }
}
