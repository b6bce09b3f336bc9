use base::ModuleInput;
use base::suggest::hint;
use std::sync::Arc;

use catalog::missing_paths;
use hiera::document::Entry;
use hir::autoload::module_puppet_files;
use hir::body::{PathKind, Reference, ReferenceName};
use hir::other_versions::is_other_version;
use hir::resolve::is_missing_path;
use hir::{Item, items};
use infer::{TypeProblem, TypeProblemKind};
use library::KnownFunction;
use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::ast::{AstNode, ClassDefinition, Expr, HasParameters, Segment};
use syntax::{Severity, SyntaxKind, SyntaxNode};

use crate::assets::{AssetChecker, AssetKind};
use crate::checker::{Checker, Resolution};
use crate::data::{ClassKey, DataChecker, class_key};
use crate::erb_templates;
use crate::inline_templates::{TemplateText, template_text};
use crate::rule::{Check, Rule, declare_rule};
use crate::unresolved::similar_file;

declare_rule! {
    /// Reports templates that do not exist in their module.
    ///
    /// ## What it does
    ///
    /// Resolves `template('example/a.erb')` and `epp('example/a.epp')`, which read
    /// `templates/a.erb` and `templates/a.epp` of the module `example`. `epp` adds the extension to a
    /// name that lacks it: `epp('example/a')` reads `templates/a.epp`, too.
    ///
    /// Also reports Hiera values of parameters that the class passes to `template` or `epp` as a path. These are
    /// warnings.
    ///
    /// `pupil check` also reports missing templates that ERB templates of the workspace render:
    /// `scope.function_template(['example/a.erb'])`, `scope.call_function('epp', 'example/a.epp')`.
    ///
    /// A path that a parameter has by default is a warning, as users may set another one. A path with interpolations is
    /// reported if no template of the module has its literal parts; the value of `$module_name` is one.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the call is evaluated: *Could not find template*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/example.conf':
    ///     content => epp('example/exmaple.conf.epp'), # <-
    ///   }
    ///   file { '/etc/example.ini':
    ///     content => template('example/missing.ini.erb'), # <-
    ///   }
    /// }
    /// # file: templates/example.conf.epp
    /// port: 80
    /// # file: templates/example.ini.erb
    /// port: 80
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/example.conf':
    ///     content => epp('example/example.conf.epp'),
    ///   }
    ///   file { '/etc/example.ini':
    ///     content => template('example/example.ini.erb'),
    ///   }
    /// }
    /// # file: templates/example.conf.epp
    /// port: 80
    /// # file: templates/example.ini.erb
    /// port: 80
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Paths whose values are unknown, if a template has their literal parts: `epp("example/${kind}.epp")`.
    /// * Absolute paths.
    /// * Templates of modules that are declared, but not installed. `missing-module` reports these once per file.
    /// * Code in a condition that checks `find_template(…)` first.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the path with the most similar template of the module.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[missing-template]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// missing-template = "off"
    /// ```
    pub(crate) static MISSING_TEMPLATE = {
        code: "missing-template",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Reference(check),
            Check::Problem(check_computed),
            Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check_inline_template),
            Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check_defaults),
            Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check_interpolated),
            Check::Item(check_defaults_of_class),
            Check::Asset(AssetKind::Template, check_erb_template),
            Check::DataFile(check_data),
        ],
    }
}

/// Checks the templates that data names.
fn check_data(checker: &mut DataChecker<'_>) {
    if checker.keys().next().is_none() {
        return;
    }
    let data = Arc::clone(&checker.data);
    for entry in data.entries() {
        let path = entry.value.text();
        if let Some(path) = path.filter(|it| it.contains('/') && !it.contains("%{")) {
            checker.check_of_key(entry.name(), |it| check_named_by_data(it, entry, path));
        }
    }
}

fn check_named_by_data(checker: &mut DataChecker<'_>, entry: &Entry, path: &str) {
    let (db, environment) = (checker.db, checker.environment);
    let ClassKey::Parameter(class, parameter) = class_key(db, environment, entry.name()) else {
        return;
    };
    let kind = template_arguments(db, class).get(&*parameter.name).copied();
    let elsewhere = || templates_of_others(db, class, &parameter.name);
    let Some(kind) = kind.or_else(elsewhere) else {
        return;
    };
    let Some((module, rest)) = path.split_once('/') else {
        return;
    };
    if is_missing_path(db, Some(environment), kind, path) {
        let near = hint(similar_file(db, environment, kind, module, rest));
        let message = format!("template `{rest}` not found in module `{module}`{near}");
        let rule = &MISSING_TEMPLATE;
        checker.report_as(rule, Severity::Warning, entry.value.range, message);
    }
}

/// Checks the paths of templates that parameters have by default.
fn check_defaults(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let call = Expr::cast(node.clone()).and_then(|it| it.named_call());
    let Some((function, arguments)) = call else {
        return;
    };
    let Some((kind, count)) = paths_of(function.text(), arguments.len()) else {
        return;
    };
    let (db, environment) = (checker.db, checker.environment);
    for path in arguments.iter().take(count) {
        let text = template_text(checker, path).filter(|it| it.is_default);
        let Some(TemplateText { text, source, .. }) = text else {
            continue;
        };
        if let Some((module, rest)) = text.split_once('/')
            && is_missing_path(db, Some(environment), kind, &text)
            && !is_other_version(
                db,
                Some(environment),
                checker.item.file(db).module(db),
                module,
            )
        {
            let near = hint(similar_file(db, environment, kind, module, rest));
            let message = format!("template `{rest}` not found in module `{module}`{near}");
            let (rule, range) = (&MISSING_TEMPLATE, source.text_range());
            checker.report_as(rule, Severity::Warning, range, message);
        }
    }
}

/// Reports paths with interpolations if no template of the module has their literal parts.
fn check_interpolated(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let call = Expr::cast(node.clone()).and_then(|it| it.named_call());
    let Some((function, arguments)) = call else {
        return;
    };
    let Some((kind, count)) = paths_of(function.text(), arguments.len()) else {
        return;
    };
    for path in arguments.into_iter().take(count) {
        let is_known = checker.type_of(&path).is_none_or(|it| it.value.is_some());
        if let (Expr::InterpolatedString(path), false) = (path, is_known)
            && let Some((module, parts)) = literal_parts(checker, &path.segments())
            && !may_exist(checker, kind, &module, &parts)
        {
            let message = format!("no template of module `{module}` matches this path");
            checker.report(&MISSING_TEMPLATE, path.syntax().text_range(), message);
        }
    }
}

/// Returns the module that a path with interpolations names, and the literal parts of its rest. Interpolations whose
/// values are known, such as that of `$module_name`, count as literal.
fn literal_parts(checker: &Checker<'_>, segments: &[Segment]) -> Option<(String, Vec<String>)> {
    let mut parts = vec![String::new()];
    for segment in segments {
        let known = match segment {
            Segment::Text(text) => Some(text.clone()),
            Segment::Interpolation(it) => {
                let inferred = it.expr().and_then(|it| checker.type_of(&it));
                let value = inferred.and_then(|it| it.value.as_ref());
                value.and_then(|it| it.as_str().map(str::to_owned))
            }
        };
        match (known, parts.last_mut()) {
            (Some(text), Some(last)) => last.push_str(&text),
            _ => parts.push(String::new()),
        }
    }
    let (module, rest) = parts.first()?.split_once('/')?;
    let module = module.to_owned();
    let rest = rest.to_owned();
    parts[0] = rest;
    (!module.is_empty()).then_some((module, parts))
}

/// Checks whether a template of a module may have the literal parts of a path, or whether too little is known of the
/// module.
fn may_exist(checker: &Checker<'_>, kind: PathKind, module: &str, parts: &[String]) -> bool {
    let (db, environment) = (checker.db, checker.environment);
    let Some(found) = environment.modules(db).get(module) else {
        return true;
    };
    let own = checker.item.file(db).module(db);
    let tests_existence = || {
        let text = checker.root().text().to_string();
        text.contains(KnownFunction::FindTemplate.name())
    };
    if is_other_version(db, Some(environment), own, module) || tests_existence() {
        return true;
    }
    let folder = "templates/";
    let files = found.files(db).range(folder.to_owned()..);
    let mut files = files.map_while(|it| it.0.strip_prefix(folder));
    // `epp` adds the extension to a path without a file.
    files.any(|it| {
        has_parts(it, parts)
            || kind == PathKind::Epp
                && it
                    .strip_suffix(".epp")
                    .is_some_and(|it| has_parts(it, parts))
    })
}

/// Checks whether a path consists of literal parts, with anything between them.
fn has_parts(path: &str, parts: &[String]) -> bool {
    let Some((first, rest)) = parts.split_first() else {
        return true;
    };
    let Some((last, middle)) = rest.split_last() else {
        return path == first;
    };
    let Some(inner) = path.strip_prefix(&**first) else {
        return false;
    };
    let Some(mut inner) = inner.strip_suffix(&**last) else {
        return false;
    };
    middle.iter().all(|part| match inner.find(&**part) {
        Some(at) => {
            inner = &inner[at + part.len()..];
            true
        }
        None => false,
    })
}

/// Returns the kind of the templates that a function reads, and how many of its arguments are paths.
fn paths_of(function: &str, arguments: usize) -> Option<(PathKind, usize)> {
    match KnownFunction::from_name(function)? {
        KnownFunction::Template => Some((PathKind::Template, arguments)),
        KnownFunction::Epp => Some((PathKind::Epp, arguments.min(1))),
        _ => None,
    }
}

/// Returns the variables that the code of a class passes to functions as the paths of templates, with their kinds.
#[salsa::tracked(returns(ref))]
fn template_arguments<'db>(db: &'db dyn Database, class: Item<'db>) -> FxHashMap<String, PathKind> {
    let mut found = FxHashMap::default();
    for call in class.syntax(db).descendants().filter_map(Expr::cast) {
        let Some((function, arguments)) = call.named_call() else {
            continue;
        };
        let Some((kind, count)) = paths_of(function.text(), arguments.len()) else {
            continue;
        };
        for path in arguments.into_iter().take(count) {
            if let Expr::VariableExpr(path) = path
                && let Some(name) = path.name()
            {
                found.entry(name).or_insert(kind);
            }
        }
    }
    found
}

/// Checks the paths that the parameters of a class have by default, if other code of the module passes them to functions:
/// `epp($example::template)`.
fn check_defaults_of_class(checker: &mut Checker<'_>) {
    let (db, environment, item) = (checker.db, checker.environment, checker.item);
    let class = ClassDefinition::cast(checker.root());
    let parameters = class.into_iter().flat_map(|it| it.parameters());
    for parameter in parameters {
        let (Some(name), Some(Expr::StringLiteral(default))) =
            (parameter.name(), parameter.default())
        else {
            continue;
        };
        let path = default.value();
        let Some((module, rest)) = path.split_once('/') else {
            continue;
        };
        let Some(kind) = templates_of_others(db, item, &name) else {
            continue;
        };
        let own = item.file(db).module(db);
        if is_missing_path(db, Some(environment), kind, &path)
            && !template_arguments(db, item).contains_key(&name)
            && !is_other_version(db, Some(environment), own, module)
        {
            let near = hint(similar_file(db, environment, kind, module, rest));
            let message = format!("template `{rest}` not found in module `{module}`{near}");
            let range = default.syntax().text_range();
            checker.report_as(&MISSING_TEMPLATE, Severity::Warning, range, message);
        }
    }
}

/// Returns the kind of the templates whose path is a parameter of a class in other code of its module.
fn templates_of_others(db: &dyn Database, class: Item<'_>, parameter: &str) -> Option<PathKind> {
    let module = class.file(db).module(db)?;
    let key = format!("{}::{parameter}", hir::canonical_name(class.name(db)));
    qualified_templates(db, module).get(&key).copied()
}

/// Returns the qualified variables that the code of a module passes to functions as the paths of templates.
#[salsa::tracked(returns(ref))]
fn qualified_templates(db: &dyn Database, module: ModuleInput) -> FxHashMap<String, PathKind> {
    let files = module_puppet_files(db, module).iter();
    let items = files.flat_map(|it| items(db, *it));
    let found = items.flat_map(|it| template_arguments(db, *it));
    let qualified = found.filter_map(|(name, kind)| {
        let name = name.trim_start_matches("::");
        name.contains("::").then(|| (name.to_owned(), *kind))
    });
    qualified.collect()
}

/// Checks the templates that an ERB template reads.
fn check_erb_template(checker: &mut AssetChecker<'_>) {
    erb_templates::check_file(checker, &MISSING_TEMPLATE, erb_templates::missing_templates);
}

/// Checks the templates that a constant template of `inline_template` reads.
fn check_inline_template(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let missing = erb_templates::missing_templates;
    erb_templates::check_call(checker, node, &MISSING_TEMPLATE, missing);
}

fn check_computed(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if let TypeProblemKind::MissingPath {
        kind: kind @ (PathKind::Template | PathKind::Epp),
        paths,
    } = &problem.kind
    {
        let message = missing_paths(*kind, paths);
        checker.report_problem(&MISSING_TEMPLATE, problem, message);
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let ReferenceName::Path(kind @ (PathKind::Template | PathKind::Epp), path) = &reference.name
    else {
        return;
    };
    let message = |not_found: &str| format!("template {not_found}");
    checker.report_missing_path(
        &MISSING_TEMPLATE,
        (*kind, path),
        reference,
        resolution,
        message,
    );
}

#[cfg(test)]
mod tests {
    use super::MISSING_TEMPLATE;
    use crate::data::tests::messages;
    use library::KnownFunction;
    use syntax::Severity;

    use crate::testing::{fixes, reported, severities};

    fn workspace(code: &str) -> String {
        format!(
            "//- modules/m/manifests/init.pp\nclass m {{ {code} }}\n\
             //- modules/m/templates/a.epp\n//- modules/m/templates/site.erb\n"
        )
    }

    #[test]
    fn reports_files_that_the_module_does_not_have() {
        let code = workspace("notice(epp('m/b.epp'), template('m/sites.erb', 'm/a.epp'))");
        assert_eq!(
            reported(&MISSING_TEMPLATE, &code),
            [
                "`'m/b.epp'`: template `b.epp` not found in module `m`; did you mean `a.epp`?",
                "`'m/sites.erb'`: template `sites.erb` not found in module `m`; \
                 did you mean `site.erb`?",
            ]
        );
        assert_eq!(
            fixes(&MISSING_TEMPLATE, &code),
            ["Replace with `a.epp`", "Replace with `site.erb`"]
        );
    }

    #[test]
    fn reports_files_that_templates_in_ruby_read() {
        let code = workspace(
            "notice(inline_template('<%= scope.function_template([\"m/sites.erb\"]) %>', \
             '<%= scope.call_function(\"epp\", \"m/b\") %><%= scope.call_function(\"epp\", \"m/a\") %>'))",
        );
        assert_eq!(
            reported(&MISSING_TEMPLATE, &code),
            [
                "`m/sites.erb`: template `sites.erb` not found in module `m`; did you mean `site.erb`?",
                "`m/b`: template `b` not found in module `m`",
            ]
        );
    }

    #[test]
    fn reports_templates_that_data_names() {
        let found = |path: &str| {
            let code =
                "$x = template($template, 'm/site.erb') $y = epp('m/a.epp', { 'b' => $other })";
            let code = workspace(code).replace("class m", "class m ($template, $other)");
            let data = format!("//- data/common.yaml\nm::template: {path}\nm::other: {path}\n");
            messages(&MISSING_TEMPLATE, &format!("{code}{data}"))
        };
        assert_eq!(
            found("m/sites.erb"),
            [
                "`m/sites.erb`: template `sites.erb` not found in module `m`; did you mean `site.erb`?"
            ]
        );
        for path in [
            "m/site.erb",
            "\"m/%{facts.a}.erb\"",
            "/etc/a.erb",
            "n/a.erb",
        ] {
            assert_eq!(found(path), [""; 0], "{path}");
        }
    }

    #[test]
    fn warns_of_templates_that_parameters_have_by_default() {
        let found = |parameters: &str| {
            let code = workspace("notice(template($a), epp($b), $c)");
            let code = code.replace("class m", &format!("class m ({parameters})"));
            (
                reported(&MISSING_TEMPLATE, &code),
                severities(&MISSING_TEMPLATE, &code),
            )
        };
        let (messages, severity) = found("$a = 'm/sites.erb', $b = 'm/b.epp', $c = 'm/c.epp'");
        assert_eq!(
            messages,
            [
                "`'m/sites.erb'`: template `sites.erb` not found in module `m`; did you mean `site.erb`?",
                "`'m/b.epp'`: template `b.epp` not found in module `m`; did you mean `a.epp`?",
            ]
        );
        assert_eq!(severity, [Severity::Warning; 2]);
        for parameters in [
            "$a = 'm/site.erb', $b = 'm/a'",
            "$a = '/x.erb', $b = \"m/${a}\"",
            "$a, $b",
        ] {
            assert_eq!(found(parameters).0, [""; 0], "{parameters}");
        }
    }

    #[test]
    fn reports_templates_of_modules_that_are_neither_installed_nor_declared() {
        let code = workspace("notice(epp('n/b.epp'))");
        assert_eq!(
            reported(&MISSING_TEMPLATE, &code),
            [
                "`'n/b.epp'`: template `n/b.epp` not found: module `n` is neither installed nor declared"
            ]
        );
    }

    #[test]
    fn ignores_missing_modules_and_computed_paths() {
        let code =
            workspace("notice(epp('m/a.epp'), epp('n/b.epp'), epp(\"m/${lookup('x')}.epp\"))");
        let code = format!("{code}//- Puppetfile\nmod 'n'\n");
        assert_eq!(reported(&MISSING_TEMPLATE, &code), [""; 0]);
    }

    #[test]
    fn reports_interpolated_paths_that_no_template_has() {
        let check = |path: &str, function: KnownFunction| {
            let function = function.name();
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m ($x) {{ notice({function}(\"{path}\")) }}\n\
                 //- modules/m/templates/d/a/b.conf.erb\n//- modules/m/templates/d/a.epp\n"
            );
            reported(&MISSING_TEMPLATE, &code).len()
        };
        for (path, function, count) in [
            ("m/d/${x}/b.conf.erb", KnownFunction::Template, 0),
            ("m/${x}.erb", KnownFunction::Template, 0),
            ("m/d/${x}/${x}.conf.erb", KnownFunction::Template, 0),
            ("m/d/${x}", KnownFunction::Epp, 0),
            ("${x}/c.erb", KnownFunction::Template, 0),
            ("n/${x}/c.erb", KnownFunction::Template, 0),
            ("m/d/${x}/c.conf.erb", KnownFunction::Template, 1),
            ("m/e/${x}.erb", KnownFunction::Template, 1),
            ("m/d/${x}z", KnownFunction::Epp, 1),
            (
                "${module_name}/d/${x}/c.conf.erb",
                KnownFunction::Template,
                1,
            ),
            (
                "${module_name}/d/${x}/b.conf.erb",
                KnownFunction::Template,
                0,
            ),
            ("m/d/${x}${module_name}.erb", KnownFunction::Template, 1),
        ] {
            assert_eq!(check(path, function), count, "{path}");
        }
    }

    #[test]
    fn checks_the_defaults_of_parameters_that_other_classes_read() {
        let check = |default: &str, code: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m (String $path = {default}) {{ }}\n\
                 //- modules/m/manifests/c.pp\nclass m::c {{ {code} }}\n//- modules/m/templates/a.epp\n"
            );
            reported(&MISSING_TEMPLATE, &code)
        };
        let code = "file { '/a': content => epp($m::path) }";
        assert_eq!(
            check("'m/b.epp'", code),
            ["`'m/b.epp'`: template `b.epp` not found in module `m`; did you mean `a.epp`?"]
        );
        assert_eq!(check("'m/a.epp'", code), [""; 0]);
        assert_eq!(check("'m/b.epp'", "notice($m::path)"), [""; 0]);
    }
}
