//! Inlines a variable: replaces every read by its value and removes the assignment.
//!
//! This requires that all reads are known and within the same item, and that the expression has the
//! same value at each of them.

use syntax::ast::{
    ArgumentList, Assignment, AstNode, Expr, InterpolatedString, Interpolation, LiteralKind,
    VariableExpr,
};
use syntax::{Edit, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize, statement_removal};

use super::expressions::{
    calls_impure, contains_kind, has_heredoc_or_error, is_block, is_primary, may_capture,
    reads_captures, reads_other_classes,
};
use super::layout::{is_multiline, reindented};
use super::{AssistContext, AssistKind, Assists, replace};
use crate::rename::may_read_variable;
use crate::search::symbol_uses;
use crate::symbol::{OccurrenceKind, Symbol, symbol_at};
use hir::body::{Binding, Body, Reference, ReferenceName, ScopeId, body};
use hir::{Item, ItemKind};

const ID: &str = "inline-variable";
const KIND: AssistKind = AssistKind::Inline;

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(token) = cx.token() else {
        return;
    };
    let view = token.parent().and_then(VariableExpr::cast);
    if view.is_none() || !token.text_range().contains_range(cx.range) {
        return;
    }
    let Some(found) = symbol_at(cx.db, cx.file, token.text_range().start()) else {
        return;
    };
    let Symbol::Variable { item, scope, name } = &found.symbol else {
        return;
    };
    if item.file(cx.db) != cx.file {
        return;
    }
    let variable = InlinedVariable {
        item: *item,
        scope: *scope,
        name,
    };
    let Some(assignment) = variable.assignment(cx) else {
        return;
    };
    let title = format!("Inline variable `${name}`");
    match variable.edits(cx, &found.symbol, &assignment) {
        Ok(edits) => acc.add(ID, title, KIND, || edits),
        Err(reason) => acc.add_disabled(ID, title, KIND, reason),
    }
}

struct InlinedVariable<'a, 'db> {
    item: Item<'db>,
    scope: ScopeId,
    name: &'a str,
}

impl<'db> InlinedVariable<'_, 'db> {
    fn body(&self, cx: &AssistContext<'db>) -> &'db Body {
        body(cx.db, self.item)
    }

    /// Returns its only binding, unless it is a parameter or is bound more than once.
    fn binding(&self, cx: &AssistContext<'db>) -> Option<&'db Binding> {
        let scope = self.body(cx).scopes.get(self.scope)?;
        let mut bindings = scope.bindings_of(self.name);
        let only = bindings.next()?;
        (bindings.next().is_none() && !only.parameter).then_some(only)
    }

    /// Returns the statement that assigns it.
    fn assignment(&self, cx: &AssistContext<'db>) -> Option<Assignment> {
        let binding = self.binding(cx)?;
        let range = self.item.in_file(cx.db, binding.range);
        let node = cx.root.covering_element(range);
        let assignment = node.ancestors().find_map(Assignment::cast)?;
        let is_plain = assignment.operator()?.kind() == SyntaxKind::EQ;
        let left = assignment.lhs()?.syntax().text_range();
        let parent = assignment.syntax().parent()?;
        (is_plain && left == range && is_block(parent.kind())).then_some(assignment)
    }

    /// Fails with the reason if the variable cannot be inlined.
    fn edits(
        &self,
        cx: &AssistContext<'db>,
        symbol: &Symbol<'db>,
        assignment: &Assignment,
    ) -> Result<Vec<Edit>, String> {
        let value = assignment.rhs().ok_or("the assignment is incomplete")?;
        check_value(&value)?;
        let reads = self.reads(cx, symbol)?;
        let (Some(last), Some(binding)) = (reads.last(), self.binding(cx)) else {
            return Err("the variable is never read".to_owned());
        };
        if reads.len() > 1 && is_multiline(value.syntax()) {
            return Err("the value spans several lines, and is read several times".to_owned());
        }
        self.check_templates(cx)?;
        self.check_order(cx, &value, assignment, last.range)?;
        let mut edits = Vec::new();
        for read in &reads {
            self.check_read(cx, binding, &value, assignment, read)?;
            edits.push(replacement(
                cx,
                &value,
                self.item.in_file(cx.db, read.range),
            )?);
        }
        if is_followed_by_semicolon(assignment.syntax()) {
            return Err("a semicolon would be left over".to_owned());
        }
        let removal = match cx.is_template() {
            true => removal_in_template(cx, assignment.syntax()),
            false => statement_removal(assignment.syntax()),
        };
        edits.push(replace(removal, ""));
        Ok(edits)
    }

    /// Returns the reads in source order.
    fn reads(
        &self,
        cx: &AssistContext<'db>,
        symbol: &Symbol<'db>,
    ) -> Result<Vec<&'db Reference>, String> {
        if self.body(cx).incomplete {
            return Err("the surrounding code has syntax errors".to_owned());
        }
        let mut reads = Vec::new();
        for found in symbol_uses(cx.db, cx.file, symbol) {
            match found.occurrence.kind {
                OccurrenceKind::Binding(..) if found.item == self.item => {}
                OccurrenceKind::Reference(it) if found.item == self.item => reads.push(it),
                _ if found.item != self.item => {
                    return Err("other definitions read the variable".to_owned());
                }
                _ => return Err("a string refers to the variable by name".to_owned()),
            }
        }
        Ok(reads)
    }

    /// Fails if a template may read the variable.
    fn check_templates(&self, cx: &AssistContext<'db>) -> Result<(), String> {
        let is_seen = !matches!(self.item.kind(cx.db), ItemKind::Function);
        let may = is_seen && may_read_variable(cx.db, self.item, self.name);
        match may {
            true => Err("a template may read the variable".to_owned()),
            false => Ok(()),
        }
    }

    /// Fails if the variables that the value reads may change before the last read.
    fn check_order(
        &self,
        cx: &AssistContext<'db>,
        value: &Expr,
        assignment: &Assignment,
        last: TextRange,
    ) -> Result<(), String> {
        if !reads_other_classes(value.syntax()) {
            return Ok(());
        }
        let start = assignment.syntax().text_range().end();
        let end = self.item.in_file(cx.db, last).start();
        let between = |it: &SyntaxNode| {
            let range = it.text_range();
            range.start() >= start && range.start() < end
        };
        let acts = |it: SyntaxNode| {
            let declares = matches!(
                it.kind(),
                SyntaxKind::RESOURCE_EXPR | SyntaxKind::COLLECT_EXPR
            );
            let calls = matches!(it.kind(), SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL);
            declares || calls && calls_impure(&it)
        };
        match cx.root.descendants().filter(between).any(acts) {
            true => Err("the value may change before the variable is read".to_owned()),
            false => Ok(()),
        }
    }

    /// Fails if the value may differ at a read.
    fn check_read(
        &self,
        cx: &AssistContext<'db>,
        binding: &Binding,
        value: &Expr,
        assignment: &Assignment,
        read: &Reference,
    ) -> Result<(), String> {
        let body = self.body(cx);
        let is_after = read.range.start() >= binding.range.end();
        if !is_after || !body.is_within(read.branch, binding.branch) {
            return Err("the variable may be unset where it is read".to_owned());
        }
        let inside = assignment.syntax().text_range() - self.item.offset(cx.db);
        if inside.contains_range(read.range) {
            return Err("the variable is read in its own value".to_owned());
        }
        let names = value.syntax().text_range() - self.item.offset(cx.db);
        let scopes = body
            .scopes_from(read.scope)
            .take_while(|it| *it != self.scope);
        let hidden: Vec<_> = scopes.flat_map(|it| &body.scopes[it].bindings).collect();
        let mut names = body
            .references
            .iter()
            .filter(|it| names.contains_range(it.range));
        let is_hidden = names.any(|it| match &it.name {
            ReferenceName::Variable(name) => hidden.iter().any(|it| it.name == *name),
            _ => false,
        });
        match is_hidden {
            true => Err("a variable in the value is shadowed where it is read".to_owned()),
            false => Ok(()),
        }
    }
}

/// Checks whether a `;` follows a statement; it would be invalid on its own.
fn is_followed_by_semicolon(statement: &SyntaxNode) -> bool {
    let next = statement
        .last_token()
        .and_then(|it| next_token(it, SyntaxToken::next_token, |it| it.kind().is_trivia()));
    next.is_some_and(|it| it.kind() == SyntaxKind::SEMICOLON)
}

/// Returns the range to remove from a template along with an assignment, such that the output stays
/// the same: the whole tag if it contains only the assignment and either is on a line that is not
/// rendered or is surrounded by text, and the assignment alone otherwise.
fn removal_in_template(cx: &AssistContext<'_>, assignment: &SyntaxNode) -> TextRange {
    whole_tag(cx, assignment).unwrap_or_else(|| assignment.text_range())
}

fn whole_tag(cx: &AssistContext<'_>, assignment: &SyntaxNode) -> Option<TextRange> {
    let is_blank = |it: &SyntaxToken| it.kind() == SyntaxKind::WHITESPACE;
    let open = next_token(assignment.first_token()?, SyntaxToken::prev_token, is_blank)?;
    let close = next_token(assignment.last_token()?, SyntaxToken::next_token, is_blank)?;
    if open.kind() != SyntaxKind::EPP_OPEN || close.kind() != SyntaxKind::EPP_CLOSE {
        return None;
    }
    let tag = TextRange::new(open.text_range().start(), close.text_range().end());
    let is_trimmed = |it: &SyntaxToken| it.kind() == SyntaxKind::EPP_TRIMMED;
    let before = open.prev_token().filter(is_trimmed);
    let after = close.next_token().filter(is_trimmed);
    if open.text() == "<%" && close.text() == "%>" {
        // The text on either side must not merge into a tag or be trimmed by one.
        let (left, right) = (&cx.text[..tag.start().into()], &cx.text[tag.end().into()..]);
        let is_letter = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
        let is_safe = is_letter(left.chars().next_back()) && is_letter(right.chars().next());
        return is_safe.then_some(tag);
    }
    let after = after.filter(|it| it.text().ends_with('\n'))?;
    // The trimmed text before the tag may begin with the line break after another tag.
    let blanks = before.map_or(0, |it| {
        let text = it.text();
        text.len() - text.trim_end_matches([' ', '\t']).len()
    });
    let start = tag.start() - TextSize::new(u32::try_from(blanks).ok()?);
    let left = &cx.text[..start.into()];
    let is_line = left.is_empty() || left.ends_with('\n');
    is_line.then(|| TextRange::new(start, after.text_range().end()))
}

/// Returns the next token in a direction that `passes` does not skip.
fn next_token(
    from: SyntaxToken,
    next: fn(&SyntaxToken) -> Option<SyntaxToken>,
    passes: impl Fn(&SyntaxToken) -> bool,
) -> Option<SyntaxToken> {
    std::iter::successors(next(&from), next).find(|it| !passes(it))
}

/// Fails if a value cannot be moved or duplicated.
fn check_value(value: &Expr) -> Result<(), String> {
    let node = value.syntax();
    if has_heredoc_or_error(node) {
        return Err("the value contains a heredoc or a syntax error".to_owned());
    }
    let acts = |it| {
        use SyntaxKind::*;
        matches!(
            it,
            RESOURCE_EXPR
                | COLLECT_EXPR
                | ASSIGNMENT
                | RELATIONSHIP
                | LAMBDA
                | BLOCK
                | VIRTUAL_EXPR
                | RENDER_EXPR
        )
    };
    if contains_kind(node, acts) {
        return Err("the value is not a simple expression".to_owned());
    }
    if calls_impure(node) {
        return Err("the value calls a function whose result may differ elsewhere".to_owned());
    }
    if reads_captures(node) || may_capture(node) {
        return Err("the value involves capture groups".to_owned());
    }
    let is_default = |it: &syntax::ast::Literal| it.kind() == Some(LiteralKind::Default);
    match value {
        Expr::Literal(it) if is_default(it) => Err("`default` is not an ordinary value".to_owned()),
        Expr::Literal(it) if matches!(it.kind(), Some(LiteralKind::Regex(_))) => {
            Err("a regular expression is not allowed everywhere".to_owned())
        }
        Expr::UnaryExpr(it)
            if it
                .operator()
                .is_some_and(|it| it.kind() == SyntaxKind::STAR) =>
        {
            Err("the value is a splat".to_owned())
        }
        _ => Ok(()),
    }
}

/// Returns the edit that replaces a read by the value.
fn replacement(cx: &AssistContext<'_>, value: &Expr, read: TextRange) -> Result<Edit, String> {
    let token = match cx.root.covering_element(read) {
        syntax::NodeOrToken::Token(it) => Some(it),
        syntax::NodeOrToken::Node(it) => it.first_token(),
    };
    let view = token
        .as_ref()
        .and_then(|it| it.parent())
        .and_then(VariableExpr::cast);
    let parent = view.as_ref().and_then(|it| it.syntax().parent());
    let (Some(token), Some(view), Some(parent)) = (token, view, parent) else {
        return Err("a read of the variable cannot be located".to_owned());
    };
    check_place(value, view.syntax())?;
    let indent = |it: TextRange| cx.indent(it.start());
    let text = reindented(
        value.syntax(),
        indent(value.syntax().text_range()),
        indent(read),
    );
    if Interpolation::can_cast(parent.kind()) {
        return replacement_in_string(value, text, &parent);
    }
    let range = token.text_range();
    // A leading word inside `${…}` is parsed as a variable or a call.
    if !token.text().starts_with('$') && !text.starts_with(['$', '\'', '"']) {
        return Ok(replace(range, format!("({text})")));
    }
    replacement_in_code(value, text, &view, &parent).map(|it| replace(range, it))
}

/// Fails if a value cannot be written in place of a variable.
fn check_place(value: &Expr, variable: &SyntaxNode) -> Result<(), String> {
    use SyntaxKind::*;
    let is_in = |kinds: &[SyntaxKind]| variable.ancestors().any(|it| kinds.contains(&it.kind()));
    if is_in(&[COLLECT_QUERY]) {
        return Err("a collector reads the variable".to_owned());
    }
    if is_multiline(value.syntax()) && is_in(&[INTERPOLATION, HEREDOC_BODY]) {
        return Err("the value spans several lines, and is read in a string".to_owned());
    }
    // From the style guide: assign a selector to a variable outside of the resource.
    if matches!(value, Expr::SelectorExpr(_)) && is_in(&[ATTRIBUTE]) {
        return Err("the value is a selector, and is read in a resource".to_owned());
    }
    Ok(())
}

/// Returns the edit that replaces the interpolation `$x` or `${x}` by the value.
fn replacement_in_string(
    value: &Expr,
    text: String,
    interpolation: &SyntaxNode,
) -> Result<Edit, String> {
    let range = interpolation.text_range();
    if let Some(plain) = plain_text(value).filter(|_| can_hold_text(interpolation)) {
        let whole = single_quoted(interpolation, &plain);
        return Ok(whole.unwrap_or_else(|| replace(range, plain)));
    }
    Ok(match value {
        Expr::VariableExpr(it) => {
            let name = it.name().unwrap_or_default();
            replace(range, format!("${{{name}}}"))
        }
        Expr::AccessExpr(_) if text.starts_with('$') => {
            replace(range, format!("${{{}}}", text.trim_start_matches('$')))
        }
        _ if text.starts_with(['$', '\'', '"']) => replace(range, format!("${{{text}}}")),
        Expr::QualifiedName(_) => replace(range, format!("${{'{text}'}}")),
        _ => replace(range, format!("${{({text})}}")),
    })
}

/// Returns the edit that replaces the only interpolation of a string by plain text, and the double quotes that the string
/// then does not need.
fn single_quoted(interpolation: &SyntaxNode, plain: &str) -> Option<Edit> {
    let string = interpolation.parent().and_then(InterpolatedString::cast)?;
    let node = string.syntax();
    let is_only = node.children().count() == 1;
    let range = interpolation.text_range() - node.text_range().start();
    let mut text = node.text().to_string();
    text.replace_range(std::ops::Range::<usize>::from(range), plain);
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let is_special = |it: char| matches!(it, '\'' | '\\' | '$') || it.is_control();
    let needs_none = is_only && !inner.contains(is_special);
    needs_none.then(|| replace(node.text_range(), format!("'{inner}'")))
}

/// Returns the content of a string that needs no escaping inside any other string.
fn plain_text(value: &Expr) -> Option<String> {
    let text = match value {
        Expr::StringLiteral(it) => it.value(),
        Expr::QualifiedName(it) => it.text(),
        _ => return None,
    };
    let is_plain = |it: char| it.is_ascii_alphanumeric() || " _./-".contains(it);
    text.chars().all(is_plain).then_some(text)
}

/// Checks whether plain text can replace an interpolation without merging into a preceding escape or
/// variable.
fn can_hold_text(interpolation: &SyntaxNode) -> bool {
    let before = interpolation.prev_sibling_or_token();
    match before {
        None => true,
        Some(syntax::NodeOrToken::Token(it)) => {
            let last = it.text().chars().next_back();
            let is_text = matches!(
                it.kind(),
                SyntaxKind::STRING_TEXT | SyntaxKind::STRING_OPEN | SyntaxKind::HEREDOC_TEXT
            );
            is_text && !matches!(last, Some('$' | '\\' | '{'))
        }
        // A preceding `$a` would absorb letters into its name.
        Some(syntax::NodeOrToken::Node(it)) => {
            it.last_token().map(|it| it.kind()) == Some(SyntaxKind::INTERPOLATION_CLOSE)
        }
    }
}

/// Returns the source of the value in code, parenthesized or quoted if necessary.
fn replacement_in_code(
    value: &Expr,
    text: String,
    view: &VariableExpr,
    parent: &SyntaxNode,
) -> Result<String, String> {
    use SyntaxKind::*;
    let node = view.syntax();
    let is_first = parent.children().next().as_ref() == Some(node);
    let call = ArgumentList::cast(parent.clone());
    let is_bare_call = call.as_ref().is_some_and(|it| it.l_paren().is_none());
    // The value is the only expression between delimiters.
    let is_delimited = match parent.kind() {
        ATTRIBUTE | ATTRIBUTE_SPLAT | ARRAY | PAREN_EXPR | ACCESS_KEYS => true,
        ARGUMENT_LIST => !is_bare_call,
        ASSIGNMENT | HASH_ENTRY | SELECTOR_ENTRY => !is_first,
        _ => false,
    };
    // A word or a hash would be parsed differently there.
    let is_plain = !matches!(value, Expr::QualifiedName(_) | Expr::HashExpr(_));
    let is_delimited = is_delimited || parent.kind() == RENDER_EXPR && is_plain;
    match value {
        Expr::QualifiedName(_) if is_delimited => Ok(text),
        Expr::QualifiedName(_) => Ok(format!("'{text}'")),
        Expr::HashExpr(_) | Expr::ArrayExpr(_)
            if !is_delimited && starts_statement(node, is_bare_call) =>
        {
            Err("an array or hash is not allowed where the variable is read".to_owned())
        }
        Expr::Literal(_) if merges_with_neighbor(view) => Ok(format!("({text})")),
        _ if is_delimited || is_primary(value) => Ok(text),
        _ => Ok(format!("({text})")),
    }
}

/// Checks whether a node begins a statement or is an argument of a call without parentheses, such as
/// `include $x`.
fn starts_statement(node: &SyntaxNode, is_bare_call: bool) -> bool {
    let token = node.first_token();
    let mut ancestors = node.ancestors();
    is_bare_call
        || ancestors.any(|it| {
            let is_statement = it.parent().is_some_and(|it| is_block(it.kind()));
            is_statement && it.first_token() == token
        })
}

/// Checks whether a number would merge with an adjacent token, as in `-$x` and `$x.abs`.
fn merges_with_neighbor(view: &VariableExpr) -> bool {
    let before: Option<SyntaxToken> = view.syntax().first_token().and_then(|it| it.prev_token());
    let after = view.syntax().last_token().and_then(|it| it.next_token());
    let is = |it: Option<SyntaxToken>, kinds: &[SyntaxKind]| {
        it.is_some_and(|it| kinds.contains(&it.kind()))
    };
    is(before, &[SyntaxKind::MINUS, SyntaxKind::BANG])
        || is(after, &[SyntaxKind::DOT, SyntaxKind::L_BRACK])
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::{NO_OTHERS, applied, applied_in, applied_with};

    const START: &str = "class m ($p, $q) {\n";

    fn inlined(code: &str) -> String {
        let found = applied("inline-variable", &format!("{START}{code}}}\n"));
        let inner = found.strip_prefix(START);
        let inner = inner.and_then(|it| it.strip_suffix("}\n"));
        inner.unwrap_or(&found).to_owned()
    }

    /// Inlines a variable of this value and returns the code that read it.
    fn read(value: &str, read: &str) -> String {
        let found = inlined(&format!("  <^>$x = {value}\n  {read}\n"));
        found.trim().to_owned()
    }

    #[test]
    fn replaces_reads_by_the_value() {
        assert_eq!(read("$p + 1", "notice($x)"), "notice($p + 1)");
        assert_eq!(read("$p + 1", "notice($x * 2)"), "notice(($p + 1) * 2)");
        assert_eq!(
            read("$p ? { 1 => 2, default => 3 }", "notice([$x, $x[0]])"),
            "notice([$p ? { 1 => 2, default => 3 }, ($p ? { 1 => 2, default => 3 })[0]])"
        );
        assert_eq!(
            read("present", "file { '/a': ensure => $x }"),
            "file { '/a': ensure => present }"
        );
        assert_eq!(
            read("present", "notice($x == 'a')"),
            "notice('present' == 'a')"
        );
        assert_eq!(
            read("[1, 2]", "$x.each |$i| { notice($i) }"),
            "an array or hash is not allowed where the variable is read"
        );
        assert_eq!(read("5", "notice(-$x)"), "notice(-(5))");
        assert_eq!(
            read("$p['a']", "notice($x['b'], $x)"),
            "notice($p['a']['b'], $p['a'])"
        );
    }

    #[test]
    fn preserves_the_output_of_templates() {
        let inlined = |code: &str| {
            let source = format!("<%- | $p, $q | -%>\n{code}");
            let path = "modules/m/templates/t.epp";
            let found = applied_in(path, "inline-variable", &source, NO_OTHERS);
            let inner = found.strip_prefix("<%- | $p, $q | -%>\n");
            inner.unwrap_or(&found).to_owned()
        };
        // A line that is not rendered is removed as a whole.
        for line in ["<% <^>$x = $p + 1 -%>\n", "  <%- <^>$x = $p + 1 -%>\n"] {
            assert_eq!(
                inlined(&format!("a\n{line}b <%= $x %>\n")),
                "a\nb <%= $p + 1 %>\n"
            );
        }
        // Otherwise, the text around the assignment may be rendered.
        assert_eq!(
            inlined("  <% <^>$x = $p -%>\n<%= $x %>\n"),
            "  <%  -%>\n<%= $p %>\n"
        );
        assert_eq!(
            inlined("<% <^>$x = $p %>\n<%= $x %>\n"),
            "<%  %>\n<%= $p %>\n"
        );
        assert_eq!(inlined("a<% <^>$x = $p %>b<%= $x %>\n"), "ab<%= $p %>\n");
        assert_eq!(
            inlined("<% <^>$x = $p\n   $y = 1 -%>\n<%= [$x, $y] %>\n"),
            "<% \n   $y = 1 -%>\n<%= [$p, $y] %>\n"
        );
        assert_eq!(
            inlined("  <%- <^>$x = present -%>\n<%= $x %> <%= \"${x}\" %>\n"),
            "<%= 'present' %> <%= 'present' %>\n"
        );
        assert_eq!(
            inlined("<%- <^>$x = [$q] -%>\n<%- $x.each |$q| { -%>\n<%= $q %>\n<%- } -%>\n"),
            "an array or hash is not allowed where the variable is read"
        );
        assert_eq!(inlined("<%= <^>$p %>\n"), "none");
        assert_eq!(
            inlined("<% <^>$x = $p; %><%= $x %>\n"),
            "a semicolon would be left over"
        );
    }

    #[test]
    fn inlines_into_strings() {
        assert_eq!(read("'a b'", "notice(\"1 ${x} 2\")"), "notice('1 a b 2')");
        assert_eq!(
            read("'a b'", "notice(\"it's ${x}\")"),
            "notice(\"it's a b\")"
        );
        assert_eq!(read("'a'", "notice(\"$p${x}\")"), "notice(\"$p${'a'}\")");
        assert_eq!(read("$p", "notice(\"$x-\")"), "notice(\"${p}-\")");
        assert_eq!(read("$p['a']", "notice(\"${x}\")"), "notice(\"${p['a']}\")");
        assert_eq!(
            read("$p['a']", "notice(\"${x['b']}\")"),
            "notice(\"${$p['a']['b']}\")"
        );
        assert_eq!(read("80", "notice(\"${x}\")"), "notice(\"${(80)}\")");
        assert_eq!(read("$p + 1", "notice(\"${x}\")"), "notice(\"${$p + 1}\")");
        assert_eq!(read("'a$b'", "notice(\"${x}\")"), "notice(\"${'a$b'}\")");
        assert_eq!(
            read("[1, 2]", "notice(\"${x[0]}\")"),
            "notice(\"${([1, 2])[0]}\")"
        );
    }

    #[test]
    fn moves_the_lines_of_a_value() {
        let value = "{\n    'a' => 1,\n\n    'b' => 2,\n  }";
        assert_eq!(
            read(value, "if $p {\n    notice($x)\n  }"),
            "if $p {\n    notice({\n      'a' => 1,\n\n      'b' => 2,\n    })\n  }"
        );
        let several = read(value, "notice($x, $x)");
        assert!(several.contains("read several times"), "{several}");
        let text = read(value, "notice(\"${x}\")");
        assert!(text.contains("in a string"), "{text}");
        let selector = "$p ? { 1 => 'a', default => 'b' }";
        let resource = read(selector, "file { '/a': ensure => $x }");
        assert!(resource.contains("in a resource"), "{resource}");
    }

    #[test]
    fn applies_at_a_read() {
        assert_eq!(
            inlined("  $x = $p\n  notice(<^>$x, $x)\n"),
            "  notice($p, $p)\n"
        );
    }

    #[test]
    fn refuses_values_that_may_change() {
        let refused = |code: &str, reason: &str| {
            let found = inlined(code);
            assert!(found.contains(reason), "{code}: {found}");
        };
        refused("  <^>$x = rand()\n  notice($x)\n", "calls a function");
        refused("  <^>$x = $a::b\n  include a\n  notice($x)\n", "may change");
        refused(
            "  <^>$x = $p\n  $q.each |$p| { notice($x) }\n",
            "is shadowed",
        );
        refused("  if $p { <^>$x = 1 }\n  notice($x)\n", "may be unset");
        refused("  <^>$x = 1\n  notice(getvar('x'))\n", "");
        refused("  <^>$x = $1\n  notice($x)\n", "capture groups");
        refused("  <^>$x = 1\n", "never read");
        refused(
            "  <^>$x = inline_template('<%= @x %>')\n",
            "calls a function",
        );
        refused(
            "  <^>$x = 1\n  notice($x, inline_template('<%= @x %>'))\n",
            "template",
        );
        refused("  <^>$x = 1\n  notice($x, template($q))\n", "template");
        assert_eq!(inlined("  notice(<^>$p)\n"), "none");
        assert_eq!(
            inlined("  if $p { $x = 1 } else { $x = 2 }\n  notice(<^>$x)\n"),
            "none"
        );
    }

    #[test]
    fn refuses_variables_that_other_definitions_read() {
        let others = "modules/m/manifests/sub.pp\nclass m::sub { notice($m::x) }\n";
        let source = "class m {\n  <^>$x = 1\n  notice($x)\n}\n";
        let found = applied_with("inline-variable", source, others);
        assert_eq!(found, "other definitions read the variable");
    }
}
