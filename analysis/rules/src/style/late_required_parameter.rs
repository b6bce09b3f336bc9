use rustc_hash::FxHashMap;
use syntax::ast::{AstNode, Definition, Expr, HasParameters, Parameter};
use syntax::{Applicability, Edit};

use crate::checker::FileChecker;
use crate::list_order::{all_moved_to_front, moved_to_front};
use crate::parameter_docs::{DocumentedParameter, comments_above, documented_parameters};
use crate::rule::{Check, Rule, declare_rule};
use crate::suppressions::lint_comments::block_change;

/// The number of parameters of a definition whose moves are offered one by one: each takes time proportional to the
/// length of the list.
const MAX_SINGLE: usize = 20;

declare_rule! {
    /// Reports required parameters of classes and defined types that follow optional ones.
    ///
    /// ## What it does
    ///
    /// Checks the order of the parameters: those without a default come first.
    ///
    /// ## Why it matters
    ///
    /// Readers see at the start of the list which parameters they must set.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Integer $port = 80,
    ///   String  $host, # <-
    /// ) {
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   String  $host,
    ///   Integer $port = 80,
    /// ) {
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Parameters of the type `Optional`, even if they lack a default.
    /// * Functions and lambdas, which `parameter-order` checks: Puppet rejects them.
    ///
    /// ## Fix
    ///
    /// Safe: moves the parameter with its type and its comments before the first optional one, unless it would enter
    /// or leave the lines between `# lint:ignore:…` and `# lint:endignore`. Its `@param` tag moves too, if the tags
    /// are in the order of the parameters. The fix of the first of several such parameters moves all of them.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[late-required-parameter]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// late-required-parameter = "warning"
    /// ```
    pub(crate) static LATE_REQUIRED_PARAMETER = {
        code: "late-required-parameter",
        puppet_lint: ["parameter_order"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check)],
    }
}

fn check(checker: &mut FileChecker<'_>) {
    for definition in Definition::all_in(&checker.root()) {
        let parameters = match &definition {
            Definition::ClassDefinition(it) => it.parameters(),
            Definition::DefineDefinition(it) => it.parameters(),
            _ => continue,
        };
        check_parameters(checker, &definition, &parameters);
    }
}

fn check_parameters(
    checker: &mut FileChecker<'_>,
    definition: &Definition,
    parameters: &[Parameter],
) {
    let Some(first) = parameters.iter().position(|it| it.default().is_some()) else {
        return;
    };
    let all = parameters.iter().enumerate().skip(first);
    let late: Vec<usize> = all
        .filter_map(|(index, it)| is_required(it).then_some(index))
        .collect();
    let Some(last) = late.last().copied() else {
        return;
    };
    let documentation = Documentation::of(definition, parameters);
    let slots: Vec<_> = parameters[first..=last]
        .iter()
        .map(AstNode::syntax)
        .collect();
    for (number, index) in late.iter().copied().enumerate() {
        let parameter = &parameters[index];
        let name = parameter.name().unwrap_or_default();
        let message =
            format!("required parameter `${name}` should precede the optional parameters");
        let range = parameter.syntax().text_range();
        checker.report(&LATE_REQUIRED_PARAMETER, range, message);
        if number == 0 && late.len() > 1 {
            let moved = |it: usize| late.binary_search(&(first + it)).is_ok();
            if let Some(moved) = all_moved_to_front(&slots, moved) {
                let mut edits = documentation.moved(checker.text, first, &late);
                edits.extend(moved);
                let label = "Move all required parameters before the optional ones";
                checker.fix(label, Applicability::Safe, edits);
                continue;
            }
        }
        let moved = (number < MAX_SINGLE).then(|| moved_to_front(&slots[..=index - first]));
        if let Some(moved) = moved.flatten() {
            let mut edits = documentation.moved(checker.text, first, &[index]);
            edits.extend(moved);
            let label = format!("Move `${name}` before the optional parameters");
            checker.fix(&label, Applicability::Safe, edits);
        }
    }
}

/// Checks whether a parameter needs a value.
fn is_required(parameter: &Parameter) -> bool {
    parameter.default().is_none()
        && parameter.name().is_some()
        && !accepts_undef(parameter)
        && !parameter.captures_rest()
}

/// The documentation of the parameters of a definition.
struct Documentation {
    /// The documented parameters, in source order; empty if the order is not that of the parameters.
    places: Vec<DocumentedParameter>,
    /// The index of the parameter of each place.
    order: Vec<usize>,
}

impl Documentation {
    fn of(definition: &Definition, parameters: &[Parameter]) -> Documentation {
        let names: Vec<String> = parameters.iter().filter_map(Parameter::name).collect();
        let mut indices: FxHashMap<&str, usize> = FxHashMap::default();
        for (index, name) in names.iter().enumerate() {
            indices.entry(name).or_insert(index);
        }
        let mut places = documented_parameters(definition, &names);
        let order = places.iter().map(|it| indices.get(&*it.name).copied());
        let order: Option<Vec<usize>> = order.collect();
        let mut order = order.unwrap_or_default();
        let has_commands = comments_above(definition)
            .iter()
            .any(|it| block_change(it).is_some());
        if has_commands || !order.is_sorted_by(|a, b| a < b) {
            order.clear();
        }
        places.truncate(order.len());
        Documentation { places, order }
    }

    /// Returns the edits that move the documentation of parameters before that of the others from `first` on.
    fn moved(&self, text: &str, first: usize, moved: &[usize]) -> Vec<Edit> {
        let start = self.order.partition_point(|it| *it < first);
        let is_moved = |it: &usize| moved.binary_search(&self.order[*it]).is_ok();
        let last = (start..self.places.len()).rev().find(is_moved);
        let Some(last) = last else {
            return Vec::new();
        };
        let (moved, others): (Vec<usize>, Vec<usize>) = (start..=last).partition(is_moved);
        let texts = moved.iter().chain(&others).map(|it| &self.places[*it]);
        let edits = self.places[start..=last].iter().zip(texts);
        let edits = edits.filter(|(place, from)| place.range != from.range);
        let edit = |(place, from): (&DocumentedParameter, &DocumentedParameter)| Edit {
            range: place.range,
            text: text[std::ops::Range::<usize>::from(from.range)].to_owned(),
        };
        edits.map(edit).collect()
    }
}

/// Checks whether the type of a parameter is written as `Optional`.
fn accepts_undef(parameter: &Parameter) -> bool {
    let type_ = match parameter.type_expr() {
        Some(Expr::AccessExpr(it)) => it.base(),
        other => other,
    };
    matches!(type_, Some(Expr::QualifiedReference(it)) if it.text() == "Optional")
}

#[cfg(test)]
mod tests {
    use super::LATE_REQUIRED_PARAMETER;
    use crate::testing::{fixed, fixed_first, reported};

    #[test]
    fn reports_required_parameters_after_optional_ones() {
        let code = "class m ($a = 1, String $b, $c = $b, $d) { }";
        assert_eq!(
            reported(&LATE_REQUIRED_PARAMETER, code),
            [
                "`String $b`: required parameter `$b` should precede the optional parameters",
                "`$d`: required parameter `$d` should precede the optional parameters",
            ]
        );
        let code = "define m::d ($a, Hash $b = { 'x' => 1 }, $c) { }";
        assert_eq!(reported(&LATE_REQUIRED_PARAMETER, code).len(), 1);
    }

    #[test]
    fn ignores_other_orders() {
        for code in [
            "class m ($a, $b = 1) { }",
            "class m ($p = $m::params::p) inherits m::params { }",
            "class m ($p = $p) { }",
            "class m ($a = { 'x' => 1, 'y' => 2 }, $b = [1, 2]) { }",
            "class m ($a = 1, Optional[String] $b) { }",
            "class m ($a = 1, Optional $b) { }",
            "function m::f($a = 1, $b) { $a }",
            "class m { [1].each |$a = 1, $b| { } }",
            "class m { }",
            "class m ($a = f($b, 2), $c = 1) { }",
        ] {
            assert_eq!(reported(&LATE_REQUIRED_PARAMETER, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn moves_parameters_with_their_types() {
        let code = "class m (\n  Integer $a = 1,\n  $b = [\n    1,\n  ],\n  String  $c,\n) { }\n";
        let expected =
            "class m (\n  String  $c,\n  Integer $a = 1,\n  $b = [\n    1,\n  ],\n) { }\n";
        assert_eq!(fixed(&LATE_REQUIRED_PARAMETER, code), expected);
        let line = "class m ($a = 1, $b = 2, $c) { }";
        let expected = "class m ($c, $a = 1, $b = 2) { }";
        assert_eq!(fixed(&LATE_REQUIRED_PARAMETER, line), expected);
    }

    #[test]
    fn keeps_the_lines_of_other_parameters() {
        for (code, expected) in [
            (
                "class m (\n  $z = 1,\n  Integer $q = 2, $r,\n) { }\n",
                "class m (\n  $r,\n  $z = 1,\n  Integer $q = 2,\n) { }\n",
            ),
            (
                "class m (\n  $z = 1,\n  $r, $q = 2,\n) { }\n",
                "class m (\n  $r,\n  $z = 1,\n  $q = 2,\n) { }\n",
            ),
            (
                "class m (\n  $y = 1, $z = 1,\n  # The r\n  $r, # one\n) { }\n",
                "class m (\n  # The r\n  $r, # one\n  $y = 1, $z = 1,\n) { }\n",
            ),
            (
                "class m (\n  # The z\n  $z = 1, # one\n  $q = 2, $r,\n) { }\n",
                "class m (\n  $r,\n  # The z\n  $z = 1, # one\n  $q = 2,\n) { }\n",
            ),
            (
                "class m (\n  # The z\n  $z = 1, $r,\n) { }\n",
                "class m (\n  $r,\n  # The z\n  $z = 1,\n) { }\n",
            ),
            (
                "class m (\n  $z = 1, # one\n  $q = 2, /* r */ $r,\n) { }\n",
                "class m (\n  $z = 1, # one\n  $q = 2, /* r */ $r,\n) { }\n",
            ),
            (
                "class m ($z = 1,\n  $y = 2, $q = 2,\n  $r) { }\n",
                "class m ($r, $z = 1,\n  $y = 2, $q = 2) { }\n",
            ),
            (
                "class m (\r\n  $z = 1,\r\n  $q = 2, $r\r\n) { }\r\n",
                "class m (\r\n  $r,\r\n  $z = 1,\r\n  $q = 2\r\n) { }\r\n",
            ),
            (
                "class m ($z = 1,\n  $r) { }\n",
                "class m ($r,\n  $z = 1) { }\n",
            ),
        ] {
            assert_eq!(fixed(&LATE_REQUIRED_PARAMETER, code), expected);
        }
    }

    #[test]
    fn moves_parameters_with_their_comments() {
        let code = "class m (\n  # The a\n  $a = 1, # one\n\n  # The c\n  $c # two\n) { }\n";
        let expected = "class m (\n\n  # The c\n  $c, # two\n  # The a\n  $a = 1, # one\n) { }\n";
        assert_eq!(fixed(&LATE_REQUIRED_PARAMETER, code), expected);
        let same_line = "class m ($a = 1, # one\n  $c) { }\n";
        assert_eq!(fixed(&LATE_REQUIRED_PARAMETER, same_line), same_line);
    }

    #[test]
    fn moves_documentation_with_its_parameter() {
        let code = "# The m.\n#\n# @param a\n#   The a\n#\n# @param b The b\n#   and more\n# @param c\n# @example\n#   c\nclass m ($a = 1, $b = 2, $c) { }\n";
        let expected = "# The m.\n#\n# @param c\n#\n# @param a\n#   The a\n# @param b The b\n#   and more\n# @example\n#   c\nclass m ($c, $a = 1, $b = 2) { }\n";
        assert_eq!(fixed(&LATE_REQUIRED_PARAMETER, code), expected);
        let code = "# [*a*]\n#   The a\n# [*c*]\n#   The c\nclass m ($a = 1, $b = 2, $c) { }\n";
        let expected = "# [*c*]\n#   The c\n# [*a*]\n#   The a\nclass m ($c, $a = 1, $b = 2) { }\n";
        assert_eq!(fixed(&LATE_REQUIRED_PARAMETER, code), expected);
        for comment in [
            "# @param c\n# @param a\n",
            "# @param a\n# @param b\n",
            "# @param a\n# @param d\n# @param c\n",
        ] {
            let code = format!("{comment}class m ($a = 1, $b = 2, $c) {{ }}\n");
            let expected = format!("{comment}class m ($c, $a = 1, $b = 2) {{ }}\n");
            assert_eq!(fixed(&LATE_REQUIRED_PARAMETER, &code), expected);
        }
    }

    #[test]
    fn moves_many_parameters_at_once() {
        for (before, after, end) in [
            ("\n  ", ",", "\n"),
            ("\n  # One\n  ", ", # two", "\n"),
            (" ", ",", " "),
        ] {
            let element = |it: usize| match it % 2 {
                0 => format!("{before}$p{it} = 1{after}"),
                _ => format!("{before}$p{it}{after}"),
            };
            let tag = |it: usize| format!("# @param p{it}\n#   The {it}\n");
            let code = |order: &[usize]| {
                let tags: String = order.iter().copied().map(tag).collect();
                let elements: String = order.iter().copied().map(element).collect();
                format!("{tags}class m ({elements}{end}) {{ }}\n")
            };
            let count = 2 * super::MAX_SINGLE + 2;
            let late = (0..count).filter(|it| it % 2 == 1);
            let moved: Vec<usize> = late.chain((0..count).filter(|it| it % 2 == 0)).collect();
            let source = code(&(0..count).collect::<Vec<_>>());
            let reported = reported(&LATE_REQUIRED_PARAMETER, &source);
            assert_eq!(reported.len(), count / 2);
            assert_eq!(fixed_first(&LATE_REQUIRED_PARAMETER, &source), code(&moved));
        }
    }

    #[test]
    fn leaves_comments_around_suppressed_lines_in_place() {
        for code in [
            "class m (\n  # lint:ignore:140chars\n  $a = 1,\n  # lint:endignore\n  $b,\n) { }\n",
            "class m (\n  $a = 1,\n  # lint:ignore:140chars\n  $b,\n  # lint:endignore\n) { }\n",
            "class m (\n  $a = 1,\n  # lint:ignore:140chars\n  $c = 1,\n  $b, # lint:endignore\n) { }\n",
        ] {
            assert_eq!(reported(&LATE_REQUIRED_PARAMETER, code).len(), 1, "{code}");
            assert_eq!(fixed(&LATE_REQUIRED_PARAMETER, code), code);
        }
        for (code, expected) in [
            (
                "class m (\n  # lint:ignore:140chars\n  # The a\n  $a = 1,\n  # The b\n  $b,\n  # lint:endignore\n) { }\n",
                "class m (\n  # lint:ignore:140chars\n  # The b\n  $b,\n  # The a\n  $a = 1,\n  # lint:endignore\n) { }\n",
            ),
            (
                "class m (\n  # lint:ignore:140chars\n  # lint:endignore\n  $a = 1,\n  # lint:ignore:140chars\n  $c = 1,\n  # lint:endignore\n  $d = 1,\n  # The b\n  $b,\n) { }\n",
                "class m (\n  # lint:ignore:140chars\n  # lint:endignore\n  # The b\n  $b,\n  $a = 1,\n  # lint:ignore:140chars\n  $c = 1,\n  # lint:endignore\n  $d = 1,\n) { }\n",
            ),
        ] {
            assert_eq!(fixed(&LATE_REQUIRED_PARAMETER, code), expected);
        }
    }
}
