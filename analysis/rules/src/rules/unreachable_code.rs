use infer::{TypeProblem, TypeProblemKind};
use library::KnownFunction;
use syntax::ast::{AstNode, Block, ElseClause, Expr, HasBody};
use syntax::text_at;

use crate::checker::Checker;
use crate::fixes::expr_at;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports code that never runs.
    ///
    /// ## What it does
    ///
    /// Checks for code after `fail`, `return`, `next` or `break` in the same block, after a
    /// conditional whose branches all end that way, and in branches whose condition never holds.
    ///
    /// ## Why it matters
    ///
    /// Puppet accepts the code without a warning, but it has no effect. In branches whose condition
    /// never holds, and after code that leaves only because of such a condition, the severity is a
    /// hint.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Boolean $flag) {
    ///   if $flag {
    ///     fail('no')
    ///     notice('never') # <-
    ///   }
    /// }
    /// # file: functions/sign.pp
    /// function example::sign(Integer $number) {
    ///   if $number < 0 {
    ///     return(-1)
    ///   } else {
    ///     return(1)
    ///   }
    ///   0 # <-
    /// }
    /// # file: manifests/debug.pp
    /// class example::debug {
    ///   $debug = false
    ///   if $debug {
    ///     notice('more') # <-
    ///   }
    ///   unless $debug {
    ///     notice('less')
    ///   } else {
    ///     notice('more') # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Boolean $flag) {
    ///   if $flag {
    ///     notice('first')
    ///     fail('no')
    ///   }
    /// }
    /// # file: manifests/debug.pp
    /// class example::debug {
    ///   $mode = 'quiet'
    ///   if $mode == 'quiet' {
    ///     notice('less')
    ///   } else {
    ///     fail("unknown mode ${mode}")
    ///   }
    /// }
    /// # file: functions/sign.pp
    /// function example::sign(Integer $number) {
    ///   if $number < 0 {
    ///     return(-1)
    ///   }
    ///   1
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Code after an error that another rule reports.
    /// * Branches that only call `fail`, which are meant to be unreachable.
    ///
    /// ## Fix
    ///
    /// No fix is available: the code that ends the block may be the actual mistake.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unreachable-code]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unreachable-code = "off"
    /// ```
    pub(crate) static UNREACHABLE_CODE = {
        code: "unreachable-code",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if problem.kind == TypeProblemKind::UnreachableCode {
        let code = expr_at(&checker.root(), problem.range);
        // The end of a template that leaves is often a line break.
        let text = text_at(&checker.root(), problem.range);
        if text.is_some_and(|it| it.trim().is_empty()) {
            return;
        }
        let before = code.and_then(|it| it.syntax().prev_sibling());
        let follows_exit = before.and_then(Expr::cast).is_some_and(|it| leaves(&it));
        let severity = UNREACHABLE_CODE.or_hint(!follows_exit);
        let message = "unreachable code".to_owned();
        checker.report_problem_as(&UNREACHABLE_CODE, severity, problem, message);
    }
}

/// Checks whether a statement always leaves the block, regardless of any condition.
fn leaves(statement: &Expr) -> bool {
    let otherwise = |it: Option<ElseClause>| {
        it.is_some_and(|it| match it.elsif() {
            Some(elsif) => leaves(&Expr::IfExpr(elsif)),
            None => block_leaves(it.block()),
        })
    };
    match statement {
        Expr::CallExpr(it) => {
            let name = it.name_token();
            let function = name.and_then(|it| KnownFunction::from_name(it.text()));
            matches!(
                function,
                Some(
                    KnownFunction::Fail
                        | KnownFunction::Return
                        | KnownFunction::Next
                        | KnownFunction::Break
                )
            )
        }
        Expr::IfExpr(it) => block_leaves(it.body()) && otherwise(it.else_clause()),
        Expr::UnlessExpr(it) => block_leaves(it.body()) && otherwise(it.else_clause()),
        Expr::CaseExpr(it) => {
            let mut options = it.options();
            let has_default = it.options().any(|it| it.values().any(|it| it.is_default()));
            has_default && options.all(|it| block_leaves(it.body()))
        }
        _ => false,
    }
}

fn block_leaves(block: Option<Block>) -> bool {
    block.is_some_and(|it| it.statements().any(|it| leaves(&it)))
}

#[cfg(test)]
mod tests {
    use super::UNREACHABLE_CODE;
    use crate::testing::reported;

    #[test]
    fn reports_code_that_never_runs() {
        let code = "class m { fail('no') notice(1) }\nfunction m::f() { return(1) 2 }";
        assert_eq!(
            reported(&UNREACHABLE_CODE, code),
            ["`notice(1)`: unreachable code", "`2`: unreachable code"]
        );
    }

    #[test]
    fn ignores_code_that_may_run() {
        let code = "class m ($x) { if $x { fail('no') } notice(1) }";
        assert_eq!(reported(&UNREACHABLE_CODE, code), [""; 0]);
    }
}
