use hir::ItemKind;
use hir::body::{Binding, Scope};
use library::is_reserved_variable;
use syntax::Severity;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::templates::use_without_list;

declare_rule! {
    /// Reports assignments to variables that already have a value in the same scope.
    ///
    /// ## What it does
    ///
    /// Checks for repeated assignments, for assignments to parameters, and for assignments to
    /// variables that Puppet sets, such as `$facts` and `$title`, or `$module_name` in a module. Parameters,
    /// also those of functions and lambdas, cannot be named `$facts`, `$trusted` or `$server_facts`. Two parameters of a
    /// lambda with the same name are a warning: only the value of the last one can be read. A template without a parameter
    /// list cannot assign a variable that a call of `epp` passes.
    ///
    /// ## Why it matters
    ///
    /// Variables in Puppet are immutable. Compilation fails: *Cannot reassign variable*. Use
    /// another name for the new value, or compute the value in one expression.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Integer $port = 80,
    /// ) {
    ///   $user = 'root'
    ///   if $port > 1024 {
    ///     $user = 'nobody' # <-
    ///   }
    ///   $port = $port + 1 # <-
    ///   [1, 2].each |$trusted| { # <-
    ///     notice($trusted)
    ///   }
    ///   $title = 'x' # <-
    ///   $name = 'x' # <-
    ///   notice($user)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Integer $port = 80,
    /// ) {
    ///   $user = $port > 1024 ? {
    ///     true    => 'nobody',
    ///     default => 'root',
    ///   }
    ///   $next_port = $port + 1
    ///   if $next_port == 81 { $text = 'one' } else { $text = 'other' }
    ///   [1, 2].each |$number| {
    ///     $text = "${number}"
    ///     $title = $text
    ///     notice($title)
    ///   }
    ///   notice($user, $text)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Assignments in alternative branches, of which only one runs, and after a branch that always ends with
    ///   `return`, `fail`, `next` or `break`.
    /// * Assignments under a condition such as `!defined('$user')`.
    /// * Variables in a lambda (`|$x| { … }`) that are named like one outside: they are different
    ///   variables, even if they are named `$title` or `$name`.
    /// * Variables of a class that are named like a top-scope variable or a fact.
    ///
    /// ## Fix
    ///
    /// No fix is available: the code must be restructured.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[reassigned-variable]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// reassigned-variable = "off"
    /// ```
    pub(crate) static REASSIGNED_VARIABLE = {
        code: "reassigned-variable",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

/// The variables that Puppet sets in the scope of a class, a defined type, a node definition or the
/// main manifest. The local scopes of lambdas and functions may assign them.
const SET_AT_START: [&str; 2] = ["title", "name"];
/// The variables that Puppet also sets in the scope of a class or defined type of a module.
const SET_IN_MODULES: [&str; 2] = ["module_name", "caller_module_name"];

fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    for scope in &body.scopes {
        check_scope(checker, scope);
    }
}

fn check_scope(checker: &mut Checker<'_>, scope: &Scope) {
    let is_parameter = |it: &&Binding| it.parameter;
    // Bolt sets no facts in plans.
    let is_plan = checker.is_task_code();
    let reserved = |it: &&Binding| !is_plan && is_reserved_variable(&it.name);
    for binding in scope.bindings.iter().filter(is_parameter).filter(reserved) {
        let message = format!(
            "cannot declare parameter `${}`: it is set by Puppet",
            binding.name
        );
        checker.report(&REASSIGNED_VARIABLE, binding.range, message);
    }
    if scope.parent.is_some() {
        check_repeated_parameters(checker, scope);
    }
    let calls = use_without_list(checker).and_then(Option::as_ref);
    let calls = calls.filter(|_| scope.parent.is_none());
    let is_passed = |name: &str| calls.is_some_and(|it| it.passed.contains(name));
    // Code that sets what is not defined does not run if it is.
    let is_assignment = |it: &&Binding| !it.parameter && !it.guarded;
    for binding in scope.bindings.iter().filter(is_assignment) {
        let same = scope.bindings_of(&binding.name);
        let mut earlier = same.take_while(|it| !std::ptr::eq(*it, binding));
        let place = |it: &Binding| (it.branch, it.range.start());
        let body = checker.body;
        let first = earlier.find(|it| body.run_together(place(it), place(binding)));
        if let Some(first) = first {
            let message = format!("cannot reassign variable `${}`", binding.name);
            checker.report(&REASSIGNED_VARIABLE, binding.range, message);
            let declared = match first.parameter {
                true => "parameter declared here",
                false => "first assigned here",
            };
            checker.relate(checker.item, first.range, declared);
        } else if binding.branch == 0 && is_passed(&binding.name) {
            let message = format!(
                "cannot reassign variable `${}`: `epp` passes it to the template",
                binding.name
            );
            checker.report(&REASSIGNED_VARIABLE, binding.range, message);
        } else if is_set_by_puppet(checker, &binding.name, scope) {
            let message = format!("cannot assign to `${}`: it is set by Puppet", binding.name);
            checker.report(&REASSIGNED_VARIABLE, binding.range, message);
        }
    }
}

/// Reports a parameter of a lambda with the name of an earlier one, whose value cannot be read. Names that start with an
/// underscore mark values that are not needed.
fn check_repeated_parameters(checker: &mut Checker<'_>, scope: &Scope) {
    let parameters = scope.bindings.iter().filter(|it| it.parameter);
    let parameters = parameters.filter(|it| !it.name.starts_with('_'));
    for binding in parameters {
        let mut earlier = scope.bindings_of(&binding.name);
        let first = earlier.find(|it| it.parameter);
        let Some(first) = first.filter(|it| !std::ptr::eq(*it, binding)) else {
            continue;
        };
        let message = format!("duplicate parameter `${}`", binding.name);
        let rule = &REASSIGNED_VARIABLE;
        checker.report_as(rule, Severity::Warning, binding.range, message);
        checker.relate(checker.item, first.range, "first declared here");
    }
}

fn is_set_by_puppet(checker: &Checker<'_>, name: &str, scope: &Scope) -> bool {
    let begins = match checker.item.kind(checker.db) {
        ItemKind::Class | ItemKind::DefinedType | ItemKind::Node => true,
        ItemKind::Main => !checker.item.file(checker.db).spec(checker.db).dialect.epp,
        ItemKind::Function | ItemKind::Plan | ItemKind::TypeAlias => false,
    };
    let is_of_module = checker.item.kind(checker.db).is_declarable()
        && checker.item.file(checker.db).module(checker.db).is_some();
    let is_set = SET_AT_START.contains(&name) || is_of_module && SET_IN_MODULES.contains(&name);
    is_reserved_variable(name) || (begins && scope.parent.is_none() && is_set)
}

#[cfg(test)]
mod tests {
    use super::REASSIGNED_VARIABLE;
    use crate::testing::reported;

    #[test]
    fn reports_repeated_parameters_of_lambdas() {
        let code = "class m { { 'a' => 1 }.each |$i, $i| { notice($i) } \
                    { 'a' => 1 }.each |$_, $_| { [1].each |$i| { notice($i) } } }";
        assert_eq!(
            reported(&REASSIGNED_VARIABLE, code),
            ["`$i`: duplicate parameter `$i`"]
        );
    }

    #[test]
    fn reports_parameters_with_reserved_names() {
        let code = "define m ($facts = 1, $title_x = 2) { [1].each |$trusted, $x| { notice($x) } } \
                    function m::f($server_facts, $title) { $title }";
        assert_eq!(
            reported(&REASSIGNED_VARIABLE, code),
            [
                "`$facts`: cannot declare parameter `$facts`: it is set by Puppet",
                "`$trusted`: cannot declare parameter `$trusted`: it is set by Puppet",
                "`$server_facts`: cannot declare parameter `$server_facts`: it is set by Puppet",
            ]
        );
    }

    #[test]
    fn reports_second_assignments_and_reserved_names() {
        let code = "class m ($a) { $a = 1 $b = 1 if $a { $b = 2 } $title = 3 }";
        assert_eq!(
            reported(&REASSIGNED_VARIABLE, code),
            [
                "`$a`: cannot reassign variable `$a`",
                "`$b`: cannot reassign variable `$b`",
                "`$title`: cannot assign to `$title`: it is set by Puppet",
            ]
        );
    }

    #[test]
    fn ignores_other_branches_and_scopes() {
        let code = "class m ($a) { if $a { $b = 1 } else { $b = 2 } \
                    $a.each |$x| { $b = $x $title = 1 } }";
        assert_eq!(reported(&REASSIGNED_VARIABLE, code), [""; 0]);
    }

    #[test]
    fn ignores_what_does_not_run_together() {
        for code in [
            "if $x =~ Hash { $y = 1 return($y) } $y = 2",
            "if $x =~ Hash { $y = 1 if $x == {} { return(1) } elsif $x == 1 { fail('a') } else { return(2) } } $y = 2",
            "if $x =~ Hash { $y = 1 case $x { {}: { return(1) } default: { fail('a') } } } $y = 2",
            "[1].each |$z| { if $z == 2 { $y = 1 next() } $y = 2 }",
            "$y = 1 fail('a') $y = 2",
            "if !defined('$x') { $x = 1 }",
        ] {
            let code = format!("function m::f($x) {{ {code} }}");
            assert_eq!(reported(&REASSIGNED_VARIABLE, &code), [""; 0], "{code}");
        }
    }

    #[test]
    fn reports_assignments_after_branches_that_may_end() {
        for code in [
            "if $x =~ Hash { $y = 1 if $x == {} { return(1) } } $y = 2",
            "$y = 1 if $x =~ Hash { return(1) } $y = 2",
            "if $x =~ Hash { $y = 1 [1].each |$z| { next() } } $y = 2",
            "if $x =~ Hash { $y = 1 case $x { {}: { return(1) } 1: { fail('a') } } } $y = 2",
            "if !defined('$y') { $x = 1 }",
        ] {
            let code = format!("function m::f($x) {{ {code} }}");
            assert_eq!(reported(&REASSIGNED_VARIABLE, &code).len(), 1, "{code}");
        }
    }
}
