use hir::autoload::NameKey;
use hir::canonical_name;
use hir::resolve::resource_type;
use syntax::ast::{
    AccessExpr, Assignment, AstNode, Attribute, BinaryExpr, CaseExpr, Expr, HashEntry,
    QualifiedName, SelectorExpr, VariableExpr,
};
use syntax::{Fix, SyntaxKind, SyntaxNode, TextRange};
use types::reader::is_data_type;
use types::spelled_data_type;

use crate::checker::Checker;
use crate::fixes::{capitalized, expr_at};
use crate::index::usage_index::is_declared;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports unquoted words that are meant to be variables.
    ///
    /// ## What it does
    ///
    /// Checks words without quotes and `$` that have the name of a variable in scope, or of a fact that is tested, in
    /// places where a constant makes no sense: conditions, subjects of `case` and selectors, operands of
    /// `and`, `or` and `!`, operands that are compared with a literal, receivers of method
    /// calls, and titles in references. Also checks values that are assigned to another variable, except common
    /// ones such as `present`, resource types in lower case with a computed title, such as `file[$path]`, data types
    /// in lower case after `=~` and `!~`, such as `$x =~ string`, and values of attributes and hash keys that repeat
    /// their name, such as `owner => owner`.
    ///
    /// ## Why it matters
    ///
    /// Puppet reads the word as a string, so `if mode == 'a'` compares `'mode'` with `'a'`, and is always
    /// false. Puppet accepts the code without a warning.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (String $mode = 'a') {
    ///   if mode == 'a' { # <-
    ///     notice('never')
    ///   }
    ///   case mode { # <-
    ///     'a': { notice('never') }
    ///     default: { notice('always') }
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (String $mode = 'a', String $present = 'x') {
    ///   if $mode == 'a' {
    ///     notice('equal')
    ///   }
    ///   if $mode == present {
    ///     notice('a string without quotes')
    ///   }
    ///   file { '/etc/example': ensure => present, content => $present }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Words anywhere else, such as in other attributes and in arguments, where they are common.
    /// * Titles in references to resources that some code declares.
    /// * The names of attributes in the queries of collectors.
    ///
    /// ## Fix
    ///
    /// Suggested: adds the dollar sign, or capitalizes the type.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[bare-word]` at the end of the line, or on a line of its own above it.
    /// To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// bare-word = "off"
    /// ```
    pub(crate) static BARE_WORD = {
        code: "bare-word",
        severity: Warning,
        since: "0.1.0",
        checks: [
            Check::Node(&CANDIDATES, check),
            Check::Node(&[SyntaxKind::ACCESS_EXPR], check_reference),
            Check::Node(&[SyntaxKind::BINARY_EXPR], check_pattern),
        ],
    }
}

/// The kinds of nodes with parts where a constant makes no sense.
const CANDIDATES: [SyntaxKind; 11] = [
    SyntaxKind::ACCESS_EXPR,
    SyntaxKind::ASSIGNMENT,
    SyntaxKind::ATTRIBUTE,
    SyntaxKind::HASH_ENTRY,
    SyntaxKind::CASE_EXPR,
    SyntaxKind::SELECTOR_EXPR,
    SyntaxKind::METHOD_CALL,
    SyntaxKind::IF_EXPR,
    SyntaxKind::UNLESS_EXPR,
    SyntaxKind::UNARY_EXPR,
    SyntaxKind::BINARY_EXPR,
];

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    for word in words_in(checker, candidates(node).into_iter()) {
        let Word { name, range, meant } = word;
        let message = format!("`{name}` is a string: did you mean `{meant}`?");
        checker.report(&BARE_WORD, range, message);
        let label = format!("Replace with `{meant}`");
        checker.fix(Some(Fix::suggested(label, range, meant)));
    }
}

/// Reports the lower-case name of a resource type in place of a reference: `file[$path]`.
fn check_reference(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(access) = AccessExpr::cast(node.clone()) else {
        return;
    };
    let Some(Expr::QualifiedName(word)) = access.base() else {
        return;
    };
    // Literal keys are invalid operands.
    let is_computed = |it: &Expr| !is_without_words(it) && !matches!(it, Expr::QualifiedName(_));
    let keys = access.keys();
    if keys.is_empty() || !keys.iter().all(is_computed) {
        return;
    }
    let mut problems = checker.problems().iter();
    let (name, range) = (word.text(), word.syntax().text_range());
    let environment = Some(checker.environment);
    if resource_type(checker.db, environment, &name).is_err()
        || problems.any(|it| it.range == node.text_range())
    {
        return;
    }
    let reference = capitalized(&name);
    let message = format!("`{name}` is a string: did you mean `{reference}`?");
    checker.report(&BARE_WORD, range, message);
    let label = format!("Replace with `{reference}`");
    checker.fix(Some(Fix::suggested(label, range, reference)));
}

/// Reports the lower-case name of a data type after `=~` or `!~`, where it is a regular expression.
fn check_pattern(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(binary) = BinaryExpr::cast(node.clone()) else {
        return;
    };
    let operator = binary.operator().map(|it| it.kind());
    let is_match = matches!(operator, Some(SyntaxKind::MATCH | SyntaxKind::NOT_MATCH));
    let Some(Expr::QualifiedName(word)) = binary.rhs().filter(|_| is_match) else {
        return;
    };
    let name = word.text();
    let Some(type_) = spelled_data_type(&name) else {
        return;
    };
    let range = word.syntax().text_range();
    let message = format!("`{name}` is a string: did you mean `{type_}`?");
    checker.report(&BARE_WORD, range, message);
    let label = format!("Replace with `{type_}`");
    checker.fix(Some(Fix::suggested(label, range, type_)));
}

/// A word that is meant to be a variable.
struct Word {
    name: String,
    range: TextRange,
    /// The variable.
    meant: String,
}

/// Returns the words that are meant to be variables.
fn words_in(checker: &Checker<'_>, candidates: impl Iterator<Item = Expr>) -> Vec<Word> {
    let words = candidates.filter_map(|it| match it {
        Expr::QualifiedName(it) => Some(Word {
            meant: meant_variable(checker, &it)?,
            name: it.text(),
            range: it.syntax().text_range(),
        }),
        _ => None,
    });
    words.filter(|it| !is_title(checker, it)).collect()
}

/// Checks whether a word is the title in a reference to a resource that some code declares.
fn is_title(checker: &Checker<'_>, word: &Word) -> bool {
    let node = crate::fixes::node_at(&checker.root(), word.range);
    let mut around = node.iter().flat_map(|it| it.ancestors());
    let Some(access) = around.find_map(AccessExpr::cast) else {
        return false;
    };
    let Some(Expr::QualifiedReference(type_)) = access.base() else {
        return false;
    };
    let type_ = NameKey::new(checker.db, canonical_name(&type_.text()));
    let title = NameKey::new(checker.db, word.name.clone());
    is_declared(checker.db, checker.environment, type_, title)
}

/// Returns the parts of an expression where a constant makes no sense.
fn candidates(node: &SyntaxNode) -> Vec<Expr> {
    use SyntaxKind::{AND_KW, BANG, EQ_EQ, IN_KW, MATCH, NOT_EQ, NOT_MATCH, OR_KW};
    let found = match Expr::cast(node.clone()) {
        None => own_name(node),
        Some(Expr::AccessExpr(it)) => return titles(&it),
        Some(Expr::CaseExpr(it)) => it.subject(),
        Some(Expr::SelectorExpr(it)) => it.subject(),
        Some(Expr::MethodCall(it)) => it.receiver(),
        Some(Expr::Assignment(it)) => assigned_word(&it),
        Some(Expr::IfExpr(it)) => it.condition(),
        Some(Expr::UnlessExpr(it)) => it.condition(),
        Some(Expr::UnaryExpr(it)) if it.operator().is_some_and(|it| it.kind() == BANG) => it.expr(),
        // The left operand in the query of a collector is the name of an attribute.
        Some(Expr::BinaryExpr(_)) if is_in_query(node) => return Vec::new(),
        Some(Expr::BinaryExpr(it)) => {
            let (Some(operator), Some(left), Some(right)) = (it.operator(), it.lhs(), it.rhs())
            else {
                return Vec::new();
            };
            match operator.kind() {
                AND_KW | OR_KW => return vec![left, right],
                IN_KW | MATCH | NOT_MATCH if is_without_words(&right) => Some(left),
                EQ_EQ | NOT_EQ if is_without_words(&right) => Some(left),
                EQ_EQ | NOT_EQ if is_without_words(&left) => Some(right),
                _ => None,
            }
        }
        _ => None,
    };
    found.into_iter().collect()
}

/// Returns the value of an attribute or an entry of a hash, if it is the name of that as a word.
fn own_name(node: &SyntaxNode) -> Option<Expr> {
    let (name, value) = match Attribute::cast(node.clone()) {
        Some(it) => (it.name_token()?.text().to_owned(), it.value()?),
        None => {
            let entry = HashEntry::cast(node.clone())?;
            (entry.key()?.plain_text()?, entry.value()?)
        }
    };
    let is_name = matches!(&value, Expr::QualifiedName(it) if it.text() == name);
    is_name.then_some(value)
}

/// Returns the titles in a reference to resources of a type, which classes are not.
fn titles(reference: &AccessExpr) -> Vec<Expr> {
    match reference.base() {
        Some(Expr::QualifiedReference(it))
            if !is_data_type(&it.text()) && canonical_name(&it.text()) != "class" =>
        {
            reference.keys()
        }
        _ => Vec::new(),
    }
}

/// Returns the value of an assignment, if it is a word that is seldom a string without quotes.
fn assigned_word(assignment: &Assignment) -> Option<Expr> {
    const USUAL: &str = "absent default directory disable disabled enable enabled file held installed latest link \
                         manual mask master mounted no none off on present purged root running server slave stopped \
                         template unmounted yes";
    let value = assignment.rhs()?;
    let Expr::QualifiedName(word) = &value else {
        return None;
    };
    let word = word.text();
    let mut targets = assignment.lhs()?.syntax().descendants();
    let is_own = |it: VariableExpr| it.name().as_deref() == Some(&word);
    let assigns_own = targets.any(|it| VariableExpr::cast(it).is_some_and(is_own));
    (!assigns_own && !USUAL.split(' ').any(|it| it == word)).then_some(value)
}

fn is_in_query(node: &SyntaxNode) -> bool {
    let mut around = node.ancestors();
    around.any(|it| it.kind() == SyntaxKind::COLLECT_QUERY)
}

/// Checks whether an expression is a literal other than a bare word, or an array of such literals.
fn is_without_words(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(_) | Expr::StringLiteral(_) => true,
        Expr::ArrayExpr(it) => it.elements().all(|it| is_without_words(&it)),
        _ => false,
    }
}

/// Returns the variable of the scopes, or the fact, that has the name of a word.
fn meant_variable(checker: &Checker<'_>, word: &QualifiedName) -> Option<String> {
    let (name, range) = (word.text(), word.syntax().text_range());
    let scopes = &checker.body.scopes;
    let mut bindings = scopes.iter().flat_map(|it| &it.bindings);
    let is_own = bindings.any(|it| it.name == name && it.range.end() <= range.start());
    match is_own {
        true => Some(format!("${name}")),
        false => meant_fact(checker, word).filter(|_| is_tested(word.syntax())),
    }
}

/// Returns the fact that has the name of a word: the structured one in place of a legacy one.
fn meant_fact(checker: &Checker<'_>, word: &QualifiedName) -> Option<String> {
    let name = word.text();
    let is_fact = library::fact(&name).is_some() || checker.is_custom_fact(&name);
    match is_fact {
        true => Some(format!("$facts['{name}']")),
        false => library::legacy_fact(&name)?.modern.clone(),
    }
}

/// Checks whether a word is tested: as a condition, as the subject of options, or by a comparison.
fn is_tested(word: &SyntaxNode) -> bool {
    use SyntaxKind::{BINARY_EXPR, CASE_EXPR, IF_EXPR, SELECTOR_EXPR, UNLESS_EXPR};
    let kind = word.parent().map(|it| it.kind());
    matches!(
        kind,
        Some(BINARY_EXPR | CASE_EXPR | IF_EXPR | SELECTOR_EXPR | UNLESS_EXPR)
    )
}

/// Checks whether the rule reports a word in a range.
pub(super) fn reports_in(checker: &Checker<'_>, range: TextRange) -> bool {
    let Some(node) = crate::fixes::node_at(&checker.root(), range) else {
        return false;
    };
    // A condition that is a word is a candidate of the conditional around it.
    let around = node.parent().into_iter();
    let nodes = around.chain(node.descendants());
    let inside = nodes.flat_map(|it| candidates(&it));
    let inside = inside.filter(|it| range.contains_range(it.syntax().text_range()));
    !words_in(checker, inside).is_empty()
}

/// Checks whether the rule reports the title of a reference.
pub(super) fn reports_title(checker: &Checker<'_>, title: TextRange) -> bool {
    let expr = expr_at(&checker.root(), title).into_iter();
    !words_in(checker, expr).is_empty()
}

/// Checks whether the rule reports the subject of the case or selector around an option.
pub(super) fn reports_subject_of(checker: &Checker<'_>, option: TextRange) -> bool {
    let node = crate::fixes::node_at(&checker.root(), option);
    let mut around = node.iter().flat_map(SyntaxNode::ancestors);
    let subject = around.find_map(|it| match CaseExpr::cast(it.clone()) {
        Some(it) => it.subject(),
        None => SelectorExpr::cast(it).and_then(|it| it.subject()),
    });
    subject.is_some_and(|it| match it {
        Expr::QualifiedName(it) => meant_variable(checker, &it).is_some(),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::BARE_WORD;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_words_that_are_meant_to_be_variables() {
        let code = "class m ($mode, Array $list) { if mode == 'a' or 'b' != mode { } \
                    list.each |$x| { $y = x ? { 1 => 2, default => 3 } } }";
        let expected = ["mode", "mode", "list", "x"]
            .map(|it| format!("`{it}`: `{it}` is a string: did you mean `${it}`?"));
        assert_eq!(reported(&BARE_WORD, code), expected);
        assert_eq!(
            fixes(&BARE_WORD, code),
            ["mode", "mode", "list", "x"].map(|it| format!("Replace with `${it}`"))
        );
    }

    #[test]
    fn reports_words_that_are_meant_to_be_facts() {
        let code = "class m { case osfamily { 'RedHat': { } default: { } } $x = virtual ? { 'kvm' => 1, default => 2 } \
                    if kernel == 'Linux' and is_virtual { } $y = { kernel => kernel, a => hostname } }";
        assert_eq!(
            reported(&BARE_WORD, code),
            [
                "`osfamily`: `osfamily` is a string: did you mean `$facts['os']['family']`?",
                "`virtual`: `virtual` is a string: did you mean `$facts['virtual']`?",
                "`kernel`: `kernel` is a string: did you mean `$facts['kernel']`?",
                "`is_virtual`: `is_virtual` is a string: did you mean `$facts['is_virtual']`?",
            ]
        );
    }

    #[test]
    fn reports_values_that_repeat_their_name() {
        let code = "class m ($owner, $mode, $port) { file { '/a': owner => owner, mode => $mode, group => owner } \
                    $x = { port => port, 'mode' => mode, 'a' => a, b => port } }";
        assert_eq!(
            reported(&BARE_WORD, code),
            ["owner", "port", "mode"]
                .map(|it| format!("`{it}`: `{it}` is a string: did you mean `${it}`?"))
        );
    }

    #[test]
    fn reports_words_in_references() {
        let code = "class m ($name, String $path) { package { $name: } \
                    service { 'a': require => [Package[name], file[$path]] } }";
        assert_eq!(
            reported(&BARE_WORD, code),
            [
                "`name`: `name` is a string: did you mean `$name`?",
                "`file`: `file` is a string: did you mean `File`?"
            ]
        );
        let code = "class m ($nginx, Integer $i) { package { 'nginx': } $x = file[$i] \
                    service { 'a': require => [Package[nginx], Class[nginx], File[other]] } }";
        let found = reported(&BARE_WORD, code);
        assert!(found.iter().all(|it| !it.contains("nginx")), "{found:?}");
    }

    #[test]
    fn reports_words_that_are_assigned() {
        let code = "class m ($port) { $x = port $y = present $port2 = port2 }";
        assert_eq!(
            reported(&BARE_WORD, code),
            ["`port`: `port` is a string: did you mean `$port`?"]
        );
    }

    #[test]
    fn reports_data_types_in_lower_case() {
        let code = "class m ($x) { if $x =~ string or $x !~ integer { notice($x) } \
                    if $x =~ String or $x =~ abc or $x =~ 'string' or $x == string { notice(1) } }";
        assert_eq!(
            reported(&BARE_WORD, code),
            [
                "`string`: `string` is a string: did you mean `String`?",
                "`integer`: `integer` is a string: did you mean `Integer`?"
            ]
        );
    }

    #[test]
    fn ignores_words_that_are_strings() {
        let code = "class m ($mode, $present) { if $mode == present { } notice(mode) \
                    file { '/a': ensure => present } case other { 'a': { } default: { } } \
                    File <| mode == 'a' and tag != 'b' |> { mode => 'b' } }";
        assert_eq!(reported(&BARE_WORD, code), [""; 0]);
    }
}
