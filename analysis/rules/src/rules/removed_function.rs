use std::cmp::Ordering;

use base::FileInput;
use hir::body::{Reference, ReferenceName};
use hir::other_versions::{is_of_other_version, is_other_version};
use hir::resolve::{Definition, ResolveError, missing_modules};
use hir::ruby_symbols::RubySymbol;
use library::KnownFunction;
use library::removed_functions::{
    STDLIB, STDLIB_WITHOUT_DEPRECATED, fails_in_old_stdlib, is_removed_from_stdlib,
};
use library::signatures::Function;
use syntax::ast::{AstNode, CallExpr};
use syntax::validation::PuppetVersion;
use syntax::{Edit, Fix, Severity, SyntaxNode, TextRange};
use types::values::Version;

use crate::checker::{Checker, Resolution};
use crate::fixes::node_at;
use crate::required_versions::RequiredVersions;
use crate::rule::{Check, Rule, declare_rule};
use crate::unresolved::unresolved;

declare_rule! {
    /// Reports calls to functions that were removed from Puppet, or that fail because they are deprecated.
    ///
    /// ## What it does
    ///
    /// Checks for the functions `extlookup`, `import` and `search` of Puppet 3. The message names the
    /// replacement. Puppet 8 still has every function of Puppet 7, including `hiera`,
    /// `hiera_array`, `hiera_hash` and `hiera_include`, all of which `lookup` supersedes.
    ///
    /// Also checks for deprecated functions of the module `stdlib` before 9.0.0, such as `is_string`
    /// and `validate_re`: they fail if the setting `strict` is `error`, as it is by default in Puppet 8.
    /// The severity is a warning, because the setting may have another value.
    ///
    /// If the required version of `stdlib` is not installed, the rule uses the requirement in the `Puppetfile`,
    /// `.fixtures.yml` or `metadata.json`: functions that 9.0.0 removed are warnings if no earlier version is allowed,
    /// and hints otherwise. If the required version is installed, it lacks them.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the call is evaluated: *Unknown function*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $role = extlookup('role', 'none') # <-
    ///   notice($role)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $role = lookup('role', { 'default_value' => 'none' })
    ///   notice($role)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Functions that a module defines under such a name. If dependencies of the module (in
    ///   `metadata.json`) are not installed, one of them may define the function, so the severity
    ///   is a warning.
    /// * Functions that were removed from modules, such as those of `stdlib` that became part of
    ///   Puppet. `unknown-function` reports these.
    /// * Code in a condition that checks `defined(…)` first.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces a call to `extlookup` with the equivalent call to `lookup`.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[removed-function]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// removed-function = "off"
    /// ```
    pub(crate) static REMOVED_FUNCTION = {
        code: "removed-function",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Reference(check)],
    }
}

/// Functions of Puppet 3 that every later release lacks, and their replacements.
const REMOVED_BEFORE_7: [(KnownFunction, &str); 2] = [
    (KnownFunction::Extlookup, "`lookup`"),
    (
        KnownFunction::Search,
        "the full names of classes and defined types",
    ),
];

/// The function of Puppet 3 that later releases only have to refuse it, and its replacement.
const REFUSED: (KnownFunction, &str) = (KnownFunction::Import, "modules");

/// The release that lacks a function.
pub(super) enum Removal {
    /// Puppet 8.
    In8,
    /// A version of `stdlib`, which is not installed in a required version.
    FromStdlib(RequiredVersions),
    /// The installed version of `stdlib`, which is the required one, or an earlier one.
    FromInstalledStdlib,
    /// A release before Puppet 7; contains the replacement.
    Before7(&'static str),
}

/// Returns the release that removed an unknown function, if any release had it.
pub(super) fn removal(
    checker: &Checker<'_>,
    name: &str,
    missing: &ResolveError,
) -> Option<Removal> {
    let until_7 = library::function(name, PuppetVersion::V7).is_some();
    if until_7 && checker.version() != PuppetVersion::V7 {
        return Some(Removal::In8);
    }
    if is_removed_from_stdlib(name) && has_stdlib(checker) {
        return Some(Removal::FromInstalledStdlib);
    }
    if *missing == ResolveError::MaybeExternal
        && is_removed_from_stdlib(name)
        && missing_modules(checker.db, checker.environment).contains(STDLIB)
    {
        return Some(Removal::FromStdlib(checker.required_versions(STDLIB)?));
    }
    let known = KnownFunction::from_name(name)?;
    let mut removed = REMOVED_BEFORE_7.iter();
    let (_, instead) = removed.find(|it| it.0 == known)?;
    // A missing module may define a function of that name.
    (*missing == ResolveError::MaybeExternal).then_some(Removal::Before7(instead))
}

/// Checks whether `stdlib` is installed in a version that the code allows.
fn has_stdlib(checker: &Checker<'_>) -> bool {
    let (db, environment) = (checker.db, checker.environment);
    let own = checker.item.file(db).module(db);
    environment.modules(db).contains_key(STDLIB)
        && !is_other_version(db, Some(environment), own, STDLIB)
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let ReferenceName::Function(name) = &reference.name else {
        return;
    };
    if let Ok(Definition::Function(RubySymbol::Module(file, function))) = resolution {
        return check_deprecated(checker, reference, *file, function);
    }
    if let Ok(Definition::Function(RubySymbol::Shipped(_))) = resolution
        && KnownFunction::from_name(name) == Some(REFUSED.0)
        && !reference.guarded
    {
        let message = removed(name, REFUSED.1);
        return checker.report(&REMOVED_FUNCTION, reference.range, message);
    }
    let Some(missing) = unresolved(reference, resolution) else {
        return;
    };
    if checker.is_task_code() {
        return;
    }
    let range = reference.range;
    match removal(checker, name, missing) {
        Some(Removal::In8) => {
            let message = format!("function `{name}` was removed in Puppet 8");
            checker.report(&REMOVED_FUNCTION, range, message);
        }
        Some(Removal::FromStdlib(required)) => {
            check_function_of_stdlib(checker, (name, range), &required);
        }
        Some(Removal::FromInstalledStdlib) => {
            let message = removed_from_stdlib(name);
            checker.report_as(&REMOVED_FUNCTION, severity_of(checker), range, message);
        }
        Some(Removal::Before7(instead)) => {
            let severity = severity_of(checker);
            let message = removed(name, instead);
            checker.report_as(&REMOVED_FUNCTION, severity, range, message);
            if KnownFunction::from_name(name) == Some(KnownFunction::Extlookup) {
                checker.fix(lookup(&checker.root(), range));
            }
        }
        None => {}
    }
}

/// Returns the severity for a function that a module that is not installed may define, too.
fn severity_of(checker: &Checker<'_>) -> Severity {
    match checker.has_all_modules() {
        true => Severity::Error,
        false => Severity::Warning,
    }
}

fn removed_from_stdlib(name: &str) -> String {
    let (major, minor, patch) = STDLIB_WITHOUT_DEPRECATED;
    format!("function `{name}` was removed in {STDLIB} {major}.{minor}.{patch}")
}

fn removed(name: &str, instead: &str) -> String {
    format!("function `{name}` was removed from Puppet; use {instead} instead")
}

/// Reports a function that some or all of the required versions of `stdlib` lack.
fn check_function_of_stdlib(
    checker: &mut Checker<'_>,
    (name, range): (&str, TextRange),
    required: &RequiredVersions,
) {
    let (major, minor, patch) = STDLIB_WITHOUT_DEPRECATED;
    let text = &required.text;
    let removed = removed_from_stdlib(name);
    let (severity, message) = match required.compare(&Version::new(major, minor, patch)) {
        Some(Ordering::Less) => {
            if fails_in_old_stdlib(name) && checker.version() != PuppetVersion::V7 {
                checker.report_as(&REMOVED_FUNCTION, Severity::Hint, range, deprecated(name));
            }
            return;
        }
        Some(_) => (
            Severity::Warning,
            format!("{removed}, and `{text}` is required"),
        ),
        None => (Severity::Hint, format!("{removed}, which `{text}` allows")),
    };
    checker.report_as(&REMOVED_FUNCTION, severity, range, message);
}

/// Reports a function of a module that fails with the default settings of Puppet 8.
fn check_deprecated(
    checker: &mut Checker<'_>,
    reference: &Reference,
    file: FileInput,
    function: &Function,
) {
    let own = checker.item.file(checker.db).module(checker.db);
    let name = function.name.as_str();
    if is_of_other_version(checker.db, checker.item.file(checker.db), file)
        && file
            .module(checker.db)
            .is_some_and(|it| &**it.name(checker.db) == STDLIB)
        && is_removed_from_stdlib(name)
        && !reference.guarded
        && let Some(required) = checker.required_versions(STDLIB)
    {
        return check_function_of_stdlib(checker, (name, reference.range), &required);
    }
    if !function.fails_if_strict
        || reference.guarded
        || checker.version() == PuppetVersion::V7
        || own == file.module(checker.db)
        || is_of_other_version(checker.db, checker.item.file(checker.db), file)
    {
        return;
    }
    let message = deprecated(name);
    checker.report_as(
        &REMOVED_FUNCTION,
        Severity::Warning,
        reference.range,
        message,
    );
}

fn deprecated(name: &str) -> String {
    format!("deprecated function `{name}` fails with the default settings of Puppet 8")
}

/// Returns a fix that replaces `extlookup` with `lookup`. The second argument is the default value.
fn lookup(root: &SyntaxNode, name: TextRange) -> Option<Fix> {
    let call = node_at(root, name)?.ancestors().find_map(CallExpr::cast)?;
    call.name_token().filter(|it| it.text_range() == name)?;
    let mut fix = Fix::suggested("Replace with `lookup`", name, KnownFunction::Lookup.name());
    match call.arguments().as_slice() {
        [_] => {}
        [_, default] => {
            let range = default.syntax().text_range();
            let edit = |at, text: &str| Edit {
                range: TextRange::empty(at),
                text: text.to_owned(),
            };
            fix.edits.push(edit(range.start(), "{ 'default_value' => "));
            fix.edits.push(edit(range.end(), " }"));
        }
        _ => return None,
    }
    Some(fix)
}

#[cfg(test)]
mod tests {
    use super::REMOVED_FUNCTION;
    use crate::testing::{fixes, reported, severities};
    use syntax::Severity;

    #[test]
    fn reports_functions_of_older_releases() {
        let code = "class m { search('a') $y = extlookup('b', 1) import('c.pp') }";
        assert_eq!(
            reported(&REMOVED_FUNCTION, code),
            [
                "`search`: function `search` was removed from Puppet; \
                 use the full names of classes and defined types instead",
                "`extlookup`: function `extlookup` was removed from Puppet; use `lookup` instead",
                "`import`: function `import` was removed from Puppet; use modules instead",
            ]
        );
        assert_eq!(fixes(&REMOVED_FUNCTION, code), ["Replace with `lookup`"]);
    }

    const STDLIB: &str = "//- modules/stdlib/lib/puppet/functions/is_string.rb\n\
        Puppet::Functions.create_function(:is_string) do\n\
        dispatch :old do\n param 'Any', :value\nend\n\
        def old(value)\n call_function('deprecation', 'is_string', 'Use =~')\n true\nend\nend\n\
        //- modules/stdlib/lib/puppet/functions/merge.rb\n\
        Puppet::Functions.create_function(:merge) do\n\
        dispatch :shim do\n param 'Any', :value\nend\n\
        def shim(value)\n call_function('deprecation', 'merge', 'Use +', false)\nend\nend\n\
        //- modules/stdlib/lib/puppet/functions/sometimes.rb\n\
        Puppet::Functions.create_function(:sometimes) do\n\
        def sometimes(value)\n call_function('deprecation', 'a', 'b') if value\nend\nend\n";

    #[test]
    fn reports_deprecated_functions_that_fail() {
        let code = "class m ($x) { if is_string($x) { notice(merge($x), sometimes($x)) } }";
        let code = format!("//- modules/m/manifests/init.pp\n{code}\n{STDLIB}");
        assert_eq!(
            reported(&REMOVED_FUNCTION, &code),
            [
                "`is_string`: deprecated function `is_string` fails with the default settings of Puppet 8"
            ]
        );
    }

    #[test]
    fn reports_functions_that_the_installed_stdlib_lacks() {
        let code = "//- modules/m/manifests/init.pp\nclass m ($x) { notice(has_key($x, 'a')) }\n";
        let code = format!("{code}{STDLIB}");
        assert_eq!(
            reported(&REMOVED_FUNCTION, &code),
            ["`has_key`: function `has_key` was removed in stdlib 9.0.0"]
        );
        assert_eq!(severities(&REMOVED_FUNCTION, &code), [Severity::Error]);
        // Another module may define it.
        let incomplete = format!("{code}//- Puppetfile\nmod 'a/other', '1.0.0'\n");
        assert_eq!(
            severities(&REMOVED_FUNCTION, &incomplete),
            [Severity::Warning]
        );
    }

    #[test]
    fn reports_functions_that_required_versions_of_stdlib_lack() {
        let found = |versions: &str| {
            let code = "class m ($x) { if is_string($x) or has_key($x, 'a') { notice($x) } }";
            let code = format!(
                "//- modules/m/manifests/init.pp\n{code}\n//- Puppetfile\nmod 'stdlib', '{versions}'"
            );
            let severities = severities(&REMOVED_FUNCTION, &code);
            (reported(&REMOVED_FUNCTION, &code), severities)
        };
        let removed = |rest: &str| {
            ["is_string", "has_key"]
                .map(|it| format!("`{it}`: function `{it}` was removed in stdlib 9.0.0, {rest}"))
                .to_vec()
        };
        assert_eq!(
            found("9.4.0"),
            (
                removed("and `9.4.0` is required"),
                vec![Severity::Warning; 2]
            )
        );
        assert_eq!(
            found(">= 4.13.1 < 10.0.0"),
            (
                removed("which `>= 4.13.1 < 10.0.0` allows"),
                vec![Severity::Hint; 2]
            )
        );
        let deprecated = "`is_string`: deprecated function `is_string` fails with the default settings of Puppet 8";
        assert_eq!(
            found("8.6.0"),
            (vec![deprecated.to_owned()], vec![Severity::Hint])
        );
    }

    #[test]
    fn ignores_functions_that_a_module_defines() {
        let code = "class m { $x = lookup('a') search('b') }\n\
                    //- modules/m/lib/puppet/functions/search.rb\n\
                    Puppet::Functions.create_function(:search) do\nend";
        let code = format!("//- modules/m/manifests/init.pp\n{code}");
        assert_eq!(reported(&REMOVED_FUNCTION, &code), [""; 0]);
    }
}
