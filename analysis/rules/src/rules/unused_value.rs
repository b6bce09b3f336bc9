use library::KnownFunction;
use syntax::Fix;
use syntax::ast::{AstNode, CallExpr, MethodCall};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, statement_removal};

use super::unused_variable::gives_value;
use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports calls whose only effect is a value that is not used.
    ///
    /// ## What it does
    ///
    /// Checks statements that call a built-in function without side effects, such as `upcase`, `join` or
    /// `map`.
    ///
    /// ## Why it matters
    ///
    /// The statement does nothing. Puppet rejects a forgotten value such as `1 + 2`, but not the value of a
    /// call. Variables and values are immutable, so `$list.sort` does not sort `$list`.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Array[String] $list = ['b', 'a']) {
    ///   $list.sort # <-
    ///   upcase('a') # <-
    ///   notice($list)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Array[String] $list = ['b', 'a']) {
    ///   $sorted = $list.sort
    ///   notice($sorted)
    ///   $list.map |$it| { notice($it) }
    /// }
    /// # file: functions/shout.pp
    /// function example::shout(String $text) {
    ///   upcase($text)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * The last statement of a function or lambda, which is its value.
    /// * Calls with a lambda that has side effects.
    /// * Functions that may be called to check a value, such as `assert_type` and `lookup`.
    ///
    /// ## Fix
    ///
    /// Suggested: removes the statement.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unused-value]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unused-value = "off"
    /// ```
    pub(crate) static UNUSED_VALUE = {
        code: "unused-value",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check)],
    }
}

/// The functions of Puppet, and of `stdlib`, whose only effect is their value.
const PURE: [KnownFunction; 84] = [
    KnownFunction::Any2array,
    KnownFunction::Any2bool,
    KnownFunction::Basename,
    KnownFunction::Bool2num,
    KnownFunction::Bool2str,
    KnownFunction::Concat,
    KnownFunction::ConvertBase,
    KnownFunction::Count,
    KnownFunction::DeepMerge,
    KnownFunction::Delete,
    KnownFunction::DeleteUndefValues,
    KnownFunction::DeleteValues,
    KnownFunction::Difference,
    KnownFunction::Dirname,
    KnownFunction::Grep,
    KnownFunction::HasKey,
    KnownFunction::Intersection,
    KnownFunction::IsA,
    KnownFunction::IsArray,
    KnownFunction::IsBool,
    KnownFunction::IsFloat,
    KnownFunction::IsHash,
    KnownFunction::IsInteger,
    KnownFunction::IsNumeric,
    KnownFunction::IsString,
    KnownFunction::JoinKeysToValues,
    KnownFunction::Member,
    KnownFunction::Merge,
    KnownFunction::Num2bool,
    KnownFunction::Prefix,
    KnownFunction::Regexpescape,
    KnownFunction::Reverse,
    KnownFunction::ShellEscape,
    KnownFunction::ShellJoin,
    KnownFunction::Squeeze,
    KnownFunction::Str2bool,
    KnownFunction::Suffix,
    KnownFunction::Swapcase,
    KnownFunction::ToJson,
    KnownFunction::ToYaml,
    KnownFunction::TypeOf,
    KnownFunction::Union,
    KnownFunction::ValuesAt,
    KnownFunction::Zip,
    KnownFunction::Abs,
    KnownFunction::Camelcase,
    KnownFunction::Capitalize,
    KnownFunction::Ceiling,
    KnownFunction::Chomp,
    KnownFunction::Chop,
    KnownFunction::Compare,
    KnownFunction::Downcase,
    KnownFunction::Empty,
    KnownFunction::Filter,
    KnownFunction::Flatten,
    KnownFunction::Floor,
    KnownFunction::GroupBy,
    KnownFunction::Index,
    KnownFunction::Join,
    KnownFunction::Keys,
    KnownFunction::Length,
    KnownFunction::Lstrip,
    KnownFunction::Map,
    KnownFunction::Max,
    KnownFunction::Md5,
    KnownFunction::Min,
    KnownFunction::Partition,
    KnownFunction::Regsubst,
    KnownFunction::Round,
    KnownFunction::Rstrip,
    KnownFunction::Sha1,
    KnownFunction::Sha256,
    KnownFunction::Size,
    KnownFunction::Sort,
    KnownFunction::Split,
    KnownFunction::Sprintf,
    KnownFunction::Strip,
    KnownFunction::Type,
    KnownFunction::Unique,
    KnownFunction::Unwrap,
    KnownFunction::Upcase,
    KnownFunction::Values,
    KnownFunction::Versioncmp,
    KnownFunction::Match,
];

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let name = is_statement(node).then(|| pure_call(node)).flatten();
    let Some(name) = name.filter(|_| !gives_value(node)) else {
        return;
    };
    let message = format!("unused value of `{}`", name.text());
    checker.report(&UNUSED_VALUE, name.text_range(), message);
    if checker.is_removable(&checker.root(), node.text_range()) {
        let label = "Remove the statement".to_owned();
        let fix = Fix::suggested(label, statement_removal(node), "");
        checker.fix(Some(fix));
    }
}

fn is_statement(node: &SyntaxNode) -> bool {
    let parent = node.parent().map(|it| it.kind());
    matches!(parent, Some(SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE))
}

/// Returns the name of the function if a node is a call without side effects.
fn pure_call(node: &SyntaxNode) -> Option<SyntaxToken> {
    let name = pure_function(node)?;
    let is_pure = |it: SyntaxNode| {
        use SyntaxKind::*;
        match it.kind() {
            CALL_EXPR | METHOD_CALL => pure_function(&it).is_some(),
            ASSIGNMENT | RESOURCE_EXPR | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | COLLECT_EXPR
            | RELATIONSHIP | ERROR => false,
            _ => true,
        }
    };
    node.descendants().skip(1).all(is_pure).then_some(name)
}

/// Returns the name of the function if it is pure.
fn pure_function(call: &SyntaxNode) -> Option<SyntaxToken> {
    let name = match MethodCall::cast(call.clone()) {
        Some(it) => it.name_token(),
        None => CallExpr::cast(call.clone()).and_then(|it| it.name_token()),
    };
    let is_pure = |it: &SyntaxToken| {
        let known = KnownFunction::from_name(it.text());
        known.is_some_and(|it| PURE.contains(&it))
    };
    name.filter(is_pure)
}

#[cfg(test)]
mod tests {
    use super::UNUSED_VALUE;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_values_that_are_not_used() {
        let code = "class m ($list) { $list.sort if $list { join($list, ',') } \
                    [1].map |$x| { $x + 1 } concat($list, 1) }\n\
                    function m::f($x) { upcase($x) if $x { strip($x) } $x }";
        assert_eq!(
            reported(&UNUSED_VALUE, code),
            [
                "`sort`: unused value of `sort`",
                "`join`: unused value of `join`",
                "`map`: unused value of `map`",
                "`concat`: unused value of `concat`",
                "`upcase`: unused value of `upcase`",
                "`strip`: unused value of `strip`",
            ]
        );
        assert_eq!(fixes(&UNUSED_VALUE, code)[0], "Remove the statement");
    }

    #[test]
    fn ignores_values_that_are_used_and_calls_with_effects() {
        let code = "class m ($list) { $x = $list.sort [1].map |$y| { notice($y) } \
                    $z = [1].map |$a| { upcase($a) } m::f() String($x) }\n\
                    function m::f($x) { if $x { upcase($x) } else { downcase($x) } }";
        assert_eq!(reported(&UNUSED_VALUE, code), [""; 0]);
    }
}
