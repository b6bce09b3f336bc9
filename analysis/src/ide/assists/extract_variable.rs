//! A variable for the selected expression, on a line before the statement; in a tag of its own before
//! one that renders it.
//!
//! Nothing but the name may change: the expression is evaluated exactly when it was, or cannot
//! fail and says the same whenever it is.

use syntax::ast::{AstNode, BinaryExpr, CaseExpr, Expr, Parameter, SelectorEntry, UnaryExpr};
use syntax::{SyntaxKind, SyntaxNode};

use super::expressions::{
    calls_out, has, is_block, is_constant, is_scattered, may_capture, may_continue, reads_captures,
    reads_elsewhere, starts_bare, text_of,
};
use super::new_name::new_name;
use super::{AssistKind, Context, Offers, insert, replace};

const ID: &str = "extract-variable";
const KIND: AssistKind = AssistKind::Extract;

pub(super) fn offer(cx: &Context<'_>, offers: &mut Offers<'_>) {
    let Some(expr) = selected(cx) else {
        return;
    };
    let Some(item) = cx.item_at(expr.syntax().text_range()) else {
        return;
    };
    let title = "Extract a variable";
    match place(cx, &expr) {
        Ok(statement) => {
            let Some(name) = new_name(cx, item, &expr) else {
                return;
            };
            let title = format!("Extract `${name}`");
            offers.add(ID, title, KIND, || {
                let node = expr.syntax();
                let start = statement.text_range().start();
                let (indent, end) = (cx.indent(start), cx.line_break());
                let value = match &expr {
                    // A bare word may be taken for a call of what is behind it.
                    Expr::QualifiedName(it) => format!("'{}'", it.text()),
                    _ => text_of(node),
                };
                let text = match statement.kind() {
                    // What stands in such a tag leaves no trace in the result.
                    SyntaxKind::RENDER_EXPR => format!("<% ${name} = {value} %>"),
                    _ => format!("${name} = {value}{end}{indent}"),
                };
                // In `${…}`, a name at the start needs no dollar sign.
                let use_ = match starts_bare(node) {
                    true => name,
                    false => format!("${name}"),
                };
                vec![insert(start, text), replace(node.text_range(), use_)]
            });
        }
        Err(Some(reason)) => offers.refuse(ID, title, KIND, reason),
        Err(None) => {}
    }
}

/// The expression that is exactly what is selected, if a variable can stand for it.
fn selected(cx: &Context<'_>) -> Option<Expr> {
    if cx.range.is_empty() {
        return None;
    }
    let element = cx.root.covering_element(cx.range);
    let node = element.as_node().cloned().or_else(|| element.parent())?;
    let same = |it: &SyntaxNode| it.text_range() == cx.range;
    let around = node.ancestors().take_while(same);
    let expr = around.filter_map(Expr::cast).last()?;
    (is_value(&expr) && is_value_place(expr.syntax())).then_some(expr)
}

/// Whether an expression is a value that is worth a name.
fn is_value(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(it) => it.token().is_some_and(|it| {
            matches!(
                it.kind(),
                SyntaxKind::NUMBER | SyntaxKind::TRUE_KW | SyntaxKind::FALSE_KW | SyntaxKind::REGEX
            )
        }),
        Expr::CallExpr(it) => !it.is_statement_call(),
        Expr::UnaryExpr(it) => {
            let operator = UnaryExpr::operator(it);
            operator.is_some_and(|it| it.kind() != SyntaxKind::STAR)
        }
        Expr::StringLiteral(_)
        | Expr::InterpolatedString(_)
        | Expr::QualifiedName(_)
        | Expr::ArrayExpr(_)
        | Expr::HashExpr(_)
        | Expr::BinaryExpr(_)
        | Expr::ParenExpr(_)
        | Expr::AccessExpr(_)
        | Expr::MethodCall(_)
        | Expr::SelectorExpr(_) => true,
        _ => false,
    }
}

/// Whether a place takes a value: it is not a name, a type, or what is assigned to.
fn is_value_place(node: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let Some(parent) = node.parent() else {
        return false;
    };
    let is_first = parent.children().next().as_ref() == Some(node);
    match parent.kind() {
        ATTRIBUTE | ATTRIBUTE_SPLAT | HASH_ENTRY | ARRAY | ARGUMENT_LIST | ACCESS_KEYS
        | PAREN_EXPR | BINARY_EXPR | UNARY_EXPR | INTERPOLATION | SELECTOR_EXPR
        | SELECTOR_ENTRY | CASE_EXPR | CASE_OPTION | RESOURCE_BODY | METHOD_CALL | IF_EXPR
        | UNLESS_EXPR | BLOCK | RENDER_EXPR => true,
        ASSIGNMENT => !is_first,
        PARAMETER => {
            let default = Parameter::cast(parent).and_then(|it| it.default());
            default.is_some_and(|it| it.syntax() == node)
        }
        // `File['x']` is a type with a title, `foo['x']` an error.
        ACCESS_EXPR => !matches!(node.kind(), QUALIFIED_NAME | QUALIFIED_REFERENCE),
        _ => false,
    }
}

/// The statement that the variable is assigned before; else why there is none, if it is worth
/// telling.
fn place(cx: &Context<'_>, expr: &Expr) -> Result<SyntaxNode, Option<String>> {
    let node = expr.syntax();
    let refuse = |reason: &str| Err(Some(reason.to_owned()));
    let constant = is_constant(expr);
    let mut at = node.clone();
    loop {
        let Some(parent) = at.parent() else {
            return Err(None);
        };
        if is_block(parent.kind()) {
            break;
        }
        match step(&at, &parent) {
            Step::Always => {}
            Step::Maybe if constant => {}
            Step::Maybe => return refuse("it is not always evaluated where it stands"),
            Step::Elsewhere(reason) => return refuse(reason),
            Step::Never => return Err(None),
        }
        at = parent;
    }
    if at == *node && !gives_result(node) {
        return Err(None);
    }
    if is_scattered(node) || has(&at, |it| it == SyntaxKind::ERROR) {
        return refuse("its text is not in one piece");
    }
    // The lines of a heredoc begin behind the line of its tag.
    let line_has_tag = !cx.is_first_on_line(at.text_range().start())
        && cx.text[..usize::from(at.text_range().start())]
            .rsplit('\n')
            .next()
            .is_some_and(|it| it.contains("@("));
    if line_has_tag {
        return refuse("its text is not in one piece");
    }
    if at.first_token().is_some_and(|it| may_continue(it.kind())) {
        return refuse("the statement would be taken for more of the new value");
    }
    if !constant {
        independent(node, &at)?;
    }
    Ok(at)
}

/// Whether and when a part of an expression is evaluated.
enum Step {
    Always,
    Maybe,
    /// No assignment can stand before it, and why.
    Elsewhere(&'static str),
    Never,
}

fn step(child: &SyntaxNode, parent: &SyntaxNode) -> Step {
    use SyntaxKind::*;
    let is_first = parent.children().next().as_ref() == Some(child);
    let maybe = |always: bool| if always { Step::Always } else { Step::Maybe };
    match parent.kind() {
        PARAMETER | EPP_PARAMETERS => Step::Elsewhere("a default has no line before it"),
        TYPE_ALIAS | TYPE_MAPPING | TYPE_DEFINITION | RETURN_TYPE | HOST_NAME | COLLECT_QUERY
        | DEFINITION_NAME | ERROR => Step::Never,
        HEREDOC_BODY => Step::Elsewhere("the lines of a heredoc stand by themselves"),
        BINARY_EXPR => {
            let operator = BinaryExpr::cast(parent.clone()).and_then(|it| it.operator());
            let stops = operator.is_some_and(|it| matches!(it.kind(), AND_KW | OR_KW));
            maybe(is_first || !stops)
        }
        SELECTOR_EXPR => maybe(is_first),
        SELECTOR_ENTRY => maybe(is_first && is_first_entry(parent)),
        CASE_EXPR => maybe(is_first),
        CASE_OPTION => maybe(is_first && is_first_option(parent)),
        // Of `elsif`: whether it is looked at depends on what is before.
        ELSE_CLAUSE => Step::Maybe,
        // A `default:` body may say what no resource takes.
        _ => Step::Always,
    }
}

fn is_first_entry(entry: &SyntaxNode) -> bool {
    let before = entry.prev_sibling();
    before.is_none_or(|it| !SelectorEntry::can_cast(it.kind()))
}

fn is_first_option(option: &SyntaxNode) -> bool {
    let case = option.parent().and_then(CaseExpr::cast);
    let first = case.and_then(|it| it.options().next());
    first.is_some_and(|it| it.syntax() == option)
}

/// Whether a statement is what a lambda or function gives.
fn gives_result(statement: &SyntaxNode) -> bool {
    let Some(block) = statement.parent() else {
        return false;
    };
    let is_last = block.children().last().as_ref() == Some(statement);
    let owner = block.parent().map(|it| it.kind());
    let has_result = matches!(
        owner,
        Some(SyntaxKind::LAMBDA | SyntaxKind::FUNCTION_DEFINITION)
    );
    is_last && has_result
}

/// Whether an expression is the same before its statement as in the middle of it.
fn independent(node: &SyntaxNode, statement: &SyntaxNode) -> Result<(), Option<String>> {
    let refuse = |reason: &str| Err(Some(reason.to_owned()));
    let range = node.text_range();
    let assigns = |it: SyntaxNode| {
        let kind = it.kind();
        kind == SyntaxKind::ASSIGNMENT && it != *statement
    };
    if statement.descendants().any(assigns) {
        return refuse("the statement assigns something on the way");
    }
    let captures = |it: SyntaxNode| !range.contains_range(it.text_range()) && may_capture(&it);
    if reads_captures(node) && statement.descendants().any(captures) {
        return refuse("it reads what the statement captures");
    }
    let item = statement.ancestors().last();
    if may_capture(node) && item.is_some_and(|it| reads_captures(&it)) {
        return refuse("what it captures would be seen elsewhere");
    }
    // What is called before it may change what it finds.
    let depends = calls_out(node) || reads_elsewhere(node);
    let before = |it: &SyntaxNode| it.text_range().end() <= range.start();
    let mut earlier = statement.descendants().filter(before);
    if depends && earlier.any(|it| calls_out(&it)) {
        return refuse("what the statement calls before it may matter to it");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::ide::assists::testing::{NO_OTHERS, applied, applied_in, applied_with};

    const START: &str = "class m ($p, $q) {\n";

    fn extracted_in(template: &str) -> String {
        applied_in(
            "modules/m/templates/t.epp",
            "extract-variable",
            template,
            NO_OTHERS,
        )
    }

    fn extracted(code: &str) -> String {
        let found = applied("extract-variable", &format!("{START}{code}}}\n"));
        let inner = found.strip_prefix(START);
        let inner = inner.and_then(|it| it.strip_suffix("}\n"));
        inner.unwrap_or(&found).to_owned()
    }

    #[test]
    fn a_value_gets_a_name() {
        assert_eq!(
            extracted("  file { '/a':\n    content => <^>\"x ${p}\"<^>,\n  }\n"),
            "  $content = \"x ${p}\"\n  file { '/a':\n    content => $content,\n  }\n"
        );
        assert_eq!(
            extracted("  notice(<^> $p + 1 <^>)\n"),
            "  $value = $p + 1\n  notice( $value )\n"
        );
        assert_eq!(
            extracted("  notice(\"a ${<^>facts['os']['family']<^>} b\")\n"),
            "  $family = $facts['os']['family']\n  notice(\"a ${family} b\")\n"
        );
        assert_eq!(
            extracted("  notice(\"a ${<^>p['x']<^>['y']} b\")\n"),
            "  $x = $p['x']\n  notice(\"a ${x['y']} b\")\n"
        );
        assert_eq!(
            extracted("  notice(\"a ${[1, <^>$p['x']<^>]} b\")\n"),
            "  $x = $p['x']\n  notice(\"a ${[1, $x]} b\")\n"
        );
        assert_eq!(
            extracted("  $p.each |$i| { notice(<^>$i + 1<^>) }\n"),
            "  $p.each |$i| { $value = $i + 1\n  notice($value) }\n"
        );
        assert_eq!(
            extracted("  $x = $p.map |$i| {\n    <^>[$i]<^>\n  }\n  notice($x)\n"),
            "  $x = $p.map |$i| {\n    $value = [$i]\n    $value\n  }\n  notice($x)\n"
        );
        assert_eq!(
            extracted("  if <^>$p == 1<^> { notice(1) }\n"),
            "  $value = $p == 1\n  if $value { notice(1) }\n"
        );
    }

    #[test]
    fn a_template_renders_what_it_did() {
        assert_eq!(
            extracted_in("<%- | $p | -%>\na <%= <^>$p + 1<^> -%>\nb\n"),
            "<%- | $p | -%>\na <% $value = $p + 1 %><%= $value -%>\nb\n"
        );
        assert_eq!(
            extracted_in("<%- | $p | -%>\n<%= \"x ${<^>$p['a']<^>}\" %>\n"),
            "<%- | $p | -%>\n<% $a = $p['a'] %><%= \"x ${$a}\" %>\n"
        );
        assert_eq!(
            extracted_in("<%- | $p | -%>\n  <%- if <^>$p == 1<^> { -%>\n1\n  <%- } -%>\n"),
            "<%- | $p | -%>\n  <%- $value = $p == 1\n  if $value { -%>\n1\n  <%- } -%>\n"
        );
        assert_eq!(
            extracted_in("<%- | $p | -%>\n<% $p.each |$i| { %>a <%= <^>$i * 2<^> %><% } %>\n"),
            "<%- | $p | -%>\n<% $p.each |$i| { %>a <% $value = $i * 2 %><%= $value %><% } %>\n"
        );
        // What is taken in the template, by a parameter or by what it may see of its caller.
        assert_eq!(
            extracted_in("<%= $value %> <%= <^>$p + 1<^> %>\n"),
            "<%= $value %> <% $value_2 = $p + 1 %><%= $value_2 %>\n"
        );
        let default = extracted_in("<%- | $p = <^>[1]<^> | -%>\n<%= $p %>\n");
        assert!(default.contains("default"), "{default}");
    }

    #[test]
    fn what_is_not_always_evaluated_stays() {
        let reason = "it is not always evaluated where it stands";
        for code in [
            "  if $p and <^>$q + 1<^> { }\n",
            "  if $p { } elsif <^>$q + 1<^> { }\n",
            "  $x = $p ? { 1 => <^>$q + 1<^>, default => 2 }\n  notice($x)\n",
            "  case $p { 1: { } <^>$q + 1<^>: { } default: { } }\n",
        ] {
            assert_eq!(extracted(code), reason, "{code}");
        }
        assert_eq!(
            extracted("  $x = $p ? { 1 => <^>'a'<^>, default => 2 }\n  notice($x)\n"),
            "  $value = 'a'\n  $x = $p ? { 1 => $value, default => 2 }\n  notice($x)\n"
        );
        assert_eq!(
            extracted("  if $p {\n    notice(<^>$q + 1<^>)\n  }\n"),
            "  if $p {\n    $value = $q + 1\n    notice($value)\n  }\n"
        );
    }

    #[test]
    fn what_depends_on_the_statement_stays() {
        let reason = |code: &str| extracted(code);
        assert!(reason("  notice(include('a'), <^>$a::b<^>)\n").contains("none"));
        assert!(reason("  notice(include('a'), <^>[$a::b]<^>)\n").contains("may matter"));
        assert!(reason("  notice($x = 1, <^>$p + 1<^>)\n").contains("assigns something"));
        assert!(reason("  notice($p =~ /(x)/, <^>[$1]<^>)\n").contains("captures"));
        let later = "  if <^>$p =~ /(x)/<^> { notice($1) }\n";
        assert!(reason(later).contains("would be seen elsewhere"));
        let source = "class m ($p = <^>[1]<^>) { notice($p) }\n";
        assert!(applied("extract-variable", source).contains("default"));
    }

    #[test]
    fn a_statement_does_not_become_a_part_of_the_value() {
        let found = extracted("  $q.map |$i| {\n    - <^>2<^>\n  }\n");
        assert!(found.contains("more of the new value"), "{found}");
        assert_eq!(
            extracted("  notice(<^>present<^>)\n"),
            "  $value = 'present'\n  notice($value)\n"
        );
    }

    #[test]
    fn names_are_no_values() {
        for code in [
            "  <^>notice<^>(1)\n",
            "  <^>file<^> { '/a': }\n",
            "  File<^>['/a']<^> -> File['/b']\n",
            "  <^>notice(1)<^>\n",
            "  File <| title == <^>'x'<^> |>\n",
            "  notice(<^>$p<^>)\n",
            "  notice(<^><^>1)\n",
        ] {
            assert_eq!(extracted(code), "none", "{code}");
        }
    }

    #[test]
    fn a_name_clashes_with_nothing() {
        let others = "modules/m/templates/t.erb\n<%= @content %>\n//- modules/m/manifests/sub.pp\nclass m::sub inherits m { notice($content_3) }\n";
        let source = "class m {\n  file { '/a': content => <^>'x'<^> }\n  file { '/b': content => template('m/t.erb') }\n  $content_2 = 1\n  notice($content_2)\n}\n";
        let found = applied_with("extract-variable", source, others);
        assert!(
            found.contains("\n  $content_4 = 'x'\n  file { '/a': content => $content_4 }"),
            "{found}"
        );
    }
}
