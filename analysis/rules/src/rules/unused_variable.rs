use hir::body::Binding;
use syntax::ast::{Assignment, AstNode};
use syntax::{Fix, SyntaxKind, SyntaxNode, statement_removal};

use crate::checker::Checker;
use crate::fixes::node_at;
use crate::rule::{Check, Rule, declare_rule};
use crate::unused_bindings::unused_bindings;

declare_rule! {
    /// Reports variables that are assigned, but never read.
    ///
    /// ## What it does
    ///
    /// Checks the variables of classes, defined types, functions, plans and lambdas.
    ///
    /// ## Why it matters
    ///
    /// Puppet accepts the code without a warning. The name may be misspelled somewhere, or the
    /// variable may be a remnant of an earlier version. As it does no harm, the severity is a hint.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $user = 'root' # <-
    ///   [1, 2].each |$number| {
    ///     $double = $number * 2 # <-
    ///     notice($number)
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $user = 'root'
    ///   $group = 'daemon'
    ///   $_ignored = 1
    ///   file { '/etc/example': owner => $user }
    /// }
    /// # file: manifests/other.pp
    /// class example::other {
    ///   notice($example::group)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Names that start with an underscore, which marks them as intentionally unused.
    /// * Variables that another file reads by their qualified names, and those of classes that
    ///   other classes inherit from.
    /// * Code that calls `template`, `epp`, `lookup` or another function that may read any variable
    ///   in scope, such as a function in Ruby with `scope_param`.
    /// * The main manifest and node definitions, whose variables are visible everywhere.
    ///
    /// ## Fix
    ///
    /// Suggested: removes the assignment if it has no side effects, or in a lambda, adds an
    /// underscore to the name.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unused-variable]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unused-variable = "off"
    /// ```
    pub(crate) static UNUSED_VARIABLE = {
        code: "unused-variable",
        severity: Hint,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    for (scope, binding) in unused_bindings(checker, |it| !it.parameter) {
        let message = format!("unused variable `${}`", binding.name);
        checker.report(&UNUSED_VARIABLE, binding.range, message);
        checker.fix(removal(checker, binding));
        if scope != 0 {
            checker.mark_as_unused(binding);
        }
    }
}

/// Returns a fix that removes an assignment without side effects whose value is not used.
fn removal(checker: &Checker<'_>, binding: &Binding) -> Option<Fix> {
    let root = checker.root();
    let variable = node_at(&root, binding.range).filter(|it| it.text_range() == binding.range)?;
    let assignment = variable.parent().and_then(Assignment::cast)?;
    let node = assignment.syntax();
    let is_statement = matches!(
        node.parent()?.kind(),
        SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE
    );
    let removable =
        is_statement && !gives_value(node) && checker.is_removable(&root, node.text_range());
    let label = format!("Remove the unused variable `${}`", binding.name);
    removable.then(|| Fix::suggested(label, statement_removal(node), ""))
}

/// Checks whether a statement may be the value of the enclosing block: the last one of a function, a
/// lambda or a conditional that is used as a value.
pub(super) fn gives_value(statement: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let mut node = statement.clone();
    while let Some(parent) = node.parent() {
        let is_block = matches!(parent.kind(), BLOCK | SOURCE_FILE);
        if is_block && node.next_sibling().is_some() {
            return false;
        }
        match parent.kind() {
            BLOCK | SOURCE_FILE | IF_EXPR | UNLESS_EXPR | ELSE_CLAUSE | CASE_EXPR | CASE_OPTION => {
                node = parent;
            }
            CLASS_DEFINITION | DEFINE_DEFINITION | NODE_DEFINITION => return false,
            _ => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::UNUSED_VARIABLE;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_variables_that_are_never_read() {
        let code = "class m { $a = 1 [1].each |$n| { $b = $n notice(1) } }";
        assert_eq!(
            reported(&UNUSED_VARIABLE, code),
            ["`$a`: unused variable `$a`", "`$b`: unused variable `$b`"]
        );
        assert_eq!(
            fixes(&UNUSED_VARIABLE, code),
            [
                "Remove the unused variable `$a`",
                "Rename to `$_b` to mark it as unused"
            ]
        );
    }

    #[test]
    fn ignores_variables_that_may_be_read() {
        for code in [
            "class m { $a = 1 $_b = $a }",
            "class m { $a = 1 }\n//- modules/n/manifests/init.pp\nclass n { notice($m::a) }",
            "class m { $a = 1 }\n//- modules/n/manifests/init.pp\nclass n inherits m { }",
            "class m { $a = 1 }\n//- modules/m/templates/t.erb\n<%= @a %>",
            "class m { $a = 1 notice(template('m/t.erb')) }",
            "class m { $a = 1 f('a') }\n//- modules/m/lib/puppet/functions/f.rb\n\
             Puppet::Functions.create_function(:f, Puppet::Functions::InternalFunction) do\n\
             dispatch :f do\nscope_param\nparam 'String', :a\nend\nend",
            "class m { $a = 1 f('a') }\n//- modules/m/lib/puppet/parser/functions/f.rb\n\
             newfunction(:f) do |args|\nlookupvar(args[0])\nend",
        ] {
            let code = format!("//- modules/m/manifests/init.pp\n{code}");
            assert_eq!(reported(&UNUSED_VARIABLE, &code), [""; 0], "{code}");
        }
    }
}
