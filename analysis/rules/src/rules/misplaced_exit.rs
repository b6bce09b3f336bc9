use hir::ItemKind;
use hir::autoload::NameKey;
use hir::body::ReferenceName;
use library::KnownFunction;
use syntax::ast::{AstNode, CallExpr, DefineDefinition, Lambda, MethodCall, ParameterList};
use syntax::{Severity, SyntaxNode, TextRange};

use crate::checker::Checker;
use crate::fixes::token_at;
use crate::index::usage_index::{FunctionCalls, calls_of};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports `break`, `next` and `return` outside of the code that they leave.
    ///
    /// ## What it does
    ///
    /// `break` ends an iteration: it must be in the lambda of `each`, `map`, `filter`, `reduce`, `slice`,
    /// `step`, `reverse_each` or `tree_each`. The lambdas of other functions, such as `with`, `then`, `any`
    /// or `all`, pass it on. A function may leave the loop of its caller, unless all calls are outside of
    /// loops. `return` leaves a function, class, defined type or plan, and `next` leaves
    /// those or a lambda; neither is allowed in a node definition, at top level, or in the default value of a parameter
    /// of a defined type.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails: *break() from context where this is illegal*. A class whose body calls `break`
    /// compiles only if it is first included from a loop, which then ends, so the severity is a
    /// warning.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// define example::user {
    ///   if $title == 'root' {
    ///     break() # <-
    ///   }
    ///   user { $title: ensure => present }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// define example::user {
    ///   if $title == 'root' {
    ///     return()
    ///   }
    ///   user { $title: ensure => present }
    ///   ['a', 'b'].each |$group| {
    ///     if $group == 'b' { break() }
    ///     group { $group: ensure => present }
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Functions and templates, which may be evaluated in a loop.
    /// * Lambdas of functions that modules define.
    ///
    /// ## Fix
    ///
    /// No fix is available: `return` may be intended, or the code may be in the wrong place.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[misplaced-exit]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// misplaced-exit = "off"
    /// ```
    pub(crate) static MISPLACED_EXIT = {
        code: "misplaced-exit",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    let root = checker.root();
    let body = checker.body;
    for reference in &body.references {
        let ReferenceName::Function(name) = &reference.name else {
            continue;
        };
        let Some(function) = KnownFunction::from_name(name) else {
            continue;
        };
        let is_exit = matches!(
            function,
            KnownFunction::Break | KnownFunction::Next | KnownFunction::Return
        );
        if is_exit && let Some(severity) = severity(checker, function, &root, reference.range) {
            let place = match function {
                KnownFunction::Break => "a loop",
                KnownFunction::Next => "a lambda or function",
                _ => "a function or class",
            };
            let message = format!("`{name}` outside of {place}");
            checker.report_as(&MISPLACED_EXIT, severity, reference.range, message);
        }
    }
}

/// Returns the severity of a misplaced exit; `None` if it may have something to leave.
fn severity(
    checker: &Checker<'_>,
    function: KnownFunction,
    root: &SyntaxNode,
    range: TextRange,
) -> Option<Severity> {
    let item = checker.item;
    let kind = item.kind(checker.db);
    let is_template = item.file(checker.db).spec(checker.db).dialect.epp;
    let call = token_at(root, range)?.parent()?;
    // `argument-count` reports these.
    if function == KnownFunction::Break
        && CallExpr::cast(call.clone()).is_some_and(|it| !it.arguments().is_empty())
    {
        return None;
    }
    let mut lambdas = call.ancestors().filter_map(Lambda::cast);
    let is_top = matches!(kind, ItemKind::Main | ItemKind::Node) && !is_template
        || is_in_default_of_defined_type(&call);
    match function {
        KnownFunction::Return => is_top.then_some(Severity::Error),
        KnownFunction::Next if is_template => lambdas.next().is_none().then_some(Severity::Warning),
        KnownFunction::Next => (is_top && lambdas.next().is_none()).then_some(Severity::Error),
        _ => {
            if lambdas.any(|it| may_catch_break(&it)) {
                return None;
            }
            if is_template {
                // The loop around a call to `epp` would end.
                return Some(Severity::Warning);
            }
            match kind {
                ItemKind::Class => Some(Severity::Warning),
                ItemKind::DefinedType | ItemKind::Main | ItemKind::Node => Some(Severity::Error),
                ItemKind::Function => {
                    let name = NameKey::new(checker.db, item.name(checker.db).clone());
                    let calls = calls_of(checker.db, checker.environment, name);
                    (calls == FunctionCalls::OutsideOfLoops).then_some(Severity::Error)
                }
                ItemKind::Plan | ItemKind::TypeAlias => None,
            }
        }
    }
}

/// Checks whether code is in the default value of a parameter of a defined type, which Puppet evaluates before it enters
/// the body. The defaults of classes and functions are evaluated inside of it.
fn is_in_default_of_defined_type(call: &SyntaxNode) -> bool {
    let mut lists = call.ancestors().filter_map(ParameterList::cast);
    lists.any(|it| {
        let owner = it.syntax().parent();
        owner.is_some_and(|it| DefineDefinition::can_cast(it.kind()))
    })
}

/// Checks whether the function that is called with a lambda may catch a `break` in it.
fn may_catch_break(lambda: &Lambda) -> bool {
    let call = lambda.syntax().parent();
    let name = call.and_then(|it| match MethodCall::cast(it.clone()) {
        Some(it) => it.name_token(),
        None => CallExpr::cast(it).and_then(|it| it.name_token()),
    });
    // From the implementations of the functions; `each` and the like rescue `StopIteration`.
    let passes_on = |it: &str| {
        use KnownFunction::*;
        matches!(
            KnownFunction::from_name(it),
            Some(
                All | Any
                    | AssertType
                    | GroupBy
                    | Index
                    | Lest
                    | Lookup
                    | Max
                    | Min
                    | Partition
                    | Sort
                    | Then
                    | Unique
                    | With
            )
        )
    };
    name.is_none_or(|it| !passes_on(it.text()))
}

#[cfg(test)]
mod tests {
    use super::MISPLACED_EXIT;
    use crate::testing::reported;

    #[test]
    fn reports_exits_in_defaults_of_defined_types() {
        let code = "define m::d ($a = next(1), $b = return(2), $c = [1].map |$x| { next($x) }) { }\n\
                    class m ($a = next(1), $b = return(2)) { [1].max |$x, $y| { break() } }\n\
                    function m::f($a = return(2)) { $a }";
        assert_eq!(
            reported(&MISPLACED_EXIT, code),
            [
                "`next`: `next` outside of a lambda or function",
                "`return`: `return` outside of a function or class",
                "`break`: `break` outside of a loop",
            ]
        );
    }

    #[test]
    fn reports_exits_with_nothing_to_leave() {
        let code = "class m { break() with(1) |$x| { break() } }\n\
                    define m::d { $title.then |$x| { break() } }\n\
                    node default { return() [1].each |$x| { return() } next() }";
        assert_eq!(
            reported(&MISPLACED_EXIT, code),
            [
                "`break`: `break` outside of a loop",
                "`break`: `break` outside of a loop",
                "`break`: `break` outside of a loop",
                "`return`: `return` outside of a function or class",
                "`return`: `return` outside of a function or class",
                "`next`: `next` outside of a lambda or function",
            ]
        );
    }

    #[test]
    fn ignores_exits_from_loops_and_definitions() {
        let code = "class m { [1].each |$x| { with(2) |$y| { break() } } return() }\n\
                    define m::d { next() }\nfunction m::f() { break() }\n\
                    node default { [1].map |$x| { next($x) } }";
        assert_eq!(reported(&MISPLACED_EXIT, code), [""; 0]);
    }
}
