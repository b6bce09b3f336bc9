//! Extracts the selected expression into a variable, assigned on the line before the statement, or
//! in a separate tag before a tag that renders it.
//!
//! The meaning is preserved: either the expression is evaluated under the same conditions as before,
//! or it is constant and cannot fail.

use syntax::ast::{
    AstNode, BinaryExpr, Block, CaseExpr, Expr, Parameter, SelectorEntry, UnaryExpr,
};
use syntax::{Edit, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use super::expressions::{
    calls_impure, contains_kind, continues_expression, has_comments, has_heredoc_or_error,
    is_block, is_constant, lacks_sigil, may_capture, reads_captures, reads_other_classes,
    standalone_text,
};
use super::layout::is_multiline;
use super::new_name::new_name;
use super::{AssistContext, AssistKind, Assists, insert, replace};

const ID: &str = "extract-variable";
const KIND: AssistKind = AssistKind::Extract;

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(expr) = selected(cx) else {
        return;
    };
    let Some(item) = cx.item_at(expr.syntax().text_range()) else {
        return;
    };
    let title = "Extract into variable";
    match insertion_statement(cx, &expr) {
        Ok(statement) => {
            let Some(name) = new_name(cx, item, &statement, &expr) else {
                return;
            };
            let title = format!("Extract into variable `${name}`");
            acc.add(ID, title, KIND, || edits(cx, &expr, &statement, name));
        }
        Err(Some(reason)) => acc.add_disabled(ID, title, KIND, reason),
        Err(None) => {}
    }
}

/// Returns the edits that assign an expression to a variable before a statement.
fn edits(cx: &AssistContext<'_>, expr: &Expr, statement: &SyntaxNode, name: String) -> Vec<Edit> {
    let node = expr.syntax();
    let value = match expr {
        // A bare word could be parsed as a call with the following tokens as arguments.
        Expr::QualifiedName(it) => format!("'{}'", it.text()),
        _ => standalone_text(node),
    };
    let assignment = format!("${name} = {value}");
    let mut edits = insertions(cx, statement, &assignment);
    // At the start of `${…}`, a variable needs no dollar sign.
    let replacement = match lacks_sigil(node) {
        true => name,
        false => format!("${name}"),
    };
    edits.push(replace(node.text_range(), replacement));
    edits
}

/// Returns the edits that insert an assignment before a statement, on a line of its own.
fn insertions(cx: &AssistContext<'_>, statement: &SyntaxNode, assignment: &str) -> Vec<Edit> {
    let start = statement.text_range().start();
    // A non-printing tag renders nothing.
    if statement.kind() == SyntaxKind::RENDER_EXPR {
        return vec![insert(start, format!("<% {assignment} %>"))];
    }
    if let Some(edits) = insertions_in_line(cx, statement, assignment) {
        return edits;
    }
    let (indent, end) = (cx.indent(start), cx.line_break());
    vec![insert(start, format!("{assignment}{end}{indent}"))]
}

/// Returns the edits that insert an assignment in a block on one line, and put each statement on its own line.
fn insertions_in_line(
    cx: &AssistContext<'_>,
    statement: &SyntaxNode,
    assignment: &str,
) -> Option<Vec<Edit>> {
    let block = statement.parent().and_then(Block::cast)?;
    let whole = block.syntax();
    let is_one_line = !is_multiline(whole) && !has_comments(whole);
    (is_one_line && !cx.is_template()).then_some(())?;
    let (indent, end) = (cx.indent(whole.text_range().start()), cx.line_break());
    let deeper = cx.deeper(indent);
    let lines = whole.children().map(|it| {
        let is_next = it == *statement;
        let first = if is_next {
            format!("{end}{deeper}{assignment}")
        } else {
            String::new()
        };
        replaced_blanks(&it.first_token()?, format!("{first}{end}{deeper}"))
    });
    let mut edits = lines.collect::<Option<Vec<_>>>()?;
    edits.push(replaced_blanks(
        &whole.last_token()?,
        format!("{end}{indent}"),
    )?);
    Some(edits)
}

/// Returns the edit that replaces the whitespace before a token.
fn replaced_blanks(token: &SyntaxToken, text: String) -> Option<Edit> {
    let before = token.prev_token()?;
    let start = match before.kind() {
        SyntaxKind::WHITESPACE => before.text_range().start(),
        _ => token.text_range().start(),
    };
    let range = TextRange::new(start, token.text_range().start());
    Some(replace(range, text))
}

/// Returns the expression that matches the selection exactly, if a variable can replace it.
pub(super) fn selected(cx: &AssistContext<'_>) -> Option<Expr> {
    if cx.range.is_empty() {
        return None;
    }
    let element = cx.root.covering_element(cx.range);
    let node = element.as_node().cloned().or_else(|| element.parent())?;
    let same = |it: &SyntaxNode| it.text_range() == cx.range;
    let ancestors = node.ancestors().take_while(same);
    let expr = ancestors.filter_map(Expr::cast).last()?;
    (is_extractable(&expr) && is_in_value_position(expr.syntax())).then_some(expr)
}

/// Checks whether an expression is a value worth extracting.
fn is_extractable(expr: &Expr) -> bool {
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

/// Checks whether a node is on the left side of an assignment, or an element of a list there.
fn is_assigned(node: &SyntaxNode) -> bool {
    let is_list = |it: &SyntaxNode| it.kind() == SyntaxKind::ARRAY;
    let lists = std::iter::successors(Some(node.clone()), |it| it.parent().filter(is_list));
    let target = lists.last();
    target.is_some_and(|it| {
        let parent = it.parent().filter(|it| it.kind() == SyntaxKind::ASSIGNMENT);
        parent.is_some_and(|parent| parent.children().next().as_ref() == Some(&it))
    })
}

/// Checks whether a node is in a value position, as opposed to a name, a type or the left side of
/// an assignment.
fn is_in_value_position(node: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let Some(parent) = node.parent() else {
        return false;
    };
    match parent.kind() {
        ATTRIBUTE | ATTRIBUTE_SPLAT | HASH_ENTRY | ARGUMENT_LIST | ACCESS_KEYS | PAREN_EXPR
        | BINARY_EXPR | UNARY_EXPR | INTERPOLATION | SELECTOR_EXPR | SELECTOR_ENTRY | CASE_EXPR
        | CASE_OPTION | RESOURCE_BODY | METHOD_CALL | IF_EXPR | UNLESS_EXPR | BLOCK
        | RENDER_EXPR => true,
        ARRAY | ASSIGNMENT => !is_assigned(node),
        PARAMETER => {
            let default = Parameter::cast(parent).and_then(|it| it.default());
            default.is_some_and(|it| it.syntax() == node)
        }
        // `File['x']` is a resource reference, `foo['x']` an error.
        ACCESS_EXPR => !matches!(node.kind(), QUALIFIED_NAME | QUALIFIED_REFERENCE),
        _ => false,
    }
}

/// Returns the statement before which the variable is assigned.
///
/// # Errors
///
/// Fails if there is no such statement, with the reason if the assist is shown as disabled.
fn insertion_statement(cx: &AssistContext<'_>, expr: &Expr) -> Result<SyntaxNode, Option<String>> {
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
        match evaluation(&at, &parent) {
            Evaluation::Always => {}
            Evaluation::Conditional if constant => {}
            Evaluation::Conditional => return refuse("the expression is not always evaluated"),
            Evaluation::Blocked(reason) => return refuse(reason),
            Evaluation::NotApplicable => return Err(None),
        }
        at = parent;
    }
    if at == *node {
        return Err(None);
    }
    if has_heredoc_or_error(node) || contains_kind(&at, |it| it == SyntaxKind::ERROR) {
        return refuse("the statement contains a heredoc or a syntax error");
    }
    // The body of a heredoc starts after the line of its tag.
    let line_has_tag = !cx.is_first_on_line(at.text_range().start())
        && cx.text[..usize::from(at.text_range().start())]
            .rsplit('\n')
            .next()
            .is_some_and(|it| it.contains("@("));
    if line_has_tag {
        return refuse("the statement follows a heredoc tag on the same line");
    }
    if at
        .first_token()
        .is_some_and(|it| continues_expression(it.kind()))
    {
        return refuse("the statement would be parsed as part of the new assignment");
    }
    if !constant {
        check_independent(node, &at)?;
    }
    Ok(at)
}

/// Whether a child is evaluated whenever its parent is.
enum Evaluation {
    Always,
    Conditional,
    /// No assignment can precede it, with the reason.
    Blocked(&'static str),
    NotApplicable,
}

fn evaluation(child: &SyntaxNode, parent: &SyntaxNode) -> Evaluation {
    use SyntaxKind::*;
    let is_first = parent.children().next().as_ref() == Some(child);
    let conditional_unless = |always: bool| {
        if always {
            Evaluation::Always
        } else {
            Evaluation::Conditional
        }
    };
    match parent.kind() {
        PARAMETER | EPP_PARAMETERS => {
            Evaluation::Blocked("no assignment can precede a default value")
        }
        TYPE_ALIAS | TYPE_MAPPING | TYPE_DEFINITION | RETURN_TYPE | HOST_NAME | COLLECT_QUERY
        | DEFINITION_NAME | ERROR => Evaluation::NotApplicable,
        HEREDOC_BODY => Evaluation::Blocked("the expression is inside a heredoc"),
        BINARY_EXPR => {
            let operator = BinaryExpr::cast(parent.clone()).and_then(|it| it.operator());
            let stops = operator.is_some_and(|it| matches!(it.kind(), AND_KW | OR_KW));
            conditional_unless(is_first || !stops)
        }
        SELECTOR_EXPR => conditional_unless(is_first),
        SELECTOR_ENTRY => conditional_unless(is_first && is_first_entry(parent)),
        CASE_EXPR => conditional_unless(is_first),
        CASE_OPTION => conditional_unless(is_first && is_first_option(parent)),
        // The condition of an `elsif` is evaluated only if the preceding conditions are false.
        ELSE_CLAUSE => Evaluation::Conditional,
        _ => Evaluation::Always,
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

/// Checks that an expression has the same value before its statement as within it.
fn check_independent(node: &SyntaxNode, statement: &SyntaxNode) -> Result<(), Option<String>> {
    let refuse = |reason: &str| Err(Some(reason.to_owned()));
    let range = node.text_range();
    let assigns = |it: SyntaxNode| {
        let kind = it.kind();
        kind == SyntaxKind::ASSIGNMENT && it != *statement
    };
    if statement.descendants().any(assigns) {
        return refuse("the statement also assigns a variable");
    }
    let captures = |it: SyntaxNode| !range.contains_range(it.text_range()) && may_capture(&it);
    if reads_captures(node) && statement.descendants().any(captures) {
        return refuse("the expression reads a capture group that the statement sets");
    }
    let item = statement.ancestors().last();
    if may_capture(node) && item.is_some_and(|it| reads_captures(&it)) {
        return refuse("other code reads the capture groups that the expression sets");
    }
    // An earlier call may change the result of the expression.
    let depends = calls_impure(node) || reads_other_classes(node);
    let before = |it: &SyntaxNode| it.text_range().end() <= range.start();
    let mut earlier = statement.descendants().filter(before);
    if depends && earlier.any(|it| calls_impure(&it)) {
        return refuse("an earlier call in the statement may affect the value");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::{NO_OTHERS, applied, applied_in, applied_with};

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
    fn extracts_values() {
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
            "  $p.each |$i| {\n    $value = $i + 1\n    notice($value)\n  }\n"
        );
        assert_eq!(
            extracted("  if $p { notice(1) notice(<^>$q + 2<^>) }\n"),
            "  if $p {\n    notice(1)\n    $value = $q + 2\n    notice($value)\n  }\n"
        );
        assert_eq!(
            extracted("  if <^>$p == 1<^> { notice(1) }\n"),
            "  $value = $p == 1\n  if $value { notice(1) }\n"
        );
    }

    #[test]
    fn preserves_the_output_of_templates() {
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
        // The name is already used in the template, for a variable of its caller.
        assert_eq!(
            extracted_in("<%= $value %> <%= <^>$p + 1<^> %>\n"),
            "<%= $value %> <% $value_2 = $p + 1 %><%= $value_2 %>\n"
        );
        let default = extracted_in("<%- | $p = <^>[1]<^> | -%>\n<%= $p %>\n");
        assert!(default.contains("default"), "{default}");
    }

    #[test]
    fn refuses_conditionally_evaluated_expressions() {
        let reason = "the expression is not always evaluated";
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
    fn refuses_expressions_that_depend_on_the_statement() {
        let reason = |code: &str| extracted(code);
        assert!(reason("  notice(include('a'), <^>$a::b<^>)\n").contains("none"));
        assert!(reason("  notice(include('a'), <^>[$a::b]<^>)\n").contains("may affect the value"));
        assert!(reason("  notice($x = 1, <^>$p + 1<^>)\n").contains("assigns a variable"));
        assert!(
            reason("  notice($p =~ /(x)/, <^>[$1]<^>)\n")
                .contains("capture group that the statement sets")
        );
        let later = "  if <^>$p =~ /(x)/<^> { notice($1) }\n";
        assert!(reason(later).contains("capture groups that the expression sets"));
        let source = "class m ($p = <^>[1]<^>) { notice($p) }\n";
        assert!(applied("extract-variable", source).contains("default value"));
    }

    #[test]
    fn refuses_statements_that_would_continue_the_value() {
        let found = extracted("  $q.map |$i| {\n    - <^>2<^>\n  }\n");
        assert!(found.contains("part of the new assignment"), "{found}");
        assert_eq!(
            extracted("  notice(<^>present<^>)\n"),
            "  $value = 'present'\n  notice($value)\n"
        );
    }

    #[test]
    fn is_not_offered_for_names() {
        for code in [
            "  <^>notice<^>(1)\n",
            "  <^>file<^> { '/a': }\n",
            "  File<^>['/a']<^> -> File['/b']\n",
            "  <^>notice(1)<^>\n",
            "  File <| title == <^>'x'<^> |>\n",
            "  notice(<^>$p<^>)\n",
            "  notice(<^><^>1)\n",
            "  $x = $p.map |$i| { <^>$i + 1<^> }\n  notice($x)\n",
        ] {
            assert_eq!(extracted(code), "none", "{code}");
        }
    }

    #[test]
    fn new_name_is_unique() {
        let others = "modules/m/templates/t.erb\n<%= @content %>\n//- modules/m/manifests/sub.pp\nclass m::sub inherits m { notice($content_3) }\n";
        let source = "class m {\n  file { '/a': content => <^>'x'<^> }\n  file { '/b': content => template('m/t.erb') }\n  $content_2 = 1\n  notice($content_2)\n}\n";
        let found = applied_with("extract-variable", source, others);
        assert!(
            found.contains("\n  $content_4 = 'x'\n  file { '/a': content => $content_4 }"),
            "{found}"
        );
    }

    #[test]
    fn new_name_may_be_used_out_of_sight() {
        let others = "modules/n/manifests/init.pp\nclass n ($mode) { notice($mode) }\n";
        let source = "class m {\n  [1].each |$mode| { notice($mode) }\n  file { '/a': mode => <^>'0644'<^> }\n}\n";
        let found = applied_with("extract-variable", source, others);
        assert!(found.contains("\n  $mode = '0644'\n"), "{found}");
        // Puppet would look up the new variable in these places.
        for others in [
            "modules/m/manifests/sub.pp\nclass m::sub inherits m { notice($mode) }\n",
            "modules/n/manifests/init.pp\nclass n { notice($m::mode) }\n",
        ] {
            let found = applied_with("extract-variable", source, others);
            assert!(found.contains("\n  $mode_2 = '0644'\n"), "{found}");
        }
        let outer = "class m ($mode) {\n  [1].each |$i| {\n    file { \"/${i}\": mode => <^>'0644'<^> }\n  }\n}\n";
        let found = applied("extract-variable", outer);
        assert!(found.contains("\n    $mode_2 = '0644'\n"), "{found}");
    }
}
