use hir::canonical_name;
use hir::resolve::{Definition, function};
use library::signatures::FunctionApi;
use syntax::ast::{AstNode, CallExpr, Expr, Literal, LiteralKind, MethodCall};
use syntax::{Fix, SyntaxKind, SyntaxNode, SyntaxToken};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports `undef` that is passed to a function of the 3.x API.
    ///
    /// ## What it does
    ///
    /// Checks for the literal `undef` among the arguments of functions that are written with
    /// `Puppet::Parser::Functions`, in Puppet or in a module.
    ///
    /// ## Why it matters
    ///
    /// Puppet converts it to an empty string for such a function. The rule is off by default, because many of
    /// these functions expect that.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: manifests/init.pp
    /// class example (Optional[String] $name_of_host = undef) {
    ///   notice(either($name_of_host, undef)) # <-
    /// }
    /// # file: modules/other/lib/puppet/parser/functions/either.rb
    /// Puppet::Parser::Functions.newfunction(:either, type: :rvalue) do |args|
    ///   args.find { |it| !it.empty? }
    /// end
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: manifests/init.pp
    /// class example (Optional[String] $name_of_host = undef) {
    ///   notice(either($name_of_host, ''))
    /// }
    /// # file: modules/other/lib/puppet/parser/functions/either.rb
    /// Puppet::Parser::Functions.newfunction(:either, type: :rvalue) do |args|
    ///   args.find { |it| !it.empty? }
    /// end
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: passes the empty string.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[undef-argument]` at the end of the line, or on a line of its own above it. To
    /// turn the rule on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// undef-argument = "warning"
    /// ```
    pub(crate) static UNDEF_ARGUMENT = {
        code: "undef-argument",
        puppet_lint: ["undef_in_function"],
        group: Style,
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some((name, arguments)) = call(node).filter(|_| checker.owns(node)) else {
        return;
    };
    let is_undef = |it: &&Expr| match it {
        Expr::Literal(it) => Literal::kind(it) == Some(LiteralKind::Undef),
        _ => false,
    };
    let undefs: Vec<&Expr> = arguments.iter().filter(is_undef).collect();
    if undefs.is_empty() || !is_legacy(checker, name.text()) {
        return;
    }
    for undef in undefs {
        let range = undef.syntax().text_range();
        let message = format!(
            "function `{}` receives `undef` as an empty string",
            name.text()
        );
        checker.report(&UNDEF_ARGUMENT, range, message);
        checker.fix(Some(Fix::certain("Pass an empty string", range, "''")));
    }
}

fn call(node: &SyntaxNode) -> Option<(SyntaxToken, Vec<Expr>)> {
    if let Some(call) = CallExpr::cast(node.clone()) {
        return Some((call.name_token()?, call.arguments()));
    }
    let call = MethodCall::cast(node.clone())?;
    Some((call.name_token()?, call.arguments()))
}

/// Checks whether a function is written with the 3.x API.
fn is_legacy(checker: &Checker<'_>, name: &str) -> bool {
    let found = function(checker.db, Some(checker.environment), &canonical_name(name));
    match found {
        Ok(Definition::Function(it)) => it.declared().api == FunctionApi::Ruby3x,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::UNDEF_ARGUMENT;
    use crate::testing::{fixed, reported};

    const FUNCTION: &str = "//- modules/m/lib/puppet/parser/functions/old.rb\n\
        Puppet::Parser::Functions.newfunction(:old, type: :rvalue) do |args|\nend\n\
        //- modules/m/lib/puppet/functions/new.rb\nPuppet::Functions.create_function(:'m::new') do\nend\n";

    fn with_functions(code: &str) -> String {
        format!("//- modules/m/manifests/init.pp\n{code}\n{FUNCTION}")
    }

    #[test]
    fn reports_undef_for_old_functions() {
        let code = with_functions(
            "class m ($x) { $a = old(undef) $b = old($x, undef, undef) $c = $x.old(undef) old(1, undef) }",
        );
        let expected = ["`undef`: function `old` receives `undef` as an empty string"; 5];
        assert_eq!(reported(&UNDEF_ARGUMENT, &code), expected);
    }

    #[test]
    fn ignores_other_arguments() {
        let code = with_functions(
            "class m ($x) { $a = old($x) $b = m::new(undef) $c = lookup('a', undef, undef, undef) \
                    unknown(undef) $d = old([undef], { 'a' => undef }, 'undef') file { '/a': content => undef } \
                    $e = [undef] $f = $x =~ undef $g = $x.then |$y| { undef } notice(undef == $x) }",
        );
        assert_eq!(reported(&UNDEF_ARGUMENT, &code), [""; 0]);
    }

    #[test]
    fn passes_an_empty_string() {
        let code = "class m { $x = fqdn_rand(10, undef) }";
        assert_eq!(
            fixed(&UNDEF_ARGUMENT, code),
            "class m { $x = fqdn_rand(10, '') }"
        );
    }
}
