use base::suggest::hint;
use hir::ItemKind;
use hir::autoload::NameKey;
use hir::body::ReferenceName;
use infer::{TypeProblem, TypeProblemKind, type_alias_error};
use syntax::ast::{AccessExpr, AstNode, Definition, Expr, Parameter};
use syntax::{Fix, SyntaxKind, SyntaxNode, TextRange};
use types::reader::{BuiltInTypes, read_expression};
use types::{DATA_TYPES, Refused};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports types that Puppet cannot construct.
    ///
    /// ## What it does
    ///
    /// Checks the parameters of types, wherever they are written: their number, their kinds, the
    /// bounds of ranges and regular expressions. Type aliases are checked as well, also for
    /// definitions that consist only of the alias itself, directly or through other aliases.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails as soon as the type is used, for example when the class with such a
    /// parameter is declared.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Integer[65535, 1]           $port    = 80, # <-
    ///   Hash[String]                $options = {}, # <-
    ///   Optional[Integer, String]   $value   = undef, # <-
    ///   Array[1, String]            $names   = [], # <-
    ///   Optional[enum['a', 'b']]    $mode    = undef, # <-
    /// ) {
    ///   if $names =~ Array['String'] { # <-
    ///     notice($port, $options, $value, $mode)
    ///   }
    /// }
    /// # file: types/tree.pp
    /// type Example::Tree = Variant[Example::Tree] # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Integer[1, 65535]                  $port    = 80,
    ///   Hash[String, Any]                  $options = {},
    ///   Optional[Variant[Integer, String]] $value   = undef,
    ///   Array[String, 1]                   $names   = ['a'],
    ///   Optional[Enum['a', 'b']]           $mode    = undef,
    /// ) {
    ///   if $names =~ Array[String] {
    ///     notice($port, $options, $value, $mode)
    ///   }
    /// }
    /// # file: types/tree.pp
    /// type Example::Tree = Variant[String, Array[Example::Tree]]
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Parameters whose values are not known.
    /// * Types with unknown names, which `unknown-type` reports.
    ///
    /// ## Fix
    ///
    /// Suggested: corrects the case of the name of a data type. Otherwise, the intended type is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-type]` at the end of the line, or on a line of its own above it.
    /// To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-type = "off"
    /// ```
    pub(crate) static INVALID_TYPE = {
        code: "invalid-type",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Problem(check),
            Check::Item(check_alias),
            Check::Node(&[SyntaxKind::PARAMETER], check_words),
        ],
    }
}

/// Reports the name of a data type in lower case inside of the type of a parameter: for Puppet, it is a string, which has
/// no such element.
fn check_words(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(type_) = Parameter::cast(node.clone()).and_then(|it| it.type_expr()) else {
        return;
    };
    for access in type_.syntax().descendants().filter_map(AccessExpr::cast) {
        let Some(Expr::QualifiedName(word)) = access.base() else {
            continue;
        };
        let text = word.text();
        let is_meant = |it: &&str| it.eq_ignore_ascii_case(&text);
        let meant = DATA_TYPES.into_iter().find(is_meant);
        let range = word.syntax().text_range();
        let message = format!(
            "expected a data type, found the string `{text}`{}",
            hint(meant)
        );
        checker.report(&INVALID_TYPE, range, message);
        if let Some(meant) = meant {
            let label = format!("Replace with `{meant}`");
            checker.fix(Some(Fix::suggested(label, range, meant.to_owned())));
        }
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if let TypeProblemKind::InvalidType { message } = &problem.kind {
        checker.report_problem(&INVALID_TYPE, problem, message.clone());
    }
}

fn check_alias(checker: &mut Checker<'_>) {
    if checker.item.kind(checker.db) != ItemKind::TypeAlias {
        return;
    }
    let name = checker.item.name(checker.db).clone();
    let Some(message) = error_of(checker, &name) else {
        return;
    };
    // The mistake is in another alias, unless all of them are in the same circle.
    let is_endless = message.ends_with("cannot be resolved to a real type");
    if !is_endless && is_in_another(checker) {
        return;
    }
    if let Some(definition) = definition(checker) {
        let range = wrong_part(&definition, &message);
        checker.report(&INVALID_TYPE, range, message);
    }
}

/// Returns the innermost type that Puppet rejects for this reason, or the whole definition.
fn wrong_part(definition: &Expr, message: &str) -> TextRange {
    let parts = definition.syntax().descendants().filter_map(Expr::cast);
    let wrong = parts.filter(|it| {
        let read = matches!(it, Expr::AccessExpr(_)).then(|| read_expression(it, &BuiltInTypes));
        matches!(read, Some(Err(Refused::Wrong(found))) if found == message)
    });
    let innermost = wrong.min_by_key(|it| it.syntax().text_range().len());
    let range = innermost.map(|it| {
        let key = wrong_key(&it, message);
        key.unwrap_or_else(|| it.syntax().text_range())
    });
    range.unwrap_or_else(|| definition.syntax().text_range())
}

/// Returns the parameter of a type that Puppet rejects even if it is the only one.
fn wrong_key(type_: &Expr, message: &str) -> Option<TextRange> {
    let Expr::AccessExpr(access) = type_ else {
        return None;
    };
    let base = access.base()?;
    let is_wrong = |key: &&Expr| {
        let text = format!("{}[{}]", base.syntax().text(), key.syntax().text());
        let parse = syntax::parse(&text, syntax::Dialect::default());
        let root = parse.tree().syntax().clone();
        let single = root.descendants().find_map(AccessExpr::cast);
        let read = single.map(|it| read_expression(&Expr::AccessExpr(it), &BuiltInTypes));
        matches!(read, Some(Err(Refused::Wrong(found))) if found == message)
    };
    let keys = access.keys();
    let wrong = keys.iter().find(is_wrong).filter(|_| keys.len() > 1)?;
    Some(wrong.syntax().text_range())
}

fn error_of(checker: &Checker<'_>, name: &str) -> Option<String> {
    let key = NameKey::new(checker.db, name.to_owned());
    type_alias_error(checker.db, checker.environment, key).clone()
}

/// Checks whether an alias that the definition refers to is invalid itself.
fn is_in_another(checker: &Checker<'_>) -> bool {
    let mut references = checker.body.references.iter();
    references.any(|it| match &it.name {
        ReferenceName::Type(name) => error_of(checker, &hir::canonical_name(name)).is_some(),
        _ => false,
    })
}

fn definition(checker: &Checker<'_>) -> Option<Expr> {
    match Definition::cast(checker.root())? {
        Definition::TypeAlias(alias) => alias.type_expr(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::INVALID_TYPE;
    use crate::testing::reported;

    #[test]
    fn reports_parameters_that_types_do_not_take() {
        let code = "class m (Integer[5, 1] $a) { \
                    if $a =~ Enum[5] or $a =~ String[1, 2, 3] { [1].each |Array[1] $b| { } } }";
        assert_eq!(
            reported(&INVALID_TYPE, code),
            [
                "`Integer[5, 1]`: empty range: the lower bound is greater than the upper bound",
                "`5`: invalid parameter of `Enum`: expected a string, found `Integer`",
                "`String[1, 2, 3]`: `String` expects 1 or 2 parameters, found 3",
                "`1`: invalid parameter of `Array`: expected a type, found `Integer`",
            ]
        );
    }

    #[test]
    fn reports_the_wrong_part_of_an_alias() {
        let code = "//- modules/m/types/a.pp\ntype M::A = Variant[\n  Integer[255, 0],\n  M::B,\n]\n\
                    //- modules/m/types/b.pp\ntype M::B = String\n";
        assert_eq!(
            reported(&INVALID_TYPE, code),
            ["`Integer[255, 0]`: empty range: the lower bound is greater than the upper bound"]
        );
    }

    #[test]
    fn reports_aliases_of_themselves() {
        let code = "//- modules/m/types/a.pp\ntype M::A = M::B\n\
                    //- modules/m/types/b.pp\ntype M::B = Variant[M::A]\n\
                    //- modules/m/types/c.pp\ntype M::C = Array[M::C]\n";
        assert_eq!(reported(&INVALID_TYPE, code).len(), 2);
    }

    #[test]
    fn ignores_valid_and_unknown_types() {
        let code = "class m ($n, Optional['a'] $a, Tuple[String, 1, default] $b) { \
                    if $a =~ Integer[$n, 5] or $a =~ M::Unknown[1] or $a =~ Array[1, 2] { } }";
        assert_eq!(reported(&INVALID_TYPE, code), [""; 0]);
    }

    #[test]
    fn reports_names_of_types_in_lower_case_inside_of_types() {
        let check = |type_: &str| {
            let code = format!("class m ({type_} $x = undef) {{ }}");
            reported(&INVALID_TYPE, &code)
        };
        let message = "`enum`: expected a data type, found the string `enum`; did you mean `Enum`?";
        for type_ in [
            "Optional[enum['a', 'b']]",
            "Array[Variant[String, enum['a']]]",
        ] {
            assert_eq!(check(type_), [message], "{type_}");
        }
        for type_ in [
            "Optional[Enum[a, b]]",
            "Optional[enum]",
            "Struct[{ enum => Array[Integer] }]",
        ] {
            assert_eq!(check(type_), [""; 0], "{type_}");
        }
    }

    #[test]
    fn finds_the_wrong_parameter_of_an_alias() {
        let check = |type_: &str| {
            let code = format!("//- modules/m/types/a.pp\ntype M::A = {type_}\n");
            let found = reported(&INVALID_TYPE, &code);
            found.into_iter().next().unwrap_or_default()
        };
        assert!(check("Enum['a', 1, 'b']").starts_with("`1`"));
        assert!(check("Optional[Enum['a', 2]]").starts_with("`2`"));
        assert!(check("Integer[5, 1]").starts_with("`Integer[5, 1]`"));
        assert_eq!(check("Enum['a', 'b']"), "");
    }
}
