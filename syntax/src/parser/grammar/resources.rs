//! Resources, their defaults and overrides, collectors, and `apply`.

use super::*;
use crate::Fix;

/// Parses an expression with optional braces: a resource in any form.
pub(super) fn resource(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    match p.current() {
        AT | AT_AT => return p.deeper(|p| Some(virtual_resource(p))),
        CLASS_KW if p.nth(1) == L_BRACE => {
            let start = p.at;
            let class = class_resource(p);
            return Some(braces(p, class, start));
        }
        _ => {}
    }
    let start = p.at;
    let left = expressions::expression(p)?;
    match left.kind == QUALIFIED_NAME && lacks_brace(p) {
        true => Some(without_brace(p, left)),
        false => Some(braces(p, left, start)),
    }
}

/// Any number of braces after `left`, which starts at token `start`.
fn braces(p: &mut Parser<'_>, mut left: CompletedMarker, start: usize) -> CompletedMarker {
    let mut links = 0;
    while p.at(L_BRACE) && !p.at_repaired_close() && p.chain(&mut links) {
        left = match lacks_parameters(p, left) {
            true => block_without_parameters(p, left),
            false => resource_braces(p, left, start),
        };
    }
    left
}

/// Checks whether the block of a method call follows without its parameters: `$a.each {`.
fn lacks_parameters(p: &Parser<'_>, call: CompletedMarker) -> bool {
    let has_block = p.at.checked_sub(1).is_some_and(|it| p.kinds[it] == R_BRACE);
    p.repairs && call.kind == METHOD_CALL && !has_block
}

fn block_without_parameters(p: &mut Parser<'_>, call: CompletedMarker) -> CompletedMarker {
    let whole = call.precede(p);
    p.expected("the parameters of the block");
    let lambda = p.start();
    blocks::block(p);
    lambda.complete(p, LAMBDA);
    whole.complete(p, ERROR)
}

/// `@` or `@@`, and a resource.
fn virtual_resource(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    let sign = p.at;
    p.bump();
    match resource(p) {
        None => p.expected_after("a resource", sign),
        Some(it) => {
            let is_resource = matches!(
                it.kind,
                RESOURCE_EXPR | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | VIRTUAL_EXPR | ERROR
            );
            if !is_resource {
                let form = if p.text_of(sign) == "@" {
                    "virtual"
                } else {
                    "exported"
                };
                p.error_at(sign, format!("only resources can be {form}"));
            }
        }
    }
    whole.complete(p, VIRTUAL_EXPR)
}

/// `class { 'a': … }`.
fn class_resource(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    let open = p.open();
    if p.at(R_BRACE) {
        p.expected("a class name");
    }
    bodies(p);
    p.close(open, R_BRACE);
    whole.complete(p, RESOURCE_EXPR)
}

/// Parses the braces after `left`: a resource if they contain titles; otherwise resource defaults,
/// a resource override, or a name and a hash.
fn resource_braces(p: &mut Parser<'_>, left: CompletedMarker, start: usize) -> CompletedMarker {
    let brace = p.at;
    let attributes_only = matches!(p.nth(1), R_BRACE | COMMA) || starts_operation(p, 1);
    let whole = left.precede(p);
    p.open();
    if !attributes_only {
        bodies(p);
        p.close(brace, R_BRACE);
        return whole.complete(p, RESOURCE_EXPR);
    }
    let appends = operations(p);
    p.close(brace, R_BRACE);
    let kind = match left.kind {
        QUALIFIED_NAME if appends => {
            let message = "`+>` is only allowed in a resource override or collector";
            p.error_at(brace, message.to_owned());
            UNTITLED_RESOURCE
        }
        QUALIFIED_NAME => UNTITLED_RESOURCE,
        QUALIFIED_REFERENCE => RESOURCE_DEFAULTS,
        ACCESS_EXPR => RESOURCE_OVERRIDE,
        _ => {
            let message = "expression is not a valid resource, resource default or override";
            p.error_at(start, message.to_owned());
            ERROR
        }
    };
    whole.complete(p, kind)
}

/// `'a': k => v; 'b': …`.
fn bodies(p: &mut Parser<'_>) {
    while !p.at_list_end(R_BRACE) {
        let before = p.at;
        body(p);
        if p.at_list_end(R_BRACE) || p.eat(SEMICOLON) {
            continue;
        }
        p.expected_in_brackets("`,`, `;` or `}`");
        if p.is_outer_close() || starts_statement(p) {
            return;
        }
        if p.at == before {
            p.skip();
        }
    }
}

/// Checks whether the current token starts a statement that cannot be part of a resource.
fn starts_statement(p: &Parser<'_>) -> bool {
    p.starts_block_or_definition()
        || matches!(p.current(), IF_KW | UNLESS_KW | CASE_KW)
        || (p.at(NAME) && p.nth(1) == L_BRACE)
        || (p.at(CLASS_KW) && p.nth(1) == L_BRACE)
}

/// Checks whether a title and a colon follow, so that the brace of a resource is missing.
fn lacks_brace(p: &Parser<'_>) -> bool {
    if !p.repairs {
        return false;
    }
    let after_title = match p.current() {
        SINGLE_QUOTED | DOUBLE_QUOTED | VARIABLE => p.at + 1,
        STRING_OPEN => {
            let mut tokens = p.kinds[p.at..].iter();
            let length = tokens.position(|it| *it == STRING_CLOSE);
            length.map_or(p.at, |it| p.at + it + 1)
        }
        _ => return false,
    };
    p.kinds.get(after_title) == Some(&COLON) && p.next_extra_is(R_BRACE)
}

/// Parses a resource after its type, if the opening brace is missing.
fn without_brace(p: &mut Parser<'_>, type_name: CompletedMarker) -> CompletedMarker {
    let whole = type_name.precede(p);
    p.expected_mark(" {", " after the resource type");
    p.use_next_extra();
    bodies(p);
    p.eat(R_BRACE);
    whole.complete(p, RESOURCE_EXPR)
}

fn body(p: &mut Parser<'_>) {
    let body = p.start();
    if expressions::expression(p).is_none() {
        p.expected("a resource title");
        if starts_operation(p, 0) {
            operations(p);
        }
        body.complete(p, RESOURCE_BODY);
        return;
    }
    if !p.eat(COLON) {
        let place = " after the resource title";
        if has_arrow(p) {
            p.expected_mark(":", place);
        } else {
            p.expected(&format!("`:`{place}"));
        }
        if !skip_to_colon(p) && !starts_operation(p, 0) {
            body.complete(p, RESOURCE_BODY);
            return;
        }
    }
    operations(p);
    while p.repairs && p.at(SEMICOLON) && starts_operation(p, 1) {
        semicolon_between_attributes(p);
        operations(p);
    }
    body.complete(p, RESOURCE_BODY);
}

/// Skips the rest of a title up to its colon in the same line, if there is one.
fn skip_to_colon(p: &mut Parser<'_>) -> bool {
    let is_colon = |at: &usize| p.kinds[*at] == COLON;
    let end = p
        .line_of(p.at)
        .find(|it| is_colon(it) || ends_title(p, *it));
    let Some(colon) = end.filter(is_colon) else {
        return false;
    };
    p.skip_until(colon);
    p.bump();
    true
}

/// Checks whether a token cannot be part of a title.
fn ends_title(p: &Parser<'_>, at: usize) -> bool {
    let is_end = matches!(p.kinds[at], SEMICOLON | FAT_ARROW | L_BRACE | R_BRACE);
    is_end || p.brackets.closes_before(at)
}

fn semicolon_between_attributes(p: &mut Parser<'_>) {
    let range = p.range_of(p.at);
    let fix = Fix::certain("Replace `;` with `,`", range, ",");
    p.error_with_fix("expected `,` between attributes, found `;`".to_owned(), fix);
    p.skip();
}

/// `k => v, * => h`, with an optional trailing comma. Returns whether `+>` is among them. Puppet's
/// grammar also allows a leading comma.
fn operations(p: &mut Parser<'_>) -> bool {
    let mut appends = false;
    if starts_operation_name(p.current()) && !p.at_repaired_close() {
        appends |= operation(p);
    }
    loop {
        let is_closed = p.brackets.closes_before(p.at + 1);
        if p.at(COMMA) && starts_operation_name(p.nth(1)) && !is_closed {
            p.bump();
        } else if starts_operation(p, 0) && !p.at_repaired_close() {
            if has_arrow(p) {
                p.expected_mark(",", "");
            } else {
                p.expected("`,`");
            }
        } else if !skip_to_attribute(p) {
            break;
        }
        appends |= operation(p);
    }
    p.eat(COMMA);
    appends
}

/// The number of tokens after an attribute in which the next one is looked for.
const MAX_SKIPPED: usize = 100;

/// Skips tokens up to the next attribute in the same braces. Returns `false` if the attributes end here.
fn skip_to_attribute(p: &mut Parser<'_>) -> bool {
    let skipped = usize::from(p.at(COMMA));
    let Some(end) = next_attribute(p, skipped) else {
        return false;
    };
    if p.eat(COMMA) {
        p.expected("an attribute");
    } else {
        p.expected_in_brackets("`,`, `;` or `}`");
    }
    // The name of an attribute that is being typed.
    if starts_operation_name(p.current()) && p.starts_line(p.at) && p.starts_line(p.at + 1) {
        expressions::word(p, ATTRIBUTE);
    }
    p.skip_until(end);
    true
}

/// Returns the token of the next attribute that follows a comma or starts a line, from `n` tokens ahead.
fn next_attribute(p: &Parser<'_>, n: usize) -> Option<usize> {
    let mut open = 0usize;
    for n in n..n + MAX_SKIPPED {
        match p.nth(n) {
            kind if is_opening(kind) => open += 1,
            kind if is_closing(kind) && p.brackets.is_extra(p.at + n) => {}
            kind if is_closing(kind) => open = open.checked_sub(1)?,
            EOF => return None,
            COLON | SEMICOLON if open == 0 => return None,
            _ if p.brackets.closes_before(p.at + n) => return None,
            _ => {}
        }
        let is_next = open == 0 && n > 0 && (p.nth(n - 1) == COMMA || p.starts_line(p.at + n));
        if is_next && starts_operation(p, n) {
            return Some(p.at + n);
        }
    }
    None
}

fn starts_operation_name(kind: SyntaxKind) -> bool {
    matches!(kind, NAME | STAR) || (kind.is_keyword() && !matches!(kind, TRUE_KW | FALSE_KW))
}

/// Checks whether an attribute with its arrow starts `n` tokens ahead.
fn starts_operation(p: &Parser<'_>, n: usize) -> bool {
    let arrow = p.nth(n + 1);
    match p.nth(n) {
        STAR => arrow == FAT_ARROW,
        // These keywords cannot start a title, so only the arrow can be missing.
        ELSE_KW | ELSIF_KW | IN_KW | INHERITS_KW | AND_KW | OR_KW => true,
        kind => starts_operation_name(kind) && matches!(arrow, FAT_ARROW | PLUS_ARROW),
    }
}

/// Checks whether a name with an arrow follows, which can only be an attribute.
fn has_arrow(p: &Parser<'_>) -> bool {
    starts_operation(p, 0) && matches!(p.nth(1), FAT_ARROW | PLUS_ARROW)
}

/// One attribute. Returns whether its operator is `+>`.
fn operation(p: &mut Parser<'_>) -> bool {
    let whole = p.start();
    let is_splat = p.at(STAR);
    p.bump();
    let appends = !is_splat && p.at(PLUS_ARROW);
    if appends || p.at(FAT_ARROW) {
        let arrow = p.at;
        p.bump();
        if expressions::expression(p).is_none() {
            p.expected_after("an expression", arrow);
        }
    } else {
        missing_arrow(p);
    }
    whole.complete(p, if is_splat { ATTRIBUTE_SPLAT } else { ATTRIBUTE });
    appends
}

/// Reports a missing `=>`, and parses the value after the token in its place.
fn missing_arrow(p: &mut Parser<'_>) {
    let is_mistyped = match p.current() {
        EQ | EQ_EQ | IN_EDGE | IN_EDGE_SUB => true,
        // A title follows a comma in place of a semicolon.
        COLON => !p.starts_line(p.at + 1) && !starts_operation(p, 1),
        _ => false,
    };
    if is_mistyped {
        let label = format!("Replace {} with `=>`", p.quoted(p.at));
        p.expected_or_fix("`=>`", Fix::certain(label, p.range_of(p.at), "=>"));
        p.skip();
    } else {
        p.expected("`=>`");
    }
    if is_mistyped || !p.starts_line(p.at) && !has_arrow(p) {
        expressions::expression(p);
    }
}

/// `T <| q |> { … }`.
pub(super) fn collector(p: &mut Parser<'_>, left: CompletedMarker) -> CompletedMarker {
    let whole = left.precede(p);
    let query = p.start();
    let open = p.at;
    let close = if p.at(L_COLLECT) {
        R_COLLECT
    } else {
        RR_COLLECT
    };
    p.bump();
    expressions::expression(p);
    p.close(open, close);
    query.complete(p, COLLECT_QUERY);
    if p.at(L_BRACE) && !p.at_repaired_close() {
        let open = p.open();
        operations(p);
        p.close(open, R_BRACE);
    }
    whole.complete(p, COLLECT_EXPR)
}

/// `apply(…) { … }`.
pub(super) fn apply(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    if p.at(L_PAREN) {
        if p.nth(1) == R_PAREN {
            let message = "`apply` expects at least 1 argument, found 0";
            p.error_at(p.at + 1, message.to_owned());
        }
        expressions::arguments(p, true);
        blocks::block(p);
    } else {
        p.expected("`(`");
    }
    whole.complete(p, APPLY_EXPR)
}
