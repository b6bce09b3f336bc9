use base::suggest::is_slip;
use catalog::missing_paths;
use hir::body::{PathKind, Reference, ReferenceName};
use hir::resolve::file;
use infer::{TypeProblem, TypeProblemKind};
use syntax::ast::{AstNode, Attribute, Expr};
use syntax::{Fix, Severity, SyntaxKind, SyntaxNode};

use crate::checker::{Checker, Resolution};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports files of modules that do not exist.
    ///
    /// ## What it does
    ///
    /// Resolves `source => 'puppet:///modules/example/a'` and `file('example/a')`, which both read
    /// `files/a` of the module `example`. Also reports misspellings of `modules` in URLs as warnings.
    ///
    /// ## Why it matters
    ///
    /// A call to `file` fails the compilation. A missing `source` fails later, when the agent
    /// applies the resource.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/example.conf':
    ///     source => 'puppet:///modules/example/exmaple.conf', # <-
    ///   }
    ///   $text = file('example/missing.txt') # <-
    ///   notice($text)
    /// }
    /// # file: files/example.conf
    /// port: 80
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/example.conf':
    ///     source => 'puppet:///modules/example/example.conf',
    ///   }
    ///   file { '/etc/example.d':
    ///     source  => 'puppet:///modules/example/parts',
    ///     recurse => true,
    ///   }
    ///   $text = file('/etc/hostname', 'example/example.conf')
    ///   notice($text)
    /// }
    /// # file: files/example.conf
    /// port: 80
    /// # file: files/parts/one
    /// 1
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Paths whose values are unknown, and absolute paths.
    /// * Several sources or several arguments of `file`, of which Puppet uses the first that
    ///   exists, unless all of them are missing.
    /// * Code in a condition that checks `find_file(…)` first.
    /// * Mount points other than `modules`, such as `puppet:///secrets/…`, which are configured on
    ///   the server, unless a module of that name has the file: then `modules/` is most likely missing, and the
    ///   severity is a warning, as for `puppet://modules/…` with two slashes.
    /// * Files that `run_script` and `upload_file` send in a plan are a warning.
    /// * Files of modules that are declared, but not installed. `missing-module` reports these once per file.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the path with the most similar one of the module.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[missing-file]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// missing-file = "off"
    /// ```
    pub(crate) static MISSING_FILE = {
        code: "missing-file",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Reference(check),
            Check::Problem(check_computed),
            Check::Node(&[SyntaxKind::ATTRIBUTE], check_mount),
        ],
    }
}

fn check_computed(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if let TypeProblemKind::MissingPath {
        kind: kind @ (PathKind::File | PathKind::Source),
        paths,
    } = &problem.kind
    {
        let message = missing_paths(*kind, paths);
        // Files that Bolt sends to targets: other versions of Bolt may look for them in other folders.
        let severity = match *kind == PathKind::Source && checker.is_in_plan(problem.range) {
            true => Severity::Warning,
            false => MISSING_FILE.severity,
        };
        checker.report_problem_as(&MISSING_FILE, severity, problem, message);
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let ReferenceName::Path(kind @ (PathKind::File | PathKind::Source), path) = &reference.name
    else {
        return;
    };
    let message = |not_found: &str| format!("file {not_found}");
    checker.report_missing_path(&MISSING_FILE, (*kind, path), reference, resolution, message);
}

/// Reports a URL without the mount point `modules`, or with that in place of the server, if it leads to a file
/// of a module with it.
fn check_mount(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let attribute = Attribute::cast(node.clone());
    let is_source = |it: &Attribute| it.name_token().is_some_and(|it| it.text() == "source");
    let Some(value) = attribute.filter(is_source).and_then(|it| it.value()) else {
        return;
    };
    let Some(url) = value.plain_text() else {
        return;
    };
    if check_misspelled_mount(checker, &value, &url) {
        return;
    }
    // A server of this name is unlikely.
    let after_server = url.strip_prefix("puppet://modules/");
    let environment = Some(checker.environment);
    let exists = |it: &&str| file(checker.db, environment, PathKind::Source, it).is_ok();
    let after_mount = url.strip_prefix("puppet:///").filter(exists);
    let Some(path) = after_server.or(after_mount) else {
        return;
    };
    let expected = format!("puppet:///modules/{path}");
    let problem = match after_server {
        Some(_) => "`modules` is the server name in this URL",
        None => "missing mount point `modules`",
    };
    let message = format!("{problem}; use `{expected}` instead");
    let range = value.syntax().text_range();
    checker.report_as(&MISSING_FILE, Severity::Warning, range, message);
    let fix = Fix::suggested(
        format!("Replace with `{expected}`"),
        range,
        format!("'{expected}'"),
    );
    checker.fix(Some(fix));
}

/// Reports the mount point of an URL if it is likely a typo of `modules`, and returns whether it is.
fn check_misspelled_mount(checker: &mut Checker<'_>, value: &Expr, url: &str) -> bool {
    const MOUNT: &str = "modules";
    let Some((mount, path)) = url
        .strip_prefix("puppet:///")
        .and_then(|it| it.split_once('/'))
    else {
        return false;
    };
    if mount == MOUNT
        || !is_slip(mount, MOUNT)
        || checker.environment.modules(checker.db).contains_key(mount)
    {
        return false;
    }
    let range = value.syntax().text_range();
    let message = format!("unknown mount point `{mount}`; did you mean `{MOUNT}`?");
    checker.report_as(&MISSING_FILE, Severity::Warning, range, message);
    let expected = format!("'puppet:///{MOUNT}/{path}'");
    let label = format!("Replace with `{MOUNT}`");
    checker.fix(Some(Fix::suggested(label, range, expected)));
    true
}

#[cfg(test)]
mod tests {
    use syntax::Severity;

    use super::MISSING_FILE;
    use crate::testing::{fixes, reported, severities};

    fn workspace(code: &str) -> String {
        format!(
            "//- modules/m/manifests/init.pp\nclass m {{ {code} }}\n\
             //- modules/m/files/conf/motd\nHello\n"
        )
    }

    #[test]
    fn reports_files_that_the_module_does_not_have() {
        let code = workspace("file { '/a': source => 'puppet:///modules/m/conf/modt' }");
        assert_eq!(
            reported(&MISSING_FILE, &code),
            [
                "`'puppet:///modules/m/conf/modt'`: file `conf/modt` not found in module `m`; \
                 did you mean `conf/motd`?"
            ]
        );
        assert_eq!(fixes(&MISSING_FILE, &code), ["Replace with `conf/motd`"]);
    }

    #[test]
    fn reports_files_of_modules_that_are_neither_installed_nor_declared() {
        let code = format!(
            "{}//- metadata.json\n{{ \"name\": \"a-m\", \"dependencies\": [] }}\n",
            workspace("$x = file('other/x') file { '/a': source => 'puppet:///modules/other/x' }")
        );
        assert_eq!(
            reported(&MISSING_FILE, &code),
            [
                "`'other/x'`: file `other/x` not found: module `other` is neither installed nor declared"
            ]
        );
    }

    #[test]
    fn reports_misspelled_mount_points() {
        let code = workspace(
            "file { '/a': source => 'puppet:///module/m/conf/motd' } \
             file { '/b': source => 'puppet:///private/m/conf/motd' }",
        );
        assert_eq!(
            reported(&MISSING_FILE, &code),
            [
                "`'puppet:///module/m/conf/motd'`: unknown mount point `module`; did you mean `modules`?"
            ]
        );
        assert_eq!(fixes(&MISSING_FILE, &code), ["Replace with `modules`"]);
    }

    #[test]
    fn reports_urls_without_the_mount_point() {
        let code = workspace(
            "file { '/a': source => 'puppet:///m/conf/motd' } \
             file { '/b': source => \"puppet://modules/m/conf/motd\" } \
             file { '/c': source => 'puppet:///m/other' } \
             file { '/d': source => 'puppet://server/modules/m/conf/motd' }",
        );
        let expected = "use `puppet:///modules/m/conf/motd` instead";
        assert_eq!(
            reported(&MISSING_FILE, &code),
            [
                format!("`'puppet:///m/conf/motd'`: missing mount point `modules`; {expected}"),
                format!(
                    "`\"puppet://modules/m/conf/motd\"`: `modules` is the server name in this URL; {expected}"
                ),
            ]
        );
        assert_eq!(
            fixes(&MISSING_FILE, &code)[0],
            "Replace with `puppet:///modules/m/conf/motd`"
        );
    }

    #[test]
    fn reports_missing_files_that_plans_send() {
        let code = "//- modules/m/plans/init.pp\nplan m(TargetSpec $t) { \
                    run_script('m/no.sh', $t) upload_file('m/no/c', '/c', $t) \
                    run_script('m/a.sh', $t) run_script('m/scripts/b.sh', $t) \
                    run_script('m/plans/c.sh', $t) run_script('/bin/d', $t) \
                    upload_file('m/d', '/d', $t) upload_file('other/d', '/d', $t) }\n\
                    //- modules/m/files/a.sh\n#\n//- modules/m/files/d/e\n#\n";
        assert_eq!(
            reported(&MISSING_FILE, code),
            [
                "`'m/no.sh'`: file `no.sh` not found in module `m`",
                "`'m/no/c'`: file `no/c` not found in module `m`",
            ]
        );
        assert_eq!(severities(&MISSING_FILE, code), [Severity::Warning; 2]);
    }

    #[test]
    fn reports_urls_in_place_of_paths() {
        let code = workspace("notice(file('puppet:///modules/m/conf/motd'))");
        assert_eq!(
            reported(&MISSING_FILE, &code),
            [
                "`'puppet:///modules/m/conf/motd'`: expected a path such as `m/conf/motd`, found a URL"
            ]
        );
        assert_eq!(fixes(&MISSING_FILE, &code), ["Replace with `m/conf/motd`"]);
    }

    #[test]
    fn ignores_folders_and_missing_modules() {
        let code = workspace(
            "file { '/a': source => 'puppet:///modules/m/conf' } \
             file { '/b': source => 'puppet:///modules/n/b' } \
             file { '/c': source => 'puppet:///modules/m/' }",
        );
        assert_eq!(reported(&MISSING_FILE, &code), [""; 0]);
    }
}
