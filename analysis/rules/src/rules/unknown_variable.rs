use base::suggest::{hint, is_slip, similar};
use hir::autoload::{NameKey, module_puppet_files};
use hir::body::{Reference, ReferenceName};
use hir::possible_facts::is_likely_fact;
use hir::resolve::{Definition, ResolveError, resolve};
use hir::ruby_symbols::custom_facts;
use hir::variables::{Bindings, VariableSource, own_variables, resolve_external_variable};
use hir::{ItemKind, canonical_name, items};
use infer::{TypeProblem, TypeProblemKind};
use syntax::ast::{Assignment, AstNode};
use syntax::validation::PuppetVersion;
use syntax::{Fix, Severity, SyntaxKind, SyntaxNode};

use crate::assets::{AssetChecker, AssetKind};
use crate::checker::{Checker, Resolution};
use crate::data::{
    DataChecker, UNDEFINED, similar_in_class, unknown_in_class, unknown_variable, variable_path,
};
use crate::erb_templates;
use crate::fact_paths::is_typo_of_legacy_fact;
use crate::fixes::{node_at, token_at, variable_like};
use crate::index::early_reads::{included_later, is_never_included};
use crate::index::usage_index::lacks_metaparameter;
use crate::inline_templates::{self, TemplateName};
use crate::project::ProjectChecker;
use crate::rule::{Check, Rule, declare_rule};
use crate::templates::may_be_passed;
use crate::unresolved::unresolved;
use crate::variable_tests::{is_condition_of, tests_for};
use crate::yaml_plan_names;

declare_rule! {
    /// Reports variables that are read, but never assigned, or only later.
    ///
    /// ## What it does
    ///
    /// Looks up an unqualified name like Puppet: in the enclosing lambdas, in the class, defined
    /// type, function or plan, in the parent classes, and in top scope (facts, variables of the
    /// main manifest, variables that Puppet sets). A qualified name such as `$class::name` must be
    /// a variable of that class.
    ///
    /// Also reports:
    ///
    /// * variables that are read before they are assigned, where only a branch that was not taken assigns them, or
    ///   after the lambda that assigns them
    /// * variables of a template without a parameter list that no call to `epp` passes
    /// * variables of a class that the same code includes only later, as a warning, or as a hint in the default of
    ///   a parameter, since another class may include it before
    /// * variables of a class without parameters, such as `example::params`, in the main class of the same module, if
    ///   that class does not include it, as a warning, unless the environment has a main manifest
    /// * metaparameters in a defined type that a declaration does not set, with the same severity
    /// * facts and variables of Puppet and of classes in a plan: they exist only in its `apply` blocks
    /// * variables of classes and misspelled names of facts in Hiera data and in the paths of `hiera.yaml`, as
    ///   warnings; other variables there that neither code nor a fact defines are hints, as a node classifier may
    ///   set them
    ///
    /// Also checks the text of templates that `inline_epp` and `inline_template` evaluate, if it is constant. `pupil
    /// check` also reports the variables in ERB templates of the workspace:
    ///
    /// * `scope['class::name']`; `@name`, which is `nil` then, as a warning, or as a hint if no similar one is known
    /// * `name` without `@`, if it is neither a local variable nor a method of Ruby: the template fails. If Ruby has a
    ///   method with the name of the variable, it is a warning.
    /// * `@class::name`, which calls a method of `@class`, and `$name`, a global variable of Ruby, as a warning
    ///
    /// ## Why it matters
    ///
    /// Puppet 8 fails the compilation: *Unknown variable*. Puppet 7 evaluates the variable to
    /// `undef` unless `strict_variables` is set, so the severity is a warning.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Integer $port = 80,
    /// ) {
    ///   notice("listens on ${prot}") # <-
    ///   notice($example::prot) # <-
    ///   notice($user) # <-
    ///   $user = 'root'
    ///   [1, 2].each |$number| { notice($number) }
    ///   notice($number) # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Integer $port = 80,
    /// ) {
    ///   notice("listens on ${port}")
    ///   notice($example::port)
    ///   $user = 'root'
    ///   notice($user)
    ///   [1, 2].each |$number| { notice($number) }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Templates without a parameter list, if a call to `epp` may pass any variables, or none is found.
    /// * Variables of Puppet Enterprise (`$pe_…`), and those of Bolt's inventory in `apply` blocks.
    /// * Variables in `$settings::…`, and variables of unknown classes.
    /// * Variables that the code checks first, with `defined('$x')`.
    ///
    /// ```puppet right
    /// class example {
    ///   if defined('$extra') {
    ///     notice($extra)
    ///   }
    /// }
    /// ```
    ///
    /// If no similar variable is known, or if the same code reads the variable as `$::name`, the severity is a
    /// warning: a node classifier or a fact may define the variable. For `$::name`, it is a hint.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the name with that of the most similar variable, if it has a value
    /// there.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-variable]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-variable = "off"
    /// ```
    pub(crate) static UNKNOWN_VARIABLE = {
        code: "unknown-variable",
        puppet_lint: ["variable_scope"],
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Reference(check),
            Check::Problem(check_assigned),
            Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check_inline_template),
            Check::DataFile(check_data),
            Check::ProjectFile(check_hiera_config),
            Check::Asset(AssetKind::Template, check_erb_template),
            Check::Asset(AssetKind::YamlPlan, check_yaml_plan),
        ],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let ReferenceName::Variable(name) = &reference.name else {
        return;
    };
    if unresolved(reference, resolution).is_some() && is_rejected(checker, reference, name) {
        return;
    }
    if let Ok(Definition::Variable(source)) = resolution
        && !reference.guarded
    {
        check_in_plan(checker, reference, name, source);
        return check_order(checker, reference, name, source);
    }
    match unresolved(reference, resolution) {
        Some(ResolveError::Unknown) if is_template_variable(checker, name) => {
            probably_unknown(checker, reference, name)
        }
        Some(ResolveError::Unknown) => check_metaparameter(checker, reference, name),
        Some(ResolveError::NotDefined) => certainly_unknown(checker, reference, name),
        Some(ResolveError::MaybeExternal) if !checker.may_be_of_product(&reference.name) => {
            probably_unknown(checker, reference, name)
        }
        Some(_) => check_own_module(checker, reference, name),
        None => {}
    }
}

/// Reports a variable of a module that is missing, if its name is likely a typo of the item's own module, which has the
/// variable.
fn check_own_module(checker: &mut Checker<'_>, reference: &Reference, name: &str) {
    let (Some((module, rest)), Some(own)) = (
        name.trim_start_matches("::").split_once("::"),
        checker.item.module_name(checker.db),
    ) else {
        return;
    };
    let meant = format!("{own}::{rest}");
    if is_slip(module, own) && !checker.environment.modules(checker.db).contains_key(module) {
        let environment = Some(checker.environment);
        let found = resolve_external_variable(checker.db, environment, checker.item, &meant);
        if found.is_ok() {
            let message = format!("unknown variable `${name}`; did you mean `${meant}`?");
            report(checker, reference, Severity::Warning, message);
        }
    }
}

/// Checks the variables in a constant template of `inline_epp` or `inline_template`, which sees those of the code
/// around the call.
fn check_inline_template(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let unknown = erb_templates::unknown_variables;
    erb_templates::check_call(checker, node, &UNKNOWN_VARIABLE, unknown);
    if let Some(read) = inline_templates::variables(checker, node) {
        checker.check_at_most(read.limit, |it| check_read_names(it, read.names));
    }
}

fn check_read_names(checker: &mut Checker<'_>, variables: Vec<TemplateName>) {
    for TemplateName { name, range } in variables {
        let mut scopes = checker.body.scopes.iter();
        // A lambda around the call may assign it.
        if scopes.any(|it| it.bindings_of(&name).next().is_some()) || tests_for(checker, &name) {
            continue;
        }
        let environment = Some(checker.environment);
        let found = resolve_external_variable(checker.db, environment, checker.item, &name);
        let reference = inline_templates::reference(range, ReferenceName::Variable(name.clone()));
        match found {
            Err(ResolveError::NotDefined) => certainly_unknown(checker, &reference, &name),
            Err(ResolveError::MaybeExternal) if !checker.may_be_of_product(&reference.name) => {
                probably_unknown(checker, &reference, &name);
            }
            _ => {}
        }
    }
}

/// Checks whether the parser rejects the name, or the assignment that it is a target of.
fn is_rejected(checker: &Checker<'_>, reference: &Reference, name: &str) -> bool {
    let is_part = |it: &str| it.starts_with(|it: char| it.is_ascii_lowercase() || it == '_');
    if checker.item.kind(checker.db) == ItemKind::TypeAlias
        || !name.trim_start_matches("::").split("::").all(is_part)
    {
        return true;
    }
    let node = node_at(&checker.root(), reference.range);
    let mut around = node.iter().flat_map(|it| it.ancestors());
    let assignment = around.find_map(Assignment::cast);
    let target = assignment.and_then(|it| it.syntax().first_child());
    target.is_some_and(|it| it.text_range().contains_range(reference.range))
}

/// Reports a variable that only exists while a catalog is compiled, in a plan outside of `apply`.
fn check_in_plan(
    checker: &mut Checker<'_>,
    reference: &Reference,
    name: &str,
    source: &VariableSource<'_>,
) {
    /// The variables of Puppet that plans have too.
    const IN_PLANS: [&str; 2] = ["module_name", "caller_module_name"];
    let is_of_catalog = match source {
        VariableSource::BuiltIn(it) => !IN_PLANS.contains(&&*it.name),
        VariableSource::Fact(_) | VariableSource::CustomFact(..) => true,
        VariableSource::Bindings(item, Bindings::OfItem(_)) => {
            item.kind(checker.db) == ItemKind::Class
        }
        _ => false,
    };
    if is_of_catalog && checker.is_in_plan(reference.range) {
        let message = format!("unknown variable `${name}`: in a plan, it only exists in `apply`");
        report(checker, reference, Severity::Error, message);
    }
}

/// Reports a variable of a class that the same code includes only later, or not at all.
fn check_order(
    checker: &mut Checker<'_>,
    reference: &Reference,
    name: &str,
    source: &VariableSource<'_>,
) {
    let VariableSource::Bindings(class, Bindings::OfItem(_)) = source else {
        return;
    };
    let Some(later) = included_later(checker, reference, *class) else {
        if is_never_included(checker, reference, *class) {
            let class = class.name(checker.db);
            let message = format!("unknown variable `${name}`: class `{class}` is not included");
            report(checker, reference, Severity::Warning, message);
        }
        return;
    };
    let class = class.name(checker.db);
    let message = format!("variable `${name}` is read before class `{class}` is included");
    // Such classes are often meant to be used together with the other one.
    let severity = match is_in_parameter(checker, reference) {
        true => Severity::Hint,
        false => Severity::Warning,
    };
    report(checker, reference, severity, message);
    checker.relate(checker.item, later.range, "only included here");
}

/// Checks whether a reference is in the default value of a parameter.
fn is_in_parameter(checker: &Checker<'_>, reference: &Reference) -> bool {
    let node = node_at(&checker.root(), reference.range);
    let mut around = node.iter().flat_map(|it| it.ancestors());
    around.any(|it| it.kind() == SyntaxKind::PARAMETER)
}

/// Reports a metaparameter, which is a variable only if the resource sets it.
fn check_metaparameter(checker: &mut Checker<'_>, reference: &Reference, name: &str) {
    let is_resource = checker.item.kind(checker.db).is_declarable();
    if is_resource && library::metaparameter(name).is_some() {
        // Without `strict_variables`, such code is common.
        if is_never_set(checker, name) && !tests_for(checker, name) {
            let message = format!("unknown variable `${name}`: the resource does not set `{name}`");
            return report(checker, reference, Severity::Warning, message);
        }
        let message = format!("variable `${name}` only exists if the resource sets `{name}`");
        report(checker, reference, Severity::Hint, message);
    }
}

/// Checks whether a declaration of the defined type does not set a metaparameter.
fn is_never_set(checker: &Checker<'_>, name: &str) -> bool {
    let item = checker.item;
    let type_ = NameKey::new(checker.db, canonical_name(item.name(checker.db)));
    let name = NameKey::new(checker.db, name.to_owned());
    item.kind(checker.db) == ItemKind::DefinedType
        && lacks_metaparameter(checker.db, checker.environment, type_, name)
}

/// Checks whether a variable of a template without a parameter list is none of the parameters that calls
/// to `epp` pass, all of which are known.
fn is_template_variable(checker: &Checker<'_>, name: &str) -> bool {
    let file = checker.item.file(checker.db);
    if !file.spec(checker.db).dialect.epp
        || checker.body.template_parameters.is_some()
        || checker.body.incomplete
        || name.contains("::")
    {
        return false;
    }
    let environment = Some(checker.environment);
    let top = format!("::{name}");
    match resolve_external_variable(checker.db, environment, checker.item, &top) {
        Err(ResolveError::MaybeExternal) => {}
        _ => return false,
    }
    !may_be_passed(checker, name) && !tests_for(checker, name)
}

/// Reports a variable that the same code assigns, but not before it is read.
fn check_assigned(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::UnassignedVariable { name } = &problem.kind else {
        return;
    };
    let body = checker.body;
    let mut references = body.references.iter();
    let Some(reference) = references.find(|it| it.range == problem.range) else {
        return;
    };
    // A name that does not resolve is reported by `check`.
    let is_passed = may_be_passed(checker, name);
    if reference.guarded || is_passed || resolve(checker.db, checker.item, reference).is_err() {
        return;
    }
    let mut scopes = body.scopes_from(reference.scope);
    let Some(assigned) = scopes.find_map(|it| {
        let mut bindings = body.scopes[it].bindings.iter();
        bindings.find(|it| it.name == *name)
    }) else {
        return;
    };
    let token = token_at(&checker.root(), assigned.range);
    let mut around = token.iter().flat_map(|it| it.parent_ancestors());
    let statement = around.find(|it| it.kind() == SyntaxKind::ASSIGNMENT);
    let end = statement.map_or(assigned.range.end(), |it| it.text_range().end());
    let is_later = reference.range.end() <= end;
    let (message, place) = match is_later {
        true => (
            format!("variable `${name}` is read before it is assigned"),
            "assigned here",
        ),
        false => (
            format!("variable `${name}` is not assigned on this path"),
            "only assigned here",
        ),
    };
    // Top scope may have such a variable.
    let severity = match is_condition_of(checker, reference.range, assigned.range) {
        true => Severity::Warning,
        false => Severity::Error,
    };
    report(checker, reference, severity, message);
    checker.relate(checker.item, assigned.range, place);
}

/// Reports a variable that only a lambda assigns, outside of which it does not exist.
fn check_lambda_variable(checker: &mut Checker<'_>, reference: &Reference, name: &str) -> bool {
    let body = checker.body;
    let mut lambdas = body.scopes.iter().filter(|it| it.parent.is_some());
    let Some(binding) = lambdas.find_map(|it| {
        let mut bindings = it.bindings.iter();
        bindings.find(|it| it.name == name && it.range.end() <= reference.range.start())
    }) else {
        return false;
    };
    let message = format!("unknown variable `${name}`: it only exists in a lambda");
    report(checker, reference, Severity::Error, message);
    checker.relate(checker.item, binding.range, "variable of the lambda");
    true
}

/// Reports a variable of the module's own classes and defined types in a template with a parameter
/// list, which does not see it.
fn check_template_variable(checker: &mut Checker<'_>, reference: &Reference, name: &str) -> bool {
    let file = checker.item.file(checker.db);
    let Some(module) = file
        .module(checker.db)
        .filter(|_| file.spec(checker.db).dialect.epp)
    else {
        return false;
    };
    let files = module_puppet_files(checker.db, module).iter();
    let mut items = files.flat_map(|it| items(checker.db, *it));
    let is_local = items.any(|it| {
        it.kind(checker.db).is_declarable() && own_variables(checker.db, *it).names.contains(name)
    });
    if is_local {
        let message = format!("unknown variable `${name}`: it is not a parameter of the template");
        report(checker, reference, Severity::Error, message);
    }
    is_local
}

/// Reports a variable that nothing can define.
fn certainly_unknown(checker: &mut Checker<'_>, reference: &Reference, name: &str) {
    let (scope, variable) = name.rsplit_once("::").unwrap_or(("", name));
    if scope.is_empty() {
        let message = format!("unknown variable `${variable}`");
        return report(checker, reference, Severity::Error, message);
    }
    let class = scope.trim_start_matches("::");
    let near = similar_in_class(checker.db, checker.environment, class, variable);
    let shown = near.as_ref().map(|it| format!("${it}"));
    let variable = format!("${variable}");
    let (db, environment) = (checker.db, checker.environment);
    let message = unknown_in_class(db, environment, class, &variable, shown.as_deref());
    report(checker, reference, Severity::Error, message);
    if let Some(near) = near {
        replace(checker, reference, &format!("${scope}::{near}"));
    }
}

/// Reports a variable that a node classifier or a custom fact may define: only if all modules are
/// present, or if the name is one edit away from a known one.
fn probably_unknown(checker: &mut Checker<'_>, reference: &Reference, name: &str) {
    if check_lambda_variable(checker, reference, name)
        || check_template_variable(checker, reference, name)
    {
        return;
    }
    let plain = name.trim_start_matches("::");
    if is_likely_fact(checker.db, checker.environment, plain) {
        return;
    }
    let near = similar_variable(checker, reference, name);
    let slip = near.as_ref().is_some_and(|it| is_slip(plain, &it[1..]));
    // A fact of a missing module is usually read by the name `$::fact`.
    let may_be_fact = name.starts_with("::") || library::is_module_fact(name);
    // The variables of Bolt's inventory are in the top scope of `apply` blocks.
    if !slip && (checker.is_applied(reference.range) || may_be_fact && !checker.has_all_modules()) {
        return;
    }
    let legacy = near.as_ref().and_then(|it| library::legacy_fact(&it[1..]));
    let modern = legacy.as_ref().and_then(|it| it.modern.as_deref());
    let shown = hint(modern.or(near.as_deref()));
    let message = format!("unknown variable `${name}`{shown}");
    let severity = match (&near, name.starts_with("::")) {
        (Some(near), false)
            if (slip || is_own(checker, near)) && !is_read_from_top_scope(checker, name) =>
        {
            Severity::Error
        }
        // Most often a variable of a node classifier, which the repository does not contain.
        (None, true) => Severity::Hint,
        _ => Severity::Warning,
    };
    report(checker, reference, severity, message);
    let near = near.filter(|_| modern.is_none());
    if let Some(near) = near.filter(|it| can_take_place(checker, reference, name, it)) {
        let start = if name.starts_with("::") { "$::" } else { "$" };
        replace(checker, reference, &near.replacen('$', start, 1));
    }
}

/// Checks whether the code itself has a variable, and not only a fact has the name.
fn is_own(checker: &Checker<'_>, variable: &str) -> bool {
    let name = variable.trim_start_matches('$');
    checker.body.scopes.iter().any(|it| it.binds(name))
}

/// Checks whether the same code also reads a variable as `$::name`, which it does not assign itself.
fn is_read_from_top_scope(checker: &Checker<'_>, name: &str) -> bool {
    let top = ReferenceName::Variable(format!("::{name}"));
    checker.body.references.iter().any(|it| it.name == top)
}

/// Checks the interpolations in a data file of Hiera, which see the variables of the class that is declared.
fn check_data(checker: &mut DataChecker<'_>) {
    for at in checker.interpolations() {
        let Some(path) = variable_path(&at.content) else {
            continue;
        };
        if let Some((severity, message, near)) = unknown_variable(checker, &at.key, &path) {
            let fix = near.and_then(|near| {
                let path = [&[near], &path[1..]].concat();
                checker.replaced_variable(&at, &path.join("."))
            });
            let found = checker.report_as(&UNKNOWN_VARIABLE, severity, at.range, message);
            found.fixes.extend(fix);
        }
    }
}

/// Checks the variables that an ERB template reads.
fn check_erb_template(checker: &mut AssetChecker<'_>) {
    erb_templates::check_file(checker, &UNKNOWN_VARIABLE, erb_templates::unknown_variables);
}

/// Checks the variables in the paths of `hiera.yaml`.
fn check_hiera_config(checker: &mut ProjectChecker<'_>) {
    for (range, name, near) in checker.unknown_hiera_variables() {
        // A node classifier or an external fact may define the variable.
        let (severity, reason) = match &near {
            Some(_) => (Severity::Warning, hint(near.as_deref())),
            None => (Severity::Hint, UNDEFINED.to_owned()),
        };
        let message = format!("unknown variable `{name}`{reason}");
        checker.report_as(&UNKNOWN_VARIABLE, severity, range, message);
    }
}

/// Reports an unknown variable. Puppet 7 evaluates it to `undef` unless `strict_variables` is set.
fn report(checker: &mut Checker<'_>, reference: &Reference, severity: Severity, message: String) {
    let severity = match checker.version() {
        PuppetVersion::V7 if severity == Severity::Error => Severity::Warning,
        _ => severity,
    };
    checker.report_as(&UNKNOWN_VARIABLE, severity, reference.range, message);
}

fn replace(checker: &mut Checker<'_>, reference: &Reference, right: &str) {
    let token = token_at(&checker.root(), reference.range);
    let text = token.and_then(|it| variable_like(&it, right));
    let label = format!("Replace with `{right}`");
    checker.fix(text.map(|it| Fix::suggested(label, reference.range, it)));
}

/// Returns the most similar variable in scope or fact, with its dollar sign.
fn similar_variable(checker: &Checker<'_>, reference: &Reference, name: &str) -> Option<String> {
    let scopes = checker.body.scopes_from(reference.scope);
    let own = scopes.flat_map(|it| &checker.body.scopes[it].bindings);
    // `$::x` is never a variable of this code.
    let own = own.filter(|_| !name.starts_with("::"));
    let own = own.map(|it| it.name.as_str());
    let custom = custom_facts(checker.db, checker.environment).keys();
    let known = own.chain(custom.map(String::as_str));
    let shipped = library::facts().map(|it| it.name.as_str());
    let name = name.trim_start_matches("::");
    let legacy = || {
        let mut facts = library::legacy_facts().map(|it| it.name.as_str());
        facts.find(|it| is_typo_of_legacy_fact(name, it))
    };
    let near = similar(name, known.chain(shipped)).or_else(legacy);
    near.map(|it| format!("${it}"))
}

/// Checks whether the variable `near` has a value at the reference: it is a fact, a parameter, or
/// assigned earlier.
fn can_take_place(checker: &Checker<'_>, reference: &Reference, name: &str, near: &str) -> bool {
    let near = near.trim_start_matches('$');
    let mut scopes = checker.body.scopes_from(reference.scope);
    let mut own = scopes
        .by_ref()
        .flat_map(|it| &checker.body.scopes[it].bindings);
    match own.find(|it| it.name == near) {
        Some(_) if name.starts_with("::") => false,
        Some(it) if it.parameter => true,
        Some(it) => {
            let before = it.range.end() <= reference.range.start();
            before && checker.body.is_within(reference.branch, it.branch)
        }
        None => true,
    }
}

fn check_yaml_plan(checker: &mut AssetChecker<'_>) {
    yaml_plan_names::check_variables(checker, &UNKNOWN_VARIABLE);
}

#[cfg(test)]
mod tests {
    use super::{Severity, UNKNOWN_VARIABLE};
    use crate::data::tests::{fixes as data_fixes, messages as data_messages};
    use crate::testing::{fixes, reported, severities};

    #[test]
    fn reports_misspelled_names_of_the_own_module() {
        let code = "//- modules/apache/manifests/init.pp\n\
                    class apache ($a) { notice($apahce::a, $apahce::b, $nginx::a) }";
        let message = "`$apahce::a`: unknown variable `$apahce::a`; did you mean `$apache::a`?";
        assert_eq!(reported(&UNKNOWN_VARIABLE, code), [message]);
    }

    #[test]
    fn programs_and_computed_names_may_be_facts() {
        let code = "//- modules/m/manifests/init.pp\nclass m { notice($role_name, $server_zone, $has_a) }\n\
                    //- data/common.yaml\na: \"%{rack_name} %{server_rack}\"\n";
        assert_eq!(reported(&UNKNOWN_VARIABLE, code).len(), 3);
        assert_eq!(data_messages(&UNKNOWN_VARIABLE, code).len(), 2);
        let facts = "//- modules/m/facts.d/role.ps1\nWrite-Output \"role_name=$role\"\n'rack_name=1'\n\
                     //- modules/m/lib/facter/role.rb\n%w[/a].each { |it| Facter.add('has' + it.tr('/', '_')) {} }\n\
                     //- modules/m/facts.d/zone\nFACT='server_zone'\necho \"$FACT=1\"\nserver_rack () {}\n";
        let code = format!("{code}{facts}");
        // The programs are read as manifests here.
        let found = reported(&UNKNOWN_VARIABLE, &code);
        for name in ["role_name", "server_zone", "has_a"] {
            let message = format!("unknown variable `${name}`");
            assert!(!found.iter().any(|it| it.contains(&message)), "{found:?}");
        }
        assert_eq!(data_messages(&UNKNOWN_VARIABLE, &code), [""; 0]);
    }

    #[test]
    fn reports_variables_in_data() {
        let code =
            "//- modules/ntp/manifests/init.pp\nclass ntp ($servers) { $kernal = 1 $fact = 2 }\n";
        let data = "//- data/common.yaml\na: \"%{ntp::server.0} %{::ntp::servers} %{other::x}\"\n\
                    b: \"%{enviroment} %{fatcs.os.family} %{role} %{::role}\"\nc: \"%{kernal} %{fact.os.family} %{fact.a}\"\n";
        assert_eq!(
            data_messages(&UNKNOWN_VARIABLE, &format!("{code}{data}")),
            [
                "`%{ntp::server.0}`: unknown variable `server` in class `ntp`; did you mean `servers`?",
                "`%{enviroment}`: unknown variable `enviroment`; did you mean `environment`?",
                "`%{fatcs.os.family}`: unknown variable `fatcs`; did you mean `facts`?",
                "`%{role}`: unknown variable `role`: neither code nor a fact of the environment defines it",
                "`%{::role}`: unknown variable `role`: neither code nor a fact of the environment defines it",
                "`%{fact.os.family}`: unknown variable `fact`; did you mean `facts`?",
            ]
        );
        assert_eq!(
            data_fixes(&UNKNOWN_VARIABLE, &format!("{code}{data}")),
            [
                "Replace with `%{ntp::servers.0}`",
                "Replace with `%{environment}`",
                "Replace with `%{facts.os.family}`",
                "Replace with `%{facts.os.family}`",
            ]
        );
    }

    #[test]
    fn reports_variables_of_inline_templates() {
        let code = "class m ($port) {\n $a = inline_epp('<%= $prt %> <%= $port %> $nosuch')\n \
                    $b = inline_epp('<%- | $x | -%><%= \"${x} ${nosuch}\" %>', { 'x' => 1 })\n \
                    $c = inline_epp(@(END))\n  <% $y = 1 %><%= $y %><%= $::nosuch.upcase %>\n  \
                    <%= [1].map |$i| { $i + $facts['a'] + $other } %>\n  | END\n notice($a, $b, $c)\n}";
        assert_eq!(
            reported(&UNKNOWN_VARIABLE, code),
            [
                "`$prt`: unknown variable `$prt`; did you mean `$port`?",
                "`${nosuch`: unknown variable `$nosuch`",
                "`$::nosuch`: unknown variable `$::nosuch`",
                "`$other`: unknown variable `$other`",
            ]
        );
    }

    #[test]
    fn ignores_variables_that_inline_templates_may_see() {
        let code = "class m ($port, $h, $t) {\n $a = [1].map |$i| { inline_epp('<%= $i %><%= $1 %>') }\n \
                    $b = inline_epp('<%= $x %>', { 'x' => 1 }) \n $c = inline_epp('<%= $x %>', $h)\n \
                    $d = inline_epp('<% if defined(\\'$x\\') { %><%= $x %><% } %>') \n \
                    $e = inline_epp($t)\n notice($a, $b, $c, $d, $e)\n}";
        assert_eq!(reported(&UNKNOWN_VARIABLE, code), [""; 0]);
    }

    #[test]
    fn reports_variables_of_inline_templates_in_ruby() {
        let code = "class m ($port, $hash) {\n $a = inline_template('<%= @prt %> <%= @port %><%= port %>', \
                    '<%= x.join(y) rescue 1 %><%= hash %>')\n \
                    $b = inline_template(@(END))\n  <%= @it %>\n  <%= $port %>\n  | END\n}";
        assert_eq!(
            reported(&UNKNOWN_VARIABLE, code),
            [
                "`@prt`: unknown variable `@prt`; did you mean `@port`?",
                "`port`: unknown variable `port`; did you mean `@port`?",
                "`hash`: `hash` is a method of Ruby; did you mean `@hash`?",
                "`@it`: unknown variable `@it`",
                "`$port`: unknown variable `$port`; did you mean `@port`?",
            ]
        );
    }

    #[test]
    fn reports_names_that_nothing_defines() {
        let code = "class m ($port) { $x = $prot + $m::other::a + $m::prt }";
        assert_eq!(
            reported(&UNKNOWN_VARIABLE, code),
            [
                "`$prot`: unknown variable `$prot`; did you mean `$port`?",
                "`$m::other::a`: unknown variable `$a`: unknown class `m::other`",
                "`$m::prt`: unknown variable `$prt` in class `m`; did you mean `$port`?",
            ]
        );
        assert_eq!(
            fixes(&UNKNOWN_VARIABLE, code),
            ["Replace with `$port`", "Replace with `$m::port`"]
        );
        let code = "class m ($port) { if $prot { notice($::prot) } }";
        let severity = severities(&UNKNOWN_VARIABLE, code).first().copied();
        assert_eq!(severity, Some(Severity::Warning));
    }

    #[test]
    fn reports_variables_before_their_assignment() {
        let code = "class m ($p) { notice($a) $a = 1 $b = $b if $p { $c = 1 } else { notice($c) } \
                    notice($m::d) $d = 1 $p.each |$x| { notice($y) $y = $x } notice($x) }";
        assert_eq!(
            reported(&UNKNOWN_VARIABLE, code),
            [
                "`$a`: variable `$a` is read before it is assigned",
                "`$b`: variable `$b` is read before it is assigned",
                "`$c`: variable `$c` is not assigned on this path",
                "`$m::d`: variable `$d` is read before it is assigned",
                "`$y`: variable `$y` is read before it is assigned",
                "`$x`: unknown variable `$x`: it only exists in a lambda",
            ]
        );
    }

    /// Verified with Puppet 7.23: `getvar` returns undef.
    #[test]
    fn getvar_accepts_variables_without_a_value() {
        let code = "class m { notice(getvar('a.b'), getvar('a')) $a = { 'b' => 1 } }";
        assert_eq!(reported(&UNKNOWN_VARIABLE, code), [""; 0]);
    }

    #[test]
    fn reports_variables_that_templates_do_not_see() {
        let code = "//- modules/m/manifests/init.pp\nclass m ($port) { }\n\
                    //- modules/m/templates/a.epp\n<%- | $host | -%><%= $host %><%= $port %>\n\
                    //- modules/m/templates/b.epp\n<%= $port %>";
        assert_eq!(
            reported(&UNKNOWN_VARIABLE, code),
            ["`$port`: unknown variable `$port`: it is not a parameter of the template"]
        );
    }

    #[test]
    fn reports_variables_that_calls_do_not_pass_to_templates() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m ($port) { epp('m/a.epp', { 'host' => 1 }) epp('m/b.epp', $port) }\n\
                    //- modules/m/templates/a.epp\n<%= $host %><%= $port %><%= $hosst %>\n\
                    //- modules/m/templates/b.epp\n<%= $port %>\n\
                    //- modules/m/templates/c.epp\n<%= $port %>";
        assert_eq!(
            reported(&UNKNOWN_VARIABLE, code),
            [
                "`$port`: unknown variable `$port`: it is not a parameter of the template",
                "`$hosst`: unknown variable `$hosst`",
            ]
        );
    }

    #[test]
    fn reports_metaparameters_that_a_declaration_does_not_set() {
        let code = "//- modules/m/manifests/init.pp\nclass m { m::d { 'a': noop => true } }\n\
                    //- modules/m/manifests/d.pp\n\
                    define m::d { notice($noop, $tag) if defined('$loglevel') { notice($loglevel) } }";
        assert_eq!(
            reported(&UNKNOWN_VARIABLE, code),
            [
                "`$noop`: variable `$noop` only exists if the resource sets `noop`",
                "`$tag`: unknown variable `$tag`: the resource does not set `tag`",
            ]
        );
    }

    #[test]
    fn ignores_variables_that_may_be_assigned() {
        let code = "class m ($p) inherits m::base { notice($a) $a = 1 if $p { $c = 1 } notice($c) \
                    if defined('$d') { notice($d) } $d = 1 notice($hostname) $hostname = 'x' }\n\
                    //- modules/m/manifests/base.pp\nclass m::base { $a = 1 }";
        let code = format!("//- modules/m/manifests/init.pp\n{code}");
        assert_eq!(reported(&UNKNOWN_VARIABLE, &code), [""; 0]);
    }

    #[test]
    fn ignores_facts_and_guarded_names() {
        let code = "class m { $b = 1 notice($facts['a'], $trusted, $m::b) \
                    if defined('$c') { notice($c) } }";
        assert_eq!(reported(&UNKNOWN_VARIABLE, code), [""; 0]);
    }
}
